import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Count {
  passed: number;
  failed: number;
}

let current: ChildProcess | undefined;
let interrupted: NodeJS.Signals | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = signal;
    current?.kill(signal);
  });
}

/** The signal that ended the run, if one did. */
export function interruptedBy(): NodeJS.Signals | undefined {
  return interrupted;
}

/** Runs jest. @returns what it counted; a failure that is no test's counts as one. */
export async function jest(args: readonly string[]): Promise<Count> {
  const dir = await mkdtemp(join(tmpdir(), 'perennial-jest-'));
  try {
    const outputFile = join(dir, 'result.json');
    const command = ['--disable-warning=ExperimentalWarning'];
    const script = join('node_modules', 'jest', 'bin', 'jest.js');
    const code = await run([...command, script, '--json', `--outputFile=${outputFile}`, ...args], 'ignore');
    const count = await readResult(outputFile);
    // Jest also fails for reasons that are no test's, such as a set-up that throws or a coverage bound.
    return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function readResult(path: string): Promise<Count> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  const result = JSON.parse(text) as Partial<Record<string, number>>;
  const skipped = (result['numPendingTests'] ?? 0) + (result['numTodoTests'] ?? 0);
  if (skipped > 0) console.log(`${skipped} skipped`);
  // A file that does not load has no tests of its own to count.
  const failed = (result['numFailedTests'] ?? 0) + (result['numRuntimeErrorTestSuites'] ?? 0);
  return { passed: result['numPassedTests'] ?? 0, failed };
}

/** Runs a program on this Node.js. Jest writes its report to stderr, and its JSON to stdout as well as to the file. */
export function run(command: readonly string[], stdout: 'inherit' | 'ignore' = 'inherit'): Promise<number> {
  return new Promise((resolve) => {
    if (interrupted !== undefined) return resolve(1);
    current = spawn(process.execPath, command, { stdio: ['inherit', stdout, 'inherit'] });
    current.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    current.once('exit', (code) => resolve(code ?? 1));
  });
}
