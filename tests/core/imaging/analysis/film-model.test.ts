import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { opacityOf } from '@perennial/core/imaging/analysis/chest/opacity.ts';
import type { FilmLook, FilmPosition } from '@perennial/core/imaging/analysis/film-model/film-look.ts';
import { readFilmModel } from '@perennial/core/imaging/analysis/film-model/film-model-file.ts';
import { squareOf, storedPlace, uprightOf } from '@perennial/core/imaging/analysis/film-model/sample.ts';
import type { GrayImage } from '@perennial/core/imaging/image.ts';

const weights = new URL('../../../../core/imaging/analysis/film-model/weights/', import.meta.url);
const turns = [0, 1, 2, 3] as const;
const positions: readonly FilmPosition[] = turns.flatMap((quarterTurns) => [
  { quarterTurns, isMirrored: false },
  { quarterTurns, isMirrored: true },
]);

function image(width: number, height: number, tone: (x: number, y: number) => number): GrayImage {
  const pixels = Float32Array.from({ length: width * height }, (_, at) => tone(at % width, Math.floor(at / width)));
  return { width, height, pixels, minimum: 0, maximum: 100, bitsStored: 8 };
}

describe('the files of the model', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'weights-'));
    await cp(weights, folder, { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('are those that its metadata names, and are a few megabytes', async () => {
    const { recogniser, judge } = await readFilmModel();
    expect(recogniser.length + judge.length).toBeLessThan(8 * 1024 * 1024);
  });

  test('are refused when one was exchanged, cut or lost, and the message names it', async () => {
    const there = pathToFileURL(`${folder}/`);
    await writeFile(path.join(folder, 'judge.onnx'), 'another');
    await expect(readFilmModel(there)).rejects.toThrow('judge.onnx is not the file that model.json describes');
    await rm(path.join(folder, 'judge.onnx'));
    await expect(readFilmModel(there)).rejects.toThrow('judge.onnx of the model for chest films cannot be read');
    await writeFile(path.join(folder, 'model.json'), '{"version":1}');
    await expect(readFilmModel(there)).rejects.toThrow('model.json is malformed at');
    await writeFile(path.join(folder, 'model.json'), '{');
    await expect(readFilmModel(there)).rejects.toThrow('is malformed');
  });
});

describe('what a network is given', () => {
  test('is the mean over areas of a larger picture, whatever its proportions', () => {
    const square = squareOf(
      image(9, 4, (x, y) => (x < 4.5 ? 20 : 80) + (y < 2 ? 0 : 10)),
      2,
    );
    // The column in the middle belongs to both halves, by half.
    const right = (4 * 80 + 0.5 * 20) / 4.5;
    expect([...square].map((tone) => Math.round(1000 * tone))).toEqual(
      [20, right, 30, right + 10].map((tone) => Math.round(10 * tone)),
    );
  });

  test('is linear between the pixels of a smaller one', () => {
    expect(
      [
        ...squareOf(
          image(2, 1, (x) => 100 * x),
          4,
        ),
      ].slice(0, 4),
    ).toEqual([0, 0.25, 0.75, 1]);
  });

  test.each(positions)('is upright again, turned by %j', (position) => {
    const side = 6;
    const upright = Float32Array.from({ length: side * side }, (_, at) => at / 36);
    const stored = new Float32Array(side * side);
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) {
        const [u, v] = storedPlace(position, (x + 0.5) / side, (y + 0.5) / side);
        stored[Math.floor(v * side) * side + Math.floor(u * side)] = upright[y * side + x]!;
      }
    expect(uprightOf(stored, position, false)).toEqual(upright);
    expect(uprightOf(stored, position, true)).toEqual(upright.map((tone) => 1 - tone));
  });

  test('has the corner of an upright film where turning clockwise puts it', () => {
    const corner = (position: FilmPosition): readonly number[] => [...storedPlace(position, 0, 0)];
    expect(turns.map((quarterTurns) => corner({ quarterTurns, isMirrored: false }))).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]);
    expect(corner({ quarterTurns: 0, isMirrored: true })).toEqual([1, 0]);
  });
});

describe('what is said of an opacity', () => {
  const film = image(300, 200, () => 50);
  const look = (position: FilmPosition, opacity: number, distance = 1): FilmLook => {
    const map = new Float32Array(100);
    // Of the upright film: upper part, on the right of the patient.
    for (const [x, y] of [
      [2, 2],
      [3, 2],
      [2, 3],
    ] as const)
      map[y * 10 + x] = 4;
    return {
      chest: 1,
      isChest: true,
      position,
      turned: 1,
      mirrored: position.isMirrored ? 1 : 0,
      inverted: 0,
      anteroposterior: 0.5,
      child: 0,
      judged: { opacity, map, mapSide: 10, distance, distanceMax: 2, placeFrom: 2 },
    };
  };
  const said = (position: FilmPosition, opacity: number, distance?: number): ReturnType<typeof opacityOf> => {
    const seen = look(position, opacity, distance);
    return opacityOf(film, seen, seen.judged!, { source: 'png', patientAgeYears: 40 });
  };

  test.each(positions)('its place is that of the stored picture, turned by %j', (position) => {
    const [finding] = said(position, 0.9).findings;
    const { box } = finding!.region!;
    const [u, v] = storedPlace(position, 0.3, 0.28);
    expect(Math.abs(box.x + box.width / 2 - 300 * u)).toBeLessThan(15);
    expect(Math.abs(box.y + box.height / 2 - 200 * v)).toBeLessThan(12);
    expect(finding).toMatchObject({ zone: 'upper', side: position.isMirrored ? null : 'right' });
  });

  test('a probability is given as it is, however near it is to 0 or 1', () => {
    const upright = { quarterTurns: 0, isMirrored: false } as const;
    expect(said(upright, 0.99987).findings[0]!.confidence.estimate).toBe(0.9999);
    expect(said(upright, 0.99987).measures[0]!.value).toBe(0.99987);
    const little = said(upright, 0.000_12);
    expect([little.findings, little.measures[0]!.value, little.checks[0]!.outcome]).toEqual([
      [],
      0.000_12,
      'not_found',
    ]);
  });

  test('nothing is said of a film that is unlike all that were learnt from, and why', () => {
    const far = said({ quarterTurns: 0, isMirrored: false }, 0.9, 2.1);
    expect(far).toMatchObject({ measures: [], findings: [], checks: [{ code: 'opacities', outcome: 'cannot_judge' }] });
    expect(far.checks[0]!.reason).toContain('2.1');
  });
});
