import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

const PATIENT = '/patients/pat_8fJ2kQ0aZrT5mWxY7bLc';
let database: TestDatabase;
let core: FakeCore;
/** The same service before and after 2023-10-15 became current. */
let before: TestGateway;
let after: TestGateway;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startFakeCore();
  before = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-10-01' } });
  after = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-10-15' } });
});

afterAll(async () => {
  await Promise.all([before.stop(), after.stop()]);
  await core.stop();
  await database.close();
});

async function pinOf({ accountId: id }: FreshAccount): Promise<string | null> {
  const account = await database.db.account.findUniqueOrThrow({ where: { id } });
  return account.pinnedRelease;
}

/** The pin is written beside the answer, and heard of by other gateways after that. */
async function pinned(account: FreshAccount): Promise<string> {
  for (;;) {
    const pin = await pinOf(account);
    if (pin !== null) return pin;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('an account without a pin', () => {
  test('gets the version that is current at its first call, and is moved by no later release', async () => {
    const account = await createAccount(database.db);
    expect(await pinOf(account)).toBeNull();
    expect((await before.send('GET', PATIENT, { key: account.apiKey })).headers['service-version']).toBe('2023-04-30');
    expect(await pinned(account)).toBe('2023-04-30');
    const later = await after.send('GET', PATIENT, { key: account.apiKey });
    expect(later.headers['service-version']).toBe('2023-04-30');
    expect(await pinOf(account)).toBe('2023-04-30');
    const newcomer = await createAccount(database.db);
    await after.send('GET', PATIENT, { key: newcomer.apiKey });
    expect(await pinned(newcomer)).toBe('2023-10-15');
  });

  test('gets it whatever version its call names, and keeps one that it was given', async () => {
    const account = await createAccount(database.db);
    const named = await after.send('GET', `/v2023-04-30${PATIENT}`, { key: account.apiKey });
    expect(named.headers['service-version']).toBe('2023-04-30');
    expect(await pinned(account)).toBe('2023-10-15');
    const given = await createAccount(database.db, { pinnedRelease: '2023-04-30' });
    await after.send('GET', PATIENT, { key: given.apiKey });
    expect(await pinOf(given)).toBe('2023-04-30');
  });

  test('is not pinned by a call that is refused', async () => {
    const account = await createAccount(database.db);
    const refused = await after.send('GET', PATIENT, { key: account.legacyApiKey });
    expect(refused.status).toBe(401);
    expect(await pinOf(account)).toBeNull();
  });
});
