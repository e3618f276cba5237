import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import type { Contract } from '@perennial/schemas/contract.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { baseHead, baseHistory, baseReleases } from '../../fixtures/base.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { coreEnvelope, type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

const base = {
  method: 'GET',
  category: 'patients',
  summary: 'A fixture',
  scope: 'patients:read',
  parameters: [],
  errors: [],
} as const satisfies Partial<Operation>;

/** The contract of the fixtures with an operation of each kind of stream. */
const contract: Contract = {
  ...baseHead,
  operations: [
    ...baseHead.operations,
    {
      ...base,
      id: 'fixture.export',
      path: '/fixture/export',
      response: { status: 200, description: 'Lines.', ref: 'Patient', mediaType: 'application/x-ndjson' },
    },
    {
      ...base,
      id: 'fixture.watch',
      path: '/fixture/watch',
      response: {
        status: 200,
        description: 'Events.',
        mediaType: 'text/event-stream',
        events: { patient: 'Patient', analysis: 'Analysis' },
      },
    },
    {
      ...base,
      id: 'fixture.bytes',
      path: '/fixture/bytes',
      response: { status: 200, description: 'Bytes.', mediaType: 'application/octet-stream' },
    },
  ],
};

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let account: FreshAccount;

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url, {
    translator: createTranslator(contract, baseHistory, baseReleases),
    config: { elementBytesMax: 10_000 },
  });
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

const keyOf = (release: string): string => (release === '2023-10-15' ? account.apiKey : account.legacyApiKey);
const sex = (release: string): string => (release === '2022-11-15' ? 'gender' : 'sex');

/** Opens a request and gives the answer as it arrives. */
async function open(
  release: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ request: ClientRequest; answer: IncomingMessage }> {
  const request = httpRequest(`${gateway.url}/v${release}${path}`, {
    headers: { authorization: `Bearer ${keyOf(release)}`, ...headers },
  });
  request.on('error', () => undefined);
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { request, answer };
}

async function readAll(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

describe.each(['2022-11-15', '2023-04-30', '2023-10-15'])('at v%s', (release) => {
  it('NDJSON arrives line by line in that version, before the stream has ended', async () => {
    let finish = (): void => undefined;
    core.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(`${JSON.stringify(fakePatient)}\n`);
      finish = () => response.end(`${JSON.stringify(fakePatient)}\n`);
    };
    const { answer } = await open(release, '/fixture/export', { accept: 'application/x-ndjson' });
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(JSON.parse(String(first))).toHaveProperty(sex(release), 'female');
    finish();
    const rest = await readAll(answer);
    expect(JSON.parse(rest)).toHaveProperty(sex(release), 'female');
    expect(answer.headers['service-version']).toBe(release);
    expect(answer.headers['content-type']).toContain('application/x-ndjson');
  });

  it('server-sent events keep ids and heartbeats, and carry their data in that version', async () => {
    core.answer = ({ headers }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `: heartbeat\nid: ${String(headers['last-event-id'])}1\nevent: patient\ndata: ${JSON.stringify(fakePatient)}\n\n`,
      );
    };
    const { answer } = await open(release, '/fixture/watch', { accept: 'text/event-stream', 'last-event-id': '4' });
    const events = (await readAll(answer)).split('\n\n');
    const lines = (events[0] as string).split('\n');
    expect(lines.slice(0, 3)).toEqual([': heartbeat', 'id: 41', 'event: patient']);
    expect(JSON.parse((lines[3] as string).slice('data: '.length))).toHaveProperty(sex(release), 'female');
  });

  it('bytes go through untouched', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 195, 40, 0]);
    core.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/dicom', 'content-length': bytes.length, etag: 'W/"1.x"' });
      response.end(bytes);
    };
    const got = await gateway.send('GET', `/v${release}/fixture/bytes`, {
      key: keyOf(release),
      headers: { accept: '*/*' },
    });
    expect(got.bytes).toEqual(bytes);
    expect(got.headers['content-length']).toBe(String(bytes.length));
    expect(got.headers['content-type']).toBe('application/dicom');
  });

  it.each([
    ['/fixture/export', 'application/x-ndjson'],
    ['/fixture/watch', 'text/event-stream'],
    ['/fixture/bytes', 'application/json'],
    ['/fixture/bytes', 'text/plain'],
  ])('an answer of %s (%s) that ends without anything in it is whole, with or without a length', async (path, type) => {
    for (const length of [{}, { 'content-length': '0' }])
      for (const method of ['GET', 'HEAD']) {
        core.answer = (_request, response) => {
          response.writeHead(200, { 'content-type': type, ...length });
          response.flushHeaders();
          setTimeout(() => response.end(), 5);
        };
        const got = await gateway.send(method, `/v${release}${path}`, { key: keyOf(release) });
        expect([got.status, got.bytes.length]).toEqual([200, 0]);
        expect(got.headers['content-type']).toContain(type);
      }
  });

  it('an answer of nothing where an object is promised is refused, with or without a length', async () => {
    for (const length of [{}, { 'content-length': '0' }])
      for (const path of ['/fixture/export', '/patients/pat_8fJ2kQ0aZrT5mWxY7bLc']) {
        core.answer = (_request, response) => {
          response.writeHead(path === '/fixture/export' ? 404 : 200, { 'content-type': 'application/json', ...length });
          response.flushHeaders();
          setTimeout(() => response.end(), 5);
        };
        const got = await gateway.send('GET', `/v${release}${path}`, { key: keyOf(release) });
        expect([got.status, got.error.code]).toEqual([502, 'core_failed']);
      }
  });

  it('a stream begins for the client when it begins in core, however long its first element takes', async () => {
    let finish = (): void => undefined;
    core.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      finish = () => response.end();
    };
    const { answer } = await open(release, '/fixture/watch');
    expect(answer.statusCode).toBe(200);
    finish();
    expect(await readAll(answer)).toBe('');
  });

  it('a client that leaves ends core’s stream', async () => {
    const aborted = new Promise<void>((resolve) => {
      core.answer = (request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': heartbeat\n\n');
        void request.aborted.then(resolve);
      };
    });
    const { request, answer } = await open(release, '/fixture/watch');
    answer.on('error', () => undefined);
    await once(answer, 'data');
    request.destroy();
    await aborted;
  });

  it('an error of core before the stream begins is an error answer', async () => {
    core.answer = (_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(
        coreEnvelope('error', {
          code: 'not_found',
          message: 'There is no such object.',
          details: [],
          documentation_url: '/errors#not_found',
        }),
      );
    };
    const got = await gateway.send('GET', `/v${release}/fixture/export`, {
      key: keyOf(release),
      headers: { accept: '*/*' },
    });
    expect([got.status, got.error.code]).toEqual([404, 'not_found']);
  });
});

describe('a stream that fails after it has begun', () => {
  it('ends with an error element in the client’s version when core breaks off', async () => {
    core.answer = (_request, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(`${JSON.stringify(fakePatient)}\n{"id":"pat_`);
      setTimeout(() => response.destroy(), 50);
    };
    const { answer } = await open('2022-11-15', '/fixture/export');
    const lines = (await readAll(answer)).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1] as string)).toMatchObject({ error: { code: 'core_failed' } });
  });

  it('ends with an error element when an element is not JSON, and never passes on half of one', async () => {
    core.answer = (_request, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: patient\ndata: ${JSON.stringify(fakePatient)}\n\nevent: patient\ndata: {"id":\n\n`);
    };
    const { answer } = await open('2022-11-15', '/fixture/watch');
    const events = (await readAll(answer)).trimEnd().split('\n\n');
    expect(events).toHaveLength(2);
    expect(events[1]).toMatch(/^event: error\ndata: \{"code":"core_failed"/);
  });
});

it('a slow reader slows core down: what is held between them is bounded', async () => {
  let sent = 0;
  const blocked = new Promise<void>((resolve) => {
    core.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      const line = `${JSON.stringify({ ...fakePatient, name: 'x'.repeat(5_000) })}\n`;
      const push = (): void => {
        // 200 MB, if nobody ever said stop.
        while (sent < 200 * 1_048_576) {
          sent += line.length;
          if (!response.write(line)) {
            const timer = setTimeout(resolve, 300);
            response.once('drain', () => {
              clearTimeout(timer);
              push();
            });
            return;
          }
        }
        resolve();
      };
      response.on('error', () => undefined);
      push();
    };
  });
  const { request, answer } = await open('2022-11-15', '/fixture/export');
  answer.on('error', () => undefined);
  answer.pause();
  await blocked;
  expect(sent).toBeLessThan(50 * 1_048_576);
  request.destroy();
});
