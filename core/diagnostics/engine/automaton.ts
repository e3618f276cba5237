import type { Step } from './saying-syntax.ts';

/** A word as sayings compare it. */
export interface Unit {
  stem: string;
  /** A mark over which no saying reaches. */
  isBorder: boolean;
  /** A word that denies: none stands in a gap. */
  denies: boolean;
}

/** A state of the automaton of all sayings. */
interface State {
  words: Map<string, number[]>;
  numbers: { min: number; to: number }[];
  /** Where any word leads that does not deny. */
  gap: number | null;
  free: number[];
  accepts: { finding: string; unless: ReadonlySet<string> | null } | null;
}

/** States reached together, and where the next word leads from them: worked out when first asked for. */
interface Reached {
  states: number[];
  next: Map<string, Reached | null>;
}

/** How far behind a saying the word may stand that makes it mean something else. */
const UNLESS_WITHIN = 5;
/** No saying is longer. */
const UNITS_MAX = 40;
const START = 0;

/** Finds all sayings at once, in time that grows with the text and not with their number. */
export class Automaton {
  readonly #states: State[] = [empty()];
  readonly #alphabet = new Set<string>();
  readonly #known = new Map<string, Reached>();
  #start: Reached | null = null;

  add(finding: string, steps: readonly Step[]): void {
    const last = steps.at(-1)!;
    const unless = last.kind === 'unless' ? last.stems : null;
    const end = this.#build(steps, START);
    const accepting = this.#new();
    this.#states[end]!.free.push(accepting);
    this.#states[accepting]!.accepts = { finding, unless };
    this.#start = null;
  }

  /** The findings whose sayings begin at this unit, each with the position after its longest saying. */
  from(units: readonly Unit[], begin: number): Map<string, number> {
    const found = new Map<string, number>();
    this.#start ??= this.#reached(this.#closed([START]));
    let here: Reached | null = this.#start;
    const last = Math.min(units.length, begin + UNITS_MAX);
    for (let at = begin; at < last && here !== null; at += 1) {
      here = this.#step(here, units[at]!);
      if (here === null) break;
      for (const state of here.states) {
        const accepts = this.#states[state]!.accepts;
        if (accepts === null) continue;
        const after = units.slice(at + 1, at + 1 + UNLESS_WITHIN);
        if (accepts.unless !== null && after.some(({ stem }) => accepts.unless!.has(stem))) continue;
        found.set(accepts.finding, at + 1);
      }
    }
    return found;
  }

  #step(here: Reached, unit: Unit): Reached | null {
    if (unit.isBorder) return null;
    const number = Number.parseFloat(unit.stem);
    if (!Number.isNaN(number)) return this.#follow(here, unit, number);
    const key = `${this.#alphabet.has(unit.stem) ? unit.stem : ''}${unit.denies ? '!' : ''}`;
    const known = here.next.get(key);
    if (known !== undefined) return known;
    const next = this.#follow(here, unit, null);
    here.next.set(key, next);
    return next;
  }

  #follow({ states }: Reached, unit: Unit, number: number | null): Reached | null {
    const next: number[] = [];
    for (const at of states) {
      const state = this.#states[at]!;
      next.push(...(state.words.get(unit.stem) ?? []));
      if (state.gap !== null && !unit.denies) next.push(state.gap);
      if (number !== null) for (const { min, to } of state.numbers) if (number >= min) next.push(to);
    }
    return next.length === 0 ? null : this.#reached(this.#closed(next));
  }

  #reached(states: number[]): Reached {
    const key = states.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made: Reached = { states, next: new Map() };
    this.#known.set(key, made);
    return made;
  }

  /** The states with all that are reached from them without a word, in order. */
  #closed(states: readonly number[]): number[] {
    const all = new Set(states);
    for (const state of all) for (const next of this.#states[state]!.free) all.add(next);
    return [...all].sort((a, b) => a - b);
  }

  /** Adds the steps after a state. @returns the state after the last of them. */
  #build(steps: readonly Step[], from: number): number {
    let here = from;
    for (const step of steps) here = this.#buildOne(step, here);
    return here;
  }

  #buildOne(step: Step, from: number): number {
    if (step.kind === 'unless') return from;
    if (step.kind === 'gap') {
      const end = this.#new();
      let here = from;
      for (let word = 0; word < step.wordsMax; word += 1) {
        const next = this.#new();
        // A state of its own, so that nobody else's words are skipped.
        const gap = this.#new();
        this.#states[here]!.free.push(gap, end);
        this.#states[gap]!.gap = next;
        here = next;
      }
      this.#states[here]!.free.push(end);
      return end;
    }
    const end = this.#new();
    if (step.kind === 'number') {
      this.#states[from]!.numbers.push({ min: step.min, to: end });
      return end;
    }
    if (step.kind === 'word') {
      this.#alphabet.add(step.stem);
      const leads = this.#states[from]!.words;
      leads.set(step.stem, [...(leads.get(step.stem) ?? []), end]);
      return end;
    }
    for (const alternative of step.alternatives) {
      const begin = this.#new();
      this.#states[from]!.free.push(begin);
      this.#states[this.#build(alternative, begin)]!.free.push(end);
    }
    if (step.isOptional) this.#states[from]!.free.push(end);
    return end;
  }

  #new(): number {
    return this.#states.push(empty()) - 1;
  }
}

function empty(): State {
  return { words: new Map(), numbers: [], gap: null, free: [], accepts: null };
}
