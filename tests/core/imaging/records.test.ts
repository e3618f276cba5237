import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DiagnosticRecord } from '@perennial/schemas/resources/diagnostic.ts';
import type { ImagingAnalysisAnswer, ImagingStudy } from '@perennial/schemas/resources/imaging.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { chestFilm } from '../../support/chest-film.ts';
import { type CallOptions, type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { grayDicom } from '../../support/dicom.ts';

/*
 * The result of an image is a diagnostic record like any other.
 */
let database: TestDatabase;
let core: TestCore;
let studies = 0;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
}, 120_000);

afterAll(async () => {
  await core.stop();
  await database.close();
});

type Options = Pick<CallOptions, 'headers' | 'caller'>;
const get = <T = DiagnosticRecord>(path: string, options: Options = {}): Promise<Reply<T>> =>
  core.call<T>('GET', path, options);
const list = async (query: string): Promise<readonly DiagnosticRecord[]> =>
  (await get<Page<DiagnosticRecord>>(`/diagnostics?${query}`)).data.items;
const ids = (records: readonly DiagnosticRecord[]): readonly string[] => records.map(({ id }) => id);

async function makePatient(): Promise<string> {
  const body = { name: 'Amara Okafor', dob: '1950-06-15' };
  return (await core.call<{ id: string }>('POST', '/patients', { body })).data.id;
}

/** A study of an image that is too small to be anything. */
async function makeStudy(patientId?: string): Promise<string> {
  const uid = `1.9.${++studies}`;
  const body = grayDicom(2, 2, [1, 2, 3, 4], { '0020000D UI': uid, '00080018 UI': `${uid}.1` });
  return upload(body, patientId);
}

async function upload(body: Buffer, patientId?: string): Promise<string> {
  const query = patientId === undefined ? '' : `?patient_id=${patientId}`;
  const headers = { 'content-type': 'application/dicom' };
  const { data, text } = await core.call<ImagingStudy>('POST', `/imaging/studies${query}`, { body, headers });
  if (!data) throw new Error(text);
  return data.id;
}

async function analyze(study: string): Promise<DiagnosticRecord> {
  const { data, text } = await core.call<ImagingAnalysisAnswer>('POST', `/imaging/studies/${study}/analyze`, {
    body: {},
  });
  if (!data?.result) throw new Error(text);
  return data.result;
}

const results = async (study: string): Promise<readonly DiagnosticRecord[]> =>
  (await get<Page<DiagnosticRecord>>(`/imaging/studies/${study}/results?include_total=true`)).data.items;
const bind = (study: string, patient_id: string | null): Promise<Reply<ImagingStudy>> =>
  core.call<ImagingStudy>('PATCH', `/imaging/studies/${study}`, { body: { patient_id } });
const give = (id: string, body: object, options: Options = {}): Promise<Reply<DiagnosticRecord>> =>
  core.call<DiagnosticRecord>('POST', `/diagnostics/${id}/feedback`, { body, ...options });

describe('a record of an image', () => {
  test('is listed, read and noted like the others, and is the same under its study', async () => {
    const patient = await makePatient();
    const study = await makeStudy(patient);
    const record = await analyze(study);
    const kept = await core.call<DiagnosticRecord>('POST', '/diagnostics', {
      body: { patient_id: patient, patientData: { symptoms: ['fever'] } },
    });
    expect(ids(await list(`patient_id=${patient}&sort=created_at`))).toEqual([record.id, kept.data.id]);
    expect(await list(`patient_id=${patient}&kind=imaging`)).toEqual([record]);
    expect(ids(await list(`patient_id=${patient}&kind=analysis`))).toEqual([kept.data.id]);
    expect(kept.data.imaging).toBeNull();

    const [read, under] = [
      await get(`/diagnostics/${record.id}`),
      await get(`/imaging/studies/${study}/results/${record.id}`),
    ];
    expect([read.status, read.data, under.data]).toEqual([200, record, record]);
    expect(under.headers.etag).toBe(read.headers.etag);
    const condition = { 'if-none-match': String(read.headers.etag) };
    expect((await get(`/imaging/studies/${study}/results/${record.id}`, { headers: condition })).status).toBe(304);

    const patch = (headers: Readonly<Record<string, string>>, note: string): Promise<Reply<DiagnosticRecord>> =>
      core.call<DiagnosticRecord>('PATCH', `/diagnostics/${record.id}`, { body: { note }, headers });
    const noted = await patch({ 'if-match': String(read.headers.etag) }, 'look again');
    expect([noted.status, noted.data.note, noted.data.imaging]).toEqual([200, 'look again', record.imaging]);
    expect((await patch({ 'if-match': String(read.headers.etag) }, 'late')).status).toBe(412);
    expect(await results(study)).toEqual([noted.data]);
  });

  test('of another account, or of another study, is missing', async () => {
    const study = await makeStudy();
    const { id } = await analyze(study);
    const caller = { accountId: 'acc_other' };
    const missing = await get('/diagnostics/diag_missing00000', { caller });
    for (const path of [`/diagnostics/${id}`, `/imaging/studies/${study}/results/${id}`]) {
      const theirs = await get(path, { caller });
      expect([theirs.status, theirs.error]).toEqual([404, missing.error]);
    }
    expect((await give(id, { decision: 'accepted' }, { caller })).status).toBe(404);
    expect((await get(`/imaging/studies/${await makeStudy()}/results/${id}`)).status).toBe(404);
    // What was told of a patient is no result of a study.
    const patientData = { symptoms: ['fever'] };
    const body = { patient_id: await makePatient(), patientData };
    const { data } = await core.call<DiagnosticRecord>('POST', '/diagnostics', { body });
    expect((await get(`/imaging/studies/${study}/results/${data.id}`)).status).toBe(404);
  });

  test('is seen under /diagnostics by who may read diagnostics, and under its study by who may read images', async () => {
    const study = await makeStudy();
    const { id } = await analyze(study);
    const statuses = async (scopes: readonly string[]): Promise<readonly number[]> => {
      const paths = [`/diagnostics/${id}`, `/imaging/studies/${study}/results/${id}`];
      return Promise.all(paths.map(async (path) => (await get(path, { caller: { scopes } })).status));
    };
    expect(await statuses(['diagnostics:read'])).toEqual([200, 403]);
    expect(await statuses(['imaging:read'])).toEqual([403, 200]);
  });

  test('that is deleted is no longer under its study, and comes back', async () => {
    const study = await makeStudy();
    const record = await analyze(study);
    expect((await core.call('DELETE', `/diagnostics/${record.id}`)).status).toBe(204);
    const path = `/imaging/studies/${study}/results/${record.id}`;
    expect([(await get(path)).status, (await get(`/diagnostics/${record.id}`)).status]).toEqual([404, 404]);
    expect(await results(study)).toEqual([]);
    expect((await get(`/imaging/studies/${study}/preview?result_id=${record.id}`)).status).toBe(404);
    const restored = await core.call<DiagnosticRecord>('POST', `/diagnostics/${record.id}/restore`);
    expect(restored.status).toBe(200);
    expect(await results(study)).toEqual([{ ...record, updated_at: restored.data.updated_at }]);
  });

  test('goes with its study, and is hidden with its patient', async () => {
    const patient = await makePatient();
    const [study, other] = [await makeStudy(patient), await makeStudy()];
    const [record, gone] = [await analyze(study), await analyze(other)];
    expect((await core.call('DELETE', `/imaging/studies/${other}`)).status).toBe(204);
    expect((await core.call('POST', `/diagnostics/${gone.id}/restore`)).status).toBe(404);
    expect(await database.db.diagnosticRecord.count({ where: { id: gone.id } })).toBe(0);

    await core.call('DELETE', `/patients/${patient}`);
    expect((await get(`/diagnostics/${record.id}`)).status).toBe(404);
    expect(ids(await list('kind=imaging&limit=100'))).not.toContain(record.id);
    await core.call('POST', `/patients/${patient}/restore`);
    expect((await get(`/diagnostics/${record.id}`)).data).toEqual(record);
  });
});

describe('feedback on an image', () => {
  test('accepts what was seen, and of the conditions only one that a finding links to', async () => {
    const record = await analyze(await upload(chestFilm(3).file));
    const linked = record.imaging?.analysis.findings.flatMap(({ conditions }) => conditions) ?? [];
    const [condition] = linked.map(({ condition_id: id }) => id);
    expect(condition).toBeDefined();

    const refused = await give(record.id, { decision: 'accepted', condition_id: 'gout' });
    expect([refused.status, refused.error.details]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/condition_id', code: 'not_allowed_value' })],
    ]);
    const named = await give(record.id, { decision: 'accepted', condition_id: condition as string });
    expect([named.status, named.data.status, named.data.feedback?.condition_id]).toEqual([200, 'accepted', condition]);
    // Findings are in no order of likelihood: nothing is chosen for the clinician.
    const { data } = await give(record.id, { decision: 'accepted' });
    expect(data.feedback).toMatchObject({ decision: 'accepted', condition_id: null, given_by: 'key_test' });
    expect(data.imaging).toEqual(record.imaging);
  });

  test('can accept that nothing could be said, and overrides with a reason and a diagnosis', async () => {
    const { id, imaging } = await analyze(await makeStudy());
    expect(imaging?.analysis.outcome).toBe('not_analyzable');
    expect((await give(id, { decision: 'accepted' })).data.status).toBe('accepted');
    const bare = await give(id, { decision: 'overridden' });
    expect(bare.error.details.map(({ pointer }) => pointer)).toEqual(['/reason', '/diagnosis']);
    const body = { decision: 'overridden', reason: 'seen on the film', diagnosis: { name: 'Pneumothorax' } };
    expect((await give(id, body)).data).toMatchObject({ status: 'overridden', feedback: { condition_id: null } });
  });
});

describe('the patient of a study', () => {
  test('is the patient of its records, as a new state of them, deleted ones included', async () => {
    const [patient, other] = [await makePatient(), await makePatient()];
    const study = await makeStudy();
    const [record, deleted] = [await analyze(study), await analyze(study)];
    expect(record.patient_id).toBeNull();
    await core.call('DELETE', `/diagnostics/${deleted.id}`);
    const before = await get(`/diagnostics/${record.id}`);

    await bind(study, patient);
    const bound = await get(`/diagnostics/${record.id}`);
    expect(bound.data).toEqual({ ...record, patient_id: patient, updated_at: expect.any(String) });
    expect(Date.parse(bound.data.updated_at)).toBeGreaterThanOrEqual(Date.parse(record.updated_at));
    expect(bound.headers.etag).not.toBe(before.headers.etag);
    expect(await list(`patient_id=${patient}&kind=imaging`)).toEqual([bound.data]);

    // What does not change the patient is nothing new for the records.
    await core.call('PATCH', `/imaging/studies/${study}`, { body: { description: 'chest' } });
    expect((await get(`/diagnostics/${record.id}`)).headers.etag).toBe(bound.headers.etag);

    await bind(study, other);
    expect(await list(`patient_id=${patient}`)).toEqual([]);
    const restored = await core.call<DiagnosticRecord>('POST', `/diagnostics/${deleted.id}/restore`);
    expect(restored.data.patient_id).toBe(other);
    expect([...ids(await list(`patient_id=${other}`))].sort()).toEqual([record.id, deleted.id].sort());
    await bind(study, null);
    expect((await get(`/diagnostics/${record.id}`)).data.patient_id).toBeNull();
  });

  test('is that of a record which was made while the study was bound', async () => {
    const patient = await makePatient();
    const study = await makeStudy();
    let analysis: Promise<DiagnosticRecord> | undefined;
    await database.db.$transaction(async (transaction) => {
      await transaction.imagingStudy.update({ where: { id: study }, data: { patientId: patient } });
      // It has read the study as it was, and waits to keep what it saw.
      analysis = analyze(study);
      for (;;) {
        const waiting = await transaction.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        if (waiting.length > 0) break;
        await sleep(10);
      }
    });
    expect((await analysis)?.patient_id).toBe(patient);
  });
});

describe('who can see no records of images', () => {
  const unseen = 'include_imaging=false';

  test('has full pages and exact totals of the others', async () => {
    const patient = await makePatient();
    const study = await makeStudy(patient);
    const others: string[] = [];
    for (let each = 0; each < 3; each++) {
      await analyze(study);
      const body = { patient_id: patient, patientData: { symptoms: ['fever'] } };
      others.unshift((await core.call<DiagnosticRecord>('POST', '/diagnostics', { body })).data.id);
    }
    const page = async (query: string): Promise<Page<DiagnosticRecord>> =>
      (await get<Page<DiagnosticRecord>>(`/diagnostics?patient_id=${patient}&limit=2&include_total=true&${query}`))
        .data;
    expect((await page('')).total).toBe(6);
    const first = await page(unseen);
    expect([ids(first.items), first.total, first.has_more]).toEqual([others.slice(0, 2), 3, true]);
    const second = await page(`${unseen}&cursor=${first.next_cursor}`);
    expect([ids(second.items), second.total, second.has_more]).toEqual([others.slice(2), 3, false]);
    expect(await list(`patient_id=${patient}&kind=imaging&${unseen}`)).toEqual([]);
  });

  test('finds none, and changes none, as if it were missing', async () => {
    const { id } = await analyze(await makeStudy());
    const before = await get(`/diagnostics/${id}`);
    const calls = [
      ['GET', '', undefined],
      ['PATCH', '', { note: 'n' }],
      ['POST', '/feedback', { decision: 'accepted' }],
      ['DELETE', '', undefined],
      ['POST', '/restore', undefined],
    ] as const;
    for (const [method, below, body] of calls) {
      const about = (record: string): Promise<Reply<unknown>> =>
        core.call(method, `/diagnostics/${record}${below}?${unseen}`, { body });
      const [hidden, missing] = [await about(id), await about('diag_missing00000')];
      expect([method, below, hidden.status, hidden.error]).toEqual([method, below, 404, missing.error]);
    }
    const operations = [
      { action: 'update', id, data: { note: 'n' } },
      { action: 'delete', id },
    ];
    const bulk = await core.call<{ results: { status: string; error: { code: string } }[] }>(
      'POST',
      `/diagnostics/bulk?${unseen}`,
      { body: { operations } },
    );
    expect(bulk.data.results.map(({ status, error }) => [status, error.code])).toEqual([
      ['failed', 'not_found'],
      ['failed', 'not_found'],
    ]);
    const after = await get(`/diagnostics/${id}`);
    expect([after.data, after.headers.etag]).toEqual([before.data, before.headers.etag]);
  });

  test('is told of none by events, jobs and what came out of them', async () => {
    const study = await makeStudy();
    const { data } = await core.call<ImagingAnalysisAnswer>('POST', `/imaging/studies/${study}/analyze`, {
      body: { background: true },
    });
    const job = await ended(data.job?.id as string);
    const [record] = await results(study);
    const id = record?.id as string;
    const events = async (query: string): Promise<readonly { id: string }[]> =>
      (await get<Page<{ id: string }>>(`/events?object_id=${id}&include_total=true&${query}`)).data.items;
    const [event] = await events('');
    expect(await events(unseen)).toEqual([]);
    const jobs = async (query: string): Promise<number | undefined> =>
      (await get<Page<unknown>>(`/jobs?kind=imaging.analyze&include_total=true&${query}`)).data.total;
    expect([await jobs(''), await jobs(unseen)]).toEqual([1, 0]);
    for (const path of [`/events/${event?.id}`, `/jobs/${job}`, `/jobs/${job}/result`])
      expect([path, (await get(path)).status, (await get(`${path}?${unseen}`)).status]).toEqual([path, 200, 404]);
    expect((await core.call('POST', `/jobs/${job}/cancel?${unseen}`)).status).toBe(404);

    // A job of many operations is another thing than the one record that it changed.
    const operations = Array.from({ length: 101 }, () => ({ action: 'update', id, data: { note: 'n' } }));
    const bulk = await core.call<{ job: { id: string } }>('POST', '/diagnostics/bulk', { body: { operations } });
    const many = await ended(bulk.data.job.id);
    const lines = async (query: string): Promise<readonly { status: string; data: unknown }[]> =>
      (await get(`/jobs/${many}/result${query}`)).text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { status: string; data: unknown });
    expect((await lines('')).at(-1)).toMatchObject({ status: 'succeeded', data: { id, kind: 'imaging' } });
    const shown = await lines(`?${unseen}`);
    expect(shown.length).toBe(101);
    expect(new Set(shown.map((line) => `${line.status} ${String(line.data)}`))).toEqual(new Set(['succeeded null']));
    const refused = await core.call<{ job: { id: string } }>('POST', `/diagnostics/bulk?${unseen}`, {
      body: { operations },
    });
    const none = await ended(refused.data.job.id);
    expect((await get<{ state: string }>(`/jobs/${none}`)).data.state).toBe('succeeded');
    expect((await get(`/jobs/${none}/result`)).text).not.toContain('"succeeded"');
  });

  test('is given no answer again that showed one, and every other one', async () => {
    const { id } = await analyze(await makeStudy());
    const accept = (record: string, key: string, query: string): Promise<Reply<DiagnosticRecord>> =>
      core.call<DiagnosticRecord>('POST', `/diagnostics/${record}/feedback${query}`, {
        body: { decision: 'accepted' },
        headers: { 'idempotency-key': key },
      });
    expect((await accept(id, 'image', '')).status).toBe(200);
    expect((await accept(id, 'image', '')).headers['idempotency-replayed']).toBe('true');
    const hidden = await accept(id, 'image', `?${unseen}`);
    expect([hidden.status, hidden.error.code]).toEqual([422, 'idempotency_key_reused']);

    const body = { patient_id: await makePatient(), patientData: { symptoms: ['fever', 'cough'] } };
    const { data } = await core.call<DiagnosticRecord>('POST', '/diagnostics', { body });
    const [first, again] = [await accept(data.id, 'told', ''), await accept(data.id, 'told', `?${unseen}`)];
    expect([again.status, again.data]).toEqual([200, first.data]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });
});

async function ended(id: string): Promise<string> {
  for (;;) {
    const { data } = await get<{ state: string }>(`/jobs/${id}`);
    if (data.state !== 'queued' && data.state !== 'running') return id;
    await sleep(20);
  }
}
