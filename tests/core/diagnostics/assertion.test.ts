import { describe, expect, test } from '@jest/globals';
import { scopesOf } from '../../../core/diagnostics/engine/assertion/scopes.ts';
import { statusOf } from '../../../core/diagnostics/engine/assertion/status.ts';
import { Triggers } from '../../../core/diagnostics/engine/assertion/triggers.ts';
import { loadKnowledge } from '../../../core/knowledge/load.ts';

const english = loadKnowledge().languages.find(({ language }) => language === 'en')!;
const triggers = new Triggers(english.assertion);

/** What a sentence says of the words in square brackets, as the names of what holds. */
function saidOf(marked: string): string[] {
  const start = marked.indexOf('[');
  const end = marked.indexOf(']') - 1;
  const text = marked.replace('[', '').replace(']', '');
  const status = statusOf(scopesOf(text, triggers), [{ start, end }]);
  return Object.entries(status).flatMap(([name, cue]) => (cue === null ? [] : [name]));
}

describe('a denial', () => {
  test.each([
    'no [fever]',
    'No fever, chills, [cough], sore throat',
    'No fever, chills, cough or [sore throat]',
    'denies fever, chills, cough and [sore throat]',
    'does not have any [chest pain]',
    "I don't have a fever or [cough]",
    'never had [seizures] before',
    'Lungs clear, no wheezes or [rales]',
    'There was no evidence of [polyps] or ulceration',
    'A clot was ruled out; [pneumonia] was ruled out as well',
    'MRI negative for [bleeding]',
    '[Fever] was denied',
  ])('reaches what it denies: %s', (sentence) => {
    expect(saidOf(sentence)).toContain('negated');
  });

  test.each([
    "I'm not feeling well and my [chest hurts]",
    'not well, [chest hurts]',
    'he is not well but has [crushing chest pain]',
    'no fever but a [cough]',
    'No fever, [chest hurts] a lot',
    'no fever, [cough] for three days',
    'No fever and my [head] is pounding',
    'no rash, she has [headache]',
    'denies fever but reports [cough]',
    "[rash] that doesn't fade",
    'a [rash] which does not go away',
    "the [pain] won't stop",
    'no relief from ibuprofen for her [headache]',
    'not only [fever] but cough',
    '[pneumonia] cannot be ruled out',
    'NECK: Supple, no bruits. [Edema] of both legs',
    'no fever; [vomiting]',
  ])('ends where something is stated: %s', (sentence) => {
    expect(saidOf(sentence)).not.toContain('negated');
  });
});

describe('other people', () => {
  test.each([
    'My father had a [heart attack] at 50',
    'family history of [colon cancer]',
    'history of [diabetes] in his mother',
    'no fever, chills, or family history of [cancer]',
  ])('have what is said of them: %s', (sentence) => {
    expect(saidOf(sentence)).toContain('other');
  });

  test.each([
    'father of two, [crushing chest pain]',
    'my father had a stroke and now I have a [drooping face]',
    'brought in by his mother with [fever]',
    'her husband says that she has a [headache]',
    'Her son reported that she seems [confused]',
    'single mother with [chest pain]',
  ])('take nothing from the patient: %s', (sentence) => {
    expect(saidOf(sentence)).not.toContain('other');
  });
});

describe('time', () => {
  test.each([
    ['I had [pneumonia] as a child', 'past'],
    ['had a [stroke] ten years ago', 'past'],
    ['status post [appendectomy]', 'past'],
    ['a history of [atrial fibrillation]', 'historical'],
    ['PAST MEDICAL HISTORY: the patient has [hypertension]', 'historical'],
    ['Return if you develop [fever]', 'hypothetical'],
    ['call for any [unusual rashes], vomiting', 'hypothetical'],
    ['His nausea and [vomiting] resolved', 'resolved'],
    ['some [weakness] although that seemed to have resolved', 'resolved'],
  ])('%s is %s', (sentence, aspect) => {
    expect(saidOf(sentence)).toContain(aspect);
  });

  test.each([
    'a 3-week history of [cough]',
    'the [pain] began two years ago',
    'HISTORY OF PRESENT ILLNESS: [chest pain] since morning',
    '[confused] in the past few days',
    'pneumonia as a child, now he has a [cough]',
  ])('what goes on is not over: %s', (sentence) => {
    const said = saidOf(sentence);
    expect(said).not.toContain('past');
    expect(said).not.toContain('historical');
  });
});
