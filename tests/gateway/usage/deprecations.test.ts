import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { UsedVersion } from '@perennial/gateway/account-pages.ts';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let old: FreshAccount;
let other: FreshAccount;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url, {
    config: { usageFlushMs: 60_000, serviceDate: '2023-11-01' },
  });
  old = await createAccount(database.db, { name: 'Old Hospital' });
  other = await createAccount(database.db, { name: 'Other' });
  const path = `/patients/${fakePatient.id}`;
  for (const version of ['v2022-11-15', 'v2022-11-15', 'v2023-04-30'])
    await gateway.send('GET', `/${version}${path}`, { key: old.legacyApiKey });
  await gateway.send('GET', `/v2023-10-15${path}`, { key: other.apiKey });
});

afterAll(async () => {
  await gateway?.stop();
  await core?.stop();
  await database?.close();
});

test('a client reads which versions and operations it uses that have a successor, until when, and what replaces them', async () => {
  const { status, data } = await gateway.send<{ versions: UsedVersion[]; keys_refused: number }>(
    'GET',
    '/account/deprecations',
    {
      key: old.apiKey,
    },
  );
  expect(status).toBe(200);
  expect(data.versions.map(({ version, status: act, act_by }) => [version, act, act_by])).toEqual([
    ['v2022-11-15', 'act', '2023-11-15'],
    ['v2023-04-30', 'fine', '2024-04-30'],
  ]);
  const [first] = data.versions[0]?.operations ?? [];
  expect(first).toMatchObject({ operation: 'patients.get', count: 2 });
  expect(first?.changes).toContainEqual(
    expect.objectContaining({ change: '2023-04-30/rename-gender-to-sex', release: expect.any(String) }),
  );
  expect(data.keys_refused).toBeGreaterThanOrEqual(1);
});

test('nobody reads of another account, and nobody without a key', async () => {
  const { data } = await gateway.send<{ versions: UsedVersion[] }>('GET', '/account/deprecations', {
    key: other.apiKey,
  });
  expect(data.versions).toEqual([]);
  expect((await gateway.send('GET', '/account/deprecations')).status).toBe(401);
  expect((await gateway.send('GET', '/account/nothing', { key: old.apiKey })).status).toBe(404);
});
