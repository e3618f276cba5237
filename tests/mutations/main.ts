import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type Mutation, mutations } from './mutations.ts';

/*
 * npm run test:mutations                 seeds every mutation, one at a time, and writes tests/mutations/REPORT.md
 * npm run test:mutations -- <text>...    only those whose name or file contains one of the texts; no report
 * npm run test:mutations -- --survivors   only those that REPORT.md says survived, and those it does not know
 * npm run test:mutations -- --quick      only against suites without a database: what they catch is caught
 * npm run test:mutations -- --at=<commit> of that commit, whatever lies in the working tree
 *
 * All of it happens in a temporary copy: the working tree is never touched. Fast suites run first; only what they let
 * through meets the real gateway, core and database.
 */
const root = process.cwd();
const PROPERTY_RUNS = '25';
const LIMIT_MS = 180_000;

const withoutDatabase = 'jest.mutations.config.mjs';
const withDatabase = 'jest.config.mjs';

interface Stage {
  readonly paths: readonly string[];
  readonly config: string;
}

const unit: Stage = { paths: ['tests/translators/engine'], config: withoutDatabase };
const lock: Stage = {
  paths: ['tests/translators/contract/lock', 'tests/translators/contract/ledger'],
  config: withoutDatabase,
};
const properties: Stage = {
  paths: [
    'tests/translators/releases',
    'tests/translators/faults/every-change',
    'tests/translators/nested-updates',
    'tests/translators/stored-documents',
  ],
  config: withoutDatabase,
};
const golden: Stage = { paths: ['tests/golden'], config: withDatabase };
const year: Stage = { paths: ['tests/e2e/year'], config: withDatabase };
const gateway: Stage = { paths: ['tests/translators/faults/gateway'], config: withDatabase };

/** What is cheap and likely to notice comes first; a survivor has met all of them. */
function stagesFor(mutation: Mutation | undefined): readonly Stage[] {
  return mutation?.file.startsWith('translators/engine/')
    ? [unit, lock, properties, year, gateway, golden]
    : mutation?.file.startsWith('gateway/')
      ? [year, gateway, golden, lock, properties, unit]
      : [lock, golden, properties, gateway, unit, year];
}

interface Outcome {
  readonly mutation: Mutation;
  /** The first test that failed; undefined where none did. */
  readonly by: string | undefined;
  readonly ms: number;
}

const args = process.argv.slice(2);
const commit = args.find((each) => each.startsWith('--at='))?.slice('--at='.length);
const wanted = args.filter((each) => !each.startsWith('--'));
const reportPath = join(root, 'tests/mutations/REPORT.md');
const before = args.includes('--survivors') ? await readReport() : new Map<string, string>();
const chosen = mutations.filter(
  (mutation) =>
    !before.has(rowOf(mutation)) &&
    (wanted.length === 0 || wanted.some((text) => mutation.name.includes(text) || mutation.file.includes(text))),
);
const copy = await mkdtemp(join(tmpdir(), 'perennial-mutations-'));
let child: ReturnType<typeof spawn> | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    child?.kill('SIGKILL');
    void rm(copy, { recursive: true, force: true }).finally(() => process.exit(1));
  });
try {
  await copyTree();
  const broken = await failing();
  if (broken !== undefined) throw new Error(`the suites fail without any mutation: ${broken}`);
  const outcomes: Outcome[] = [];
  for (const [index, mutation] of chosen.entries()) {
    const outcome = await tried(mutation);
    outcomes.push(outcome);
    process.stdout.write(
      `${String(index + 1).padStart(3)}/${chosen.length} ${outcome.by === undefined ? 'SURVIVED' : 'caught  '} ${Math.round(outcome.ms / 100) / 10} s  ${mutation.name} (${mutation.file})\n`,
    );
  }
  const survivors = outcomes.filter(({ by }) => by === undefined);
  process.stdout.write(
    `${outcomes.length - survivors.length} of ${outcomes.length} caught, ${survivors.length} survived\n`,
  );
  if (wanted.length === 0) {
    const all = mutations.map((mutation): Outcome => {
      const outcome = outcomes.find((each) => each.mutation === mutation);
      return outcome ?? { mutation, by: before.get(rowOf(mutation)), ms: 0 };
    });
    await writeFile(reportPath, reportOf(all));
  }
  process.exitCode = survivors.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`test:mutations: ${(error as Error).message}\n`);
  process.exitCode = 2;
} finally {
  await rm(copy, { recursive: true, force: true });
}

/** The files that git knows or would know, and packages by links; our own workspaces link into the copy. */
async function copyTree(): Promise<void> {
  if (commit !== undefined) {
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
    execFileSync('tar', ['-x', '-C', copy], { input: archive });
  } else {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    });
    for (const path of listed.toString('utf8').split('\0')) if (path !== '') await copyFile(path);
  }
  await cp(join(root, 'prisma/generated'), join(copy, 'prisma/generated'), { recursive: true });
  await mkdir(join(copy, 'node_modules'));
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@perennial') await symlink(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  await mkdir(join(copy, 'node_modules/@perennial'));
  for (const name of await readdir(join(root, 'node_modules/@perennial')))
    await symlink(join(copy, name), join(copy, 'node_modules/@perennial', name));
  for (const workspace of await readdir(join(root, 'node_modules/@perennial')))
    if ((await readdir(join(root, workspace))).includes('node_modules'))
      await symlink(join(root, workspace, 'node_modules'), join(copy, workspace, 'node_modules'));
  await writeFile(
    join(copy, 'jest.mutations.config.mjs'),
    "import shipped from './jest.config.mjs';\nconst { globalSetup, globalTeardown, ...config } = shipped;\nexport default config;\n",
  );
}

async function copyFile(path: string): Promise<void> {
  await mkdir(dirname(join(copy, path)), { recursive: true });
  await cp(join(root, path), join(copy, path)).catch((error: NodeJS.ErrnoException) => {
    // Deleted, and not yet so in the index.
    if (error.code !== 'ENOENT') throw error;
  });
}

async function tried(mutation: Mutation): Promise<Outcome> {
  const path = join(copy, mutation.file);
  const before = await readFile(path, 'utf8');
  if (before.split(mutation.find).length !== 2) throw new Error(`${mutation.name}: does not fit ${mutation.file}`);
  const startedAt = performance.now();
  await writeFile(
    path,
    before.replace(mutation.find, () => mutation.replace),
  );
  try {
    const by = await failing(mutation);
    return { mutation, by, ms: performance.now() - startedAt };
  } finally {
    await writeFile(path, before);
  }
}

/** The name of the first test that fails, or undefined. */
async function failing(mutation?: Mutation): Promise<string | undefined> {
  for (const { paths, config } of stagesFor(mutation)) {
    if (args.includes('--quick') && config === withDatabase) continue;
    const by = await jest(paths, config);
    if (by !== undefined) return by;
  }
  return undefined;
}

function jest(paths: readonly string[], config: string): Promise<string | undefined> {
  const output = join(copy, 'jest-result.json');
  return new Promise((resolve, reject) => {
    child = spawn(
      process.execPath,
      [
        ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'],
        ...['--config', config, '--runInBand', '--bail=1', '--silent', '--json', `--outputFile=${output}`, ...paths],
      ],
      { cwd: copy, env: { ...process.env, PROPERTY_RUNS }, stdio: 'ignore', timeout: LIMIT_MS, killSignal: 'SIGKILL' },
    );
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (signal !== null) return resolve(`does not end within ${LIMIT_MS / 1000} s`);
      if (code === 0) return resolve(undefined);
      firstFailure(output).then(resolve, () => resolve('the suite does not load'));
    });
  });
}

async function firstFailure(output: string): Promise<string> {
  const report = JSON.parse(await readFile(output, 'utf8')) as {
    testResults: readonly {
      name: string;
      status: string;
      message: string;
      assertionResults: readonly { status: string; fullName: string }[];
    }[];
  };
  await rm(output, { force: true });
  for (const { name, status, message, assertionResults } of report.testResults) {
    const failed = assertionResults.find((each) => each.status === 'failed');
    const file = name.slice(name.indexOf('/tests/') + '/tests/'.length);
    if (failed) return `${file}: ${failed.fullName}`;
    // Nearly always the catalogue, which is refused; its own words say why.
    if (status === 'failed') return `${file} does not load: ${reasonIn(message)}`;
  }
  return 'the run fails';
}

/** The line of jest's report that says what happened, without its colours. */
function reasonIn(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim());
  return (
    lines.find((line) => line.startsWith('- change') || line.startsWith('- release')) ??
    lines.find((line) => line !== '' && !line.startsWith('●')) ??
    'no reason is given'
  );
}

/** What the report says caught each mutation, by the beginning of its row; survivors are left out. */
async function readReport(): Promise<Map<string, string>> {
  const caught = new Map<string, string>();
  for (const line of (await readFile(reportPath, 'utf8').catch(() => '')).split('\n'))
    for (const mutation of mutations) {
      const row = rowOf(mutation);
      if (line.startsWith(row) && !line.endsWith('| **survived** |')) caught.set(row, line.slice(row.length + 1, -2));
    }
  return caught;
}

function rowOf({ name, file }: Mutation): string {
  return `| ${cell(name)} | \`${file}\` |`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function reportOf(outcomes: readonly Outcome[]): string {
  const survivors = outcomes.filter(({ by }) => by === undefined);
  // Read back from the report, a cell is escaped already.
  const rows = outcomes.map(
    ({ mutation, by }) =>
      `${rowOf(mutation)} ${by === undefined ? '**survived**' : before.has(rowOf(mutation)) ? by : cell(by)} |`,
  );
  return [
    '# Mutation check',
    '',
    'Written by `npm run test:mutations`; the mutations are in `mutations.ts`. Each breaks one thing in the changes, the',
    'schemas or the engine, and is caught when a test fails. The first test that failed is named.',
    '',
    `${outcomes.length} mutations: ${outcomes.length - survivors.length} caught, ${survivors.length} survived.`,
    '',
    '| Mutation | File | Caught by |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
