import { SMALL_CELL } from './disclosure.ts';

/** Criteria as numbers: every clause must hold, and of a clause at least one of its criteria. */
export type Clauses = readonly (readonly number[])[];

/** How many people there are for whom exactly the criteria of the mask's set bits hold. */
export interface MaskCount {
  readonly mask: number;
  readonly people: number;
}

/** Whether the clauses hold for people of a mask. */
export function holds(clauses: Clauses, mask: number): boolean {
  return clauses.every((clause) => clause.some((criterion) => (mask & (1 << criterion)) !== 0));
}

/**
 * Leaves out what tells fewer than five people apart: a criterion, or a whole clause, without which fewer than five people would
 * come or go. Somebody who adds "and has not X" to a question, to see whether the answer changes by the one person
 * known to have X, gets the very same answer (the "low-effect conditions" of Francis et al., Diffix, 2017).
 * The one with the least effect goes first, and after it all are looked at anew. No clauses: everybody.
 */
export function prune(clauses: Clauses, counts: readonly MaskCount[]): Clauses {
  let current = clauses;
  for (;;) {
    const weakest = removals(current)
      .map((without) => ({ without, effect: effectOf(current, without, counts) }))
      .filter(({ effect }) => effect < SMALL_CELL)
      .reduce<{ without: Clauses; effect: number } | undefined>(
        (least, each) => (least && least.effect <= each.effect ? least : each),
        undefined,
      );
    if (!weakest) return current;
    current = weakest.without;
  }
}

function removals(clauses: Clauses): readonly Clauses[] {
  const found: Clauses[] = [];
  for (const [at, clause] of clauses.entries()) {
    found.push(clauses.filter((_, index) => index !== at));
    if (clause.length < 2) continue;
    for (const criterion of clause.keys()) {
      const shorter = clause.filter((_, index) => index !== criterion);
      found.push(clauses.map((each, index) => (index === at ? shorter : each)));
    }
  }
  return found;
}

function effectOf(one: Clauses, other: Clauses, counts: readonly MaskCount[]): number {
  let people = 0;
  for (const each of counts) if (holds(one, each.mask) !== holds(other, each.mask)) people += each.people;
  return people;
}
