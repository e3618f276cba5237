import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import { reachable } from '@perennial/translators/engine/step.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import fc from 'fast-check';
import { valuesOf } from '../../support/arbitrary.ts';
import { overTheWire } from '../../support/stored.ts';

/*
 * Records of images are kept from every version before v2023-10-15: core is asked for none, and none could be shown.
 */
const translator = createTranslator(head, history, releases);
const older = translator.catalogue.releases.map(({ id }) => id).filter((id) => id < '2023-10-15');
const takes = ({ head: { parameters } }: Plan): boolean => parameters.some(({ name }) => name === 'include_imaging');

describe.each(older)('v%s', (version) => {
  const plans = translator.contract(version).operations.map(({ id }) => translator.plan(version, id) as Plan);

  it('asks for no records of images wherever core can be asked so, and knows nothing of it', () => {
    const asked = plans.filter(takes);
    expect(asked.length).toBeGreaterThan(0);
    for (const plan of asked) {
      expect([plan.head.id, plan.query({}).query['include_imaging']]).toEqual([plan.head.id, false]);
      expect(plan.operation.parameters.map(({ name }) => name)).not.toContain('include_imaging');
    }
  });

  it('can ask so wherever a record could be answered that it did not make itself', () => {
    const answering = plans.filter(({ head: { response } }) => {
      const refs = [response.ref, ...Object.values(response.events ?? {})].filter((ref) => ref !== undefined);
      return refs.some((ref) => reachable(head, ref).has('DiagnosticRecord'));
    });
    expect(answering.length).toBeGreaterThan(0);
    expect(answering.filter((plan) => !takes(plan)).map(({ head: { id } }) => id)).toEqual(['diagnostics.create']);
  });

  it('is shown none, should one come all the same', () => {
    const plan = translator.plan(version, 'diagnostics.get') as Plan;
    const [body] = fc.sample(valuesOf(head.resources, { $ref: 'DiagnosticRecord' }), { numRuns: 1, seed: 1 });
    const image = { ...(overTheWire(body) as object), kind: 'imaging' };
    expect(() => plan.response(image, undefined)).toThrow(TranslationFailed);
  });
});
