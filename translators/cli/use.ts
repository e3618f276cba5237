import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RecordedUse, readUse } from '../contract/use.ts';
import { fromCaller } from './project.ts';
import { type Options, Refused, UsageFault } from './verb.ts';

/** Options of verbs that ask who called what. */
export const USE_OPTIONS = { use: { type: 'string' }, days: { type: 'string' } } as const;

/** What `help` says of them. */
export const USE_HELP = [
  '--use     file with recorded use, as npm run perennial -- use prints it; without it the database is asked, as that',
  '          command does (DATABASE_ADMIN_URL, DATABASE_URL, DATA_DIR)',
  '--days    how many days the database is asked about; 1',
] as const;

/** Recorded use, from a file or from the database. @throws {UsageFault} {Refused} */
export function recordedUse(root: string, options: Options): readonly RecordedUse[] {
  const file = options.text('use');
  const text = file === undefined ? fromDatabase(root, options.text('days') ?? '1') : fromFile(file);
  try {
    return readUse(text);
  } catch (error) {
    throw new UsageFault(`${file ?? 'use'}: ${(error as Error).message}`);
  }
}

function fromFile(file: string): string {
  try {
    return readFileSync(fromCaller(file), 'utf8');
  } catch (error) {
    throw new UsageFault(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The tool that has a database is asked: this one has none. */
function fromDatabase(root: string, days: string): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, '.scripts/perennial.ts'), 'use', '--days', days],
    { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (status !== 0) throw new Refused(stderr.trim().split('\n').at(-1) ?? 'use could not be read');
  return stdout;
}
