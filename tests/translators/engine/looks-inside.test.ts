import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import type { JsonObject, JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { resolveRef } from '@perennial/schemas/variants.ts';
import { applyDown, type Edit } from '@perennial/translators/engine/edit.ts';
import { readPath } from '@perennial/translators/engine/evaluate.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import { identityTree, nodeAt, schemaOf } from '@perennial/translators/engine/tree.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import fc from 'fast-check';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';
import { valuesOf } from '../../support/arbitrary.ts';

/*
 * A converter that reads members of another resource sees them as they are at its own place in history only when it
 * says that it looks inside. What it reads is watched here, so that nobody has to remember to say so.
 */
const catalogues: Readonly<Record<string, Translator>> = {
  'the shipped releases': createTranslator(head, history, releases),
  'the releases with one in preview': createTranslator(headOf20240401, historyWithPreview, releasesWithPreview),
};

for (const [name, { catalogue }] of Object.entries(catalogues))
  describe(name, () => {
    it('say so for every converter that reads what another change edits', () => {
      const silent: string[] = [];
      let watched = 0;
      for (const [level, step] of catalogue.steps.entries()) {
        const { resources } = catalogue.contracts[level + 1]!;
        const editedByOthers = (resource: string): boolean =>
          catalogue.steps.some((other) => other !== step && other.edits.has(resource));
        for (const [resource, edits] of step.edits)
          for (const [index, edit] of edits.entries()) {
            if (edit.kind !== 'relate' || edit.looksInside || edit.older.length === 0) continue;
            watched += 1;
            const reads = readsOf(resources, resource, edits, index);
            for (const read of reads)
              if (editedByOthers(read)) silent.push(`${step.name} reads ${read}: it needs looksInside`);
          }
      }
      expect(silent).toEqual([]);
      expect(watched).toBeGreaterThan(0);
    });
  });

/** The resources of which a converter reads members, beside the one that it edits. */
function readsOf(
  resources: ReadonlyMap<string, JsonSchema>,
  resource: string,
  edits: readonly Edit[],
  index: number,
): ReadonlySet<string> {
  const edit = edits[index]!;
  if (edit.kind !== 'relate') throw new Error('only converters read');
  // The resource as it is just after this edit: later edits of the same change are taken back.
  const context = { change: 'watched', contextKey: 'watched' };
  const newest = resources.get(resource) as JsonSchema;
  const tree = edits
    .slice(index + 1)
    .reduceRight((each, later) => applyDown(each, later, context), identityTree(newest));
  const schema = schemaOf(tree);
  const reads = new Set<string>();
  const samples = fc.sample(valuesOf(resources, withoutItem(schema)), { numRuns: 50, seed: 20_231_015 });
  for (const sample of samples) {
    const inputs = edit.newer.map((path) =>
      watch(resources, schemaOf(nodeAt(tree, path)!), readPath(sample, path), (read) => reads.add(read)),
    );
    edit.down(inputs, undefined, { offset: 0, limit: 20 });
  }
  return reads;
}

/** A page by itself has no items to speak of. */
function withoutItem(schema: JsonSchema): JsonSchema {
  const { items: _, ...properties } = schema.properties ?? {};
  return schema.properties?.['items']?.items?.$ref === '#item'
    ? { ...schema, properties, required: Object.keys(properties) }
    : schema;
}

/** The value, noting each resource of which a member is read. */
function watch(
  resources: ReadonlyMap<string, JsonSchema>,
  schema: JsonSchema,
  value: unknown,
  note: (resource: string) => void,
  inside?: string,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (schema.$ref !== undefined) return watch(resources, resolveRef(resources, schema.$ref), value, note, schema.$ref);
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []).filter((each) => each.type !== 'null');
  if (alternatives.length > 0) {
    const word = schema.discriminator && (value as JsonObject)[schema.discriminator.propertyName];
    const ref = typeof word === 'string' ? schema.discriminator?.mapping?.[word] : undefined;
    return watch(resources, ref === undefined ? (alternatives[0] as JsonSchema) : { $ref: ref }, value, note, inside);
  }
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return value.map((each) => watch(resources, items, each, note, inside));
  }
  return new Proxy(value as JsonObject, {
    get(target, member) {
      if (typeof member !== 'string') return undefined;
      if (inside !== undefined) note(inside);
      const inner = schema.properties?.[member] ?? {};
      return watch(resources, inner, target[member], note, inside);
    },
  });
}
