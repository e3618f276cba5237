import { describe, expect, test } from '@jest/globals';
import { analyze } from '../../../core/diagnostics/engine/analyze.ts';
import type { AnalysisInput, DiagnosticResult } from '../../../core/diagnostics/engine/types.ts';
import { loadKnowledge } from '../../../core/knowledge/load.ts';

const knowledge = loadKnowledge();

function run(patientData: AnalysisInput['patientData'], options: AnalysisInput['options'] = {}): DiagnosticResult {
  return analyze(knowledge, { patientData, options }).diagnostic_result;
}

const HEART: AnalysisInput['patientData'] = {
  age: 68,
  sex: 'male',
  symptoms: ['crushing chest pain', 'sweating'],
  vitalSigns: { bloodPressure: { systolic: 88, diastolic: 60 }, heartRate: 118 },
};

describe('analyze', () => {
  test('crushing chest pain with shock in an older man is a cardiac emergency with a red flag', () => {
    const result = run(HEART);
    expect(result.suggestions[0]!.condition.id).toBe('myocardial_infarction');
    expect(result.suggestions[0]!.urgency).toBe('emergency');
    expect(result.triage.level).toBe('emergency');
    expect(result.red_flags.length).toBeGreaterThan(0);
  });

  test('a sneezing young adult has a cold or hay fever and no red flag', () => {
    const result = run({ age: 24, sex: 'female', symptoms: ['sneezing', 'runny nose'] });
    expect(['common_cold', 'allergic_rhinitis']).toContain(result.suggestions[0]!.condition.id);
    expect(result.red_flags).toEqual([]);
    expect(['self_care', 'routine']).toContain(result.triage.level);
  });

  test('a red flag is never averaged away by harmless findings', () => {
    const many = [
      'sneezing',
      'runny nose',
      'nasal congestion',
      'itchy eyes',
      'sore throat',
      'crushing chest pain radiating to the left arm',
    ];
    const result = run({ age: 60, sex: 'male', symptoms: many });
    expect(result.red_flags.map((flag) => flag.id)).toContain('cardiac_chest_pain');
    expect(result.triage.level).toBe('emergency');
  });

  test('maxResults and includeConfidenceScores are obeyed', () => {
    expect(run(HEART, { maxResults: 2 }).suggestions).toHaveLength(2);
    expect(run(HEART).suggestions.length).toBeLessThanOrEqual(5);
    expect(run(HEART, { includeConfidenceScores: false }).suggestions.every((one) => one.confidence === null)).toBe(
      true,
    );
  });

  test('confidence is a probability inside its interval, and suggestions come in its order', () => {
    const { suggestions } = run(HEART);
    const estimates = suggestions.map((one) => one.confidence!.estimate);
    expect(estimates).toEqual([...estimates].sort((a, b) => b - a));
    expect(estimates.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1.01);
    for (const { confidence } of suggestions) {
      expect(confidence!.interval.low).toBeLessThanOrEqual(confidence!.estimate);
      expect(confidence!.interval.high).toBeGreaterThanOrEqual(confidence!.estimate);
      expect(confidence!.interval.level).toBe(0.9);
    }
  });

  test('a supporting finding never lowers the evidence for its condition', () => {
    const weight = (symptoms: string[]): number => {
      const found = run({ age: 30, sex: 'male', symptoms }, { maxResults: 400 }).suggestions;
      const one = found.find((suggestion) => suggestion.condition.id === 'pneumonia');
      return one === undefined ? 0 : one.supporting.reduce((sum, reason) => sum + reason.weight, 0);
    };
    const steps = ['cough', 'fever', 'chills', 'shortness of breath', 'productive cough', 'pleuritic chest pain'];
    for (let count = 1; count < steps.length; count += 1) {
      expect(weight(steps.slice(0, count + 1))).toBeGreaterThanOrEqual(weight(steps.slice(0, count)));
    }
  });

  test('the same input gives the same answer', () => {
    expect(run(HEART)).toEqual(run(HEART));
  });

  test('nothing understood gives no suggestion, and says so', () => {
    const result = run({ age: 40, sex: 'male', symptoms: ['qwertyx zzyzx'] });
    expect(result.suggestions).toEqual([]);
    expect(result.unrecognized).toEqual(['qwertyx zzyzx']);
  });

  test('every suggestion explains itself and every clinical answer is versioned and disclaimed', () => {
    const result = run(HEART);
    expect(result.suggestions[0]!.supporting.length).toBeGreaterThan(0);
    expect(result.suggestions[0]!.treatments.length).toBeGreaterThan(0);
    expect(result.suggestions[0]!.sources.length).toBeGreaterThan(0);
    expect(result.knowledge_version).toBe(knowledge.version);
    expect(result.model_version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(result.disclaimer).not.toBe('');
  });

  test('works without age, sex and vital signs, and counts that as uncertainty', () => {
    const { suggestions } = run({ symptoms: ['cough', 'fever'] });
    const sources = suggestions[0]!.confidence!.uncertainty.map((one) => one.source);
    expect(sources).toEqual(expect.arrayContaining(['missing_demographics', 'missing_vital_signs']));
  });
});
