import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { auditKeys } from '@perennial/gateway/audit/keys.ts';
import { verifyChain } from '@perennial/gateway/audit/verify.ts';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import pg from 'pg';
import { TEST_SECRET } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { type Answer, sendTo, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { TEST_AUDIT_KEY } from '../../support/secret.ts';

const keys = auditKeys([TEST_AUDIT_KEY]);

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let account: FreshAccount;
const path = `/v2023-10-15/patients/${fakePatient.id}`;
const DELAY_MS = 300;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url, {
    config: { auditDelayMaxMs: DELAY_MS, auditQueueMax: 40 },
  });
});

beforeEach(async () => {
  account = await createAccount(database.db);
  core.answer = undefined;
  core.seen.length = 0;
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

function read(): Promise<Answer> {
  return gateway.send('GET', path, { key: account.apiKey });
}

function idOf({ headers }: Answer): string {
  return String(headers['x-request-id']);
}

/** Keeps the table from taking entries until the returned function is called. */
async function holdTable(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE edge.audit_entries IN EXCLUSIVE MODE');
  return () => client.end();
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 5_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function count(): Promise<number> {
  return database.db.auditEntry.count({ where: { accountId: account.accountId } });
}

describe('while the database takes no entries', () => {
  test('reads are served for as long as entries may wait, then refused with 503; afterwards all served are on record', async () => {
    await read();
    await until(async () => (await count()) === 1);
    const release = await holdTable();
    const served: Answer[] = [];
    const begun = performance.now();
    let refused: Answer | undefined;
    try {
      await until(async () => {
        const answer = await read();
        if (answer.status === 200) served.push(answer);
        else refused = answer;
        return refused !== undefined;
      });
    } finally {
      await release();
    }
    expect(performance.now() - begun).toBeGreaterThan(DELAY_MS);
    expect(served.length).toBeGreaterThan(1);
    expect(refused).toMatchObject({ status: 503, error: { code: 'unavailable' }, headers: { 'retry-after': '5' } });
    expect(core.seen).toHaveLength(1 + served.length);
    await until(async () => (await count()) === 1 + served.length);
    expect((await read()).status).toBe(200);
    expect(await verifyChain(database.db, keys, account.accountId)).toMatchObject({ broken: undefined });
    expect(gateway.log.join('')).toContain('cannot be audited');
  });

  test('no more reads are served than entries may wait, however fast they come', async () => {
    await read();
    await until(async () => (await count()) === 1);
    const release = await holdTable();
    const statuses: number[] = [];
    try {
      for (let index = 0; index < 60; index += 1) statuses.push((await read()).status);
    } finally {
      await release();
    }
    expect(statuses.indexOf(503)).toBeLessThanOrEqual(41);
    expect(statuses.lastIndexOf(200)).toBeLessThan(statuses.indexOf(503));
    await until(async () => (await count()) === 1 + statuses.filter((status) => status === 200).length);
  });

  test('a write is refused with 503 and core is not asked', async () => {
    const release = await holdTable();
    let answer: Answer;
    try {
      answer = await gateway.send('PATCH', path, { key: account.apiKey, body: { name: 'Z' } });
    } finally {
      await release();
    }
    expect(answer.status).toBe(503);
    expect(core.seen).toHaveLength(0);
    // The attempt itself stays on record, with how it ended.
    await until(async () => (await count()) === 2);
    const found = await database.db.auditEntry.findMany({
      where: { accountId: account.accountId },
      orderBy: { seq: 'asc' },
    });
    expect(found.map(({ status }) => status)).toEqual([0, 503]);
  });

  test('what concerns no patient is answered', async () => {
    const release = await holdTable();
    try {
      await read();
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS + 50));
      expect((await read()).status).toBe(503);
      expect((await gateway.send('GET', '/versions')).status).toBe(200);
    } finally {
      await release();
    }
  });
});

test('connections that break in the middle of a commit lose no entry and write none twice', async () => {
  const killer = new pg.Client({ connectionString: database.url });
  await killer.connect();
  const kill = (): Promise<unknown> =>
    killer.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'perennial-gateway'`,
    );
  const ids: string[] = [];
  await read().then((answer) => ids.push(idOf(answer)));
  for (let round = 0; round < 15; round += 1) {
    const answers = await Promise.all([read(), read(), round % 3 === 0 ? kill() : undefined]);
    for (const answer of answers.slice(0, 2) as Answer[]) if (answer.status === 200) ids.push(idOf(answer));
    if (round % 3 === 1) await new Promise((resolve) => setTimeout(resolve, 51));
  }
  await killer.end();
  await until(async () => (await count()) >= ids.length);
  const found = await database.db.auditEntry.findMany({ where: { accountId: account.accountId, status: 200 } });
  expect(found.map(({ requestId }) => requestId).sort()).toEqual([...ids].sort());
  expect(await verifyChain(database.db, keys, account.accountId)).toMatchObject({ broken: undefined });
});

test('a write that was under way when the gateway was killed (SIGKILL) is on record', async () => {
  const child = spawn(process.execPath, ['gateway/main.ts'], {
    env: {
      ...process.env,
      CORE_URL: core.url,
      DATABASE_URL: database.url,
      AUDIT_KEY: TEST_AUDIT_KEY,
      AUDIT_HEADS_FILE: `${process.env['PERENNIAL_TEST_DIR']}/heads-killed.jsonl`,
      INTERNAL_SECRET: TEST_SECRET,
      PORT: '0',
      LOG_LEVEL: 'error',
      // It would ask the core of this test, who counts what it is asked.
      WEBHOOK_DELIVERY: 'false',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const [{ url }] = (await once(child, 'message')) as [{ url: string }];
    core.answer = () => {
      child.kill('SIGKILL');
    };
    await expect(sendTo(url, 'PATCH', path, { key: account.apiKey, body: { name: 'Z' } })).rejects.toThrow();
    expect(core.seen).toHaveLength(1);
    const found = await database.db.auditEntry.findMany({ where: { accountId: account.accountId } });
    expect(found).toMatchObject([{ operation: 'patients.update', status: 0, resourceIds: [fakePatient.id] }]);
  } finally {
    child.kill('SIGKILL');
  }
});
