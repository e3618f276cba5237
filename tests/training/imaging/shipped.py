"""The networks as they ship: what the service asks of them, in one graph each."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from networks import Judge, Recogniser


class ShippedRecogniser(nn.Module):
    def __init__(self, recogniser):
        super().__init__()
        self.recogniser = recogniser

    def forward(self, image):
        return self.recogniser(image)[0]


class ShippedJudge(nn.Module):
    """Scores, map and distance, each the mean over the film and its mirror image."""

    def __init__(self, judge, centre, whitening):
        super().__init__()
        self.judge = judge
        self.register_buffer('centre', centre)
        self.register_buffer('whitening', whitening)

    def forward(self, image):
        scores, maps, features = self.judge(torch.cat([image, image.flip(3)]))
        map_ = (maps[0:1, 0:1] + maps[1:2, 0:1].flip(3)) / 2
        away = (features.mean(0, keepdim=True) - self.centre) @ self.whitening
        return scores.mean(0, keepdim=True), map_, away.pow(2).mean(1, keepdim=True).sqrt()


def load(work, name='judge', findings=2):
    judge = Judge(findings)
    judge.load_state_dict(torch.load(f'{work}/{name}.pt'))
    return judge.eval()


def load_recogniser(work, name='recogniser'):
    recogniser = Recogniser()
    recogniser.load_state_dict(torch.load(f'{work}/{name}.pt'))
    return recogniser.eval()


def judged(judge, x):
    """Scores, maps of the first finding and features of upright films, each the mean with the mirror image."""
    scores, maps, features = [], [], []
    with torch.no_grad():
        for part in x.split(64):
            (s1, m1, f1), (s2, m2, f2) = judge(part), judge(part.flip(3))
            scores.append((s1 + s2) / 2)
            maps.append((m1[:, 0] + m2[:, 0].flip(2)) / 2)
            features.append((f1 + f2) / 2)
    return torch.cat(scores).numpy(), torch.cat(maps).numpy(), torch.cat(features).numpy()


def at_side(pixels, side):
    """Stored films as the networks are given them."""
    x = torch.from_numpy(np.ascontiguousarray(pixels)).float()[:, None] / 255
    return F.interpolate(x, size=(side, side), mode='area')


def whitened(features, shrink=0.15):
    """Centre and whitening of the features of the films learnt on: distances are then in deviations."""
    centre = features.mean(0)
    covariance = np.cov((features - centre).T)
    covariance = (1 - shrink) * covariance + shrink * np.trace(covariance) / len(covariance) * np.eye(len(covariance))
    values, vectors = np.linalg.eigh(covariance)
    return centre, vectors / np.sqrt(values)


def distances(features, centre, whitening):
    return np.sqrt((((features - centre) @ whitening) ** 2).mean(1))


def platt(scores, labels, share, weight=1e-2):
    """
    Slope and offset of a logistic curve through scores, by Newton's method, held a little to 1 and 0. Weighed so that `share`
    of the films are positive: few films have by chance another share than their source.
    """
    positive, negative = labels.sum(), (1 - labels).sum()
    # The targets of Platt 1999, so that few films do not make it too sure.
    targets = np.where(labels == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))
    each = np.where(labels == 1, share / positive, (1 - share) / negative)
    slope, offset = 1.0, 0.0
    for _ in range(100):
        p = 1 / (1 + np.exp(-(slope * scores + offset)))
        g = np.array([(each * (p - targets) * scores).sum() + weight * (slope - 1), (each * (p - targets)).sum() + weight * 0.1 * offset])
        w = each * p * (1 - p)
        h = np.array([[(w * scores * scores).sum() + weight, (w * scores).sum()], [(w * scores).sum(), w.sum() + weight * 0.1]])
        step = np.linalg.solve(h, g)
        slope, offset = slope - step[0], offset - step[1]
        if np.abs(step).max() < 1e-9:
            break
    return float(slope), float(offset)


def cross_fitted(scores, labels, patients, share, folds=5):
    """The probability of each film by a curve through those of other patients."""
    names = np.unique(patients)
    fold = dict(zip(names, np.random.default_rng(3).permutation(len(names)) % folds))
    places = np.array([fold[name] for name in patients])
    p = np.zeros(len(scores))
    for index in range(folds):
        slope, offset = platt(scores[places != index], labels[places != index], share)
        p[places == index] = 1 / (1 + np.exp(-(slope * scores[places == index] + offset)))
    return p
