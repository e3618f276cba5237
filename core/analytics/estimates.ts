import type { ConfidenceInterval } from '@perennial/schemas/resources/confidence-interval.ts';
import type { Rounding } from './disclosure.ts';
import { LEVEL } from './statistics/distributions.ts';
import type { Estimate } from './statistics/interval.ts';

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
