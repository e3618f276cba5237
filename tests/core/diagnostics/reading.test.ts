import { describe, expect, test } from '@jest/globals';
import { editDistance } from '@perennial/core/platform/edit-distance.ts';
import { analyze } from '../../../core/diagnostics/engine/analyze.ts';
import { checkPlausibility } from '../../../core/diagnostics/engine/plausibility.ts';
import type { VitalSigns } from '../../../core/diagnostics/engine/types.ts';
import { loadKnowledge } from '../../../core/knowledge/load.ts';

const knowledge = loadKnowledge();

function read(...symptoms: string[]): { present: string[]; absent: string[]; unrecognized: string[] } {
  const { diagnostic_result: result } = analyze(knowledge, { patientData: { age: 40, sex: 'female', symptoms } });
  const ids = (present: boolean): string[] =>
    result.recognized_findings.filter((one) => one.present === present).map((one) => one.finding_id);
  return { present: ids(true), absent: ids(false), unrecognized: result.unrecognized };
}

function fromVitals(vitalSigns: VitalSigns, age: number): string[] {
  const { diagnostic_result: result } = analyze(knowledge, { patientData: { age, symptoms: [], vitalSigns } });
  return result.recognized_findings.filter((one) => one.source === 'vital_sign').map((one) => one.finding_id);
}

describe('negation', () => {
  test.each([
    ['no fever', 'fever'],
    ['denies chest pain', 'chest_pain'],
    ['without nausea or vomiting', 'vomiting'],
    ['no fever, chills or cough', 'cough'],
    ['she does not have a headache', 'headache'],
    ['fever was absent', 'fever'],
    ['afebrile', 'fever'],
    ['no nausea or vomiting, diarrhea or constipation', 'constipation'],
    ['Normal power and sensation', 'arm_weakness'],
    ['there is nothing like a rash', 'rash'],
    ['No visual changes', 'blurred_vision'],
    ['No urinary symptoms', 'dysuria'],
  ])('%s denies %s', (text, finding) => {
    expect(read(text).absent).toContain(finding);
  });

  test.each([
    ['no fever but a cough', 'cough'],
    ['no fever, cough for three days', 'cough'],
    ['denies fever; has a headache', 'headache'],
    ['crushing chest pain since this morning, no fever', 'crushing_chest_pain'],
    ['no relief from ibuprofen for her headache', 'headache'],
    ['no cough or cold, vomited once', 'vomiting'],
    ['very weak, she reports left chest pain', 'chest_pain'],
    ['the whole family has a headache', 'headache'],
    ['My 3 year old son has a fever', 'fever'],
    ['I sneeze non-stop and have a fever', 'fever'],
  ])('%s still states %s', (text, finding) => {
    expect(read(text).present).toContain(finding);
  });
});

describe('wording', () => {
  test.each([
    ['sneazing', 'sneezing'],
    ['diarrhoea', 'diarrhea'],
    ['diarhea', 'diarrhea'],
    ['palpitatons', 'palpitations'],
    ['tummy ache', 'abdominal_pain'],
    ['short of breath', 'dyspnea'],
    ['I have been throwing up', 'vomiting'],
    ['pain in the right lower quadrant of the abdomen', 'rlq_pain'],
    ['pain, swelling and redness of the left knee', 'hot_red_joint'],
    ['3 days of worsening shortness of breath', 'dyspnea'],
    ['3 days of worsening shortness of breath', 'duration_days'],
  ])('%s is read as %s', (text, finding) => {
    expect(read(text).present).toContain(finding);
  });

  test('a sentence lends its subject to the next', () => {
    expect(read('He has chest pain. It is worse when he breathes in.').present).toContain('pleuritic_chest_pain');
  });

  test.each([
    ['shortness of breath', 'rest_dyspnea'],
    ['No urinary symptoms', 'urinary_retention'],
    ['no menstrual irregularities', 'missed_period'],
    ['No trauma, no eye redness, no contact lens', 'poor_eye_contact'],
    ['loss of appetite', 'skipped_meal'],
    ['diabetes', 'history_type1_diabetes'],
  ])('%s is not read as %s', (text, finding) => {
    expect(read(text).present).not.toContain(finding);
  });

  test.each([
    ['gasping', 'rest_dyspnea'],
    ['no urine since last night', 'urinary_retention'],
    ['no stool or gas for two days', 'obstipation'],
  ])('%s is read word for word as %s', (text, finding) => {
    expect(read(text).present).toContain(finding);
  });

  test('a list of complaints does not mix places', () => {
    const { present } = read('chest pain, leg swelling');
    expect(present).not.toContain('leg_pain');
  });

  test('what is not understood is reported, never dropped', () => {
    const { present, unrecognized } = read('cough and glimmering earlobes');
    expect(present).toContain('cough');
    expect(unrecognized.join(' ')).toContain('glimmering earlobes');
  });

  test('a swap, a missing and a wrong letter are one edit each', () => {
    expect(editDistance('fever', 'fevre', 9)).toBe(1);
    expect(editDistance('fever', 'fver', 9)).toBe(1);
    expect(editDistance('fever', 'faver', 9)).toBe(1);
  });
});

describe('whose finding it is', () => {
  function present(patientData: object): string[] {
    const { diagnostic_result: result } = analyze(knowledge, { patientData });
    return result.suggestions.flatMap((one) => one.supporting.map((reason) => reason.finding_id));
  }

  test("a child's record does not make the child pregnant, nor a smoker", () => {
    const text = 'fever and cough. His mother smoked during pregnancy.';
    expect(present({ age: 1, sex: 'male', symptoms: [text] })).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:pregnant|smoking)$/)]),
    );
    expect(present({ age: 30, sex: 'female', symptoms: ['fever, pregnant, smoker'] })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:pregnant|smoking)$/)]),
    );
  });

  test.each([
    ['a 10-month-old girl with fever', false],
    ['a 6-week-old girl with fever', true],
  ])('%s: fever in the first three months is an emergency, later it need not be', (text, expected) => {
    const { diagnostic_result: result } = analyze(knowledge, { patientData: { age: 0, symptoms: [text] } });
    expect(result.red_flags.some((flag) => flag.id === 'infant_fever')).toBe(expected);
  });
});

describe('vital signs', () => {
  test('bounds follow age', () => {
    expect(fromVitals({ heartRate: 140 }, 40)).toContain('tachycardia');
    expect(fromVitals({ heartRate: 140 }, 0.5)).not.toContain('tachycardia');
    expect(fromVitals({ bloodPressure: { systolic: 84, diastolic: 50 } }, 40)).toContain('hypotension');
    expect(fromVitals({ bloodPressure: { systolic: 84, diastolic: 50 } }, 3)).not.toContain('hypotension');
  });

  test('a measured temperature decides about fever, whatever was said', () => {
    expect(fromVitals({ temperature: 39.2 }, 40)).toEqual(expect.arrayContaining(['fever', 'high_fever']));
    expect(fromVitals({ temperature: 36.8 }, 40)).not.toContain('fever');
  });

  test('implausible readings are refused with a pointer', () => {
    const check = (vitalSigns: VitalSigns): string[] =>
      checkPlausibility({ patientData: { vitalSigns } }).map((fault) => fault.pointer);
    expect(check({ heartRate: 900 })).toEqual(['/patientData/vitalSigns/heartRate']);
    expect(check({ temperature: 98.6 })).toEqual(['/patientData/vitalSigns/temperature']);
    expect(check({ bloodPressure: { systolic: 80, diastolic: 120 } })).toEqual([
      '/patientData/vitalSigns/bloodPressure/diastolic',
    ]);
    expect(check({ temperature: 37, heartRate: 70 })).toEqual([]);
  });
});
