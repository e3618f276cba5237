import { fork } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MIGRATIONS_DIR, migrate, readMigrations } from '@perennial/prisma/migrate.ts';
import { diffToSchema } from '@perennial/prisma/schema-engine.ts';
import pg from 'pg';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/database.ts';

describe('migrations', () => {
  let database: TestDatabase;
  let dir: string;

  beforeEach(async () => {
    database = await emptyDatabase();
    dir = await mkdtemp(join(tmpdir(), 'perennial-migrations-'));
    await cp(MIGRATIONS_DIR, dir, { recursive: true });
  });

  afterEach(async () => {
    await database.close();
    await rm(dir, { recursive: true, force: true });
  });

  const add = async (name: string, sql: string): Promise<void> => {
    await mkdir(join(dir, name), { recursive: true });
    await writeFile(join(dir, name, 'migration.sql'), sql);
  };

  const query = async (sql: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  test('and schema.prisma agree', async () => {
    await migrate(database.url);
    expect(await diffToSchema(database.url)).toBe('');
    // The comparison sees a difference where there is one.
    await query('ALTER TABLE core.patients DROP COLUMN phone CASCADE');
    expect(await diffToSchema(database.url)).toContain('ADD COLUMN     "phone" TEXT');
  });

  test('take nothing away that the release before still needs, unless they say that it needs it no more', async () => {
    // From here on two releases run side by side.
    const since = '20261122160000';
    const takesAway =
      /\b(DROP (TABLE|COLUMN|VIEW|SCHEMA|TYPE)|RENAME (TO|COLUMN)|ALTER COLUMN "?\w+"? (SET NOT NULL|TYPE|SET DATA TYPE))\b/i;
    for (const { name, sql } of await readMigrations()) {
      if (name < since || /^-- contract: \S/m.test(sql)) continue;
      expect([name, takesAway.exec(sql.replace(/^\s*--.*$/gm, ''))?.[0]]).toEqual([name, undefined]);
    }
  });

  test('are recorded as Prisma records them, and a second run applies nothing', async () => {
    const names = (await readMigrations()).map(({ name }) => name);
    expect((await migrate(database.url)).applied).toEqual(names);
    expect(await migrate(database.url)).toEqual({ applied: [], unknown: [] });
    const rows = await query('SELECT * FROM _prisma_migrations ORDER BY started_at');
    expect(rows.map((row) => row['migration_name'])).toEqual(names);
    for (const row of rows) {
      expect(row['checksum']).toMatch(/^[0-9a-f]{64}$/);
      expect(row).toMatchObject({ applied_steps_count: 1, rolled_back_at: null, logs: null });
      expect(row['finished_at']).toBeInstanceOf(Date);
    }
  });

  test('are applied once by processes that start together', async () => {
    const reports = await Promise.all([1, 2, 3].map(() => migrate(database.url)));
    expect(reports.map(({ applied }) => applied.length).sort()).toEqual([0, 0, (await readMigrations()).length]);
  });

  test('that were changed after they had been applied are refused, by name and with what to do', async () => {
    await add('29990101000000_more', 'CREATE TABLE more (id int);');
    await migrate(database.url, dir);
    await add('29990101000000_more', 'CREATE TABLE more (id bigint);');
    await expect(migrate(database.url, dir)).rejects.toThrow(
      'migration 29990101000000_more was changed after it had been applied to this database; restore its file and put the change into a new migration',
    );
  });

  test('checked out with other line ends are the same migrations', async () => {
    await add('29990101000000_more', 'CREATE TABLE more (id int);\n\nCREATE TABLE most (id int);\n');
    await migrate(database.url, dir);
    await add('29990101000000_more', 'CREATE TABLE more (id int);\r\n\r\nCREATE TABLE most (id int);\r\n');
    expect((await migrate(database.url, dir)).applied).toEqual([]);
  });

  test('that fail leave nothing behind, and the next run continues once they are repaired', async () => {
    await add('29990101000000_more', 'CREATE TABLE more (id int); SELECT 1/0;');
    await expect(migrate(database.url, dir)).rejects.toThrow(
      /29990101000000_more failed and was rolled back: division/,
    );
    expect(await query("SELECT to_regclass('more') AS found")).toEqual([{ found: null }]);
    await add('29990101000000_more', 'CREATE TABLE more (id int);');
    expect((await migrate(database.url, dir)).applied).toEqual(['29990101000000_more']);
  });

  test('that a newer release applied do not stop an older one, which a rolling deployment needs', async () => {
    await add('29990101000000_more', 'CREATE TABLE more (id int);');
    await migrate(database.url, dir);
    expect((await migrate(database.url)).unknown).toEqual(['29990101000000_more']);
  });

  test('that Prisma left half applied are refused', async () => {
    await migrate(database.url);
    await query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', '29990101000000_half')",
    );
    await expect(migrate(database.url)).rejects.toThrow(/29990101000000_half failed half way/);
  });

  test('survive SIGKILL in the middle: the next run starts from a whole state', async () => {
    await add('29990101000000_slow', 'CREATE TABLE slow (id int); SELECT pg_sleep(20);');
    const script = join(dir, 'run.ts');
    // The script lies outside the repository, so what it imports is named by its full path.
    await writeFile(
      script,
      `import { migrate } from ${JSON.stringify(join(MIGRATIONS_DIR, '..', 'migrate.ts'))}; await migrate(${JSON.stringify(database.url)}, ${JSON.stringify(dir)});`,
    );
    const child = fork(script, { execArgv: [], stdio: 'ignore' });
    const sleeping = "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND pid <> pg_backend_pid()";
    while ((await query(sleeping)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGKILL');
    await query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'perennial-migrate' AND datname = current_database()`,
    );
    expect(await query("SELECT to_regclass('slow') AS found")).toEqual([{ found: null }]);
    await add('29990101000000_slow', 'CREATE TABLE slow (id int);');
    expect((await migrate(database.url, dir)).applied).toEqual(['29990101000000_slow']);
  });
});

describe('the database', () => {
  test('keeps the order of the members of a stored answer', async () => {
    const database = await freshDatabase();
    try {
      const response = { requestId: 'req_1', timestamp: 't', meta: { b: 1, a: 2 }, data: { z: 1, y: 2 } };
      await database.db.idempotencyRecord.create({
        data: {
          accountId: 'acc_1',
          key: 'k',
          method: 'POST',
          path: '/patients',
          bodyHash: 'h',
          headRelease: '2023-10-15',
          status: 201,
          headers: {},
          response,
          expiresAt: new Date(),
        },
      });
      const stored = await database.db.idempotencyRecord.findFirstOrThrow();
      expect(JSON.stringify(stored.response)).toBe(JSON.stringify(response));
    } finally {
      await database.close();
    }
  });

  test('refuses an audit chain that forks', async () => {
    const database = await freshDatabase();
    try {
      const entry = {
        accountId: 'acc_1',
        at: new Date(),
        requestId: 'req_1',
        keyId: 'key_1',
        operation: 'patients.get',
        resourceIds: ['pat_1'],
        status: 200,
        previousHash: 'genesis',
      };
      await database.db.auditEntry.create({ data: { ...entry, hash: 'a' } });
      await expect(database.db.auditEntry.create({ data: { ...entry, hash: 'b' } })).rejects.toMatchObject({
        code: 'P2002',
      });
    } finally {
      await database.close();
    }
  });
});
