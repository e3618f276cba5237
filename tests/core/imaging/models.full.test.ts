import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ModelMetadata } from '@perennial/core/imaging/analysis/model/model-file.ts';
import type { ImagingAnalysisAnswer, ImagingStudy } from '@perennial/schemas/resources/imaging.ts';
import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import { chestFilm } from '../../support/chest-film.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { grayDicom } from '../../support/dicom.ts';
import { aboutMean, meanModel } from '../../support/onnx.ts';

const SIZE = 16;
const about = { id: 'mean-brightness', name: 'Mean brightness', version: '2.1.0', kind: 'trained_model' };

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
}, 60_000);
afterAll(() => database.close());

/** A folder with a model, and with what else a test puts there. */
async function folderWith(
  change: (metadata: ModelMetadata) => object = (each) => each,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'models-'));
  const bytes = meanModel(SIZE, SIZE, 10, 5);
  const metadata = aboutMean(bytes, SIZE, about.version);
  await writeFile(path.join(folder, 'mean.onnx'), bytes);
  await writeFile(path.join(folder, 'mean.json'), JSON.stringify(change(metadata)));
  for (const [name, text] of Object.entries(more)) await writeFile(path.join(folder, name), text);
  return folder;
}

describe('a service that is given a folder of models', () => {
  let core: TestCore;
  let folder: string;

  beforeAll(async () => {
    folder = await folderWith();
    core = await startCore(database.url, { imagingModelsDir: folder });
  }, 60_000);
  afterAll(async () => {
    await core.stop();
    await rm(folder, { recursive: true });
  });

  async function analyze(body: Buffer): Promise<ImagingAnalysis> {
    const headers = { 'content-type': 'application/octet-stream' };
    const { data: study } = await core.call<ImagingStudy>('POST', '/imaging/studies', { body, headers });
    const { data, text } = await core.call<ImagingAnalysisAnswer>('POST', `/imaging/studies/${study.id}/analyze`, {
      body: {},
    });
    const analysis = data?.result?.imaging?.analysis;
    if (!analysis) throw new Error(text);
    return analysis;
  }

  /** A ramp: nothing that any analyser knows. */
  function ramp(modality: string, bodyPart: string): Buffer {
    const values = Array.from({ length: 128 * 128 }, (_, index) => index % 128);
    const uid = `1.8.${bodyPart.length}.${bodyPart.charCodeAt(0)}`;
    return grayDicom(128, 128, values, {
      '00080060 CS': modality,
      '00180015 CS': bodyPart,
      '0020000D UI': uid,
      '0020000E UI': `${uid}.1`,
      '00080018 UI': `${uid}.1.1`,
    });
  }

  test('says beside what was seen what the model found, by its name and version', async () => {
    const analysis = await analyze(chestFilm(3).file);
    expect(analysis.outcome).toBe('analyzed');
    const own = ['chest-frontal', 'chest-film-recogniser', 'chest-film-judge'];
    expect(analysis.analyzers.map(({ id }) => id)).toEqual([...own, about.id]);
    expect(analysis.analyzers.at(-1)).toMatchObject(about);
    expect(analysis.analyzers.at(-1)?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(analysis.findings.map(({ code }) => code)).toEqual(expect.arrayContaining(['bright', 'heart_enlarged']));
    const bright = analysis.findings.find(({ code }) => code === 'bright');
    expect(bright?.conditions).toMatchObject([{ condition_id: 'pneumonia', name: 'Pneumonia' }]);
    expect(analysis.limits).toContain('Knows nothing but brightness.');
  });

  test('asks it about a study that no analyser is for, and not about what is not the part that it is called', async () => {
    expect(await analyze(ramp('DX', 'HAND'))).toMatchObject({
      outcome: 'analyzed',
      refusal: null,
      analyzers: [about],
      findings: expect.arrayContaining([expect.objectContaining({ code: 'bright' })]),
    });
    expect(await analyze(ramp('DX', 'CHEST'))).toMatchObject({ refusal: { code: 'quality_too_low' } });
    expect(await analyze(ramp('DX', 'FOOT'))).toMatchObject({ refusal: { code: 'no_analyzer' }, analyzers: [] });
  });
});

describe('a service does not start, and says why,', () => {
  test.each([
    [
      'when a file was exchanged',
      () => folderWith((each) => ({ ...each, sha256: '0'.repeat(64) })),
      'checksum differs',
    ],
    ['when metadata is malformed', () => folderWith(({ id: _, ...rest }) => rest), 'mean.json is malformed'],
    ['when a model lacks its description', () => folderWith(undefined, { 'other.onnx': 'x' }), 'other.json cannot be'],
    ['when a condition is unknown', () => folderWith(withCondition('nothing')), 'has no condition nothing'],
    ['when the folder is not there', async () => path.join(tmpdir(), 'no-such-folder'), 'cannot be read'],
    ['when the folder has no model', () => mkdtemp(path.join(tmpdir(), 'models-')), 'has no model'],
  ])('%s', async (_, make, reason) => {
    const imagingModelsDir = await make();
    const starting = startCore(database.url, { imagingModelsDir });
    await expect(starting).rejects.toThrow(`IMAGING_MODELS_DIR: `);
    await expect(starting).rejects.toThrow(reason);
    await rm(imagingModelsDir, { recursive: true, force: true });
  });

  function withCondition(id: string): (metadata: ModelMetadata) => object {
    return (metadata) => {
      const findings = metadata.output.findings.map((each) => ({ ...each, conditionIds: [id] }));
      return { ...metadata, output: { ...metadata.output, findings } };
    };
  }
});
