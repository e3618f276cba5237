import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/gateway.ts';
import { startWorld, type World } from '../world.ts';

interface Result {
  readonly kind: string;
  readonly index: number;
  readonly action: string | null;
  readonly status: string;
  readonly id: string | null;
  readonly data: Record<string, unknown> | null;
  readonly error: { readonly code: string; readonly details: { code: string; pointer?: string }[] } | null;
}

interface Bulk {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly not_done: number;
  readonly job: { readonly id: string; readonly state: string; readonly links: Record<string, string | null> } | null;
  readonly results: Result[];
}

interface Job {
  readonly state: string;
  readonly progress: { readonly done: number; readonly total: number };
}

let world: World;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(async () => {
  await world.stop();
});

const versions = ['v2023-04-30', 'v2023-10-15'] as const;
const ndjson = { 'content-type': 'application/x-ndjson' };
const patientData = { age: 24, sex: 'female', symptoms: ['sneezing', 'runny nose'] };

/** The older version takes keys of both formats, the newer one its own. */
const call = <T = Bulk>(
  version: string,
  method: string,
  path: string,
  body?: unknown,
  headers = {},
): Promise<Answer<T>> => world.gateway.send<T>(method, `/${version}${path}`, { key: world.demo.apiKey, body, headers });
const toLines = (operations: readonly object[]): string =>
  operations.map((each) => `${JSON.stringify(each)}\n`).join('');
const fromLines = (text: string): Result[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);

async function ended(version: string, id: string): Promise<Job> {
  for (;;) {
    const { data } = await call<Job>(version, 'GET', `/jobs/${id}`);
    if (data.state !== 'queued' && data.state !== 'running') return data;
    await sleep(25);
  }
}

describe.each(versions)('bulk at %s', (version) => {
  const confidence = version === 'v2023-04-30' ? 'analysis_result' : 'diagnostic_result';

  test('patients are created, updated and deleted, JSON and lines alike', async () => {
    const [, created] = [
      0,
      await call(version, 'POST', '/patients/bulk', {
        operations: [
          { action: 'create', data: { name: 'Bulk A', dob: '1971-05-06', contact_info: { email: 'a@example.org' } } },
          {
            action: 'create',
            data: { name: 'Bulk B', dob: '1971-05-06', contact_info: { email: 'none' }, gender: 'x' },
          },
        ],
      }),
    ];
    expect([created.status, created.data.succeeded, created.data.failed]).toEqual([200, 1, 1]);
    const [made, refused] = created.data.results as [Result, Result];
    expect(made).toMatchObject({
      kind: 'patient',
      status: 'succeeded',
      data: { contact_info: { email: 'a@example.org' } },
    });
    expect(refused).toMatchObject({ index: 1, status: 'refused', data: null, error: { code: 'validation_failed' } });
    expect(refused.error?.details.map(({ code, pointer }) => `${code} ${pointer}`).sort()).toEqual([
      'unknown_field /operations/1/data/gender',
      'wrong_format /operations/1/data/contact_info/email',
    ]);
    const changed = await call(
      version,
      'POST',
      '/patients/bulk?mode=atomic',
      toLines([
        { action: 'update', id: made.id, data: { contact_info: { phone: '+44 20 7946 0958' } } },
        { action: 'delete', id: made.id },
      ]),
      ndjson,
    );
    expect(changed.data.results).toMatchObject([
      { status: 'succeeded', data: { contact_info: { email: 'a@example.org', phone: '+44 20 7946 0958' } } },
      { status: 'succeeded', id: made.id, data: null },
    ]);
    expect((await call(version, 'GET', `/patients/${made.id}`)).status).toBe(404);
    const rolledBack = await call(version, 'POST', '/patients/bulk', {
      operations: [
        { action: 'create', data: { name: 'Never', dob: '1971-05-06' } },
        { action: 'delete', id: made.id },
      ],
      mode: 'atomic',
    });
    expect(rolledBack.data).toMatchObject({ succeeded: 0, failed: 1, not_done: 1 });
    expect((await call<{ items: object[] }>(version, 'GET', '/patients?name=Never')).data.items).toEqual([]);
  });

  test('analyses and diagnostic records have the shape of the version', async () => {
    const { data } = await call(version, 'POST', '/diagnostics/bulk', {
      operations: [
        { action: 'analyze', data: { patientData } },
        { action: 'create', data: { patient_id: world.demo.patientId, patientData } },
        { action: 'analyze', data: { patientData: { age: 'old', symptoms: ['cough'] } } },
        { action: 'analyze', data: { patientData: { age: 30 } } },
      ],
    });
    const [analysis, record, refused, failed] = data.results as [Result, Result, Result, Result];
    expect([analysis.kind, Object.keys(analysis.data ?? {})]).toEqual(['analysis', [confidence]]);
    expect(Object.keys(record.data ?? {})).toContain(confidence);
    const result = analysis.data?.[confidence] as { suggestions: { confidence: unknown }[] } | undefined;
    expect(typeof result?.suggestions[0]?.confidence).toBe(version === 'v2023-04-30' ? 'number' : 'object');
    expect(refused.error?.details).toMatchObject([
      { code: 'wrong_type', pointer: '/operations/2/data/patientData/age' },
    ]);
    expect(failed).toMatchObject({ status: 'failed' });
    expect(failed.error?.details).toMatchObject([{ code: 'missing_input', pointer: '/operations/3/data/patientData' }]);
  });

  test('150 operations are a job: where it is, how far it is, and its result in the version', async () => {
    const person = { name: 'In a job', dob: '1971-05-06', contact_info: { preferred_method: 'sms' } };
    const operations = [
      ...Array.from({ length: 148 }, () => ({ action: 'create', data: person })),
      { action: 'create', data: { ...person, dob: '2999-01-01' } },
      { action: 'create', data: { ...person, contact_info: { email: 'none' } } },
    ];
    const taken = await call(version, 'POST', '/patients/bulk', toLines(operations), ndjson);
    const id = String(taken.data.job?.id);
    expect([taken.status, taken.headers['content-location']]).toEqual([202, `/${version}/jobs/${id}`]);
    expect(taken.data).toMatchObject({ total: 150, failed: 1, not_done: 149, results: [] });
    expect(await ended(version, id)).toMatchObject({ state: 'succeeded', progress: { done: 150, total: 150 } });
    const answer = await call(version, 'GET', `/jobs/${id}/result`);
    expect(answer.headers['content-type']).toContain('application/x-ndjson');
    const results = fromLines(answer.text);
    expect(results.map(({ index }) => index)).toEqual(operations.map((_, index) => index));
    expect(results.slice(0, 148).every(({ data }) => data?.['name'] === 'In a job')).toBe(true);
    const places = results.slice(148).map(({ status, error }) => [status, error?.details[0]?.pointer]);
    expect(places).toEqual([
      ['failed', '/operations/148/data/dob'],
      ['refused', '/operations/149/data/contact_info/email'],
    ]);
    const late = await call(version, 'POST', `/jobs/${id}/cancel`);
    expect([late.status, late.error.code]).toEqual([409, 'job_ended']);
  });

  test('what is wrong with the whole is said of the whole, and the connection can be used again', async () => {
    const cases: readonly (readonly [unknown, object, number, string])[] = [
      ['{"operations":[{"action":"create"', {}, 400, 'body_malformed'],
      ['{"action":"delete","id":"pat_1"}\n{"action":', ndjson, 400, 'body_malformed'],
      [{ operations: [], mode: 'atomic' }, {}, 422, 'validation_failed'],
      [{ operations: [{ action: 'delete', id: 'pat_1' }], wait: true }, {}, 422, 'validation_failed'],
      ['a', { 'content-type': 'text/plain' }, 415, 'media_type_unsupported'],
      [toLines([{ action: 'create', data: { name: 'x'.repeat(70_000) } }]), ndjson, 413, 'body_too_large'],
    ];
    for (const [body, headers, status, code] of cases) {
      const { status: answered, error } = await call(version, 'POST', '/patients/bulk', body, headers);
      expect([answered, error.code]).toEqual([status, code]);
    }
    expect(await world.core.database.bulkRequest.count({ where: { jobId: null } })).toBe(0);
  });

  test('analyses in a job have the shape of the version', async () => {
    const missing = Array.from({ length: 100 }, () => ({ action: 'delete', id: 'diag_missing000' }));
    const operations = [{ action: 'analyze', data: { patientData } }, ...missing];
    const { data } = await call(version, 'POST', '/diagnostics/bulk', { operations });
    const id = String(data.job?.id);
    expect(await ended(version, id)).toMatchObject({ state: 'succeeded' });
    const [first, second] = fromLines((await call(version, 'GET', `/jobs/${id}/result`)).text);
    expect([first?.kind, Object.keys(first?.data ?? {})]).toEqual(['analysis', [confidence]]);
    expect([second?.kind, second?.error?.code]).toEqual(['diagnostic_record', 'not_found']);
  });

  test('a cancelled job has done what it says', async () => {
    const operations = Array.from({ length: 400 }, () => ({
      action: 'create',
      data: { name: 'C', dob: '1971-05-06' },
    }));
    const { data } = await call(version, 'POST', '/patients/bulk', { operations });
    const id = String(data.job?.id);
    expect((await call<Job>(version, 'POST', `/jobs/${id}/cancel`)).data.state).toBe('cancelled');
    const { done } = (await call<Job>(version, 'GET', `/jobs/${id}`)).data.progress;
    const results = fromLines((await call(version, 'GET', `/jobs/${id}/result`)).text);
    expect(results.filter(({ status }) => status === 'succeeded')).toHaveLength(done);
    expect(results).toHaveLength(400);
  });
});

test('bulk does not exist before 2023-04-30', async () => {
  const { status, error } = await world.gateway.send('POST', '/v2022-11-15/patients/bulk', {
    key: world.demo.legacyApiKey,
    body: { operations: [] },
  });
  expect([status, error.code]).toEqual([404, 'operation_not_in_version']);
});

test('whose data a bulk request touched is on the audit trail', async () => {
  const { data, requestId } = await call('v2023-04-30', 'POST', '/patients/bulk', {
    operations: [{ action: 'create', data: { name: 'Audited', dob: '1971-05-06' } }],
  });
  const id = String(data.results[0]?.id);
  for (;;) {
    const entries = await world.database.db.auditEntry.findMany({ where: { requestId, status: 200 } });
    if (entries.length === 0) await sleep(20);
    else {
      expect(entries[0]?.resourceIds).toContain(id);
      break;
    }
  }
});
