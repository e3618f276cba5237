import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { analyzeImage } from '@perennial/core/imaging/analysis/analyze.ts';
import { applyModels } from '@perennial/core/imaging/analysis/model/apply-models.ts';
import { type ModelMetadata, readModel } from '@perennial/core/imaging/analysis/model/model-file.ts';
import { loadModel } from '@perennial/core/imaging/analysis/model/trained-model.ts';
import type { GrayImage } from '@perennial/core/imaging/image.ts';
import { meanModel } from '../../../support/onnx.ts';

const SIZE = 16;
const conditions = new Map([['pneumonia', { name: 'Pneumonia', icd10: ['J18.9'] }]]);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'models-'));
});
afterAll(() => rm(folder, { recursive: true }));

function metadataOf(bytes: Uint8Array): ModelMetadata {
  return {
    id: 'mean-brightness',
    name: 'Mean brightness',
    version: '1.0.0',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    modalities: ['DX'],
    bodyParts: ['CHEST'],
    views: [],
    input: { name: 'image', width: SIZE, height: SIZE, mean: 0, deviation: 1 },
    output: {
      name: 'score',
      activation: 'sigmoid',
      findings: [{ code: 'bright', name: 'Brightness', threshold: 0.5, conditionIds: ['pneumonia'] }],
    },
    limits: ['Knows nothing but brightness.'],
  };
}

async function stored(name: string, change: (metadata: ModelMetadata) => object = (each) => each): Promise<void> {
  const bytes = meanModel(SIZE, SIZE, 10, -5);
  await writeFile(path.join(folder, `${name}.onnx`), bytes);
  await writeFile(path.join(folder, `${name}.json`), JSON.stringify(change(metadataOf(bytes))));
}

function flat(tone: number): GrayImage {
  const pixels = new Float32Array(300 * 200).fill(tone * 255);
  return { width: 300, height: 200, pixels, minimum: 0, maximum: 255, bitsStored: 8 };
}

describe('a trained model', () => {
  test('runs inside the process and reports what its threshold lets through', async () => {
    await stored('good');
    const model = await loadModel(await readModel(folder, 'good'), conditions);
    const [finding, ...more] = await model.run(flat(0.8));
    expect(more).toEqual([]);
    expect(finding?.measures[0]?.value).toBeCloseTo(1 / (1 + Math.exp(-3)), 3);
    expect(finding?.conditions.map(({ condition_id }) => condition_id)).toEqual(['pneumonia']);
    expect(await model.run(flat(0.2))).toEqual([]);
    await model.close();
  });

  test('is asked only about the studies that it was made for', async () => {
    await stored('good');
    const model = await loadModel(await readModel(folder, 'good'), conditions);
    expect(model.fits({ source: 'dicom', modality: 'DX', bodyPart: 'chest' })).toBe(true);
    expect(model.fits({ source: 'dicom', modality: 'DX', bodyPart: 'KNEE' })).toBe(false);
    expect(model.fits({ source: 'png' })).toBe(false);
    await model.close();
  });

  test('adds to a result what it finds, and takes a study that no analyser takes', async () => {
    await stored('good');
    const model = await loadModel(await readModel(folder, 'good'), conditions);
    const context = { source: 'dicom', modality: 'DX', bodyPart: 'CHEST' } as const;
    const image = {
      ...flat(0.7),
      pixels: Float32Array.from({ length: 300 * 200 }, (_, index) => (index % 300 < 240 ? 255 : 0)),
    };
    const before = analyzeImage(image, context);
    expect(before.outcome).toBe('not_analyzable');
    const after = await applyModels(before, image, context, [model]);
    expect(after).toMatchObject({ outcome: 'analyzed', refusal: null, analyzers: [{ kind: 'trained_model' }] });
    expect(after.findings.map(({ code }) => code)).toContain('bright');
    expect(await applyModels(before, image, { source: 'png' }, [model])).toBe(before);
    await model.close();
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
});
