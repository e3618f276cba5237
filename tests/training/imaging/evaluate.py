"""What the networks do on films of patients that no training has seen. Prints a report in Markdown. See README.md."""
import argparse
import io
import json
import os

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from sklearn.metrics import roc_auc_score

import shipped
from export import THRESHOLD
from figures import auc, ece, resampled, wilson
from films import load_pixels, read_films
from networks import Judge, Recogniser
from train_recogniser import outputs, shown


def logistic(x):
    return 1 / (1 + np.exp(-x))


def floor(p):
    """The error of calibration that chance alone makes of so many films."""
    draw = np.random.default_rng(2)
    return np.mean([ece((draw.random(len(p)) < p).astype(float), p) for _ in range(300)])


def squeezed(x, quality):
    out = x.clone()
    for index in range(len(x)):
        buffer = io.BytesIO()
        Image.fromarray((x[index, 0] * 255).byte().numpy()).save(buffer, 'JPEG', quality=quality)
        out[index, 0] = torch.from_numpy(np.asarray(Image.open(buffer), np.float32) / 255)
    return out


def around(x, share, tone=0.0):
    """The border painted over."""
    out = x.clone()
    deep = int(share * x.shape[2])
    out[:, :, :deep] = tone
    out[:, :, -deep:] = tone
    out[:, :, :, :deep] = tone
    out[:, :, :, -deep:] = tone
    return out


def corners(x, share, tone=0.0):
    out = x.clone()
    deep = int(share * x.shape[2])
    for rows in (slice(0, deep), slice(-deep, None)):
        for columns in (slice(0, deep), slice(-deep, None)):
            out[:, :, rows, columns] = tone
    return out


def border_alone(x, share):
    out = torch.full_like(x, 0.5)
    deep = int(share * x.shape[2])
    keep = torch.zeros(x.shape[2:], dtype=torch.bool)
    keep[:deep] = keep[-deep:] = True
    keep[:, :deep] = keep[:, -deep:] = True
    return torch.where(keep, x, out)


def equalised(x):
    flat = x.flatten(1)
    return (torch.argsort(torch.argsort(flat, 1), 1).float() / flat.shape[1]).view_as(x)


def coarse(x, side):
    return F.interpolate(F.interpolate(x, size=(side, side), mode='area'), size=x.shape[2:], mode='bilinear', align_corners=False)


CHANGES = {
    'as it is': lambda x: x,
    'border of 8 % black': lambda x: around(x, 0.08),
    'border of 8 % white': lambda x: around(x, 0.08, 1.0),
    'corners of 22 % black': lambda x: corners(x, 0.22),
    'gamma 0.6': lambda x: x ** 0.6,
    'gamma 1.7': lambda x: x ** 1.7,
    'all tones equally frequent': equalised,
    'JPEG of quality 20': lambda x: squeezed(x, 20),
    '80 pixels': lambda x: coarse(x, 80),
    'mirrored': lambda x: x.flip(3),
    'nothing but the border of 8 %': lambda x: border_alone(x, 0.08),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('films')
    parser.add_argument('work')
    args = parser.parse_args()
    torch.set_num_threads(1)
    films = read_films(args.films)
    pixels = load_pixels(args.films, films, args.work)
    part = np.array([film['part'] for film in films])
    adult = np.array([film['population'] == 'adult' for film in films])
    patient = np.array([film['patient'] for film in films])
    label = np.array([film['opacity'] for film in films]).astype(float)
    view = np.array([film['view'] for film in films])
    groups = {name: np.flatnonzero((part == 'test') & (adult == (name == 'adults'))) for name in ('children', 'adults')}
    judge = shipped.load(args.work)

    print('## Opacity\n')
    rest = np.flatnonzero(part != 'train')
    fitted = shipped.judged(judge, shipped.at_side(pixels[rest], Judge.SIDE))[0]
    scores = {}
    for name, chosen in groups.items():
        own = adult[rest] == (name == 'adults')
        share = label[adult == (name == 'adults')].mean()
        all_p = shipped.cross_fitted(fitted[own, 0].astype(float), label[rest][own], patient[rest][own], share)
        tested = part[rest][own] == 'test'
        scores[name], p = fitted[own][tested], all_p[tested]
        print(f'- {name}: {len(chosen)} films of {len(set(patient[chosen]))} patients, {int(label[chosen].sum())} with pneumonia. '
              f'AUC {auc(label[chosen], scores[name][:, 0], patient[chosen])}; '
              f'found at 0.5 {wilson(int((p[label[chosen] == 1] >= 0.5).sum()), int(label[chosen].sum()))}, '
              f'false {wilson(int((p[label[chosen] == 0] >= 0.5).sum()), int((1 - label[chosen]).sum()))}. '
              f'ECE of these and the tuning films, each by a curve through other patients: {own.sum()} films, '
              f'{resampled((label[rest][own], all_p), patient[rest][own], ece)}; a perfect one of so many films would have {floor(all_p):.3f}')
    for each in ('PA', 'AP'):
        chosen = view[groups['adults']] == each
        print(f"- adults, {each} alone: {int(chosen.sum())} films, AUC {auc(label[groups['adults']][chosen], scores['adults'][chosen, 0], patient[groups['adults']][chosen])}")
    known = np.array([films[index]['labels'] is not None for index in groups['adults']])
    infiltration = np.array([float('Infiltration' in (films[index]['labels'] or [])) for index in groups['adults']])
    print(f"- adults, label Infiltration: {int(infiltration.sum())} films, AUC against all others {auc(infiltration[known], scores['adults'][known, 1], patient[groups['adults']][known])}")
    ill = known & (label[groups['adults']] == 1)
    print(f"- the same among those with pneumonia alone: AUC {auc(infiltration[ill], scores['adults'][ill, 1], patient[groups['adults']][ill])}")

    print('\n## Shortcuts: AUC when something is changed\n\n| Change | Children | Adults |\n|---|---|---|')
    for change, make in CHANGES.items():
        row = []
        for name, chosen in groups.items():
            some = chosen if name == 'adults' else chosen[::3]
            found = shipped.judged(judge, make(shipped.at_side(pixels[some], Judge.SIDE)))[0][:, 0]
            row.append(f'{roc_auc_score(label[some], found):.3f}')
        print(f'| {change} | {" | ".join(row)} |')

    print('\n## From one source to the other\n')
    for only in ('child', 'adult'):
        if os.path.exists(os.path.join(args.work, f'judge-{only}.pt')):
            alone = shipped.load(args.work, f'judge-{only}')
            for name, chosen in groups.items():
                found = shipped.judged(alone, shipped.at_side(pixels[chosen], Judge.SIDE))[0][:, 0]
                print(f"- learnt from {dict(child='children', adult='adults')[only]} alone, on {name}: AUC {auc(label[chosen], found, patient[chosen])}")

    print('\n## Place, against the boxes of radiologists\n')
    boxed = np.array([index for index, film in enumerate(films) if film['boxes']])
    _, maps, _ = shipped.judged(judge, shipped.at_side(pixels[boxed], Judge.SIDE))
    place(films, boxed, maps, np.ones(len(boxed), bool), 'all, of which a part was learnt from, without its boxes')
    place(films, boxed, maps, part[boxed] != 'train', 'of those, not learnt from')

    recognition(args, films, pixels, part, adult, view, groups)


def place(films, boxed, maps, chosen, title):
    hits, covered, chance, total = 0, [], [], 0
    side = maps.shape[1]
    for index, film in enumerate(boxed):
        if not chosen[index]:
            continue
        fine = F.interpolate(torch.from_numpy(maps[index])[None, None], size=(side * 8,) * 2, mode='bilinear', align_corners=False)[0, 0].numpy()
        truth = np.zeros_like(fine, bool)
        for x, y, wide, high in films[film]['boxes']:
            truth[int(y * side * 8):int((y + high) * side * 8) + 1, int(x * side * 8):int((x + wide) * side * 8) + 1] = True
        hits += truth.flat[fine.argmax()]
        found = fine >= fine.mean() + 0.6 * (fine.max() - fine.mean())
        covered.append((truth & found).sum() / truth.sum())
        chance.append(found.mean())
        total += 1
    print(f'- {title}: the highest point lies in a box in {wilson(int(hits), total)}; the outline covers {np.mean(covered):.2f} of the boxes on average and {np.mean(chance):.2f} of the picture')


def recognition(args, films, pixels, part, adult, view, groups):
    print('\n## Recognised\n')
    recogniser = shipped.load_recogniser(args.work)
    others = np.load(os.path.join(args.work, 'others.npy'), mmap_mode='r')
    about = json.load(open(os.path.join(args.work, 'others.json')))
    tested = [index for index, each in enumerate(about) if each['test']]
    strange = shipped.at_side(np.array([others[index] for index in tested]), Recogniser.SIDE)
    tune = np.flatnonzero(part == 'tune')
    generator = torch.Generator().manual_seed(9)
    positions = torch.randint(0, 8, (len(tune),), generator=generator)
    fit = outputs(recogniser, shown(pixels[tune], positions, torch.rand(len(tune), generator=generator) < 0.2))[:, 0].numpy()
    other = outputs(recogniser, strange)[:, 0].numpy()
    slope, offset = shipped.platt(np.concatenate([fit, other]).astype(float), np.concatenate([np.ones(len(fit)), np.zeros(len(other))]), 0.5)
    level = (np.log(THRESHOLD / (1 - THRESHOLD)) - offset) / slope
    for name, chosen in groups.items():
        count = len(chosen)
        plain = torch.zeros(count, dtype=torch.long)
        out = outputs(recogniser, shown(pixels[chosen], plain, plain.bool()))
        print(f'- {name}, as they are: recognised {wilson(int((out[:, 0] > level).sum()), count)}, upright {wilson(int((out[:, 1:9].argmax(1) % 4 == 0).sum()), count)}, not mirrored {wilson(int((out[:, 1:9].argmax(1) < 4).sum()), count)}, tones as usual {wilson(int((out[:, 9] < 0).sum()), count)}')
        positions = torch.randint(0, 8, (count,), generator=generator)
        inverted = torch.rand(count, generator=generator) < 0.5
        out = outputs(recogniser, shown(pixels[chosen], positions, inverted))
        found = out[:, 1:9].argmax(1)
        print(f'- {name}, turned, mirrored and inverted at random: recognised {wilson(int((out[:, 0] > level).sum()), count)}, turn {wilson(int((found % 4 == positions % 4).sum()), count)}, sides {wilson(int(((found >= 4) == (positions >= 4)).sum()), count)}, tones {wilson(int(((out[:, 9] > 0) == inverted).sum()), count)}')
    known = np.array([index for index in groups['adults'] if view[index]])
    out = outputs(recogniser, shipped.at_side(pixels[known], Recogniser.SIDE))
    patients = np.array([films[index]['patient'] for index in known])
    print(f"- AP against PA, adults: AUC {auc((view[known] == 'AP').astype(float), out[:, 10].numpy(), patients)}")
    both = np.concatenate([groups['children'], groups['adults']])
    out = outputs(recogniser, shipped.at_side(pixels[both], Recogniser.SIDE))
    print(f"- child against adult (which is also one source against the other): {wilson(int(((out[:, 11].numpy() > 0) == ~adult[both]).sum()), len(both))}")
    wrong = other > level
    print(f'- other pictures taken for a chest: {wilson(int(wrong.sum()), len(wrong))}')
    kinds = {}
    for index, taken in zip(tested, wrong):
        kinds.setdefault(about[index]['kind'], []).append(bool(taken))
    for kind, list_ in sorted(kinds.items()):
        print(f'  - {kind}: {sum(list_)} of {len(list_)}')


if __name__ == '__main__':
    main()
