import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asSystem } from '@perennial/prisma/scope.ts';
import { type Caller, RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import { send, startCore, TEST_SECRET, type TestCore } from '../../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../../support/database.ts';

const caller: Caller = { accountId: 'acc_test', keyId: 'key_test', scopes: ['admin'] };

let database: TestDatabase;
let cores: TestCore[];

beforeAll(async () => {
  database = await freshDatabase();
  cores = [await startCore(database.url), await startCore(database.url)];
});

afterAll(async () => {
  for (const core of cores) await core.stop();
  await database.close();
});

/** Sends the same request, token and all, to each core in turn. */
async function sendToAll(method: string, path: string, token: string, body?: Buffer): Promise<readonly number[]> {
  const statuses: number[] = [];
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  for (const core of [...cores, ...cores])
    statuses.push((await send(core.url, method, path, { authorization: `Bearer ${token}`, ...type }, body)).status);
  return statuses;
}

test('a request that any core may take is taken by one of them, once', async () => {
  const signer = new RequestSigner(TEST_SECRET);
  const body = Buffer.from(JSON.stringify({ name: 'Ada Lovelace', dob: '1984-03-07' }));
  expect(await sendToAll('POST', '/patients', signer.sign(caller, 'POST', '/patients', undefined), body)).toEqual([
    201, 401, 401, 401,
  ]);
  expect(await sendToAll('GET', '/patients', signer.sign(caller, 'GET', '/patients', undefined))).toEqual([
    200, 401, 401, 401,
  ]);
  expect(await database.db.patient.count()).toBe(1);
});

test('of many cores that are sent it in the same moment, one takes it', async () => {
  const signer = new RequestSigner(TEST_SECRET);
  for (let round = 0; round < 20; round += 1) {
    const authorization = `Bearer ${signer.sign(caller, 'GET', '/patients', undefined)}`;
    const answers = await Promise.all(
      [...cores, ...cores].map((core) => send(core.url, 'GET', '/patients', { authorization })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  }
});

test('a request that names its core is remembered nowhere else, and one that was taken is forgotten in time', async () => {
  await database.db.$executeRaw`UPDATE core.shared_requests SET taken_at = now() - interval '1 hour'`;
  const [first] = cores as [TestCore];
  expect((await first.call('GET', '/patients')).status).toBe(200);
  const signer = new RequestSigner(TEST_SECRET);
  const authorization = `Bearer ${signer.sign(caller, 'GET', '/patients', undefined)}`;
  expect((await send(first.url, 'GET', '/patients', { authorization })).status).toBe(200);
  await asSystem('retention', () => first.services.sharedRequests.removeExpired());
  expect(await database.db.sharedRequest.count()).toBe(1);
});
