import { connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import { startCore, type TestCore } from '../../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
let core: TestCore;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

const valid = { name: 'Amara Okafor', dob: '1984-03-07' };
const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): ReturnType<TestCore['call']> =>
  core.call('POST', '/patients', { body, headers });

describe('media types', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    '%s is taken',
    async (type) => {
      expect((await post(valid, { 'content-type': type })).status).toBe(201);
    },
  );

  test.each(['text/plain', 'application/xml', 'application/json; charset=latin1', '', 'application/merge-patch+json'])(
    '"%s" is 415 and says what is taken',
    async (type) => {
      const reply = await post(valid, { 'content-type': type });
      expect([reply.status, reply.error.code]).toEqual([415, 'media_type_unsupported']);
      expect(reply.headers.accept).toBe('application/json');
    },
  );

  test('PATCH takes merge patches and plain JSON, and nothing else', async () => {
    const { data } = (await post(valid)) as { data: Patient };
    const patch = (type: string): ReturnType<TestCore['call']> =>
      core.call('PATCH', `/patients/${data.id}`, { body: { name: 'A' }, headers: { 'content-type': type } });
    expect((await patch('application/merge-patch+json')).status).toBe(200);
    expect((await patch('application/json')).status).toBe(200);
    expect((await patch('application/json-patch+json')).status).toBe(415);
  });
});

describe('malformed bodies are 400 body_malformed', () => {
  const cases: [string, Buffer | string][] = [
    ['nothing', ''],
    ['half an object', '{"name":'],
    ['two values', '{} {}'],
    ['a trailing comma', '{"name":"A",}'],
    ['NaN', '{"name":NaN}'],
    ['a raw control character', '{"name":"a\u0001"}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
    ['surrogates encoded as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['nesting of 65', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['nesting of half a million', '['.repeat(500_000)],
  ];
  test.each(cases)('%s', async (_name, body) => {
    const reply = await post(body);
    expect([reply.status, reply.error.code]).toEqual([400, 'body_malformed']);
  });

  test('brackets inside strings do not nest, and a byte order mark is overlooked', async () => {
    expect((await post(`\ufeff${JSON.stringify({ ...valid, name: '[{'.repeat(90) })}`)).status).toBe(201);
    expect((await post({ ...valid, name: `\\"${'['.repeat(90)}` })).status).toBe(201);
  });
});

describe('a body that is not what the operation takes is 422, with pointers and without values', () => {
  const faults = async (body: unknown): Promise<unknown> => {
    const reply = await post(body);
    expect([reply.status, reply.error.code]).toEqual([422, 'validation_failed']);
    return reply.error.details.map(({ pointer, code }) => [pointer, code]);
  };

  const cases: [string, unknown, [string, string][]][] = [
    ['an array', [], [['', 'wrong_type']]],
    ['null', 'null', [['', 'wrong_type']]],
    ['a missing field', { name: 'A' }, [['/dob', 'required']]],
    ['an unknown field', { ...valid, 'a/b~c': 1 }, [['/a~1b~0c', 'unknown_field']]],
    ['a wrong type within', { ...valid, contact_info: { email: 1 } }, [['/contact_info/email', 'wrong_type']]],
    ['not an email', { ...valid, contact_info: { email: 'a' } }, [['/contact_info/email', 'wrong_format']]],
    ['not a word of the list', { ...valid, sex: 'F' }, [['/sex', 'not_allowed_value']]],
    ['an empty name', { ...valid, name: '' }, [['/name', 'too_short']]],
    ['a long name', { ...valid, name: 'é'.repeat(201) }, [['/name', 'too_long']]],
    ['no such day', { ...valid, dob: '2023-02-29' }, [['/dob', 'wrong_format']]],
    [
      'more members than are read',
      Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`f${at}`, 1])),
      [['', 'too_many']],
    ],
    [
      'thousands of faults, of which the first is told',
      { ...valid, contact_info: { email: Array.from({ length: 10_001 }, () => 1) }, sex: 'F' },
      [['/sex', 'not_allowed_value']],
    ],
    ['NUL', { ...valid, name: 'a\u0000b' }, [['/name', 'invalid_text']]],
    [
      'half a surrogate pair',
      `{"name":"A","dob":"1984-03-07","contact_info":{"phone":"\\ud83d"}}`,
      [['/contact_info/phone', 'invalid_text']],
    ],
    [
      'NUL in a name of a field',
      `{"name":"A","dob":"1984-03-07","contact_info":{"a\\u0000":1}}`,
      [['/contact_info', 'invalid_text']],
    ],
    ['__proto__', `{"name":"A","dob":"1984-03-07","__proto__":{"isAdmin":true}}`, [['/__proto__', 'unknown_field']]],
    ['constructor', { ...valid, constructor: { prototype: {} } }, [['/constructor', 'unknown_field']]],
    [
      'two faults',
      { sex: 'F', dob: 5, name: 'A' },
      [
        ['/dob', 'wrong_type'],
        ['/sex', 'not_allowed_value'],
      ],
    ],
  ];
  test.each(cases)('%s', async (_name, body, expected) => {
    const found = (await faults(body)) as unknown[];
    expect(found).toHaveLength(expected.length);
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  test('no prototype is polluted', async () => {
    await faults(`{"name":"A","dob":"1984-03-07","__proto__":{"isAdmin":true}}`);
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });

  test('no submitted value comes back', async () => {
    const secret = 'S3CRET-VALUE';
    const body = { name: 7, dob: secret, sex: secret, contact_info: { email: secret, preferred_method: secret } };
    expect((await post(body)).text).not.toContain(secret);
    expect((await post(`{"name": ${secret}`)).text).not.toContain(secret);
    expect((await core.call('GET', `/patients?sex=${secret}&cursor=${secret}`)).text).not.toContain(secret);
  });

  test('characters written as escapes that can be stored are stored', async () => {
    const reply = await post('{"name":"\\u00e9\\ud83d\\ude00","dob":"1984-03-07"}');
    expect((reply.data as Patient).name).toBe('é😀');
  });
});

describe('sizes are bounded', () => {
  const large = (bytes: number): string => JSON.stringify({ ...valid, name: 'x'.repeat(bytes) });

  test('a body above the limit is 413, and the connection can be used again', async () => {
    const reply = await post(large(1_100_000));
    expect([reply.status, reply.error.code]).toEqual([413, 'body_too_large']);
    expect(reply.headers.connection).not.toBe('close');
  });

  test('a body far above the limit is 413 and the caller gets to read it', async () => {
    const reply = await post(large(10_000_000));
    expect([reply.status, reply.error.code]).toEqual([413, 'body_too_large']);
  });

  test('a body of exactly the limit is read', async () => {
    const frame = Buffer.byteLength(large(0));
    expect((await post(large(1_048_576 - frame))).error.details).toMatchObject([
      { pointer: '/name', code: 'too_long' },
    ]);
    expect((await post(large(1_048_577 - frame))).status).toBe(413);
  });

  test('a caller that never stops sending is cut off', async () => {
    const token = core.token('POST', '/patients');
    const { port } = new URL(core.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const head = `POST /patients HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    const pump = setInterval(() => socket.write(chunk), 5);
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(pump);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toMatch(/connection: close/i);
  });
});

describe('compressed bodies', () => {
  const bytes = Buffer.from(JSON.stringify({ ...valid, name: 'Zoë' }));
  test.each([
    ['gzip', gzipSync(bytes)],
    ['GZIP', gzipSync(bytes)],
    ['br', brotliCompressSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['deflate', deflateRawSync(bytes)],
    ['identity', bytes],
  ])('%s is read', async (coding, body) => {
    const reply = await post(body, { 'content-encoding': coding });
    expect([reply.status, (reply.data as Patient).name]).toEqual([201, 'Zoë']);
  });

  test.each(['gzip', 'br', 'deflate'])('%s that is not is 400', async (coding) => {
    const reply = await post(Buffer.from('xxxx not compressed'), { 'content-encoding': coding });
    expect([reply.status, reply.error.code]).toEqual([400, 'body_malformed']);
  });

  test('half a gzip stream is 400', async () => {
    const half = gzipSync(Buffer.from(JSON.stringify({ ...valid, name: 'abc'.repeat(40) }))).subarray(0, 40);
    expect((await post(half, { 'content-encoding': 'gzip' })).error.code).toBe('body_malformed');
  });

  test('a coding that is unknown is 415 and says which are read', async () => {
    const reply = await post(bytes, { 'content-encoding': 'compress' });
    expect([reply.status, reply.headers['accept-encoding']]).toEqual([415, 'gzip, deflate, br']);
  });

  test('a small body that expands beyond the limit is 413', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, 0x20));
    expect(bomb.length).toBeLessThan(1_000_000);
    const reply = await post(bomb, { 'content-encoding': 'gzip' });
    expect([reply.status, reply.error.code]).toEqual([413, 'body_too_large']);
  });
});

test('a caller that goes away in the middle of its body harms nobody', async () => {
  const { port } = new URL(core.url);
  for (let round = 0; round < 5; round += 1) {
    const token = core.token('POST', '/patients');
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST /patients HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`;
    socket.write(`${head}\r\nContent-Length: 100\r\n\r\n{"name":`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
  }
  expect((await post(valid)).status).toBe(201);
});

test('what is not HTTP is answered in the envelope and the connection closed', async () => {
  const { port } = new URL(core.url);
  const answer = async (bytes: string): Promise<string> => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    socket.on('error', () => undefined);
    socket.write(bytes);
    await new Promise((resolve) => socket.once('close', resolve));
    return text;
  };
  expect(await answer('BANANA\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"error":\{"code":"request_malformed"/);
  const headers = `GET /health HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`;
  expect(await answer(headers)).toMatch(/^HTTP\/1\.1 431 [\s\S]*"error":\{"code":"headers_too_large"/);
});
