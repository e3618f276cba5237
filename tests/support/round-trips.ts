import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Operation } from '@perennial/schemas/operation.ts';
import { isObject, type JsonObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import { parseRef, resolveRef } from '@perennial/schemas/variants.ts';
import type { Catalogue } from '@perennial/translators/engine/catalogue.ts';
import { compile } from '@perennial/translators/engine/compile.ts';
import { inputsOf } from '@perennial/translators/engine/expression.ts';
import { updatesOf } from '@perennial/translators/engine/plan.ts';
import { fuse, type Run, touches } from '@perennial/translators/engine/run.ts';
import type { Step } from '@perennial/translators/engine/step.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { nodeAt } from '@perennial/translators/engine/tree.ts';
import fc from 'fast-check';
import { answerable } from './answerable.ts';
import { propertyRuns, valuesOf } from './arbitrary.ts';
import { patched } from './merge-patch.ts';
import { withoutOutside } from './outside-world.ts';
import { meaning, overTheWire, printed, writableOf } from './stored.ts';

/**
 * The properties that every change and every chain of changes must have, generated from the contracts: nobody writes
 * them for a new release. Runs are one change at a time, and every version's whole chain. The bodies of a run are dealt
 * out over its resources.
 * @param isAsked the changes to try by themselves, where others have been tried elsewhere; chains are all tried.
 */
export function describeRoundTrips(translator: Translator, isAsked: (step: Step) => boolean = () => true): void {
  for (const [of, checks] of Map.groupBy(roundTripsOf(translator, isAsked), (each) => each.of))
    describe(of, () => {
      for (const { title, check } of checks) it(title, check);
    });
}

/** One property of a run. */
export interface RoundTrip {
  readonly of: string;
  readonly title: string;
  /** @throws with the body that does not have the property. */
  readonly check: () => void;
}

/**
 * The same properties, for whoever wants to see one fail.
 * @param bodies how many bodies each run is tried with, dealt out over its resources.
 */
export function roundTripsOf(
  translator: Translator,
  isAsked: (step: Step) => boolean = () => true,
  bodies: number = propertyRuns,
): RoundTrip[] {
  const found: RoundTrip[] = [];
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
    const numRuns = Math.max(Math.ceil(bodies / count), Math.min(bodies, RUNS_LEAST));

    const property = (title: string, check: () => void): void => void found.push({ of: name, title, check });
    for (const ref of answered)
      property(`gives every answer ${ref} the shape its older contract promises`, () => {
        const schema = resolveRef(kept, ref);
        const down = downThrough(translator, run, ref);
        fc.assert(
          fc.property(valuesOf(kept, schema), (body) => {
            const answer = overTheWire(body);
            const before = JSON.stringify(answer);
            const made = withoutOutside(() => down(answer));
            const result = overTheWire(made);
            expect(olderValidator.body(ref, result)).toEqual([]);
            // Nothing is kept from one body to the next.
            expect(withoutOutside(() => down(answer))).toEqual(made);
            // Inputs are not mutated.
            expect(JSON.stringify(answer)).toBe(before);
          }),
          { numRuns },
        );
      });

    for (const ref of written)
      property(`makes of every older ${ref} a body that the newer contract accepts`, () => {
        const { resource, variant } = parseRef(ref);
        if (variant === 'patch' || variant === 'replace') {
          const update = updatesOf(catalogue, translator.runs(run, ref), ref);
          const stored = valuesOf(kept, resolveRef(kept, resource));
          fc.assert(
            fc.property(valuesOf(older.resources, resolveRef(older.resources, ref)), stored, (body, prior) => {
              const patch = update(overTheWire(body) as JsonObject, variant, overTheWire(prior) as JsonObject);
              if (patch === 'needs-prior' || Object.keys(patch).length === 0) return;
              expect(newerValidator.body(`${resource}.patch`, overTheWire(patch))).toEqual([]);
            }),
            { numRuns },
          );
          return;
        }
        const up = upThrough(translator, run, ref);
        fc.assert(
          fc.property(valuesOf(older.resources, resolveRef(older.resources, ref)), (body) => {
            const sent = overTheWire(body);
            const made = withoutOutside(() => up(sent));
            expect(newerValidator.body(ref, overTheWire(made))).toEqual([]);
            expect(withoutOutside(() => up(sent))).toEqual(made);
          }),
          { numRuns },
        );
      });

    const { resources } = older;
    const creatable = written.filter((ref) => parseRef(ref).variant === 'create').map((ref) => parseRef(ref).resource);
    for (const resource of creatable)
      property(`gives a ${resource} that is created in the older version back as it was written`, () => {
        const up = upThrough(translator, run, `${resource}.create`);
        const down = downThrough(translator, run, resource);
        const olderSchema = resolveRef(older.resources, resource);
        const newerSchema = resolveRef(newer.resources, resource);
        const filled = filledIn(catalogue, run, resource);
        fc.assert(
          fc.property(valuesOf(older.resources, resolveRef(older.resources, `${resource}.create`)), (body) => {
            const sent = overTheWire(body) as JsonObject;
            const stored = printed(newerSchema, overTheWire(up(sent)) as JsonObject, {}, newer.resources);
            const read = overTheWire(down(stored)) as JsonObject;
            // What leaving a member out means is answered in its place.
            for (const path of filled) if (at(sent, path) == null) remove(read, path);
            // What the newer version takes no more was made one that it takes.
            for (const { path, keeps } of fittedIn(catalogue, run, resource))
              if (!keeps(at(sent, path))) for (const each of [sent, read]) remove(each, path);
            expect(meaning(writableOf(olderSchema, read, resources))).toEqual(
              meaning(writableOf(olderSchema, sent, resources)),
            );
          }),
          { numRuns },
        );
      });

    const updatable = written.filter((ref) => ['patch', 'replace'].includes(parseRef(ref).variant ?? ''));
    for (const ref of updatable)
      for (const pair of writtenPairs(catalogue, run, ref)) {
        const { resource, variant } = parseRef(ref);
        const mode = variant as 'patch' | 'replace';
        const olderSchema = resolveRef(older.resources, pair.older);
        const newerSchema = resolveRef(newer.resources, pair.newer);
        const stores = valuesOf(kept, resolveRef(kept, pair.newer)).map((before) => {
          const body = overTheWire(before) as JsonObject;
          return printed(newerSchema, body, body);
        });
        const filled = filledIn(catalogue, run, pair.newer);
        const fitted = fittedIn(catalogue, run, pair.newer);
        const readDown = (): ((stored: JsonObject) => JsonObject) => {
          const down = downThrough(translator, run, resource);
          return (stored) => overTheWire(down(stored)) as JsonObject;
        };
        /** What is stored after a write, by a merge patch that is not the engine's own. */
        const writer = (): ((sent: JsonObject, stored: JsonObject) => JsonObject) => {
          const update = updatesOf(catalogue, translator.runs(run, ref), ref);
          return (sent, stored) => {
            let patch = update(sent, mode, undefined);
            if (patch === 'needs-prior') patch = update(sent, mode, stored);
            if (patch === 'needs-prior') throw new Error('the update asks again for what it was given');
            return printed(newerSchema, patched(stored, overTheWire(patch)) as JsonObject, stored);
          };
        };
        const name = pair.newer === resource ? ref : `${ref} of ${pair.newer}`;

        property(`writes by ${name} exactly what the older version sees, and keeps the rest`, () => {
          const write = writer();
          const read = readDown();
          fc.assert(
            fc.property(valuesOf(older.resources, resolveRef(older.resources, pair.body)), stores, (body, stored) => {
              // Whoever writes to a union says to which of its members.
              const sent = { ...(overTheWire(body) as JsonObject), ...pair.tag };
              const after = write(sent, stored);
              const seen = read(stored);
              const wanted = structuredClone(mode === 'replace' ? sent : (patched(seen, sent) as JsonObject));
              const answered = read(after);
              for (const path of filled) {
                const value = at(sent, path);
                if (value === null || (value === undefined && mode === 'replace')) remove(answered, path);
              }
              for (const { path, keeps } of fitted)
                if (!keeps(at(wanted, path))) for (const each of [answered, wanted]) remove(each, path);
              expect(meaning(writableOf(olderSchema, answered))).toEqual(meaning(writableOf(olderSchema, wanted)));
              // Nothing else changed: whatever did, the older version can tell.
              for (const path of differing(stored, after))
                expect({ path, isSeen: isSeen(read, after, path, at(stored, path)) }).toEqual({ path, isSeen: true });
            }),
            { numRuns },
          );
        });

        property(`changes nothing by ${name} when what was read is written back`, () => {
          const write = writer();
          const read = readDown();
          fc.assert(
            fc.property(stores, (stored) => {
              const after = write(writableOf(olderSchema, read(stored)), stored);
              expect(meaning(after)).toEqual(meaning(stored));
            }),
            { numRuns: Math.ceil(numRuns / 2) },
          );
        });
      }
  }
  return found;
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

/** Translation through a run that may contain changes of values, or of what is inside others, as a plan does it. */
function upThrough(translator: Translator, run: Run, ref: string): (body: unknown) => unknown {
  const { catalogue } = translator;
  const parts = translator.runs(run, ref).map((part) => compile(catalogue, part, ref, 'up'));
  return (body) => parts.reduce((value, translate) => translate(value), body);
}

/** The same for what is answered. */
function downThrough(translator: Translator, run: Run, ref: string): (body: unknown) => unknown {
  const { catalogue } = translator;
  const parts = translator.runs(run, ref).map((part) => compile(catalogue, part, ref, 'down'));
  const contexts = { 'page-by-cursor': { offset: 0, limit: 20 } };
  // Pages that the older version gets were asked for with their total.
  const asked = (body: unknown): unknown =>
    parseRef(ref).variant === 'page' ? { ...(body as JsonObject), total: 7 } : body;
  return (body) => parts.reduceRight((value, translate) => translate(value, contexts), asked(body));
}

/** What an older client writes by a reference: the resource itself, or each member of a union. */
function writtenPairs(
  catalogue: Catalogue,
  run: Run,
  ref: string,
): readonly { readonly older: string; readonly newer: string; readonly body: string; readonly tag: JsonObject }[] {
  const { resource, variant } = parseRef(ref);
  const [before, after] = [run.older, run.newer].map(
    (level) => catalogue.contracts[level]?.resources.get(resource)?.discriminator,
  );
  if (!after?.mapping) return [{ older: resource, newer: resource, body: ref, tag: {} }];
  return Object.entries(after.mapping).flatMap(([word, newer]) => {
    const older = before?.mapping?.[word];
    const body = `${older}.${variant === 'patch' ? 'patch' : 'create'}`;
    return older === undefined ? [] : [{ older, newer, body, tag: { [after.propertyName]: word } }];
  });
}

/** Members that are given a value where an older client leaves them out, by their older paths. */
function filledIn(catalogue: Catalogue, run: Run, resource: string): readonly (readonly string[])[] {
  const edits = catalogue.steps.slice(run.older, run.newer).flatMap(({ edits: each }) => each.get(resource) ?? []);
  const { up } = fuse(catalogue, run, resource);
  return edits.flatMap((edit) => {
    const node = edit.kind === 'fill' ? nodeAt(up, edit.path) : undefined;
    return node?.kind === 'leaf' ? inputsOf(node.from) : [];
  });
}

/** Members of which not every older value can be kept, by their older paths. */
function fittedIn(
  catalogue: Catalogue,
  run: Run,
  resource: string,
): readonly { readonly path: readonly string[]; readonly keeps: (value: unknown) => boolean }[] {
  const edits = catalogue.steps.slice(run.older, run.newer).flatMap(({ edits: each }) => each.get(resource) ?? []);
  const { up } = fuse(catalogue, run, resource);
  return edits.flatMap((edit) => {
    const keeps = edit.kind === 'relate' ? edit.keeps : undefined;
    const node = keeps && edit.kind === 'relate' ? nodeAt(up, edit.newer[0] as readonly string[]) : undefined;
    return keeps && node?.kind === 'leaf' ? inputsOf(node.from).map((path) => ({ path, keeps })) : [];
  });
}

/** Places where two stored objects differ, down to what is no object of its own. */
function differing(before: unknown, after: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (isObject(before) && isObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      differing(before[name], after[name], [...path, name]),
    );
  return isDeepStrictEqual(meaning(before), meaning(after)) ? [] : [path];
}

/** Whether an older client could tell if a place had kept what was stored there. */
function isSeen(
  read: (stored: JsonObject) => JsonObject,
  after: JsonObject,
  path: readonly string[],
  value: unknown,
): boolean {
  const other = structuredClone(after);
  const parent = at(other, path.slice(0, -1));
  const name = path.at(-1) as string;
  if (!isObject(parent)) return true;
  if (value === undefined) delete parent[name];
  else parent[name] = value;
  try {
    return !isDeepStrictEqual(meaning(read(other)), meaning(read(after)));
  } catch {
    // Nothing that the older version has.
    return true;
  }
}

function remove(body: JsonObject, path: readonly string[]): void {
  const parent = at(body, path.slice(0, -1));
  if (isObject(parent)) delete parent[path.at(-1) as string];
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
