import { type ChildProcess, fork } from 'node:child_process';
import { join, resolve } from 'node:path';
import { lockDataDir } from './data-dir-lock.ts';
import { stopOrphanOf } from './postgres-cluster.ts';
import type { ServerCommand, ServerEvent } from './server-process.ts';

export interface DatabaseServer {
  /** Where to connect, with its password. */
  url: string;
  /** Resolves with the reason when the server ends without having been stopped. */
  failed: Promise<string>;
  /** Ends the server and resolves when its last process is gone. Does nothing to a server that is not ours. */
  stop(): Promise<void>;
}

export interface DatabaseServerOptions {
  /** The folder that keeps the embedded server's data. Made when absent. */
  dataDir: string;
  /** A server of one's own. Given, nothing is embedded. */
  databaseUrl?: string | undefined;
  /** False only in tests: quicker, and a power cut may lose writes. */
  durable?: boolean;
  /** Where the embedded server is to listen, if nobody else does; any free port when left out. */
  port?: number | undefined;
}

/**
 * Starts the embedded PostgreSQL, or names the server given by `databaseUrl`. The embedded one listens on 127.0.0.1
 * only, on a free port, and stops by itself when this process ends without stopping it.
 *
 * @throws Error with a one-line message when another instance uses the folder or PostgreSQL cannot run.
 */
export async function startDatabase(options: DatabaseServerOptions): Promise<DatabaseServer> {
  if (options.databaseUrl !== undefined && options.databaseUrl !== '') {
    return { url: options.databaseUrl, failed: new Promise(() => undefined), stop: async () => undefined };
  }
  const helper = fork(join(import.meta.dirname, 'server-process.ts'), {
    // A process group of its own, so that Ctrl-C in the terminal does not reach it before the services have drained.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ended = new Promise<string>((settle) => {
    let said = '';
    let reason: string | undefined;
    helper.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-2_000);
    });
    helper.on('message', (event: ServerEvent) => {
      if (event.type === 'failed') reason = event.message;
    });
    helper.once('error', (error) => settle(error.message));
    helper.once('exit', (code, signal) => {
      settle(
        reason ??
          `the database's process ended (${signal ?? `exit code ${code}`})${said === '' ? '' : `: ${said.trim()}`}`,
      );
    });
  });
  const ready = new Promise<{ url: string }>((settle) => {
    helper.on('message', (event: ServerEvent) => {
      if (event.type === 'ready') settle({ url: event.url });
    });
  });
  send(helper, {
    type: 'start',
    dataDir: resolve(options.dataDir),
    durable: options.durable ?? true,
    port: options.port,
  });
  const outcome = await Promise.race([ready, ended]);
  if (typeof outcome === 'string') throw new Error(`the database did not start: ${outcome}`);
  let stopped = false;
  // A caller that forgets to stop it may still exit; the closed channel then ends the server.
  setReferenced(helper, false);
  return {
    url: outcome.url,
    failed: new Promise((settle) => {
      void ended.then((reason) => {
        if (!stopped) settle(reason);
      });
    }),
    stop: async () => {
      stopped = true;
      setReferenced(helper, true);
      send(helper, { type: 'stop' });
      await ended;
      if (helper.exitCode !== 0) await stopLeftOver(resolve(options.dataDir));
    },
  };
}

/** A helper that was killed could not stop its server; unless someone has taken the folder over, that is done here. */
async function stopLeftOver(dataDir: string): Promise<void> {
  const attempt = await lockDataDir(dataDir, () => ({ pid: process.pid, stopping: true }));
  if (!('lock' in attempt)) return;
  try {
    await stopOrphanOf(dataDir);
  } finally {
    attempt.lock.close();
  }
}

function send(helper: ChildProcess, command: ServerCommand): void {
  // A helper that is gone cannot be told; its end is reported by its exit.
  if (helper.connected) helper.send(command, () => undefined);
}

function setReferenced(helper: ChildProcess, referenced: boolean): void {
  const parts = [helper, helper.channel, helper.stderr as { ref?(): void; unref?(): void } | null];
  for (const part of parts) {
    if (referenced) part?.ref?.();
    else part?.unref?.();
  }
}
