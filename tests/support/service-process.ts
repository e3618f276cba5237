import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** The Node.js of the repository, whichever runs the tests. */
const NODE = join(ROOT, 'node_modules/node/bin/node');

/** A service in a process of its own, which can be killed. */
export interface ServiceProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Whether it is still there. */
  isAlive(): boolean;
  /** SIGKILL: at whatever it is doing. */
  kill(): Promise<void>;
  /** SIGTERM: it drains. */
  stop(): Promise<void>;
}

/**
 * Starts `core/main.ts` or `gateway/main.ts` on a free port.
 * @throws Error with what it said when it ends before it is ready.
 */
export async function startServiceProcess(
  entry: 'core/main.ts' | 'gateway/main.ts',
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const child = fork(join(ROOT, entry), {
    execPath: NODE,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { CORE_PORT: '0', PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir(), ...env },
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2_000);
  });
  const exited = once(child, 'exit');
  const url = await Promise.race([readyUrl(child), exited.then(() => undefined)]);
  if (url === undefined) throw new Error(`${entry} did not start: ${said}`);
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (!isAlive()) return;
    child.kill(signal);
    await exited;
  };
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid as number,
    isAlive,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** A folder of its own, for what a service keeps on disk. */
function dataDir(): string {
  return join(process.env['PERENNIAL_TEST_DIR'] ?? tmpdir(), `service-${randomUUID()}`);
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type === 'ready' && message.url !== undefined) resolve(message.url);
    });
  });
}
