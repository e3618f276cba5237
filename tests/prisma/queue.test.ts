import { expect, test } from '@jest/globals';
import { readMigrations } from '@perennial/prisma/migrate.ts';
import { getConstructionPlans } from 'pg-boss';

test('the tables of the queue are those that the installed pg-boss makes', async () => {
  const migration = (await readMigrations()).find(({ name }) => name.endsWith('_pgboss'));
  // The runner has a transaction of its own around each migration.
  const ours = words(migration?.sql ?? '');
  const theirs = words(
    getConstructionPlans('pgboss')
      .replace('BEGIN;', '')
      .replace(/COMMIT;\s*$/, ''),
  );
  expect(ours.slice(-theirs.length)).toEqual(theirs);
});

function words(sql: string): string[] {
  return sql.split(/\s+/).filter((word) => word !== '');
}
