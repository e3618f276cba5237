import { describe, expect, it } from '@jest/globals';
import { compile, compileValue, type Direction } from '@perennial/translators/engine/compile.ts';
import { evaluateIn } from '@perennial/translators/engine/evaluate.ts';
import { formatPath } from '@perennial/translators/engine/path.ts';
import { fuse, type Run } from '@perennial/translators/engine/run.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import { expressionOf, identityTree, nodeAt, schemaOf } from '@perennial/translators/engine/tree.ts';
import fc from 'fast-check';
import { baseTranslator } from '../../fixtures/base.ts';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';
import { answerable } from '../../support/answerable.ts';
import { valuesOf } from '../../support/arbitrary.ts';
import { overTheWire } from '../../support/stored.ts';

/*
 * Expressions are read in two ways: compiled for whole bodies, evaluated for updates and queries. Both must read them
 * alike, for every body of every resource that a change edits.
 */
const BODIES = 15;
const contexts = { 'page-by-cursor': { offset: 0, limit: 20 } };

describe.each<[string, Translator]>([
  ['the releases of the base', baseTranslator()],
  ['a release with every kind of edit', createTranslator(headOf20240401, historyWithPreview, releasesWithPreview)],
])('%s', (_name, { catalogue, runs }) => {
  const edited = new Set(catalogue.steps.flatMap(({ edits }) => [...edits.keys()]));
  // A page is of something, and is nothing by itself.
  edited.delete('Page');
  const whole: Run = { older: 0, newer: catalogue.steps.length };
  const places = [...edited].flatMap((resource) => runs(whole, resource).map((run) => ({ resource, run })));

  it.each(places.map(({ resource, run }) => [resource, run.older, run.newer] as const))(
    '%s is read alike from level %i to level %i, both ways',
    (resource, older, newer) => {
      const run = { older, newer };
      for (const direction of ['down', 'up'] satisfies Direction[]) {
        const level = direction === 'down' ? newer : older;
        const resources = direction === 'down' ? answerable(catalogue, run) : catalogue.contracts[level]?.resources;
        const schema = resources?.get(resource);
        if (!resources || !schema?.properties) continue;
        const tree = fuse(catalogue, run, resource)[direction];
        const source = identityTree(schema);
        const walkers = new Map<string, (value: unknown) => unknown>();
        const walk = (path: readonly string[], value: unknown): unknown => {
          const key = formatPath(path);
          const node = nodeAt(source, path);
          if (!walkers.has(key) && node) walkers.set(key, compileValue(catalogue, run, schemaOf(node), direction));
          return value === null || value === undefined ? value : (walkers.get(key)?.(value) ?? value);
        };
        const compiled = compile(catalogue, run, resource, direction);
        fc.assert(
          fc.property(valuesOf(resources, schema), (value) => {
            const body = overTheWire(value);
            const evaluated = evaluateIn(expressionOf(tree), { source: body, contexts, walk }, new Map());
            expect(overTheWire(evaluated)).toEqual(overTheWire(compiled(body, contexts)));
          }),
          { numRuns: BODIES },
        );
      }
    },
  );
});
