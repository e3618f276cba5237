import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { baseHead, baseHistory, baseReleases } from '../fixtures/base.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { coreEnvelope, type FakeCore, startFakeCore } from '../support/fake-core.ts';
import { type Answer, sendRaw, startTestGateway, type TestGateway } from '../support/gateway.ts';

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let account: FreshAccount;
const id = 'pat_8fJ2kQ0aZrT5mWxY7bLc';
const versions = ['2023-10-15', '2023-04-30', '2022-11-15'] as const;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url);
});

beforeEach(() => {
  core.seen.length = 0;
  core.answer = undefined;
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return gateway.send(method, path, { key: account.apiKey, headers });
}

describe('the deprecated version is announced', () => {
  test('as the specification prints it, and in the standard headers', async () => {
    const { headers } = await send('GET', `/v2022-11-15/patients/${id}`);
    expect(headers['service-api-deprecation']).toBe(
      'version=v2022-11-15; sunset=2023-11-15; Please migrate to v2023-10-15 or later',
    );
    expect(headers['deprecation']).toBe('@1692230400');
    expect(headers['sunset']).toBe('Wed, 15 Nov 2023 00:00:00 GMT');
    expect(headers['link']).toContain('rel="deprecation"');
    expect(headers['link']).toContain('rel="sunset"');
  });

  test('on errors too, and on no other version', async () => {
    for (const path of ['/v2022-11-15/nothing', '/v2022-11-15/patients?nonsense=1'])
      expect((await send('GET', path)).headers['service-api-deprecation']).toBeDefined();
    for (const version of ['2023-10-15', '2023-04-30']) {
      const { headers } = await send('GET', `/v${version}/patients/${id}`);
      for (const name of ['service-api-deprecation', 'deprecation', 'sunset', 'link'])
        expect(headers[name]).toBeUndefined();
    }
  });
});

describe('every answer', () => {
  test.each([
    ['a success', 'GET', `/v2023-10-15/patients/${id}`, 200],
    ['a translated one', 'GET', `/v2022-11-15/patients/${id}`, 200],
    ['a relayed one', 'GET', `/v2023-04-30/patients/${id}`, 200],
    ['a HEAD', 'HEAD', `/v2022-11-15/patients/${id}`, 200],
    ['an unknown route', 'GET', '/v2/nothing', 404],
    ['an unknown version', 'GET', '/v2023-06-01/patients', 400],
    ['a sunset version', 'GET', '/v2022-05-01/patients', 410],
    ['a method not allowed', 'PUT', '/v2/patients', 405],
    ['OPTIONS', 'OPTIONS', '/v2/patients', 204],
    ['the service’s health', 'GET', '/health', 200],
    ['the list of versions', 'GET', '/versions', 200],
  ])('says Vary, Cache-Control, its request id and how to be read: %s', async (_name, method, path, status) => {
    const answer = await send(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      vary: 'Service-Version, X-Service-Version, Authorization, Accept, Accept-Encoding',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^req_[0-9A-Za-z]{20}$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    });
    expect(answer.headers['x-powered-by']).toBeUndefined();
    expect(answer.headers.server).toBeUndefined();
  });

  test('names each header once', async () => {
    for (const version of versions) {
      const { rawHeaders } = await send('GET', `/v${version}/patients/${id}`);
      const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('has a content-length that is right, whatever the characters', async () => {
    for (const version of versions) {
      const answer = await send('GET', `/v${version}/patients/${id}`);
      expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
      expect(answer.text).toContain('Zoë Ångström 李 😀');
    }
  });

  test('carries only the headers of core that are a client’s business', async () => {
    core.answer = (_request, response) => {
      const body = coreEnvelope('data', { id });
      for (const [name, value] of Object.entries({
        server: 'core',
        'x-internal': 'secret',
        'set-cookie': 'a=b',
        'access-control-allow-origin': '*',
        'content-type': 'application/json',
        'last-modified': 'Wed, 15 Nov 2023 00:00:00 GMT',
      }))
        response.setHeader(name, value);
      response.end(body);
    };
    const { headers } = await send('GET', `/v2023-10-15/patients/${id}`);
    for (const name of ['server', 'x-internal', 'set-cookie', 'access-control-allow-origin'])
      expect(headers[name]).toBeUndefined();
    expect(headers['last-modified']).toBeDefined();
  });
});

describe('routing', () => {
  test('an unknown path is 404, a known one with another method 405 with Allow', async () => {
    expect((await send('GET', '/v2/nothing')).error.code).toBe('route_unknown');
    const answer = await send('DELETE', '/v2022-11-15/patients');
    expect([answer.status, answer.error.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
    expect(core.seen).toEqual([]);
  });

  test('an operation newer than the version is 404 and names the release that has it', async () => {
    const operations = baseHead.operations.map((operation) =>
      operation.id === 'patients.list' ? { ...operation, since: '2023-04-30' } : operation,
    );
    const translator = createTranslator({ ...baseHead, operations }, baseHistory, baseReleases);
    const other = await startTestGateway(core.url, database.url, { translator });
    try {
      const answer = await other.send('GET', '/v2022-11-15/patients', { key: account.apiKey });
      expect([answer.status, answer.error.code]).toEqual([404, 'operation_not_in_version']);
      expect(answer.error.available_from).toBe('v2023-04-30');
      expect(answer.error.message).toContain('v2023-04-30');
      expect(core.seen).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  test('HEAD is GET without the body, with its length in the client’s version', async () => {
    for (const version of versions) {
      const get = await send('GET', `/v${version}/patients/${id}`);
      const headAnswer = await send('HEAD', `/v${version}/patients/${id}`);
      expect(headAnswer.status).toBe(200);
      expect(headAnswer.bytes.length).toBe(0);
      expect(headAnswer.headers['content-length']).toBe(get.headers['content-length']);
      expect(headAnswer.headers.etag).toBe(get.headers.etag);
    }
  });

  test('OPTIONS needs neither version nor key, and allows no other origin', async () => {
    const answer = await gateway.send('OPTIONS', '/v2022-05-01/patients', { headers: { origin: 'https://a.test' } });
    expect(answer.status).toBe(204);
    expect(answer.headers.allow).toContain('GET');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('negotiation', () => {
  test.each([
    ['application/json', 200],
    ['application/*', 200],
    ['*/*;q=0.1', 200],
    ['text/html, application/json;q=0.5', 200],
    ['', 200],
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['application/jsonp', 406],
    ['application/json-seq', 406],
  ])('Accept: %s is %i', async (accept, status) => {
    for (const version of versions)
      expect((await send('GET', `/v${version}/patients/${id}`, { accept })).status).toBe(status);
  });
});

describe('what cannot be read as HTTP', () => {
  test.each([
    ['no HTTP at all', 'nonsense\r\n\r\n', 400, 'request_malformed'],
    [
      'a header that is no header',
      'GET /v2/patients HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n',
      400,
      'request_malformed',
    ],
    [
      'two lengths',
      'POST /v2/patients HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
      400,
      'request_malformed',
    ],
    [
      'a length and chunks',
      'POST /v2/patients HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'request_malformed',
    ],
    [
      'headers without end',
      `GET /v2/patients HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('%s is answered in the error shape', async (_name, text, status, code) => {
    const answer = await sendRaw(gateway.port, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain('cache-control: no-store');
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Answer;
    expect(body.error.code).toBe(code);
    expect(core.seen).toEqual([]);
  });
});

describe('the service’s own pages need no key', () => {
  test('the versions, their states and the date that rules', async () => {
    const { data } = await gateway.send<{ service_date: string; warning?: string; versions: unknown[] }>(
      'GET',
      '/versions',
    );
    expect(data.service_date).toBe('2023-11-01');
    expect(data.warning).toContain('pinned');
    expect(data.versions).toHaveLength(baseHistory.releases.length);
    expect(data.versions.at(-1)).toMatchObject({ version: 'v2022-05-01', status: 'sunset', sunset: '2023-05-01' });
  });

  test('the error codes', async () => {
    const { data } = await gateway.send<{ codes: { code: string }[] }>('GET', '/errors');
    expect(data.codes.map(({ code }) => code)).toContain('version_sunset');
  });
});
