import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAppender } from '@perennial/gateway/audit/append.ts';
import type { Access } from '@perennial/gateway/audit/entry.ts';
import { auditKeys } from '@perennial/gateway/audit/keys.ts';
import { verifyChain } from '@perennial/gateway/audit/verify.ts';
import { type Database, type Driver, driverOf } from '@perennial/prisma/client.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { TEST_AUDIT_KEY } from '../../support/secret.ts';

const keys = auditKeys([TEST_AUDIT_KEY]);

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.close());

function access(accountId: string, requestId: string): Access {
  return {
    accountId,
    at: new Date(),
    requestId,
    keyId: 'key_1',
    operation: 'patients.get',
    resourceIds: [],
    status: 200,
  };
}

/** What an appender works with. */
interface Parts {
  readonly db: Database;
  readonly driver: Driver;
  lose: boolean;
}

/** An appender's database, but what one way carries out is not reported: the connection seems to break after it. */
function losingAnswersOf(way: 'transaction' | 'statement'): Parts {
  const broken = async <T>(result: Promise<T>): Promise<T> => {
    const value = await result;
    if (!state.lose) return value;
    state.lose = false;
    throw new Error('the connection broke after the commit');
  };
  const driver = driverOf(database.db);
  const db = new Proxy(database.db, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (name !== '$transaction') return value;
      return (...args: unknown[]) => broken((value as (...all: unknown[]) => Promise<unknown>).apply(target, args));
    },
  });
  const state: Parts = {
    db: way === 'transaction' ? db : database.db,
    driver: way === 'statement' ? { query: (sql, values) => broken(driver.query(sql, values)) } : driver,
    lose: false,
  };
  return state;
}

async function requestsOf(accountId: string): Promise<readonly string[]> {
  const found = await database.db.auditEntry.findMany({ where: { accountId }, orderBy: { seq: 'asc' } });
  expect(await verifyChain(database.db, keys, accountId)).toMatchObject({ broken: undefined });
  return found.map(({ requestId }) => requestId);
}

test.each(['transaction', 'statement'] as const)(
  'a batch whose commit was not reported (%s) is not written again, and the chain goes on behind it',
  async (way) => {
    const accountId = `acc_${way}`;
    const losing = losingAnswersOf(way);
    const append = createAppender(losing.db, keys, undefined, losing.driver);
    // The first batch of an account is always written under its lock, the next ones with one statement.
    if (way === 'statement') await append({ accesses: [access(accountId, 'req_0')] });
    losing.lose = true;
    const batch = { accesses: [access(accountId, 'req_1'), access(accountId, 'req_2')] };
    await expect(append(batch)).rejects.toThrow('after the commit');
    await append(batch);
    await append({ accesses: [access(accountId, 'req_3')] });
    expect(await requestsOf(accountId)).toEqual([...(way === 'statement' ? ['req_0'] : []), 'req_1', 'req_2', 'req_3']);
  },
);

test('two gateways take turns on one chain, whoever thinks to know where it ends', async () => {
  const [first, second] = [createAppender(database.db, keys), createAppender(database.db, keys)];
  const accounts = ['acc_x', 'acc_y'];
  for (let round = 0; round < 5; round += 1)
    for (const [name, append] of [
      ['a', first],
      ['b', second],
    ] as const)
      await append({ accesses: accounts.map((each) => access(each, `req_${round}${name}`)) });
  const expected = Array.from({ length: 5 }, (_, round) => [`req_${round}a`, `req_${round}b`]).flat();
  for (const each of accounts) expect(await requestsOf(each)).toEqual(expected);
});
