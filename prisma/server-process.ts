import { mkdirSync } from 'node:fs';
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockDataDir } from './data-dir-lock.ts';
import { countSessions, type RunningPostgres, startPostgres } from './postgres-cluster.ts';

/*
 * The embedded server's own process, started by server.ts. It outlives Ctrl-C in the terminal, because the services
 * write to the database until they have drained, and ends when its parent says so or is gone.
 */

/** What server.ts sends. */
export type ServerCommand =
  | { type: 'start'; dataDir: string; durable: boolean; port?: number | undefined }
  | { type: 'stop' };

/** What server.ts is told. */
export type ServerEvent = { type: 'ready'; url: string } | { type: 'failed'; message: string };

/** How long a start waits for an earlier process of the same folder that is on its way out. */
const HANDOVER_MS_MAX = 30_000;

/** A living holder may be about to notice that its parent was killed; after this it is taken for a second instance. */
const NOTICE_MS = 1_500;

/** How long a server without a parent waits for those who are connected, once they had time to connect. */
const LEAVE_MS_MIN = 300;
const LEAVE_MS_MAX = 15_000;

const aborted = new AbortController();
let isLeftAlone = false;
let stopping = false;
let lock: Server | undefined;
let postgres: RunningPostgres | undefined;
let starting: Promise<void> | undefined;

// Sent to the whole group by a terminal or a service manager; the parent decides when the database ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The parent's end of the pipe may be closed at any time.
process.stderr.on('error', () => undefined);

process.on('message', (command: ServerCommand) => {
  if (command.type === 'stop') void stop(0);
  else if (starting === undefined) starting = start(command);
});
// Nobody else stops it then. The services, whose parent it was as well, have accesses to put on record.
process.on('disconnect', () => void leftAlone().then(() => stop(0)));

async function start({ dataDir, durable, port }: ServerCommand & { type: 'start' }): Promise<void> {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    lock = await takeLock(dataDir);
    if (stopping) return;
    postgres = await startPostgres({ dataDir, durable, port, signal: aborted.signal });
    void postgres.ended.then(() => fail('PostgreSQL ended unexpectedly'));
    await tell({ type: 'ready', url: postgres.url });
  } catch (error) {
    await fail(error instanceof Error ? error.message : String(error));
  }
}

/** Waits until nobody is connected any more. */
async function leftAlone(): Promise<void> {
  if (isLeftAlone) return;
  isLeftAlone = true;
  const until = Date.now() + LEAVE_MS_MAX;
  for (await sleep(LEAVE_MS_MIN); postgres && Date.now() < until; await sleep(100)) {
    if ((await countSessions(postgres.url).catch(() => 0)) === 0) return;
  }
}

async function takeLock(dataDir: string): Promise<Server> {
  const began = Date.now();
  for (;;) {
    const attempt = await lockDataDir(dataDir, () => ({ pid: process.pid, stopping: stopping || isLeftAlone }));
    if ('lock' in attempt) return attempt.lock;
    const { holder } = attempt;
    const waitedMs = Date.now() - began;
    if (stopping || waitedMs > (holder?.stopping === false ? NOTICE_MS : HANDOVER_MS_MAX)) {
      throw new Error(
        `${dataDir} is in use by another running instance${holder === undefined ? '' : ` (process ${holder.pid})`}; stop it first, or set DATA_DIR to another folder`,
      );
    }
    await sleep(50);
  }
}

async function fail(message: string): Promise<void> {
  if (stopping) return;
  await tell({ type: 'failed', message });
  await stop(1);
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  aborted.abort();
  // A start under way ends by itself: initdb is aborted, and a server that came up is stopped like any other.
  if (code === 0) await starting;
  await postgres?.stop();
  lock?.close();
  process.exit(code);
}

function tell(event: ServerEvent): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send !== undefined) process.send(event, () => resolve());
    else resolve();
  });
}
