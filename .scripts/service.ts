import { type ChildProcess, fork } from 'node:child_process';
import { watchChild } from '@perennial/schemas/platform/child-watch.ts';
import type { Running } from './supervisor.ts';

/** How long a service may take to listen. */
const READY_MS_MAX = 60_000;

/** How long a service may drain beyond what it was given. Only a service that hangs takes so long. */
const HANG_MS = 10_000;

/** What a service is started with. */
export interface ServicePlan {
  readonly name: string;
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the start. */
  readonly signal: AbortSignal;
  /** How long it may drain. */
  readonly drainMs: number;
  /** How long it may answer nothing before it is ended. */
  readonly silentMsMax: number;
  /** Gives the port up, when the service has all but that. */
  readonly leavePort?: () => Promise<void>;
  /** Further arguments of the entry. */
  readonly args?: readonly string[];
}

/** What a service says on its channel. */
interface Said {
  readonly type?: unknown;
  readonly url?: unknown;
}

/**
 * Starts a service's entry as a child process and waits until it sends `{type: 'ready', url}`. A service writes its
 * own log lines, and says there why it cannot start.
 * @throws Error in one line when it does not come up.
 */
export async function startService(plan: ServicePlan): Promise<Running> {
  const { name, signal, leavePort } = plan;
  const child = fork(plan.entry, [...(plan.args ?? []), ...(leavePort ? ['--port-is-held'] : [])], {
    env: plan.env,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Out of reach of the terminal's Ctrl-C, because services stop in order.
    detached: true,
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${name} does not run: ${error.message}`));
    child.once('exit', (code, by) => resolve(`it ended unexpectedly (${by ?? `exit code ${code}`})`));
  });
  child.on('message', (said: Said) => {
    if (said.type === 'prepared') void leavePort?.().then(() => child.connected && child.send({ type: 'listen' }));
  });
  let stopping = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    child.kill('SIGTERM');
    const hung = setTimeout(() => child.kill('SIGKILL'), plan.drainMs + HANG_MS);
    await ended;
    clearTimeout(hung);
  };
  const given = AbortSignal.any([signal, AbortSignal.timeout(READY_MS_MAX)]);
  const url = await Promise.race([readyUrl(child), ended.then(() => undefined), aborted(given)]);
  if (url === undefined || signal.aborted) {
    const early = child.exitCode !== null || child.signalCode !== null;
    await stop();
    throw new Error(early ? `${name} did not start; its messages are above` : `${name} did not start in time`);
  }
  let hung = false;
  watchChild(child, plan.silentMsMax, () => {
    // One that is draining is given the time that it has for that.
    if (stopping) return;
    hung = true;
    child.kill('SIGKILL');
  });
  const failed = new Promise<string>((resolve) => {
    void ended.then((reason) => {
      if (!stopping) resolve(hung ? `it answered nothing for ${plan.silentMsMax / 1_000} s and was ended` : reason);
    });
  });
  return { url, failed, stop };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('message', ({ type, url }: Said) => {
      if (type === 'ready' && typeof url === 'string') resolve(url);
    });
  });
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
