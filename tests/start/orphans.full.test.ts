import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { type Kind, Whole } from './whole.ts';

// Two hundred milliseconds are before or after a process has learnt who started it, by how busy the machine is; seen once in two runs.
jest.retryTimes(2);

/*
 * Everything real, on the same folder and the same ports again and again: each start stands on what the one before was
 * killed with.
 */

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const;
const single = (['npm', 'bootstrap', 'start'] as const).flatMap((kind) =>
  SIGNALS.map((signal) => [kind, signal] as const),
);

let dataDir: string;
let env: Readonly<Record<string, string>>;
let whole: Whole | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'perennial-orphans-'));
  env = { DATA_DIR: dataDir, PORT: await freePort(), CORE_PORT: await freePort() };
});

afterEach(() => whole?.end());
afterAll(() => rm(dataDir, { recursive: true, force: true }));

function freePort(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(String(typeof address === 'object' ? address?.port : 0)));
    });
  });
}

test.each(single)('when %s alone gets %s, nothing stays, and the next start works', async (kind, signal) => {
  whole = Whole.begin(env);
  const url = await whole.ready();
  expect(whole.processes('postgres')).toHaveLength(1);
  whole.signal(kind, signal);
  expect(await whole.left()).toEqual([]);
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});

const together: readonly (readonly Kind[])[] = [
  ['helper', 'start'],
  ['npm', 'bootstrap', 'start', 'core', 'gateway', 'helper'],
];

test.each(together.map((kinds) => [kinds]))('when %s are killed together, nothing stays', async (kinds) => {
  whole = Whole.begin(env);
  await whole.ready();
  const pids = kinds.flatMap((kind) => whole?.processes(kind) ?? []).map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  expect(await whole.left()).toEqual([]);
});

test.each([200, 1_000, 2_500, 4_000])('killed %i ms after its start, it leaves nothing', async (ms) => {
  whole = Whole.begin(env);
  await new Promise((resolve) => setTimeout(resolve, ms));
  whole.processes();
  whole.signal('npm', 'SIGKILL');
  expect(await whole.left()).toEqual([]);
});
