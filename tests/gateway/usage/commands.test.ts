import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordedUse } from '@perennial/gateway/usage/commands.ts';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { readUse } from '@perennial/translators/contract/use.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let account: FreshAccount;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db, { name: 'Saint Mary', pinnedRelease: '2022-11-15' });
  await database.db.$executeRaw`
    INSERT INTO edge.usage_counters (day, account_id, release, operation, client, count) VALUES
      (CURRENT_DATE, ${account.accountId}, '2022-11-15', 'patients.get', 'app/1', 3),
      (CURRENT_DATE - 1, ${account.accountId}, '2022-11-15', 'patients.get', 'app/1', 4),
      (CURRENT_DATE - 40, ${account.accountId}, '2022-11-15', 'patients.list', 'app/1', 5)`;
});

afterAll(() => database.close());

test('what was called is told by account, version and operation, over the days that are asked for', async () => {
  const uses = await recordedUse(database.db, { days: 30, account: undefined });
  expect(uses).toEqual([
    {
      account: account.accountId,
      name: 'Saint Mary',
      pinned: '2022-11-15',
      release: '2022-11-15',
      operation: 'patients.get',
      client: 'app/1',
      count: 7,
      last_day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    },
  ]);
  // The release tool reads it back.
  expect(readUse(uses.map((each) => JSON.stringify(each)).join('\n'))).toEqual(uses);
  expect(await recordedUse(database.db, { days: 60, account: account.accountId })).toHaveLength(2);
  expect(await recordedUse(database.db, { days: 60, account: 'acc_none' })).toEqual([]);
});
