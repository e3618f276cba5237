import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import { RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import pg from 'pg';
import { send, TEST_SECRET } from '../support/core.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';

const MAIN = join(import.meta.dirname, '../../core/main.ts');
const NODE = join(import.meta.dirname, '../../node_modules/node/bin/node');

let database: TestDatabase;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await emptyDatabase();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => database.close());

interface Child {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly exit: Promise<number | null>;
}

function run(env: Readonly<Record<string, string>>): Child {
  const child = fork(MAIN, { execPath: NODE, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // Not the event "close": it never comes after a disconnect.
  const drained = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'));
  const exit = once(child, 'exit').then(async ([code]) => {
    await Promise.all(drained);
    return code as number | null;
  });
  return { process: child, output: () => output, exit };
}

async function start(): Promise<Child & { readonly url: string }> {
  const child = run({ DATABASE_URL: database.url, INTERNAL_SECRET: TEST_SECRET, CORE_PORT: '0' });
  const [message] = (await once(child.process, 'message')) as [{ type: string; url: string }];
  expect(message.type).toBe('ready');
  return { ...child, url: message.url };
}

const signer = new RequestSigner(TEST_SECRET);

function authorised(method: string, path: string): Record<string, string> {
  const caller: Caller = { accountId: 'acc_a', keyId: 'key_a', scopes: ['admin'] };
  return {
    authorization: `Bearer ${signer.sign(caller, method, path, undefined)}`,
    'content-type': 'application/json',
  };
}

const patient = Buffer.from(JSON.stringify({ name: 'Hidden Name', dob: '1984-03-07' }));

test('on an empty database it migrates, announces itself and answers; its log has ids and codes only', async () => {
  const core = await start();
  const made = await send<{ id: string }>(core.url, 'POST', '/patients', authorised('POST', '/patients'), patient);
  expect(made.status).toBe(201);
  for (const path of ['/patients?name=Hidden&limit=1', '/nowhere'])
    await send(core.url, 'GET', path, authorised('GET', path));
  core.process.kill('SIGTERM');
  expect(await core.exit).toBe(0);
  const lines = core
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ message }) => message === 'request')).toMatchObject([
    { operation: 'patients.create', status: 201, account: 'acc_a', key: 'key_a', level: 'info' },
    { operation: 'patients.list', status: 200, requestId: expect.stringMatching(/^req_/) },
    { status: 404, code: 'route_unknown', durationMs: expect.any(Number) },
  ]);
  expect(core.output()).not.toMatch(/Hidden|1984|WyJ|nowhere/);
});

test('a stop lets the request under way finish, and accepts no other', async () => {
  const core = await start();
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE core.patients IN ACCESS EXCLUSIVE MODE');
  const path = '/patients/pat_missing00';
  const pending = send(core.url, 'GET', path, authorised('GET', path));
  const idle = await keptAlive(core.url);
  await waitFor(async () => {
    const waiting = await database.db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return waiting.length > 0;
  });
  core.process.kill('SIGTERM');
  await once(idle, 'close');
  await expect(send(core.url, 'GET', '/health', {})).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  await blocker.query('ROLLBACK');
  await blocker.end();
  const reply = await pending;
  expect(reply.status).toBe(404);
  expect(reply.headers.connection).toBe('close');
  expect(await core.exit).toBe(0);
});

test('it stops when the process that started it is gone', async () => {
  const core = await start();
  core.process.disconnect();
  expect(await core.exit).toBe(0);
});

test('mistakes in its settings are told, all of them, and nothing starts', async () => {
  const child = run({ CORE_PORT: 'x' });
  expect(await child.exit).toBe(1);
  expect(child.output()).toMatch(
    /^core cannot start: .+\n {2}- CORE_PORT .+\n {2}- DATABASE_URL .+\n {2}- INTERNAL_SECRET .+\n$/,
  );
});

test('an address in use is told in one line', async () => {
  const core = await start();
  const port = new URL(core.url).port;
  const second = run({ DATABASE_URL: database.url, INTERNAL_SECRET: TEST_SECRET, CORE_PORT: port });
  expect(await second.exit).toBe(1);
  expect(second.output()).toMatch(/^core cannot start: listen EADDRINUSE.*\n$/);
});

/** A connection that has had an answer and waits for its next request. */
async function keptAlive(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  socket.resume();
  return socket;
}

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
