import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { type AtRest, atRest } from '@perennial/prisma/at-rest.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';

const OLD = '2022-11-15';
const OLDEST = '2023-04-30';
const NOW = new Date('2023-11-01T00:00:00Z');

let database: TestDatabase;
let account: FreshAccount;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db, { pinnedRelease: OLD });
  const { accountId } = account;
  for (const headRelease of [OLD, OLDEST]) {
    await database.db.idempotencyRecord.create({
      data: {
        accountId,
        key: `key-${headRelease}`,
        method: 'POST',
        path: '/patients',
        bodyHash: 'x',
        headRelease,
        status: 201,
        headers: {},
        response: { id: 'pat_1' },
        expiresAt: NOW,
      },
    });
    const job = { accountId, keyId: 'key_1', requestId: 'req_1', kind: 'bulk', category: 'patients', headRelease };
    await database.db.job.create({
      data: { ...job, id: `job_${headRelease}`, state: 'succeeded', result: { done: 1 } },
    });
    await database.db.event.create({
      data: {
        id: `evt_${headRelease}`,
        accountId,
        kind: 'patient.updated',
        objectId: 'pat_1',
        sequence: headRelease === OLD ? 1 : 2,
        headRelease,
        document: { id: 'pat_1' },
        createdAt: NOW,
      },
    });
    await database.db.webhookSubscription.create({
      data: {
        id: `whs_${headRelease}`,
        accountId,
        url: 'https://example.org',
        payload: 'full',
        version: headRelease,
        state: 'paused',
        stateChangedAt: NOW,
        secret: 'x',
        createdAt: NOW,
        updatedAt: NOW,
      },
    });
  }
});

afterAll(() => database.close());

function counts(kinds: readonly AtRest[]): Record<string, readonly [found: number, left: number]> {
  return Object.fromEntries(
    kinds.filter(({ found }) => found > 0).map(({ name, found, left }) => [name, [found, left]]),
  );
}

const FOUND = {
  'idempotent answers': 1,
  events: 1,
  'results of jobs': 1,
  'webhook subscriptions that are paused': 1,
  'pins of accounts': 1,
};

test('what rests in the shape of a release is found, and counting changes nothing', async () => {
  const expected = Object.fromEntries(Object.entries(FOUND).map(([name, number]) => [name, [number, number]]));
  expect(counts(await atRest(database.url, OLDEST, false))).toEqual(expected);
  expect(counts(await atRest(database.url, OLDEST, false))).toEqual(expected);
});

test('what an open delivery needs, a promise that is alive and a pin stay, and are named', async () => {
  const { accountId } = account;
  await database.db.webhookDelivery.create({
    data: {
      id: 'whd_1',
      accountId,
      subscriptionId: `whs_${OLDEST}`,
      eventId: `evt_${OLD}`,
      kind: 'patient.updated',
      state: 'waiting',
      createdAt: NOW,
    },
  });
  const kinds = await atRest(database.url, OLDEST, true);
  expect(counts(kinds)).toEqual({
    'idempotent answers': [1, 0],
    'events that are still to be delivered': [1, 1],
    events: [1, 1],
    'results of jobs': [1, 0],
    'webhook subscriptions that are paused': [1, 0],
    'pins of accounts': [1, 1],
  });
});

test('when nothing stands in the way, nothing is left, and what is newer is as it was', async () => {
  await database.db.webhookDelivery.updateMany({ data: { state: 'failed' } });
  await database.db.account.updateMany({ data: { pinnedRelease: OLDEST } });
  const kinds = await atRest(database.url, OLDEST, true);
  expect(kinds.map(({ left }) => left)).toEqual(kinds.map(() => 0));
  const answers = await database.db.idempotencyRecord.findMany({ orderBy: { key: 'asc' } });
  expect(answers.map(({ response, erasedAt }) => [response, erasedAt !== null])).toEqual([
    [null, true],
    [{ id: 'pat_1' }, false],
  ]);
  const jobs = await database.db.job.findMany({ orderBy: { id: 'asc' } });
  expect(jobs.map(({ state, result }) => [state, result])).toEqual([
    ['expired', null],
    ['succeeded', { done: 1 }],
  ]);
  expect((await database.db.event.findMany()).map(({ id }) => id)).toEqual([`evt_${OLDEST}`]);
  const subscriptions = await database.db.webhookSubscription.findMany();
  expect(subscriptions.map(({ version, state }) => [version, state])).toEqual([
    [OLDEST, 'paused'],
    [OLDEST, 'paused'],
  ]);
});
