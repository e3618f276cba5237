import type { AssertionKind, Trigger } from '../../../knowledge/types.ts';
import { relativesOf } from './relatives.ts';
import type { Cue, Triggers } from './triggers.ts';
import { type Word, wordsOf } from './words.ts';

/** Part of a text, offsets in UTF-16 code units, end exclusive. */
export interface Place {
  start: number;
  end: number;
}

/** What a cue says about the words it reaches. */
export interface Scope extends Place {
  kind: AssertionKind;
  cue: Place;
  /** The part of the cue that makes it one: the first word of a cue that reaches forward. */
  core: Place;
}

/** No scope reaches over more words: beyond this the cue has been forgotten, and reading stays linear. */
const WORDS_MAX = 90;
const BACKWARD_MAX = 14;
const LOOK_AHEAD_MAX = 40;

/**
 * The scopes of a sentence, after NegEx (Chapman et al., J Biomed Inform 2001;34:301-10) and ConText (Harkema et al.,
 * J Biomed Inform 2009;42:839-51): a trigger reaches over the words after or before it up to a word that ends its
 * scope. Added for text as people write it: in a list of what is denied, an item that is a clause of its own, with a
 * subject, a verb, an intensity or a duration, is stated and ends the denial.
 */
export function scopesOf(text: string, triggers: Triggers): Scope[] {
  const words = wordsOf(text);
  const sentence = new Sentence(words, triggers);
  const scopes: Scope[] = [];
  const add = (kind: AssertionKind, { from, to }: { from: number; to: number }, reach: Range): void => {
    if (reach.to <= reach.from) return;
    const cue = { start: words[from]!.start, end: words[to - 1]!.end };
    const core = reach.to > from && reach.from > from ? { start: cue.start, end: words[from]!.end } : cue;
    scopes.push({ kind, cue, core, start: words[reach.from]!.start, end: words[reach.to - 1]!.end });
  };
  for (const cue of sentence.cues) {
    for (const trigger of cue.triggers) {
      const reach = sentence.reachOf(cue, trigger);
      add(trigger.kind, cue, reach);
      if (trigger.temporality !== undefined) add(trigger.temporality, cue, reach);
      if (trigger.experiencer !== undefined) add(trigger.experiencer, cue, reach);
    }
  }
  for (const { direction, ...cue } of relativesOf(words, triggers.rules)) {
    add('other', cue, direction === 'forward' ? sentence.forward(cue, OTHER) : sentence.backward(cue, 'other'));
  }
  return scopes;
}

const HEADED: ReadonlySet<AssertionKind> = new Set(['historical', 'past', 'other']);
const OTHER: Pick<Trigger, 'kind' | 'reach'> = { kind: 'other', reach: 'list' };

/** Positions of words, end exclusive. */
interface Range {
  from: number;
  to: number;
}

class Sentence {
  readonly cues: Cue[];
  readonly #words: readonly Word[];
  readonly #triggers: Triggers;
  readonly #enders: ReturnType<Triggers['endersOf']>;
  /** Positions at which a denial begins that takes over from one before it. */
  readonly #denials = new Set<number>();

  constructor(words: readonly Word[], triggers: Triggers) {
    this.#words = words;
    this.#triggers = triggers;
    this.cues = triggers.cuesOf(words);
    this.#enders = triggers.endersOf(words);
    for (const cue of this.cues) {
      if (cue.triggers.some(({ kind, direction }) => kind === 'negated' && direction === 'forward'))
        this.#denials.add(cue.from);
    }
  }

  reachOf(cue: Cue, trigger: Trigger): Range {
    // "No change in bowel habit" denies a change and says nothing of what did not change.
    if (trigger.reach === 'own') return { from: cue.from + 1, to: cue.to };
    return trigger.direction === 'forward'
      ? this.forward(cue, trigger)
      : this.backward(cue, trigger.kind, trigger.reach);
  }

  forward({ to: from }: { from: number; to: number }, { kind, reach }: Pick<Trigger, 'kind' | 'reach'>): Range {
    const last = Math.min(this.#words.length, from + WORDS_MAX);
    // A heading speaks of all that stands under it: "Past history: the patient has asthma and reports a stroke".
    if (HEADED.has(kind) && this.#words[from]?.text === ':') return { from, to: this.#nextBorder(from + 1, last) };
    const wordsMax = reach === 'word' ? 1 : reach === 'word3' ? 3 : Number.POSITIVE_INFINITY;
    let hadAlternative = false;
    let count = 0;
    for (let at = from; at < last; at += 1) {
      const word = this.#words[at]!;
      if (word.kind === 'border') {
        if (this.#colonLeadsOn(at, from, kind)) continue;
        return { from, to: at };
      }
      if (at > from && this.#ends(at, kind)) return { from, to: at };
      if (at > from && kind === 'negated' && this.#denials.has(at)) return { from, to: at };
      if (this.#triggers.alternatives.has(word.text)) hadAlternative = true;
      if (word.kind === 'comma' || this.#triggers.joins.has(word.text)) {
        if (this.#itemEnds(at, from, kind, reach, hadAlternative)) return { from, to: at };
        continue;
      }
      count += 1;
      if (count >= wordsMax) return { from, to: at + 1 };
    }
    return { from, to: last };
  }

  backward({ from: to }: { from: number; to: number }, kind: AssertionKind, reach: Trigger['reach'] = 'phrase'): Range {
    const first = Math.max(0, to - (reach === 'word' ? 1 : BACKWARD_MAX));
    let from = to;
    for (let at = to - 1; at >= first; at -= 1) {
      const word = this.#words[at]!;
      if (word.kind === 'border') break;
      const isNear = at === to - 1;
      if (word.kind === 'comma' && !isNear) break;
      if (this.#ends(at, kind) && !this.#onlyLight(at, to)) break;
      if (this.#triggers.joins.has(word.text) && !isNear && this.#hasVerb(Math.max(0, at - 12), at)) break;
      from = at;
    }
    // What began years ago is not over.
    const isOver = kind !== 'past' || !this.#words.slice(from, to).some((word) => this.#triggers.onset.has(word.text));
    return isOver ? { from, to } : { from: to, to };
  }

  #nextBorder(from: number, last: number): number {
    let to = from;
    while (to < last && this.#words[to]!.kind !== 'border') to += 1;
    return to;
  }

  /** "Past history: asthma", "call if any of these: fever": the colon leads to what is meant. */
  #colonLeadsOn(at: number, from: number, kind: AssertionKind): boolean {
    if (this.#words[at]!.text !== ':') return false;
    return at === from || kind === 'hypothetical' || this.#words[at - 1]!.text === 'following';
  }

  #ends(at: number, kind: AssertionKind): boolean {
    const kinds = this.#enders.get(at)?.kinds;
    // What may come is told in whole clauses: "if he develops a fever".
    return kinds !== undefined && (kinds.has(kind) || (kinds.has('all') && kind !== 'hypothetical'));
  }

  /** "Weakness, but it seems to have resolved": between the turn and the cue the subject is the one before. */
  #onlyLight(at: number, to: number): boolean {
    const after = this.#enders.get(at)?.to ?? at + 1;
    const between = this.#words.slice(after, to);
    return between.length > 0 && between.every((word) => this.#triggers.light.has(word.text));
  }

  /** Whether the list ends at this comma or "and", because what follows is stated and no longer part of it. */
  #itemEnds(at: number, from: number, kind: AssertionKind, reach: Trigger['reach'], hadAlternative: boolean): boolean {
    const word = this.#words[at]!;
    const isAlternative = this.#triggers.alternatives.has(word.text);
    const next = this.#words[at + 1];
    if (next === undefined) return false;
    // "Chills, and now": the join after a comma is looked at by itself.
    if (word.kind === 'comma' && this.#triggers.joins.has(next.text)) return false;
    if (this.#triggers.subjects.has(next.text) && !this.#isNounAfterArticle(at + 1)) return true;
    if (kind !== 'negated') return false;
    if (isAlternative) return false;
    if (at === from) return false;
    const goesOn = this.#alternativeAhead(at + 1);
    if (reach === 'phrase') return !goesOn;
    if (this.#isClause(at + 1)) return true;
    if (reach === 'all') return false;
    if (hadAlternative && word.kind === 'comma') return !goesOn;
    return !goesOn && this.#isEmphatic(at + 1);
  }

  /** "No redness or the swelling": an article alone starts no sentence. */
  #isNounAfterArticle(at: number): boolean {
    return this.#words[at]!.text === 'the' && !this.#isClause(at + 1);
  }

  #itemEnd(from: number): number {
    let to = from;
    while (to < this.#words.length && to < from + LOOK_AHEAD_MAX) {
      const word = this.#words[to]!;
      if (word.kind !== 'word' || this.#triggers.joins.has(word.text)) break;
      if (to > from && this.#ends(to, 'negated')) break;
      to += 1;
    }
    return to;
  }

  /** Whether the item has a verb of its own; "is seen" and "are noted" say nothing but that it was looked for. */
  #isClause(from: number): boolean {
    const to = this.#itemEnd(from);
    for (let at = from; at < to; at += 1) {
      if (!this.#triggers.verbs.has(this.#words[at]!.text)) continue;
      if (this.#triggers.seen.has(this.#words[at + 1]?.text ?? '')) return false;
      return true;
    }
    return false;
  }

  #isEmphatic(from: number): boolean {
    const to = this.#itemEnd(from);
    return this.#words.slice(from, to + 1).some((word) => this.#triggers.emphasis.has(word.text));
  }

  #hasVerb(from: number, to: number): boolean {
    for (let at = to - 1; at >= from; at -= 1) {
      if (this.#words[at]!.kind === 'border') return false;
      if (this.#triggers.verbs.has(this.#words[at]!.text)) return true;
    }
    return false;
  }

  /** Whether an "or" further on joins what stands here to the list: "no fever, chills or cough". */
  #alternativeAhead(from: number): boolean {
    const last = Math.min(this.#words.length, from + LOOK_AHEAD_MAX);
    for (let at = from; at < last; at += 1) {
      const word = this.#words[at]!;
      if (word.kind === 'border' || this.#ends(at, 'negated') || this.#denials.has(at)) return false;
      if (this.#triggers.alternatives.has(word.text)) return true;
      if (word.kind === 'comma' || this.#triggers.joins.has(word.text)) {
        const next = this.#words[at + 1];
        if (next === undefined || this.#triggers.subjects.has(next.text) || this.#isClause(at + 1)) return false;
      }
    }
    return false;
  }
}
