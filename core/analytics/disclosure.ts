import { createHmac } from 'node:crypto';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';
import type { DisclosureControl } from '@perennial/schemas/resources/analytics.ts';
import type { Estimate } from './statistics/interval.ts';

/*
 * How numbers of people are published so that no number, and no difference of numbers, tells of few people.
 *
 * The people an answer speaks of are laid in one fixed order of cells: months since the first, or age bands and within
 * each the sexes. Not the cells are rounded, but the running totals C(1) ≤ C(2) ≤ …, each down to the multiple of five
 * below C + o, where o is a number from 0 to 4 that the account has and nobody is told. What is published of a cell is
 * the difference of two rounded running totals, and of any group of cells (a total, a wider band, a quarter) the sum
 * of its cells. So all answers about the same people, however their bands or months overlap, are sums of one fixed
 * list of multiples of five: subtracting them from each other gives back members of the list and nothing else.
 *
 * What the list gives away: a cell of 0 stands for 0 to 4 people, a cell of 5 for 1 to 9, a cell of 10 for 6 to 14, and
 * every value in that range can be the true one whatever the others are, because each running total can lie anywhere
 * in its own interval of five. Therefore cells of 0 and 5 are not shown (null): every group of fewer than five people is
 * suppressed, together with some of five to nine people (the complement that keeps the small ones from being recognised by
 * being the only ones missing), and whoever subtracts what is shown from a total learns "0 to 4" or "1 to 9" at most.
 *
 * The same people give the same numbers whoever asks and in whatever words: nothing can be averaged out by asking again.
 * Where people are chosen by criteria, `prune.ts` makes sure that a criterion which tells fewer than five people apart makes no
 * difference at all.
 */

/** Groups of fewer people are never shown. */
export const SMALL_CELL = 5;

/** Rounds the numbers of one account. */
export class Rounding {
  readonly #offset: number;

  /** @param secret must stay the same: the offset is derived from it. */
  constructor(secret: string, accountId: AccountId) {
    this.#offset = createHmac('sha256', secret).update(`analytics:${accountId}`).digest().readUInt32BE(0) % SMALL_CELL;
  }

  /** A running total as it may be used in answers. */
  total(count: number): number {
    return Math.floor((count + this.#offset) / SMALL_CELL) * SMALL_CELL;
  }

  /** Cells of one partition, in its fixed order, as they may be used in answers. */
  cells(counts: readonly number[]): readonly number[] {
    let running = 0;
    return counts.map((count) => {
      const before = this.total(running);
      running += count;
      return this.total(running) - before;
    });
  }

  /** A rounded number of people as answered: null when it might stand for fewer than five. */
  shown(rounded: number): number | null {
    return shown(rounded);
  }

  /** A figure worked out from rounded numbers, to `digits` decimals. */
  figure(value: number, digits: number): number {
    return Number(value.toFixed(digits));
  }

  /** Whether rounding `cases` may move an estimate made of them further than half of what chance does. */
  isCoarse(cases: number, { estimate, low, high }: Estimate): boolean {
    return Math.abs(estimate) * (SMALL_CELL - 1) > (cases * (high - low)) / 4;
  }
}

/** A rounded number of people as answered: null when it might stand for fewer than five. */
export function shown(rounded: number): number | null {
  return rounded < 2 * SMALL_CELL ? null : rounded;
}

/** A ratio of two rounded numbers, to `digits` decimals; null when either is suppressed. */
export function ratio(part: number, whole: number, factor = 1, digits = 3): number | null {
  if (shown(part) === null || shown(whole) === null) return null;
  return Number(((part / whole) * factor).toFixed(digits));
}

/** The same for every answer. */
export const disclosureControl: DisclosureControl = {
  method: 'cumulative_rounding',
  suppressed_below: SMALL_CELL,
  rounded_to: SMALL_CELL,
  shown_from: 2 * SMALL_CELL,
  explanation:
    'Numbers of people are multiples of five and lie within four of the true one for single groups; totals are sums of what their groups were rounded to. Groups of fewer than five people, and some of up to nine, are null. Criteria that tell fewer than five people apart make no difference.',
};
