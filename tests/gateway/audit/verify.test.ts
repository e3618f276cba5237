import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createAppender } from '@perennial/gateway/audit/append.ts';
import { type Access, GENESIS } from '@perennial/gateway/audit/entry.ts';
import { startHeads } from '@perennial/gateway/audit/heads.ts';
import { readHeads } from '@perennial/gateway/audit/heads-file.ts';
import { auditKeys } from '@perennial/gateway/audit/keys.ts';
import { createAuditTrail } from '@perennial/gateway/audit/trail.ts';
import { type ChainFault, type ChainReport, type SignedHead, verifyChains } from '@perennial/gateway/audit/verify.ts';
import { createLogger } from '@perennial/schemas/platform/logger.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

const OLD_KEY = 'the-key-that-was-current-at-first';
const NEW_KEY = 'the-key-that-came-after-the-first';
const logger = createLogger('silent', 'test');
const headsFile = join(process.env['PERENNIAL_TEST_DIR'] ?? '', 'verify-heads.jsonl');

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.close());

beforeEach(async () => {
  await rm(headsFile, { force: true });
  await database.db.auditEntry.deleteMany();
  await database.db.auditHead.deleteMany();
});

function access(accountId: string, index: number): Access {
  return {
    accountId,
    at: new Date(),
    requestId: `req_${accountId}_${index}`,
    keyId: 'key_1',
    operation: 'patients.get',
    resourceIds: ['pat_1'],
    status: 200,
  };
}

async function append(accountId: string, count: number, secrets: readonly string[] = [OLD_KEY]): Promise<void> {
  const write = createAppender(database.db, auditKeys(secrets));
  for (let index = 0; index < count; index += 500)
    await write({
      accesses: Array.from({ length: Math.min(500, count - index) }, (_, offset) => access(accountId, index + offset)),
    });
}

/** Signs the ends of the chains as they are, as a gateway that starts does. */
async function sign(secrets: readonly string[] = [OLD_KEY]): Promise<void> {
  const keys = auditKeys(secrets);
  const trail = createAuditTrail(database.db, keys, { delayMaxMs: 5_000, queueMax: 100 }, logger);
  const options = { file: headsFile, url: undefined, intervalMs: 3_600_000 };
  const heads = startHeads(database.db, keys, trail, options, logger);
  await heads.stop();
  await trail.stop(1_000);
}

/** An entry as it was made before there were keys: anybody can. */
async function appendUnkeyed(accountId: string, count: number): Promise<void> {
  let previousHash = GENESIS;
  for (let index = 0; index < count; index += 1) {
    const { at, requestId, keyId, operation, resourceIds, status } = access(accountId, index);
    const text = JSON.stringify([accountId, at, requestId, keyId, operation, resourceIds, status, previousHash]);
    const hash = createHash('sha256').update(text).digest('hex');
    const data = { accountId, at, requestId, keyId, operation, resourceIds: [...resourceIds], status };
    await database.db.auditEntry.create({ data: { ...data, previousHash, hash } });
    previousHash = hash;
  }
}

interface Outcome {
  readonly code: number;
  readonly said: string;
}

function verify(env: NodeJS.ProcessEnv = {}, ...args: readonly string[]): Promise<Outcome> {
  const given = { DATABASE_URL: database.url, AUDIT_KEY: OLD_KEY, AUDIT_HEADS_FILE: headsFile, ...env };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['gateway/audit/verify-main.ts', ...args],
      { env: { PATH: process.env['PATH'], ...given } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    );
  });
}

/** What the command finds, without a process of its own. */
async function verifyHere(signed?: ReadonlyMap<string, SignedHead>): Promise<readonly ChainReport[]> {
  const keys = auditKeys([OLD_KEY]);
  const reports: ChainReport[] = [];
  const heads = signed ?? (await readHeads(headsFile, keys)).heads;
  for await (const report of verifyChains(database.db, keys, heads)) reports.push(report);
  return reports;
}

function sql(text: string): Promise<number> {
  return database.db.$executeRawUnsafe(text);
}

test('npm run audit:verify says that every chain holds', async () => {
  // More than one page of the verification.
  await append('acc_a', 2_100);
  await append('acc_b', 500);
  await sign();
  const sound = await verify();
  expect(sound.said).toMatch(/acc_a {2}2100 entries hold; head [0-9a-f]{64}\n/);
  expect(sound.said).toContain('2 accounts, 2600 entries: every chain holds');
  expect(sound.code).toBe(0);
});

describe('who may write to the whole database is found out:', () => {
  const last = "(SELECT max(seq) FROM edge.audit_entries WHERE account_id = 'acc_b')";
  const attacks: readonly (readonly [string, ChainFault, number, () => Promise<unknown>])[] = [
    [
      'an altered entry',
      'altered',
      7,
      () => sql("UPDATE edge.audit_entries SET status = 201 WHERE request_id = 'req_acc_b_6'"),
    ],
    [
      'an altered origin',
      'altered',
      7,
      () => sql("UPDATE edge.audit_entries SET address = '10.0.0.1' WHERE request_id = 'req_acc_b_6'"),
    ],
    [
      'two entries whose places were exchanged',
      'misplaced',
      3,
      async () => {
        const [third, fourth] = await database.db.auditEntry.findMany({
          where: { requestId: { in: ['req_acc_b_2', 'req_acc_b_3'] } },
          orderBy: { seq: 'asc' },
        });
        await sql(`UPDATE edge.audit_entries SET seq = -1 WHERE seq = ${third?.seq}`);
        await sql(`UPDATE edge.audit_entries SET seq = ${third?.seq} WHERE seq = ${fourth?.seq}`);
        await sql(`UPDATE edge.audit_entries SET seq = ${fourth?.seq} WHERE seq = -1`);
      },
    ],
    ['the last entry removed', 'not_as_signed', 9, () => sql(`DELETE FROM edge.audit_entries WHERE seq = ${last}`)],
    [
      'the last entry removed, and word of the end put back to the one before',
      'not_as_signed',
      9,
      async () => {
        await sql(`DELETE FROM edge.audit_entries WHERE seq = ${last}`);
        await sql(`UPDATE edge.audit_heads SET entries = 9,
          hash = (SELECT hash FROM edge.audit_entries WHERE seq = ${last}) WHERE account_id = 'acc_b'`);
      },
    ],
    ['all entries removed', 'not_as_signed', 0, () => sql("DELETE FROM edge.audit_entries WHERE account_id = 'acc_b'")],
    [
      'a whole chain removed, with word of its end',
      'not_as_signed',
      0,
      async () => {
        await sql("DELETE FROM edge.audit_entries WHERE account_id = 'acc_b'");
        await sql("DELETE FROM edge.audit_heads WHERE account_id = 'acc_b'");
      },
    ],
    [
      'a chain made anew without the key',
      'not_as_signed',
      10,
      async () => {
        await sql("DELETE FROM edge.audit_entries WHERE account_id = 'acc_b'");
        await sql("DELETE FROM edge.audit_heads WHERE account_id = 'acc_b'");
        await appendUnkeyed('acc_b', 10);
      },
    ],
    [
      'a chain made anew with another key',
      'key_unknown',
      1,
      async () => {
        await sql("DELETE FROM edge.audit_entries WHERE account_id = 'acc_b'");
        await sql("DELETE FROM edge.audit_heads WHERE account_id = 'acc_b'");
        await append('acc_b', 10, ['a-key-that-the-forger-has-made-up-himself']);
      },
    ],
    [
      'an entry added to the end without the key',
      'unkeyed',
      11,
      () =>
        sql(`INSERT INTO edge.audit_entries (account_id, at, request_id, key_id, operation, resource_ids, status, previous_hash, hash)
          SELECT account_id, at, 'forged', key_id, operation, resource_ids, status, hash, repeat('a', 64)
          FROM edge.audit_entries WHERE seq = ${last}`),
    ],
  ];
  test.each(attacks)('%s', async (_name, fault, entries, attack) => {
    await append('acc_a', 10);
    await append('acc_b', 10);
    await sign();
    await attack();
    const reports = await verifyHere();
    expect(reports).toMatchObject([
      { accountId: 'acc_a', entries: 10, broken: undefined },
      { accountId: 'acc_b', entries, broken: { fault } },
    ]);
  });

  test('the command says which entry it is, and its exit code is 1', async () => {
    await append('acc_b', 10);
    await sign();
    await sql("UPDATE edge.audit_entries SET status = 201 WHERE request_id = 'req_acc_b_6'");
    const altered = await verify();
    expect(altered.said).toMatch(/acc_b {2}BROKEN at entry 7 \(seq \d+, req_acc_b_6, .*it is not what was written/);
    expect(altered.code).toBe(1);
    await sql('DELETE FROM edge.audit_entries');
    await sql('DELETE FROM edge.audit_heads');
    const gone = await verify();
    expect(gone.said).toMatch(/acc_b {2}BROKEN after 0 entries: it was cut, removed or made anew since .* at 20/);
    expect(gone.code).toBe(1);
  });

  test('a tail that was cut before its end was signed', async () => {
    await append('acc_a', 1);
    await sign();
    await append('acc_b', 10);
    await sql(`DELETE FROM edge.audit_entries WHERE seq = ${last}`);
    expect((await verifyHere())[1]).toMatchObject({ entries: 9, broken: { fault: 'cut' } });
  });

  test('a gateway that goes on behind a cut does not cover it up', async () => {
    await append('acc_b', 10);
    await sql(`DELETE FROM edge.audit_entries WHERE seq >= ${last} - 1`);
    await sql(`UPDATE edge.audit_heads SET entries = 8,
      hash = (SELECT hash FROM edge.audit_entries WHERE seq = ${last}) WHERE account_id = 'acc_b'`);
    await append('acc_b', 3);
    await sign();
    expect(await verifyHere(new Map())).toMatchObject([{ accountId: 'acc_b', entries: 11, broken: { fault: 'cut' } }]);
  });
});

describe('the signed ends', () => {
  const lines = async (): Promise<string[]> => (await readFile(headsFile, 'utf8')).trimEnd().split('\n');
  const put = (changed: readonly string[]): Promise<void> => writeFile(headsFile, `${changed.join('\n')}\n`);

  beforeEach(async () => {
    for (const count of [2, 3, 4]) {
      await append('acc_a', count);
      await sign();
    }
    expect(await lines()).toHaveLength(3);
  });

  test('name only chains that have grown, and can be checked by who has the public key alone', async () => {
    await append('acc_b', 1);
    await sign();
    await sign();
    const all = (await lines()).map(
      (line) => JSON.parse(line) as { heads: [string, number, string][]; number: number },
    );
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(all.map(({ heads }) => heads.map(([account, entries]) => `${account} ${entries}`))).toEqual([
      ['acc_a 2'],
      ['acc_a 5'],
      ['acc_a 9'],
      ['acc_b 1'],
    ]);
    expect((await verifyHere()).map(({ broken }) => broken)).toEqual([undefined, undefined]);
    await put((await lines()).toSpliced(1, 1));
    expect(await verify()).toMatchObject({ code: 1, said: expect.stringContaining('BROKEN: line 2') });
  });

  test.each([
    ['altered', (all: string[]) => all.map((line) => line.replace('acc_a', 'acc_x')), 'line 1'],
    ['removed', (all: string[]) => all.toSpliced(1, 1), 'line 2'],
    ['moved', (all: string[]) => [all[1] as string, all[0] as string, all[2] as string], 'line 1'],
    ['broken off', (all: string[]) => [...all.slice(0, 2), (all[2] as string).slice(0, 40)], 'line 3'],
  ])('of which a line was %s do not hold', async (_name, change, expected) => {
    await put(change(await lines()));
    await expect(readHeads(headsFile, auditKeys([OLD_KEY]))).rejects.toThrow(expected);
  });

  test('are missed when they are not there', async () => {
    await rm(headsFile);
    expect(await verify()).toMatchObject({ code: 2, said: expect.stringContaining('--without-heads') });
    expect(await verify({}, '--without-heads')).toMatchObject({ code: 0 });
  });
});

test('a new key goes on where the old one ended, and both verify what they made', async () => {
  await append('acc_a', 3, [OLD_KEY]);
  await sign([OLD_KEY]);
  await append('acc_a', 3, [NEW_KEY, OLD_KEY]);
  await sign([NEW_KEY, OLD_KEY]);
  expect(await verify({ AUDIT_KEY: `${NEW_KEY},${OLD_KEY}` })).toMatchObject({
    code: 0,
    said: expect.stringMatching(/acc_a {2}6 entries hold/),
  });
  expect(await verify({ AUDIT_KEY: NEW_KEY })).toMatchObject({ code: 1 });
});

describe('chains from before there were keys', () => {
  test('hold up to the entry that a gateway continues them with, once', async () => {
    await appendUnkeyed('acc_a', 4);
    expect(await verifyHere(new Map())).toMatchObject([{ broken: { fault: 'unsealed' } }]);
    await sign();
    await sign();
    const sound = await verify();
    expect(sound.said).toMatch(/acc_a {2}5 entries hold, 4 of them from before there were keys/);
    expect(sound.code).toBe(0);
  });

  test('are not believed when they turn up later', async () => {
    await append('acc_a', 1);
    await sign();
    await appendUnkeyed('acc_b', 4);
    await sign();
    expect((await verifyHere())[1]).toMatchObject({ entries: 4, broken: { fault: 'unsealed' } });
  });

  test('cannot be altered once they have been continued', async () => {
    await appendUnkeyed('acc_a', 4);
    await sign();
    await sql("UPDATE edge.audit_entries SET status = 201 WHERE request_id = 'req_acc_a_1'");
    expect(await verifyHere()).toMatchObject([{ entries: 2, broken: { fault: 'altered' } }]);
  });
});

describe('it says so', () => {
  test('when there is nothing to read, and does not make a database', async () => {
    const outcome = await verify({ DATABASE_URL: '', DATA_DIR: '/tmp/perennial-no-such-folder' });
    expect(outcome).toMatchObject({ code: 2, said: expect.stringContaining('there is no database') });
  });

  test('when there is no key', async () => {
    const outcome = await verify({ AUDIT_KEY: '', DATA_DIR: '/tmp/perennial-no-such-folder' });
    expect(outcome).toMatchObject({ code: 2, said: expect.stringContaining('there is no key') });
  });
});
