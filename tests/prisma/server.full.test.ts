import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { lockDataDir } from '@perennial/prisma/data-dir-lock.ts';
import { type DatabaseServer, startDatabase } from '@perennial/prisma/server.ts';
import pg from 'pg';

interface Stage {
  stage: 'listening' | 'migrated' | 'seeded';
  url: string;
  patients?: number;
}

const started: ChildProcess[] = [];

/** Begins a first boot. `reached` resolves when it says that it has come to a stage. */
function boot(dataDir: string): { child: ChildProcess; reached(stage: Stage['stage']): Promise<Stage> } {
  const child = fork(join(import.meta.dirname, 'first-boot.ts'), [dataDir], { execArgv: [], stdio: 'pipe' });
  started.push(child);
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  const stages: Stage[] = [];
  child.on('message', (stage: Stage) => stages.push(stage));
  const reached = async (name: Stage['stage']): Promise<Stage> => {
    for (;;) {
      const found = stages.find(({ stage }) => stage === name);
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`the boot ended: ${said}`);
      await sleep(10);
    }
  };
  return { child, reached };
}

async function until(condition: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('waited too long');
    await sleep(5);
  }
}

async function helperPid(dataDir: string): Promise<number | undefined> {
  if (!existsSync(dataDir)) return undefined;
  const attempt = await lockDataDir(dataDir, () => ({ pid: 0, stopping: false }));
  if ('holder' in attempt) return attempt.holder?.pid;
  attempt.lock.close();
  return undefined;
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // What has ended but not been collected still has its number.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('an embedded server', () => {
  let dataDir: string;
  let server: DatabaseServer;

  beforeAll(async () => {
    // Mode 0700: nobody but its owner may enter, as with a checkout below /root.
    dataDir = await mkdtemp(join(tmpdir(), 'perennial-server-'));
    server = await startDatabase({ dataDir, durable: false });
  });

  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('listens on this machine only, behind a password that only its owner may read', async () => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query('SHOW listen_addresses');
    await client.end();
    expect(rows).toEqual([{ listen_addresses: '127.0.0.1' }]);
    const password = join(dataDir, 'postgres', 'password');
    expect(statSync(password).mode & 0o777).toBe(0o600);
    expect(server.url).toContain((await readFile(password, 'utf8')).trim());
    const wrong = new URL(server.url);
    wrong.password = 'guessed';
    const intruder = new pg.Client({ connectionString: wrong.href });
    await expect(intruder.connect()).rejects.toThrow(/password authentication failed/);
  });

  test('keeps its data in the data folder and never runs as root', async () => {
    expect(existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'))).toBe(true);
    expect(readdirSync(dataDir)).toEqual(['postgres']);
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${postmasterPid(dataDir)}/status`, 'utf8');
      expect(status).not.toMatch(/^Uid:\s+0/m);
    }
  });

  test('refuses a second instance on its folder by name, and is not disturbed by it', async () => {
    await expect(startDatabase({ dataDir, durable: false })).rejects.toThrow(
      /is in use by another running instance \(process \d+\); stop it first, or set DATA_DIR to another folder/,
    );
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.end();
  });

  test('is not started when a server of one’s own is named', async () => {
    const nowhere = join(dataDir, 'nowhere');
    const own = await startDatabase({ dataDir: nowhere, databaseUrl: 'postgresql://example.org/db' });
    expect(own.url).toBe('postgresql://example.org/db');
    await own.stop();
    expect(existsSync(nowhere)).toBe(false);
  });
});

describe('a first boot', () => {
  let parent: string;
  let dataDir: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'perennial-boot-'));
    dataDir = join(parent, 'data');
  });

  afterEach(async () => {
    // Whatever a failed test left: without its parent the helper stops its server.
    for (const child of started.splice(0)) child.kill('SIGKILL');
    await until(async () => (await helperPid(dataDir)) === undefined).catch(() => undefined);
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  const drafts = (): string[] =>
    existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.startsWith('.')) : [];

  /** Boots to the end and stops again, leaving no process and nothing half made. */
  const bootWhole = async (): Promise<void> => {
    const { child, reached } = boot(dataDir);
    const { patients, url } = await reached('seeded');
    expect(patients).toBe(260);
    const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Record<string, string>;
    expect(Object.keys(demo)).toHaveLength(6);
    const pid = postmasterPid(dataDir);
    child.send('stop');
    await until(() => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
    expect(isAlive(pid)).toBe(false);
    await expect(connects(url)).resolves.toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(['demo.json', 'postgres']);
  };

  const startAndStop = async (): Promise<void> => {
    await (await startDatabase({ dataDir, durable: false })).stop();
  };

  const connects = (url: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });

  type Boot = ReturnType<typeof boot>;
  const points: [string, (boot: Boot) => Promise<unknown>][] = [
    ['while the cluster is being made', () => until(() => drafts().length > 0)],
    ['in the middle of making it', () => until(() => drafts().length > 0).then(() => sleep(250))],
    ['when the cluster has just been made', () => until(() => existsSync(join(dataDir, 'postgres')))],
    ['while the server starts', () => until(() => existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid')))],
    ['before the migrations', ({ reached }) => reached('listening')],
    ['during the seed', ({ reached }) => reached('migrated').then(() => sleep(350))],
  ];

  test.each(points)('killed with its helper %s leaves a folder on which the next start works', async (_, arrive) => {
    const first = boot(dataDir);
    await arrive(first);
    const helper = await helperPid(dataDir);
    first.child.kill('SIGKILL');
    if (helper !== undefined) process.kill(helper, 'SIGKILL');
    await bootWhole();
  });

  test('killed with every process it had leaves a folder on which the next start works', async () => {
    const first = boot(dataDir);
    await first.reached('migrated');
    await sleep(200);
    const pids = [postmasterPid(dataDir), (await helperPid(dataDir)) ?? 0, first.child.pid ?? 0];
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await bootWhole();
  });

  test('killed alone is followed by its server, and the next start need not wait for that', async () => {
    const first = boot(dataDir);
    await first.reached('seeded');
    const pid = postmasterPid(dataDir);
    first.child.kill('SIGKILL');
    await bootWhole();
    expect(isAlive(pid)).toBe(false);
  });

  test('whose helper alone is killed says so, and stopping it leaves no server behind', async () => {
    const server = await startDatabase({ dataDir, durable: false });
    const pid = postmasterPid(dataDir);
    process.kill((await helperPid(dataDir)) ?? 0, 'SIGKILL');
    expect(await server.failed).toContain("the database's process ended (SIGKILL)");
    await server.stop();
    expect(isAlive(pid)).toBe(false);
  });

  test('does not take another program for a server left running, even if it has its number', async () => {
    await startAndStop();
    await writeFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), `${process.pid}\n/somewhere\n`);
    await startAndStop();
  });

  test('refuses a cluster of another major version in one line, and leaves it alone', async () => {
    await startAndStop();
    const version = join(dataDir, 'postgres', 'data', 'PG_VERSION');
    await rm(version);
    await appendFile(version, '9\n');
    await expect(startDatabase({ dataDir, durable: false })).rejects.toThrow(
      /was made by PostgreSQL 9 and this is \d+/,
    );
    expect(await readFile(version, 'utf8')).toBe('9\n');
  });
});
