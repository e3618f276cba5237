import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { absentPackages } from './debian-packages.ts';
import { type Count, interruptedBy, jest, run } from './run-tests.ts';

/*
 * `npm test`: lint, types, then every quick test, and last a line that counts what passed and what failed. With arguments
 * (`npm test -- tests/prisma -t seed`) only jest runs, and they are jest's. `npm run test:full` runs the long tests.
 */

const isFull = process.argv[2] === '--full';
const args = process.argv.slice(isFull ? 3 : 2);

const total: Count = { passed: 0, failed: 0 };
if (isFull) tellAbsent();
else if (args.length === 0) {
  await check('lint', [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.']);
  await check('types', [join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '-p', 'tsconfig.json']);
  const pages = join('gateway', 'portal', 'browser', 'tsconfig.json');
  await check('types of the pages', [join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '-p', pages]);
  await check('dependencies', [join('node_modules', 'knip', 'bin', 'knip.js')]);
}
add(await jest(isFull ? ['--config', 'jest.full.config.mjs', ...args] : args));
if (interruptedBy() !== undefined) console.error(`interrupted by ${interruptedBy()}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && interruptedBy() === undefined ? 0 : 1;

/** Lint and types count as one check each, so that the last line cannot say "0 failed" when one of them did. */
async function check(name: string, command: string[]): Promise<void> {
  const passed = (await run(command)) === 0;
  console.log(passed ? `${name}: passed` : `${name}: FAILED`);
  add(passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}

function add(count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
}

/** Says which packages of Debian are absent, and which files have tests that will be skipped for it. */
function tellAbsent(): void {
  const absent = absentPackages();
  if (absent.length === 0) console.log('every Debian package that a test needs is there');
  const files = globSync('tests/**/*.full.test.ts').sort();
  for (const name of absent) {
    const concerned = files.filter((file) => readFileSync(file, 'utf8').includes(`'${name}'`));
    const tests = concerned.length === 0 ? 'no test needs it yet' : `skipped tests in ${concerned.join(', ')}`;
    console.log(`Debian package ${name} is absent: ${tests}`);
  }
}
