import { mkdtempSync, readFileSync } from 'node:fs';
import { Agent, get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeCore, fakePatient, startFakeCore } from '../support/fake-core.ts';
import { type Answer, sendTo } from '../support/gateway.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const REQUESTS = 30;

let database: TestDatabase;
let core: FakeCore;
let account: FreshAccount;
let gateway: ServiceProcess;
/** Every gateway of a database needs the same keys, and finds them here. */
const dataDir = mkdtempSync(join(process.env['PERENNIAL_TEST_DIR'] ?? tmpdir(), 'workers-'));

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db, { operator: true });
  core = await startFakeCore();
  gateway = await startServiceProcess('gateway/main.ts', {
    DATABASE_URL: database.url,
    CORE_URL: core.url,
    INTERNAL_SECRET: TEST_SECRET,
    DATA_DIR: dataDir,
    WORKERS: '3',
  });
});

afterAll(async () => {
  await gateway?.stop();
  await core.stop();
  await database.close();
});

/** Every request is on a connection of its own, and connections are dealt out to the workers in turn. */
const get = (path: string, key: string): Promise<Answer> => sendTo(gateway.url, 'GET', path, { key });

test('the figures are those of all workers, whichever is asked', async () => {
  for (let sent = 0; sent < REQUESTS; sent += 1) {
    const answer = await get(`/v2022-11-15/patients/${fakePatient.id}`, account.legacyApiKey);
    expect(answer.status).toBe(200);
  }
  const counted = /^perennial_request_duration_seconds_count\{operation="patients.get",[^}]*\} (\d+)$/m;
  // A request is counted when its connection has been told of its end, which may be a moment after the client was.
  for (let tries = 0; ; tries += 1) {
    const counts: number[] = [];
    for (let asked = 0; asked < 4; asked += 1) {
      const answer = await get('/metrics', account.adminKey);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
      counts.push(Number(counted.exec(answer.text)?.[1]));
    }
    if (counts.every((count) => count === REQUESTS)) break;
    if (tries === 20) expect(counts).toEqual(counts.map(() => REQUESTS));
  }
});

test.each([1, 40])('a client has its whole rate, and no more, on %i connections', async (connections) => {
  const limited = await startServiceProcess('gateway/main.ts', {
    DATABASE_URL: database.url,
    CORE_URL: core.url,
    INTERNAL_SECRET: TEST_SECRET,
    DATA_DIR: dataDir,
    WORKERS: '3',
    RATE_LIMIT_PER_MINUTE: '60',
  });
  try {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const ask = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${account.legacyApiKey}` };
        const url = `${limited.url}/v2022-11-15/patients/${fakePatient.id}`;
        httpGet(url, { agent, headers }, (answer) => {
          answer.resume();
          answer.on('end', () => resolve(answer.statusCode ?? 0));
        }).on('error', reject);
      });
    const statuses = await Promise.all(Array.from({ length: 90 }, ask));
    agent.destroy();
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  } finally {
    await limited.stop();
  }
});

test('a worker that hangs is replaced', async () => {
  const watched = await startServiceProcess('gateway/main.ts', {
    DATABASE_URL: database.url,
    CORE_URL: core.url,
    INTERNAL_SECRET: TEST_SECRET,
    DATA_DIR: dataDir,
    WORKERS: '2',
    HANG_MS_MAX: '5000',
  });
  const workers = (): readonly number[] =>
    readFileSync(`/proc/${watched.pid}/task/${watched.pid}/children`, 'utf8').trim().split(' ').map(Number);
  try {
    const [hung] = workers() as [number];
    process.kill(hung, 'SIGSTOP');
    while (workers().includes(hung)) await sleep(50);
    for (let sent = 0; sent < 4; sent += 1)
      expect((await sendTo(watched.url, 'GET', '/health', { key: account.apiKey })).status).toBe(200);
  } finally {
    await watched.stop();
  }
});

test('told to stop, every worker ends', async () => {
  await gateway.stop();
  expect(gateway.isAlive()).toBe(false);
  await expect(get('/health', account.apiKey)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
