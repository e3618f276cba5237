import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBase62 } from '@perennial/schemas/platform/base62.ts';
import pg from 'pg';

import { findBinaries, type PostgresBinaries, type RunAs } from './postgres-binaries.ts';

/** The role and the database inside the embedded server. */
const NAME = 'perennial';

/** How long each step of a start or a stop may take before it is given up. */
const STEP_MS_MAX = 60_000;

/** How long a port that was asked for may be taken, before another one is. */
const PORT_MS_MAX = 3_000;

/** What is to be started. */
export interface StartOptions {
  readonly dataDir: string;
  readonly durable: boolean;
  /** Where it is to listen, if nobody else does. */
  readonly port: number | undefined;
  readonly signal: AbortSignal;
}

/** A running postmaster that this process started. */
export interface RunningPostgres {
  url: string;
  /** Resolves, with what the server said last, when it has ended. */
  ended: Promise<string>;
  /** Ends sessions, writes a checkpoint and waits for the end. */
  stop(): Promise<void>;
}

interface Cluster {
  data: string;
  password: string;
  binaries: PostgresBinaries;
  runAs: RunAs | undefined;
  /** Off only for tests: an acknowledged write may then be lost with the power. */
  durable: boolean;
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, making it first when it is not there. The caller holds the folder's lock,
 * so whatever an earlier process left running or half made there has no owner any more and is cleared.
 */
export async function startPostgres({ dataDir, durable, port, signal }: StartOptions): Promise<RunningPostgres> {
  const home = join(realpathSync(dataDir), 'postgres');
  await clearDrafts(dataDir);
  const runAs = chooseUser(join(home, 'data'));
  const binaries = findBinaries(runAs);
  if (!existsSync(home)) await initialise(home, binaries, runAs, durable, signal);
  const cluster: Cluster = {
    data: join(home, 'data'),
    password: readPassword(home),
    binaries,
    runAs,
    durable,
  };
  refuseOtherMajor(cluster);
  await stopOrphan(cluster.data);
  const running = await launch(cluster, port, signal);
  await createDatabase(running.url);
  return running;
}

/** Stops what a killed helper left running. The caller holds the folder's lock. */
export async function stopOrphanOf(dataDir: string): Promise<void> {
  await stopOrphan(join(realpathSync(dataDir), 'postgres', 'data'));
}

/** PostgreSQL refuses to run as root. The cluster's owner runs it, or, for a new one, a user whom every system has. */
function chooseUser(data: string): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(data, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  // initdb looks its user up by name, so a number that /etc/passwd does not list will not do.
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4 && Number(fields[2]) !== 0)
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const user = ['postgres', 'nobody'].map((name) => users.find((each) => each.name === name)).find(Boolean) ?? users[0];
  if (user === undefined) {
    throw new Error('PostgreSQL cannot run as root and this system has no other user; add one or set DATABASE_URL');
  }
  return { uid: user.uid, gid: user.gid };
}

/** Removes what a start that was killed half way left behind. */
async function clearDrafts(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir).filter((each) => each.startsWith('.postgres-'))) {
    const draft = join(realpathSync(dataDir), name);
    // An initdb survives its killed parent and would write into the folder that is removed here.
    const writers = processesInside(draft);
    for (const pid of writers) kill(pid, 'SIGKILL');
    if (writers.length > 0) await sleep(100);
    try {
      rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Elsewhere than on Linux its writers are not known; the next start removes it.
    }
  }
}

/** The processes that work inside a folder. Only Linux tells. */
function processesInside(dir: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 1 && readlinkSync(`/proc/${pid}/cwd`).startsWith(`${dir}/`);
      } catch {
        // Ended in between, or another user's.
        return false;
      }
    });
}

/** Makes a cluster in a folder beside its place and moves it there whole. */
async function initialise(
  home: string,
  binaries: PostgresBinaries,
  runAs: RunAs | undefined,
  durable: boolean,
  signal: AbortSignal,
): Promise<void> {
  const draft = join(home, '..', `.postgres-${randomBytes(6).toString('hex')}`);
  const data = join(draft, 'data');
  const passwordFile = join(draft, 'password');
  const password = randomBase62(32);
  mkdirSync(data, { recursive: true });
  chmodSync(draft, 0o700);
  chmodSync(data, 0o700);
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  // Read by initdb as the user it runs as, and gone before anything listens.
  const initdbPassword = join(draft, 'initdb-password');
  writeFileSync(initdbPassword, `${password}\n`, { mode: 0o600 });
  if (runAs !== undefined) {
    chownSync(draft, runAs.uid, runAs.gid);
    chownSync(data, runAs.uid, runAs.gid);
    chownSync(initdbPassword, runAs.uid, runAs.gid);
  }
  const at = pathFor(data, runAs);
  const child = spawn(
    binaries.initdb,
    [
      `--pgdata=${at}`,
      `--pwfile=${at}/../initdb-password`,
      `--username=${NAME}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Built into PostgreSQL, so the order of names never changes with the system's libraries.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      ...(durable ? [] : ['--no-sync']),
    ],
    { ...runAs, cwd: data, env: environment(), stdio: ['ignore', 'ignore', 'pipe'], signal, killSignal: 'SIGTERM' },
  );
  const result = await finish(child);
  if (result.code !== 0) {
    rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
    throw new Error(`initdb failed: ${lastLine(result.said)}`);
  }
  rmSync(initdbPassword);
  if (runAs !== undefined) chownSync(draft, 0, 0);
  renameSync(draft, home);
}

/**
 * A folder as a program started inside it may name it. Below a folder such as /root the other user can resolve no
 * absolute path, but the working directory it was given stays open to it.
 */
function pathFor(dir: string, runAs: RunAs | undefined): string {
  return runAs !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : dir;
}

function readPassword(home: string): string {
  try {
    return readFileSync(join(home, 'password'), 'utf8').trim();
  } catch (error) {
    throw new Error(`the database in ${home} cannot be opened: ${(error as Error).message}`);
  }
}

function refuseOtherMajor({ data, binaries }: Cluster): void {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (version !== binaries.major) {
    throw new Error(
      `${data} was made by PostgreSQL ${version} and this is ${binaries.major}; dump it with the old one, or set DATA_DIR to a new folder`,
    );
  }
}

/** Stops the postmaster of a data folder whose owner was killed, and forgets one that is gone. */
async function stopOrphan(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const pid = readPid(pidFile);
  if (pid === undefined) return;
  if (!isPostmasterOf(pid, data)) {
    // The process id now belongs to another program; PostgreSQL would take it for a running server.
    rmSync(pidFile, { force: true });
    return;
  }
  // Fast first; immediate, which the next start recovers from, when that hangs.
  for (const [signal, waitMs] of [['SIGINT', 20_000] as const, ['SIGQUIT', 10_000] as const]) {
    kill(pid, signal);
    const until = Date.now() + waitMs;
    while (Date.now() < until) {
      if (!isPostmasterOf(pid, data)) return;
      await sleep(50);
    }
  }
  throw new Error(`an earlier PostgreSQL (process ${pid}) still holds ${data} and does not stop`);
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isPostmasterOf(pid: number, data: string): boolean {
  try {
    process.kill(pid, 0);
    // A postmaster works inside its data folder. Elsewhere than on Linux the pid file's word is taken.
    return process.platform !== 'linux' || readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    return false;
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in between.
  }
}

async function launch(cluster: Cluster, wanted: number | undefined, signal: AbortSignal): Promise<RunningPostgres> {
  const until = Date.now() + STEP_MS_MAX;
  const keepUntil = Date.now() + PORT_MS_MAX;
  let isTaken = false;
  for (;;) {
    const isKept = wanted !== undefined && !(isTaken && Date.now() > keepUntil);
    const attempt = await tryLaunch(cluster, isKept ? wanted : await freePort());
    if ('running' in attempt) return attempt.running;
    // The port was taken in between, or sessions of a killed postmaster are still on their way out.
    const passing = /address already in use|pre-existing shared memory|lock file ".*" already exists/i.test(
      attempt.said,
    );
    isTaken = /address already in use/i.test(attempt.said);
    if (!passing || Date.now() > until || signal.aborted) {
      throw new Error(`PostgreSQL did not start: ${lastLine(attempt.said)}`);
    }
    await sleep(200);
  }
}

async function tryLaunch(cluster: Cluster, port: number): Promise<{ running: RunningPostgres } | { said: string }> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `port=${port}`,
    'lc_messages=C',
    // Statements and details carry patients' data, so they stay out of what is written.
    'log_min_messages=log',
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    ...(cluster.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  const child = spawn(
    cluster.binaries.postgres,
    ['-D', pathFor(cluster.data, cluster.runAs), ...settings.flatMap((setting) => ['-c', setting])],
    { ...cluster.runAs, cwd: cluster.data, env: environment(), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const guard = guardServer(child, cluster.runAs);
  const ended = finish(child).then(({ said }) => {
    guard?.kill('SIGKILL');
    return said;
  });
  const ready = new Promise<true>((resolve) => {
    child.stderr?.on('data', (chunk) => {
      const said = String(chunk);
      if (said.includes('ready to accept connections')) resolve(true);
      // Sent by somebody else, SIGTERM would turn new sessions away for as long as old ones last, which may be for ever.
      if (said.includes('received smart shutdown request')) child.kill('SIGINT');
    });
  });
  const outcome = await Promise.race([ready, ended]);
  if (outcome !== true) return { said: outcome };
  return {
    running: {
      url: `postgresql://${NAME}:${cluster.password}@127.0.0.1:${port}/${NAME}`,
      ended,
      stop: async () => {
        child.kill('SIGINT');
        const hung = setTimeout(() => child.kill('SIGQUIT'), STEP_MS_MAX);
        await ended;
        clearTimeout(hung);
      },
    },
  };
}

/**
 * Stops the server when this process is killed: a shell waits for the end of a pipe that nobody else holds. Windows has
 * no such shell; there the next start finds the server.
 */
function guardServer({ pid }: ChildProcess, runAs: RunAs | undefined): ChildProcess | undefined {
  if (pid === undefined || process.platform === 'win32') return undefined;
  const guard = spawn('/bin/sh', ['-c', `read -r _; kill -INT ${pid}`], {
    ...runAs,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return guard;
}

/** How many are connected beside the one who asks. */
export async function countSessions(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ sessions: number }>(`SELECT count(*)::int AS sessions FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`);
    return rows[0]?.sessions ?? 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Waits for a program to end, keeping the last of what it wrote. */
function finish(child: ChildProcess): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-4_000);
    });
    child.once('error', (error) => resolve({ code: null, said: error.message }));
    child.once('close', (code) => resolve({ code, said }));
  });
}

/** A clean environment: a PGPORT or locale of the caller would change the server's behaviour. */
function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'SYSTEMROOT', 'TEMP', 'TMP'];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function createDatabase(url: string): Promise<void> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [NAME]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${NAME}`);
  } finally {
    await client.end();
  }
}

function lastLine(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /FATAL|error:/.test(line)) ?? lines.at(-1) ?? 'it said nothing').trim();
}
