import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');

/** A process as /proc shows it. */
export interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** What the processes of `npm start` are called here, and how they are recognised. */
const KINDS = {
  npm: /^npm /,
  bootstrap: /bootstrap\.mjs/,
  start: /\.scripts\/start\.ts/,
  core: /core\/main\.ts|^(?!npm |.*\.scripts\/).*fake-service\.ts(?!.*--port)/,
  gateway: /gateway\/main\.ts|^(?!npm |.*\.scripts\/).*fake-service\.ts.*--port/,
  helper: /server-process\.ts/,
  postgres: /bin\/postgres -D/,
} as const;

export type Kind = keyof typeof KINDS;

/** The whole service as `npm start` starts it, with all its processes. */
export class Whole {
  readonly #child: ChildProcess;
  readonly exited: Promise<number | NodeJS.Signals>;
  #said = '';
  #seen = new Map<number, Seen>();

  private constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#said += text;
      });
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? code ?? -1));
    });
  }

  /** Runs `npm start`. @param entries in place of core and gateway. */
  static begin(env: Readonly<Record<string, string>>, entries: readonly string[] = []): Whole {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
    return new Whole(
      spawn('npm', ['start', '--', ...entries], {
        cwd: ROOT,
        env: { ...Object.fromEntries(own), LOG_LEVEL: 'error', PORT: '0', CORE_PORT: '0', ...env },
        // As from a terminal of its own.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Everything it has written. */
  get said(): string {
    return this.#said;
  }

  /** Resolves with the address when it says that it is ready. */
  async ready(timeoutMs = 60_000): Promise<string> {
    const ended = this.exited.then(() => true);
    for (const until = Date.now() + timeoutMs; Date.now() < until; ) {
      const url = /is ready at (\S+)/.exec(this.#said)?.[1];
      if (url !== undefined) return url;
      if (await Promise.race([ended, sleep(25)])) break;
    }
    throw new Error(`it did not become ready: ${this.#said}`);
  }

  /** Its living processes of a kind, the oldest first; the server's own children are not among them. */
  processes(kind?: Kind): readonly Seen[] {
    const all = living();
    const mine: Seen[] = [];
    const add = (pid: number): void => {
      const found = all.find((each) => each.pid === pid);
      if (!found || mine.includes(found)) return;
      mine.push(found);
      for (const each of all) if (each.parent === pid) add(each.pid);
    };
    add(this.#child.pid as number);
    // Those that have lost their parent are still ours.
    for (const { pid } of all) if (this.#seen.has(pid)) add(pid);
    for (const each of mine) this.#seen.set(each.pid, each);
    if (kind === undefined) return mine;
    const isOfKind = ({ command }: Seen): boolean => KINDS[kind].test(command);
    const found = mine.filter(isOfKind);
    return found.filter(({ parent }) => !found.some(({ pid }) => pid === parent));
  }

  /** @throws when there is none. */
  signal(kind: Kind, signal: NodeJS.Signals): void {
    const found = this.processes(kind);
    if (found.length === 0) throw new Error(`there is no ${kind}`);
    for (const { pid } of found) process.kill(pid, signal);
  }

  /** Resolves with the processes that are left when all are gone or the time is up. */
  async left(timeoutMs = 20_000): Promise<readonly string[]> {
    for (const until = Date.now() + timeoutMs; ; await sleep(25)) {
      const left = this.processes();
      if (left.length === 0 || Date.now() > until) return left.map(({ command }) => command);
    }
  }

  /** Ends whatever a test has left. */
  async end(): Promise<void> {
    if (this.processes('start').length > 0) this.signal('start', 'SIGTERM');
    await this.left();
    for (const { pid } of this.processes()) process.kill(pid, 'SIGKILL');
  }
}

function living(): readonly Seen[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // What has ended and not been collected is gone.
      if (state === 'Z') return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      // Ended in between.
      return [];
    }
  });
}
