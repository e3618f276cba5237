import type { ConfidenceInterval } from '@perennial/schemas/resources/confidence-interval.ts';
import type { Rounding } from './disclosure.ts';
import { LEVEL } from './statistics/distributions.ts';
import type { Estimate } from './statistics/interval.ts';
import { wilson } from './statistics/proportions.ts';

const SHARE_DIGITS = 4;

/** How an estimate is told. */
export interface Telling {
  /** The smallest rounded number that the estimate hangs on. */
  readonly cases: number;
  readonly method: ConfidenceInterval['method'];
  /** Decimals. */
  readonly digits: number;
}

/** An interval as answered. */
export function toInterval(rounding: Rounding, found: Estimate, telling: Telling): ConfidenceInterval {
  const { cases, method, digits } = telling;
  return {
    level: LEVEL,
    low: rounding.figure(found.low, digits),
    high: rounding.figure(found.high, digits),
    method,
    is_coarse: rounding.isCoarse(cases, found),
  };
}

/** The interval of a share of rounded numbers, from 0 to 1; null where one of them is not shown. */
export function shareInterval(rounding: Rounding, part: number, whole: number): ConfidenceInterval | null {
  if (rounding.shown(part) === null || rounding.shown(whole) === null || whole === 0 || part > whole) return null;
  const found = { estimate: part / whole, ...wilson(part, whole) };
  return toInterval(rounding, found, { cases: part, method: 'wilson', digits: SHARE_DIGITS });
}
