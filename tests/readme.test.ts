import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

/** Names in capitals between quotes: how every configuration reads the environment. */
function variablesOf(path: string): readonly string[] {
  return [...read(path).matchAll(/(?:\(|\[)\s*'([A-Z][A-Z_]{3,})'/g)].map(([, name]) => name as string);
}

describe('README.md', () => {
  test('has a line for every variable that is read, and no other', () => {
    const used = ['gateway/config.ts', 'core/config.ts', '.scripts/start-config.ts'].flatMap(variablesOf);
    const table = readme.slice(readme.indexOf('| variable |'));
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const told = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
    expect([...told].sort()).toEqual([...new Set(used)].sort());
  });

  test('names only commands that there are', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm run ([\w:]+)/g), ...readme.matchAll(/`(bench:\w+)`/g)].map(
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });

  test('names only files and folders that there are', () => {
    const places = [...readme.matchAll(/`((?:gateway|core|translators|schemas|prisma|tests)\/[\w./-]*)`/g)];
    expect(places.length).toBeGreaterThan(5);
    for (const [, place] of places) expect([place, existsSync(join(root, place as string))]).toEqual([place, true]);
  });
});
