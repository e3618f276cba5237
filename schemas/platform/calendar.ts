/** Calendar days as `YYYY-MM-DD` strings: they compare as text, so no time zone can slip in. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** Whether the text is a day that exists: `2024-02-30` is not. */
export function isDay(text: string): boolean {
  const match = DAY.exec(text);
  if (!match) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
}

/** The day (UTC) of an instant. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The day `months` later; a day that the month lacks becomes its last (2023-08-31 + 6 → 2024-02-29). */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const target = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date, last));
  return dayOf(target);
}

/** The day `days` later. */
export function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));
}

/** Seconds since the epoch of the day's first moment, 00:00 UTC. */
export function epochSeconds(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

/** The day's first moment as an HTTP date (RFC 9110, section 5.6.7). */
export function httpDate(day: string): string {
  return new Date(`${day}T00:00:00Z`).toUTCString();
}
