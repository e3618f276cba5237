import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RetirementReport, UpgradeReport, UsageReport } from '@perennial/gateway/usage/reports.ts';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { addDays, dayOf } from '@perennial/schemas/platform/calendar.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { type Answer, startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let operator: FreshAccount;
/** Still on 2022-11-15, with an old key. */
let old: FreshAccount;
let modern: FreshAccount;
const path = `/patients/${fakePatient.id}`;
const today = dayOf(new Date());

beforeAll(async () => {
  database = await freshDatabase();
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url, { config: { usageFlushMs: 60_000 } });
  operator = await createAccount(database.db, { name: 'Operator', operator: true });
  old = await createAccount(database.db, { name: 'Old Hospital' });
  modern = await createAccount(database.db, { name: 'Modern Clinic' });
  const headers = { 'x-service-client': 'ward/1.2' };
  for (let index = 0; index < 3; index += 1)
    await gateway.send('GET', `/v2022-11-15${path}`, { key: old.legacyApiKey, headers });
  await gateway.send('GET', `/v2022-11-15/patients`, { key: old.legacyApiKey, headers });
  await gateway.send('GET', `/v2023-10-15${path}`, { key: modern.apiKey });
  // Long ago, which shows that use has been counted for as long as is asked about.
  await database.db.usageCounter.createMany({
    data: [
      {
        day: new Date(addDays(today, -50)),
        accountId: modern.accountId,
        release: '2023-04-30',
        operation: 'patients.get',
        client: 'lab/1',
        count: 7n,
      },
      {
        day: new Date(addDays(today, -10)),
        accountId: old.accountId,
        release: '2022-11-15',
        operation: 'patients.get',
        client: 'ward/1.2',
        count: 5n,
      },
    ],
  });
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

function ask<T>(page: string, key = operator.adminKey): Promise<Answer<T>> {
  return gateway.send<T>('GET', page, { key });
}

describe('who still uses a version', () => {
  test('by account, client and operation, with count and last day, what was counted a moment ago included', async () => {
    const { status, data } = await ask<UsageReport>('/admin/usage?version=2022-11-15');
    expect(status).toBe(200);
    const who = {
      account: old.accountId,
      account_name: 'Old Hospital',
      version: 'v2022-11-15',
      client: 'ward/1.2',
      last_day: today,
    };
    expect(data).toEqual({
      days: 30,
      version: 'v2022-11-15',
      state: 'deprecated',
      since: addDays(today, -29),
      has_more: false,
      items: [
        { ...who, operation: 'patients.get', count: 8 },
        { ...who, operation: 'patients.list', count: 1 },
      ],
    });
  });

  test('within the days asked about', async () => {
    const counts = async (days: number): Promise<readonly number[]> =>
      (await ask<UsageReport>(`/admin/usage?version=v2022-11-15&days=${days}`)).data.items.map(({ count }) => count);
    expect(await counts(10)).toEqual([3, 1]);
    expect(await counts(11)).toEqual([8, 1]);
    expect((await ask<UsageReport>('/admin/usage?version=2023-04-30')).data.items).toEqual([]);
  });
});

describe('what an upgrade would mean to a client', () => {
  test('names the changes that touch what it uses, with their sentences, and no other', async () => {
    const { status, data } = await ask<UpgradeReport>(`/admin/upgrade?account=${old.accountId}&to=2023-10-15`);
    expect(status).toBe(200);
    expect(data).toMatchObject({ account_name: 'Old Hospital', to: 'v2023-10-15', keys_refused: 1 });
    expect(data.changes.map(({ change, everywhere, operations }) => [change, everywhere, operations])).toEqual([
      ['2023-04-30/rename-gender-to-sex', false, ['patients.get', 'patients.list']],
      ['2023-04-30/add-gender-identity', false, ['patients.get', 'patients.list']],
      ['2023-04-30/restructure-contact', false, ['patients.get', 'patients.list']],
      ['2023-04-30/page-by-cursor', false, ['patients.list']],
      ['2023-10-15/change-api-key-format', true, []],
    ]);
    expect(data.changes[0]?.sentence).toContain('`gender` of a patient is called `sex`');
    expect(data.uses.find(({ operation }) => operation === 'patients.get')).toMatchObject({
      version: 'v2022-11-15',
      client: 'ward/1.2',
      count: 8,
      changes: ['2023-04-30/rename-gender-to-sex', '2023-04-30/add-gender-identity', '2023-04-30/restructure-contact'],
    });
  });

  test('stops at the version asked about, and has nothing to say to one who is there', async () => {
    const near = await ask<UpgradeReport>(`/admin/upgrade?account=${old.accountId}&to=2023-04-30`);
    expect(near.data.changes.map(({ release }) => release)).not.toContain('v2023-10-15');
    expect(near.data.keys_refused).toBe(0);
    const there = await ask<UpgradeReport>(`/admin/upgrade?account=${modern.accountId}&to=2023-10-15`);
    expect(there.data).toMatchObject({ changes: [], uses: [] });
  });

  test('the changes of an operation end at the version asked about', async () => {
    const { accountId } = await createAccount(database.db);
    const use = { day: new Date(today), accountId, release: '2022-11-15', client: '(none)', count: 1n };
    await database.db.usageCounter.create({ data: { ...use, operation: 'diagnostics.analyze' } });
    const changes = async (to: string): Promise<unknown> =>
      (await ask<UpgradeReport>(`/admin/upgrade?account=${accountId}&to=${to}`)).data.uses[0]?.changes;
    try {
      expect(await changes('2023-04-30')).toEqual([]);
      expect(await changes('2023-10-15')).toEqual([
        '2023-10-15/rename-analysis-result',
        '2023-10-15/restructure-confidence',
      ]);
    } finally {
      await database.db.usageCounter.deleteMany({ where: { accountId } });
    }
  });

  test('an account that does not exist is 404', async () => {
    expect((await ask('/admin/upgrade?account=acc_nobody&to=2023-10-15')).error.code).toBe('not_found');
  });
});

describe('whether a version can be retired', () => {
  test('not while anyone uses it: who, with what, when last', async () => {
    const { data } = await ask<RetirementReport>('/admin/retirement?version=2022-11-15');
    expect(data).toMatchObject({
      state: 'deprecated',
      sunset: '2023-11-15',
      not_before: '2023-11-15',
      safe: false,
      last_use: today,
      users: [
        {
          account: old.accountId,
          account_name: 'Old Hospital',
          clients: ['ward/1.2'],
          operations: ['patients.get', 'patients.list'],
          count: 9,
          last_day: today,
        },
      ],
    });
  });

  test('when its last use is long ago; not while an account is pinned to it', async () => {
    const unused = (await ask<RetirementReport>('/admin/retirement?version=2023-04-30')).data;
    expect(unused).toMatchObject({ safe: true, reasons: [], users: [], last_use: addDays(today, -50) });
    await createAccount(database.db, { id: 'acc_pinned', pinnedRelease: '2023-04-30' });
    const pinned = (await ask<RetirementReport>('/admin/retirement?version=2023-04-30')).data;
    expect(pinned).toMatchObject({ safe: false, pinned_accounts: ['acc_pinned'] });
  });

  test('not when use was not yet counted in the time asked about', async () => {
    const { data } = await ask<RetirementReport>('/admin/retirement?version=2023-04-30&days=60');
    expect(data.safe).toBe(false);
    expect(data.reasons.join()).toContain(`Use is known since ${addDays(today, -50)} only`);
  });

  test('never while it is Current', async () => {
    const { data } = await ask<RetirementReport>('/admin/retirement?version=2023-10-15');
    expect(data).toMatchObject({ state: 'current', safe: false, not_before: null });
  });
});

describe('the pages are for those who run the service only', () => {
  const pages = [
    '/admin/usage?version=2022-11-15',
    '/admin/upgrade?account=a&to=2023-10-15',
    '/admin/retirement?version=2022-11-15',
    '/metrics',
    '/admin/nothing',
  ];
  test.each(pages)('%s', async (page) => {
    expect((await gateway.send('GET', page)).error.code).toBe('credential_missing');
    expect((await ask(page, 'hai_test_nobody')).error.code).toBe('credential_invalid');
    expect((await ask(page, modern.apiKey)).error.code).toBe('scope_missing');
    // Everything in its own account is not everybody's.
    expect((await ask(page, modern.adminKey)).error.code).toBe('scope_missing');
    const inUrl = await gateway.send('GET', `${page}${page.includes('?') ? '&' : '?'}api_key=${operator.adminKey}`);
    expect(inUrl.error.code).toBe('credential_place_retired');
  });

  test('their requests are checked, without repeating what was sent', async () => {
    const codes = async (page: string): Promise<unknown> => {
      const { status, error, text } = await ask(page);
      expect(status).toBe(422);
      expect(text).not.toContain('banana');
      return error.details.map(({ code, parameter }) => [parameter, code]);
    };
    expect(await codes('/admin/usage')).toEqual([['version', 'required']]);
    expect(await codes('/admin/usage?version=banana')).toEqual([['version', 'not_allowed_value']]);
    expect(await codes('/admin/usage?version=2022-11-15&days=0')).toEqual([['days', 'too_small']]);
    expect(await codes('/admin/usage?version=2022-11-15&days=banana')).toEqual([['days', 'wrong_type']]);
    expect(await codes('/admin/usage?version=2022-11-15&version=2022-11-15')).toEqual([
      ['version', 'repeated_parameter'],
    ]);
    expect(await codes('/admin/upgrade?account=a&to=2022-11-15&verbose=1')).toEqual([['verbose', 'unknown_parameter']]);
  });

  test('other methods are 405, other pages 404, HEAD is answered without a body', async () => {
    const posted = await gateway.send('POST', '/admin/usage', { key: operator.adminKey });
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await ask('/admin/nothing')).status).toBe(404);
    const head = await gateway.send('HEAD', '/admin/usage?version=2022-11-15', { key: operator.adminKey });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });

  test('asking is no use of a version, and is on record as the act of an operator on nobody’s data', async () => {
    await ask('/admin/usage?version=2022-11-15');
    expect(await database.db.usageCounter.count({ where: { accountId: operator.accountId } })).toBe(0);
    const entries = await database.db.auditEntry.findMany({ where: { accountId: operator.accountId } });
    expect(entries.length).toBeGreaterThan(0);
    for (const { operation, resourceIds } of entries) {
      expect(operation).toMatch(/^(admin|audit)\./);
      expect(resourceIds.filter((id) => id.startsWith('pat_'))).toEqual([]);
    }
  });
});
