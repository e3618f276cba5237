import { gammaQuantile, TAIL } from './distributions.ts';
import type { Estimate } from './interval.ts';
import { poisson } from './rates.ts';

/** One age group: how many of its people, and how many cases. */
export interface Stratum {
  readonly cases: number;
  readonly people: number;
}

/**
 * The rate that a standard population would have with the group's own rates, with the gamma interval.
 * Fay MP, Feuer EJ. Confidence intervals for directly standardized rates: a method based on the gamma distribution.
 * Stat Med 1997;16:791-801.
 * @param weights of the standard population, in any unit, one for each stratum.
 * @returns undefined where a stratum that the standard has is empty: its rate is not known.
 */
export function directlyStandardised(strata: readonly Stratum[], weights: readonly number[]): Estimate | undefined {
  const total = sum(weights);
  if (total === 0 || strata.some(({ people }, at) => people === 0 && (weights[at] ?? 0) > 0)) return undefined;
  const each = strata
    .map(({ cases, people }, at) => ({ cases, weight: people === 0 ? 0 : (weights[at] ?? 0) / total / people }))
    .filter(({ weight }) => weight > 0);
  const rate = sum(each.map(({ cases, weight }) => cases * weight));
  const variance = sum(each.map(({ cases, weight }) => cases * weight * weight));
  const largest = Math.max(...each.map(({ weight }) => weight));
  const low = rate === 0 ? 0 : (variance / rate) * gammaQuantile(TAIL, (rate * rate) / variance);
  const above = variance + largest * largest;
  const high = (above / (rate + largest)) * gammaQuantile(1 - TAIL, (rate + largest) ** 2 / above);
  return { estimate: rate, low, high };
}

/** Cases by those that a reference's rates would have given, with the exact Poisson interval. */
export interface StandardisedRatio extends Estimate {
  readonly expected: number;
}

/**
 * Indirect standardisation: the standardised morbidity ratio.
 * Breslow NE, Day NE. Statistical Methods in Cancer Research II. IARC 1987, chapter 2; limits of Garwood 1936.
 * @returns undefined where nothing is expected.
 */
export function indirectlyStandardised(
  strata: readonly Stratum[],
  reference: readonly Stratum[],
): StandardisedRatio | undefined {
  const expected = sum(
    strata.map(({ people }, at) => {
      const other = reference[at];
      return other && other.people > 0 ? (people * other.cases) / other.people : 0;
    }),
  );
  if (expected === 0) return undefined;
  const observed = sum(strata.map(({ cases }) => cases));
  const { low, high } = poisson(observed);
  return { expected, estimate: observed / expected, low: low / expected, high: high / expected };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
