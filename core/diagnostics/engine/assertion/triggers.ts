import type { Assertions, Trigger } from '../../../knowledge/types.ts';
import type { Word } from './words.ts';

/** What a cue does; `null` for a cue that only looks like one. */
export type Action = Trigger | null;

interface Node {
  next: Map<string, Node>;
  actions: Action[];
}

/** A cue found in a sentence: the positions of its words, end exclusive, and what it does. */
export interface Cue {
  from: number;
  to: number;
  triggers: Trigger[];
}

/** The triggers of a language, ready to be looked for. Built once. */
export class Triggers {
  readonly rules: Assertions;
  readonly ends: ReadonlyMap<string, ReadonlySet<string>>;
  readonly subjects: ReadonlySet<string>;
  readonly verbs: ReadonlySet<string>;
  readonly seen: ReadonlySet<string>;
  readonly emphasis: ReadonlySet<string>;
  readonly light: ReadonlySet<string>;
  readonly onset: ReadonlySet<string>;
  readonly joins: ReadonlySet<string>;
  readonly alternatives: ReadonlySet<string>;
  readonly #denials: ReadonlySet<string>;
  readonly #normals: ReadonlySet<string>;
  readonly #contracted: ReadonlySet<string>;
  readonly #cues: Node = { next: new Map(), actions: [] };
  readonly #enders: Node = { next: new Map(), actions: [] };
  readonly #enderKinds = new Map<string, Set<string>>();

  constructor(rules: Assertions) {
    this.rules = rules;
    for (const trigger of rules.triggers) for (const cue of trigger.cues) put(this.#cues, cue, trigger);
    for (const cue of rules.pseudo) put(this.#cues, cue, null);
    const alone = (kind: Trigger['kind']): Set<string> =>
      new Set(
        rules.triggers
          .filter((one) => one.kind === kind)
          .flatMap(({ cues }) => cues)
          .filter((cue) => !cue.includes(' ')),
      );
    this.#denials = alone('negated');
    this.#normals = alone('normal');
    this.ends = new Map(Object.entries(rules.ends).map(([kind, cues]) => [kind, new Set(cues)]));
    for (const [kind, cues] of Object.entries(rules.ends)) {
      for (const cue of cues) {
        put(this.#enders, cue, null);
        this.#enderKinds.set(cue, (this.#enderKinds.get(cue) ?? new Set()).add(kind));
      }
    }
    this.subjects = new Set(rules.subjects);
    this.verbs = new Set(rules.verbs);
    this.seen = new Set(rules.seen);
    this.emphasis = new Set(rules.emphasis);
    this.light = new Set(rules.light);
    this.onset = new Set(rules.onset);
    this.joins = new Set(rules.list_joins);
    this.alternatives = new Set(rules.alternatives);
    this.#contracted = new Set(rules.contractions.words);
  }

  /** The cues of a sentence, the longest at each place; none overlaps another. */
  cuesOf(words: readonly Word[]): Cue[] {
    const cues: Cue[] = [];
    for (let at = 0; at < words.length; ) {
      const found = this.#longest(this.#cues, words, at);
      if (found === null) {
        at += 1;
        continue;
      }
      const triggers = found.actions.filter((action) => action !== null);
      // A wording that is listed as no cue is none, whatever shorter cue it begins with.
      if (triggers.length === found.actions.length) cues.push({ from: at, to: found.to, triggers });
      at = found.to;
    }
    return cues;
  }

  /** Where words that end scopes of this kind stand: the position after them, by the position of the first. */
  endersOf(words: readonly Word[]): Map<number, { to: number; kinds: ReadonlySet<string> }> {
    const enders = new Map<number, { to: number; kinds: ReadonlySet<string> }>();
    for (let at = 0; at < words.length; at += 1) {
      const found = this.#longest(this.#enders, words, at);
      if (found === null) continue;
      const cue = words
        .slice(at, found.to)
        .map((word) => word.text)
        .join(' ');
      enders.set(at, { to: found.to, kinds: this.#enderKinds.get(cue) ?? NONE });
    }
    return enders;
  }

  /** True for "can't", "didnt": words that hold a denial. */
  denies(word: string): boolean {
    return this.#contracted.has(word) || this.rules.contractions.endings.some((ending) => word.endsWith(ending));
  }

  /** True where the word by itself denies: "no", "denies", "can't". */
  isDenial(word: string): boolean {
    return this.#denials.has(word) || this.denies(word);
  }

  /** True where the word by itself says that all is well: "normal". */
  isNormal(word: string): boolean {
    return this.#normals.has(word);
  }

  #longest(root: Node, words: readonly Word[], at: number): { to: number; actions: Action[] } | null {
    let node: Node | undefined = root;
    let best: { to: number; actions: Action[] } | null = null;
    for (let place = at; place < words.length && node !== undefined; place += 1) {
      const word = words[place]!;
      if (word.kind !== 'word') break;
      node = this.#step(node, word.text);
      if (node !== undefined && node.actions.length > 0) best = { to: place + 1, actions: node.actions };
    }
    return best;
  }

  #step({ next }: Node, word: string): Node | undefined {
    const plain = next.get(word);
    if (plain !== undefined) return plain;
    if (this.denies(word)) return next.get(this.rules.contractions.means);
    if (YEAR.test(word)) return next.get('####') ?? next.get('#');
    return NUMBER.test(word) || this.rules.numbers.includes(word) ? next.get('#') : undefined;
  }
}

const NONE: ReadonlySet<string> = new Set();
const YEAR = /^(?:19|20)\d\d$/;
const NUMBER = /^\d+$/;

function put(root: Node, cue: string, action: Action): void {
  let node = root;
  for (const word of cue.split(' ')) {
    let next = node.next.get(word);
    if (next === undefined) {
      next = { next: new Map(), actions: [] };
      node.next.set(word, next);
    }
    node = next;
  }
  node.actions.push(action);
}
