import { stemmer } from 'stemmer';
import type { Condition } from '../../knowledge/types.ts';

/** Words that do not change which disease is meant. */
const EMPTY = new Set([
  'acute',
  'disease',
  'syndrome',
  'disorder',
  'the',
  'of',
  'a',
  'an',
  'with',
  'due',
  'to',
  'and',
  'in',
  'infection',
  'uncomplicated',
  'primary',
  'viral',
  'bacterial',
  'chronic',
  'severe',
  'mild',
  'type',
  'attack',
  'flare',
  'exacerbation',
]);
const SPELLINGS: [RegExp, string][] = [
  [/ae/g, 'e'],
  [/oe/g, 'e'],
  [/our\b/g, 'or'],
  [/isation/g, 'ization'],
  [/sulph/g, 'sulf'],
];

/**
 * The ids of the conditions a free-text diagnosis names: first by whole name or synonym, then by the same words
 * in any order, then without words that change little. Empty where nothing fits; then the case counts as missed.
 */
export function mapDiagnosis(diagnosis: string, conditions: Condition[]): string[] {
  const wordings = wordingsOf(diagnosis);
  for (const key of [exact, loose]) {
    const wanted = new Set(wordings.map(key).filter((one) => one !== ''));
    const found = conditions.filter((condition) =>
      [condition.name, ...condition.synonyms].some((name) =>
        wordingsOf(name).some((wording) => wanted.has(key(wording))),
      ),
    );
    if (found.length > 0) return found.map((condition) => condition.id);
  }
  return [];
}

/** A name with and without what stands in brackets, and the parts of "a / b". */
function wordingsOf(name: string): string[] {
  const plain = name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '');
  const bracketed = [...plain.matchAll(/\(([^)]+)\)/g)].map((match) => match[1]!);
  const outside = plain.replaceAll(/\([^)]*\)/g, ' ');
  return [outside, ...bracketed, ...outside.split(/\s*\/\s*|\s+or\s+/)]
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function wordsOf(wording: string): string[] {
  let text = wording.replaceAll(/['’]s\b/g, '').replaceAll(/['’]/g, '');
  for (const [pattern, replacement] of SPELLINGS) text = text.replaceAll(pattern, replacement);
  return text
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => stemmer(word));
}

function exact(wording: string): string {
  return wordsOf(wording).sort().join(' ');
}

function loose(wording: string): string {
  return wordsOf(wording)
    .filter((word) => !EMPTY_STEMS.has(word))
    .sort()
    .join(' ');
}

const EMPTY_STEMS = new Set([...EMPTY].map((word) => stemmer(word)));
