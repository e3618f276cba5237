import { describe, expect, test } from '@jest/globals';
import { patientMeets } from '../../../core/medications/patient.ts';
import { check, knowledge } from './knowledge.ts';

const warned = (name: string, patient: Parameters<typeof check>[1]): string[] =>
  check([name], patient).patient_warnings.map((w) => `${w.kind} ${w.severity}`);

describe('allergies', () => {
  test.each([
    ['penicillin', 'amoxicillin', 'allergy contraindicated'],
    ['Allergic to Penicillin', 'Augmentin', 'allergy contraindicated'],
    ['amoxicillin', 'cephalexin', 'allergy major'],
    ['penicillin', 'ceftriaxone', 'allergy moderate'],
    ['penicillin', 'cefazolin', 'allergy minor'],
    ['sulfa drugs', 'Bactrim', 'allergy contraindicated'],
    ['sulfa', 'furosemide', 'allergy minor'],
    ['aspirin', 'ibuprofen', 'allergy contraindicated'],
    ['aspirin', 'celecoxib', 'allergy moderate'],
    ['lisinopril', 'ramipril', 'allergy contraindicated'],
    ['phenytoin', 'carbamazepine', 'allergy contraindicated'],
    ['codeine', 'morphine', 'allergy moderate'],
    ['Zithromax', 'azithromycin', 'allergy contraindicated'],
  ])('allergy to %s and %s: %s', (text, name, expected) => {
    expect(warned(name, { allergies: [{ text }] })).toEqual([expected]);
  });

  test('no allergy, no warning', () => {
    expect(warned('amoxicillin', { allergies: [] })).toEqual([]);
    expect(warned('azithromycin', { allergies: [{ text: 'penicillin' }] })).toEqual([]);
  });

  test('an allergy that is not understood is listed, not passed over', () => {
    const result = check(['amoxicillin'], { allergies: [{ text: 'purple pills' }] });
    expect(result.unresolved).toEqual([expect.objectContaining({ kind: 'allergy', text: 'purple pills' })]);
  });

  test('an allergy by code is understood', () => {
    expect(warned('ibuprofen', { allergies: [{ text: '', code: { system: 'RxNorm', code: '5640' } }] })).toEqual([
      'allergy contraindicated',
    ]);
  });
});

describe('the patient', () => {
  test.each([
    ['propranolol', { conditions: [{ code: 'J45.909', display: 'Asthma' }] }, 'condition contraindicated'],
    ['metoclopramide', { conditions: [{ code: 'G20' }] }, 'condition contraindicated'],
    ['ibuprofen', { conditions: [{ code: 'I50.22' }] }, 'condition major'],
    ['bupropion', { conditions: [{ code: 'G40.909' }] }, 'condition contraindicated'],
    ['sumatriptan', { conditions: [{ code: 'I25.10' }] }, 'condition contraindicated'],
    ['primaquine', { conditions: [{ code: 'D55.0' }] }, 'condition contraindicated'],
    ['lisinopril', { pregnant: true }, 'pregnancy contraindicated'],
    ['isotretinoin', { pregnant: true }, 'pregnancy contraindicated'],
    ['codeine', { lactating: true }, 'lactation major'],
    ['codeine', { age: 8 }, 'age contraindicated'],
    ['doxycycline', { age: 5 }, 'age major'],
    ['diphenhydramine', { age: 80 }, 'age moderate'],
    ['metformin', { egfr: 25 }, 'kidney contraindicated'],
    ['metformin', { egfr: 40 }, 'kidney moderate'],
    ['nitrofurantoin', { egfr: 20 }, 'kidney contraindicated'],
    ['rivaroxaban', { childPugh: 'B' as const }, 'liver contraindicated'],
  ])('%s with %j: %s', (name, patient, expected) => {
    expect(warned(name, patient)).toContain(expected);
  });

  test('limits are met exactly as written: at the limit above, below it below', () => {
    expect(warned('metformin', { egfr: 30 })).toEqual(['kidney moderate']);
    expect(warned('metformin', { egfr: 45 })).toEqual([]);
    expect(warned('codeine', { age: 12 })).toEqual(['age major']);
    expect(warned('codeine', { age: 18 })).toEqual([]);
  });

  test('a fact that is not given is never taken for met, and is named as missing', () => {
    const result = check(['metformin', 'isotretinoin'], { age: 50 });
    expect(result.patient_warnings).toEqual([]);
    expect(result.patient_facts_missing).toEqual(expect.arrayContaining(['egfr', 'pregnant', 'allergies']));
    expect(check(['metformin']).patient_facts_missing).toEqual([]);
  });

  test('a condition code matches by prefix, with or without its dot, and never by accident', () => {
    expect(patientMeets({ conditions: ['I50'] }, { conditions: [{ code: 'i5022' }] })).toBe(true);
    expect(patientMeets({ conditions: ['I11.0'] }, { conditions: [{ code: 'I11' }] })).toBe(false);
    expect(patientMeets({ conditions: ['I50'] }, { conditions: [{ code: 'XI50' }] })).toBe(false);
  });

  test('every patient rule can be met and then warns', () => {
    for (const { rule, medication } of knowledge.patientRules) {
      const [index] = medication;
      const { when } = rule;
      const patient = {
        age: when.age_min ?? (when.age_below === undefined ? 40 : when.age_below - 1),
        sex: when.sex?.[0] ?? 'other',
        ...(when.pregnant ? { pregnant: true } : {}),
        ...(when.lactating ? { lactating: true } : {}),
        ...(when.egfr_below ? { egfr: when.egfr_min ?? when.egfr_below - 1 } : {}),
        ...(when.child_pugh ? { childPugh: (when.child_pugh[0] ?? 'A') as 'A' | 'B' | 'C' } : {}),
        conditions: (when.conditions ?? []).slice(0, 1).map((code) => ({ code, display: code })),
      };
      const rules = check([knowledge.substances[index ?? -1]?.id ?? ''], patient).patient_warnings.flatMap(
        (w) => w.rules,
      );
      expect(rules).toContain(rule.id);
    }
  });
});
