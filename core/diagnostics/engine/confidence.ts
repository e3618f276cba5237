import type { Evidence } from './evidence.ts';
import type { Ranked } from './rank.ts';
import { TUNING } from './tuning.ts';
import type { ConfidenceScore, UncertaintySource } from './types.ts';

const LEVEL = 0.9;
/** Standard normal quantile of a two-sided 90 % interval. */
const QUANTILE = 1.645;

/**
 * The calibrated posterior with its interval. The interval widens with the uncertainty of the likelihoods used,
 * and with everything the engine was not told.
 */
export function confidenceOf(one: Ranked, ranked: Ranked[], evidence: Evidence): ConfidenceScore {
  const uncertainty = sources(one, ranked, evidence);
  const variance = one.contributions.reduce((sum, part) => sum + part.variance, 0) / TUNING.temperature ** 2;
  const missing = uncertainty.reduce((sum, part) => sum + part.contribution, 0);
  const { floor, likelihoods, missing: untold } = TUNING.interval;
  const deviation = Math.sqrt(floor + likelihoods * variance + untold * missing ** 2);
  const posterior = Math.min(0.995, Math.max(0.0005, one.posterior));
  const { slope, intercept } = TUNING.recalibration;
  const logit = slope * Math.log(posterior / (1 - posterior)) + intercept;
  const estimate = 1 / (1 + Math.exp(-logit));
  const at = (shift: number): number => 1 / (1 + Math.exp(-(logit + shift * QUANTILE * deviation)));
  return {
    estimate: round(estimate),
    interval: {
      low: Math.min(round(at(-1)), round(estimate)),
      high: Math.max(round(at(1)), round(estimate)),
      level: LEVEL,
    },
    uncertainty,
  };
}

function sources(one: Ranked, ranked: Ranked[], evidence: Evidence): ConfidenceScore['uncertainty'] {
  const used = one.contributions.filter((part) => part.state !== 'silent' && part.p !== null);
  const weak = used.filter((part) => part.variance > 0.3);
  const rival = ranked.find((other) => other !== one);
  const measured = Object.keys(evidence.measured);
  const wanted = ['temperature', 'heart_rate', 'systolic'];
  const amounts: [UncertaintySource, number][] = [
    ['sparse_findings', 1 / (1 + used.length / 2)],
    ['weak_evidence', used.length === 0 ? 0 : weak.length / used.length],
    ['close_alternatives', rival === undefined ? 0 : Math.min(1, rival.posterior / Math.max(one.posterior, 1e-9))],
    ['unrecognized_input', 1 - evidence.reading.coverage],
    ['missing_vital_signs', (wanted.filter((sign) => !measured.includes(sign)).length / wanted.length) * 0.5],
    ['missing_demographics', (evidence.age === undefined ? 0.5 : 0) + (evidence.sex === undefined ? 0.5 : 0)],
  ];
  return amounts
    .filter(([, amount]) => amount > 0.005)
    .map(([source, amount]) => ({ source, contribution: round(amount) }))
    .sort((a, b) => b.contribution - a.contribution);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
