import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import { RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import { send, startCore, TEST_SECRET, type TestCore } from '../../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
let core: TestCore;
let id: string;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  const { data } = await core.call<Patient>('POST', '/patients', { body: { name: 'Amara Okafor', dob: '1984-03-07' } });
  id = data.id;
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

describe('core answers nobody without the internal token', () => {
  const someone: Caller = { accountId: 'acc_test', keyId: 'key_test', scopes: ['admin'] };
  const own = new RequestSigner(TEST_SECRET);
  const sign = (path: string, method = 'GET', core?: string): string => own.sign(someone, method, path, core);
  const changed = (token: string, part: number, text: string): string =>
    token
      .split('.')
      .map((each, index) => (index === part ? text : each))
      .join('.');
  const facts = Buffer.from(JSON.stringify(['acc_other', 'key_test', ['admin']])).toString('base64url');
  const forged: [string, (path: string) => string][] = [
    ['no token', () => ''],
    [
      'a token signed with another secret',
      (path) => new RequestSigner('x'.repeat(40)).sign(someone, 'GET', path, undefined),
    ],
    ['a token for another path', (path) => sign(`${path}x`)],
    ['a token for another query', (path) => sign(`${path}?limit=1`)],
    ['a token for another method', (path) => sign(path, 'DELETE')],
    ['a token that is meant for another core', (path) => sign(path, 'GET', 'another')],
    ['a token whose caller was changed', (path) => changed(sign(path), 0, facts)],
    ['a token whose number was changed', (path) => changed(sign(path), 2, 'zzz')],
    ['a token whose core was changed', (path) => changed(sign(path, 'GET', 'another'), 4, '*')],
    ['a token without a signature', (path) => changed(sign(path), 5, '')],
    ['half a token', (path) => sign(path).slice(0, -20)],
    ['text', () => 'not.a.token'],
    ['a token of ten thousand characters', () => 'x'.repeat(10_000)],
  ];

  test.each(forged)('%s is 401 on every path, known or not', async (_name, make) => {
    for (const path of [`/patients/${id}`, '/nowhere']) {
      const token = make(path);
      const reply = await send(core.url, 'GET', path, token ? { authorization: `Bearer ${token}` } : {});
      expect(reply.status).toBe(401);
      expect(reply.error.code).toBe('credential_invalid');
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('a token is taken once, whether it names the core or not', async () => {
    const path = `/patients/${id}`;
    const { headers } = await core.call('GET', path);
    for (const named of [undefined, String(headers['x-core-instance'])]) {
      const authorization = `Bearer ${sign(path, 'GET', named)}`;
      const statuses = [];
      for (let time = 0; time < 3; time += 1)
        statuses.push((await send(core.url, 'GET', path, { authorization })).status);
      expect(statuses).toEqual([200, 401, 401]);
    }
  });

  test('of the same token sent twenty times at once, one is taken', async () => {
    const body = Buffer.from(JSON.stringify({ name: 'Once', dob: '1990-01-01' }));
    const headers = { authorization: `Bearer ${sign('/patients', 'POST')}`, 'content-type': 'application/json' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => send(core.url, 'POST', '/patients', headers, body)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  test('a key without the scope of an operation is 403, whatever the object', async () => {
    const caller = { scopes: ['patients:read'] };
    expect((await core.call('GET', `/patients/${id}`, { caller })).status).toBe(200);
    for (const path of [`/patients/${id}`, '/patients/pat_missing00']) {
      const reply = await core.call('DELETE', path, { caller });
      expect([reply.status, reply.error.code]).toEqual([403, 'scope_missing']);
    }
  });
});

describe('probes are answered without a token', () => {
  test('health and ready', async () => {
    expect((await core.call('GET', '/health', { caller: null })).text).toBe('{"status":"ok"}');
    expect((await core.call('GET', '/ready', { caller: null })).text).toBe('{"status":"ready"}');
  });

  test('only by GET and HEAD', async () => {
    expect((await core.call('HEAD', '/health', { caller: null })).status).toBe(200);
    expect((await core.call('POST', '/health', { caller: null })).status).toBe(401);
  });
});

describe('every answer stands in the envelope', () => {
  const head =
    /^\{"requestId":"(req_[0-9A-Za-z]{8,64})","timestamp":"([^"]+)","meta":\{"processingTimeMs":\d+,"version":"2\.5\.0"\},/;

  test('members come in the order the gateway relies on', async () => {
    const answered = await core.call('GET', `/patients/${id}`);
    expect(answered.text).toMatch(head);
    expect(answered.text.replace(head, '')).toMatch(/^"data":\{"id":"pat_/);
    const refused = await core.call('GET', '/patients/pat_missing00');
    expect(refused.text.replace(head, '')).toMatch(
      /^"error":\{"code":"not_found","message":"[^"]+","details":\[\],"documentation_url":"\/errors#not_found"\}\}$/,
    );
  });

  test('the timestamp is the present instant in UTC with milliseconds', async () => {
    const { text } = await core.call('GET', `/patients/${id}`);
    const stamp = head.exec(text)?.[2] ?? '';
    expect(stamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(stamp) - Date.now())).toBeLessThan(5_000);
  });

  test('content-length counts bytes, not characters', async () => {
    const name = 'Zoë Łukasiewicz 山田 👩‍⚕️';
    const reply = await core.call<Patient>('POST', '/patients', { body: { name, dob: '1990-01-01' } });
    expect(reply.data.name).toBe(name);
    expect(Number(reply.headers['content-length'])).toBe(Buffer.byteLength(reply.text));
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('request ids', () => {
  test('the gateway’s id is taken over', async () => {
    const given = 'req_0123456789abcdef';
    const reply = await core.call('GET', `/patients/${id}`, { headers: { 'x-request-id': given } });
    expect(reply.headers['x-request-id']).toBe(given);
    expect(reply.text).toContain(`{"requestId":"${given}"`);
  });

  test.each(['req_short', 'abc', 'req_"},"data":{', `req_${'a'.repeat(65)}`])(
    'an id that is not one is replaced: %s',
    async (given) => {
      const reply = await core.call('GET', `/patients/${id}`, { headers: { 'x-request-id': given } });
      expect(reply.headers['x-request-id']).toMatch(/^req_[0-9A-Za-z]{20}$/);
    },
  );
});

describe('routing', () => {
  test.each(['/', '/nowhere', '/patients/', '//patients', `/patients//`, '/Patients', '/patients/a/b', '/__proto__'])(
    'an unknown path is 404 route_unknown: %s',
    async (path) => {
      const reply = await core.call('GET', path);
      expect([reply.status, reply.error.code]).toEqual([404, 'route_unknown']);
    },
  );

  test('a path that exists with another method is 405 with Allow', async () => {
    const one = await core.call('POST', `/patients/${id}`);
    expect([one.status, one.error.code]).toEqual([405, 'method_not_allowed']);
    expect(one.headers.allow).toBe('DELETE, GET, HEAD, PATCH, PUT');
    expect((await core.call('DELETE', '/patients')).headers.allow).toBe('GET, HEAD, POST');
    expect((await core.call('OPTIONS', '/diagnostics/analyze')).headers.allow).toBe('POST');
  });

  test.each(['%00', 'pat_%00abc', '..%2f..', 'x'.repeat(2_000), "'; DROP TABLE core.patients; --", '%F0%9F%98%80'])(
    'an identifier that no object can have is found missing: %s',
    async (given) => {
      const reply = await core.call('GET', `/patients/${given.includes('%') ? given : encodeURIComponent(given)}`);
      expect([reply.status, reply.error.code]).toEqual([404, 'not_found']);
    },
  );

  test('percent-encoding that is broken is 400', async () => {
    const reply = await core.call('GET', '/patients/%E0%A4%A');
    expect([reply.status, reply.error.code]).toEqual([400, 'request_malformed']);
  });

  test('HEAD is answered as GET, without the body', async () => {
    const got = await core.call('GET', `/patients/${id}`);
    const headed = await core.call('HEAD', `/patients/${id}`);
    expect(headed.status).toBe(200);
    expect(headed.text).toBe('');
    expect(headed.headers.etag).toBe(got.headers.etag);
    // The processing time may take a digit more or less.
    expect(Math.abs(Number(headed.headers['content-length']) - Buffer.byteLength(got.text))).toBeLessThanOrEqual(2);
    expect((await core.call('HEAD', '/patients/pat_missing00')).status).toBe(404);
  });
});

describe('queries are read strictly', () => {
  const parameterFault = async (query: string): Promise<unknown> => {
    const reply = await core.call('GET', `/patients?${query}`);
    expect([reply.status, reply.error.code]).toEqual([422, 'validation_failed']);
    return reply.error.details.map(({ parameter, code }) => [parameter, code]);
  };

  test.each([
    ['offset=1', 'offset', 'unknown_parameter'],
    ['__proto__=1', '__proto__', 'unknown_parameter'],
    ['limit=0', 'limit', 'too_small'],
    ['limit=101', 'limit', 'too_large'],
    ['limit=1e1', 'limit', 'wrong_type'],
    ['limit=', 'limit', 'wrong_type'],
    ['limit=1&limit=2', 'limit', 'repeated_parameter'],
    ['include_total=yes', 'include_total', 'wrong_type'],
    ['sort=phone', 'sort', 'not_allowed_value'],
    ['sort=name,name', 'sort', 'not_allowed_value'],
    ['sort=', 'sort', 'too_short'],
    ['sex=F', 'sex', 'not_allowed_value'],
    ['dob=1984-02-30', 'dob', 'wrong_format'],
    ['name=%00', 'name', 'invalid_text'],
    ['cursor=nonsense', 'cursor', 'cursor_invalid'],
  ])('%s → %s is %s', async (query, parameter, code) => {
    expect(await parameterFault(query)).toEqual([[parameter, code]]);
  });

  test('an operation without parameters takes none', async () => {
    const reply = await core.call('GET', `/patients/${id}?expand=records`);
    expect(reply.error.details).toMatchObject([{ code: 'unknown_parameter', parameter: 'expand' }]);
  });

  test('every fault is named in one answer', async () => {
    expect(await parameterFault('limit=0&sort=phone&bogus=1')).toHaveLength(3);
  });
});
