import { ageBands } from '@perennial/schemas/resources/analytics.ts';
import { sexes } from '@perennial/schemas/resources/patient.ts';
import type { CellRow } from './store.ts';

/* The fixed order in which people are laid: age band by age band, and in each the sexes. */

/** People by the criteria that hold for them. */
export function byMask(rows: readonly CellRow[]): readonly { readonly mask: number; readonly people: number }[] {
  const people = new Map<number, number>();
  for (const row of rows) people.set(row.mask, (people.get(row.mask) ?? 0) + row.people);
  return [...people].map(([mask, count]) => ({ mask, people: count }));
}

/** The sets of criteria of some rows. */
export function masksOf(rows: readonly CellRow[]): readonly number[] {
  return [...new Set(rows.map(({ mask }) => mask))];
}

/** People by cell. */
export function cellsOf(rows: readonly CellRow[]): readonly number[] {
  const cells = emptyCells();
  for (const row of rows) addTo(cells, row, row.people);
  return cells;
}

/** Nobody in any cell. */
export function emptyCells(): number[] {
  return ageBands.flatMap(() => sexes.map(() => 0));
}

/** Adds people to the cell of a band and a sex. */
export function addTo(cells: number[], row: { readonly band: number; readonly sex: string }, people: number): void {
  const at = row.band * sexes.length + (sexes as readonly string[]).indexOf(row.sex);
  cells[at] = (cells[at] ?? 0) + people;
}

/** Age band by age band, the sum of its sexes. */
export function byBand(cells: readonly number[]): readonly number[] {
  return ageBands.map((_, band) => sum(cells.slice(band * sexes.length, (band + 1) * sexes.length)));
}

/** Sex by sex, the sum of its age bands. */
export function bySex(cells: readonly number[]): readonly number[] {
  return sexes.map((_, place) => sum(cells.filter((_each, at) => at % sexes.length === place)));
}

/** Sum of numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
