import type { Assertions, FindingCategory } from '../../knowledge/types.ts';
import { wordsOf } from './assertion/words.ts';
import { counts, type Mention } from './mention.ts';

/** How far into a text the relative stands for whom it was written, in words. */
const BEGINS_WITHIN = 7;
/** Illnesses of those around a patient that are caught from them. */
const INFECTIOUS = new Set([
  'fever',
  'cough',
  'sore_throat',
  'runny_nose',
  'diarrhea',
  'vomiting',
  'rash',
  'red_eye',
  'flu_like_onset',
]);

/**
 * Whether a complaint is told by somebody for a relative, who then is the patient: it begins with the relative ("My
 * 3 year old son", "Dad"), and nobody in it complains of themselves.
 */
export function tellsOfAnother(text: string, { relatives, own }: Assertions): boolean {
  const words = wordsOf(text.slice(0, 400)).map((word) => word.text);
  const begins = words.slice(0, BEGINS_WITHIN);
  const at = begins.findIndex((word) => relatives.patients.includes(word));
  if (at < 0) return false;
  const isFirst = at === 0 || own.possessives.includes(begins[0]!);
  if (!isFirst || begins.slice(0, at).some((word) => own.breaks.includes(word))) return false;
  const said = ` ${words.join(' ')} `;
  return !own.complains.some((wording) => said.includes(` ${wording} `));
}

/**
 * The mentions with everybody's part given out: a complaint must be somebody's, so where the patient has none of
 * their own, what is told of a relative is the patient's; where they have, an infection around them is a contact.
 */
export function ownStory(mentions: Mention[], categories: ReadonlyMap<string, FindingCategory>): Mention[] {
  const isComplaint = ({ finding, section }: Mention): boolean =>
    section === 'complaint' && categories.get(finding) !== 'history' && categories.get(finding) !== 'time';
  const hasOwn = mentions.some((one) => isComplaint(one) && one.present && counts(one));
  return mentions.map((one) => {
    if (one.experiencer === 'patient') return one;
    if (!hasOwn && isComplaint(one) && one.temporality === 'recent') return { ...one, experiencer: 'patient' };
    if (!INFECTIOUS.has(one.finding) || one.section === 'family' || !one.present) return one;
    return { ...one, finding: 'sick_contact', experiencer: 'patient', temporality: 'recent' };
  });
}
