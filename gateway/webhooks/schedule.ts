const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How long after each failed attempt the next one follows: the schedule of Standard Webhooks, ten attempts in a little
 * more than three days.
 */
export const retryDelaysMs: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Upper bound of Retry-After. */
export const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;
/** By how much of it a delay varies, so that deliveries that failed together do not come back together. */
const JITTER = 0.2;

/** What decides when a delivery is tried again. */
export interface RetryRules {
  readonly delaysMs: readonly number[];
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * When a delivery is tried again after a failed attempt, or undefined when that was the last.
 * @param tries failed attempts before this one.
 * @param retryAfterMs what the receiver asked for; the delay is never shorter.
 */
export function nextAttempt(rules: RetryRules, tries: number, retryAfterMs: number | undefined): Date | undefined {
  const delayMs = rules.delaysMs[tries];
  if (delayMs === undefined) return undefined;
  const jittered = delayMs * (1 + JITTER * rules.random());
  return new Date(rules.now() + Math.max(jittered, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX)));
}

/** The time that a `Retry-After` asks for (RFC 9110, section 10.2.3): seconds, or a date. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  // Only the form of HTTP's dates: `Date.parse` reads much that is none.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
