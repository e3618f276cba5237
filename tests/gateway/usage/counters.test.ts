import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clientOf } from '@perennial/gateway/usage/client.ts';
import { createAccount, createKey, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: TestDatabase;
let core: FakeCore;
let account: FreshAccount;
const path = `/patients/${fakePatient.id}`;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startFakeCore();
});

beforeEach(async () => {
  account = await createAccount(database.db);
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

interface Row {
  readonly release: string;
  readonly operation: string;
  readonly client: string;
  readonly count: number;
}

/** What was counted, once the gateways have stopped. */
async function counted(): Promise<readonly Row[]> {
  const rows = await database.db.usageCounter.findMany({
    where: { accountId: account.accountId },
    orderBy: [{ release: 'asc' }, { operation: 'asc' }, { client: 'asc' }],
  });
  const today = new Date().toISOString().slice(0, 10);
  expect(new Set(rows.map(({ day }) => day.toISOString().slice(0, 10)))).toEqual(new Set(rows.length ? [today] : []));
  return rows.map(({ release, operation, client, count }) => ({ release, operation, client, count: Number(count) }));
}

async function withGateways(number: number, use: (gateways: readonly TestGateway[]) => Promise<void>): Promise<void> {
  const gateways = await Promise.all(
    Array.from({ length: number }, () => startTestGateway(core.url, database.url, { config: { usageFlushMs: 50 } })),
  );
  try {
    await use(gateways);
  } finally {
    for (const gateway of gateways) await gateway.stop();
  }
}

test('each authenticated request is counted once, by release, operation and client, by several gateways', async () => {
  await withGateways(2, async (gateways) => {
    for (let round = 0; round < 30; round += 1)
      await Promise.all(
        gateways.flatMap((gateway) => [
          gateway.send('GET', `/v2022-11-15${path}`, {
            key: account.apiKey,
            headers: { 'x-service-client': 'ward/1.2' },
          }),
          gateway.send('GET', `/v2023-10-15${path}`, { key: account.apiKey }),
        ]),
      );
  });
  expect(await counted()).toEqual([
    { release: '2022-11-15', operation: 'patients.get', client: 'ward/1.2', count: 60 },
    { release: '2023-10-15', operation: 'patients.get', client: '(none)', count: 60 },
  ]);
});

test('requests that were refused after authentication are use of a version as well; others are nobody’s', async () => {
  const { accountId } = account;
  const narrow = await createKey(database.db, {
    accountId,
    format: 'current',
    mode: 'test',
    scopes: ['knowledge:read'],
  });
  await withGateways(1, async ([gateway]) => {
    await gateway?.send('GET', `/v2023-04-30${path}`, { key: narrow });
    await gateway?.send('GET', '/v2023-04-30/nothing', { key: account.apiKey });
    await gateway?.send('GET', `/v2023-04-30${path}`, { key: 'hai_test_nobody' });
    await gateway?.send('GET', `/v2023-04-30${path}`);
    await gateway?.send('GET', '/versions');
  });
  expect(await counted()).toEqual([{ release: '2023-04-30', operation: '(none)', client: '(none)', count: 2 }]);
});

describe('the client of X-Service-Client', () => {
  test.each([
    ['ward-app/1.2.3', 'ward-app/1.2.3'],
    ['Ward App/2', 'Ward App/2'],
    ['ward', 'ward'],
    [undefined, '(none)'],
    ['', '(malformed)'],
    ['(none)', '(malformed)'],
    ['a/b/c', '(malformed)'],
    ['zoe@example.org/1', '(malformed)'],
    [`${'a'.repeat(65)}/1`, '(malformed)'],
    [`a/${'1'.repeat(33)}`, '(malformed)'],
    ['ward\u0000/1', '(malformed)'],
  ])('%j is counted as %s', (header, client) => {
    expect(clientOf(header)).toBe(client);
  });

  test('one that makes up names fills no table', async () => {
    await withGateways(1, async ([gateway]) => {
      for (let index = 0; index < 130; index += 1)
        await gateway?.send('GET', `/v2023-10-15${path}`, {
          key: account.apiKey,
          headers: { 'x-service-client': `made-up/${index}` },
        });
    });
    const rows = await counted();
    expect(rows).toHaveLength(101);
    expect(rows.find(({ client }) => client === '(other)')?.count).toBe(30);
  });
});

test('counts made while the database takes none are added later, and requests are answered meanwhile', async () => {
  await withGateways(1, async ([gateway]) => {
    await database.db.$executeRaw`ALTER TABLE edge.usage_counters RENAME TO away`;
    for (let index = 0; index < 5; index += 1) {
      const answer = await gateway?.send('GET', `/v2023-10-15${path}`, { key: account.apiKey });
      expect(answer?.status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await database.db.$executeRaw`ALTER TABLE edge.away RENAME TO usage_counters`;
  });
  expect(await counted()).toMatchObject([{ count: 5 }]);
});
