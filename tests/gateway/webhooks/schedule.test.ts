import { describe, expect, test } from '@jest/globals';
import {
  nextAttempt,
  RETRY_AFTER_MS_MAX,
  readRetryAfter,
  retryDelaysMs,
} from '@perennial/gateway/webhooks/schedule.ts';

const noon = Date.parse('2023-11-01T12:00:00Z');
const rules = (random: number) => ({ delaysMs: retryDelaysMs, now: () => noon, random: () => random });
const afterMs = (tries: number, random: number, retryAfterMs?: number): number | undefined => {
  const next = nextAttempt(rules(random), tries, retryAfterMs);
  return next && next.getTime() - noon;
};

describe('the schedule', () => {
  test('is that of Standard Webhooks: ten attempts, the last more than three days after the first', () => {
    expect(retryDelaysMs.map((delay) => delay / 1000)).toEqual([
      5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ]);
    expect(afterMs(8, 0)).toBe(86_400_000);
    expect(afterMs(9, 0)).toBeUndefined();
  });

  test('spreads what failed together', () => {
    expect([afterMs(1, 0), afterMs(1, 0.5), afterMs(1, 1)]).toEqual([300_000, 330_000, 360_000]);
  });

  test('is never shorter than a receiver asks for, and longer only within a day', () => {
    expect(afterMs(0, 0, 60_000)).toBe(60_000);
    expect(afterMs(1, 0, 60_000)).toBe(300_000);
    expect(afterMs(0, 0, 10 * RETRY_AFTER_MS_MAX)).toBe(RETRY_AFTER_MS_MAX);
  });
});

describe('Retry-After', () => {
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Wed, 01 Nov 2023 12:01:00 GMT', 60_000],
    ['Wed, 01 Nov 2023 11:00:00 GMT', 0],
  ])('%s is read', (header, ms) => {
    expect(readRetryAfter(header, noon)).toBe(ms);
  });

  test.each([undefined, '', 'soon', '-5', '1.5', '2023-11-01', 'Xyz, 99 Foo 2023 12:00:00 GMT'])(
    '%s says nothing',
    (header) => {
      expect(readRetryAfter(header, noon)).toBeUndefined();
    },
  );
});
