import { readFileSync } from 'node:fs';
import createSpeller from 'nspell';
import { spend } from '../../compute/work.ts';
import { editDistance } from '../../platform/edit-distance.ts';

const LENGTH_MIN = 5;
/** No medical word that people misspell is longer. */
const LENGTH_MAX = 30;
/** Answers kept between requests; beyond this the memory starts anew, so that it cannot grow without end. */
const PARTS_MAX = 4;
const PART_MIN = 2;
const PART_MAX = 14;
/** Short words that run on with others. */
const JOINING = new Set([
  'of',
  'in',
  'my',
  'on',
  'and',
  'the',
  'no',
  'to',
  'is',
  'arm',
  'leg',
  'eye',
  'ear',
  'hip',
  'toe',
]);
const REMEMBERED_MAX = 20_000;
/** Work of one edit distance. */
const COMPARISON_UNITS = 50;

let speller: ReturnType<typeof createSpeller> | null = null;

/**
 * A file of the dictionary. The package's own module awaits at its top level, and Node.js aborts the whole process when a
 * thread is ended while such a module is being loaded.
 */
function dictionaryFile(name: string): Buffer {
  return readFileSync(new URL(name, import.meta.resolve('dictionary-en')));
}

/** True for a correct English word: such a word is not a misspelt medical one. */
function isEnglish(word: string): boolean {
  speller ??= createSpeller(dictionaryFile('index.aff'), dictionaryFile('index.dic'));
  return speller.correct(word);
}

interface Known {
  word: string;
  letters: number;
}

/** Counts what reading costs, and stops what only a hostile text would need. */
export class Effort {
  /** Words that had to be compared with the vocabulary, not found in memory. */
  spellings = 0;
  /** Candidates whose edit distance was computed. */
  comparisons = 0;
  durations = 0;
  readonly spellingsMax: number;
  readonly durationsMax: number;

  constructor(spellingsMax = 1000, durationsMax = 200) {
    this.spellingsMax = spellingsMax;
    this.durationsMax = durationsMax;
  }
}

/** Finds the known word a misspelling means: same first letter, one edit up to seven letters, two beyond. */
export class Spelling {
  private readonly byLetterAndLength = new Map<string, Known[]>();
  private readonly known: Set<string>;
  private readonly remembered = new Map<string, string>();
  readonly #misspelt = new Map<string, string>();

  /** @param misspellings spellings that are far from the word meant, by that word. */
  constructor(vocabulary: Set<string>, misspellings: Readonly<Record<string, readonly string[]>> = {}) {
    this.known = vocabulary;
    for (const [word, spellings] of Object.entries(misspellings)) {
      for (const spelling of spellings) this.#misspelt.set(spelling, word);
    }
    for (const word of [...vocabulary].sort()) {
      if (word.length < LENGTH_MIN - 1) continue;
      const key = `${word[0]}${word.length}`;
      const words = this.byLetterAndLength.get(key) ?? [];
      words.push({ word, letters: lettersOf(word) });
      this.byLetterAndLength.set(key, words);
    }
    // The dictionary takes a tenth of a second to open, which no request should wait for.
    isEnglish('fever');
  }

  /** The word meant, or the word itself where nothing is near enough or the effort is spent. */
  correct(word: string, effort: Effort): string {
    const misspelt = this.#misspelt.get(word);
    if (misspelt !== undefined) return misspelt;
    if (word.length < LENGTH_MIN || word.length > LENGTH_MAX || this.known.has(word)) return word;
    const before = this.remembered.get(word);
    if (before !== undefined) return before;
    if (this.known.has(word.replace(/(?:es|s|ed|ing|'s)$/, ''))) return word;
    if (effort.spellings >= effort.spellingsMax) return word;
    effort.spellings += 1;
    const best = this.nearest(word, effort);
    const other = best === word ? this.#parted(word) : best;
    const meant = other === null || isEnglish(word) ? word : other;
    if (this.remembered.size >= REMEMBERED_MAX) this.remembered.clear();
    this.remembered.set(word, meant);
    return meant;
  }

  /** The known words that run on in one: "chestpain", "shortnessofbreath". Null where they do not make it up. */
  #parted(word: string): string | null {
    const best: (string[] | null)[] = [[]];
    for (let end = 1; end <= word.length; end += 1) {
      best[end] = null;
      for (let start = Math.max(0, end - PART_MAX); start <= end - PART_MIN; start += 1) {
        const before = best[start];
        const part = word.slice(start, end);
        if (before === null || before === undefined || before.length >= PARTS_MAX || !this.#isPart(part)) continue;
        if (best[end] === null || before.length + 1 < best[end]!.length) best[end] = [...before, part];
      }
    }
    const parts = best[word.length];
    return parts !== null && parts !== undefined && parts.length > 1 ? parts.join(' ') : null;
  }

  #isPart(part: string): boolean {
    if (part.length <= 3) return JOINING.has(part) && this.known.has(part);
    return this.known.has(part);
  }

  private nearest(word: string, effort: Effort): string {
    const allowed = word.length <= 7 ? 1 : 2;
    const letters = lettersOf(word);
    let best = word;
    let bestDistance = allowed + 1;
    for (let length = word.length - allowed; length <= word.length + allowed; length += 1) {
      for (const candidate of this.byLetterAndLength.get(`${word[0]}${length}`) ?? []) {
        // One edit changes at most one letter on either side.
        const missing = Math.max(bits(letters & ~candidate.letters), bits(candidate.letters & ~letters));
        if (missing >= bestDistance) continue;
        effort.comparisons += 1;
        spend(COMPARISON_UNITS);
        const distance = editDistance(word, candidate.word, bestDistance - 1);
        if (distance < bestDistance) {
          best = candidate.word;
          bestDistance = distance;
        }
      }
    }
    return best;
  }
}

/** The set of a word's letters as a bit mask. */
function lettersOf(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at += 1) {
    const letter = word.charCodeAt(at) - 97;
    mask |= letter >= 0 && letter < 26 ? 1 << letter : 1 << 26;
  }
  return mask;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
