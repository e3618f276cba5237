"""Writes the networks as ONNX with what the service must know of them. See README.md."""
import argparse
import hashlib
import json
import os

import numpy as np
import torch

import shipped
from films import load_pixels, read_films
from networks import Judge, Recogniser
from train_recogniser import outputs, shown


# On the films and pictures kept apart: 3 of 1,439 other pictures are above it, and 4 of 1,334 + 202 films below.
THRESHOLD = 0.7


def exported(path, model, side, outputs_):
    torch.onnx.export(model, torch.rand(1, 1, side, side), path, input_names=['image'], output_names=outputs_, opset_version=13)
    with open(path, 'rb') as file:
        return hashlib.sha256(file.read()).hexdigest()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('films')
    parser.add_argument('work')
    parser.add_argument('out')
    parser.add_argument('--version', default='1.0.0')
    parser.add_argument('--calibrate-on', nargs='+', default=['tune'], choices=('tune', 'test'))
    args = parser.parse_args()
    torch.set_num_threads(1)
    films = read_films(args.films)
    pixels = load_pixels(args.films, films, args.work)
    part = np.array([film['part'] for film in films])
    adult = np.array([film['population'] == 'adult' for film in films])
    label = np.array([film['opacity'] for film in films])
    judge, recogniser = shipped.load(args.work), shipped.load_recogniser(args.work)
    rest = np.flatnonzero(np.isin(part, args.calibrate_on))
    # As many adults as there are, and as many children: each weighs the same in what is usual.
    draw = np.random.default_rng(1)
    learnt = np.concatenate([np.flatnonzero((part == 'train') & adult), draw.choice(np.flatnonzero((part == 'train') & ~adult), 400, replace=False)])
    _, _, known = shipped.judged(judge, shipped.at_side(pixels[learnt], Judge.SIDE))
    centre, whitening = shipped.whitened(known)
    scores, _, features = shipped.judged(judge, shipped.at_side(pixels[rest], Judge.SIDE))
    away = shipped.distances(features, centre, whitening)
    calibration = {}
    for name, chosen in (('child', ~adult[rest]), ('adult', adult[rest])):
        share = label[adult == (name == 'adult')].mean()
        slope, offset = shipped.platt(scores[chosen, 0].astype(float), label[rest][chosen].astype(float), share)
        calibration[name] = dict(slope=round(slope, 5), offset=round(offset, 5))
    # The recogniser against other pictures, by the films and the pictures kept apart.
    others = np.load(os.path.join(args.work, 'others.npy'), mmap_mode='r')
    about = json.load(open(os.path.join(args.work, 'others.json')))
    strange = np.array([others[index] for index, each in enumerate(about) if each['test']])
    generator = torch.Generator().manual_seed(9)
    positions = torch.randint(0, 8, (len(rest),), generator=generator)
    inverted = torch.rand(len(rest), generator=generator) < 0.2
    chest = outputs(recogniser, shown(pixels[rest], positions, inverted))[:, 0].numpy()
    other = outputs(recogniser, shipped.at_side(strange, Recogniser.SIDE))[:, 0].numpy()
    slope, offset = shipped.platt(np.concatenate([chest, other]).astype(float), np.concatenate([np.ones(len(chest)), np.zeros(len(other))]), 0.5)
    os.makedirs(args.out, exist_ok=True)
    first = exported(os.path.join(args.out, 'recogniser.onnx'), shipped.ShippedRecogniser(recogniser), Recogniser.SIDE, ['scores'])
    second = exported(os.path.join(args.out, 'judge.onnx'), shipped.ShippedJudge(judge, torch.from_numpy(centre).float(), torch.from_numpy(whitening).float()).eval(),
                      Judge.SIDE, ['scores', 'map', 'distance'])
    metadata = dict(
        version=args.version,
        recogniser=dict(file='recogniser.onnx', sha256=first, side=Recogniser.SIDE, calibration=dict(slope=round(slope, 5), offset=round(offset, 5)),
                        threshold=THRESHOLD, thresholdWithHeader=0.4),
        judge=dict(file='judge.onnx', sha256=second, side=Judge.SIDE, calibration=calibration,
                   distanceMax=round(float(np.quantile(away, 0.998)) * 1.15, 3), placeShare=0.6),
    )
    with open(os.path.join(args.out, 'model.json'), 'w') as file:
        json.dump(metadata, file, indent=2)
        file.write('\n')
    print(json.dumps(metadata, indent=2))


if __name__ == '__main__':
    main()
