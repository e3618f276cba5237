import type { intervals } from '@perennial/schemas/resources/analytics.ts';

/** Months as numbers: years times twelve plus the month from 0. All of it is UTC. */
export type MonthNumber = number;

/** Length of a period. */
export type Interval = (typeof intervals)[number];

/** A period of a series. */
export interface Period {
  readonly name: string;
  /** First and last month. */
  readonly first: MonthNumber;
  readonly last: MonthNumber;
}

/** Reads `2023-10`. */
export function monthOf(text: string): MonthNumber {
  return Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1;
}

/** The month of an instant. */
export function monthAt(date: Date): MonthNumber {
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Writes `2023-10`. */
export function monthName(month: MonthNumber): string {
  return firstDay(month).slice(0, 7);
}

/** First day of a month as `YYYY-MM-DD`. */
export function firstDay(month: MonthNumber): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}

/** Last day of a month as `YYYY-MM-DD`. */
export function lastDay(month: MonthNumber): string {
  return new Date(Date.parse(`${firstDay(month + 1)}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

/** The periods that the months from `first` to `last` touch, oldest first: whole quarters and years. */
export function periodsOf(first: MonthNumber, last: MonthNumber, interval: Interval): readonly Period[] {
  const length = monthsOf[interval];
  const periods: Period[] = [];
  for (let start = Math.floor(first / length) * length; start <= last; start += length) {
    periods.push({ name: nameOf(start, interval), first: start, last: start + length - 1 });
  }
  return periods;
}

/** Months of a period. */
export const monthsOf: Readonly<Record<Interval, number>> = { month: 1, quarter: 3, year: 12 };

function nameOf(start: MonthNumber, interval: Interval): string {
  const year = String(Math.floor(start / 12));
  switch (interval) {
    case 'month':
      return monthName(start);
    case 'quarter':
      return `${year}-Q${Math.floor((start % 12) / 3) + 1}`;
    case 'year':
      return year;
  }
}
