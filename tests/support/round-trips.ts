import { describe, expect, it } from '@jest/globals';
import type { Operation } from '@perennial/schemas/operation.ts';
import { isInlineObject, type JsonObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import { parseRef, resolveRef } from '@perennial/schemas/variants.ts';
import { compile } from '@perennial/translators/engine/compile.ts';
import { placesOf } from '@perennial/translators/engine/places.ts';
import { editedResource, fuse, type Run, touches } from '@perennial/translators/engine/run.ts';
import type { Step } from '@perennial/translators/engine/step.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { identityTree, nodeAt } from '@perennial/translators/engine/tree.ts';
import { compileUpdate, mergePatch } from '@perennial/translators/engine/update.ts';
import fc from 'fast-check';
import { answerable } from './answerable.ts';
import { propertyRuns, valuesOf } from './arbitrary.ts';
import { meaning, overTheWire, printed, writableOf } from './stored.ts';

/**
 * The properties that every change and every chain of changes must have, generated from the contracts: nobody writes
 * them for a new release. Runs are one change at a time, and every version's whole chain. The bodies of a run are dealt
 * out over its resources.
 * @param isAsked the changes to try by themselves, where others have been tried elsewhere; chains are all tried.
 */
export function describeRoundTrips(translator: Translator, isAsked: (step: Step) => boolean = () => true): void {
  const { catalogue } = translator;
  const headLevel = catalogue.steps.length;
  const chains = catalogue.releases
    .filter(({ level }) => level < headLevel)
    .map(({ id, level }) => ({ name: `the chain from v${id} to head`, run: { older: level, newer: headLevel } }));
  const steps = catalogue.steps
    .map((step: Step, level) => ({ step, name: `the change ${step.name}`, run: { older: level, newer: level + 1 } }))
    .filter(({ step }) => isAsked(step));

  for (const { name, run } of [...steps, ...chains]) {
    const older = catalogue.contracts[run.older]!;
    const newer = catalogue.contracts[run.newer]!;
    // Closed, so that a member which should be gone is seen.
    const olderValidator = createValidator(closed(older.resources));
    const newerValidator = createValidator(newer.resources);
    const kept = answerable(catalogue, run);
    const written = bodiesOf(newer.operations).filter((ref) => touches(catalogue, run, ref));
    const answered = answersOf(newer.operations).filter((ref) => touches(catalogue, run, ref));
    const count = written.length + answered.length;
    if (count === 0) continue;
    const numRuns = Math.max(Math.ceil(propertyRuns / count), Math.min(propertyRuns, RUNS_LEAST));

    describe(name, () => {
      for (const ref of answered)
        it(`gives every answer ${ref} the shape its older contract promises`, () => {
          const schema = resolveRef(kept, ref);
          const down = downThrough(translator, run, ref);
          fc.assert(
            fc.property(valuesOf(kept, schema), (body) => {
              const answer = overTheWire(body);
              const before = JSON.stringify(answer);
              const result = overTheWire(down(answer));
              expect(olderValidator.body(ref, result)).toEqual([]);
              // Inputs are not mutated.
              expect(JSON.stringify(answer)).toBe(before);
            }),
            { numRuns },
          );
        });

      for (const ref of written)
        it(`makes of every older ${ref} a body that the newer contract accepts`, () => {
          const { resource, variant } = parseRef(ref);
          if (variant === 'patch' || variant === 'replace') {
            const update = compileUpdate(catalogue, run, resource);
            const stored = valuesOf(kept, resolveRef(kept, resource));
            fc.assert(
              fc.property(valuesOf(older.resources, resolveRef(older.resources, ref)), stored, (body, prior) => {
                const patch = update.up(overTheWire(body) as JsonObject, variant, overTheWire(prior) as JsonObject);
                if (patch === 'needs-prior' || Object.keys(patch).length === 0) return;
                expect(newerValidator.body(`${resource}.patch`, overTheWire(patch))).toEqual([]);
              }),
              { numRuns },
            );
            return;
          }
          const up = compile(catalogue, run, ref, 'up');
          fc.assert(
            fc.property(valuesOf(older.resources, resolveRef(older.resources, ref)), (body) => {
              expect(newerValidator.body(ref, overTheWire(up(overTheWire(body))))).toEqual([]);
            }),
            { numRuns },
          );
        });

      const creatable = written
        .filter((ref) => parseRef(ref).variant === 'create')
        .map((ref) => parseRef(ref).resource);
      for (const resource of creatable)
        it(`gives a ${resource} that is created in the older version back as it was written`, () => {
          const up = compile(catalogue, run, `${resource}.create`, 'up');
          const down = compile(catalogue, run, resource, 'down');
          const olderSchema = resolveRef(older.resources, resource);
          const newerSchema = resolveRef(newer.resources, resource);
          fc.assert(
            fc.property(valuesOf(older.resources, resolveRef(older.resources, `${resource}.create`)), (body) => {
              const sent = overTheWire(body) as JsonObject;
              const stored = printed(newerSchema, overTheWire(up(sent)) as JsonObject);
              const read = overTheWire(down(stored)) as JsonObject;
              expect(meaning(writableOf(olderSchema, read))).toEqual(meaning(writableOf(olderSchema, sent)));
            }),
            { numRuns },
          );
        });

      const updatable = written.filter((ref) => ['patch', 'replace'].includes(parseRef(ref).variant ?? ''));
      for (const ref of updatable)
        it(`writes by ${ref} exactly what the older version sees, and keeps the rest`, () => {
          const { resource, variant } = parseRef(ref);
          const mode = variant as 'patch' | 'replace';
          const update = compileUpdate(catalogue, run, resource);
          const down = compile(catalogue, run, resource, 'down');
          const olderSchema = resolveRef(older.resources, resource);
          const newerSchema = resolveRef(newer.resources, resource);
          const hidden = hiddenPaths(translator, run, resource, newerSchema);
          fc.assert(
            fc.property(
              valuesOf(older.resources, resolveRef(older.resources, ref)),
              valuesOf(kept, resolveRef(kept, resource)),
              (body, before) => {
                const sent = overTheWire(body) as JsonObject;
                const stored = printed(
                  newerSchema,
                  overTheWire(before) as JsonObject,
                  overTheWire(before) as JsonObject,
                );
                let patch = update.up(sent, mode, undefined);
                if (patch === 'needs-prior') patch = update.up(sent, mode, stored);
                if (patch === 'needs-prior') throw new Error('the update asks again for what it was given');
                const after = printed(newerSchema, mergePatch(stored, overTheWire(patch)), stored);

                for (const path of hidden) expect(at(after, path)).toEqual(at(stored, path));
                const seen = overTheWire(down(stored)) as JsonObject;
                const wanted = mode === 'replace' ? sent : mergePatch(seen, sent);
                const read = overTheWire(down(after)) as JsonObject;
                expect(meaning(writableOf(olderSchema, read))).toEqual(meaning(writableOf(olderSchema, wanted)));
              },
            ),
            { numRuns },
          );
        });
    });
  }
}

/** Bodies of each resource at the least. */
const RUNS_LEAST = 30;

/** The same resources, in which no object has members that are not named. */
function closed(resources: ReadonlyMap<string, JsonSchema>): ReadonlyMap<string, JsonSchema> {
  const close = (schema: JsonSchema): JsonSchema => ({
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, close(each)])),
      additionalProperties: false,
    }),
    ...(schema.items && { items: close(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(close) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(close) }),
  });
  return new Map([...resources].map(([name, schema]) => [name, close(schema)]));
}

/** Translation through a run that may contain a change that looks inside others, as a plan would do it. */
function downThrough(translator: Translator, run: Run, ref: string): (body: unknown) => unknown {
  const { catalogue } = translator;
  const parts = translator.runs(run, ref).map((part) => compile(catalogue, part, ref, 'down'));
  const contexts = { 'page-by-cursor': { offset: 0, limit: 20 } };
  // Pages that the older version gets were asked for with their total.
  const asked = (body: unknown): unknown =>
    parseRef(ref).variant === 'page' ? { ...(body as JsonObject), total: 7 } : body;
  return (body) => parts.reduceRight((value, translate) => translate(value, contexts), asked(body));
}

/** Writable leaves of the newer resource that the older version cannot see. */
function hiddenPaths(
  translator: Translator,
  run: Run,
  resource: string,
  schema: JsonSchema,
): readonly (readonly string[])[] {
  const places = placesOf(fuse(translator.catalogue, run, editedResource(resource)).down);
  const hidden: (readonly string[])[] = [];
  const visit = (each: JsonSchema, path: readonly string[]): void => {
    for (const [name, member] of Object.entries(each.properties ?? {})) {
      const inner = [...path, name];
      if (isInlineObject(member)) visit(member, inner);
      else if (!places.has(inner.join('.')) && nodeAt(identityTree(schema), inner)) hidden.push(inner);
    }
  };
  visit(schema, []);
  return hidden;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as JsonObject | null | undefined)?.[name], value);
}

function bodiesOf(operations: readonly Operation[]): readonly string[] {
  return [...new Set(operations.flatMap(({ body }) => (body ? [body.ref] : [])))];
}

function answersOf(operations: readonly Operation[]): readonly string[] {
  return [
    'ErrorBody',
    ...new Set(operations.flatMap(({ response }) => (response.ref === undefined ? [] : [response.ref]))),
  ];
}
