import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { analyze } from '../../../core/diagnostics/engine/analyze.ts';
import { TUNING } from '../../../core/diagnostics/engine/tuning.ts';
import { loadKnowledge } from '../../../core/knowledge/load.ts';
import { type EvaluationCase, evaluate } from '../../evaluate/diagnostics/evaluate.ts';
import { crossValidate } from '../../evaluate/diagnostics/folds.ts';
import { mapDiagnosis } from '../../evaluate/diagnostics/map-diagnosis.ts';

const knowledge = loadKnowledge();

describe('a free-text diagnosis', () => {
  test.each([
    ['Gastroesophageal reflux disease', 'gerd'],
    ['Heart attack', 'myocardial_infarction'],
    ['Non-ST elevation myocardial infarction', 'myocardial_infarction'],
    ['Herpes zoster ophthalmicus', 'herpes_zoster'],
    ['Hypertrophic pyloric stenosis', 'pyloric_stenosis'],
    ['Vertigo', 'bppv'],
    ['Candidal yeast infection', 'vaginal_candidiasis'],
    ["Wegener's granulomatosis", 'gpa'],
  ])('%s is understood as %s', (diagnosis, id) => {
    expect(mapDiagnosis(diagnosis, knowledge.conditions)).toContain(id);
  });

  test.each([
    ['Diabetic nephropathy', 'type2_diabetes'],
    ['Blue sneezing elbow fever of Mars', 'elbow'],
  ])('%s is not taken for %s', (diagnosis, id) => {
    expect(mapDiagnosis(diagnosis, knowledge.conditions)).not.toContain(id);
  });

  test('what no condition is named like stays unmapped, so that it counts as a miss', () => {
    expect(mapDiagnosis('Zzyzx qwertitis', knowledge.conditions)).toEqual([]);
  });
});

describe('accuracy on vignettes of our own', () => {
  const cases = JSON.parse(
    readFileSync(new URL('../../fixtures/vignettes-fresh.json', import.meta.url), 'utf8'),
  ) as EvaluationCase[];

  test('diagnosis, triage, calibration and intervals do not fall below what was measured with some room', async () => {
    const result = await evaluate(cases, knowledge.conditions, async (input) => analyze(knowledge, input));
    expect(result.unmapped).toEqual([]);
    expect(result.top1).toBeGreaterThanOrEqual(0.85);
    expect(result.top3).toBeGreaterThanOrEqual(0.92);
    expect(result.top5).toBeGreaterThanOrEqual(0.94);
    expect(result.triage.exact).toBeGreaterThanOrEqual(0.8);
    expect(result.triage.safe).toBeGreaterThanOrEqual(0.93);
    expect(result.calibration.brier).toBeLessThanOrEqual(0.07);
    expect(result.calibration.expected_calibration_error).toBeLessThanOrEqual(0.12);
    expect(result.calibration.interval_coverage).toBeGreaterThanOrEqual(0.85);
  });
});

describe('what was fitted is judged on other diagnoses', () => {
  const cases = JSON.parse(
    readFileSync(new URL('../../fixtures/vignettes-fresh.json', import.meta.url), 'utf8'),
  ) as EvaluationCase[];

  test('by folds over diagnoses and with knowledge hidden, and the thresholds that were tried are put back', () => {
    const before = structuredClone(TUNING);
    const { folds, diagnoses, calibration, triage, hidden } = crossValidate(cases.slice(0, 25), knowledge);
    expect(folds).toBe(5);
    expect(diagnoses).toBeLessThanOrEqual(25);
    expect(calibration.error.value).toBeLessThan(0.2);
    expect(triage?.safe?.value).toBeGreaterThan(0.7);
    const [all] = [...hidden.values()];
    expect(all?.top1?.value).toBeLessThanOrEqual(all!.top5!.value);
    expect(TUNING).toEqual(before);
  });
});
