import type { Rounding } from './disclosure.ts';

/** A rounded running total: of everybody counted at a place of a series or before it. */
export type Running = (at: number) => number;

/** The rounded running total of people counted at places of a series. */
export function running(
  rounding: Rounding,
  rows: readonly { readonly at: number; readonly people: number }[],
): Running {
  const sorted = [...rows].sort((a, b) => a.at - b.at);
  const totals: number[] = [];
  let total = 0;
  for (const { people } of sorted) {
    total += people;
    totals.push(total);
  }
  return (at) => {
    // The last of those that do not lie behind.
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return rounding.total(low === 0 ? 0 : (totals[low - 1] ?? 0));
  };
}
