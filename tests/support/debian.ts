import { describe } from '@jest/globals';
import { absentPackages } from '../../.scripts/debian-packages.ts';

/**
 * Tests that need packages of Debian. Where one is absent they are skipped under a name that says so, and
 * `npm run test:full` names them before it begins.
 */
export function describeWith(packages: readonly string[], name: string, tests: () => void): void {
  const absent = absentPackages(packages);
  if (absent.length === 0) describe(name, tests);
  else describe.skip(`${name} (absent: ${absent.join(', ')})`, tests);
}
