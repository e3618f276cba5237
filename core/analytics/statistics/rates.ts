import { gammaQuantile, TAIL } from './distributions.ts';
import type { Bounds } from './interval.ts';

/**
 * Exact interval of the mean of a Poisson count.
 * Garwood F. Fiducial limits for the Poisson distribution. Biometrika 1936;28:437-442.
 */
export function poisson(events: number): Bounds {
  return {
    low: events === 0 ? 0 : gammaQuantile(TAIL, events),
    high: gammaQuantile(1 - TAIL, events + 1),
  };
}
