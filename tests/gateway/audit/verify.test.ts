import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAppender } from '@perennial/gateway/audit/append.ts';
import type { Access } from '@perennial/gateway/audit/entry.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  const append = createAppender(database.db);
  const access = (accountId: string, index: number): Access => ({
    accountId,
    at: new Date(),
    requestId: `req_${accountId}_${index}`,
    keyId: 'key_1',
    operation: 'patients.get',
    resourceIds: ['pat_1'],
    status: 200,
  });
  // More than one page of the verification.
  for (let batch = 0; batch < 5; batch += 1)
    await append({
      accesses: Array.from({ length: 500 }, (_, index) =>
        access(index % 5 === 0 ? 'acc_b' : 'acc_a', batch * 500 + index),
      ),
    });
});

afterAll(() => database.close());

interface Outcome {
  readonly code: number;
  readonly said: string;
}

function verify(env: NodeJS.ProcessEnv = { DATABASE_URL: database.url }): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['gateway/audit/verify-main.ts'],
      { env: { PATH: process.env['PATH'], ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    );
  });
}

test('npm run audit:verify says that every chain holds, then which entry does not, by its exit code as well', async () => {
  const sound = await verify();
  expect(sound.code).toBe(0);
  expect(sound.said).toMatch(/acc_a {2}2000 entries hold; head [0-9a-f]{64}\n/);
  expect(sound.said).toContain('2 accounts, 2500 entries: every chain holds');

  await database.db.$executeRaw`UPDATE edge.audit_entries SET status = 201 WHERE request_id = 'req_acc_b_1505'`;
  const broken = await verify();
  expect(broken.code).toBe(1);
  expect(broken.said).toMatch(/acc_b {2}BROKEN at entry 302 \(seq \d+, req_acc_b_1505, .*it is not what was written/);
  expect(broken.said).toContain('1 BROKEN');
});

test('it says so when there is nothing to read, and does not make a database', async () => {
  const outcome = await verify({ DATA_DIR: '/tmp/perennial-no-such-folder' });
  expect(outcome).toMatchObject({ code: 2, said: expect.stringContaining('there is no database') });
});
