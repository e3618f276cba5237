import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditKeys } from '@perennial/gateway/audit/keys.ts';
import { verifyChain } from '@perennial/gateway/audit/verify.ts';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import pg from 'pg';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { TEST_AUDIT_KEY } from '../../support/secret.ts';

let database: TestDatabase;
let core: FakeCore;
let account: FreshAccount;
let dir: string;
let gateway: TestGateway;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startFakeCore();
  account = await createAccount(database.db);
});

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'perennial-spool-'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

afterAll(async () => {
  await core.stop();
  await database.close();
});

async function start(): Promise<void> {
  gateway = await startTestGateway(core.url, database.url, { config: { auditSpoolDir: join(dir, 'audit') } });
}

async function read(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const answer = await gateway.send('GET', `/v2023-10-15/patients/${fakePatient.id}`, { key: account.apiKey });
    expect(answer.status).toBe(200);
    ids.push(String(answer.headers['x-request-id']));
  }
  return ids;
}

async function recorded(): Promise<readonly string[]> {
  const found = await database.db.auditEntry.findMany({ where: { accountId: account.accountId } });
  return found.map(({ requestId }) => requestId).sort();
}

test('accesses that the database did not take before the gateway ended are on record when the next one runs, once', async () => {
  await start();
  const before = await read(1);
  const holder = new pg.Client({ connectionString: database.url });
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE edge.audit_entries IN ACCESS EXCLUSIVE MODE');
  const served = await read(5);
  await gateway.stop();
  const files = await readdir(join(dir, 'audit'));
  expect(files).toHaveLength(1);
  expect((await stat(join(dir, 'audit', files[0] as string))).mode & 0o777).toBe(0o600);
  await holder.end();
  await start();
  try {
    const all = [...before, ...served].sort();
    for (const until = Date.now() + 10_000; (await recorded()).length < all.length && Date.now() < until; )
      await new Promise((resolve) => setTimeout(resolve, 20));
    for (const until = Date.now() + 10_000; (await readdir(join(dir, 'audit'))).length > 0 && Date.now() < until; )
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await recorded()).toEqual(all);
    expect(await readdir(join(dir, 'audit'))).toEqual([]);
    expect(await verifyChain(database.db, auditKeys([TEST_AUDIT_KEY]), account.accountId)).toMatchObject({
      broken: undefined,
    });
  } finally {
    await gateway.stop();
  }
});
