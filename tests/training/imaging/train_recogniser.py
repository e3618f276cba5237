"""Trains the network that says what a picture is. See README.md."""
import argparse
import copy
import json
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score

import augment
from films import load_pixels, read_films, split_digest
from networks import Recogniser
from others import broken

FIRST_PX = 128


def turned(x, positions):
    """Positions 0 to 3: so many quarter turns clockwise of an upright film; 4 to 7 the same of a mirrored one."""
    out = x.clone()
    for index, position in enumerate(positions.tolist()):
        film = x[index]
        if position >= 4:
            film = film.flip(2)
        out[index] = torch.rot90(film, -(position % 4), (1, 2))
    return out


def shown(pixels, positions, inverted, side=Recogniser.SIDE):
    """What the network sees of whole films that lie so."""
    x = torch.from_numpy(pixels).float()[:, None] / 255
    x = F.interpolate(x, size=(side, side), mode='area')
    x = turned(x, positions)
    return torch.where(inverted[:, None, None, None], 1 - x, x)


def outputs(model, x):
    model.eval()
    with torch.no_grad():
        return torch.cat([model(part)[0] for part in x.split(128)])


def measured(model, films, others, views, children):
    """Recognised, lying rightly, inverted rightly, view; the others taken for a chest."""
    generator = torch.Generator().manual_seed(5)
    count = len(films)
    positions = torch.randint(0, 8, (count,), generator=generator)
    inverted = torch.rand(count, generator=generator) < 0.3
    upright = torch.zeros(count, dtype=torch.long)
    plain = torch.zeros(count, dtype=torch.bool)
    out = outputs(model, shown(films, positions, inverted))
    as_is = outputs(model, shown(films, upright, plain))
    rest = outputs(model, F.interpolate(torch.from_numpy(others).float()[:, None] / 255, size=(Recogniser.SIDE,) * 2, mode='area'))
    known = views >= 0
    line = {}
    for name, chosen in (('child', children), ('adult', ~children)):
        line[name] = dict(recognised=round(float((as_is[chosen, 0] > 0).float().mean()), 4), turned=round(float((out[chosen, 0] > 0).float().mean()), 4),
                          position=round(float((out[chosen, 1:9].argmax(1) == positions[chosen]).float().mean()), 4),
                          rotation=round(float((out[chosen, 1:9].argmax(1) % 4 == positions[chosen] % 4).float().mean()), 4),
                          inverted=round(float(((out[chosen, 9] > 0) == inverted[chosen]).float().mean()), 4))
    line['view auc'] = round(roc_auc_score(views[known], as_is[known, 10]), 3)
    line['child auc'] = round(roc_auc_score(children, as_is[:, 11]), 4)
    line['others taken'] = f'{int((rest[:, 0] > 0).sum())} of {len(rest)}'
    return line


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('films')
    parser.add_argument('work')
    parser.add_argument('--steps', type=int, default=1500)
    parser.add_argument('--until', type=int, default=None, help='stop after so many of the steps')
    parser.add_argument('--batch', type=int, default=88)
    parser.add_argument('--rate', type=float, default=2.5e-3)
    parser.add_argument('--seed', type=int, default=2)
    parser.add_argument('--name', default='recogniser')
    parser.add_argument('--start', default=None)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    draw = np.random.default_rng(args.seed)
    films = read_films(args.films)
    pixels = load_pixels(args.films, films, args.work)
    print('split', split_digest(films), flush=True)
    others = np.load(os.path.join(args.work, 'others.npy'), mmap_mode='r')
    about = json.load(open(os.path.join(args.work, 'others.json')))
    phantoms = np.fromfile(os.path.join(args.work, 'drawn', 'phantom.bin'), np.uint8).reshape(-1, 224, 224)
    part = np.array([film['part'] for film in films])
    child = np.array([film['population'] == 'child' for film in films])
    view = np.array([{'PA': 0.0, 'AP': 1.0}.get(film['view'], np.nan) for film in films], np.float32)
    train = {True: np.flatnonzero((part == 'train') & child), False: np.flatnonzero((part == 'train') & ~child)}
    kinds = sorted({each['kind'] for each in about if not each['test']})
    by_kind = {kind: np.array([index for index, each in enumerate(about) if each['kind'] == kind and not each['test']]) for kind in kinds}
    # By the root of how many there are: photographs are many and differ, drawn kinds are few and alike.
    odds = np.array([len(by_kind[kind]) ** 0.6 for kind in kinds])
    odds /= odds.sum()
    test_others = np.array([index for index, each in enumerate(about) if each['test']])
    tune = np.flatnonzero(part == 'tune')
    tune_others = np.array(others[np.sort(draw.choice(test_others, min(800, len(test_others)), replace=False))])
    model = Recogniser()
    if args.start:
        model.load_state_dict(torch.load(args.start))
    smooth = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=0.03)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, total_steps=args.steps + 1, pct_start=0.15)
    count_film, count_broken, count_phantom = round(args.batch * 0.42), round(args.batch * 0.12), max(2, round(args.batch * 0.04))
    count_other = args.batch - count_film - count_broken - count_phantom
    began, running = time.time(), 0.0
    last = args.until or args.steps
    for step in range(1, last + 1):
        model.train()
        chosen = np.concatenate([draw.choice(train[True], count_film // 2), draw.choice(train[False], count_film - count_film // 2)])
        apart = np.concatenate([draw.choice(train[True], count_broken // 2), draw.choice(train[False], count_broken - count_broken // 2)])
        chests = np.concatenate([pixels[chosen], phantoms[draw.choice(len(phantoms), count_phantom)]])
        strange = np.array([others[draw.choice(by_kind[kinds[k]])] for k in draw.choice(len(kinds), count_other, p=odds)])
        x = torch.from_numpy(np.concatenate([chests, pixels[apart], strange])).float()[:, None] / 255
        x = F.interpolate(x, size=(FIRST_PX * 2,) * 2, mode='bilinear', align_corners=False) if x.shape[2] < FIRST_PX else x
        whole, torn = len(chests), len(chests) + len(apart)
        x[whole:torn] = broken(x[whole:torn], generator)
        x = augment.warp(augment.coarser(x, generator, lowest=40), Recogniser.SIDE, generator, turn=14, scale=(0.6, 1.35), aspect=0.22, shift=0.1)
        x = augment.retoned(x, generator)
        x = augment.equalised(augment.masked(x, generator, inner=0.3), generator, 0.1)
        x = augment.squeezed(x, generator, 0.15)
        positions = torch.where(augment.chance(len(x), 0.35, generator), torch.zeros(len(x), dtype=torch.long), torch.randint(0, 8, (len(x),), generator=generator))
        inverted = augment.chance(len(x), 0.25, generator)
        x = turned(x, positions)
        x = torch.where(inverted[:, None, None, None], 1 - x, x)
        out, _ = model(x)
        is_chest = torch.zeros(len(x))
        is_chest[:whole] = 1
        loss = F.binary_cross_entropy_with_logits(out[:, 0], is_chest * 0.98 + 0.01)
        loss = loss + 0.6 * F.cross_entropy(out[:whole, 1:9], positions[:whole], label_smoothing=0.02)
        loss = loss + 0.4 * F.binary_cross_entropy_with_logits(out[:whole, 9], inverted[:whole].float())
        seen = torch.from_numpy(view[chosen])
        known = ~torch.isnan(seen)
        loss = loss + 0.2 * F.binary_cross_entropy_with_logits(out[:len(chosen), 10][known], seen[known] * 0.9 + 0.05)
        loss = loss + 0.1 * F.binary_cross_entropy_with_logits(out[:len(chosen), 11], torch.from_numpy(child[chosen]).float() * 0.96 + 0.02)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        schedule.step()
        keep = min(0.99, (step + 1) / (step + 10))
        with torch.no_grad():
            for ours, theirs in zip(smooth.state_dict().values(), model.state_dict().values()):
                if ours.dtype.is_floating_point:
                    ours.mul_(keep).add_(theirs, alpha=1 - keep)
                else:
                    ours.copy_(theirs)
        running += loss.item()
        if step % 20 == 0:
            print(step, f'{running / 20:.4f} {time.time() - began:.0f}s', flush=True)
            running = 0.0
        if step % 150 == 0 or step == last:
            torch.save(smooth.state_dict(), os.path.join(args.work, f'{args.name}.pt'))
            views = np.array([{'PA': 0, 'AP': 1}.get(films[index]['view'], -1) for index in tune])
            print('tune', step, json.dumps(measured(smooth, pixels[tune], tune_others, views, child[tune])), flush=True)


if __name__ == '__main__':
    main()
