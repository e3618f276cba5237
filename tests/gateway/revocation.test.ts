import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAccount, createKey, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { hashApiKey } from '@perennial/schemas/platform/credentials.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeCore, startFakeCore } from '../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/*
 * Every gateway here would believe a key for five minutes: whatever happens sooner happens because it was told.
 */

let database: TestDatabase;
let core: FakeCore;
let gateways: readonly TestGateway[];
let account: FreshAccount;
const path = '/v2022-11-15/patients/pat_8fJ2kQ0aZrT5mWxY7bLc';

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startFakeCore();
  const config = { keyCacheMs: 300_000 };
  gateways = await Promise.all([1, 2].map(() => startTestGateway(core.url, database.url, { config })));
  await until(async () => (await listeners()).length === gateways.length);
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await core.stop();
  await database.close();
});

async function listeners(): Promise<readonly number[]> {
  const rows = await database.db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'perennial-gateway-keys' AND query LIKE 'LISTEN%'`;
  return rows.map(({ pid }) => pid);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

const newKey = (): Promise<string> =>
  createKey(database.db, { accountId: account.accountId, format: 'current', mode: 'test', scopes: ['patients:read'] });

const statuses = (key: string): Promise<readonly number[]> =>
  Promise.all(gateways.map(async (gateway) => (await gateway.send('GET', path, { key })).status));

const revoke = (key: string): Promise<unknown> =>
  database.db.apiKey.update({ where: { hash: hashApiKey(key) }, data: { revokedAt: new Date() } });

test('a revoked key stops working at every gateway, although it is remembered', async () => {
  const [key, other] = [await newKey(), await newKey()];
  for (const each of [key, other]) expect(await statuses(each)).toEqual([200, 200]);
  await revoke(key);
  await until(async () => (await statuses(key)).every((status) => status === 401));
  expect(await statuses(other)).toEqual([200, 200]);
});

test('a revocation that is rolled back revokes nothing', async () => {
  const key = await newKey();
  expect(await statuses(key)).toEqual([200, 200]);
  await database.db
    .$transaction(async (transaction) => {
      await transaction.apiKey.update({ where: { hash: hashApiKey(key) }, data: { revokedAt: new Date() } });
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  expect(await statuses(key)).toEqual([200, 200]);
});

test('a deleted key, a narrower scope and a changed pin are seen at once as well', async () => {
  const [deleted, narrowed] = [await newKey(), await newKey()];
  for (const key of [deleted, narrowed]) expect(await statuses(key)).toEqual([200, 200]);
  await database.db.apiKey.delete({ where: { hash: hashApiKey(deleted) } });
  await until(async () => (await statuses(deleted)).every((status) => status === 401));
  await database.db.apiKey.update({ where: { hash: hashApiKey(narrowed) }, data: { scopes: ['imaging:read'] } });
  await until(async () => (await statuses(narrowed)).every((status) => status === 403));

  const [gateway] = gateways as [TestGateway];
  const served = async (): Promise<unknown> =>
    (await gateway.send('GET', '/patients/pat_8fJ2kQ0aZrT5mWxY7bLc', { key: account.apiKey })).headers[
      'service-version'
    ];
  expect(await served()).toBe('2023-10-15');
  await database.db.account.update({ where: { id: account.accountId }, data: { pinnedRelease: '2023-04-30' } });
  await until(async () => (await served()) === '2023-04-30');
  await database.db.account.update({ where: { id: account.accountId }, data: { pinnedRelease: null } });
});

test('what is changed while nothing is heard is known when hearing begins anew', async () => {
  const key = await newKey();
  expect(await statuses(key)).toEqual([200, 200]);
  const before = await listeners();
  await database.db.$transaction(async (transaction) => {
    await transaction.apiKey.update({ where: { hash: hashApiKey(key) }, data: { revokedAt: new Date() } });
    // The announcement goes out at the end of the transaction, when nobody listens any more.
    for (const pid of before) await transaction.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
  });
  await until(async () => (await statuses(key)).every((status) => status === 401));
  await until(async () => (await listeners()).length === gateways.length);
  expect(gateways.every(({ log }) => log.join('').includes('changes of keys are not heard'))).toBe(true);
});
