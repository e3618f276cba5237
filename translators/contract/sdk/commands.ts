import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { history } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import type { OpenApiDocument } from '../document.ts';
import { makePython } from './python.ts';
import { type LockedRelease, makeTypescript } from './typescript.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const help = `usage: npm run perennial -- sdk [typescript|python|all] [--out <folder>]

Makes the clients from the locked contracts of every release: \`@perennial/client\` (packed by npm) and the Python
package \`perennial_client\`. Nothing that is made is kept in the repository.
`;

/** Every released version as it is locked, newest first. */
export async function lockedReleases(): Promise<readonly LockedRelease[]> {
  const released = newestFirst(history).filter((release) => release.released !== undefined);
  return Promise.all(
    released.map(async ({ id }) => {
      const folder = join(root, 'schemas', 'released', id);
      const document = JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8')) as OpenApiDocument;
      return { id, document, typesFile: join(folder, 'types.ts') };
    }),
  );
}

/** Makes the packages; answers the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  let parsed: { readonly values: { readonly out?: string; readonly help?: boolean }; readonly positionals: string[] };
  try {
    const options = { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
    parsed = parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${help}`);
    return 2;
  }
  const { values, positionals } = parsed;
  const [which = 'all', ...rest] = positionals;
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (rest.length > 0 || !['typescript', 'python', 'all'].includes(which)) {
    process.stderr.write(help);
    return 2;
  }
  const out = resolve(process.env['INIT_CWD'] ?? '.', values.out ?? 'sdk');
  const releases = await lockedReleases();
  const version = newestFirst(history)[0]?.semver ?? '0.0.0';
  if (which !== 'python') {
    const folder = join(out, 'typescript');
    await makeTypescript(releases, folder, { version, root });
    const packed = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder });
    process.stdout.write(`${join(out, packed.stdout.trim())}\n`);
  }
  if (which !== 'typescript') {
    const folder = join(out, 'python');
    await makePython(releases, folder, { version });
    process.stdout.write(`${folder}\n`);
  }
  return 0;
}
