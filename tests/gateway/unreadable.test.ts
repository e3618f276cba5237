import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeCore, startFakeCore } from '../support/fake-core.ts';
import { type Answer, sendRaw, startTestGateway, type TestGateway } from '../support/gateway.ts';

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
/** At a date when 2022-05-01 was Current, whose errors have a shape of their own. */
let early: TestGateway;
let account: FreshAccount;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url);
  early = await startTestGateway(core.url, database.url, { config: { serviceDate: '2022-06-01' } });
});

afterAll(async () => {
  await Promise.all([gateway.stop(), early.stop()]);
  await core.stop();
  await database.close();
});

interface RawAnswer extends Answer {
  readonly head: string;
}

async function ask(to: TestGateway, text: string): Promise<RawAnswer> {
  const raw = await sendRaw(to.port, text);
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  return { ...(JSON.parse(raw.slice(end + 4)) as Answer), status, head: head.toLowerCase() };
}

const id = 'pat_8fJ2kQ0aZrT5mWxY7bLc';
const request = (path: string, ...headers: string[]): string =>
  `GET ${path} HTTP/1.1\r\n${[...headers, `authorization: Bearer ${account.legacyApiKey}`].join('\r\n')}\r\n\r\n`;

describe('a request that can be read and not be used', () => {
  test.each([
    ['two Hosts', ['host: a', 'host: b'], 400, 'request_malformed'],
    ['the same Host twice', ['host: a', 'Host: a'], 400, 'request_malformed'],
    ['no Host', ['x: y'], 400, 'request_malformed'],
    ['a Host that is none', ['host: a b'], 400, 'request_malformed'],
    ['a Host with a user', ['host: me@a'], 400, 'request_malformed'],
    ['a path for a Host', ['host: a/b'], 400, 'request_malformed'],
    ['an expectation that nobody meets', ['host: a', 'expect: 200-ok'], 417, 'expectation_failed'],
    ['two expectations', ['host: a', 'expect: 100-continue, x'], 417, 'expectation_failed'],
  ])('%s is refused in the envelope, in the version that it names, and the connection is closed', async (...each) => {
    const [, headers, status, code] = each;
    for (const path of [`/v2022-11-15/patients/${id}`, '/health', '/versions']) {
      const answer = await ask(gateway, request(path, ...headers));
      expect([answer.status, answer.error.code]).toEqual([status, code]);
      expect(answer.meta.version).toBe(path.startsWith('/v2022') ? '2.3.0' : '2.5.0');
      expect(answer.head).toContain('connection: close');
      expect(answer.head).toContain('cache-control: no-store');
      expect(answer.head).toMatch(/x-request-id: req_/);
    }
    expect(core.seen).toEqual([]);
  });

  test.each([['host: a'], ['host: a:8080'], ['host: 127.0.0.1:8080'], ['host: [::1]:8080'], ['host:']])(
    'is not one with %s',
    async (host) => {
      const answer = await ask(gateway, request(`/v2022-11-15/patients/${id}`, host, 'connection: close'));
      expect(answer.status).toBe(200);
      core.seen.length = 0;
    },
  );

  test('100-continue is met', async () => {
    const raw = await sendRaw(
      gateway.port,
      `POST /v2022-11-15/patients HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n` +
        `content-type: application/json\r\nauthorization: Bearer ${account.legacyApiKey}\r\n\r\n{}`,
    );
    expect(raw).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 422 /);
    core.seen.length = 0;
  });

  test('HTTP/1.0 needs no Host', async () => {
    const raw = await sendRaw(gateway.port, 'GET /health HTTP/1.0\r\n\r\n');
    expect(raw).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('what cannot be read is answered in the version that it names', () => {
  const bad = 'bad header\r\n\r\n';
  test.each([
    ['a path', `GET /v2022-11-15/patients HTTP/1.1\r\nhost: a\r\n${bad}`, '2.3.0', '2022-11-15'],
    ['a path with an address', `GET http://a/v2023-04-30/patients HTTP/1.1\r\n${bad}`, '2.4.0', '2023-04-30'],
    ['a header', `GET /patients HTTP/1.1\r\nService-Version: 2022-11-15\r\n${bad}`, '2.3.0', '2022-11-15'],
    ['a number in a header', `GET /patients HTTP/1.1\r\nx-service-version: 2.4.7\r\n${bad}`, '2.4.0', '2023-04-30'],
    ['nothing', `GET /patients HTTP/1.1\r\nhost: a\r\n${bad}`, '2.5.0', undefined],
    ['what there is not', `GET /v2019-01-01/patients HTTP/1.1\r\n${bad}`, '2.5.0', undefined],
    ['what is no more', `GET /v2022-05-01/patients HTTP/1.1\r\n${bad}`, '2.5.0', undefined],
    ['no line of a request', 'BANANA\r\n\r\n', '2.5.0', undefined],
    [
      'a path that cannot be decoded',
      'GET /v2022-11-15/patients/%zz HTTP/1.1\r\nhost: a\r\n\r\n',
      '2.3.0',
      '2022-11-15',
    ],
  ])('%s', async (_name, text, semver, release) => {
    const answer = await ask(gateway, text);
    expect([answer.status, answer.error.code, answer.meta.version]).toEqual([400, 'request_malformed', semver]);
    expect(/service-version: (\S+)/.exec(answer.head)?.[1]).toBe(release);
    if (release === '2022-11-15') expect(answer.head).toContain('service-api-deprecation: ');
  });

  test('headers that are too large', async () => {
    const answer = await ask(gateway, request('/v2022-11-15/patients', 'host: a', `x: ${'x'.repeat(20_000)}`));
    expect([answer.status, answer.error.code, answer.meta.version]).toEqual([431, 'headers_too_large', '2.3.0']);
  });

  test('the second of two on a connection by its own', async () => {
    const first = request(`/v2023-10-15/patients/${id}`, 'host: a').replace(account.legacyApiKey, account.apiKey);
    const raw = await sendRaw(gateway.port, `${first}GET /v2022-11-15/patients HTTP/1.1\r\n${bad}`);
    expect(raw).toContain('"version":"2.3.0"},"error"');
    core.seen.length = 0;
  });

  test('2022-05-01 in its own error shape', async () => {
    for (const text of [
      `GET /v2022-05-01/patients HTTP/1.1\r\nhost: a\r\n${bad}`,
      request('/v2022-05-01/patients/%zz', 'host: a'),
      request('/v2022-05-01/patients', 'host: a', 'host: b'),
    ]) {
      const answer = await ask(early, text);
      expect(answer.meta.version).toBe('1.0.0');
      expect(answer.error).toEqual({ code: 'request_malformed', message: expect.any(String) });
    }
  });
});
