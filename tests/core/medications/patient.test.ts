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
        ...(when.neutrophils_below ? { neutrophils: when.neutrophils_below - 0.1 } : {}),
        ...(when.platelets_below ? { platelets: when.platelets_below - 1 } : {}),
        ...(when.potassium_above ? { potassium: when.potassium_above + 0.1 } : {}),
        ...(when.potassium_below ? { potassium: when.potassium_below - 0.1 } : {}),
        conditions: (when.conditions ?? []).slice(0, 1).map((code) => ({ code, display: code })),
      };
      const rules = check([knowledge.substances[index ?? -1]?.id ?? ''], patient).patient_warnings.flatMap(
        (w) => w.rules,
      );
      expect(rules).toContain(rule.id);
    }
  });
});

describe('kidney, liver and blood', () => {
  test('a stage of kidney disease by code counts where no filtration rate is given, and is told', () => {
    const byCode = check(['metformin'], { conditions: [{ code: 'N18.4' }] });
    expect(byCode.patient_warnings).toMatchObject([{ kind: 'kidney', severity: 'contraindicated' }]);
    expect(byCode.patient_warnings[0]?.mechanism).toContain('N18.4');
    expect(byCode.patient_facts_concluded).toEqual([{ fact: 'egfr', code: 'N18.4' }]);
    expect(byCode.patient_facts_missing).not.toContain('egfr');
    // A measured rate comes before the code.
    expect(warned('metformin', { conditions: [{ code: 'N18.4' }], egfr: 80 })).toEqual([]);
    expect(warned('lomitapide', { conditions: [{ code: 'K74.6' }] })).toContain('liver major');
  });

  test.each([
    ['clozapine', { neutrophils: 1.2 }, 'condition contraindicated'],
    ['clozapine', { neutrophils: 1.8 }, 'condition major'],
    ['warfarin', { platelets: 20 }, 'condition contraindicated'],
    ['spironolactone', { potassium: 5.8 }, 'condition contraindicated'],
    ['sotalol', { potassium: 3.1 }, 'condition major'],
    ['levofloxacin', { egfr: 35 }, 'kidney moderate'],
    ['fluconazole', { egfr: 35 }, 'kidney moderate'],
    ['sitagliptin', { egfr: 35 }, 'kidney moderate'],
    ['nitrofurantoin', { egfr: 40 }, 'kidney major'],
    ['empagliflozin', { pregnant: true }, 'pregnancy major'],
    ['semaglutide', { pregnant: true }, 'pregnancy major'],
    ['imipenem', { conditions: [{ code: 'G40.9' }] }, 'condition moderate'],
    ['heparin', { conditions: [{ code: 'D75.82' }] }, 'condition contraindicated'],
    ['aztreonam', { allergies: [{ text: 'ceftazidime' }] }, 'allergy major'],
  ])('%s with %j warns: %s', (name, patient, expected) => {
    expect(warned(name, patient)).toContain(expected);
  });

  test('imipenem is no contraindication in epilepsy, and zoledronate is not told of another platinum', () => {
    expect(warned('imipenem', { conditions: [{ code: 'G40.9' }] })).not.toContain('condition contraindicated');
    const text = JSON.stringify(check(['zoledronic acid'], { egfr: 40 }).patient_warnings);
    expect(text).not.toContain('platinum');
  });

  test('a pair is worse with diabetes or a poor kidney, and is judged without them as a matter of monitoring', () => {
    const severity = (patient?: Parameters<typeof check>[1]) =>
      check(['ramipril', 'losartan'], patient).pairs[0]?.severity;
    expect(severity()).toBe('moderate');
    expect(severity({ conditions: [{ code: 'E11.9' }] })).toBe('major');
    expect(severity({ egfr: 40 })).toBe('major');
    expect(severity({ egfr: 90 })).toBe('moderate');
  });
});
