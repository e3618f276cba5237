import { Z } from './distributions.ts';

/** Two ends of an interval. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** An estimate with the ends of its 95 % interval. */
export interface Estimate extends Bounds {
  readonly estimate: number;
}

/** What is symmetric about `log(estimate)` with this standard error. */
export function aroundLog(estimate: number, error: number): Estimate {
  return { estimate, low: estimate * Math.exp(-Z * error), high: estimate * Math.exp(Z * error) };
}

/** The same bounds in another unit. */
export function times({ low, high }: Bounds, factor: number): Bounds {
  return { low: low * factor, high: high * factor };
}
