import type { FindingCategory, Urgency } from '../../knowledge/types.ts';

/**
 * The engine's few free numbers, chosen on development cases and kept apart so that they can be chosen again.
 * They say how to combine the knowledge, never anything about a particular condition or finding.
 */
interface Tuning {
  priorWeight: number;
  somethingElse: number;
  temperature: number;
  recalibration: { slope: number; intercept: number };
  weight: Record<'present' | 'absent', Record<FindingCategory, number>>;
  silence: Record<FindingCategory, number>;
  essentialSilence: number;
  leak: Record<FindingCategory, number>;
  borrowed: number;
  borrowedMax: number;
  unlistedDetail: number;
  baseFloor: number;
  damping: number;
  dampingFloor: number;
  triageThreshold: Record<Urgency, number>;
  notUnlikely: number;
  calmFromCoverage: number;
  interval: { floor: number; likelihoods: number; missing: number };
}

export const TUNING: Tuning = {
  /** Those who ask are not a random sample: rare and dangerous causes are commoner among them than in practice. */
  priorWeight: 0.6,
  /** Incidence per encounter of everything the knowledge base does not hold. */
  somethingElse: 0.05,
  /**
   * Above 1: findings are less independent than the model holds them. Temperature scaling (Guo et al., ICML 2017):
   * the value with the least negative log likelihood on the development cases, which `npm run evaluate -- --cases`
   * prints; checked on cases of other authors that it was not chosen on.
   */
  temperature: 1.4,
  /**
   * What is said of a probability, on the scale of its logit (Platt, 1999): the posterior is surer than it is right.
   * Fitted on cases of other authors, with all knowledge and with a third of it hidden, since a condition that nobody
   * developed on is listed less completely; checked by folds over diagnoses (`docs/figures.md`).
   */
  recalibration: { slope: 0.848, intercept: -0.105 },
  /**
   * Share of its log likelihood ratio that a finding counts by who tells it and how. Fitted, with the silences and the
   * leaks, by maximum likelihood on the development cases with all knowledge and with a third of it hidden; by folds over
   * diagnoses it puts 2 to 3 % more diagnoses first where knowledge is hidden, and as many where it is not.
   */
  weight: {
    present: { symptom: 0.85, sign: 1, test: 1, history: 1.2, time: 0.8, vital_sign: 0.8 },
    absent: { symptom: 1.35, sign: 1.2, test: 1, history: 0.55, time: 1, vital_sign: 1 },
  },
  /** Share of a denial that saying nothing is worth. */
  silence: { symptom: 0.4, sign: 0.05, test: 0.01, history: 0.14, time: 0, vital_sign: 0.03 },
  essentialSilence: 0.9,
  /** Probability, relative to the general population, of a finding the condition does not list. */
  leak: { symptom: 0.27, sign: 0.36, test: 0.5, history: 0.7, time: 1, vital_sign: 0.55 },
  /** Share of what the conditions most alike say of a finding that a condition does not list, and the most it is worth. */
  borrowed: 0.1,
  borrowedMax: 5,
  unlistedDetail: 0.6,
  /** Keeps a single very rare finding from deciding alone. */
  baseFloor: 0.001,
  damping: 0.75,
  dampingFloor: 0.3,
  /**
   * Probability, together with everything more pressing, from which a level is given: for an emergency of all there
   * is, for the others of what the knowledge base holds. Fitted with an under-triaged emergency at ten times the cost
   * of an over-triage, by folds over diagnoses (`docs/figures.md`).
   */
  triageThreshold: { emergency: 0.25, urgent: 0.3, soon: 0.35, routine: 0.2, self_care: 0 },
  /** Probability from which a dangerous condition is not unlikely. */
  notUnlikely: 0.04,
  /** Share of the words below which what was understood is no reason to be calm. */
  calmFromCoverage: 0.25,
  /**
   * Variance of the posterior's logit: what is always there, the share of the likelihoods' variance that belongs to
   * one condition and not to its rivals as well, and what each kind of missing knowledge adds. Scaled so that nine in
   * ten suggestions stand in a reliability bin that was right as often as its 90 % intervals say ("90 % intervals
   * that hold" of `npm run evaluate`), on cases of several authors together.
   */
  interval: { floor: 0.0125, likelihoods: 0.075, missing: 0.0375 },
};
