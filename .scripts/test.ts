import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * `npm test`: lint, types, then every test, and last a line that counts what passed and what failed. With arguments
 * (`npm test -- tests/prisma -t seed`) only jest runs, and they are jest's.
 */

interface Count {
  passed: number;
  failed: number;
}

const args = process.argv.slice(2);
let current: ChildProcess | undefined;
let interrupted: NodeJS.Signals | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = signal;
    current?.kill(signal);
  });
}

const total: Count = { passed: 0, failed: 0 };
if (args.length === 0) {
  await check('lint', [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.']);
  await check('types', [join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '-p', 'tsconfig.json']);
}
add(await jest());
if (interrupted !== undefined) console.error(`interrupted by ${interrupted}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && interrupted === undefined ? 0 : 1;

/** Lint and types count as one check each, so that the last line cannot say "0 failed" when one of them did. */
async function check(name: string, command: string[]): Promise<void> {
  const passed = (await run(command)) === 0;
  console.log(passed ? `${name}: passed` : `${name}: FAILED`);
  add(passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

async function jest(): Promise<Count> {
  const dir = await mkdtemp(join(tmpdir(), 'perennial-jest-'));
  try {
    const outputFile = join(dir, 'result.json');
    const command = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
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

function add(count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
}

/** Runs a program on this Node.js. Jest writes its report to stderr, and its JSON to stdout as well as to the file. */
function run(command: string[], stdout: 'inherit' | 'ignore' = 'inherit'): Promise<number> {
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
