import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signInternalToken } from '@perennial/schemas/internal-token.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import { SignJWT } from 'jose';
import { send, startCore, TEST_SECRET, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

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
  const forged: [string, () => Promise<string>][] = [
    ['no token', async () => ''],
    ['a token signed with another secret', () => signInternalToken('x'.repeat(40), someone)],
    ['a token that has expired', () => claims().setExpirationTime('-1s').sign(secret)],
    ['a token without an end', () => claims().sign(secret)],
    ['a token for somebody else', () => claims().setAudience('other').setExpirationTime('60s').sign(secret)],
    ['text', async () => 'not.a.token'],
    ['a token of ten thousand characters', async () => 'x'.repeat(10_000)],
  ];
  const someone = { accountId: 'acc_test', keyId: 'key_test', scopes: ['admin'] };
  const secret = Buffer.from(TEST_SECRET);
  const claims = (): SignJWT =>
    new SignJWT({ key: 'key_test', scopes: ['admin'] })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('perennial-gateway')
      .setAudience('perennial-core')
      .setSubject('acc_test');

  test.each(forged)('%s is 401 on every path, known or not', async (_name, make) => {
    const token = await make();
    for (const path of [`/patients/${id}`, '/nowhere']) {
      const reply = await send(core.url, 'GET', path, token ? { authorization: `Bearer ${token}` } : {});
      expect(reply.status).toBe(401);
      expect(reply.error.code).toBe('credential_invalid');
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('a token signed "none" is 401', async () => {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const payload = { sub: 'acc_test', key: 'k', scopes: ['admin'], iss: 'perennial-gateway', aud: 'perennial-core' };
    const token = `${part({ alg: 'none' })}.${part({ ...payload, exp: Math.ceil(Date.now() / 1000) + 60 })}.`;
    const reply = await send(core.url, 'GET', `/patients/${id}`, { authorization: `Bearer ${token}` });
    expect(reply.status).toBe(401);
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
