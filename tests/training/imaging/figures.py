"""Numbers with their intervals."""
import math

import numpy as np
from sklearn.metrics import roc_auc_score


def wilson(count, total):
    """A share with its 95 % interval: E. B. Wilson, Journal of the American Statistical Association 1927."""
    if total == 0:
        return '0 of 0'
    z, p = 1.96, count / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f'{count} of {total} ({p:.3f}; {max(0, middle - half):.3f} to {min(1, middle + half):.3f})'


def resampled(values, patients, statistic, times=1000, seed=7):
    """A statistic with its 95 % interval over samples of patients: films of one patient are no independent films."""
    draw = np.random.default_rng(seed)
    names, places = np.unique(patients, return_inverse=True)
    films = [np.flatnonzero(places == index) for index in range(len(names))]
    found = []
    for _ in range(times):
        chosen = np.concatenate([films[index] for index in draw.integers(0, len(names), len(names))])
        try:
            found.append(statistic(*[each[chosen] for each in values]))
        except ValueError:
            continue
    low, high = np.quantile(found, [0.025, 0.975])
    return f'{statistic(*values):.3f} ({low:.3f} to {high:.3f})'


def auc(labels, scores, patients):
    return resampled((labels, scores), patients, lambda l, s: roc_auc_score(l, s))


def ece(labels, probabilities, bins=10):
    """Mean distance between how sure and how often right, in bins of equal width."""
    total = 0.0
    places = np.minimum((probabilities * bins).astype(int), bins - 1)
    for index in range(bins):
        chosen = places == index
        if chosen.any():
            total += chosen.mean() * abs(labels[chosen].mean() - probabilities[chosen].mean())
    return float(total)
