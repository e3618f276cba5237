import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of Debian that some of the full tests need, and a file by which it is recognised. */
interface DebianPackage {
  readonly package: string;
  /** A path, with wildcards. */
  readonly provides: string;
}

/** The one list of them; `.ci/run` installs from it. */
const LIST = join(import.meta.dirname, 'debian-packages.json');

/** @returns those of the packages that this machine has not. @throws Error when one is not in the list. */
export function absentPackages(names: readonly string[] = listed().map((each) => each.package)): string[] {
  const known = new Map(listed().map((each) => [each.package, each.provides]));
  return names.filter((name) => {
    const provides = known.get(name);
    if (provides === undefined) throw new Error(`${name} is not in .scripts/debian-packages.json; add it there`);
    return globSync(provides).length === 0;
  });
}

function listed(): DebianPackage[] {
  return JSON.parse(readFileSync(LIST, 'utf8')) as DebianPackage[];
}
