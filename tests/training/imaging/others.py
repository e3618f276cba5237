"""Pictures that are no frontal chest film: files of free packages, projections and slices of free scans, drawn ones.

Run as a program it gathers them into one array of bytes with a kind for each. A kind is trained on or kept for the test as
a whole where it is drawn, file by file (by a hash of the name) where it is a photograph.
"""
import argparse
import glob
import gzip
import hashlib
import io
import json
import os
import tarfile

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

SIDE = 224
# Drawn kinds that no training sees: whether it carries to kinds it never met.
HELD_OUT = {'drawn-trees', 'drawn-vase', 'drawn-kidneys', 'drawn-owl', 'drawn-sketch', 'drawn-skull', 'drawn-slice', 'drawn-panes',
            'drawn-bowel', 'drawn-hand', 'made-strata', 'made-limb2'}


def is_test(kind, name):
    if kind in HELD_OUT:
        return True
    if kind.startswith('drawn-') or kind.startswith('made-'):
        return False
    return int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) % 4 == 0


def square(image):
    return np.asarray(image.resize((SIDE, SIDE), Image.BOX if min(image.size) > 2 * SIDE else Image.BICUBIC), np.uint8)


def from_file(path, draw):
    with Image.open(path) as image:
        if image.mode in ('RGBA', 'LA', 'P'):
            image = image.convert('RGBA')
            ground = Image.new('RGBA', image.size, (int(draw.choice([0, 255, draw.integers(0, 256)])),) * 3 + (255,))
            image = Image.alpha_composite(ground, image)
        return image.convert('L')


def photographs(folders, most, draw):
    """Kind, name and picture of every file, and of some parts of it."""
    paths = sorted(path for folder in folders for end in ('png', 'jpg', 'jpeg', 'gif')
                   for path in glob.glob(os.path.join(folder, '**', f'*.{end}'), recursive=True))
    if len(paths) > most:
        paths = [paths[index] for index in sorted(draw.choice(len(paths), most, replace=False))]
    for path in paths:
        try:
            image = from_file(path, draw)
        except Exception:
            continue
        if min(image.size) < 24:
            continue
        yield 'file', os.path.basename(path), square(image)
        # Parts of large photographs are pictures of their own.
        for _ in range(min(10, max(image.size) // 400)):
            wide, high = (np.array(image.size) * draw.uniform(0.2, 0.6)).astype(int)
            left, top = draw.integers(0, image.size[0] - wide), draw.integers(0, image.size[1] - high)
            yield 'file', os.path.basename(path), square(image.crop((left, top, left + wide, top + high)))


def toned(values, draw):
    low, high = np.quantile(values, [0.01, 0.995])
    shown = np.clip((values - low) / max(1e-6, high - low), 0, 1) ** draw.uniform(0.5, 1.6)
    return Image.fromarray((255 * shown).astype(np.uint8))


def volumes(folder):
    """The free scans that packages of Debian have: a skull by CT, brains by MR."""
    for path in glob.glob(os.path.join(folder, '**', 'Cranium.inv3'), recursive=True):
        with tarfile.open(path) as archive:
            for member in archive.getmembers():
                if member.name.endswith('matrix.dat'):
                    values = np.frombuffer(archive.extractfile(member).read(), np.int16)
                    yield 'skull', values.reshape(-1, 256, 256).astype(np.float32)
    for path in sorted(glob.glob(os.path.join(folder, '**', 'mricron*', '**', '*.nii.gz'), recursive=True)):
        data = gzip.open(path).read()
        shape = np.frombuffer(data[40:56], np.int16)[1:4].astype(int)
        kind = {2: np.uint8, 4: np.int16, 16: np.float32}.get(int(np.frombuffer(data[70:72], np.int16)[0]))
        offset = int(np.frombuffer(data[108:112], np.float32)[0])
        if kind is None or np.prod(shape) * np.dtype(kind).itemsize + offset > len(data):
            continue
        yield os.path.basename(path).split('.')[0], np.frombuffer(data, kind, np.prod(shape), offset).reshape(shape[::-1]).astype(np.float32)


def scans(folder, each, draw):
    for name, volume in volumes(folder):
        small = ndimage.zoom(volume, np.minimum(1, 110 / np.array(volume.shape)), order=1)
        attenuation = np.clip(small - np.quantile(small, 0.3), 0, None)
        for index in range(each):
            axis = int(draw.integers(0, 3))
            if index % 2:
                at = int(draw.uniform(0.2, 0.8) * volume.shape[axis])
                picture = np.take(volume, at, axis)
            else:
                turned = ndimage.rotate(attenuation, draw.uniform(-25, 25), axes=tuple(int(a) for a in draw.permutation(3)[:2]), order=1, reshape=False)
                picture = turned.sum(axis)
                if draw.random() < 0.5:
                    picture = -np.exp(-picture / picture.max() * draw.uniform(1, 4))
            if picture.std() < 1e-6:
                continue
            image = toned(picture, draw)
            if draw.random() < 0.5:
                image = image.transpose(Image.FLIP_TOP_BOTTOM)
            yield 'scan', f'{name}-{index}', square(image)


def soft(draw, power=None):
    """Noise with a spectrum of a power law: from white to clouds."""
    power = draw.uniform(0, 2.5) if power is None else power
    fx, fy = np.fft.fftfreq(SIDE)[:, None], np.fft.rfftfreq(SIDE)[None]
    radius = np.maximum(np.hypot(fx, fy), 1 / SIDE)
    spectrum = (draw.normal(size=radius.shape) + 1j * draw.normal(size=radius.shape)) / radius ** power
    values = np.fft.irfft2(spectrum, (SIDE, SIDE))
    return (values - values.min()) / (np.ptp(values) + 1e-9)


def bar(canvas, at, to, half, tone, flare=0.0):
    """A bone: a shaft between two points, wider at its ends, with a bright rim."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    direction = np.array(to) - at
    length = np.hypot(*direction) + 1e-6
    along = ((x - at[0]) * direction[0] + (y - at[1]) * direction[1]) / length
    across = np.abs((x - at[0]) * direction[1] - (y - at[1]) * direction[0]) / length
    share = np.clip(along / length, 0, 1)
    width = half * (1 + flare * (2 * share - 1) ** 4)
    inside = (across < width) & (along > -half) & (along < length + half)
    depth = np.sqrt(np.clip(1 - (across / width) ** 2, 0, 1))
    canvas += np.where(inside, tone * (0.5 * depth + 0.8 * (np.abs(across / width - 0.85) < 0.15)), 0)


def limb(draw):
    """Hands, knees, feet, forearms, jaws, as a plan of them: bones in soft tissue on black."""
    canvas = np.zeros((SIDE, SIDE))
    lean = draw.uniform(-0.3, 0.3)
    kind = draw.integers(0, 4)
    if kind == 0:  # Shafts beside each other.
        for at in np.linspace(0.3, 0.7, draw.integers(1, 4)) + draw.normal(0, 0.03):
            bar(canvas, (at - lean / 2, -0.05), (at, draw.uniform(0.42, 0.5)), draw.uniform(0.03, 0.07), 0.8, 0.7)
            bar(canvas, (at, draw.uniform(0.52, 0.58)), (at + lean / 2, 1.05), draw.uniform(0.03, 0.07), 0.8, 0.7)
    elif kind == 1:  # A hand or a foot.
        for ray in range(5):
            x0 = 0.35 + 0.075 * ray
            x1 = 0.5 + (x0 - 0.5) * draw.uniform(1.3, 2.0)
            y = 0.65
            for part in range(4):
                bar(canvas, (x0 + (x1 - x0) * part / 4, y - 0.14 * part), (x0 + (x1 - x0) * (part + 0.85) / 4, y - 0.14 * (part + 0.85)), 0.018, 0.7, 0.6)
        for _ in range(7):
            x, y = draw.uniform(0.36, 0.64), draw.uniform(0.68, 0.8)
            bar(canvas, (x, y), (x + 0.02, y + 0.02), 0.035, 0.4)
        bar(canvas, (0.43, 0.85), (0.42, 1.05), 0.05, 0.7)
        bar(canvas, (0.58, 0.85), (0.59, 1.05), 0.04, 0.7)
    elif kind == 2:  # A pelvis or a shoulder.
        for side in (-1, 1):
            bar(canvas, (0.5 + side * 0.1, 0.2), (0.5 + side * 0.35, 0.35), 0.09, 0.5)
            bar(canvas, (0.5 + side * 0.28, 0.62), (0.5 + side * 0.36, 1.05), 0.05, 0.8, 0.5)
            bar(canvas, (0.5 + side * 0.08, 0.75), (0.5 + side * 0.28, 0.6), 0.04, 0.6)
        bar(canvas, (0.5, -0.05), (0.5, 0.45), 0.06, 0.6)
    else:  # A spine from the side, or an abdomen.
        for level in np.linspace(0.05, 0.95, draw.integers(5, 9)):
            x = 0.5 + 0.1 * np.sin(3 * level + lean) + draw.normal(0, 0.01)
            bar(canvas, (x - 0.06, level), (x + 0.06, level), 0.04, 0.6)
    tissue = ndimage.gaussian_filter((ndimage.maximum_filter(canvas, int(draw.integers(15, 60))) > 0.1).astype(float), draw.uniform(1, 8))
    canvas = ndimage.gaussian_filter(canvas, draw.uniform(0.5, 2)) + draw.uniform(0.2, 0.9) * tissue * (0.8 + 0.4 * soft(draw, 1.5))
    if kind == 3 or draw.random() < 0.2:
        canvas += 0.4 * soft(draw, draw.uniform(1.2, 2))
    return np.clip(canvas / canvas.max() + 0.02 * draw.normal(size=canvas.shape), 0, 1)


def shapes(draw):
    image = Image.new('L', (SIDE, SIDE), int(draw.integers(0, 256)))
    pen = ImageDraw.Draw(image)
    mirrored = draw.random() < 0.5
    for _ in range(draw.integers(1, 14)):
        x, y = draw.uniform(0, SIDE, 2)
        wide, high = draw.uniform(4, SIDE * 0.6, 2)
        kind, tone = draw.integers(0, 3), int(draw.integers(0, 256))
        for box in [(x, y, x + wide, y + high)] + ([(SIDE - x - wide, y, SIDE - x, y + high)] if mirrored else []):
            (pen.ellipse if kind == 0 else pen.rectangle if kind == 1 else pen.line)(box, **({'fill': tone, 'width': int(draw.integers(1, 9))} if kind == 2 else {'fill': tone}))
    values = np.asarray(image, float) / 255
    if draw.random() < 0.6:
        values = ndimage.gaussian_filter(values, draw.uniform(0.5, 12))
    return values + draw.uniform(0, 0.25) * soft(draw) + draw.uniform(0, 0.08) * draw.normal(size=values.shape)


def page(draw, fonts):
    dark = draw.random() < 0.25
    image = Image.new('L', (SIDE * 2, SIDE * 2), 20 if dark else 245)
    pen = ImageDraw.Draw(image)
    y = draw.integers(4, 60)
    size = int(draw.integers(8, 40))
    font = ImageFont.truetype(str(draw.choice(fonts)), size) if fonts else ImageFont.load_default()
    words = 'the patient was seen today with report of two films date name result total sum page table figure see note'.split()
    while y < 2 * SIDE - 10:
        line = ' '.join(draw.choice(words, draw.integers(1, 12)))
        pen.text((draw.integers(4, 60), y), line, fill=235 if dark else 15, font=font)
        y += size * draw.uniform(1.1, 2.0)
    if draw.random() < 0.4:
        left, top = draw.integers(0, SIDE, 2)
        pen.rectangle((left, top, left + draw.integers(40, SIDE), top + draw.integers(40, SIDE)), fill=int(draw.integers(0, 256)))
    if draw.random() < 0.3:
        image = image.rotate(90 * int(draw.integers(1, 4)))
    return np.asarray(image.resize((SIDE, SIDE), Image.BOX), float) / 255


def regular(draw):
    """Stripes, checks, rings, gradients, vignettes."""
    y, x = np.mgrid[-1:1:SIDE * 1j, -1:1:SIDE * 1j]
    angle, count = draw.uniform(0, 3.2), draw.uniform(1, 30)
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    values = [lambda: np.sin(count * u), lambda: np.sin(count * u) * np.sin(count * v), lambda: np.sin(count * np.hypot(u, v * draw.uniform(0.4, 2))),
              lambda: u, lambda: -np.hypot(u, v), lambda: np.sign(np.sin(count * u)), lambda: np.abs(u) - v * draw.uniform(-1, 1)][draw.integers(0, 7)]()
    return (values - values.min()) / np.ptp(values) * draw.uniform(0.2, 1) + draw.uniform(0, 0.3) * soft(draw)


def symmetric(draw):
    values = soft(draw, draw.uniform(1, 2.5))
    values = values + values[:, ::-1]
    if draw.random() < 0.5:
        y, x = np.mgrid[-1:1:SIDE * 1j, -1:1:SIDE * 1j]
        for side in (-1, 1):
            values -= draw.uniform(0.3, 1.5) * np.exp(-(((x - side * draw.uniform(0.3, 0.5)) / draw.uniform(0.15, 0.35)) ** 2 + ((y - draw.uniform(-0.2, 0.2)) / draw.uniform(0.2, 0.6)) ** 2) ** draw.uniform(0.8, 2))
    return (values - values.min()) / np.ptp(values)


def strata(draw):
    values = np.cumsum(soft(draw, 1.2) - 0.5, 0) + 3 * soft(draw, 2.2)
    return (values - values.min()) / np.ptp(values)


def made(each, draw, fonts):
    for name, make, share in (('noise', soft, 1), ('limb', limb, 2), ('shapes', shapes, 2), ('page', lambda d: page(d, fonts), 1.3),
                              ('regular', regular, 1), ('symmetric', symmetric, 1.5), ('strata', strata, 0.2), ('limb2', limb, 0.4)):
        for index in range(int(each * share)):
            values = np.clip(make(draw), 0, 1)
            if draw.random() < 0.3:
                values = 1 - values
            yield f'made-{name}', f'{name}-{index}', (255 * values).astype(np.uint8)


def broken(films, generator):
    """Films of which a batch is no film any more: pieces exchanged, halves turned, tiled, phases lost, a small part."""
    count, _, side, _ = films.shape
    out = films.clone()
    for index in range(count):
        kind = int(torch.randint(0, 7, (1,), generator=generator))
        film = films[index:index + 1]
        other = films[int(torch.randint(0, count, (1,), generator=generator))]
        half = side // 2
        if kind == 0:
            parts = int(torch.randint(2, 7, (1,), generator=generator))
            cut = side // parts
            order = torch.randperm(parts * parts, generator=generator)
            if torch.equal(order, torch.arange(parts * parts)):
                order = order.flip(0)
            for place, source in enumerate(order.tolist()):
                (py, px), (sy, sx) = divmod(place, parts), divmod(source, parts)
                out[index, :, py * cut:(py + 1) * cut, px * cut:(px + 1) * cut] = film[0, :, sy * cut:(sy + 1) * cut, sx * cut:(sx + 1) * cut]
        elif kind == 1:  # One half stands on its head.
            out[index, :, :, :half] = film[0, :, :, :half].flip(1)
        elif kind == 2:  # The upper half below the lower.
            out[index] = film[0].roll(half, 1)
        elif kind == 3:  # Tiles of the same film, or of two.
            times = int(torch.randint(2, 5, (1,), generator=generator))
            small = F.interpolate(film, size=(side // times + 1,) * 2, mode='area')[0]
            out[index] = small.repeat(1, times, times)[:, :side, :side]
        elif kind == 4:  # Its spectrum with other phases.
            spectrum = torch.fft.rfft2(film[0, 0])
            phases = torch.fft.rfft2(torch.rand((side, side), generator=generator))
            mixed = torch.fft.irfft2(spectrum.abs() * phases / (phases.abs() + 1e-9), s=(side, side))
            out[index, 0] = (mixed - mixed.min()) / (mixed.max() - mixed.min() + 1e-9)
        elif kind == 5:  # A small part.
            share = float(torch.rand(1, generator=generator)) * 0.15 + 0.12
            cut = int(share * side)
            top, left = (int(torch.randint(0, side - cut, (1,), generator=generator)) for _ in range(2))
            out[index] = F.interpolate(film[:, :, top:top + cut, left:left + cut], size=(side, side), mode='bilinear', align_corners=False)[0]
        else:  # The outer parts inwards: lungs whose backs touch.
            out[index] = film[0].roll(half, 2)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('work')
    parser.add_argument('folders', nargs='+', help='folders with pictures and scans of other things, unpacked from packages')
    parser.add_argument('--most', type=int, default=2600)
    parser.add_argument('--made', type=int, default=250)
    args = parser.parse_args()
    draw = np.random.default_rng(18)
    fonts = sorted(glob.glob('/usr/share/fonts/truetype/**/*.ttf', recursive=True))[:12]
    found = list(photographs(args.folders, args.most, draw))
    print('files', len(found), flush=True)
    for folder in args.folders:
        found += scans(folder, 160, draw)
    print('with scans', len(found), flush=True)
    found += made(args.made, draw, fonts)
    for path in sorted(glob.glob(os.path.join(args.work, 'drawn', '*.bin'))):
        name = os.path.basename(path)[:-4]
        if name != 'phantom':
            pictures = np.fromfile(path, np.uint8).reshape(-1, SIDE, SIDE)
            found += [(f'drawn-{name}', f'{name}-{index}', picture) for index, picture in enumerate(pictures)]
    np.save(os.path.join(args.work, 'others.npy'), np.stack([picture for _, _, picture in found]))
    with open(os.path.join(args.work, 'others.json'), 'w') as file:
        json.dump([dict(kind=kind, name=name, test=is_test(kind, name)) for kind, name, _ in found], file)
    print('all', len(found), 'for the test', sum(is_test(kind, name) for kind, name, _ in found), flush=True)


if __name__ == '__main__':
    main()
