import type { Condition } from '@perennial/core/knowledge/types.ts';
import { stemmer } from 'stemmer';

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

/** More conditions than this share a word and not a meaning. */
const NAMESAKES_MAX = 3;

/**
 * The ids of the conditions a free-text diagnosis names: first by whole name or synonym, then by the same words
 * in any order, then without words that change little, then as a kind of a named condition ("herpes zoster
 * ophthalmicus"), then as what few names end in ("vertigo"). Empty where nothing fits; then the case counts as missed.
 */
export function mapDiagnosis(diagnosis: string, conditions: Condition[]): string[] {
  const wordings = wordingsOf(diagnosis);
  for (const key of [joined, exact, loose]) {
    const wanted = new Set(wordings.map(key).filter((one) => one !== ''));
    const found = conditions.filter((condition) => namesOf(condition).some((wording) => wanted.has(key(wording))));
    if (found.length > 0) return found.map((condition) => condition.id);
  }
  const kind = kindOf(wordings[0] ?? '', conditions);
  if (kind.length > 0) return kind;
  const namesakes = endingIn(wordings[0] ?? '', conditions);
  return namesakes.length <= NAMESAKES_MAX ? namesakes : [];
}

function namesOf(condition: Condition): string[] {
  return [condition.name, ...condition.synonyms].flatMap(wordingsOf);
}

/** The conditions whose name, at its longest, is a part of the diagnosis: two of its words, or the last one. */
function kindOf(wording: string, conditions: Condition[]): string[] {
  const words = looseWords(wording);
  let longest = 1;
  let kind: string[] = [];
  for (const condition of conditions) {
    for (const name of namesOf(condition)) {
      const own = looseWords(name);
      const isPart = own.length >= 2 ? own.every((word) => words.includes(word)) : own[0] === words.at(-1);
      if (!isPart || own.length === 0 || own.length < longest) continue;
      if (own.length > longest) kind = [];
      longest = own.length;
      if (!kind.includes(condition.id)) kind.push(condition.id);
    }
  }
  return kind;
}

/** The conditions with a name that ends in the words of the diagnosis. */
function endingIn(wording: string, conditions: Condition[]): string[] {
  const words = wordsOf(wording);
  if (words.length === 0) return [];
  const ends = (name: string): boolean => {
    const own = wordsOf(name);
    return own.length > words.length && words.every((word, at) => own[own.length - words.length + at] === word);
  };
  return conditions.filter((condition) => namesOf(condition).some(ends)).map((condition) => condition.id);
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

/** Without the spaces and hyphens on which spellings differ: "gastro-oesophageal", "gastroesophageal". */
function joined(wording: string): string {
  return wordsOf(wording).join('');
}

function exact(wording: string): string {
  return wordsOf(wording).sort().join(' ');
}

function loose(wording: string): string {
  return looseWords(wording).sort().join(' ');
}

function looseWords(wording: string): string[] {
  return wordsOf(wording).filter((word) => !EMPTY_STEMS.has(word));
}

const EMPTY_STEMS = new Set([...EMPTY].map((word) => stemmer(word)));
