import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAppender } from '@perennial/gateway/audit/append.ts';
import type { Access } from '@perennial/gateway/audit/entry.ts';
import { verifyChain } from '@perennial/gateway/audit/verify.ts';
import type { Database } from '@perennial/prisma/client.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

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

/** The database, but what one of its methods carries out is not reported: the connection seems to break after it. */
function losingAnswersOf(method: '$executeRaw' | '$transaction'): { readonly db: Database; lose: boolean } {
  const state = { db: database.db, lose: false };
  state.db = new Proxy(database.db, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (name !== method) return value;
      return async (...args: unknown[]) => {
        const result: unknown = await (value as (...all: unknown[]) => Promise<unknown>).apply(target, args);
        if (!state.lose) return result;
        state.lose = false;
        throw new Error('the connection broke after the commit');
      };
    },
  });
  return state;
}

async function requestsOf(accountId: string): Promise<readonly string[]> {
  const found = await database.db.auditEntry.findMany({ where: { accountId }, orderBy: { seq: 'asc' } });
  expect(await verifyChain(database.db, accountId)).toMatchObject({ broken: undefined });
  return found.map(({ requestId }) => requestId);
}

test.each(['$transaction', '$executeRaw'] as const)(
  'a batch whose commit was not reported (%s) is not written again, and the chain goes on behind it',
  async (method) => {
    const accountId = `acc_${method.slice(1)}`;
    const losing = losingAnswersOf(method);
    const append = createAppender(losing.db);
    // The first batch of an account is always written under its lock, the next ones with one statement.
    if (method === '$executeRaw') await append({ accesses: [access(accountId, 'req_0')] });
    losing.lose = true;
    const batch = { accesses: [access(accountId, 'req_1'), access(accountId, 'req_2')] };
    await expect(append(batch)).rejects.toThrow('after the commit');
    await append(batch);
    await append({ accesses: [access(accountId, 'req_3')] });
    expect(await requestsOf(accountId)).toEqual([
      ...(method === '$executeRaw' ? ['req_0'] : []),
      'req_1',
      'req_2',
      'req_3',
    ]);
  },
);

test('two gateways take turns on one chain, whoever thinks to know where it ends', async () => {
  const [first, second] = [createAppender(database.db), createAppender(database.db)];
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
