import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Which checks were run for which state of the repository. A state is the text of everything that the checks judge, so a
 * proof that was run before the last edit proves nothing. Kept in `.data`, with what else belongs to one machine.
 */

/** What is judged, by folder. */
const FOLDERS = [
  'schemas',
  'translators',
  'gateway',
  'core',
  'prisma',
  join('tests', 'golden'),
  join('tests', 'support'),
];
const FILES = /\.(ts|json|sql|prisma)$/;
const OTHERS = /^(node_modules|generated)$/;

/** Checks that passed for one state. */
export interface Proof {
  readonly release: string;
  readonly state: string;
  readonly checks: readonly string[];
  readonly seconds: number;
}

/** SHA-256 of everything that the checks judge. */
export function stateOf(root: string): string {
  const hash = createHash('sha256');
  const visit = (folder: string): void => {
    const entries = existsSync(join(root, folder)) ? readdirSync(join(root, folder), { withFileTypes: true }) : [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !OTHERS.test(entry.name)) visit(path);
      else if (entry.isFile() && FILES.test(entry.name))
        hash
          .update(`${path}\n`)
          .update(readFileSync(join(root, path)))
          .update('\n');
    }
  };
  for (const folder of FOLDERS) visit(folder);
  return hash.digest('hex');
}

/** The last proof of a release, if it was ever proven here. */
export function readProof(root: string, release: string): Proof | undefined {
  const path = fileOf(root, release);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Proof) : undefined;
}

/** Keeps a proof. */
export function writeProof(root: string, proof: Proof): void {
  mkdirSync(join(root, '.data', 'proofs'), { recursive: true });
  writeFileSync(fileOf(root, proof.release), `${JSON.stringify(proof, null, 2)}\n`);
}

function fileOf(root: string, release: string): string {
  return join(root, '.data', 'proofs', `${release}.json`);
}
