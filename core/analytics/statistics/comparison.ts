import { aroundLog, type Estimate } from './interval.ts';
import { wilson } from './proportions.ts';

/** Cases among people of two groups. */
export interface TwoByTwo {
  readonly cases: number;
  readonly people: number;
  readonly otherCases: number;
  readonly otherPeople: number;
}

/**
 * Difference of two proportions, by Newcombe's hybrid of score intervals.
 * Newcombe RG. Interval estimation for the difference between independent proportions. Stat Med 1998;17:873-890 (method 10).
 */
export function riskDifference({ cases, people, otherCases, otherPeople }: TwoByTwo): Estimate {
  const one = cases / people;
  const other = otherCases / otherPeople;
  const ofOne = wilson(cases, people);
  const ofOther = wilson(otherCases, otherPeople);
  return {
    estimate: one - other,
    low: one - other - Math.hypot(one - ofOne.low, ofOther.high - other),
    high: one - other + Math.hypot(ofOne.high - one, other - ofOther.low),
  };
}

/**
 * Ratio of two proportions, with the interval of its logarithm.
 * Katz D, Baptista J, Azen SP, Pike MC. Obtaining confidence intervals for the risk ratio in cohort studies.
 * Biometrics 1978;34:469-474.
 * @returns undefined where one of the groups has no case.
 */
export function riskRatio({ cases, people, otherCases, otherPeople }: TwoByTwo): Estimate | undefined {
  if (cases === 0 || otherCases === 0) return undefined;
  const error = Math.sqrt(1 / cases - 1 / people + 1 / otherCases - 1 / otherPeople);
  return aroundLog(cases / people / (otherCases / otherPeople), error);
}

/**
 * Risk ratio over strata, with the variance of Greenland and Robins.
 * Mantel N, Haenszel W. J Natl Cancer Inst 1959;22:719-748; Greenland S, Robins JM. Biometrics 1985;41:55-68.
 * @returns undefined where no stratum has people of both groups, or one of the groups no case in those.
 */
export function mantelHaenszel(strata: readonly TwoByTwo[]): Estimate | undefined {
  let above = 0;
  let below = 0;
  let spread = 0;
  for (const { cases, people, otherCases, otherPeople } of strata) {
    const all = people + otherPeople;
    if (people === 0 || otherPeople === 0) continue;
    above += (cases * otherPeople) / all;
    below += (otherCases * people) / all;
    spread += ((cases + otherCases) * people * otherPeople - cases * otherCases * all) / (all * all);
  }
  if (above === 0 || below === 0) return undefined;
  return aroundLog(above / below, Math.sqrt(spread / (above * below)));
}

/**
 * How far two proportions are apart, in standard deviations of both.
 * Austin PC. Balance diagnostics for comparing the distribution of baseline covariates. Stat Med 2009;28:3083-3107.
 * @returns 0 where neither varies.
 */
export function standardisedDifference(one: number, other: number): number {
  const spread = Math.sqrt((one * (1 - one) + other * (1 - other)) / 2);
  return spread === 0 ? 0 : (one - other) / spread;
}
