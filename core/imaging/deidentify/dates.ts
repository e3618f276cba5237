import { createHmac } from 'node:crypto';

const DAY_MS = 86_400_000;
/** Between a month and ten years: enough to hide the season, and no date lies before the files had dates. */
const DAYS_MIN = 30;
const DAYS_MAX = 3_650;

/**
 * By how many days the dates of a patient become earlier: always the same ones, so that what lies between two of them
 * stays, and nobody without the key can tell. @param key of the account.
 */
export function daysEarlier(key: Uint8Array, patientId: string): number {
  const hash = createHmac('sha256', key).update(`dates|${patientId}`).digest();
  return DAYS_MIN + (hash.readUInt32BE(0) % (DAYS_MAX - DAYS_MIN + 1));
}

/** A value of DA or DT, or several with backslashes between, so many days earlier; what is no date becomes empty. */
export function shifted(value: string, days: number): string {
  return value
    .split('\\')
    .map((each) => {
      const [, year, month, day, rest = ''] = /^(\d{4})(\d{2})(\d{2})(.*)$/.exec(each.trim()) ?? [];
      const time = Date.UTC(Number(year), Number(month) - 1, Number(day));
      // A year or a month alone cannot be moved by days.
      if (day === undefined || !/^[\d.+-]*$/.test(rest) || !Number.isFinite(time)) return '';
      return `${new Date(time - days * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}${rest}`;
    })
    .join('\\');
}
