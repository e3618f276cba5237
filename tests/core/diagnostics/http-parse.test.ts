import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HABITS } from '@perennial/core/diagnostics/engine/parse.ts';
import { loadKnowledge } from '@perennial/core/knowledge/load.ts';
import { head } from '@perennial/schemas/contract.ts';
import type { ParsedText, Qualifier, TextSpan } from '@perennial/schemas/resources/diagnostic.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import fc from 'fast-check';
import { type DiagnosticsWorld, infarction, startDiagnosticsWorld } from './world.ts';

let world: DiagnosticsWorld;
beforeAll(async () => {
  world = await startDiagnosticsWorld();
});
afterAll(() => world.stop());

async function parse(patientData: Record<string, unknown>): Promise<ParsedText> {
  const { status, data, text } = await world.post<ParsedText>('/diagnostics/parse', { patientData });
  if (status !== 200) throw new Error(text);
  return data;
}

function spansOf(parsed: ParsedText): TextSpan[] {
  return [
    ...parsed.findings.flatMap(({ span, negation, qualifiers }) => [
      span,
      ...(negation ? [negation] : []),
      ...qualifiers.map((each) => each.span),
    ]),
    ...[...parsed.medications, ...parsed.vital_signs, ...parsed.qualifiers].map(({ span }) => span),
    ...parsed.unrecognized,
  ];
}

const told = (qualifiers: readonly Qualifier[] = []): string[] =>
  qualifiers.map(({ kind, value, number, present }) =>
    `${present ? '' : 'not '}${kind} ${value} ${number ?? ''}`.trim(),
  );

describe('a text is read', () => {
  test('in the shape of the contract, with provenance', async () => {
    const parsed = await parse(infarction);
    expect(createValidator(head.resources).body('ParsedText', parsed)).toEqual([]);
    expect(parsed.disclaimer && parsed.knowledge_version && parsed.model_version).toBeTruthy();
  });

  test('with what is said about a finding: since when, how, how bad, where, what brings it and what helps', async () => {
    const parsed = await parse({
      symptoms: [
        'crushing chest pain radiating to the left arm since this morning, 8/10, worse on exertion and relieved by rest',
        '3 days of gradually worsening shortness of breath. It is not relieved by inhalers',
      ],
    });
    const of = (id: string): string[] => told(parsed.findings.find(({ finding_id }) => finding_id === id)?.qualifiers);
    expect(of('crushing_chest_pain')).toEqual(
      expect.arrayContaining(['body_site chest', expect.stringMatching(/^duration since this morning \d/)]),
    );
    expect(of('pain_radiating_arm')).toEqual(
      expect.arrayContaining(['laterality left', 'severity severe 8', 'trigger exertion', 'relief rest']),
    );
    expect(of('dyspnea')).toEqual(
      expect.arrayContaining(['duration 3 days 72', 'onset gradual', 'course worsening', 'not relief inhalers']),
    );
  });

  test('with denials and the word that denies', async () => {
    const { findings } = await parse({ symptoms: ['cough but no fever', 'denies chest pain or vomiting'] });
    const states = findings.map(({ finding_id: id, present, negation }) => [id, present, negation?.text ?? null]);
    expect(states).toEqual(
      expect.arrayContaining([
        ['cough', true, null],
        ['fever', false, 'no'],
        ['chest_pain', false, 'denies'],
        ['vomiting', false, 'denies'],
      ]),
    );
  });

  test('apart: complaint, history, habits and family', async () => {
    const { findings } = await parse({
      symptoms: ['cough'],
      history: 'Known hypertension.',
      socialHistory: 'Smokes 20 a day.',
      familyHistory: 'Father had a heart attack at 50.',
    });
    const aspects = new Set(findings.map(({ aspect, span }) => `${span.field} ${aspect}`));
    expect([...aspects].sort()).toEqual([
      'familyHistory family_history',
      'history history',
      'socialHistory habit',
      'symptoms complaint',
    ]);
  });

  test('with its medicines and vital signs', async () => {
    const parsed = await parse({
      symptoms: ['BP 88/60 and temperature of 101 F'],
      history: 'Takes Coumadin and metformin, no aspirin.',
      medications: ['atorvastatin 20 mg'],
    });
    expect(parsed.medications.map(({ name, present, span }) => [name, present, span.text])).toEqual([
      ['warfarin', true, 'Coumadin'],
      ['metformin', true, 'metformin'],
      ['acetylsalicylic acid', false, 'aspirin'],
      ['atorvastatin', true, 'atorvastatin'],
    ]);
    expect(parsed.vital_signs.map(({ sign, value, unit }) => [sign, value, unit])).toEqual([
      ['systolic', 88, 'mmHg'],
      ['diastolic', 60, 'mmHg'],
      ['temperature', 38.3, '°C'],
    ]);
  });

  test('and what was not recognised is told with its place', async () => {
    const text = '😀 blorptitude and cough and zzyxish quorp';
    const { unrecognized, coverage } = await parse({ symptoms: ['cough', text] });
    expect(unrecognized.map(({ index, start, end }) => [index, text.slice(start, end)])).toEqual([
      [1, 'blorptitude'],
      [1, 'zzyxish quorp'],
    ]);
    expect(coverage).toBeLessThan(1);
  });

  test('and every place is that of its words, whatever is sent', async () => {
    const words =
      'no,not,chest pain,fever,since,3 days,worse,on,exertion,left,arm,8/10,😀,blorp,aspirin,BP 88/60,denies,é,.,;,but,mother had,sudden'.split(
        ',',
      );
    const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 25 }).map((each) => each.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 3 }), text, async (symptoms, history) => {
        const parsed = await parse({ symptoms, history });
        for (const { field, index, start, end, text: said } of spansOf(parsed)) {
          const whole = field === 'history' ? history : symptoms[index ?? -1];
          expect(whole?.slice(start, end)).toBe(said);
          expect(said.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('but not where there is none', async () => {
    const { status, error } = await world.post('/diagnostics/parse', {
      patientData: { vitalSigns: { heartRate: 80 } },
    });
    expect([status, error.details.map(({ pointer, code }) => [pointer, code])]).toEqual([
      422,
      [['/patientData', 'missing_input']],
    ]);
  });
});

test('every habit is a finding of the knowledge base', () => {
  const known = new Set(loadKnowledge().findings.map(({ id }) => id));
  expect([...HABITS].filter((id) => !known.has(id))).toEqual([]);
});
