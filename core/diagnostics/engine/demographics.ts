import type { Section } from './mention.ts';

const PREGNANCY =
  /\b(\d{1,2})(?:st|nd|rd|th)?[\s-]*(weeks?|wks?|months?)[\s-]*(?:pregnan\w*|of (?:gestation|pregnancy)|gestation\w*)/i;
const STATED_AGE = /\b(\d{1,3})[\s-]*(?:(?:year|yr)s?[\s-]*old|y\/?o)\b/i;
const STATED_INFANT_AGE = /\b(\d{1,2})[\s-]*(month|week|day|mo|wk)s?[\s-]*(?:old|girl|boy|infant|baby)\b/i;
const PER_YEAR: Record<string, number> = { month: 12, mo: 12, week: 52, wk: 52, day: 365 };
const WEEKS_PER_MONTH = 4.3;
const SECOND_HALF_FROM_WEEKS = 20;

/** Age in years and sex, where a text of the patient states them. */
export function demographicsOf(text: string, section: Section): { age: number | null; sex: 'female' | 'male' | null } {
  if (section === 'family') return { age: null, sex: null };
  const years = STATED_AGE.exec(text);
  const infant = STATED_INFANT_AGE.exec(text);
  let age: number | null = null;
  if (years !== null) age = Number(years[1]);
  else if (infant !== null) age = Number(infant[1]) / PER_YEAR[infant[2]!.toLowerCase()]!;
  if (/\b(?:female|woman|girl|lady)\b/i.test(text)) return { age, sex: 'female' };
  return { age, sex: /\b(?:male|man|boy|gentleman)\b/i.test(text) ? 'male' : null };
}

const AGES = /\b\d{1,3}[\s-]*(?:(?:years?|yrs?|months?|mos?|weeks?|wks?|days?)[\s-]*old|y\/?o)\b/gi;

/** Where a text tells ages: their numbers and units say nothing of an illness. */
export function agesIn(text: string): { start: number; end: number }[] {
  if (!/\d/.test(text)) return [];
  return [...text.matchAll(AGES)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** The half of a pregnancy that a sentence states, with its place; null where it states none. */
export function pregnancyIn(sentence: string): { finding: string; start: number; end: number } | null {
  if (!/\d/.test(sentence)) return null;
  const match = PREGNANCY.exec(sentence);
  if (match === null) return null;
  const weeks = Number(match[1]) * (match[2]!.toLowerCase().startsWith('m') ? WEEKS_PER_MONTH : 1);
  const finding = weeks >= SECOND_HALF_FROM_WEEKS ? 'second_half_pregnancy' : 'first_half_pregnancy';
  return { finding, start: match.index, end: match.index + match[0].length };
}
