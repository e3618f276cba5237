"""Two small networks: one says what a picture is, the other what a frontal chest film shows."""
import torch
from torch import nn


def conv(inputs, outputs, size=3, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
                         nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x):
        return torch.relu(x + self.second(self.first(x)))


def trunk(width, depths):
    """Four halvings, then residual blocks at each size: 1/4, 1/8 and 1/16 of the input."""
    layers = [conv(1, width, 5, 2), nn.MaxPool2d(2)]
    inputs = width
    for index, depth in enumerate(depths):
        outputs = width * 3 // 2 * 2 ** index
        layers += [conv(inputs, outputs, 3, 1 if index == 0 else 2), *[Residual(outputs) for _ in range(depth)]]
        inputs = outputs
    return nn.Sequential(*layers), inputs


def standardised(x):
    """Tones by their own mean and deviation, so that exposure and window do not matter."""
    mean = x.mean((2, 3), keepdim=True)
    deviation = ((x - mean) ** 2).mean((2, 3), keepdim=True).sqrt()
    return (x - mean) / (deviation + 0.02)


class Judge(nn.Module):
    """Findings of an upright film with the usual tones: a logit and a map of logits for each, and the features."""
    SIDE = 160
    SHARPNESS = 2.0

    def __init__(self, findings, width=16, depths=(2, 2, 2)):
        super().__init__()
        self.trunk, channels = trunk(width, depths)
        self.drop = nn.Dropout2d(0.2)
        self.head = nn.Conv2d(channels, findings, 1)

    def forward(self, x):
        features = self.trunk(standardised(x))
        maps = self.head(self.drop(features))
        flat = maps.flatten(2)
        # Between the mean and the maximum: a small place counts, a single cell does not decide.
        logits = (torch.logsumexp(self.SHARPNESS * flat, 2) - torch.log(torch.tensor(float(flat.shape[2])))) / self.SHARPNESS
        return logits, maps, features.mean((2, 3))


class Recogniser(nn.Module):
    """What a picture is: chest film or not, one of eight positions, tones inverted, PA or AP, child or adult."""
    SIDE = 96

    def __init__(self, width=16, depths=(1, 2, 2)):
        super().__init__()
        self.trunk, channels = trunk(width, depths)
        self.drop = nn.Dropout(0.2)
        # 0 chest, 1..8 position (quarter turns 0..3, then mirrored), 9 inverted, 10 AP, 11 child.
        self.head = nn.Linear(channels * 2 + channels * 9, 12)

    def forward(self, x):
        features = self.trunk(standardised(x))
        pooled = torch.cat([features.mean((2, 3)), features.amax((2, 3)),
                            nn.functional.avg_pool2d(features, 2).flatten(1)], 1)
        return self.head(self.drop(pooled)), features.mean((2, 3))
