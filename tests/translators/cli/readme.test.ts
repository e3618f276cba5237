import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as descriptions from '@perennial/translators/engine/describe.ts';
import { callRelease, repository } from './support.ts';

const readme = readFileSync(join(repository, 'translators', 'README.md'), 'utf8');

describe('translators/README.md', () => {
  it('names every description that the engine has, and no other', () => {
    const table = readme.slice(readme.indexOf('## Which description'), readme.indexOf('## What a message means'));
    const named = new Set(
      table
        .split('\n')
        .filter((line) => line.startsWith('| '))
        .flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name as string)),
    );
    named.delete('behaviours');
    // `plain` is what descriptions are written with.
    const exported = Object.keys(descriptions).filter((name) => name !== 'plain');
    expect([...named].sort()).toEqual(exported.sort());
  });

  it('shows only verbs that the tool has', async () => {
    const verbs = [...readme.matchAll(/npm run release -- ([\w-]+)/g)].map(([, verb]) => verb as string);
    expect(verbs.length).toBeGreaterThan(7);
    for (const verb of new Set(verbs)) {
      const { code, stdout } = await callRelease(verb, '--help');
      expect([verb, code]).toEqual([verb, 0]);
      expect(stdout).toContain(`usage: npm run release -- ${verb}`);
    }
  });

  it('is one page', () => {
    expect(readme.split('\n').length).toBeLessThan(115);
  });
});
