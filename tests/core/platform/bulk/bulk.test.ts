import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asSystem } from '@perennial/prisma/scope.ts';
import { BULK_ATOMIC_MAX, type PatientBulkResult } from '@perennial/schemas/resources/bulk.ts';
import type { Job } from '@perennial/schemas/resources/job.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import { type CallOptions, type Reply, startCore, type TestCore } from '../../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../../support/database.ts';

interface Bulk {
  readonly mode: string;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly not_done: number;
  readonly job: Job | null;
  readonly results: PatientBulkResult[];
}

let database: TestDatabase;
let core: TestCore;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

const bulk = (body: unknown, options: CallOptions = {}, query = ''): Promise<Reply<Bulk>> =>
  core.call<Bulk>('POST', `/patients/bulk${query}`, { body, ...options });
const lines = (operations: readonly unknown[], query = '', options: CallOptions = {}): Promise<Reply<Bulk>> =>
  bulk(
    operations.map((each) => `${JSON.stringify(each)}\n`).join(''),
    {
      ...options,
      headers: { 'content-type': 'application/x-ndjson', ...options.headers },
    },
    query,
  );
const creating = (name: string): object => ({ action: 'create', data: { name, dob: '1980-02-29' } });
const many = (count: number, name = 'Many'): object[] =>
  Array.from({ length: count }, (_, index) => creating(`${name} ${index}`));
const countPatients = (name: string, accountId = 'acc_test'): Promise<number> =>
  core.database.patient.count({ where: { accountId, name: { startsWith: name }, deletedAt: null } });

async function ended(id: string, on: TestCore = core): Promise<Job> {
  for (;;) {
    const { data } = await on.call<Job>('GET', `/jobs/${id}`);
    if (data.state !== 'queued' && data.state !== 'running') return data;
    await sleep(25);
  }
}

async function resultOf(id: string): Promise<PatientBulkResult[]> {
  const { text } = await core.call('GET', `/jobs/${id}/result`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PatientBulkResult);
}

async function existing(name: string): Promise<{ readonly id: string; readonly etag: string }> {
  const { data, headers } = await core.call<Patient>('POST', '/patients', { body: { name, dob: '1990-01-01' } });
  return { id: data.id, etag: String(headers.etag) };
}

describe('a bulk request', () => {
  test('of few operations is answered at once, each result at its place', async () => {
    const [one, two] = [await existing('To update'), await existing('To delete')];
    const reply = await bulk({
      operations: [
        creating('Created in bulk'),
        { action: 'update', id: one.id, data: { sex: 'female', contact_info: { email: 'a@example.org' } } },
        { action: 'delete', id: two.id },
        { action: 'update', id: 'pat_missing00', data: { sex: 'male' } },
        { action: 'create', data: { name: 'Not born', dob: '2999-01-01' } },
        { action: 'create', data: { name: 'No birth', contact_info: { email: 'no address' } } },
      ],
    });
    expect(reply.status).toBe(200);
    expect(reply.data).toMatchObject({
      mode: 'independent',
      total: 6,
      succeeded: 3,
      failed: 3,
      not_done: 0,
      job: null,
      results: [
        { kind: 'patient', index: 0, action: 'create', status: 'succeeded', data: { name: 'Created in bulk' } },
        { index: 1, action: 'update', status: 'succeeded', id: one.id, data: { sex: 'female' }, error: null },
        { index: 2, action: 'delete', status: 'succeeded', id: two.id, data: null, error: null },
        { index: 3, action: 'update', status: 'failed', error: { code: 'not_found' } },
        {
          index: 4,
          status: 'failed',
          id: null,
          error: { code: 'validation_failed', details: [{ code: 'in_future', pointer: '/operations/4/data/dob' }] },
        },
        { index: 5, action: 'create', status: 'refused', id: null, data: null },
      ],
    });
    const places = reply.data.results[5]?.error?.details.map(({ code, pointer }) => [code, pointer]);
    expect(places).toEqual(
      expect.arrayContaining([
        ['required', '/operations/5/data/dob'],
        ['wrong_format', '/operations/5/data/contact_info/email'],
      ]),
    );
    expect((await core.call('GET', `/patients/${two.id}`)).status).toBe(404);
    expect((await core.call('GET', `/patients/${reply.data.results[0]?.id}`)).data).toEqual(
      reply.data.results[0]?.data,
    );
  });

  test('takes lines as well, and the operations see what those before them did', async () => {
    const { id } = await existing('Changed twice');
    const reply = await lines([
      { action: 'update', id, data: { gender_identity: 'first' } },
      { action: 'update', id, data: { gender_identity: 'second' } },
      { action: 'delete', id },
      { action: 'update', id, data: { gender_identity: 'third' } },
    ]);
    const statuses = reply.data.results.map(({ status }) => status);
    expect(statuses).toEqual(['succeeded', 'succeeded', 'succeeded', 'failed']);
    expect(reply.data.results[1]?.data).toMatchObject({ gender_identity: 'second' });
  });

  test('changes an object only in the state that was read, where that is said', async () => {
    const { id, etag } = await existing('In a state');
    const { data } = await bulk({
      operations: [
        { action: 'update', id, data: { sex: 'male' }, if_match: etag },
        { action: 'update', id, data: { sex: 'female' }, if_match: etag },
        { action: 'delete', id, if_match: etag },
      ],
    });
    expect(data.results.map(({ status, error }) => [status, error?.code])).toEqual([
      ['succeeded', undefined],
      ['failed', 'conflict'],
      ['failed', 'conflict'],
    ]);
  });

  test('that is atomic is done as a whole or not at all', async () => {
    const { id } = await existing('Untouched');
    const operations = [creating('Atomic'), { action: 'delete', id }, { action: 'delete', id: 'pat_missing00' }];
    const undone = await bulk({ mode: 'atomic', operations });
    expect(undone.data).toMatchObject({ mode: 'atomic', succeeded: 0, failed: 1, not_done: 2 });
    expect(undone.data.results.map(({ status, id: of }) => [status, of])).toEqual([
      ['not_done', null],
      ['not_done', null],
      ['failed', 'pat_missing00'],
    ]);
    expect(await countPatients('Atomic')).toBe(0);
    expect((await core.call('GET', `/patients/${id}`)).status).toBe(200);
    const refused = await lines([creating('Atomic'), { action: 'create', data: {} }], '?mode=atomic');
    expect(refused.data.results.map(({ status }) => status)).toEqual(['not_done', 'refused']);
    expect(await countPatients('Atomic')).toBe(0);
    const done = await bulk({ operations: operations.slice(0, 2), mode: 'atomic' });
    expect(done.data).toMatchObject({ succeeded: 2, failed: 0, not_done: 0 });
    expect(await countPatients('Atomic')).toBe(1);
  });

  test('of another account’s patients finds none', async () => {
    const { id } = await existing('Mine');
    const caller = { accountId: 'acc_other' };
    const { data } = await bulk({ operations: [{ action: 'delete', id }] }, { caller });
    expect(data.results[0]).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
    expect((await core.call('GET', `/patients/${id}`)).status).toBe(200);
  });

  test('with an Idempotency-Key is carried out once, at once or as a job', async () => {
    for (const [count, name] of [
      [3, 'Once few'],
      [120, 'Once many'],
    ] as const) {
      const headers = { 'idempotency-key': `bulk ${name}` };
      const first = await bulk({ operations: many(count, name) }, { headers });
      if (first.data.job) await ended(first.data.job.id);
      // The same in the other form, and the same members in another order.
      const again = await bulk({ operations: many(count, name) }, { headers });
      expect([again.status, again.data]).toEqual([first.status, first.data]);
      expect(again.headers['idempotency-replayed']).toBe('true');
      const other = await bulk({ operations: many(count + 1, name) }, { headers });
      expect([other.status, other.error.code]).toEqual([422, 'idempotency_key_reused']);
      expect(await countPatients(name)).toBe(count);
    }
    expect(await core.database.bulkRequest.count({ where: { jobId: null } })).toBe(0);
  });
});

describe('many operations', () => {
  test('become a job whose result has a line for each, in their order', async () => {
    const operations = [...many(130, 'Job'), { action: 'delete', id: 'pat_missing00' }, { action: 'create', data: {} }];
    const reply = await lines(operations);
    expect(reply.status).toBe(202);
    const { job } = reply.data;
    expect(reply.headers['content-location']).toBe(`/jobs/${job?.id}`);
    expect(reply.data).toMatchObject({ total: 132, succeeded: 0, failed: 1, not_done: 131, results: [] });
    expect(job).toMatchObject({ kind: 'patients.bulk', progress: { done: 1, total: 132 } });
    const done = await ended(String(job?.id));
    expect(done).toMatchObject({ state: 'succeeded', progress: { done: 132, total: 132 } });
    const results = await resultOf(done.id);
    expect(results.map(({ index }) => index)).toEqual(operations.map((_, index) => index));
    expect(results.slice(0, 130).every(({ status, data }) => status === 'succeeded' && data !== null)).toBe(true);
    expect(results.slice(130)).toMatchObject([
      { status: 'failed', error: { code: 'not_found' } },
      { status: 'refused', error: { details: expect.anything() } },
    ]);
    expect(await countPatients('Job')).toBe(130);
    const events = await core.database.event.findMany({ where: { objectId: done.id } });
    expect(events).toMatchObject([{ kind: 'bulk.completed', document: { id: done.id, state: 'succeeded' } }]);
    // Nothing of what was sent stays behind.
    const kept = await core.database.$queryRaw`SELECT 1 FROM core.bulk_items WHERE input IS NOT NULL`;
    expect(kept).toEqual([]);
  });

  test('that are atomic roll back as a whole', async () => {
    const failing = [...many(101, 'Whole'), { action: 'delete', id: 'pat_missing00' }];
    const { data } = await bulk({ mode: 'atomic', operations: failing });
    const job = await ended(String(data.job?.id));
    expect(job).toMatchObject({ state: 'failed', error: { code: 'not_found' } });
    const results = await resultOf(job.id);
    expect(new Set(results.slice(0, 101).map(({ status }) => status))).toEqual(new Set(['not_done']));
    expect(results[101]).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
    expect(await countPatients('Whole')).toBe(0);
    const whole = await bulk({ mode: 'atomic', operations: many(101, 'Whole') });
    expect(await ended(String(whole.data.job?.id))).toMatchObject({ state: 'succeeded', progress: { done: 101 } });
    expect(await countPatients('Whole')).toBe(101);
  });

  test('that are cancelled stop where they are, and say what was not done', async () => {
    const { data } = await lines(many(400, 'Cancelled'));
    const id = String(data.job?.id);
    await core.call('POST', `/jobs/${id}/cancel`);
    const job = await ended(id);
    expect(job.state).toBe('cancelled');
    const results = await resultOf(id);
    const done = results.filter(({ status }) => status === 'succeeded').length;
    expect(results.filter(({ status }) => status === 'not_done')).toHaveLength(400 - done);
    expect(await countPatients('Cancelled')).toBe(done);
    expect(await core.database.$queryRaw`SELECT 1 FROM core.bulk_items WHERE input IS NOT NULL`).toEqual([]);
  });

  test('keep nothing of a patient who is deleted, nor of a result that expired', async () => {
    const { data } = await lines(many(101, 'Gone'));
    const { id } = await ended(String(data.job?.id));
    const [first, second] = await resultOf(id);
    await core.call('DELETE', `/patients/${first?.id}`);
    await core.database.patient.delete({ where: { id: String(second?.id) } });
    const after = await resultOf(id);
    expect(after[0]).toMatchObject({ index: 0, status: 'succeeded', data: null });
    expect(after[1]?.index).toBe(2);
    await core.database.job.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    await asSystem('jobs', () => core.services.jobs.sweep());
    expect(await core.database.bulkRequest.count({ where: { jobId: id } })).toBe(0);
    expect(await core.database.bulkItem.count({ where: { objectId: first?.id ?? '' } })).toBe(0);
  });
});

describe('a body', () => {
  test('that breaks off leaves nothing', async () => {
    const url = new URL(core.url);
    const request = httpRequest({
      hostname: url.hostname,
      port: url.port,
      method: 'POST',
      path: '/patients/bulk',
      headers: {
        authorization: `Bearer ${core.token('POST', '/patients/bulk')}`,
        'content-type': 'application/x-ndjson',
      },
    });
    request.on('error', () => undefined);
    for (const operation of many(450, 'Broken')) request.write(`${JSON.stringify(operation)}\n`);
    while ((await core.database.bulkItem.count()) === 0 || !(await hasOrphan())) await sleep(10);
    const closed = new Promise((resolve) => request.once('close', resolve));
    request.destroy();
    await closed;
    while (await hasOrphan()) await sleep(10);
    expect(await countPatients('Broken')).toBe(0);
    expect(await core.database.job.count({ where: { state: { in: ['queued', 'running'] } } })).toBe(0);
  });

  test('that a killed process had begun to take is removed', async () => {
    const touchedAt = new Date(Date.now() - 2 * 3_600_000);
    await core.database.bulkRequest.create({ data: { id: 'blk_orphan00', accountId: 'a', mode: 'atomic', touchedAt } });
    await core.database.bulkRequest.create({ data: { id: 'blk_arriving', accountId: 'a', mode: 'atomic' } });
    await asSystem('jobs', () => core.services.jobs.sweep());
    const left = await core.database.bulkRequest.findMany({ where: { jobId: null }, select: { id: true } });
    expect(left).toEqual([{ id: 'blk_arriving' }]);
    await core.database.bulkRequest.delete({ where: { id: 'blk_arriving' } });
  });

  const faults: readonly (readonly [string, unknown, string, number, object])[] = [
    ['without operations', { operations: [] }, '', 422, { details: [{ pointer: '/operations', code: 'too_few' }] }],
    ['without a list', { mode: 'atomic' }, '', 422, { details: [{ pointer: '/operations', code: 'required' }] }],
    [
      'with another list',
      { operations: 'all' },
      '',
      422,
      { details: [{ pointer: '/operations', code: 'wrong_type' }] },
    ],
    ['with an unknown member', { operations: [{}], x: 1 }, '', 422, { details: [{ code: 'unknown_field' }] }],
    ['with an unknown mode', { operations: [{}], mode: 'some' }, '', 422, { details: [{ pointer: '/mode' }] }],
    [
      'with two modes',
      { operations: [{}], mode: 'atomic' },
      '?mode=independent',
      422,
      { details: [{ parameter: 'mode' }] },
    ],
    ['that ends early', '{"operations":[{"action":"create"', '', 400, { code: 'body_malformed' }],
    ['with a comma too many', '{"operations":[{},]}', '', 400, { code: 'body_malformed' }],
    ['with a list of another kind', '{"operations":{{}]}', '', 400, { code: 'body_malformed' }],
    ['with something behind it', '{"operations":[{}]}{}', '', 400, { code: 'body_malformed' }],
    ['with two lists', '{"operations":[{}],"operations":[{}]}', '', 400, { code: 'body_malformed' }],
    ['that is a list', '[]', '', 400, { code: 'body_malformed' }],
    [
      'with an operation that cannot be read',
      '{"operations":[{"action":"delete"},{"a":nul}]}',
      '',
      400,
      { message: expect.stringContaining('Entry 1 (from 0)') },
    ],
    [
      'with an operation that is too large',
      { operations: [{ action: 'create', data: { name: 'x'.repeat(70_000) } }] },
      '',
      413,
      { message: expect.stringContaining('65536 bytes') },
    ],
  ];
  test.each(faults)('%s is refused and nothing is kept', async (_, body, query, status, error) => {
    const reply = await bulk(body, {}, query);
    expect([reply.status, reply.error]).toMatchObject([status, error]);
    expect(await hasOrphan()).toBe(false);
  });

  test('has limits, each with its error: operations, atomic operations, bytes', async () => {
    const each = '{"action":"delete","id":"pat_missing00"}\n';
    const headers = { 'content-type': 'application/x-ndjson' };
    const tooMany = await bulk(each.repeat(10_001), { headers });
    expect([tooMany.status, tooMany.error.details]).toMatchObject([
      422,
      [{ pointer: '/operations', code: 'too_many' }],
    ]);
    const atomic = await bulk(each.repeat(BULK_ATOMIC_MAX + 1), { headers }, '?mode=atomic');
    expect([atomic.status, atomic.error.message]).toEqual([422, expect.stringContaining('1000 operations')]);
    const small = await startCore(database.url, { bulkBytesMax: 2_000 });
    try {
      const large = await small.call('POST', '/patients/bulk', { body: each.repeat(100), headers });
      expect([large.status, large.error.code]).toEqual([413, 'body_too_large']);
    } finally {
      await small.stop();
    }
    expect(await hasOrphan()).toBe(false);
  });

  test('of another media type or coding is refused; gzip is taken', async () => {
    const text = await bulk('a,b', { headers: { 'content-type': 'text/csv' } });
    expect([text.status, text.error.code]).toEqual([415, 'media_type_unsupported']);
    const { gzipSync } = await import('node:zlib');
    const zipped = gzipSync(`${JSON.stringify(creating('Zipped'))}\n`);
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    expect((await bulk(zipped, { headers })).data).toMatchObject({ succeeded: 1 });
    expect((await bulk(zipped.subarray(0, 20), { headers })).status).toBe(400);
  });
});

describe('diagnostics in bulk', () => {
  test('are analysed, kept, changed and deleted', async () => {
    const { id } = await existing('With diagnoses');
    const patientData = { age: 40, sex: 'male', symptoms: ['sneezing', 'runny nose'] };
    const reply = await core.call<{ results: { status: string; id: string; kind: string; data: object }[] }>(
      'POST',
      '/diagnostics/bulk',
      {
        body: {
          operations: [
            { action: 'analyze', data: { patientData } },
            { action: 'analyze', data: { patientData: { age: 40 } } },
            { action: 'create', data: { patient_id: id, patientData, note: 'Kept in bulk' } },
          ],
        },
      },
    );
    expect(reply.data.results).toMatchObject([
      {
        kind: 'analysis',
        index: 0,
        status: 'succeeded',
        data: { diagnostic_result: { suggestions: expect.anything() } },
      },
      {
        kind: 'analysis',
        status: 'failed',
        error: { details: [{ code: 'missing_input', pointer: '/operations/1/data/patientData' }] },
      },
      { kind: 'diagnostic_record', status: 'succeeded', data: { patient_id: id, note: 'Kept in bulk' } },
    ]);
    const record = String(reply.data.results[2]?.id);
    const more = await core.call<{ results: object[] }>('POST', '/diagnostics/bulk', {
      body: {
        mode: 'atomic',
        operations: [
          { action: 'update', id: record, data: { note: 'Changed in bulk' } },
          { action: 'delete', id: record },
        ],
      },
    });
    expect(more.data.results).toMatchObject([
      { kind: 'diagnostic_record', action: 'update', status: 'succeeded', data: { note: 'Changed in bulk' } },
      { kind: 'diagnostic_record', action: 'delete', status: 'succeeded', data: null },
    ]);
    expect((await core.call('GET', `/diagnostics/${record}`)).status).toBe(404);
  });
});

async function hasOrphan(): Promise<boolean> {
  return (await core.database.bulkRequest.count({ where: { jobId: null } })) > 0;
}
