import english from 'dictionary-en';
import createSpeller from 'nspell';

const LENGTH_MIN = 5;

let speller: ReturnType<typeof createSpeller> | null = null;

/** True for a correct English word: such a word is not a misspelt medical one. */
function isEnglish(word: string): boolean {
  speller ??= createSpeller(Buffer.from(english.aff), Buffer.from(english.dic));
  return speller.correct(word);
}

/** Finds the known word a misspelling means: same first letter, one edit up to seven letters, two beyond. */
export class Spelling {
  private readonly byFirstLetter = new Map<string, string[]>();
  private readonly known: Set<string>;

  constructor(vocabulary: Set<string>) {
    this.known = vocabulary;
    for (const word of [...vocabulary].sort()) {
      if (word.length < LENGTH_MIN - 1) continue;
      const letter = word[0]!;
      const words = this.byFirstLetter.get(letter) ?? [];
      words.push(word);
      this.byFirstLetter.set(letter, words);
    }
  }

  /** The word meant, or the word itself where nothing is near enough. */
  correct(word: string): string {
    if (word.length < LENGTH_MIN || this.known.has(word)) return word;
    if (this.known.has(word.replace(/(?:es|s|ed|ing|'s)$/, '')) || isEnglish(word)) return word;
    const allowed = word.length <= 7 ? 1 : 2;
    let best = word;
    let bestDistance = allowed + 1;
    for (const candidate of this.byFirstLetter.get(word[0]!) ?? []) {
      if (Math.abs(candidate.length - word.length) > allowed) continue;
      const distance = editDistance(word, candidate, bestDistance);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best;
  }
}

/** Edits between two words, a swap of neighbours counting as one; `limit` where they are at least that far apart. */
export function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
      smallest = Math.min(smallest, cost);
    }
    if (smallest >= limit) return limit;
    beforeLast = last;
    last = current;
  }
  return Math.min(last[b.length]!, limit);
}
