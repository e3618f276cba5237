import type { ConfidenceScore } from '@perennial/schemas/resources/analysis.ts';

/** Where doubt about an observation comes from; the amounts are weights of the width of the interval. */
export interface Doubts {
  /** Faint, noisy or close to the limit. */
  readonly weak_evidence?: number;
  /** Something else in the picture looks the same. */
  readonly close_alternatives?: number;
  /** Rests on one sign, or on few pixels. */
  readonly sparse_findings?: number;
  /** A part of what is needed could not be outlined or is cut off. */
  readonly unrecognized_input?: number;
  /** The view or the age decides what is usual, and is not known. */
  readonly missing_demographics?: number;
}

const LEVEL = 0.9;
/** Standard normal quantile of a two-sided 90 % interval. */
export const QUANTILE = 1.645;

/**
 * A confidence whose interval widens, on the logit scale, with every doubt. Computed by hand-made rules, so it never
 * says more than 0.99.
 */
export function confidence(estimate: number, doubts: Doubts): ConfidenceScore {
  return around(Math.min(0.99, Math.max(0.01, estimate)), doubts);
}

/** The same around a probability that was calibrated on cases: it is told as it is. */
export function calibratedConfidence(estimate: number, doubts: Doubts): ConfidenceScore {
  return around(Math.min(1 - 1e-6, Math.max(1e-6, estimate)), doubts);
}

function around(middle: number, doubts: Doubts): ConfidenceScore {
  const parts = (Object.entries(doubts) as [keyof Doubts, number][]).filter(([, amount]) => amount > 0.005);
  const deviation = Math.hypot(0.2, ...parts.map(([, amount]) => amount));
  const logit = Math.log(middle / (1 - middle));
  const at = (shift: number): number => 1 / (1 + Math.exp(-(logit + shift * QUANTILE * deviation)));
  const total = parts.reduce((sum, [, amount]) => sum + amount, 0);
  return {
    estimate: rounded(middle, 4),
    interval: { low: rounded(at(-1), 4), high: rounded(at(1), 4), level: LEVEL },
    uncertainty: parts
      .map(([source, amount]) => ({ source, contribution: rounded(amount / total, 3) }))
      .sort((a, b) => b.contribution - a.contribution),
  };
}

/** Probability that the true value lies above the limit, when the error of measurement is normal. */
export function probabilityAbove(value: number, limit: number, deviation: number): number {
  return normalCumulative((value - limit) / Math.max(deviation, 1e-9));
}

/** The cumulative standard normal distribution: M. Abramowitz and I. A. Stegun, 26.2.17; error below 1e-7. */
export function normalCumulative(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z >= 0 ? 1 - tail : tail;
}

/** The number with so many digits after the point. */
export function rounded(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}
