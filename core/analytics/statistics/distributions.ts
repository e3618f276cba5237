import jstat from 'jstat';

const { jStat } = jstat;

/** Two-sided level of every interval of the category. */
export const LEVEL = 0.95;

/** What each side of such an interval leaves out. */
export const TAIL = (1 - LEVEL) / 2;

/** Distance of the ends of such an interval from the mean of a normal distribution, in standard deviations. */
export const Z = jStat.normal.inv(1 - TAIL, 0, 1);

/** What of a gamma distribution of `shape` and scale 1 lies below `probability`. */
export function gammaQuantile(probability: number, shape: number): number {
  return jStat.gammapinv(probability, shape);
}

/** Share of a chi-squared distribution that lies above `value`. */
export function chiSquaredAbove(value: number, degrees: number): number {
  return 1 - jStat.chisquare.cdf(value, degrees);
}
