import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { grayDicom } from '../../support/dicom.ts';
import { type Answer, type SendOptions, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startWorld, type World } from '../world.ts';

/*
 * The result of an image is a diagnostic record since v2023-10-15. Whoever was promised a patient and a ranking in
 * every record keeps lists, totals and records as if there were no others.
 */
let world: World;
/** Where v2022-05-01 is current. */
let old: TestGateway;
let patient: string;
let study: string;
/** Of an image, and of what was told of the patient, newest first. */
let image: JsonObject;
let told: readonly string[];

type Page = { readonly items: readonly JsonObject[]; readonly next_cursor?: string; readonly total?: number };

function call<T = JsonObject>(
  version: string,
  method: string,
  path: string,
  options: SendOptions = {},
): Promise<Answer<T>> {
  if (version !== '2022-05-01')
    return world.gateway.send<T>(method, `/v${version}${path}`, { key: world.demo.apiKey, ...options });
  return old.send<T>(
    method,
    `/v${version}${path}${path.includes('?') ? '&' : '?'}api_key=${world.demo.legacyApiKey}`,
    options,
  );
}

const now = <T = JsonObject>(method: string, path: string, options?: SendOptions): Promise<Answer<T>> =>
  call<T>('2023-10-15', method, path, options);
const idsOf = ({ items }: Page): readonly unknown[] => items.map(({ id }) => id);

beforeAll(async () => {
  world = await startWorld({ config: { serviceDate: '2023-11-01' } });
  old = await startTestGateway(world.core.url, world.database.url, { config: { serviceDate: '2022-06-01' } });
  const created = await now<{ id: string }>('POST', '/patients', { body: { name: 'Amara', dob: '1950-06-15' } });
  patient = created.data.id;
  const uploaded = await now<{ id: string }>('POST', '/imaging/studies', {
    body: grayDicom(2, 2, [1, 2, 3, 4], { '0020000D UI': '1.7', '00080018 UI': '1.7.1' }),
    headers: { 'content-type': 'application/dicom' },
  });
  study = uploaded.data.id;
  const ids: string[] = [];
  const tell = async (): Promise<void> => {
    const body = { patient_id: patient, patientData: { symptoms: ['fever', 'cough'] } };
    ids.unshift((await now<{ id: string }>('POST', '/diagnostics', { body })).data.id);
  };
  await tell();
  const analysed = await now<{ result: JsonObject }>('POST', `/imaging/studies/${study}/analyze`, { body: {} });
  await tell();
  await tell();
  told = ids;
  // Bound only now: the record follows.
  await now('PATCH', `/imaging/studies/${study}`, { body: { patient_id: patient } });
  image = (await now('GET', `/diagnostics/${String(analysed.data.result['id'])}`)).data;
}, 60_000);

afterAll(async () => {
  await old.stop();
  await world.stop();
});

describe('v2023-10-15', () => {
  test('finds the record by the patient that its study was bound to', async () => {
    const { data } = await now<Page>('GET', `/diagnostics?patient_id=${patient}&kind=imaging`);
    expect(data.items).toEqual([image]);
    expect(image).toMatchObject({
      patient_id: patient,
      patientData: null,
      diagnostic_result: null,
      imaging: { study_id: study, frame: 1, analysis: { outcome: 'not_analyzable' } },
    });
    expect((await now<Page>('GET', `/imaging/studies/${study}/results`)).data.items).toEqual([image]);
  });

  test('notes it, gives it feedback, deletes and restores it', async () => {
    const path = `/diagnostics/${String(image['id'])}`;
    const { headers } = await now('GET', path);
    const condition = { 'if-match': String(headers.etag), 'content-type': 'application/merge-patch+json' };
    const noted = await now('PATCH', path, { body: { note: 'blurred' }, headers: condition });
    expect([noted.status, noted.data['note']]).toEqual([200, 'blurred']);
    const given = await now('POST', `${path}/feedback`, { body: { decision: 'accepted' } });
    expect(given.data).toMatchObject({ status: 'accepted', note: 'blurred', feedback: { condition_id: null } });
    expect((await now('DELETE', path)).status).toBe(204);
    expect((await now('GET', path)).status).toBe(404);
    expect((await now<Page>('GET', `/imaging/studies/${study}/results`)).data.items).toEqual([]);
    const restored = await now('POST', `${path}/restore`);
    expect(restored.data).toMatchObject({ id: image['id'], status: 'accepted', note: 'blurred' });
    const under = await now('GET', `/imaging/studies/${study}/results/${String(image['id'])}`);
    expect([under.data, under.headers.etag]).toEqual([restored.data, restored.headers.etag]);
  });
});

describe.each(['2022-05-01', '2022-11-15', '2023-04-30'])('v%s', (version) => {
  const send = <T = JsonObject>(method: string, path: string, options?: SendOptions): Promise<Answer<T>> =>
    call<T>(version, method, path, options);

  test('lists full pages of the others, and counts them exactly', async () => {
    const path = `/diagnostics?patient_id=${patient}&limit=2`;
    const first = await send<Page>('GET', path);
    expect([first.status, idsOf(first.data)]).toEqual([200, told.slice(0, 2)]);
    const cursor = first.data.next_cursor;
    const next = cursor === undefined ? 'offset=2' : `cursor=${cursor}&include_total=true`;
    const second = await send<Page>('GET', `${path}&${next}`);
    expect([idsOf(second.data), second.data.total]).toEqual([told.slice(2), 3]);
    for (const record of [...first.data.items, ...second.data.items]) {
      expect(Object.keys(record)).not.toContain('imaging');
      expect(record['patient_id']).toBe(patient);
      expect(record['analysis_result']).not.toBeNull();
    }
  });

  test('does not know the kind, nor the choice', async () => {
    for (const query of ['kind=imaging', 'include_imaging=true']) {
      const { status, error } = await send('GET', `/diagnostics?${query}`);
      expect([query, status, error.code]).toEqual([query, 422, 'validation_failed']);
    }
  });

  test('has no such record, and changes nothing of it', async () => {
    const id = String(image['id']);
    const before = await now('GET', `/diagnostics/${id}`);
    const calls: readonly (readonly [string, string, JsonObject?])[] = [
      ['GET', ''],
      ['PATCH', '', { note: 'seen by whom it is not for' }],
      // A patch of what cannot be written changes nothing, and is answered with the record as it is: it is read.
      ['PATCH', '', { id }],
      ['PATCH', '', { analysis_result: [] }],
      ['POST', '/feedback', { decision: 'accepted' }],
      ['POST', '/restore'],
      ['DELETE', ''],
    ];
    for (const [method, below, body] of calls) {
      const about = (record: string): Promise<Answer> => {
        const sent = body && 'id' in body ? { id: record } : body;
        return send(method, `/diagnostics/${record}${below}`, { body: sent });
      };
      const [hidden, missing] = [await about(id), await about('diag_missing00000')];
      expect([method, below, hidden.status, hidden.error]).toEqual([method, below, 404, missing.error]);
    }
    const after = await now('GET', `/diagnostics/${id}`);
    expect([after.data, after.headers.etag]).toEqual([before.data, before.headers.etag]);
  });

  test('reads, notes, accepts, deletes and restores the others as ever', async () => {
    const path = `/diagnostics/${told[0] as string}`;
    expect((await send('PATCH', path, { body: { note: version } })).data).toMatchObject({ note: version });
    const body = { decision: 'accepted' };
    expect((await send('POST', `${path}/feedback`, { body })).data).toMatchObject({ status: 'accepted' });
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('POST', `${path}/restore`)).status).toBe(200);
    expect((await send('GET', path)).data).toMatchObject({ note: version, kind: 'analysis', patient_id: patient });
  });
});

describe('v2023-04-30', () => {
  const send = <T = JsonObject>(method: string, path: string, options?: SendOptions): Promise<Answer<T>> =>
    call<T>('2023-04-30', method, path, options);

  test('changes none in bulk, and can change the others', async () => {
    const update = (id: unknown): JsonObject => ({ action: 'update', id, data: { note: 'in bulk' } });
    const operations = [update(image['id']), { action: 'delete', id: image['id'] }, update(told[1])];
    const { data } = await send<{ results: readonly { status: string }[] }>('POST', '/diagnostics/bulk', {
      body: { operations },
    });
    expect(data.results.map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded']);
    expect((await now('GET', `/diagnostics/${String(image['id'])}`)).data['note']).not.toBe('in bulk');
  });

  test('is told of none by events and jobs', async () => {
    const { data } = await now<{ job: { id: string } }>('POST', `/imaging/studies/${study}/analyze`, {
      body: { background: true },
    });
    const job = `/jobs/${data.job.id}`;
    while (['queued', 'running'].includes(String((await now('GET', job)).data['state']))) await sleep(20);
    const line = JSON.parse((await now('GET', `${job}/result`)).text) as { data: JsonObject };
    expect(line.data).toMatchObject({ kind: 'imaging', patient_id: patient });
    for (const path of [job, `${job}/result`]) expect([path, (await send('GET', path)).status]).toEqual([path, 404]);
    expect((await send<Page>('GET', '/jobs')).data.items).toEqual([]);

    const ofImages = await now<Page>('GET', '/events?type=imaging.completed');
    expect(ofImages.data.items.length).toBe(2);
    const [event] = ofImages.data.items;
    expect((await send('GET', `/events/${String(event?.['id'])}`)).status).toBe(404);
    const seen = await send<Page>('GET', '/events?limit=100');
    expect(seen.status).toBe(200);
    expect(new Set(seen.data.items.map(({ object_type: type }) => type))).toEqual(new Set(['patient', 'diagnostic']));
  });
});
