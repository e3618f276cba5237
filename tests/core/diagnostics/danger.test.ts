import { describe, expect, test } from '@jest/globals';
import { analyze } from '../../../core/diagnostics/engine/analyze.ts';
import type { DiagnosticResult } from '../../../core/diagnostics/engine/types.ts';
import { lacksOf } from '../../../core/knowledge/lacks.ts';
import { loadKnowledge } from '../../../core/knowledge/load.ts';

const knowledge = loadKnowledge();

function read(text: string, age = 40, sex = 'female'): DiagnosticResult {
  return analyze(knowledge, { patientData: { age, sex, symptoms: [text] } }).diagnostic_result;
}

describe('danger is seen in the words people use, and the flag names them', () => {
  test.each([
    ["I don't want to be here any more", 'suicidal', 'not want to be here'.slice(4)],
    ['everyone would be better off without me', 'suicidal', 'better off without me'],
    ['he swallowed a whole packet of paracetamol', 'overdose_sign', 'packet of paracetamol'],
    ['it is like an elephant sitting on my chest', 'cardiac_chest_pain', 'elephant sitting on my chest'],
    ['her face has dropped on one side', 'stroke_signs', 'face has dropped'],
    ["my husband won't wake up", 'unresponsive_now', "won't wake up"],
    ["my wife collapsed and she's not breathing", 'not_breathing_now', 'not breathing'],
    ['blood is pouring out and wont stop', 'bleeding_now', 'wont stop'],
    ['can only say a couple of words, gasping for air', 'cannot_breathe', 'gasping for air'],
    ['he cant breth', 'cannot_breathe', 'cant breth'],
    ['my friend is having a siezure', 'seizure_now', 'siezure'],
  ])('%s raises %s', (text, flag, words) => {
    const raised = read(text).red_flags.find(({ id }) => id === flag);
    expect(raised?.words.join(' ')).toContain(words);
    expect(read(text).triage.level).toBe('emergency');
  });

  test.each([
    ['my lips swelled up ten minutes after I ate a prawn', 30, 'female', 'swelling_after_trigger'],
    ['33 weeks pregnant, pounding headache, my hands are puffy', 34, 'female', 'preeclampsia_symptoms'],
    ['38 weeks pregnant, headache and blurred vision', 28, 'female', 'preeclampsia_symptoms'],
    ['one testicle suddenly agonising since 2 am and feeling sick', 21, 'male', 'testicular_torsion_sign'],
  ])('%s raises its flag', (text, age, sex, flag) => {
    const { red_flags: raised, triage } = read(text, age, sex);
    expect(raised.map(({ id }) => id)).toContain(flag);
    expect(triage.level).toBe('emergency');
  });

  test('a faint that is over does not read as somebody who cannot be woken', () => {
    const told = 'He was found unconscious on the floor. He regained consciousness after half a minute.';
    expect(read(told, 53, 'male').red_flags.map(({ id }) => id)).not.toContain('unresponsive_now');
    expect(read('He was found unconscious on the floor.', 53, 'male').red_flags.map(({ id }) => id)).toContain(
      'unresponsive_now',
    );
  });

  test.each([
    ['sharp pain in the big toe when walking', 'stab_wound'],
    ['a lump on the forehead, including a crust', 'facial_droop'],
    ['explosive diarrhoea since the camping trip', 'ear_barotrauma'],
    ['a hard lump in the breast, the skin is pulled in', 'rest_dyspnea'],
    ['had a heart attack in 2009, today only a runny nose', 'crushing_chest_pain'],
    ['big toe red hot and very tender since last night', 'fever'],
    ['limping since football on Saturday', 'lethargy'],
    ['chest tightness on hills that settles with rest', 'trauma_chest_blunt'],
    ["my sister's got a sore throat, I only have a rash", 'sore_throat'],
  ])('%s is not read as %s', (text, finding) => {
    expect(read(text).recognized_findings.map(({ finding_id }) => finding_id)).not.toContain(finding);
  });

  test.each([
    'no chest pain, no trouble breathing, runny nose',
    "I can't breathe through my nose, it is blocked",
    'took two paracetamol as directed for a headache',
    'I take my tablets as prescribed',
    'if my chest gets tight I will call',
    'my uncle had a stroke and I have a sore throat',
    'I had seizures as a child, now a sore throat',
    'hoarse voice and a cough for two weeks',
  ])('%s raises none', (text) => {
    expect(read(text).red_flags).toEqual([]);
  });

  test.each([
    'my husband has crushing chest pain and is sweating',
    'father of two, crushing chest pain for an hour, sweating',
    'my mum has slurred speech and her arm is weak',
    'my father had a heart attack at 50 and I have crushing chest pain',
  ])('a relative in the sentence takes nothing away: %s', (text) => {
    expect(read(text, 60).triage.level).toBe('emergency');
  });
});

describe('what is not understood', () => {
  test('is said, and is no reason for calm', () => {
    const result = read('xyzzy plugh frobnicate');
    expect(result).toMatchObject({ understood: false, suggestions: [], triage: { level: 'soon' } });
    expect(result.unrecognized).toEqual(['xyzzy plugh frobnicate']);
  });

  test.each([
    ['J’ai mal à la tête depuis trois jours', 'fr'],
    ['Ich habe seit drei Tagen Fieber und Husten', 'de'],
    ['У меня болит голова', 'ru'],
    ['我头痛得很厉害', 'zh'],
  ])('%s is named as %s', (text, language) => {
    const result = read(text);
    expect(result.languages).toEqual([expect.objectContaining({ language, is_read: false })]);
    expect(['emergency', 'urgent', 'soon']).toContain(result.triage.level);
  });

  test.each(['fever and cough since yesterday', 'my head hurts', 'dyspnea'])('%s is understood', (text) => {
    const result = read(text);
    expect(result.understood).toBe(true);
    expect(result.languages.every(({ is_read }) => is_read)).toBe(true);
  });
});

describe('Spanish is read by its data', () => {
  test.each([
    ['Me duele mucho el pecho y el brazo izquierdo, estoy sudando', 'emergency', 'chest_pain'],
    ['No puedo respirar, se me cierra la garganta', 'emergency', 'rest_dyspnea'],
    ['Mi esposo no despierta', 'emergency', 'unresponsive'],
    ['No tengo fiebre, pero me duele la cabeza', 'soon', 'headache'],
  ])('%s is %s', (text, level, finding) => {
    const result = read(text, 60);
    expect(result).toMatchObject({ understood: true, triage: { level } });
    expect(result.languages).toEqual([{ language: 'es', name: 'Spanish', is_read: true }]);
    expect(result.recognized_findings.filter((one) => one.present).map((one) => one.finding_id)).toContain(finding);
  });

  test('with its denials, its past and its relatives', () => {
    const result = read('Mi padre tuvo un infarto. No tengo fiebre. Tengo tos.');
    const states = result.recognized_findings.map(({ finding_id: id, present }) => [id, present]);
    expect(states).toEqual([
      ['fever', false],
      ['cough', true],
    ]);
  });

  test('and what it lacks is listed', () => {
    const { red_flags: flags, findings } = lacksOf(knowledge, 'es');
    expect(flags).not.toContain('suicidal');
    expect(flags).toContain('snake');
    expect(findings).toContain('venomous_bite');
  });
});

describe('numbers, units and homonyms', () => {
  test.each([
    ['took 40 tablets of ibuprofen', 'fever'],
    ['fever for 39 days', 'high_fever'],
    ['smoked for 40 years', 'fever'],
    ['hoarse voice', 'auditory_hallucinations'],
    ['I tripped over the carpet', 'travel_general'],
    ['No urinary frequency', 'urinary_retention'],
    ['my 5 week old baby has a fever', 'prolonged_fever'],
  ])('%s is not %s', (text, finding) => {
    const present = read(text).recognized_findings.filter((one) => one.present);
    expect(present.map(({ finding_id: id }) => id)).not.toContain(finding);
  });

  test.each([
    ['cough/fever/sore throat', ['cough', 'fever', 'sore_throat']],
    ['chestpain and shortnessofbreath', ['chest_pain', 'dyspnea']],
  ])('%s is read word for word', (text, findings) => {
    expect(read(text).recognized_findings.map(({ finding_id: id }) => id)).toEqual(expect.arrayContaining(findings));
  });
});
