import { spend } from '../../compute/work.ts';
import type { Token } from './canon.ts';
import type { Mention } from './mention.ts';
import type { QualifierKind, SentenceQualifier } from './qualifiers.ts';
import { coverOf, firstFrom } from './widest.ts';

/** A sentence of a text with what was read in it; offsets are those of the text. */
export interface ReadSentence {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
  /** In their order; offsets are those of the sentence. */
  readonly qualifiers: readonly SentenceQualifier[];
}

/** Words of a sentence that are looked for by their place. */
interface Marks {
  readonly tokens: readonly Token[];
  readonly starts: readonly number[];
}

const WHOLE_CLAUSE: ReadonlySet<string> = new Set(['duration', 'onset', 'course']);
/** These may speak of what the sentence before complained of: "It is worse on lying down." */
const REFERS_BACK: ReadonlySet<string> = new Set(['duration', 'onset', 'course', 'severity', 'trigger', 'relief']);
/** What stands behind one of these is another clause. */
const TURNS: ReadonlySet<string> = new Set(['but', 'however', 'although', 'though', 'whereas', ';']);

/**
 * The sentences of one text, and which of its findings their qualifiers belong to. What is asked again and again is
 * worked out once, so that a sentence of many findings and many qualifiers costs no more than their number.
 */
export class Clauses {
  readonly #mentions: readonly Mention[];
  readonly #sentences: readonly ReadSentence[];
  readonly #starts: readonly number[];
  /** Positions of the complaints in each sentence. */
  readonly #complaints: readonly number[][];
  /** Those of them that qualifiers can belong to. */
  readonly #owners: (readonly number[] | undefined)[] = [];
  readonly #turns: (Marks | undefined)[] = [];

  /** @param mentions all of all texts; @param textIndex says which of them are of this one. */
  constructor(sentences: readonly ReadSentence[], mentions: readonly Mention[], textIndex: number) {
    this.#mentions = mentions;
    this.#sentences = sentences;
    this.#starts = sentences.map(({ start }) => start);
    this.#complaints = sentences.map(() => []);
    for (const [at, mention] of mentions.entries()) {
      if (mention.text_index !== textIndex || mention.section !== 'complaint' || !mention.present) continue;
      const place = this.#sentenceAt(mention.start);
      if (place >= 0 && mention.end <= sentences[place]!.end) this.#complaints[place]!.push(at);
    }
  }

  /** Positions of the findings that a qualifier of a sentence belongs to: all of its clause, or the nearest one. */
  ownersOf(place: number, { kind, start, end }: Pick<SentenceQualifier, 'kind' | 'start' | 'end'>): readonly number[] {
    const here = this.#ownersIn(place);
    if (here.length > 0) {
      const own = this.#sentences[place]!;
      const stretch = { start: own.start + start, end: own.start + end };
      spend(here.length);
      if (WHOLE_CLAUSE.has(kind)) return here.filter((at) => !this.#turnsBetween(place, this.#mentions[at]!, stretch));
      return [this.#nearest(here, stretch)];
    }
    return place > 0 && REFERS_BACK.has(kind) ? this.#complaints[place - 1]! : [];
  }

  /** The sentence that begins last before a place; -1 where none does. */
  #sentenceAt(start: number): number {
    return firstFrom(this.#starts, start + 1) - 1;
  }

  #ownersIn(place: number): readonly number[] {
    const known = this.#owners[place];
    if (known) return known;
    const { start: base, qualifiers } = this.#sentences[place]!;
    const all = this.#complaints[place]!;
    const isQualifier = coverOf(
      qualifiers
        .filter(({ kind }) => !isPlace(kind))
        .map(({ start, end }) => ({ start: base + start, end: base + end })),
    );
    // "Worse on exertion" is a finding of its own and says something about another: it is not its own trigger.
    const others = all.filter((at) => !isQualifier(this.#mentions[at]!));
    const owners = others.length > 0 ? others : all;
    this.#owners[place] = owners;
    return owners;
  }

  #turnsBetween(place: number, mention: Mention, { start, end }: { start: number; end: number }): boolean {
    const sentence = this.#sentences[place]!;
    this.#turns[place] ??= marksOf(sentence.tokens.filter((token) => TURNS.has(token.text)));
    const { tokens, starts } = this.#turns[place];
    const from = Math.min(mention.end, end) - sentence.start;
    const to = Math.max(mention.start, start) - sentence.start;
    const next = tokens[firstFrom(starts, from)];
    return next !== undefined && next.end <= to;
  }

  #nearest(owners: readonly number[], { start, end }: { start: number; end: number }): number {
    let best = owners[0]!;
    let least = Number.POSITIVE_INFINITY;
    for (const at of owners) {
      const mention = this.#mentions[at]!;
      const away = mention.start >= end ? mention.start - end : start >= mention.end ? start - mention.end : 0;
      if (away >= least) continue;
      least = away;
      best = at;
    }
    return best;
  }
}

function marksOf(tokens: readonly Token[]): Marks {
  return { tokens, starts: tokens.map(({ start }) => start) };
}

function isPlace(kind: QualifierKind): boolean {
  return kind === 'body_site' || kind === 'laterality';
}
