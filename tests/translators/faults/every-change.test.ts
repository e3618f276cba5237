import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import type { JsonObject, JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { parseRef, resolveRef } from '@perennial/schemas/variants.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import { reachable } from '@perennial/translators/engine/step.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import fc from 'fast-check';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';
import { answerable } from '../../support/answerable.ts';
import { valuesOf } from '../../support/arbitrary.ts';
import { leadingTo } from '../../support/leading.ts';
import { overTheWire } from '../../support/stored.ts';
import { faultyTranslator, Injected, type Target, targetsOf, versionBefore } from './injection.ts';

/** Bodies of each reference in which the fault is met for certain, and bodies that may do without. */
const BODIES = { holding: 4, any: 4 };

const catalogues = {
  'the shipped releases': { head, history, releases },
  'the releases with one in preview': {
    head: headOf20240401,
    history: historyWithPreview,
    releases: releasesWithPreview,
  },
} as const;

for (const [name, { head: contract, history: dates, releases: all }] of Object.entries(catalogues)) {
  const { translator, inject } = faultyTranslator(contract, dates, all);
  const bodies = bodiesOf(translator);
  const headRelease = translator.headRelease;

  describe(`a converter that throws, in ${name},`, () => {
    for (const target of targetsOf(all)) {
      const { edit, resource } = target;
      const title = `${target.name} in ${resource}, edit ${target.index}`;
      // What computes nothing is never run: a member that is only new has nothing to show to older versions.
      if (edit.older.length > 0)
        it(`downward is named, and no answer comes out half translated: ${title}`, () => {
          inject(target, 'down');
          const places = placesThatMeet(translator, target, (plan) => plan.head.response.ref);
          expect(places.length).toBeGreaterThan(0);
          for (const { plan, ref, isFirst } of places) {
            const translate = (body: unknown): unknown =>
              plan.response(body, { 'page-by-cursor': { offset: 0, limit: 20 } });
            const isWhole = (result: unknown): void => {
              const { response } = plan.operation;
              expect(translator.validator(plan.release).body(response.ref as string, result)).toEqual([]);
            };
            for (const body of bodies.holding(headRelease, ref, resource).slice(0, isFirst ? undefined : 1))
              expectFailure(target, body, translate);
            if (isFirst)
              for (const body of bodies.any(headRelease, ref)) expectNothingHalf(target, body, translate, isWhole);
          }
        });

      if (edit.up && edit.newer.length > 0)
        it(`upward is named, and no body for core comes out half translated: ${title}`, () => {
          inject(target, 'up');
          const places = placesThatMeet(translator, target, (plan) => plan.head.body?.ref);
          // Errors are never written.
          if (resource === 'ErrorBody') expect(places).toEqual([]);
          else expect(places.length).toBeGreaterThan(0);
          for (const { plan, ref, isFirst } of places) {
            const { update } = plan.head;
            const olderRef = plan.operation.body?.ref as string;
            const headBody = update ? `${parseRef(ref).resource}.patch` : ref;
            const stored = update && (bodies.any(headRelease, parseRef(ref).resource)[0] as JsonObject);
            const translate = (body: unknown): unknown =>
              update ? plan.update(body as JsonObject, update.mode, stored) : plan.body(body);
            const isWhole = (result: unknown): void => {
              if (Object.keys(result as object).length > 0)
                expect(translator.validator(headRelease).body(headBody, result)).toEqual([]);
            };
            // A member that is only new is not part of an update, and one that nobody writes of no body at all: that
            // converter has nothing to do there.
            for (const body of bodies.holding(plan.release, olderRef, resource).slice(0, isFirst ? undefined : 1))
              if (edit.older.length === 0 && (update || isReadOnly(translator, target)))
                isWhole(overTheWire(translate(body)));
              else expectFailure(target, body, translate);
            if (isFirst)
              for (const body of bodies.any(plan.release, olderRef))
                expectNothingHalf(target, body, translate, isWhole);
          }
        });
    }
  });
}

describe('a rewriting of a query that throws', () => {
  it('is named like any other', () => {
    const broken = releases.map((release) => ({
      ...release,
      changes: release.changes.map((change) => ({
        ...change,
        operations: (change.operations ?? []).map((edit) =>
          edit.kind === 'query'
            ? {
                ...edit,
                up: () => {
                  throw new Injected();
                },
              }
            : edit,
        ),
      })),
    }));
    const translator = createTranslator(head, history, broken);
    expect(() => translator.plan('2022-11-15', 'patients.list')?.query({})).toThrow(
      expect.objectContaining({ name: 'TranslationFailed', change: '2023-04-30/page-by-cursor' }),
    );
    expect(translator.plan('2023-04-30', 'patients.list')?.query({}).query).toEqual({});
  });
});

describe('a converter that is only passed by', () => {
  it('does not disturb versions that have the change already', () => {
    const { translator, inject } = faultyTranslator(head, history, releases);
    const bodies = bodiesOf(translator);
    for (const target of targetsOf(releases)) {
      inject(target, 'down');
      for (const { id } of translator.contract(target.release).operations) {
        const plan = translator.plan(target.release, id) as Plan;
        const { ref } = plan.head.response;
        if (ref === undefined) continue;
        const [body] = bodies.any(translator.headRelease, ref);
        expect(() => plan.response(body, { 'page-by-cursor': { offset: 0, limit: 20 } })).not.toThrow();
      }
    }
  });
});

/** Whether only the service writes what the change made. */
function isReadOnly({ catalogue }: Translator, { name, resource, edit }: Target): boolean {
  const level = catalogue.steps.findIndex((step) => step.name === name) + 1;
  const schema = catalogue.contracts[level]?.resources.get(resource);
  return edit.newer.every(([member]) => schema?.properties?.[member as string]?.readOnly === true);
}

/** An operation whose bodies lead to the faulty change. */
interface MeetingPlace {
  readonly plan: Plan;
  /** What is translated, as head knows it. */
  readonly ref: string;
  /** Whether no operation before it has the same body: it is tried with many bodies, the others with one. */
  readonly isFirst: boolean;
}

/** Every operation of the version before the change, whose answer or body leads to the resource. */
function placesThatMeet(
  translator: Translator,
  target: Target,
  refOf: (plan: Plan) => string | undefined,
): readonly MeetingPlace[] {
  const version = versionBefore(translator, target.release);
  const contract = translator.contract(translator.headRelease);
  const seen = new Set<string>();
  return translator.contract(version).operations.flatMap(({ id }) => {
    const plan = translator.plan(version, id) as Plan;
    const ref = refOf(plan);
    if (ref === undefined || !reachable(contract, ref).has(target.resource)) return [];
    const place = { plan, ref, isFirst: !seen.has(ref) };
    seen.add(ref);
    return [place];
  });
}

/** Bodies of a translator's versions; the same for the same question, and made once. */
function bodiesOf(translator: Translator): {
  holding(release: string, ref: string, resource: string): readonly unknown[];
  any(release: string, ref: string): readonly unknown[];
} {
  const made = new Map<string, readonly unknown[]>();
  const { catalogue, headRelease } = translator;
  // At head, those that every version has: the others are answered to none that would have to be translated.
  const kept = answerable(catalogue, { older: 0, newer: catalogue.steps.length });
  const resourcesOf = (release: string): typeof kept =>
    release === headRelease ? kept : translator.contract(release).resources;
  const sample = (key: string, release: string, ref: string, numRuns: number, schema: () => JsonSchema) => {
    const known = made.get(key);
    if (known) return known;
    const bodies = fc
      .sample(valuesOf(resourcesOf(release), schema()), { numRuns, seed: 20_231_015 })
      .map((body) => overTheWire(parseRef(ref).variant === 'page' ? { ...(body as object), total: 3 } : body));
    made.set(key, bodies);
    return bodies;
  };
  return {
    holding: (release, ref, resource) =>
      sample([release, ref, resource].join(' '), release, ref, BODIES.holding, () => {
        const schema = leadingTo(resourcesOf(release), ref, resource);
        if (!schema) throw new Error(`${ref} does not lead to ${resource} at ${release}`);
        return schema;
      }),
    any: (release, ref) =>
      sample([release, ref].join(' '), release, ref, BODIES.any, () => resolveRef(resourcesOf(release), ref)),
  };
}

/** A body that holds what the converter converts fails by the change's name. */
function expectFailure(target: Target, body: unknown, translate: (body: unknown) => unknown): void {
  expect(resultOf(target, body, translate)).toBe('failed');
}

/** Any body fails by the change's name, or comes out whole because the converter had nothing to do in it. */
function expectNothingHalf(
  target: Target,
  body: unknown,
  translate: (body: unknown) => unknown,
  isWhole: (result: unknown) => void,
): void {
  const result = resultOf(target, body, translate);
  if (result !== 'failed') isWhole(result);
}

/** What the translation gives. Where it fails, it must say of whose change, and nothing of what was in the body. */
function resultOf(target: Target, body: unknown, translate: (body: unknown) => unknown): unknown {
  const before = JSON.stringify(body);
  try {
    return overTheWire(translate(body));
  } catch (error) {
    expect(error).toBeInstanceOf(TranslationFailed);
    const failure = error as TranslationFailed;
    expect(failure.change).toBe(target.name);
    expect(failure.cause).toBeInstanceOf(Injected);
    // The message is what is logged: nothing of what the converter said may be in it.
    expect(failure.message).not.toContain('Amara');
    return 'failed';
  } finally {
    expect(JSON.stringify(body)).toBe(before);
  }
}
