import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readTrustProxy } from '@perennial/gateway/client-address.ts';
import { createAccount, createKey, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { hashApiKey, mintApiKey } from '@perennial/schemas/platform/credentials.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeCore, startFakeCore } from '../support/fake-core.ts';
import { type Answer, startTestGateway, type TestGateway } from '../support/gateway.ts';

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
/** The same at a date when the key was still carried in the URL. */
let early: TestGateway;
let account: FreshAccount;
const path = '/v2022-11-15/patients/pat_8fJ2kQ0aZrT5mWxY7bLc';
const newest = '/v2023-10-15/patients/pat_8fJ2kQ0aZrT5mWxY7bLc';
const oldest = '/v2022-05-01/patients/pat_8fJ2kQ0aZrT5mWxY7bLc';

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url, { config: { keyCacheMs: 300 } });
  early = await startTestGateway(core.url, database.url, { config: { serviceDate: '2022-06-01' } });
});

beforeEach(() => {
  core.seen.length = 0;
});

afterAll(async () => {
  await Promise.all([gateway.stop(), early.stop()]);
  await core.stop();
  await database.close();
});

/** An answer without what differs between any two: request id, time, and how long it took (so, its length). */
function comparable(answer: Answer): unknown {
  const { date: _, 'x-request-id': __, 'content-length': ___, ...headers } = answer.headers;
  const text = answer.text
    .replace(/"requestId":"[^"]+"/, '')
    .replace(/"timestamp":"[^"]+"/, '')
    .replace(/"processingTimeMs":\d+/, '');
  return { status: answer.status, headers, text };
}

function unauthorised(answer: Answer, code: string): void {
  expect([answer.status, answer.error.code]).toEqual([401, code]);
  expect(answer.headers['www-authenticate']).toBe('Bearer');
  expect(core.seen).toEqual([]);
}

describe('a request without a valid key never reaches core', () => {
  test('no key is 401', async () => {
    unauthorised(await gateway.send('GET', path), 'credential_missing');
  });

  test('every key that is not one is refused with the same bytes', async () => {
    const revoked = await createKey(database.db, {
      accountId: account.accountId,
      format: 'current',
      mode: 'test',
      scopes: ['admin'],
      revokedAt: new Date(),
    });
    const wrongSum = `${account.apiKey.slice(0, -1)}${account.apiKey.endsWith('0') ? '1' : '0'}`;
    const answers: unknown[] = [];
    for (const authorization of [
      'Bearer sk_doesNotExist0000',
      `Bearer ${wrongSum}`,
      `Bearer ${revoked}`,
      'Bearer x',
      'Bearer',
      'Bearer a b',
      'Basic dXNlcjpwYXNz',
      `Bearer ${'x'.repeat(5_000)}`,
      account.apiKey,
    ]) {
      const answer = await gateway.send('GET', path, { headers: { authorization } });
      unauthorised(answer, 'credential_invalid');
      answers.push(comparable(answer));
    }
    for (const each of answers) expect(each).toEqual(answers[0]);
  });

  test('an expired key is 401 and says so, also while it is remembered', async () => {
    const remembering = await startTestGateway(core.url, database.url, { config: { keyCacheMs: 60_000 } });
    try {
      expect((await remembering.send('GET', path, { key: account.apiKey })).status).toBe(200);
      const expiresAt = new Date(Date.now() + 2_000);
      const key = await createKey(database.db, {
        accountId: account.accountId,
        format: 'current',
        mode: 'test',
        scopes: ['admin'],
        expiresAt,
      });
      expect((await remembering.send('GET', path, { key })).status).toBe(200);
      core.seen.length = 0;
      await new Promise((resolve) => setTimeout(resolve, expiresAt.getTime() - Date.now() + 10));
      unauthorised(await remembering.send('GET', path, { key }), 'credential_expired');
    } finally {
      await remembering.stop();
    }
  });

  test('a revoked key stops working within the cache time', async () => {
    const key = await createKey(database.db, {
      accountId: account.accountId,
      format: 'legacy',
      mode: 'test',
      scopes: ['patients:read'],
    });
    expect((await gateway.send('GET', path, { key })).status).toBe(200);
    await database.db.apiKey.update({ where: { hash: hashApiKey(key) }, data: { revokedAt: new Date() } });
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect((await gateway.send('GET', path, { key })).error.code).toBe('credential_invalid');
  });
});

describe('each version takes the key where and as it always did', () => {
  test('the newest refuses keys of the old format by name; older versions take both', async () => {
    unauthorised(await gateway.send('GET', newest, { key: account.legacyApiKey }), 'credential_format_retired');
    for (const key of [account.apiKey, account.legacyApiKey])
      expect((await gateway.send('GET', path, { key })).status).toBe(200);
    expect((await gateway.send('GET', newest, { key: account.apiKey })).status).toBe(200);
  });

  test('a key in the URL is refused from 2022-11-15 on', async () => {
    for (const each of [path, newest])
      unauthorised(await gateway.send('GET', `${each}?api_key=${account.apiKey}`), 'credential_place_retired');
  });

  test.each([
    ['plain', (key: string) => `api_key=${key}`],
    ['with an encoded name', (key: string) => `api%5Fkey=${key}`],
    ['beside other parameters', (key: string) => `limit=5&api_key=${key}&offset=5`],
    ['twice', (key: string) => `api_key=${key}&api_key=${key}`],
  ])('2022-05-01 takes it in the URL %s, and core never sees it', async (_name, query) => {
    const list = '/v2022-05-01/patients';
    core.answer = (_request, response) => {
      response.setHeader('content-type', 'application/json');
      const page = { items: [], next_cursor: null, has_more: false, total: 0 };
      response.end(
        `{"requestId":"req_1","timestamp":"2023-11-01T08:00:00.000Z","meta":{"processingTimeMs":1,"version":"2.5.0"},"data":${JSON.stringify(page)}}`,
      );
    };
    const answer = await early.send('GET', `${list}?${query(account.legacyApiKey)}`);
    core.answer = undefined;
    expect(answer.status).toBe(200);
    expect(core.seen).toHaveLength(1);
    expect(JSON.stringify(core.seen)).not.toContain(account.legacyApiKey);
    expect(early.log.join('')).not.toContain(account.legacyApiKey);
  });

  test('2022-05-01 takes it in the header as well, and answers errors in its own shape', async () => {
    expect((await early.send('GET', oldest, { key: account.legacyApiKey })).status).toBe(200);
    const answer = await early.send('GET', `${oldest}?api_key=sk_doesNotExist0000`);
    expect(answer.status).toBe(401);
    expect(Object.keys(answer.error).sort()).toEqual(['code', 'message']);
  });

  test('the header beats the URL', async () => {
    const answer = await early.send('GET', `${oldest}?api_key=${account.legacyApiKey}`, { key: 'sk_doesNotExist0000' });
    expect(answer.status).toBe(401);
  });

  test('neither a key nor the client’s own token reaches core or the log', async () => {
    await gateway.send('GET', path, { key: account.apiKey, headers: { cookie: 'session=secret', 'x-api-key': 'x' } });
    const [request] = core.seen;
    expect(request?.headers.authorization).toMatch(/^Bearer WyJ/);
    expect(Object.keys(request?.headers ?? {}).sort()).toEqual(['authorization', 'connection', 'host', 'x-request-id']);
    for (const key of [account.apiKey, account.legacyApiKey]) expect(gateway.log.join('')).not.toContain(key);
  });
});

describe('a key may do what its scopes say', () => {
  test('403 without the scope, whatever the object', async () => {
    const key = await createKey(database.db, {
      accountId: account.accountId,
      format: 'current',
      mode: 'test',
      scopes: ['patients:read'],
    });
    expect((await gateway.send('GET', path, { key })).status).toBe(200);
    core.seen.length = 0;
    for (const each of [path, '/v2022-11-15/patients/pat_missing00']) {
      const answer = await gateway.send('DELETE', each, { key });
      expect([answer.status, answer.error.code]).toEqual([403, 'scope_missing']);
    }
    expect(core.seen).toEqual([]);
  });

  test('admin holds all', async () => {
    expect((await gateway.send('GET', newest, { key: account.adminKey })).status).toBe(200);
  });
});

describe('limits', () => {
  let strict: TestGateway;
  beforeAll(async () => {
    strict = await startTestGateway(core.url, database.url, { config: { ratePerMinute: 3, refusalsPerMinute: 3 } });
  });
  afterAll(() => strict.stop());

  test('a key that has used up its minute is 429 with Retry-After, another one is not', async () => {
    for (let count = 0; count < 3; count += 1)
      expect((await strict.send('GET', path, { key: account.apiKey })).status).toBe(200);
    const answer = await strict.send('GET', path, { key: account.apiKey });
    expect([answer.status, answer.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await strict.send('GET', path, { key: account.adminKey })).status).toBe(200);
  });

  test('an address that guesses is 429, and so is whoever guesses what begins alike', async () => {
    for (let count = 0; count < 3; count += 1)
      expect((await strict.send('GET', path, { key: `sk_${count}guess000` })).status).toBe(401);
    const answer = await strict.send('GET', path, { key: 'sk_9guess000' });
    expect([answer.status, answer.error.code]).toEqual([429, 'rate_limited']);
    expect(answer.headers['retry-after']).toBe('60');
    expect((await strict.send('GET', path, { key: account.adminKey })).status).toBe(200);
  });

  test('300 wrong keys and more shut out no right key of the same address, whether it was seen before or never', async () => {
    const busy = await startTestGateway(core.url, database.url);
    try {
      const wrong = (count: number): string =>
        count % 2 === 0 ? mintApiKey('live') : `sk_wrong${String(count).padStart(8, '0')}`;
      const answers = await Promise.all(
        Array.from({ length: 400 }, (_, count) => busy.send('GET', path, { key: wrong(count) })),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(300);
      expect(statuses.filter((status) => status === 429)).toHaveLength(100);
      for (const key of [account.apiKey, account.legacyApiKey, account.adminKey])
        expect((await busy.send('GET', path, { key })).status).toBe(200);
    } finally {
      await busy.stop();
    }
  });

  test('right keys that come in the middle of a flood of wrong ones are all served', async () => {
    const flooded = await startTestGateway(core.url, database.url, { config: { refusalsPerMinute: 1 } });
    try {
      const keys = await Promise.all(
        Array.from({ length: 20 }, () =>
          createKey(database.db, {
            accountId: account.accountId,
            format: 'current',
            mode: 'test',
            scopes: ['patients:read'],
          }),
        ),
      );
      const sent = keys.flatMap((key) => [...Array.from({ length: 20 }, () => mintApiKey('test')), key]);
      const answers = await Promise.all(sent.map((key) => flooded.send('GET', path, { key })));
      for (const [index, { status }] of answers.entries())
        if (keys.includes(sent[index] as string)) expect(status).toBe(200);
        else expect([401, 429]).toContain(status);
    } finally {
      await flooded.stop();
    }
  });

  test('behind a proxy that is trusted, each client is counted for itself', async () => {
    const behind = await startTestGateway(core.url, database.url, {
      config: { refusalsPerMinute: 2, trustProxy: readTrustProxy('loopback') },
    });
    try {
      const guess = async (forwarded: string): Promise<number> =>
        (await behind.send('GET', path, { key: 'x', headers: { 'x-forwarded-for': forwarded } })).status;
      // Whatever a client puts before what the proxy appends, it is counted as itself.
      const spoofed = ['203.0.113.7', '198.51.100.1, 203.0.113.7', '127.0.0.1, 203.0.113.7', 'x, 203.0.113.7'];
      expect(await Promise.all(spoofed.map(guess)).then((all) => all.sort())).toEqual([401, 401, 429, 429]);
      expect(await guess('203.0.113.8')).toBe(401);
    } finally {
      await behind.stop();
    }
  });
});

test('when keys cannot be looked up the answer is 503, not 401', async () => {
  const lost = await startTestGateway(core.url, 'postgresql://nobody:x@127.0.0.1:1/none');
  try {
    const answer = await lost.send('GET', path, { key: account.apiKey });
    expect([answer.status, answer.error.code]).toEqual([503, 'unavailable']);
    expect((await lost.send('GET', '/health')).status).toBe(200);
    expect((await lost.send('GET', '/ready')).status).toBe(503);
    expect(lost.log.join('')).not.toContain(account.apiKey);
  } finally {
    await lost.stop();
  }
});
