import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { type Answer, sendRaw, startTestGateway, type TestGateway } from '../support/gateway.ts';

/** Bodies as no client should send them, to the real core behind the gateway. */

const LIMIT = 4_096;
const versions = ['2023-10-15', '2023-04-30', '2022-11-15'] as const;

let database: TestDatabase;
let core: TestCore;
let gateway: TestGateway;
let account: FreshAccount;
let patients: number;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startCore(database.url);
  gateway = await startTestGateway(core.url, database.url, { config: { bodyBytesMax: LIMIT, coreTimeoutMs: 5_000 } });
});

beforeEach(async () => {
  patients = await database.db.patient.count();
});

afterEach(async () => {
  expect(await database.db.patient.count()).toBe(patients);
  expect((await gateway.send('GET', '/health')).status).toBe(200);
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

function post(version: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return gateway.send('POST', `/v${version}/patients`, { key: account.apiKey, body, headers });
}

const valid = { name: 'Amara Okafor', dob: '1984-03-07' };

describe.each(versions)('at %s', (version) => {
  test.each<[string, unknown, Record<string, string>, number, string]>([
    ['malformed JSON', '{"name":', {}, 400, 'body_malformed'],
    ['no body', '', {}, 400, 'body_malformed'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), {}, 400, 'body_malformed'],
    ['nesting without end', `${'['.repeat(2_000)}${']'.repeat(2_000)}`, {}, 400, 'body_malformed'],
    ['text', JSON.stringify(valid), { 'content-type': 'text/plain' }, 415, 'media_type_unsupported'],
    ['a form', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'media_type_unsupported'],
    ['an unknown coding', JSON.stringify(valid), { 'content-encoding': 'snappy' }, 415, 'media_type_unsupported'],
    ['too much', JSON.stringify({ ...valid, name: 'x'.repeat(LIMIT) }), {}, 413, 'body_too_large'],
    ['null', 'null', {}, 422, 'validation_failed'],
    ['a list', '[]', {}, 422, 'validation_failed'],
    ['half of a surrogate pair', '{"name":"\\ud800","dob":"1984-03-07"}', {}, 422, 'validation_failed'],
    ['NUL', '{"name":"a\\u0000b","dob":"1984-03-07"}', {}, 422, 'validation_failed'],
    ['__proto__', '{"name":"A","dob":"1984-03-07","__proto__":{"admin":true}}', {}, 422, 'validation_failed'],
    ['a constructor', '{"name":"A","dob":"1984-03-07","constructor":{}}', {}, 422, 'validation_failed'],
    ['a number that is none', '{"name":1e999,"dob":"1984-03-07"}', {}, 422, 'validation_failed'],
  ])('%s', async (_name, body, headers, status, code) => {
    const answer = await post(version, body, headers);
    expect([answer.status, answer.error.code]).toEqual([status, code]);
    expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
    expect(answer.headers['service-version']).toBe(version);
  });

  test('too much in chunks, without a length', async () => {
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = httpRequest(
        `${gateway.url}/v${version}/patients`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      request.on('error', reject);
      request.write('{"name":"');
      for (let count = 0; count < 20; count += 1) request.write('x'.repeat(1_000));
      request.end('"}');
    });
    expect(answer.status).toBe(413);
    expect(answer.text).toContain('body_too_large');
  });

  test('a small body that decompresses to a large one', async () => {
    const bomb = gzipSync(`{"name":"${'x'.repeat(10_000_000)}"}`).subarray(0);
    // As sent it is larger than is taken as well; a tighter one is not.
    expect((await post(version, bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
    const tight = gzipSync(`{"name":"${'x'.repeat(1_000_000)}"}`);
    expect(tight.length).toBeLessThan(LIMIT);
    const answer = await post(version, tight, { 'content-encoding': 'gzip' });
    // At head core reads the body, by its own limit: there it is a name that is too long.
    expect([413, 422]).toContain(answer.status);
  });

  test('a client that leaves in the middle of its body', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(gateway.port, '127.0.0.1', () => {
        socket.write(
          `POST /v${version}/patients HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${account.apiKey}\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"name":`,
          () => setTimeout(() => socket.destroy(), 30),
        );
      });
      socket.on('close', () => resolve());
      socket.on('error', () => undefined);
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });

  test('Expect: 100-continue is answered before the body', async () => {
    const body = '{"name":17,"dob":"1984-03-07"}';
    const answer = await sendRaw(
      gateway.port,
      `POST /v${version}/patients HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: Bearer ${account.apiKey}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 422 /);
  });
});

test('a gzip body is read in every version', async () => {
  for (const version of versions) {
    const answer = await post(version, gzipSync(JSON.stringify({ ...valid, dob: 'x' })), {
      'content-encoding': 'gzip',
    });
    expect([answer.status, answer.error.details[0]?.pointer]).toEqual([422, '/dob']);
  }
});
