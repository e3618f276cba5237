import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import type { JsonObject } from '@perennial/schemas/json-schema.ts';
import { parseRef, resolveRef } from '@perennial/schemas/variants.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import { reachable } from '@perennial/translators/engine/step.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import fc from 'fast-check';
import { historyWithPreview, release20240401 } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';
import { valuesOf } from '../../support/arbitrary.ts';
import { overTheWire } from '../../support/stored.ts';
import { Injected, type Target, targetsOf, translatorWithFault, versionBefore } from './injection.ts';

const SAMPLES = 30;

const catalogues = {
  'the shipped releases': { head, history, releases },
  'the releases with one in preview': {
    head: headOf20240401,
    history: historyWithPreview,
    releases: [...releases, release20240401],
  },
} as const;

for (const [name, { head: contract, history: dates, releases: all }] of Object.entries(catalogues))
  describe(`a converter that throws, in ${name},`, () => {
    for (const target of targetsOf(all)) {
      const { edit, resource } = target;
      const title = `${target.name} in ${resource}, edit ${target.index}`;
      // What computes nothing is never run: a member that is only new has nothing to show to older versions.
      if (edit.older.length > 0)
        it(`downward is named, and no answer comes out half translated: ${title}`, () => {
          const translator = translatorWithFault(contract, dates, all, target, 'down');
          const plans = plansThatMeet(translator, target, (plan) => plan.head.response.ref);
          expect(plans.length).toBeGreaterThan(0);
          for (const plan of plans) {
            const ref = plan.head.response.ref as string;
            const bodies = samplesOf(translator, ref);
            expectFailures(
              target,
              bodies,
              (body) => plan.response(body, { 'page-by-cursor': { offset: 0, limit: 20 } }),
              (result) => {
                expect(translator.validator(plan.release).body(plan.operation.response.ref as string, result)).toEqual(
                  [],
                );
              },
            );
          }
        });

      const writers = (translator: Translator): readonly Plan[] =>
        plansThatMeet(translator, target, (plan) => plan.head.body?.ref);
      if (edit.up && edit.newer.length > 0)
        it(`upward is named, and no body for core comes out half translated: ${title}`, () => {
          const translator = translatorWithFault(contract, dates, all, target, 'up');
          const plans = writers(translator);
          // Errors are never written.
          if (resource === 'ErrorBody') expect(plans).toEqual([]);
          else expect(plans.length).toBeGreaterThan(0);
          for (const plan of plans) {
            const { body } = plan.operation;
            const { update } = plan.head;
            const bodies = samplesOf(translator, body?.ref as string, plan.release);
            const core = translator.validator(translator.headRelease);
            const headBody = update
              ? `${parseRef(plan.head.body?.ref as string).resource}.patch`
              : (plan.head.body?.ref as string);
            const stored = update && (samplesOf(translator, parseRef(headBody).resource)[0] as JsonObject);
            expectFailures(
              target,
              bodies,
              (each) => (update ? plan.update(each as JsonObject, update.mode, stored) : plan.body(each)),
              (result) => {
                if (Object.keys(result as object).length > 0) expect(core.body(headBody, result)).toEqual([]);
              },
              // A member that is only new is not part of an update: that converter has nothing to do there.
              update === undefined || edit.older.length > 0,
            );
          }
        });
    }
  });

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
    const translator = translatorWithFault(head, history, broken, targetsOf(broken)[0] as Target, 'up');
    expect(() => translator.plan('2022-11-15', 'patients.list')?.query({})).toThrow(
      expect.objectContaining({ name: 'TranslationFailed', change: '2023-04-30/page-by-cursor' }),
    );
    expect(translator.plan('2023-04-30', 'patients.list')?.query({}).query).toEqual({});
  });
});

describe('a converter that is only passed by', () => {
  it('does not disturb versions that have the change already', () => {
    for (const target of targetsOf(releases)) {
      const translator = translatorWithFault(head, history, releases, target, 'down');
      for (const { id } of translator.contract(target.release).operations) {
        const plan = translator.plan(target.release, id) as Plan;
        const { ref } = plan.head.response;
        if (ref === undefined) continue;
        const [body] = samplesOf(translator, ref);
        expect(() => plan.response(body, { 'page-by-cursor': { offset: 0, limit: 20 } })).not.toThrow();
      }
    }
  });
});

/** Plans of the version before the change, whose answer or body leads to the resource. */
function plansThatMeet(
  translator: Translator,
  target: Target,
  refOf: (plan: Plan) => string | undefined,
): readonly Plan[] {
  const version = versionBefore(translator, target.release);
  const contract = translator.contract(translator.headRelease);
  const { operations } = translator.contract(version);
  const errors = target.resource === 'ErrorBody' ? ['ErrorBody'] : [];
  return operations.flatMap(({ id }) => {
    const plan = translator.plan(version, id) as Plan;
    const ref = refOf(plan);
    return ref !== undefined &&
      [...reachable(contract, ref), ...errors].includes(target.resource) &&
      errors.length === 0
      ? [plan]
      : [];
  });
}

function samplesOf(translator: Translator, ref: string, release: string = translator.headRelease): readonly unknown[] {
  const { resources } = translator.contract(release);
  return fc
    .sample(valuesOf(resources, resolveRef(resources, ref)), { numRuns: SAMPLES, seed: 20_231_015 })
    .map((body) => overTheWire(parseRef(ref).variant === 'page' ? { ...(body as object), total: 3 } : body));
}

/** Each body fails by the change's name, or comes out whole because the converter had nothing to do in it. */
function expectFailures(
  target: Target,
  bodies: readonly unknown[],
  translate: (body: unknown) => unknown,
  isWhole: (result: unknown) => void,
  mustFail = true,
): void {
  let failures = 0;
  for (const body of bodies) {
    const before = JSON.stringify(body);
    let result: unknown;
    try {
      result = overTheWire(translate(body));
    } catch (error) {
      expect(error).toBeInstanceOf(TranslationFailed);
      const failure = error as TranslationFailed;
      expect(failure.change).toBe(target.name);
      expect(failure.cause).toBeInstanceOf(Injected);
      // The message is what is logged: nothing of what the converter said may be in it.
      expect(failure.message).not.toContain('Amara');
      failures += 1;
      continue;
    } finally {
      expect(JSON.stringify(body)).toBe(before);
    }
    isWhole(result);
  }
  if (mustFail) expect(failures).toBeGreaterThan(0);
  else expect(failures).toBe(0);
}
