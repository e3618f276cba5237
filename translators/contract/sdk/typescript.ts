import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OpenApiDocument, OpenApiOperation } from '../document.ts';

const run = promisify(execFile);

/** A locked release: its document, and the types that were locked with it. */
export interface LockedRelease {
  readonly id: string;
  readonly document: OpenApiDocument;
  /** Path of `types.ts`. */
  readonly typesFile: string;
}

/** What a package says of itself. */
export interface PackageOptions {
  readonly version: string;
  readonly root: string;
}

const OWN = join(import.meta.dirname, 'typescript');

/**
 * Makes `@perennial/client` in a folder: compiled JavaScript and its types, from the client beside this file and the
 * locked contracts.
 * @throws when the compiler finds a fault: what is packed has been checked as a whole.
 */
export async function makeTypescript(
  releases: readonly LockedRelease[],
  out: string,
  { version, root }: PackageOptions,
): Promise<void> {
  const source = join(out, 'src');
  await rm(out, { recursive: true, force: true });
  await mkdir(source, { recursive: true });
  await cp(OWN, source, { recursive: true });
  for (const { id, typesFile } of releases) await copyFile(typesFile, join(source, `v${id}.ts`));
  await writeFile(join(source, 'versions.ts'), versionsText(releases));
  const compiler = {
    target: 'es2023',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
    types: [],
    strict: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: 'src',
    outDir: 'dist',
  };
  await writeFile(join(out, 'tsconfig.json'), JSON.stringify({ compilerOptions: compiler, include: ['src'] }, null, 2));
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest(releases, version), null, 2)}\n`);
  await writeFile(join(out, 'README.md'), await readFile(join(OWN, 'README.md'), 'utf8'));
  await rm(join(source, 'README.md'));
  await run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.json'], {
    cwd: out,
  });
  await rm(join(out, 'tsconfig.json'));
  await rm(source, { recursive: true });
}

function manifest(releases: readonly LockedRelease[], version: string): object {
  const entry = (name: string): object => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });
  return {
    name: '@perennial/client',
    version,
    description: 'A typed client of the Perennial service, for each of its versions.',
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=20' },
    sideEffects: false,
    exports: {
      '.': entry('index'),
      ...Object.fromEntries(releases.map(({ id }) => [`./v${id}`, entry(`v${id}`)])),
    },
    files: ['dist'],
  };
}

/** The operations of each version as data, and their types. */
function versionsText(releases: readonly LockedRelease[]): string {
  const tables = releases.map(({ id, document }) => {
    const entries = operationsOf(document).map(({ method, path, operation }) => {
      const type = Object.keys(operation.requestBody?.content ?? {})[0];
      const isKeyed = (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
      const entry = { method, path, ...(type === undefined ? {} : { type }), ...(isKeyed ? { keyed: true } : {}) };
      return [operation.operationId, entry];
    });
    return [id, Object.fromEntries(entries)];
  });
  return [
    ...releases.map(({ id }) => `import type { Operations as ${nameOf(id)} } from './v${id}.ts';`),
    'export interface OperationEntry { readonly method: string; readonly path: string; readonly type?: string; readonly keyed?: true }',
    `/** The operations of each version, typed. */\nexport interface Versions {\n${releases.map(({ id }) => `  readonly '${id}': ${nameOf(id)};`).join('\n')}\n}`,
    `export const operations: Readonly<Record<string, Readonly<Record<string, OperationEntry>>>> = ${JSON.stringify(Object.fromEntries(tables), null, 1)};`,
    '',
  ].join('\n');
}

function nameOf(id: string): string {
  return `V${id.replaceAll('-', '_')}`;
}

/** Every operation of a document. */
export function operationsOf(
  document: OpenApiDocument,
): readonly { readonly method: string; readonly path: string; readonly operation: OpenApiOperation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}
