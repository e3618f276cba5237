import { describe, expect, test } from '@jest/globals';
import { createCatalogue } from '@perennial/translators/engine/catalogue.ts';
import { compile } from '@perennial/translators/engine/compile.ts';
import { narrowed, touches } from '@perennial/translators/engine/run.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { baseHead, baseHistory, baseReleases, baseTranslator } from '../../fixtures/base.ts';

const catalogue = createCatalogue(baseHead, baseHistory, baseReleases);
const whole = { older: 0, newer: catalogue.steps.length };

describe('what is compiled', () => {
  test('is one function for all versions between which nothing of the resource changed', () => {
    const part = narrowed(catalogue, whole, 'Patient');
    expect(touches(catalogue, { older: part.older, newer: part.older + 1 }, 'Patient')).toBe(true);
    expect(touches(catalogue, { older: part.newer - 1, newer: part.newer }, 'Patient')).toBe(true);
    // The changes before and after it are of other resources.
    expect(part.newer - part.older).toBeLessThan(whole.newer);
    for (let older = 0; older <= part.older; older++)
      expect(compile(catalogue, { older, newer: whole.newer }, 'Patient', 'down')).toBe(
        compile(catalogue, whole, 'Patient', 'down'),
      );
    expect(compile(catalogue, { older: part.older + 1, newer: whole.newer }, 'Patient', 'down')).not.toBe(
      compile(catalogue, whole, 'Patient', 'down'),
    );
  });

  test('says the same whether it was made at once or when it was asked for', () => {
    const asked = createTranslator(baseHead, baseHistory, baseReleases, { compile: 'asked' });
    const patient = { id: 'pat_1', name: 'A', dob: '1990-01-01', sex: 'female', contact_info: { phone: '1' } };
    for (const { id } of baseHistory.releases) {
      expect(asked.contract(id)).toEqual(baseTranslator().contract(id));
      for (const { id: operation } of asked.contract(id).operations.slice(0, 10)) {
        const [lazy, eager] = [asked.plan(id, operation), baseTranslator().plan(id, operation)];
        expect([lazy?.changes, lazy?.representation]).toEqual([eager?.changes, eager?.representation]);
        expect(asked.plan(id, operation)).toBe(lazy);
      }
      const read = (translator: typeof asked): unknown =>
        translator.plan(id, 'patients.get')?.response(patient, undefined);
      expect(read(asked)).toEqual(read(baseTranslator()));
    }
    expect(asked.plan('2022-11-15', 'no.such')).toBeUndefined();
  });
});
