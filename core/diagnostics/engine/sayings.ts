import type { DangerWords } from '../../knowledge/types.ts';
import type { Place } from './assertion/scopes.ts';
import type { Triggers } from './assertion/triggers.ts';
import { type Word, wordsOf } from './assertion/words.ts';
import { Automaton, type Unit } from './automaton.ts';
import { parseSaying } from './saying-syntax.ts';

/** A saying found in a sentence. */
export interface Said extends Place {
  finding: string;
}

interface PlacedUnit extends Unit, Place {}

/** How people say that something dangerous is there, ready to be looked for. Built once per language. */
export class Sayings {
  readonly #triggers: Triggers;
  readonly #endings: readonly string[];
  readonly #automaton = new Automaton();

  /** @param endings of the language, by which forms of a word differ, longest first. */
  constructor(words: DangerWords, triggers: Triggers, endings: readonly string[]) {
    this.#triggers = triggers;
    this.#endings = endings;
    for (const { finding, says } of words.says) {
      for (const written of says) {
        this.#automaton.add(
          finding,
          parseSaying(written, words.classes, (word) => this.#stemOf(word)),
        );
      }
    }
  }

  /** The sayings in a sentence, of each finding the longest at each place. */
  in(sentence: string, correct: (word: string) => string): Said[] {
    const units = wordsOf(sentence).flatMap((word) => this.#unitsOf(word, correct));
    const found: Said[] = [];
    const last = new Map<string, Said>();
    for (let at = 0; at < units.length; at += 1) {
      for (const [finding, to] of this.#automaton.from(units, at)) {
        const said = { finding, start: units[at]!.start, end: units[to - 1]!.end };
        const before = last.get(finding);
        if (before !== undefined && before.end >= said.end) continue;
        last.set(finding, said);
        found.push(said);
      }
    }
    return found;
  }

  #unitsOf({ text, start, end, kind }: Word, correct: (word: string) => string): PlacedUnit[] {
    if (kind === 'comma') return [];
    if (kind === 'border') return [{ stem: text, start, end, isBorder: true, denies: false }];
    return correct(text)
      .split(' ')
      .map((part) => ({
        stem: this.#stemOf(part),
        start,
        end,
        isBorder: false,
        denies: this.#triggers.isDenial(part),
      }));
  }

  #stemOf(word: string): string {
    const { denies, rules } = { denies: this.#triggers.denies(word), rules: this.#triggers.rules };
    if (denies) return rules.contractions.means;
    const ending = this.#endings.find((one) => word.length - one.length >= STEM_MIN && word.endsWith(one));
    return ending === undefined ? word : word.slice(0, -ending.length);
  }
}

const STEM_MIN = 3;

/** Every word of the sayings of a language, so that they are spelled right by definition. */
export function wordsSaid({ classes, says }: DangerWords): string[] {
  const all = [...Object.values(classes).flat(), ...says.flatMap((one) => one.says)];
  return [...new Set(all.flatMap((text) => text.match(/[\p{L}']+/gu) ?? []))];
}
