import { describe, expect, test } from '@jest/globals';
import { everything, visibilityOf } from '@perennial/core/visibility.ts';
import { head } from '@perennial/schemas/contract.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import { eachRef } from '@perennial/schemas/platform/json-schema.ts';
import { resolveRef } from '@perennial/schemas/variants.ts';

/** What older versions have, and what may be or tell of a record of an image. */
const telling = ['DiagnosticRecord', 'Event', 'Job'];
const views = (operation: Operation): readonly string[] =>
  operation.parameters.filter(({ isView }) => isView).map(({ name }) => name);

describe('what an older version cannot show', () => {
  test('is left out by every operation of the contract that could answer it, but those that older versions do not have', () => {
    const couldTell = head.operations.filter(({ category, response: { ref } }) => {
      return category !== 'imaging' && ref !== undefined && [...reached(ref)].some((name) => telling.includes(name));
    });
    expect(couldTell.length).toBeGreaterThan(10);
    expect(couldTell.filter((operation) => views(operation).length === 0).map(({ id }) => id)).toEqual(createsOnly);
  });

  test('is worked out from the parameters that the contract marks, and from no others', () => {
    const list = head.operations.find(({ id }) => id === 'diagnostics.list') as Operation;
    const patients = head.operations.find(({ id }) => id === 'patients.list') as Operation;
    expect(visibilityOf(list, {})).toBe(everything);
    expect(visibilityOf(list, { include_imaging: true })).toBe(everything);
    expect(visibilityOf(list, { include_imaging: false })).toEqual({ imaging: false });
    expect(visibilityOf(patients, { include_imaging: false })).toBe(everything);
  });
});

/** What they answer, the caller has just made: a record of an analysis of a patient, or a job about patients. */
const createsOnly: readonly string[] = ['diagnostics.create', 'patients.bulk'];

function reached(ref: string): ReadonlySet<string> {
  const seen = new Set([ref]);
  for (const each of seen) eachRef(resolveRef(head.resources, each), (next) => seen.add(next));
  return seen;
}
