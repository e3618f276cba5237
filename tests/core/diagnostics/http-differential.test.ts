import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import type { Differential } from '@perennial/schemas/resources/diagnostic.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import { type DiagnosticsWorld, infarction, startDiagnosticsWorld } from './world.ts';

let world: DiagnosticsWorld;
beforeAll(async () => {
  world = await startDiagnosticsWorld();
});
afterAll(() => world.stop());

const breathless = {
  age: 45,
  sex: 'female',
  symptoms: ['shortness of breath', 'pain in the chest when breathing in', 'no fever'],
};

async function differentiate(body: Record<string, unknown>): Promise<Differential> {
  const { status, data, text } = await world.post<Differential>('/diagnostics/differential', body);
  if (status !== 200) throw new Error(text);
  return data;
}

const ranking = ({ diagnostic_result: { suggestions } }: Differential): string[] =>
  suggestions.map(({ condition }) => condition.id);

describe('a differential diagnosis', () => {
  test('compares the likeliest of all where none is named, in the shape of the contract', async () => {
    const answer = await differentiate({ patientData: breathless, options: { maxResults: 4 } });
    expect(createValidator(head.resources).body('Differential', answer)).toEqual([]);
    const analysis = await world.post<Differential>('/diagnostics/analyze', {
      patientData: breathless,
      options: { maxResults: 4 },
    });
    expect({ ...answer.diagnostic_result, id: '' }).toEqual({ ...analysis.data.diagnostic_result, id: '' });
    expect(answer.differential.candidates).toEqual([]);
    expect(answer.differential.comparisons).toHaveLength(ranking(answer).length - 1);
    const { disclaimer, knowledge_version, model_version } = answer.diagnostic_result;
    expect(disclaimer && knowledge_version && model_version).toBeTruthy();
  });

  test('ranks exactly the candidates that are named, by name, synonym, id or code', async () => {
    const candidates = ['Pulmonary embolism', 'pneumonia', 'I21.9', 'panic attack', 'PULMONARY EMBOLISM'];
    const answer = await differentiate({ patientData: breathless, candidates, options: { maxResults: 1 } });
    expect(ranking(answer).sort()).toEqual([
      'myocardial_infarction',
      'panic_disorder',
      'pneumonia',
      'pulmonary_embolism',
    ]);
    expect(answer.differential.candidates.map(({ status }) => status)).toEqual(Array(5).fill('resolved'));
  });

  test('says which candidates it does not know, and what may have been meant', async () => {
    const candidates = ['pneumothrax', 'blorptitude', 'pneumonia'];
    const answer = await differentiate({ patientData: breathless, candidates });
    expect(ranking(answer)).toEqual(['pneumonia']);
    const [misspelt, nonsense] = answer.differential.candidates;
    expect(misspelt).toMatchObject({ index: 0, text: 'pneumothrax', status: 'unknown', conditions: [] });
    expect(misspelt?.suggestions[0]?.condition_id).toBe('pneumothorax');
    expect(nonsense).toMatchObject({ status: 'unknown', suggestions: [] });
    expect([answer.differential.comparisons, answer.differential.next_steps]).toEqual([[], []]);
  });

  test('explains each step of the ranking: the parts sum to the difference', async () => {
    const { diagnostic_result: result, differential } = await differentiate({ patientData: breathless });
    const names = result.suggestions.map(({ condition }) => condition.id);
    differential.comparisons.forEach((each, at) => {
      expect([each.higher.condition_id, each.lower.condition_id]).toEqual([names[at], names[at + 1]]);
      const listed = each.findings.reduce((sum, { contribution }) => sum + contribution, 0);
      expect(each.how_common + listed + each.other_findings).toBeCloseTo(each.difference, 6);
      expect(each.difference).toBeGreaterThanOrEqual(0);
      expect(each.text).toContain(each.lower.name);
      for (const { contribution, weight_for_higher: higher, weight_for_lower: lower } of each.findings)
        expect(contribution).toBeCloseTo(higher - lower, 2);
    });
  });

  test('tells what would separate them most: an answer narrows down, and points to who has the finding', async () => {
    const candidates = ['pneumonia', 'pulmonary embolism', 'pneumothorax'];
    const { uncertainty, next_steps: steps } = (await differentiate({ patientData: breathless, candidates }))
      .differential;
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.map(({ information_gain: gain }) => gain)).toEqual(
      steps.map(({ information_gain: gain }) => gain).sort((a, b) => b - a),
    );
    for (const { information_gain: gain, if_present: present, if_absent: absent } of steps) {
      expect(gain).toBeGreaterThan(0);
      expect(gain).toBeLessThanOrEqual(uncertainty);
      expect(present.probability + absent.probability).toBeCloseTo(1, 2);
    }
    const infiltrate = steps.find(({ finding_id: id }) => id === 'chest_xray_infiltrate');
    expect(infiltrate).toMatchObject({
      kind: 'test',
      if_present: { leading: [{ condition_id: 'pneumonia' }, {}, {}] },
    });
    const known = new Set(breathless.symptoms);
    expect(steps.some(({ name }) => known.has(name.toLowerCase()))).toBe(false);
  });

  test('an answer to its question changes the ranking as it said', async () => {
    const candidates = ['pneumonia', 'pulmonary embolism'];
    const before = await differentiate({ patientData: breathless, candidates });
    const step = before.differential.next_steps.find(({ if_present: a, if_absent: b }) => {
      return a.leading[0]?.condition_id !== b.leading[0]?.condition_id;
    });
    if (!step) throw new Error('no answer would change the ranking');
    const symptoms = [...breathless.symptoms, step.name];
    const after = await differentiate({ patientData: { ...breathless, symptoms }, candidates });
    expect(ranking(after)[0]).toBe(step.if_present.leading[0]?.condition_id);
  });

  test('never hides a danger that is not among the candidates', async () => {
    const { diagnostic_result: result } = await differentiate({
      patientData: infarction,
      candidates: ['gastroesophageal reflux', 'costochondritis'],
    });
    expect(result.triage.level).toBe('emergency');
    expect(result.red_flags.length).toBeGreaterThan(0);
    for (const { confidence } of result.suggestions) expect(confidence?.estimate).toBeLessThan(0.2);
  });

  test('is the same for the same input, whatever the order of the candidates', async () => {
    const candidates = ['pneumonia', 'pulmonary embolism', 'pneumothorax'];
    const one = await differentiate({ patientData: breathless, candidates });
    const other = await differentiate({ patientData: breathless, candidates: [...candidates].reverse() });
    expect(ranking(other)).toEqual(ranking(one));
    expect(other.differential.next_steps).toEqual(one.differential.next_steps);
    expect(other.differential.comparisons).toEqual(one.differential.comparisons);
  });

  test('bounds what is sent', async () => {
    const candidates = Array.from({ length: 51 }, () => 'pneumonia');
    const { status, error } = await world.post('/diagnostics/differential', { patientData: breathless, candidates });
    expect([status, error.details[0]?.pointer, error.details[0]?.code]).toEqual([422, '/candidates', 'too_many']);
  });
});
