import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { analyzeImage } from '@perennial/core/imaging/analysis/analyze.ts';
import { loadFilmModel } from '@perennial/core/imaging/analysis/film-model/film-model.ts';
import { readFilmModel } from '@perennial/core/imaging/analysis/film-model/film-model-file.ts';
import { applyModels } from '@perennial/core/imaging/analysis/model/apply-models.ts';
import { type ModelMetadata, readModel } from '@perennial/core/imaging/analysis/model/model-file.ts';
import { inputOf, loadModel, type TrainedModel } from '@perennial/core/imaging/analysis/model/trained-model.ts';
import type { GrayImage } from '@perennial/core/imaging/image.ts';
import { aboutMean, meanModel } from '../../../support/onnx.ts';

const SIZE = 16;
const conditions = new Map([['pneumonia', { name: 'Pneumonia', icd10: ['J18.9'] }]]);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'models-'));
});
afterAll(() => rm(folder, { recursive: true }));

const metadataOf = (bytes: Uint8Array): ModelMetadata => aboutMean(bytes, SIZE);

async function stored(name: string, change: (metadata: ModelMetadata) => object = (each) => each): Promise<void> {
  const bytes = meanModel(SIZE, SIZE, 10, -5);
  await writeFile(path.join(folder, `${name}.onnx`), bytes);
  await writeFile(path.join(folder, `${name}.json`), JSON.stringify(change(metadataOf(bytes))));
}

async function loaded(name: string): Promise<TrainedModel> {
  return await loadModel(await readModel(folder, name), conditions);
}

function flat(tone: number): GrayImage {
  const pixels = new Float32Array(300 * 200).fill(tone * 255);
  return { width: 300, height: 200, pixels, minimum: 0, maximum: 255, bitsStored: 8 };
}

describe('a trained model', () => {
  test('runs inside the process and reports what its threshold lets through', async () => {
    await stored('good');
    const model = await loaded('good');
    const [finding, ...more] = await model.run(flat(0.8));
    expect(more).toEqual([]);
    expect(finding?.measures[0]?.value).toBeCloseTo(1 / (1 + Math.exp(-3)), 3);
    expect(finding?.conditions.map(({ condition_id }) => condition_id)).toEqual(['pneumonia']);
    expect(await model.run(flat(0.2))).toEqual([]);
    await model.close();
  });

  test('is asked only about the studies that it was made for', async () => {
    await stored('good');
    const model = await loaded('good');
    expect(model.fits({ source: 'dicom', modality: 'DX', bodyPart: 'chest' })).toBe(true);
    expect(model.fits({ source: 'dicom', modality: 'DX', bodyPart: 'KNEE' })).toBe(false);
    expect(model.fits({ source: 'png' })).toBe(false);
    await model.close();
  });

  test('adds to a result what it finds, and takes a study that no analyser is for', async () => {
    await stored('good');
    const model = await loaded('good');
    const context = { source: 'dicom', modality: 'DX', bodyPart: 'HAND' } as const;
    const image = {
      ...flat(0.7),
      // Bright, with tones all over: neither blank nor a chest.
      pixels: Float32Array.from({ length: 300 * 200 }, (_, index) => 130 + ((index * 7919) % 126)),
    };
    const films = await loadFilmModel(await readFilmModel());
    const before = await analyzeImage(image, context, async () => films);
    expect(before.outcome).toBe('not_analyzable');
    const after = await applyModels(before, image, context, [model]);
    expect(after).toMatchObject({ outcome: 'analyzed', refusal: null, analyzers: [{ kind: 'trained_model' }] });
    expect(after.findings.map(({ code }) => code)).toContain('bright');
    expect(await applyModels(before, image, { source: 'png' }, [model])).toBe(before);
    // An image that is not what its header says is not scored.
    const called = { ...context, bodyPart: 'CHEST' };
    const refused = await analyzeImage(image, called, async () => films);
    expect(refused.refusal?.code).toBe('quality_too_low');
    expect(await applyModels(refused, image, called, [model])).toBe(refused);
    await model.close();
    await films.close();
  });

  test('whose file was exchanged is not loaded', async () => {
    await stored('exchanged');
    await writeFile(path.join(folder, 'exchanged.onnx'), meanModel(SIZE, SIZE, 11, -5));
    await expect(readModel(folder, 'exchanged')).rejects.toThrow('its checksum differs');
  });

  test('whose metadata is malformed is refused by the place', async () => {
    await stored('malformed', (metadata) => ({ ...metadata, input: { ...metadata.input, deviation: 0 } }));
    await expect(readModel(folder, 'malformed')).rejects.toThrow('/input/deviation');
  });

  test('that is missing, or named with a folder, is refused', async () => {
    await expect(readModel(folder, 'missing')).rejects.toThrow('missing.json cannot be read');
    await expect(readModel(folder, '../missing')).rejects.toThrow('named without a folder');
  });

  test('that is no model, or not the one described, is refused', async () => {
    const bytes = new TextEncoder().encode('not a model');
    await expect(loadModel({ metadata: metadataOf(bytes), bytes }, conditions)).rejects.toThrow('not a model');
    const real = meanModel(SIZE, SIZE, 1, 0);
    const metadata = metadataOf(real);
    const other = { ...metadata, output: { ...metadata.output, name: 'other' } };
    await expect(loadModel({ metadata: other, bytes: real }, conditions)).rejects.toThrow('there is no output other');
    await expect(loadModel({ metadata, bytes: real }, new Map())).rejects.toThrow('has no condition pneumonia');
  });

  test('gets the picture upright, shrunk over areas, and its tones as its metadata asks', async () => {
    const bytes = meanModel(2, 2, 1, 0);
    const metadata = {
      ...metadataOf(bytes),
      input: { name: 'image', width: 2, height: 2, mean: 0.5, deviation: 0.25 },
    };
    const pixels = Float32Array.from({ length: 8 * 4 }, (_, at) => (at % 8 < 4 ? 10 : 20) + (at >= 16 ? 5 : 0));
    const image = { width: 8, height: 4, pixels, minimum: 10, maximum: 30, bitsStored: 8 };
    expect([...inputOf(image, metadata)]).toEqual([-2, 0, -1, 1]);
  });
});
