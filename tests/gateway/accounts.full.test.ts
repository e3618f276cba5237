import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditKeys } from '@perennial/gateway/audit/keys.ts';
import { verifyChain } from '@perennial/gateway/audit/verify.ts';
import { hashApiKey } from '@perennial/schemas/platform/credentials.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { TEST_AUDIT_KEY } from '../support/secret.ts';

interface Run {
  readonly code: number | null;
  /** What was printed, a line each. */
  readonly lines: readonly Record<string, unknown>[];
  readonly stderr: string;
}

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.close());

/** The command itself, as `npm run accounts` starts it. */
function accounts(...args: readonly string[]): Promise<Run> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'gateway/accounts-main.ts', ...args],
    {
      env: { ...process.env, DATABASE_URL: database.url, AUDIT_KEY: TEST_AUDIT_KEY },
    },
  );
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) =>
    child.once('close', (code) => {
      const lines = stdout.split('\n').filter((line) => line !== '');
      resolve({ code, stderr, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) });
    }),
  );
}

const find = (key: unknown) => database.db.apiKey.findUnique({ where: { hash: hashApiKey(String(key)) } });

describe('npm run accounts', () => {
  test('makes an account whose keys are shown once, rotated with overlap, and revoked', async () => {
    const created = await accounts('create', '--name', 'Saint Mary', '--pin', '2022-11-15');
    expect([created.code, created.stderr]).toEqual([0, '']);
    const account = created.lines[0] as { accountId: string; apiKey: string; adminKey: string };
    expect((await find(account.adminKey))?.scopes).toEqual(['admin']);
    expect(await database.db.account.findUnique({ where: { id: account.accountId } })).toMatchObject({
      name: 'Saint Mary',
      pinnedRelease: '2022-11-15',
    });

    const old = await find(account.apiKey);
    const rotated = await accounts('rotate', '--key', String(old?.id), '--overlap-hours', '1');
    const made = await find(rotated.lines[0]?.['key']);
    expect([made?.scopes, made?.expiresAt, made?.format]).toEqual([old?.scopes, null, old?.format]);
    const left = ((await find(account.apiKey))?.expiresAt?.getTime() ?? 0) - Date.now();
    expect(left).toBeGreaterThan(3_000_000);
    expect(left).toBeLessThanOrEqual(3_600_000);

    expect((await accounts('revoke', '--key', String(made?.id))).code).toBe(0);
    expect((await find(rotated.lines[0]?.['key']))?.revokedAt).toBeInstanceOf(Date);
    expect((await accounts('rotate', '--key', String(made?.id))).code).toBe(2);

    const listed = await accounts('list', '--account', account.accountId);
    expect(listed.lines).toHaveLength(4);
    const text = JSON.stringify(listed.lines);
    for (const secret of [account.apiKey, account.adminKey, made?.hash as string]) expect(text).not.toContain(secret);
  });

  test('gives a key of some scopes only, and moves a pin', async () => {
    const account = (await accounts('create', '--name', 'Lab', '--operator', '--mode', 'test')).lines[0];
    expect((await find(account?.['adminKey']))?.scopes).toEqual(['admin', 'operator']);
    const id = String(account?.['accountId']);
    const key = await accounts('key', '--account', id, '--scopes', 'patients:read', '--expires', '2999-01-01');
    expect(await find(key.lines[0]?.['key'])).toMatchObject({
      scopes: ['patients:read'],
      mode: 'test',
      expiresAt: new Date('2999-01-01'),
    });
    expect((await accounts('pin', '--account', id, '--version', '2023-04-30')).code).toBe(0);
    expect((await accounts('pin', '--account', id, '--version', 'none')).lines).toEqual([{ id, pinnedRelease: null }]);
  });

  test('is on record in the trail of the account it concerns, before and after', async () => {
    const { accountId } = (await accounts('create', '--name', 'Lab')).lines[0] as { accountId: string };
    await accounts('list', '--account', accountId);
    const key = await database.db.apiKey.findFirstOrThrow({ where: { accountId } });
    await accounts('revoke', '--key', key.id);
    expect((await accounts('revoke', '--key', key.id)).code).toBe(2);
    const entries = await database.db.auditEntry.findMany({ where: { accountId }, orderBy: { seq: 'asc' } });
    expect(entries.map(({ operation, status, resourceIds }) => [operation, status, ...resourceIds])).toEqual([
      ['accounts.create', 0, accountId],
      ['accounts.create', 200, accountId],
      ['accounts.list', 0, accountId],
      ['accounts.list', 200, accountId],
      ['accounts.revoke', 0, key.id],
      ['accounts.revoke', 200, key.id],
      ['accounts.revoke', 0, key.id],
      ['accounts.revoke', 500, key.id],
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({ keyId: 'operator', client: expect.stringMatching(/^accounts/) });
    expect(await verifyChain(database.db, auditKeys([TEST_AUDIT_KEY]), accountId)).toMatchObject({ broken: undefined });
  });

  test.each([
    [['create']],
    [['create', '--name', 'X', '--pin', '2023-01-01']],
    [['key', '--account', 'acc_nobody']],
    [['rotate', '--key', 'key_nobody']],
    [['revoke', '--key', 'key_nobody']],
    [['pin', '--account', 'acc_nobody', '--version', 'none']],
    [['destroy']],
    [[]],
    [['list', '--everything']],
  ])('says what is wrong and changes nothing: %j', async (args) => {
    const before = await database.db.apiKey.count();
    const { code, lines, stderr } = await accounts(...args);
    expect([code, lines]).toEqual([2, []]);
    expect(stderr).toMatch(/^(accounts: |usage: )/);
    expect(await database.db.apiKey.count()).toBe(before);
  });
});
