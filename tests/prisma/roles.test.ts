import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migrate } from '@perennial/prisma/migrate.ts';
import { missingProtection, prepareDatabase } from '@perennial/prisma/roles.ts';
import pg from 'pg';
import { emptyDatabase, freshDatabase, loginsOf, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
const clients = new Map<'core' | 'gateway', pg.Client>();

beforeAll(async () => {
  database = await freshDatabase();
  const { coreUrl, gatewayUrl } = loginsOf(database.url);
  for (const [name, url] of [['core', coreUrl] as const, ['gateway', gatewayUrl] as const]) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    clients.set(name, client);
  }
});

afterAll(async () => {
  for (const client of clients.values()) await client.end();
  await database.close();
});

function query(name: 'core' | 'gateway', sql: string): Promise<readonly Record<string, unknown>[]> {
  return (clients.get(name) as pg.Client).query<Record<string, unknown>>(sql).then(({ rows }) => rows);
}

const DENIED = /permission denied|must be owner/;

describe('the login of a service', () => {
  test.each(['core', 'gateway'] as const)('%s owns no table and has no attribute of its own', async (name) => {
    const [role] = await query(
      name,
      'SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication FROM pg_roles WHERE rolname = current_user',
    );
    expect(new Set(Object.values(role ?? { none: true }))).toEqual(new Set([false]));
    expect(await query(name, 'SELECT relname FROM pg_class WHERE relowner = current_user::regrole')).toEqual([]);
  });

  test.each([
    ['gateway', 'alter an entry', 'UPDATE edge.audit_entries SET status = 200'],
    ['gateway', 'delete an entry', 'DELETE FROM edge.audit_entries'],
    ['gateway', 'empty the trail', 'TRUNCATE edge.audit_entries'],
    ['gateway', 'drop the trail', 'DROP TABLE edge.audit_entries'],
    ['gateway', 'weaken the trail', 'ALTER TABLE edge.audit_entries DROP CONSTRAINT audit_entries_pkey'],
    ['gateway', 'see the tables of core', 'SELECT 1 FROM core.patients'],
    ['gateway', 'give itself a key', "UPDATE edge.api_keys SET scopes = '{operator}'"],
    [
      'gateway',
      'make a key of an operator',
      `WITH a AS (INSERT INTO edge.accounts (id, name) VALUES ('acc_x', 'x') RETURNING id)
       INSERT INTO edge.api_keys (id, account_id, hash, format, mode, scopes, prefix)
       VALUES ('key_x', 'acc_none', 'h', 'current', 'test', '{operator}', 'hai_')`,
    ],
    ['gateway', 'give a key to somebody else', "UPDATE edge.api_keys SET account_id = 'acc_x'"],
    ['gateway', 'delete a key', 'DELETE FROM edge.api_keys'],
    ['gateway', 'rewrite what an operator decided', "UPDATE edge.lifecycle_acts SET sunset = '2020-01-01'"],
    ['gateway', 'rewrite the history of migrations', 'DELETE FROM public._prisma_migrations'],
    ['gateway', 'make a table', 'CREATE TABLE public.mine (a int)'],
    ['core', 'see keys', 'SELECT 1 FROM edge.api_keys'],
    ['core', 'see the trail', 'SELECT 1 FROM edge.audit_entries'],
    ['core', 'write to the trail', "INSERT INTO edge.audit_entries (account_id) VALUES ('a')"],
    ['core', 'drop a table', 'DROP TABLE core.cohorts'],
    ['core', 'make a function', 'CREATE FUNCTION core.mine() RETURNS int LANGUAGE sql RETURN 1'],
  ] as const)('%s cannot %s', async (name, _what, sql) => {
    await expect(query(name, sql)).rejects.toThrow(DENIED);
  });

  test('is found to lack nothing; the owner’s is told what it may do too much', async () => {
    const { coreUrl, gatewayUrl } = loginsOf(database.url);
    expect(await missingProtection(coreUrl, 'core')).toEqual([]);
    expect(await missingProtection(gatewayUrl, 'edge')).toEqual([]);
    expect(await missingProtection(database.url, 'edge')).toHaveLength(4);
  });
});

describe('preparing a database', () => {
  test('can be repeated, and gives logins that somebody else made what they need', async () => {
    const empty = await emptyDatabase();
    const owner = new pg.Client({ connectionString: empty.url });
    await owner.connect();
    const name = `given_${new URL(empty.url).pathname.slice(1)}`;
    try {
      await owner.query(`CREATE ROLE ${name} LOGIN PASSWORD 'given'`);
      const coreUrl = Object.assign(new URL(empty.url), { username: name, password: 'given' }).href;
      for (let round = 0; round < 2; round += 1)
        expect(await prepareDatabase({ adminUrl: empty.url, coreUrl })).toEqual({ coreUrl, gatewayUrl: coreUrl });
      expect(await missingProtection(coreUrl, 'core')).toEqual(['the login sees the tables of the other service']);
      await expect(prepareDatabase({ adminUrl: empty.url, coreUrl: empty.url })).rejects.toThrow('another login');
      // A service's own login finds the database migrated and may not migrate it.
      expect(await migrate(coreUrl)).toEqual({ applied: [], unknown: [] });
      await owner.query(
        'DELETE FROM public._prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM public._prisma_migrations)',
      );
      await expect(migrate(coreUrl)).rejects.toThrow('npm run database');
    } finally {
      await owner.query(`DROP OWNED BY ${name}`);
      await owner.query(`DROP ROLE ${name}`);
      await owner.end();
      await empty.close();
    }
  });
});
