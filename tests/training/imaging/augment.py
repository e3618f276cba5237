"""What is done to films before a network sees them, so that it learns the chest and not the source."""
import io
import math

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image


def uniform(count, low, high, generator):
    return low + (high - low) * torch.rand(count, generator=generator)


def normal(count, deviation, generator):
    return deviation * torch.randn(count, generator=generator)


def chance(count, share, generator):
    return torch.rand(count, generator=generator) < share


def warp(pixels, side, generator, turn=10.0, scale=(0.8, 1.2), aspect=0.15, shift=0.09, shear=0.06, flip=None):
    """Affine: turned, scaled, sheared, shifted. Beyond the picture is black, white or the border drawn out."""
    count = pixels.shape[0]
    angle = normal(count, turn / 2, generator).clamp(-turn * 1.5, turn * 1.5) * math.pi / 180
    size = torch.exp(uniform(count, math.log(scale[0]), math.log(scale[1]), generator))
    ratio = torch.exp(normal(count, aspect / 1.5, generator))
    cos, sin = torch.cos(angle), torch.sin(angle)
    theta = torch.zeros(count, 2, 3)
    theta[:, 0, 0] = cos / (size * ratio)
    theta[:, 0, 1] = -sin / size + normal(count, shear, generator)
    theta[:, 1, 0] = sin / size + normal(count, shear, generator)
    theta[:, 1, 1] = cos * ratio / size
    theta[:, :, 2] = uniform((count, 2), -shift, shift, generator) * 2
    if flip is not None:
        theta[:, :, 0] = torch.where(flip[:, None], -theta[:, :, 0], theta[:, :, 0])
    grid = F.affine_grid(theta, (count, 1, side, side), align_corners=False)
    mode = 'border' if torch.rand(1, generator=generator) < 0.4 else 'zeros'
    return F.grid_sample(pixels, grid, mode='bilinear', padding_mode=mode, align_corners=False)


def coarser(pixels, generator, share=0.4, lowest=64):
    """Some of the batch at a lower resolution first."""
    if torch.rand(1, generator=generator) < share:
        side = int(uniform(1, lowest, pixels.shape[2], generator))
        pixels = F.interpolate(pixels, size=(side, side), mode='area')
        pixels = F.interpolate(pixels, size=(224, 224), mode='bilinear', align_corners=False)
    return pixels


def retoned(x, generator):
    """Exposure, gamma, contrast, an S-shaped curve, clipping at both ends, a slope of brightness, blur, noise."""
    count = x.shape[0]
    at = lambda values: values[:, None, None, None]
    x = x.clamp(0, 1) ** at(torch.exp(normal(count, 0.35, generator)))
    steep = at(uniform(count, 1.0, 7.0, generator))
    middle = at(uniform(count, 0.3, 0.7, generator))
    curve = torch.sigmoid(steep * (x - middle))
    low, high = torch.sigmoid(-steep * middle), torch.sigmoid(steep * (1 - middle))
    x = torch.where(at(chance(count, 0.4, generator)), (curve - low) / (high - low), x)
    below, above = at(uniform(count, -0.1, 0.12, generator)), at(uniform(count, 0.85, 1.15, generator))
    x = ((x - below) / (above - below)).clamp(0, 1)
    side = x.shape[2]
    line = torch.linspace(-1, 1, side)
    slope = at(normal(count, 0.06, generator)) * line[None, None, :, None] + at(normal(count, 0.06, generator)) * line[None, None, None, :]
    x = x + torch.where(at(chance(count, 0.4, generator)), slope, torch.zeros(1))
    if torch.rand(1, generator=generator) < 0.25:
        blurred = F.avg_pool2d(F.pad(x, (1, 1, 1, 1), mode='replicate'), 3, 1)
        x = torch.where(at(chance(count, 0.6, generator)), blurred, x)
    if torch.rand(1, generator=generator) < 0.15:
        blurred = F.avg_pool2d(F.pad(x, (1, 1, 1, 1), mode='replicate'), 3, 1)
        x = torch.where(at(chance(count, 0.5, generator)), x + at(uniform(count, 0, 1.5, generator)) * (x - blurred), x)
    noise = at(uniform(count, 0, 0.05, generator)) * torch.randn(x.shape, generator=generator)
    x = x + torch.where(at(chance(count, 0.5, generator)), noise, torch.zeros(1))
    scale = at(uniform(count, 0.5, 1.0, generator))
    return (x * scale + at(uniform(count, 0, 1, generator)) * (1 - scale)).clamp(0, 1)


def masked(x, generator, inner=0.5):
    """Borders, corners, bars, letters and a place within are painted over: none of them may decide."""
    x = x.clone()
    count, _, height, width = x.shape
    draw = np.random.default_rng(int(torch.randint(2**31, (1,), generator=generator)))
    for index in range(count):
        if draw.random() < 0.35:
            tone = draw.choice([0.0, 1.0, draw.random()])
            for edge in range(4):
                if draw.random() < 0.6:
                    deep = int(draw.uniform(0, 0.09) * height)
                    if deep == 0:
                        continue
                    if edge == 0:
                        x[index, :, :deep] = tone
                    elif edge == 1:
                        x[index, :, -deep:] = tone
                    elif edge == 2:
                        x[index, :, :, :deep] = tone
                    else:
                        x[index, :, :, -deep:] = tone
        for _ in range(draw.integers(0, 4)):
            high, wide = (draw.uniform(0.03, 0.16, 2) * height).astype(int)
            top, left = draw.integers(0, height - high), draw.integers(0, width - wide)
            if draw.random() < 0.7:  # At a border, where letters and markers are.
                if draw.random() < 0.5:
                    top = draw.choice([0, height - high - 1]) + 0
                else:
                    left = draw.choice([0, width - wide - 1])
            if draw.random() < 0.5:
                x[index, :, top:top + high, left:left + wide] = float(draw.choice([0.0, 1.0, draw.random()]))
            else:  # Letters: coarse random strokes.
                strokes = torch.from_numpy((draw.random((5, 5)) < 0.5).astype(np.float32))[None, None]
                strokes = F.interpolate(strokes, size=(high, wide), mode='nearest')[0]
                patch = x[index, :, top:top + high, left:left + wide]
                x[index, :, top:top + high, left:left + wide] = torch.where(strokes > 0, torch.tensor(float(draw.choice([1.0, 0.9, 0.0]))), patch)
        if draw.random() < inner:
            high, wide = (draw.uniform(0.08, 0.28, 2) * height).astype(int)
            top, left = draw.integers(0, height - high), draw.integers(0, width - wide)
            x[index, :, top:top + high, left:left + wide] = float(x[index].mean()) if draw.random() < 0.6 else draw.random()
    return x


def squeezed(x, generator, share=0.2):
    """Traces of JPEG at a low quality."""
    x = x.clone()
    for index in torch.nonzero(chance(x.shape[0], share, generator))[:, 0].tolist():
        quality = int(uniform(1, 15, 85, generator))
        buffer = io.BytesIO()
        Image.fromarray((x[index, 0] * 255).byte().numpy()).save(buffer, 'JPEG', quality=quality)
        x[index, 0] = torch.from_numpy(np.asarray(Image.open(buffer), np.float32) / 255)
    return x


def equalised(x, generator, share=0.15):
    """Some with all tones equally frequent, as many workstations make them."""
    x = x.clone()
    for index in torch.nonzero(chance(x.shape[0], share, generator))[:, 0].tolist():
        flat = x[index].flatten()
        ranks = torch.argsort(torch.argsort(flat)).float() / flat.numel()
        x[index] = ranks.view_as(x[index])
    return x
