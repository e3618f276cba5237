import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { mutations } from './mutations.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the mutation check', () => {
  it('seeds at least sixty mutations, each with a name of its own', () => {
    expect(mutations.length).toBeGreaterThanOrEqual(60);
    const names = mutations.map(({ name, file }) => `${name} ${file}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('has patches that each fit exactly one place of the code as it is', async () => {
    const stale: string[] = [];
    for (const { name, file, find, replace } of mutations) {
      const text = await readFile(join(root, file), 'utf8').catch(() => '');
      const count = text.split(find).length - 1;
      if (count !== 1 || find === replace) stale.push(`${name}: ${count} places in ${file}`);
    }
    // Where the code has moved on: adapt `find` in tests/mutations/mutations.ts.
    expect(stale).toEqual([]);
  });
});
