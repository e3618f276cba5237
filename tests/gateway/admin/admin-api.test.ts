import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountsApi } from '@perennial/gateway/admin/accounts-api.ts';
import { adminOperations } from '@perennial/gateway/admin/document.ts';
import { lifecycleApi } from '@perennial/gateway/admin/lifecycle-api.ts';
import { createAccount, createKey, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { type AccountId, newId } from '@perennial/schemas/platform/ids.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { type Answer, type SendOptions, startTestGateway, type TestGateway } from '../../support/gateway.ts';

/*
 * Two gateways on one database: what an operator does at one of them holds at the other.
 */

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let other: TestGateway;
let operator: FreshAccount;
const path = `/patients/${fakePatient.id}`;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url);
  other = await startTestGateway(core.url, database.url, { config: { keyCacheMs: 60_000 } });
  operator = await createAccount(database.db, { name: 'Operator', operator: true });
});

afterAll(async () => {
  await Promise.all([gateway.stop(), other.stop()]);
  await core.stop();
  await database.close();
});

type Body = Record<string, unknown>;

function ask<T = Body>(method: string, to: string, body?: unknown, options: SendOptions = {}): Promise<Answer<T>> {
  return gateway.send<T>(method, to, { key: operator.adminKey, ...(body === undefined ? {} : { body }), ...options });
}

async function account(fields: Body = {}): Promise<AccountId> {
  const { status, data } = await ask('POST', '/admin/accounts', { name: 'Saint Mary', mode: 'live', ...fields });
  expect(status).toBe(201);
  return data['id'] as AccountId;
}

async function key(of: string, fields: Body = {}): Promise<{ readonly id: string; readonly key: string }> {
  const { status, data } = await ask('POST', `/admin/accounts/${of}/keys`, { scopes: ['patients:read'], ...fields });
  expect(status).toBe(201);
  return data as { id: string; key: string };
}

/** Resolves with the first answer that is as expected, of the many that are asked for. */
async function until(send: () => Promise<Answer>, isReached: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (isReached(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('the document of operators describes every route, and no other', () => {
  // No part is used before somebody asks.
  const routes = [...accountsApi({} as never), ...lifecycleApi({} as never)];
  const served = routes.map(({ method, path: route, operation, body, query }) => ({
    method,
    path: route.replace(/:(\w+)/g, '{$1}'),
    operation,
    body,
    query: query?.[0],
  }));
  const described = adminOperations.map(({ method, path: route, operation, body, query }) => ({
    method,
    path: route,
    operation,
    body,
    query,
  }));
  expect(described).toEqual(served);
});

describe('accounts and keys over the admin API', () => {
  test('a key has its scopes, is of its account’s mode, and is shown once', async () => {
    const id = await account({ tier: 'gold' });
    const made = await key(id, { name: 'ward' });
    expect(made.key).toMatch(/^hai_live_/);
    expect((await other.send('GET', `/v2022-11-15${path}`, { key: made.key })).status).toBe(200);
    const { status, error } = await other.send('POST', '/v2022-11-15/patients', { key: made.key, body: {} });
    expect([status, error.code]).toEqual([403, 'scope_missing']);
    const listed = await ask<{ items: Body[] }>('GET', `/admin/accounts/${id}/keys`);
    expect(listed.data.items).toMatchObject([{ id: made.id, name: 'ward', mode: 'live', scopes: ['patients:read'] }]);
    expect(listed.text).not.toContain(made.key);
    await expect(
      createKey(database.db, { accountId: id, format: 'current', mode: 'test', scopes: ['patients:read'] }),
    ).rejects.toThrow(/a test key cannot be of a live account/);
  });

  test('a revoked key is refused by the other gateway, and a rotated one works until its overlap ends', async () => {
    const id = await account();
    const first = await key(id, { rate_per_minute: 50 });
    const send = (with_: string) => () => other.send('GET', `/v2022-11-15${path}`, { key: with_ });
    expect((await send(first.key)()).status).toBe(200);
    const rotated = await ask('POST', `/admin/keys/${first.id}/rotate`, { overlap_hours: 1 });
    expect(rotated.data).toMatchObject({
      rate_per_minute: 50,
      replaces: { id: first.id, expires_at: expect.any(String) },
    });
    expect((await send(first.key)()).status).toBe(200);
    expect((await send(rotated.data['key'] as string)()).status).toBe(200);
    await ask('POST', `/admin/keys/${first.id}/revoke`);
    expect((await until(send(first.key), ({ status }) => status !== 200)).error.code).toBe('credential_invalid');
    expect((await ask('POST', `/admin/keys/${first.id}/rotate`, {})).error.code).toBe('conflict');
  });

  test('a key has a rate and a day of its own, and addresses that it may be used from', async () => {
    const id = await account();
    const slow = await key(id, { rate_per_minute: 2, quota_per_day: 3 });
    const send = () => gateway.send('GET', `/v2022-11-15${path}`, { key: slow.key });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    const refused = await send();
    expect([refused.status, refused.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    await ask('PATCH', `/admin/keys/${slow.id}`, { rate_per_minute: null });
    // Two were counted for the day: what the minute refused was not.
    await until(send, ({ status }) => status === 200);
    const spent = await until(send, ({ status }) => status === 429);
    expect(Number(spent.headers['retry-after'])).toBeGreaterThan(60);

    const elsewhere = await key(id, { allowed_addresses: ['10.1.0.0/16', '2001:db8::1'] });
    const from = await gateway.send('GET', `/v2022-11-15${path}`, { key: elsewhere.key });
    expect([from.status, from.error.code]).toEqual([401, 'credential_invalid']);
    await ask('PATCH', `/admin/keys/${elsewhere.id}`, { allowed_addresses: ['127.0.0.0/8', '::1'] });
    await until(
      () => gateway.send('GET', `/v2022-11-15${path}`, { key: elsewhere.key }),
      ({ status }) => status === 200,
    );
    const wrong = await ask('PATCH', `/admin/keys/${elsewhere.id}`, { allowed_addresses: ['127.0.0.1', 'hunter2'] });
    expect([wrong.status, wrong.error.details?.[0]]).toMatchObject([
      422,
      { code: 'wrong_format', pointer: '/allowed_addresses/1' },
    ]);
    expect(wrong.text).not.toContain('hunter2');
  });

  test('a pin can be raised, and taken back for 72 hours', async () => {
    const id = await account({ pin: 'v2022-11-15' });
    const raise = (version: string) => ask('POST', `/admin/accounts/${id}/pin`, { version });
    expect((await raise('2022-11-15')).error.details?.[0]).toMatchObject({ code: 'too_small', pointer: '/version' });
    expect((await raise('2023-04-30')).data).toMatchObject({ pin: '2023-04-30', pin_back: { to: '2022-11-15' } });
    expect((await ask('POST', `/admin/accounts/${id}/pin/back`)).data).toMatchObject({
      pin: '2022-11-15',
      pin_back: null,
    });
    expect((await ask('POST', `/admin/accounts/${id}/pin/back`)).error.code).toBe('conflict');
    await raise('2023-04-30');
    const long = new Date(Date.now() - 73 * 3_600_000);
    await database.db.account.update({ where: { id }, data: { pinRaisedAt: long } });
    expect((await ask('POST', `/admin/accounts/${id}/pin/back`)).error.code).toBe('conflict');
  });

  test('only an operator’s key opens it, and every act is in the account’s trail, those that were refused as well', async () => {
    const id = await account();
    const body = { scopes: ['patients:read'] };
    const stranger = await createAccount(database.db);
    const refused = await ask('POST', `/admin/accounts/${id}/keys`, body, { key: stranger.adminKey });
    expect([refused.status, refused.error.code]).toEqual([403, 'scope_missing']);
    await key(id);
    expect((await ask('POST', `/admin/accounts/${id}/keys`, { scopes: ['all'], hunter2: 1 })).status).toBe(422);
    expect((await ask('PUT', `/admin/accounts/${id}`, {})).headers['allow']).toBe('GET, HEAD, PATCH');
    expect((await ask('GET', '/admin/accounts/acc_00000000000000000000')).error.code).toBe('not_found');
    await until(
      () => ask('GET', '/admin/accounts'),
      () => true,
    );
    const entries = await database.db.auditEntry.findMany({ where: { accountId: id }, orderBy: { seq: 'asc' } });
    expect(entries.map(({ operation, status }) => [operation, status])).toEqual([
      ['admin.accounts.create', 0],
      ['admin.accounts.create', 201],
      ['admin.keys.create', 0],
      ['admin.keys.create', 201],
    ]);
  });
});

describe('the lifecycle of versions', () => {
  const dates = (version: string, body: Body) =>
    ask('POST', `/admin/lifecycle/${version}/dates`, { reason: 'asked for', ...body });

  test('no date comes nearer than the guarantees allow, nor before the one that is shipped', async () => {
    const current = await dates('2023-10-15', { sunset: '2030-01-01' });
    expect([current.status, current.error.code]).toEqual([409, 'conflict']);
    const early = await dates('v2023-04-30', { deprecated: '2024-01-31', sunset: '2024-04-01' });
    expect(early.error.details?.[0]).toMatchObject({ code: 'too_small', pointer: '/sunset' });
    expect(early.text).not.toContain('2024-04-01');
    expect((await dates('2021-01-01', { sunset: '2030-01-01' })).error.details?.[0]).toMatchObject({
      parameter: 'version',
    });
  });

  test('a later sunset holds at every gateway, with who, when and why, and can be taken back while there is notice', async () => {
    const moved = await dates('2022-11-15', { sunset: '2024-12-31' });
    expect(moved.status).toBe(201);
    expect(moved.data).toMatchObject({
      version: 'v2022-11-15',
      sunset: '2024-12-31',
      reason: 'asked for',
      withdrawn: null,
    });
    const id = await account();
    const { key: text } = await key(id);
    const seen = await until(
      () => other.send('GET', `/v2022-11-15${path}`, { key: text }),
      ({ headers }) => headers['sunset'] === 'Tue, 31 Dec 2024 00:00:00 GMT',
    );
    expect(seen.status).toBe(200);
    const back = await ask('POST', `/admin/lifecycle/acts/${moved.data['id']}/withdraw`, { reason: 'a mistake' });
    expect([back.status, back.error.code]).toEqual([409, 'conflict']);
  });

  test('one account has a version for longer than the others', async () => {
    // As long after its sunset as the pinned day of the tests is.
    const id = await account();
    const holder = await key(id);
    const version = '/v2022-05-01';
    const mine = () => other.send('GET', `${version}${path}`, { key: holder.key });
    expect((await mine()).status).toBe(410);
    const wrong = await ask('POST', `/admin/lifecycle/2022-05-01/extensions`, {
      account: id,
      until: '2029-01-01',
      reason: 'x',
    });
    expect(wrong.error.details?.[0]).toMatchObject({ code: 'too_large', pointer: '/until' });
    const { status } = await ask('POST', `/admin/lifecycle/2022-05-01/extensions`, {
      account: id,
      until: '2024-02-01',
      reason: 'their ward system is replaced in January',
    });
    expect(status).toBe(201);
    const answer = await until(mine, (each) => each.status !== 410);
    expect(answer.headers['service-version']).toBe('2022-05-01');
    expect(answer.headers['sunset']).toBe('Thu, 01 Feb 2024 00:00:00 GMT');
    const stranger = await createAccount(database.db);
    expect((await other.send('GET', `${version}${path}`, { key: stranger.legacyApiKey })).status).toBe(410);
    expect((await other.send('GET', `${version}${path}`)).status).toBe(410);
  });

  test('a version that is about to end is off for some hours, for those whom it concerns', async () => {
    const [near, far] = [await account(), await account()];
    const keys = [await key(near), await key(far)];
    const early = await ask('POST', '/admin/lifecycle/2022-11-15/brownouts', {
      starts_at: new Date(Date.now() + 8 * 86_400_000).toISOString(),
      ends_at: new Date(Date.now() + 8 * 86_400_000 + 3_600_000).toISOString(),
      accounts: [near],
      reason: 'a rehearsal',
    });
    // Its sunset was moved away above: more than thirty days are left.
    expect([early.status, early.error.code]).toEqual([409, 'conflict']);
    await database.db.lifecycleAct.create({
      data: {
        id: newId('act'),
        kind: 'brownout',
        release: '2022-11-15',
        startsAt: new Date(Date.now() - 1_000),
        endsAt: new Date(Date.now() + 3_600_000),
        accounts: [near],
        reason: 'a rehearsal',
        keyId: 'key_test',
        createdAt: new Date(),
      },
    });
    const send = (index: number) => () => other.send('GET', `/v2022-11-15${path}`, { key: keys[index]?.key });
    const off = await until(send(0), ({ status }) => status === 410);
    expect([off.error.code, Number(off.headers['retry-after']) > 3_000]).toEqual(['version_sunset', true]);
    expect((await send(1)()).status).toBe(200);
  });
});
