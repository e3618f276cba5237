"""Films, their labels and the split by patient.

The split is a pure function of the patient's name, so a film can never change its part, whoever trains where.
"""
import csv
import hashlib
import os
import re

import numpy as np
from PIL import Image

CACHE_PX = 224

PARTS = ('train', 'tune', 'test')
# Shares of the patients that are kept for tuning (when to stop, calibration) and for the test.
SHARES = {'child': (0.10, 0.15), 'adult': (0.12, 0.25)}


def child_patient(name):
    """The patient of a child's film. Equal numbers are one patient, whatever stands around them."""
    person = re.match(r'person(\d+)_', name)
    if person:
        return f'person{int(person.group(1))}'
    normal = re.match(r'(?:NORMAL2-)?IM-(\d+)', name)
    if normal:
        return f'IM-{int(normal.group(1))}'
    raise ValueError('a name of a file that names no patient')


def part_of(population, patient):
    """train, tune or test, by the hash of the patient's name."""
    share = int(hashlib.sha256(f'perennial-films-1|{population}|{patient}'.encode()).hexdigest()[:12], 16) / 16**12
    tune, test = SHARES[population]
    return 'test' if share < test else 'tune' if share < test + tune else 'train'


def read_films(folder):
    """Every film as a dict: file, population, patient, part, opacity, labels, view and boxes (0 to 1)."""
    films = []
    for kind in ('normal', 'pneumonia'):
        for name in sorted(os.listdir(os.path.join(folder, 'children', kind))):
            patient = child_patient(name)
            films.append(dict(file=f'children/{kind}/{name}', population='child', patient=patient,
                              part=part_of('child', patient), opacity=int(kind == 'pneumonia'),
                              labels=None, view='', boxes=[], age=None))
    with open(os.path.join(folder, 'adults.csv'), newline='') as table:
        for row in csv.DictReader(table):
            labels = [each.strip() for each in row['nih_labels'].split('|') if each.strip()]
            films.append(dict(file=row['file'], population='adult', patient=row['patient'],
                              part=part_of('adult', row['patient']), opacity=int(row['label'] == 'pneumonia'),
                              labels=labels or None, view=row['view'], boxes=boxes_of(row['boxes_xywh_512']),
                              age=row['age']))
    return films


def boxes_of(text):
    found = []
    for each in re.findall(r'(?:[A-Za-z_ ]+:)?\s*([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)', text or ''):
        found.append([float(number) / 512 for number in each])
    return found


def split_digest(films):
    """What the locked split is recognised by."""
    lines = sorted(f"{film['file']} {film['part']}" for film in films)
    return hashlib.sha256('\n'.join(lines).encode()).hexdigest()


def load_pixels(folder, films, work):
    """All films as one array of bytes, each stretched to a square; kept in the work folder."""
    path = os.path.join(work, f'films-{CACHE_PX}-{split_digest(films)[:12]}.npy')
    if os.path.exists(path):
        return np.load(path)
    pixels = np.zeros((len(films), CACHE_PX, CACHE_PX), np.uint8)
    for index, film in enumerate(films):
        with Image.open(os.path.join(folder, film['file'])) as image:
            pixels[index] = np.asarray(image.convert('L').resize((CACHE_PX, CACHE_PX), Image.BOX if min(image.size) > 2 * CACHE_PX else Image.LANCZOS))
    np.save(path, pixels)
    return pixels
