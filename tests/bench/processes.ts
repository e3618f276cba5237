import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether processes can be kept on one processor each. */
export const canPin: boolean =
  availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' }).status === 0;

/** A process of the benchmark that listens. */
export interface Service {
  readonly url: string;
  /** Processor time used so far, in microseconds; NaN where the system does not say. */
  cpuUs(): number;
  stop(): Promise<void>;
}

/** Keeps this process on one processor. */
export function pinSelf(processor: number): void {
  if (canPin) spawnSync('taskset', ['-acp', String(processor), String(process.pid)], { stdio: 'ignore' });
}

/** Runs a program on one processor and waits until it says where it listens. */
export async function startPinned(
  script: string,
  processor: number,
  env: NodeJS.ProcessEnv,
  nodeArguments: readonly string[] = [],
): Promise<Service> {
  const node = [process.execPath, ...nodeArguments, script];
  const command = canPin ? ['taskset', '-c', String(processor), ...node] : node;
  const child = spawn(command[0] as string, command.slice(1), {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended with exit code ${code}`)));
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type === 'ready' && message.url !== undefined) resolve(message.url);
    });
  });
  return { url, cpuUs: () => cpuUsOf(child.pid), stop: () => stopChild(child) };
}

const QUIET_SHARE = 0.06;
const QUIET_MS = 400;
const QUIET_TRIES = 150;

/** Resolves when the processors have been idle for a moment, or after a minute. The benchmark itself must be idle. */
export async function quietMachine(): Promise<void> {
  for (let tries = 0; tries < QUIET_TRIES; tries += 1) {
    const before = times();
    await sleep(QUIET_MS);
    const after = times();
    if (after.busy - before.busy <= QUIET_SHARE * (after.all - before.all)) return;
  }
}

/** Of all processors, in milliseconds since the machine started. */
function times(): { readonly busy: number; readonly all: number } {
  let all = 0;
  let idle = 0;
  for (const { times: each } of cpus()) {
    all += each.user + each.nice + each.sys + each.irq + each.idle;
    idle += each.idle;
  }
  return { busy: all - idle, all };
}

/** Linux counts in hundredths of a second; see proc_pid_stat(5), fields 14 and 15. */
function cpuUsOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return Number.NaN;
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}
