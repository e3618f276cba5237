import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import {
  type Answer as AnswerOf,
  coreEnvelope,
  type FakeCore,
  fakePatient,
  startFakeCore,
} from '../support/fake-core.ts';
import { type Answer, type SendOptions, startTestGateway, type TestGateway } from '../support/gateway.ts';

/*
 * Core as it must never be: a real server that fails in every way a server can, on all four ways through the gateway:
 * passed through whole, passed through as a stream, relayed with only the version replaced, and translated.
 */

const TIMEOUT_MS = 300;
const id = fakePatient.id;
const patient = `/patients/${id}`;
const ways = [
  ['passed through', '2023-10-15', patient],
  ['streamed through', '2023-10-15', '/patients/export'],
  ['relayed', '2023-04-30', patient],
  ['translated', '2022-11-15', patient],
] as const;

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
/** For what is about time; the other is patient, so that a busy machine fails nothing. */
let impatient: TestGateway;
let account: FreshAccount;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url, {
    config: { coreTimeoutMs: 20_000, answerBytesMax: 1_048_576 },
  });
  impatient = await startTestGateway(core.url, database.url, { config: { coreTimeoutMs: TIMEOUT_MS } });
});

beforeEach(() => {
  core.seen.length = 0;
  core.answer = undefined;
});

afterEach(async () => {
  // Whatever core did, the next request is served.
  core.answer = undefined;
  for (const [, version, path] of ways) expect((await get(version, {}, gateway, path)).status).toBe(200);
});

afterAll(async () => {
  await Promise.all([gateway.stop(), impatient.stop()]);
  await core.stop();
  await database.close();
});

function get(version: string, options: SendOptions = {}, by = gateway, path: string = patient): Promise<Answer> {
  return by.send('GET', `/v${version}${path}`, { key: account.apiKey, ...options });
}

function expectFault(answer: Answer, status: number, code: string, version: string): void {
  expect([answer.status, answer.error?.code]).toEqual([status, code]);
  expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
  expect(answer.headers['service-version']).toBe(version);
  expect(answer.headers.etag).toBeUndefined();
}

const whole = coreEnvelope('data', fakePatient);
const json = { 'content-type': 'application/json' };

/** Answers given headers and text. */
function answers(status: number, headers: Record<string, string>, body: string | Buffer = ''): AnswerOf {
  return (_request, response) => {
    response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers });
    response.end(body);
  };
}

describe.each(ways)('%s', (_name, version, path) => {
  const ask = (by = gateway): Promise<Answer> => get(version, {}, by, path);

  const unusable: [string, AnswerOf][] = [
    ['HTML', answers(200, { 'content-type': 'text/html' }, '<html>')],
    ['text', answers(200, { 'content-type': 'text/plain' }, whole)],
    ['no content type', answers(200, {}, whole)],
    ['an empty body', answers(200, json)],
    ['an empty body in chunks', (_request, response) => void response.writeHead(200, json).end()],
    ['401: the gateway itself was refused', answers(401, json, coreEnvelope('error', { code: 'credential_invalid' }))],
    ['403', answers(403, json, coreEnvelope('error', { code: 'scope_missing' }))],
    ['a redirect', answers(302, { ...json, location: 'http://elsewhere.test/' }, whole)],
    ['300', answers(300, json, whole)],
    ['an HTML error page', answers(500, { 'content-type': 'text/html' }, '<html>')],
    ['a 304 that nobody asked for', answers(304, {})],
    ['a content coding that nobody knows', answers(200, { ...json, 'content-encoding': 'snappy' }, whole)],
    ['nothing: the connection closes', (_request, response) => void response.destroy()],
    [
      'half of the headers',
      (_request, response) => {
        response.socket?.end('HTTP/1.1 200 OK\r\ncontent-ty');
      },
    ],
    [
      'bytes that are no HTTP',
      (_request, response) => {
        response.socket?.end('SSH-2.0-OpenSSH\r\n\r\n');
      },
    ],
  ];
  test.each(unusable)('core answers %s: 502', async (_what, answer) => {
    core.answer = answer;
    const { headers, ...rest } = await ask();
    expectFault({ headers, ...rest } as Answer, 502, 'core_failed', version);
    expect(headers.location).toBeUndefined();
  });

  test('core is silent: 504', async () => {
    core.answer = () => undefined;
    const startedAt = performance.now();
    expectFault(await ask(impatient), 504, 'core_timeout', version);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  const brokenOff: [string, AnswerOf][] = [
    [
      'stalls in the middle',
      (_request, response) => {
        response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(whole) });
        response.write(whole.slice(0, 300));
      },
    ],
    [
      'closes early',
      (_request, response) => {
        response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(whole) });
        response.write(whole.slice(0, 300), () => response.destroy());
      },
    ],
    [
      'closes in the middle of chunks',
      (_request, response) => {
        response.writeHead(200, json);
        response.write(whole.slice(0, 300), () => response.destroy());
      },
    ],
    [
      'sends less than its content-length says',
      (_request, response) => {
        response.socket?.end(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n${whole}`,
        );
      },
    ],
  ];
  test.each(brokenOff)('core %s: never an answer that looks whole', async (_what, answer) => {
    core.answer = answer;
    const outcome = await ask(impatient).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect([502, 504, 'ECONNRESET']).toContain(outcome);
    if (path === patient) expect(outcome).not.toBe('ECONNRESET');
  });

  test('core sends more than its content-length says: the rest is no part of the answer', async () => {
    core.answer = (_request, response) => {
      response.socket?.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(whole)}\r\n\r\n${whole}HTTP/1.1 200 OK\r\n\r\nsmuggled`,
      );
    };
    const answer = await ask();
    if (answer.status === 200) expect(answer.data['id']).toBe(id);
    else expect(answer.status).toBe(502);
    expect(answer.text).not.toContain('smuggled');
  });

  test.each([
    ['gzip', gzipSync(whole)],
    ['br', brotliCompressSync(whole)],
  ])('core answers with %s to a client that did not ask for it: it is decoded', async (coding, body) => {
    core.answer = answers(200, { ...json, 'content-encoding': coding }, body);
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.data['name']).toBe(fakePatient.name);
    const length = answer.headers['content-length'];
    if (length !== undefined) expect(Number(length)).toBe(answer.bytes.length);
  });

  test('core answers in chunks, a byte at a time', async () => {
    core.answer = async (_request, response) => {
      response.writeHead(200, json);
      const bytes = Buffer.from(whole);
      for (let at = 0; at < bytes.length; at += 7) {
        response.write(bytes.subarray(at, at + 7));
        if (at % 70 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    };
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(answer.data['name']).toBe(fakePatient.name);
    expect(answer.meta.version).toBe({ '2023-10-15': '2.5.0', '2023-04-30': '2.4.0', '2022-11-15': '2.3.0' }[version]);
  });

  test('core answers 503 with Retry-After: it is passed on', async () => {
    const error = { code: 'unavailable', message: 'Later.', details: [], documentation_url: '/errors#unavailable' };
    core.answer = answers(503, { ...json, 'retry-after': '7' }, coreEnvelope('error', error));
    const answer = await ask();
    expect([answer.status, answer.error.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '7']);
  });

  test('core answers 204 without a body', async () => {
    core.answer = (_request, response) => {
      response.writeHead(204, { etag: 'W/"4.headhash"' }).end();
    };
    const answer = await gateway.send('DELETE', `/v${version}/patients/${id}`, { key: account.apiKey });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['content-type']).toBeUndefined();
  });

  test('a client that goes away ends the request to core', async () => {
    core.answer = () => undefined;
    const { request } = await import('node:http');
    const sent = request(`${gateway.url}/v${version}${path}`, {
      headers: { authorization: `Bearer ${account.apiKey}` },
    });
    sent.on('error', () => undefined);
    sent.end();
    while (core.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const startedAt = performance.now();
    sent.destroy();
    await core.seen[0]?.aborted;
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('what only a reader of the body can see', () => {
  const nonsense: [string, string][] = [
    ['invalid JSON', whole.slice(0, -2)],
    ['JSON that is no envelope', '[1,2,3]'],
    ['an envelope without data', coreEnvelope('data', undefined).replace(',"data":undefined', '')],
    ['an envelope of an error that is a success', coreEnvelope('error', { code: 'not_found' })],
    ['null', 'null'],
  ];
  test.each(nonsense)('translated: core answers %s: 502', async (_what, body) => {
    core.answer = answers(200, json, body);
    expectFault(await get('2022-11-15'), 502, 'core_failed', '2022-11-15');
  });

  test.each(nonsense.slice(1))('relayed: core answers %s: 502', async (_what, body) => {
    core.answer = answers(200, json, body);
    expectFault(await get('2023-04-30'), 502, 'core_failed', '2023-04-30');
  });

  test('passed through: at head the body is core’s own', async () => {
    core.answer = answers(200, json, '[1,2,3]');
    expect((await get('2023-10-15')).text).toBe('[1,2,3]');
  });

  test.each([
    ['translated', '2022-11-15'],
    ['relayed', '2023-04-30'],
    ['passed through', '2023-10-15'],
  ])('%s: an answer larger than is taken is refused, with or without a length', async (_path, version) => {
    const large = coreEnvelope('data', { ...fakePatient, name: 'x'.repeat(1_100_000) });
    core.answer = answers(200, json, large);
    expectFault(await get(version), 502, 'core_failed', version);
    core.answer = (_request, response) => void response.writeHead(200, json).end(large);
    expectFault(await get(version), 502, 'core_failed', version);
    core.answer = answers(200, { ...json, 'content-encoding': 'gzip' }, gzipSync(large));
    expectFault(await get(version), 502, 'core_failed', version);
  });

  test('a patient that is not what its version promises is refused by the answer check, and only codes are logged', async () => {
    core.answer = answers(200, json, coreEnvelope('data', { ...fakePatient, name: 17 }));
    const answer = await get('2022-11-15');
    expect([answer.status, answer.error.code]).toEqual([500, 'translation_failed']);
    expect(gateway.log.join('')).toContain('wrong_type /name');
  });

  test('passed through: an encoding that the client accepts stays as it is', async () => {
    const body = gzipSync(whole);
    core.answer = answers(200, { ...json, 'content-encoding': 'gzip' }, body);
    const answer = await get('2023-10-15', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.bytes.equals(body)).toBe(true);
  });

  test('an encoding that does not decode is 502', async () => {
    core.answer = answers(200, { ...json, 'content-encoding': 'gzip' }, whole);
    expectFault(await get('2022-11-15'), 502, 'core_failed', '2022-11-15');
  });
});

describe('core is away', () => {
  let lost: TestGateway;
  let silent: Server;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    // A port on which nobody listens: taken for a moment, and let go.
    silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    await new Promise((resolve) => silent.close(resolve));
    lost = await startTestGateway(`http://127.0.0.1:${port}`, database.url, { config: { coreTimeoutMs: TIMEOUT_MS } });
  });

  afterAll(() => lost.stop());

  test.each(ways)(
    '%s: 503 at once, to be sent again, and the log names neither body nor key',
    async (_name, version, _path) => {
      const answer = await lost.send('POST', `/v${version}/patients`, {
        key: account.apiKey,
        body: { name: 'Private Person', dob: '1990-01-01' },
      });
      expectFault(answer, 503, 'unavailable', version);
      expect(answer.headers['retry-after']).toBe('1');
      const log = lost.log.join('');
      expect(log).toContain('unavailable');
      expect(log).not.toContain('Private Person');
      expect(log).not.toContain(account.apiKey);
    },
  );

  test('the connection stays open after such an answer', async () => {
    const { Agent, request } = await import('node:http');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports: (number | undefined)[] = [];
    for (let count = 0; count < 2; count += 1)
      await new Promise<void>((resolve, reject) => {
        const headers = { authorization: `Bearer ${account.apiKey}` };
        const sent = request(`${lost.url}/v2023-10-15/patients/${id}`, { agent, headers }, (response) => {
          ports.push(response.socket.localPort);
          response.resume().on('end', resolve);
        });
        sent.on('error', reject).end();
      });
    agent.destroy();
    expect(ports[0]).toBe(ports[1]);
  });
});
