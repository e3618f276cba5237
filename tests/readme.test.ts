import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeAllowed } from '@perennial/schemas/platform/settings.ts';
import { variables } from '@perennial/schemas/platform/variables.ts';
import type { TSchema } from 'typebox';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].filter(
  (path) => path !== join('docs', 'specification.md'),
);

/** The row of a variable: name, default, what it may be. What follows is its meaning, to which a document may add. */
function rowOf([name, schema]: readonly [string, TSchema]): string {
  const { default: usual, absent = '', description } = schema as Declared;
  const allowed = describeAllowed(schema)
    .replace(/^a (whole )?number from /, '')
    .replace(/\d{4,}/g, (digits) => inUnits(name, Number(digits)));
  const shown = usual === undefined ? absent : typeof usual === 'number' ? inUnits(name, usual) : `\`${usual}\``;
  return `| \`${name}\` | ${shown} | ${allowed === 'text' ? '' : allowed} | ${description}`;
}

interface Declared {
  readonly default?: string | number | boolean;
  readonly absent?: string;
  readonly description: string;
}

function inUnits(name: string, value: number): string {
  if (!name.endsWith('_BYTES_MAX')) return String(value);
  const [unit, bytes] = value % 2 ** 20 === 0 ? ['MiB', 2 ** 20] : ['KiB', 2 ** 10];
  return value % bytes === 0 ? `${value / bytes} ${unit}` : String(value);
}

describe('README and docs', () => {
  test('docs/operations.md has a line for every variable, with its default, its bounds and its meaning, and no other', () => {
    const rows = read('docs/operations.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const wanted = Object.entries(variables).map(rowOf);
    expect(rows.map((row, index) => (row.startsWith(wanted[index] ?? row) ? wanted[index] : row))).toEqual(wanted);
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
