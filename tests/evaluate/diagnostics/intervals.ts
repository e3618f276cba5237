/** Standard normal quantile of a two-sided 95 % interval. */
const QUANTILE = 1.96;
const RESAMPLES = 2000;

/** A share and the interval that holds the true one 95 times in 100. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** A share of independent trials, with the interval of Wilson (1927). */
export function shareOf(hits: number, trials: number): Estimate | null {
  if (trials === 0) return null;
  const value = hits / trials;
  const square = QUANTILE ** 2 / trials;
  const middle = (value + square / 2) / (1 + square);
  const half =
    (QUANTILE * Math.sqrt((value * (1 - value)) / trials + QUANTILE ** 2 / (4 * trials ** 2))) / (1 + square);
  return { value, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/**
 * A statistic of items with its 95 % percentile bootstrap interval (Efron, 1979). The draws come from a fixed seed,
 * so that the same items give the same interval.
 */
export function bootstrapOf<T>(items: readonly T[], statistic: (items: readonly T[]) => number): Estimate {
  const random = generator(20010301);
  const drawn: number[] = [];
  for (let round = 0; round < RESAMPLES; round += 1) {
    drawn.push(statistic(items.map(() => items[Math.floor(random() * items.length)]!)));
  }
  drawn.sort((a, b) => a - b);
  const at = (share: number): number =>
    drawn[Math.min(drawn.length - 1, Math.floor(share * drawn.length))] ?? Number.NaN;
  return { value: statistic(items), low: at(0.025), high: at(0.975) };
}

/** Draws between 0 and 1 that are the same every time. */
export function seeded(): () => number {
  return generator(20010301);
}

/** Mulberry32: a small generator, good enough to draw with. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** "95.1 % (93.0 to 96.7)". */
export function percentOf(estimate: Estimate | null): string {
  if (estimate === null || Number.isNaN(estimate.value)) return 'none given';
  const [value, low, high] = [estimate.value, estimate.low, estimate.high].map((one) => (one * 100).toFixed(1));
  return `${value} % (${low} to ${high})`;
}
