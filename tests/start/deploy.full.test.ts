import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAccount } from '@perennial/prisma/accounts.ts';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';
import { sendTo } from '../support/gateway.ts';
import { TEST_AUDIT_KEY, TEST_SECRET } from '../support/secret.ts';

/*
 * What deploy/Containerfile does, as deploy/install.sh: a production install from the lock file into an empty folder, and
 * the service started from there against a PostgreSQL of its own. It needs the registry, or what npm has kept of it.
 */

const ROOT = join(import.meta.dirname, '../..');
let dir: string;
let target: string;
let database: TestDatabase;
const started: ChildProcess[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'perennial-deploy-'));
  target = join(dir, 'app');
  database = await emptyDatabase();
});

afterAll(async () => {
  for (const child of started) child.kill('SIGTERM');
  await Promise.all(started.map((child) => new Promise((resolve) => child.once('exit', resolve))));
  await database.close();
  rmSync(dir, { recursive: true, force: true });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function start(command: string, env: Readonly<Record<string, string>>): ChildProcess {
  const child = spawn(process.execPath, [join(target, '.scripts/perennial.mjs'), command], {
    cwd: dir,
    env: { PATH: process.env['PATH'], HOME: dir, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  started.push(child);
  return child;
}

async function ready(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/ready`).catch(() => undefined);
    if (answer?.ok) return;
    if (started.some(({ exitCode }) => exitCode !== null)) throw new Error('a service ended');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('a production install from the lock file serves an old version from an empty folder', async () => {
  const install = spawnSync('sh', [join(ROOT, 'deploy/install.sh'), target], { encoding: 'utf8' });
  expect([install.status, install.stderr]).toEqual([0, expect.any(String)]);
  const again = spawnSync('sh', [join(ROOT, 'deploy/install.sh'), target], { encoding: 'utf8' });
  expect(again.status).toBe(2);
  for (const tool of ['jest', 'typescript', '@biomejs/biome', 'knip'])
    expect(() => execFileSync('ls', [join(target, 'node_modules', tool)], { stdio: 'ignore' })).toThrow();
  const megabytes = Number(execFileSync('du', ['-sm', target], { encoding: 'utf8' }).split('\t')[0]);

  // As the owner of the tables, then each service with the login that it is told.
  const env = { PATH: process.env['PATH'] ?? '', HOME: dir, DATA_DIR: join(dir, 'data') };
  const prepared = execFileSync(process.execPath, [join(target, '.scripts/perennial.mjs'), 'database', '--urls'], {
    encoding: 'utf8',
    env: { ...env, DATABASE_ADMIN_URL: database.url },
  });
  const urls = JSON.parse(prepared) as { core: string; gateway: string };
  const [corePort, port] = [await freePort(), await freePort()];
  const began = performance.now();
  const common = { INTERNAL_SECRET: TEST_SECRET, DATA_DIR: join(dir, 'data') };
  start('core', { ...common, DATABASE_URL: urls.core, CORE_PORT: String(corePort), SECRETS_KEY: TEST_SECRET });
  start('gateway', {
    ...common,
    DATABASE_URL: urls.gateway,
    PORT: String(port),
    CORE_URL: `http://127.0.0.1:${corePort}`,
    AUDIT_KEY: TEST_AUDIT_KEY,
  });
  const url = `http://127.0.0.1:${port}`;
  await ready(url);
  process.stdout.write(
    `installed: ${megabytes} MB; from the start of both to ready: ${Math.round(performance.now() - began)} ms\n`,
  );

  const { legacyApiKey: key } = await createAccount(database.db, { name: 'First' });
  const body = { name: 'Ada Example', dob: '1980-01-02' };
  const made = await sendTo<{ id: string }>(url, 'POST', '/v2022-11-15/patients', { key, body });
  expect([made.status, made.meta.version]).toEqual([201, '2.3.0']);
  expect((await sendTo(url, 'GET', `/v2022-11-15/patients/${made.data.id}`, { key })).status).toBe(200);
});
