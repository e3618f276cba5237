import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { runTool } from '@perennial/translators/cli/run.ts';
import { LEDGER_FILE } from '@perennial/translators/contract/ledger.ts';
import { lockStateOf, writeLock } from '@perennial/translators/contract/released.ts';
import { baseHead, baseHistory, baseTranslator } from '../../fixtures/base.ts';

/** This repository. */
export const repository = join(import.meta.dirname, '..', '..', '..');

/** A copy of what the tool edits, with the repository's packages but its own schemas and translators. */
export interface Copy {
  readonly root: string;
  /** Runs the tool on the copy, in a process of its own: modules that were edited must be loaded again. */
  release(...args: string[]): Promise<Run>;
  /** Runs the tool on the copy in this process: for what is refused before anything of the copy is loaded. */
  call(...args: string[]): Promise<Run>;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  edit(path: string, from: string, to: string): Promise<void>;
  remove(): Promise<void>;
}

/** How a run of the tool ended. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The head schema of a copy that stands on the base, as JSON. */
export const HEAD_FILE = 'schemas/head.json';

/**
 * Makes a copy under the system's folder for temporary files.
 * @param stands `shipped`: on everything that is shipped; `base`: on what fixtures stand on, with the head schema as JSON.
 */
export async function makeCopy(stands: 'shipped' | 'base' = 'shipped'): Promise<Copy> {
  const root = await mkdtemp(join(tmpdir(), 'perennial-test-cli-'));
  const packages = join(root, 'node_modules');
  await mkdir(join(packages, '@perennial'), { recursive: true });
  for (const name of await readdir(join(repository, 'node_modules')))
    if (name !== '@perennial' && !name.startsWith('.'))
      await symlink(join(repository, 'node_modules', name), join(packages, name));
  for (const name of ['schemas', 'translators']) {
    await cp(join(repository, name), join(root, name), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    await symlink(join(root, name), join(packages, '@perennial', name));
  }
  const path = (inside: string): string => join(root, inside);
  if (stands === 'base') await standOnBase(root);
  return {
    root,
    // Most modules are the same in every run; what they compile to is kept beside them.
    release: (...args) => runRelease([...args, '--root', root], { NODE_COMPILE_CACHE: join(root, '.compiled') }),
    call: (...args) => callRelease(...args, '--root', root),
    read: (inside) => readFile(path(inside), 'utf8'),
    write: (inside, text) => writeFile(path(inside), text),
    async edit(inside, from, to) {
      const text = await readFile(path(inside), 'utf8');
      if (!text.includes(from)) throw new Error(`${inside} does not contain ${from}`);
      await writeFile(path(inside), text.replace(from, to));
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Takes out of a copy what was released after the base, and writes the head schema as JSON. */
async function standOnBase(root: string): Promise<void> {
  const { resources, operations } = baseHead;
  await writeFile(join(root, HEAD_FILE), JSON.stringify({ resources: [...resources], operations }, null, 2));
  await writeFile(
    join(root, 'schemas/contract.ts'),
    `import { readFileSync } from 'node:fs';
const { resources, operations } = JSON.parse(readFileSync(new URL('./head.json', import.meta.url), 'utf8'));
export const head = { resources: new Map(resources), operations };
`,
  );
  const dates = await readFile(join(root, 'schemas/history.ts'), 'utf8');
  const [newest] = baseHistory.releases;
  if (!newest) throw new Error('the base has no release');
  const { id, semver, previewFrom, released } = newest;
  const entry = `{ id: '${id}', semver: '${semver}', previewFrom: '${previewFrom}', released: '${released}' },\n`;
  const before = baseHistory.releases[1]?.id as string;
  await writeFile(
    join(root, 'schemas/history.ts'),
    dates
      .replace(/today: '[^']*'/, `today: '${baseHistory.today}'`)
      .replace(new RegExp(`releases: \\[\\n[^]*?(    \\{\\s+id: '${before}')`), `releases: [\n    ${entry}$1`),
  );
  const index = join(root, 'translators/releases/index.ts');
  const isLater = (line: string): boolean => (/'\.\/(\d{4}-\d{2}-\d{2})\//.exec(line)?.[1] ?? '') > id;
  const lines = (await readFile(index, 'utf8')).split('\n').filter((line) => !isLater(line));
  const later = /\brelease(\d{4})(\d{2})(\d{2}),?\s*/g;
  await writeFile(
    index,
    lines
      .join('\n')
      .replace(/= \[[^\]]*\]/, (list) =>
        list.replace(later, (text, year, month, day) => (`${year}-${month}-${day}` > id ? '' : text)),
      ),
  );
  for (const folder of ['translators/releases', 'schemas/released'])
    for (const name of await readdir(join(root, folder)))
      if (/^\d{4}-/.test(name) && name > id) await rm(join(root, folder, name), { recursive: true });
  // Its locks are those of the base, whatever was locked since.
  await rm(join(root, LEDGER_FILE), { force: true });
  const translator = baseTranslator();
  for (const release of [...baseHistory.releases].reverse())
    writeLock(lockStateOf(translator, release, root), translator.catalogue, root);
}

/** Runs the tool in this process, on this repository: for what needs no process of its own. */
export async function callRelease(...args: string[]): Promise<Run> {
  const output = { stdout: '', stderr: '' };
  const collect = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        output[name] += String(chunk);
        done();
      },
    });
  const code = await runTool(args, { stdout: collect('stdout'), stderr: collect('stderr') });
  return { code, ...output };
}

/** Runs the tool of this repository. */
export function runRelease(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const { INIT_CWD: _, FORCE_COLOR: __, ...inherited } = process.env;
    const child = spawn(process.execPath, [join(repository, 'translators', 'cli', 'main.ts'), ...args], {
      cwd: repository,
      env: { ...inherited, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, ...output }));
  });
}
