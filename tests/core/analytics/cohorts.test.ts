import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { COHORTS_MAX } from '@perennial/core/analytics/cohort-service.ts';
import { Gate } from '@perennial/core/analytics/gate.ts';
import { AnalyticsService } from '@perennial/core/analytics/service.ts';
import { head } from '@perennial/schemas/contract.ts';
import type { Cohort } from '@perennial/schemas/resources/cohort.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

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

const women = { kind: 'patient', field: 'sex', test: 'is', value: 'female' };
const diabetes = { kind: 'record', type: 'condition', code: 'E11', present: true };
const create = (body: unknown, caller = {}): Promise<Reply<Cohort>> =>
  core.call<Cohort>('POST', '/analytics/cohorts', { body, caller });

describe('a cohort', () => {
  test('is answered as it was saved, every key there, and named by Location and ETag', async () => {
    const reply = await create({
      name: 'Women',
      description: null,
      criteria: [women, { kind: 'any_of', criteria: [diabetes] }],
    });
    expect(reply.status).toBe(201);
    expect(reply.data).toMatchObject({
      name: 'Women',
      description: null,
      criteria: [
        women,
        {
          kind: 'any_of',
          criteria: [{ ...diabetes, system: null, match: 'starts_with', from: null, until: null }],
        },
      ],
    });
    expect(reply.headers.location).toBe(`/analytics/cohorts/${reply.data.id}`);
    const read = await core.call<Cohort>('GET', `/analytics/cohorts/${reply.data.id}`);
    expect([read.data, read.headers.etag]).toEqual([reply.data, reply.headers.etag]);
    const headers = { 'if-none-match': String(read.headers.etag) };
    expect((await core.call('GET', `/analytics/cohorts/${reply.data.id}`, { headers })).status).toBe(304);
  });

  test('is patched in parts, replaced as a whole and deleted, each only in the state that was read', async () => {
    const { data, headers } = await create({ name: 'First', description: 'Why', criteria: [women] });
    const path = `/analytics/cohorts/${data.id}`;
    const first = { 'if-match': String(headers.etag) };
    const patched = await core.call<Cohort>('PATCH', path, { body: { name: 'Second' }, headers: first });
    expect(patched.data).toMatchObject({ name: 'Second', description: 'Why', criteria: [women] });
    const late = await core.call('PATCH', path, { body: { name: 'Third' }, headers: first });
    expect([late.status, late.error.code]).toEqual([412, 'precondition_failed']);
    const same = await core.call('PATCH', path, { body: { name: 'Second' } });
    expect(same.headers.etag).toBe(patched.headers.etag);
    const replaced = await core.call<Cohort>('PUT', path, {
      body: { ...data, name: 'Third', description: null, criteria: [diabetes] },
    });
    expect(replaced.data).toMatchObject({ name: 'Third', description: null, criteria: [diabetes] });
    expect((await core.call('PUT', path, { body: { ...data, id: 'coh_another00' } })).error.details).toMatchObject([
      { pointer: '/id', code: 'immutable' },
    ]);
    expect((await core.call('DELETE', path, { headers: first })).status).toBe(412);
    expect((await core.call('DELETE', path)).status).toBe(204);
    expect((await core.call('GET', path)).status).toBe(404);
  });

  test('changed by two at once without If-Match has both changes', async () => {
    const { data } = await create({ name: 'Both', criteria: [women] });
    const path = `/analytics/cohorts/${data.id}`;
    const replies = await Promise.all([
      core.call('PATCH', path, { body: { name: 'Renamed' } }),
      core.call('PATCH', path, { body: { description: 'Described' } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { data: both } = await core.call<Cohort>('GET', path);
    expect(both).toMatchObject({ name: 'Renamed', description: 'Described' });
  });
});

describe('criteria are refused', () => {
  const cases: readonly (readonly [string, readonly object[], string, string])[] = [
    ['when there are none', [], '/criteria', 'too_few'],
    ['when there are more than eight', Array.from({ length: 9 }, () => women), '/criteria', 'too_many'],
    [
      'when there are more than ten with those inside any_of',
      Array.from({ length: 2 }, () => ({ kind: 'any_of', criteria: Array.from({ length: 6 }, () => women) })),
      '/criteria',
      'too_many',
    ],
    ['when a kind is unknown', [{ kind: 'none_of' }], '/criteria/0/kind', 'not_allowed_value'],
    [
      'when any_of stands inside any_of',
      [{ kind: 'any_of', criteria: [{ kind: 'any_of', criteria: [women] }] }],
      '/criteria/0/criteria/0/kind',
      'not_allowed_value',
    ],
    ['when a field is unknown', [{ ...women, field: 'name' }], '/criteria/0/field', 'not_allowed_value'],
    ['when a value is missing', [{ ...women, value: null }], '/criteria/0/value', 'required'],
    ['when a value is not one of the field’s', [{ ...women, value: 'f' }], '/criteria/0/value', 'not_allowed_value'],
    ['when a test does not suit the field', [{ ...women, test: 'before' }], '/criteria/0/test', 'not_allowed_value'],
    ['when a code has wildcards', [{ ...diabetes, code: 'E%' }], '/criteria/0/code', 'wrong_format'],
    ['when times are reversed', [{ ...diabetes, from: '2022-02', until: '2022-01' }], '/criteria/0/until', 'too_small'],
    [
      'deep inside',
      [women, { kind: 'any_of', criteria: [women, { ...women, field: 'dob', test: 'from', value: 'x' }] }],
      '/criteria/1/criteria/1/value',
      'not_allowed_value',
    ],
  ];
  test.each(cases)('%s', async (_name, criteria, pointer, code) => {
    const reply = await create({ name: 'x', criteria });
    expect([reply.status, reply.error.code]).toEqual([422, 'validation_failed']);
    expect(reply.error.details).toContainEqual(expect.objectContaining({ pointer, code }));
  });
});

describe('the list', () => {
  const caller = { accountId: 'acc_list' };
  const list = (query: string): Promise<Reply<Page<Cohort>>> =>
    core.call<Page<Cohort>>('GET', `/analytics/cohorts?${query}`, { caller });

  test('is walked by cursor in any order, each cohort once, and its cursors fit no other list', async () => {
    for (let at = 0; at < 7; at += 1) await create({ name: `Cohort ${at % 3}`, criteria: [women] }, caller);
    for (const sort of ['', 'name', '-name', '-updated_at', 'created_at']) {
      const seen: string[] = [];
      let query = `limit=2${sort && `&sort=${sort}`}`;
      for (;;) {
        const { data } = await list(query);
        seen.push(...data.items.map(({ id }) => id));
        if (data.next_cursor === null) break;
        query = `limit=2${sort && `&sort=${sort}`}&cursor=${data.next_cursor}`;
      }
      expect(new Set(seen).size).toBe(7);
      expect(seen).toHaveLength(7);
    }
    expect((await list('name=COHORT%201&include_total=true')).data).toMatchObject({ total: 2, has_more: false });
    const cursor = (await list('limit=2&sort=name')).data.next_cursor;
    for (const query of [`cursor=${cursor}`, `sort=-name&cursor=${cursor}`, `sort=name&name=a&cursor=${cursor}`])
      expect((await list(query)).error.details).toMatchObject([{ parameter: 'cursor', code: 'cursor_invalid' }]);
  });

  test('an account keeps a limited number of cohorts, also when many are saved at once', async () => {
    const full = { accountId: 'acc_full' };
    const { data } = await create({ name: 'x', criteria: [women] }, full);
    const row = await database.db.cohort.findUniqueOrThrow({ where: { id: data.id } });
    await database.db.cohort.createMany({
      data: Array.from({ length: COHORTS_MAX - 3 }, (_, at) => ({ ...row, criteria: [women], id: `coh_full${at}` })),
    });
    const replies = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'y', criteria: [women] }, full)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422]);
    expect(replies.find(({ status }) => status === 422)?.error.details).toMatchObject([{ code: 'too_many' }]);
  });
});

describe('accounts and scopes', () => {
  test('another account’s cohort is missing to every operation', async () => {
    const { data } = await create({ name: 'Mine', criteria: [women] });
    const caller = { accountId: 'acc_thief' };
    const calls: readonly (readonly [string, string, object])[] = [
      ['GET', `/analytics/cohorts/${data.id}`, {}],
      ['PUT', `/analytics/cohorts/${data.id}`, { body: { name: 'x', criteria: [women] } }],
      ['PATCH', `/analytics/cohorts/${data.id}`, { body: { name: 'x' } }],
      ['DELETE', `/analytics/cohorts/${data.id}`, {}],
      ['GET', `/analytics/population?cohort_id=${data.id}`, {}],
      ['GET', `/analytics/risk-stratification?cohort_id=${data.id}`, {}],
      ['GET', `/analytics/quality-measures/diabetes_hba1c_tested?cohort_id=${data.id}`, {}],
      ['POST', '/analytics/cohorts/compare', { body: { cohort_ids: [data.id, 'coh_missing0'] } }],
    ];
    for (const [method, path, options] of calls) {
      const theirs = await core.call(method, path, { ...options, caller });
      expect([path, theirs.status, theirs.error.code]).toEqual([path, 404, 'not_found']);
      const body = JSON.stringify(options).replace(data.id, 'coh_missing00');
      const missing = await core.call(method, path.replace(data.id, 'coh_missing00'), { ...JSON.parse(body), caller });
      expect(theirs.error).toEqual(missing.error);
    }
    expect((await core.call<Cohort>('GET', `/analytics/cohorts/${data.id}`)).data).toEqual(data);
  });

  test('reading needs analytics:read, saving needs analytics:write, and comparing only reads', async () => {
    const scopes = (...names: string[]): { caller: object } => ({ caller: { scopes: names } });
    const body = { name: 'x', criteria: [women] };
    expect((await core.call('GET', '/analytics/population', scopes('patients:read'))).status).toBe(403);
    expect((await core.call('POST', '/analytics/cohorts', { body, ...scopes('analytics:read') })).status).toBe(403);
    expect((await core.call('POST', '/analytics/cohorts', { body, ...scopes('analytics:write') })).status).toBe(201);
    const ids = { cohort_ids: ['coh_missing00', 'coh_missing01'] };
    const reply = await core.call('POST', '/analytics/cohorts/compare', { body: ids, ...scopes('analytics:read') });
    expect(reply.status).toBe(404);
  });

  test('exist in every version', () => {
    const operations = head.operations.filter(({ category }) => category === 'analytics');
    expect(operations).toHaveLength(18);
    expect(operations.every(({ since }) => since === undefined)).toBe(true);
  });
});

describe('an answer that takes too long', () => {
  test('is ended by the database, and the caller is told to ask for less', async () => {
    await database.db.patient.createMany({
      data: Array.from({ length: 3_000 }, (_, at) => ({
        id: `pat_slow${at}`,
        accountId: 'acc_slow',
        name: 'x',
        dob: new Date(at * 1e9),
      })),
    });
    const analytics = new AnalyticsService(core.database, 'a secret', { statementTimeoutMs: 1 });
    await expect(analytics.population('acc_slow', null, 20)).rejects.toMatchObject({
      code: 'unavailable',
      status: 503,
    });
    // The connection goes back to the pool without the short limit.
    expect((await core.call('GET', '/analytics/population', { caller: { accountId: 'acc_slow' } })).status).toBe(200);
  });

  test('does not make others fail: few are worked out at a time, some wait, and the rest are told to come back', async () => {
    const gate = new Gate(2, 1);
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await sleep(20);
      inside -= 1;
    };
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => gate.run(work)));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    await expect(gate.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
    await gate.run(work);
    expect(most).toBe(2);
  });
});
