import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/*
 * `npm run notices`: every package that a production install has, with its version, its licence and the text of it, as
 * whoever hands the service on must pass it on. `npm run sbom` lists the same as CycloneDX.
 */

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly license?: string;
}

interface Notice {
  readonly name: string;
  readonly version: string;
  /** As SPDX writes it, where the package says so. */
  readonly license: string;
  /** Of its licence and notice files; none where it has none, or is for another platform. */
  readonly texts: readonly string[];
}

const { values: options } = parseArgs({ options: { json: { type: 'boolean' } } });
const LICENCE_FILE = /^(licen[cs]e|notice|copying|third.?party)/i;

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { readonly packages: Record<string, Locked> };
const notices = new Map<string, Notice>();
for (const [path, locked] of Object.entries(lock.packages)) {
  const at = path.lastIndexOf('node_modules/');
  if (at < 0 || locked.dev || locked.devOptional || locked.link || locked.version === undefined) continue;
  const name = path.slice(at + 'node_modules/'.length);
  notices.set(`${name}@${locked.version}`, {
    name,
    version: locked.version,
    license: locked.license ?? 'not stated',
    texts: textsOf(path),
  });
}
const sorted = [...notices.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
if (options.json === true) process.stdout.write(`${JSON.stringify(sorted)}\n`);
else
  for (const { name, version, license, texts } of sorted)
    process.stdout.write(`${'='.repeat(72)}\n${name} ${version}   ${license}\n\n${texts.join('\n\n')}\n\n`);

function textsOf(path: string): readonly string[] {
  try {
    const files = readdirSync(path, { withFileTypes: true }).filter(
      (entry) => entry.isFile() && LICENCE_FILE.test(entry.name),
    );
    return files.map((entry) => readFileSync(join(path, entry.name), 'utf8').trim());
  } catch {
    return [];
  }
}
