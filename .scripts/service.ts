import { type ChildProcess, fork } from 'node:child_process';

/** A service that runs as a child process and has said where it listens. */
export interface RunningService {
  name: string;
  url: string;
  /** Resolves with the reason when the service ends without having been stopped. */
  failed: Promise<string>;
  /** Asks it to drain and resolves when it is gone, by force if need be. */
  stop(): Promise<void>;
}

/** How long a service may take to listen. */
const READY_MS_MAX = 60_000;

/** How long a service may drain. Longer than its own limit, so that this one is only for a service that hangs. */
const DRAIN_MS_MAX = 30_000;

/**
 * Starts a service's entry and waits until it sends `{type: 'ready', url}`. A service writes its own log lines, and
 * says there why it cannot start.
 */
export async function startService(
  name: string,
  entry: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<RunningService> {
  const child = fork(entry, {
    env,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Out of reach of the terminal's Ctrl-C, because services stop in order.
    detached: true,
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${name} does not run: ${error.message}`));
    child.once('exit', (code, by) => resolve(`${name} ended unexpectedly (${by ?? `exit code ${code}`})`));
  });
  let stopping = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    await terminate(child, ended);
  };
  const url = await Promise.race([
    readyUrl(child),
    ended.then(() => undefined),
    timeout(READY_MS_MAX),
    aborted(signal),
  ]);
  if (url === undefined || signal.aborted) {
    const early = child.exitCode !== null || child.signalCode !== null;
    await stop();
    throw new Error(early ? `${name} did not start; its messages are above` : `${name} did not start in time`);
  }
  const failed = new Promise<string>((resolve) => {
    void ended.then((reason) => {
      if (!stopping) resolve(reason);
    });
  });
  return { name, url, failed, stop };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('message', (message: { type?: unknown; url?: unknown }) => {
      if (message.type === 'ready' && typeof message.url === 'string') resolve(message.url);
    });
  });
}

function timeout(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref());
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}

async function terminate(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const hung = setTimeout(() => child.kill('SIGKILL'), DRAIN_MS_MAX);
  await ended;
  clearTimeout(hung);
}
