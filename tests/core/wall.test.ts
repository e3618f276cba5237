import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { asAccount, asSystem } from '@perennial/prisma/scope.ts';
import pg from 'pg';
import { startCore, type TestCore } from '../support/core.ts';
import { freshDatabase, loginsOf, type TestDatabase } from '../support/database.ts';

const mine = { caller: { accountId: 'acc_mine' } };
const theirs = { caller: { accountId: 'acc_theirs' } };

let database: TestDatabase;
let core: TestCore;
/** As core has it, with one connection, so that whatever stays on it would be seen. */
let db: Database;
let patientId: string;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  db = createDatabase(loginsOf(database.url).coreUrl, { poolMax: 1, isScoped: true });
  const made = await core.call<{ id: string }>('POST', '/patients', {
    ...theirs,
    body: { name: 'Their Patient', dob: '1970-01-01' },
  });
  patientId = made.data.id;
  await core.call('POST', '/patients', { ...mine, body: { name: 'My Patient', dob: '1980-01-01' } });
});

afterAll(async () => {
  await db.$disconnect();
  await core.stop();
  await database.close();
});

/** Makes every statement forget the account, wherever it names it, until the returned function is called. */
function forgetAccounts(): { readonly forgotten: () => number; readonly stop: () => void } {
  const { prepare } = pg.Query.prototype;
  let count = 0;
  const patched: { text?: string } & typeof pg.Query.prototype = pg.Query.prototype;
  patched.prepare = function (this: pg.Query & { text?: string }, connection) {
    const before = this.text ?? '';
    this.text = before.replace(
      /((?:"?core"?\.)?(?:"?\w+"?\.)?"?account_id"?) = (\$\d+)/g,
      (_whole, column: string, value: string) => `(${column} = ${value} OR ${value}::text IS NOT NULL)`,
    );
    if (this.text !== before) count += 1;
    prepare.call(this, connection);
  };
  return {
    forgotten: () => count,
    stop: () => {
      patched.prepare = prepare;
    },
  };
}

describe('with every WHERE of an account removed', () => {
  let forgetting: ReturnType<typeof forgetAccounts>;

  afterEach(() => forgetting.stop());

  const reads: readonly (readonly [string, () => string])[] = [
    ['a patient', () => `/patients/${patientId}`],
    ['a patient’s history', () => `/patients/${patientId}/history`],
    ['a patient’s records', () => `/patients/${patientId}/records`],
  ];

  test.each(reads)('%s of another account is still missing', async (_what, path) => {
    forgetting = forgetAccounts();
    const answer = await core.call('GET', path(), mine);
    expect(forgetting.forgotten()).toBeGreaterThan(0);
    expect([answer.status, answer.text.includes('Their')]).toEqual([404, false]);
  });

  test.each(['/patients', '/patients/search?query=patient', '/records'])('%s lists one’s own', async (path) => {
    forgetting = forgetAccounts();
    const answer = await core.call('GET', path, mine);
    expect(forgetting.forgotten()).toBeGreaterThan(0);
    expect([answer.status, answer.text.includes('Their'), answer.text.includes('theirs')]).toEqual([200, false, false]);
  });

  test.each(['PATCH', 'DELETE'])('%s changes nothing of another account', async (method) => {
    forgetting = forgetAccounts();
    const answer = await core.call(method, `/patients/${patientId}`, {
      ...mine,
      ...(method === 'PATCH' ? { body: { name: 'Taken' } } : {}),
    });
    expect(answer.status).toBe(404);
    forgetting.stop();
    expect((await core.call('GET', `/patients/${patientId}`, theirs)).text).toContain('Their Patient');
  });

  test('the queries do leak where there is no wall: this test can fail', async () => {
    const open = await startCore(database.url, { databaseUrl: database.url });
    try {
      forgetting = forgetAccounts();
      expect((await open.call('GET', `/patients/${patientId}`, mine)).text).toContain('Their Patient');
    } finally {
      forgetting.stop();
      await open.stop();
    }
  });
});

describe('the wall', () => {
  const names = (found: readonly { name: string }[]): readonly string[] => found.map(({ name }) => name);

  test('stands before every table that has accounts, and those whose rows belong to one of them', async () => {
    const open = await database.db.$queryRaw<{ name: string }[]>`
      SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('core', 'edge') AND c.relkind = 'r' AND NOT c.relrowsecurity ORDER BY 1`;
    // None of these says anything about anybody.
    expect(names(open)).toEqual([
      'core.blob_intents',
      'core.event_sequences',
      'core.installation',
      'core.shared_requests',
      'edge.installation',
    ]);
  });

  test('shows nothing to a query that says for nobody, which is not even sent', async () => {
    await expect(db.$queryRaw`SELECT 1`).rejects.toThrow('on behalf of');
    await expect(db.$transaction(async () => undefined)).rejects.toThrow('on behalf of');
  });

  test('shows an account its own rows, and the named paths all of them', async () => {
    const all = (): Promise<readonly { account: string }[]> =>
      db.$queryRaw<{ account: string }[]>`SELECT DISTINCT account_id AS account FROM core.patients ORDER BY 1`;
    expect(await asAccount('acc_mine', all)).toEqual([{ account: 'acc_mine' }]);
    expect(await asAccount("acc_mine' OR true --", all)).toEqual([]);
    expect(await asAccount('', all)).toEqual([]);
    expect(await asSystem('retention', all)).toEqual([{ account: 'acc_mine' }, { account: 'acc_theirs' }]);
  });

  test('takes no rows for another account, written or moved there', async () => {
    const patient = { id: 'pat_wall', accountId: 'acc_theirs', name: 'X', dob: new Date('1980-01-01') };
    await expect(asAccount('acc_mine', () => db.patient.create({ data: patient }))).rejects.toThrow(
      /row-level security/,
    );
    await expect(
      asAccount('acc_mine', () => db.$executeRaw`UPDATE core.patients SET account_id = 'acc_theirs'`),
    ).rejects.toThrow(/row-level security/);
  });

  test('stays where it is however transactions end, and whoever takes the connection next', async () => {
    const seen = (client: Pick<Database, '$queryRaw'> = db): Promise<readonly { account: string; role: string }[]> =>
      client.$queryRaw<{ account: string; role: string }[]>`
        SELECT current_setting('perennial.account', true) AS account, current_user::text AS role`;
    const broken = asSystem('jobs', () =>
      db.$transaction(async (transaction) => {
        expect((await seen(transaction))[0]?.account).toBe('');
        await transaction.$executeRaw`SELECT 1 / 0`;
      }),
    );
    await expect(broken).rejects.toThrow();
    const [after] = await asAccount('acc_mine', () => seen());
    expect(after).toMatchObject({ account: 'acc_mine', role: expect.stringMatching(/_core$/) });

    const parts = await asSystem('jobs', () =>
      db.$transaction(async (transaction) => {
        const [before] = await seen(transaction);
        const [inside] = await asAccount('acc_mine', () => seen(transaction));
        const undone = transaction.$transaction(async (inner) => {
          await asAccount('acc_theirs', () => seen(inner));
          throw new Error('undone');
        });
        await expect(undone).rejects.toThrow('undone');
        const [behind] = await asAccount('acc_mine', () => seen(transaction));
        const [last] = await seen(transaction);
        return [before, inside, behind, last].map((each) => each?.account);
      }),
    );
    expect(parts).toEqual(['', 'acc_mine', 'acc_mine', '']);
    const owner = await database.db.$queryRaw<{ account: string | null }[]>`
      SELECT current_setting('perennial.account', true) AS account`;
    expect(owner[0]?.account ?? '').toBe('');
  });

  test('mixes no accounts that wait for one connection', async () => {
    const asked = Array.from({ length: 60 }, (_, index) => {
      const account = `acc_${index % 7}`;
      return asAccount(account, async () => {
        const work = (client: Pick<Database, '$queryRaw'>): Promise<{ account: string }[]> =>
          client.$queryRaw<
            { account: string }[]
          >`SELECT current_setting('perennial.account') AS account, ${index}::int AS n`;
        const [row] = index % 3 === 0 ? await db.$transaction((transaction) => work(transaction)) : await work(db);
        return row?.account === account;
      });
    });
    expect(new Set(await Promise.all(asked))).toEqual(new Set([true]));
  });
});

test('nothing in core asks by findUnique: Prisma joins such queries of one moment, whoever asks, into one', async () => {
  const root = join(import.meta.dirname, '../../core');
  const files = (await readdir(root, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.includes('node_modules'),
  );
  expect(files.length).toBeGreaterThan(100);
  for (const name of files)
    expect([name, (await readFile(join(root, name), 'utf8')).includes('.findUnique')]).toEqual([name, false]);
});
