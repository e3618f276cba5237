import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].filter(
  (path) => path !== join('docs', 'specification.md'),
);

/** Names in capitals between quotes: how every configuration reads the environment. */
function variablesOf(path: string): readonly string[] {
  return [...read(path).matchAll(/(?:\(|\[)\s*'([A-Z][A-Z_]{3,})'/g)].map(([, name]) => name as string);
}

describe('README and docs', () => {
  test('docs/operations.md has a line for every variable that is read, and no other', () => {
    const used = [
      'gateway/config.ts',
      'gateway/forward/core-tls.ts',
      'core/config.ts',
      'core/platform/http/tls.ts',
      '.scripts/start-config.ts',
    ].flatMap(variablesOf);
    const operations = read('docs/operations.md');
    const table = operations.slice(operations.indexOf('| variable |'));
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const told = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
    expect([...told].sort()).toEqual([...new Set(used)].sort());
  });

  test('the README is short enough to be read', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(81);
  });

  test.each(documents)('%s names only commands that there are', (path) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const text = read(path);
    const named = [...text.matchAll(/npm run ([\w:]+)/g), ...text.matchAll(/`(bench:\w+)`/g)].map(([, name]) => name);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });

  test.each(documents)('%s names only files and folders that there are', (path) => {
    const text = read(path);
    const places = [...text.matchAll(/`((?:gateway|core|translators|schemas|prisma|tests|docs)\/[\w./-]*)`/g)];
    for (const [, place] of places) expect([place, existsSync(join(root, place as string))]).toEqual([place, true]);
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => link as string);
    for (const link of links) expect([link, existsSync(join(root, dirname(path), link))]).toEqual([link, true]);
  });
});
