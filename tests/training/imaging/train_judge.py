"""Trains the network that judges films. See README.md."""
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
from networks import Judge

FINDINGS = ('opacity', 'infiltration')


def targets_of(film):
    """Target for each finding; NaN where the source does not say."""
    if film['labels'] is None:
        infiltration = float('nan')
    else:
        infiltration = float('Infiltration' in film['labels'])
    return [float(film['opacity']), infiltration]


def predicted(model, pixels, indices, side=Judge.SIDE):
    """Logits of films and of the same mirrored, their mean."""
    model.eval()
    out = []
    with torch.no_grad():
        for start in range(0, len(indices), 64):
            x = torch.from_numpy(pixels[indices[start:start + 64]]).float()[:, None] / 255
            x = F.interpolate(x, size=(side, side), mode='area')
            out.append(model(x)[0])
    return torch.cat(out).numpy()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('films')
    parser.add_argument('work')
    parser.add_argument('--steps', type=int, default=1600)
    parser.add_argument('--until', type=int, default=None, help='stop after so many of the steps')
    parser.add_argument('--batch', type=int, default=48)
    parser.add_argument('--adult-share', type=float, default=0.45)
    parser.add_argument('--rate', type=float, default=2.5e-3)
    parser.add_argument('--only', choices=('child', 'adult'), default=None)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--name', default='judge')
    parser.add_argument('--width', type=int, default=16)
    parser.add_argument('--start', default=None)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    draw = np.random.default_rng(args.seed)
    films = read_films(args.films)
    pixels = load_pixels(args.films, films, args.work)
    print('split', split_digest(films), flush=True)
    targets = np.array([targets_of(film) for film in films], np.float32)
    part = np.array([film['part'] for film in films])
    population = np.array([film['population'] for film in films])
    groups = {(who, kind): np.flatnonzero((part == 'train') & (population == who) & (targets[:, 0] == kind))
              for who in ('child', 'adult') for kind in (0, 1)}
    print({str(key): len(value) for key, value in groups.items()}, flush=True)
    model = Judge(len(FINDINGS), args.width)
    if args.start:
        model.load_state_dict(torch.load(args.start))
    smooth = copy.deepcopy(model)
    decay = [p for p in model.parameters() if p.dim() > 1]
    rest = [p for p in model.parameters() if p.dim() <= 1]
    optimizer = torch.optim.AdamW([{'params': decay, 'weight_decay': 0.05}, {'params': rest, 'weight_decay': 0}], lr=args.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, total_steps=args.steps + 1, pct_start=0.15)
    adults = {None: round(args.batch * args.adult_share / 2) * 2, 'child': 0, 'adult': args.batch}[args.only]
    # Text-mined labels are partly wrong: less is demanded of them.
    smoothing = {'child': 0.03, 'adult': 0.08}
    tune = {who: np.flatnonzero((part == 'tune') & (population == who)) for who in ('child', 'adult')}
    began = time.time()
    running = 0.0
    last = args.until or args.steps
    for step in range(1, last + 1):
        model.train()
        chosen = np.concatenate([draw.choice(groups[who, kind], count // 2)
                                 for who, count in (('child', args.batch - adults), ('adult', adults))
                                 for kind in (0, 1) if count])
        x = torch.from_numpy(pixels[chosen]).float()[:, None] / 255
        flip = augment.chance(len(chosen), 0.3, generator)
        x = augment.coarser(x, generator, lowest=90)
        x = augment.warp(x, Judge.SIDE, generator, flip=flip)
        x = augment.equalised(augment.retoned(x, generator), generator)
        x = augment.squeezed(augment.masked(x, generator), generator)
        target = torch.from_numpy(targets[chosen])
        eps = torch.tensor([smoothing[who] for who in population[chosen]])[:, None]
        known = ~torch.isnan(target)
        weight = torch.tensor([[1.0, 0.4 if who == 'adult' else 0.0] for who in population[chosen]])
        soft = torch.nan_to_num(target) * (1 - 2 * eps) + eps
        logits, maps, _ = model(x)
        loss = (F.binary_cross_entropy_with_logits(logits, soft, reduction='none') * known * weight).sum() / len(chosen)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        schedule.step()
        keep = min(0.995, (step + 1) / (step + 10))
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
        if step % 200 == 0 or step == last:
            line = {}
            for who in tune:
                logits = predicted(smooth, pixels, tune[who])[:, 0]
                line[who] = round(roc_auc_score(targets[tune[who], 0], logits), 4)
            print('tune', step, json.dumps(line), flush=True)
            torch.save(smooth.state_dict(), os.path.join(args.work, f'{args.name}.pt'))


if __name__ == '__main__':
    main()
