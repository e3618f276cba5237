import type { Certainty, Finding, FindingCategory } from '../../knowledge/types.ts';
import type { Evidence } from './evidence.ts';
import { type CompiledCondition, incidence, type Model, type Weighted } from './model.ts';
import type { Borrowed } from './neighbours.ts';
import { DURATION_FINDINGS } from './time.ts';
import { TUNING } from './tuning.ts';

/** What one finding does to one condition. */
export interface Contribution {
  finding: string;
  state: 'present' | 'absent' | 'silent';
  /** Natural log of the likelihood ratio against the general population, after damping. */
  log_ratio: number;
  /** Variance of that logarithm, from how certain the likelihood is. */
  variance: number;
  /** P(finding | condition) that was used, or null where the condition does not list it. */
  p: number | null;
  /** Of the finding. */
  cluster: string | null;
}

export interface Ranked {
  compiled: CompiledCondition;
  /** Natural log of the unnormalised posterior weight. */
  score: number;
  /** Calibrated posterior, 0 to 1; over all conditions and "something else" they sum to 1. */
  posterior: number;
  contributions: Contribution[];
}

/** How much saying nothing about a finding speaks for its absence, by who would have mentioned it. */
const SILENCE: Record<FindingCategory, number> = TUNING.silence;
const DEVIATION: Record<Certainty, number> = { high: 0.25, moderate: 0.5, low: 0.9 };
const P_MIN = 0.003;
const P_MAX = 0.985;

/**
 * Ranks every condition: prior by age and sex times the likelihood of what is present, absent and unmentioned.
 * Each likelihood is compared with the general population, so that an unlisted finding has to be a coincidence.
 */
export function rank(model: Model, evidence: Evidence): Ranked[] {
  const ranked = model.conditions.map((compiled) => score(model, compiled, evidence));
  ranked.sort((a, b) => b.score - a.score || a.compiled.condition.id.localeCompare(b.compiled.condition.id));
  const background = TUNING.priorWeight * Math.log(TUNING.somethingElse);
  const highest = Math.max(background, ranked[0]?.score ?? background);
  const weight = (value: number): number => Math.exp((value - highest) / TUNING.temperature);
  const total = ranked.reduce((sum, one) => sum + weight(one.score), weight(background));
  for (const one of ranked) one.posterior = weight(one.score) / total;
  return ranked;
}

function score(model: Model, compiled: CompiledCondition, evidence: Evidence): Ranked {
  const raw: Contribution[] = [];
  for (const finding of evidence.present) {
    const term = presentTerm(model, compiled, evidence, finding);
    if (term !== null) raw.push(term);
  }
  for (const [finding, weighted] of compiled.likelihoods) {
    if (evidence.present.has(finding)) continue;
    const term = evidence.absent.has(finding)
      ? absentTerm(model, compiled, evidence, finding, weighted)
      : silentTerm(model, evidence, compiled, finding, weighted);
    if (term !== null) raw.push(term);
  }
  const contributions = damp(raw);
  const prior = incidence(compiled.condition, evidence.age, evidence.sex);
  const total = contributions.reduce(
    (sum, one) => sum + one.log_ratio,
    TUNING.priorWeight * Math.log(Math.max(prior, 1e-9)),
  );
  return { compiled, score: total, posterior: 0, contributions };
}

/** The parent against which a finding is judged once the parent is known to be present. */
function presentParent(model: Model, evidence: Evidence, finding: string): string | null {
  return model.findings.get(finding)?.implies.find((parent) => evidence.present.has(parent)) ?? null;
}

function presentTerm(
  model: Model,
  compiled: CompiledCondition,
  evidence: Evidence,
  finding: string,
): Contribution | null {
  const entry = model.findings.get(finding)!;
  const own = compiled.likelihoods.get(finding);
  const parent = presentParent(model, evidence, finding);
  if (parent === null) {
    if (own !== undefined) return alone(presences, entry, 'present', own);
    return likelyByNeighbours(model, compiled, entry) ?? unlisted(entry, TUNING.leak[entry.category], leaks);
  }
  const base = Math.min(0.95, entry.base_rate / model.findings.get(parent)!.base_rate);
  const above = compiled.likelihoods.get(parent);
  if (own !== undefined && above !== undefined) return term(entry, 'present', own.p / above.p, base, own);
  return above === undefined ? null : unlisted(entry, TUNING.unlistedDetail, details);
}

/** What presence and absence of a finding without a parent say never depends on the patient: worked out once. */
const presences = new WeakMap<Weighted, Contribution>();
const absences = new WeakMap<Weighted, Contribution>();

function alone(
  kept: WeakMap<Weighted, Contribution>,
  entry: Finding,
  state: 'present' | 'absent',
  own: Weighted,
): Contribution {
  const known = kept.get(own);
  if (known !== undefined) return known;
  const one = term(entry, state, own.p, entry.base_rate, own);
  kept.set(own, one);
  return one;
}

/** Nor does what the conditions most alike say of a finding. */
const lent = new WeakMap<Borrowed, Map<string, Contribution | null>>();

/** A finding that the condition does not list and conditions alike do: no list is complete. */
function likelyByNeighbours(model: Model, compiled: CompiledCondition, entry: Finding): Contribution | null {
  const borrowed = model.borrowed.get(compiled.condition.id);
  const p = borrowed?.get(entry.id);
  if (borrowed === undefined || p === undefined || entry.category === 'time') return null;
  const kept = lent.get(borrowed) ?? new Map<string, Contribution | null>();
  lent.set(borrowed, kept);
  const known = kept.get(entry.id);
  if (known !== undefined) return known;
  const usual = Math.max(entry.base_rate, TUNING.baseFloor);
  const ratio = Math.min(TUNING.borrowedMax, TUNING.leak[entry.category] + (TUNING.borrowed * p) / usual);
  const one: Contribution | null =
    ratio === 1
      ? null
      : {
          finding: entry.id,
          state: 'present',
          log_ratio: Math.log(ratio),
          variance: 0.25,
          p: null,
          cluster: entry.cluster,
        };
  kept.set(entry.id, one);
  return one;
}

const leaks = new WeakMap<Finding, Contribution>();
const details = new WeakMap<Finding, Contribution>();

/** A finding that the condition does not list weighs the same in every condition: worked out once. */
function unlisted(entry: Finding, ratio: number, kept: WeakMap<Finding, Contribution>): Contribution | null {
  if (ratio === 1) return null;
  const known = kept.get(entry);
  if (known !== undefined) return known;
  const one: Contribution = {
    finding: entry.id,
    state: 'present',
    log_ratio: Math.log(ratio),
    variance: 0.25,
    p: null,
    cluster: entry.cluster,
  };
  kept.set(entry, one);
  return one;
}

function absentTerm(
  model: Model,
  compiled: CompiledCondition,
  evidence: Evidence,
  finding: string,
  own: Weighted,
): Contribution | null {
  const entry = model.findings.get(finding)!;
  if (entry.implies.length === 0) return alone(absences, entry, 'absent', own);
  if (entry.implies.some((parent) => evidence.absent.has(parent))) return null;
  const { p, base } = givenParent(model, compiled, evidence, finding, own);
  return term(entry, 'absent', p, base, own);
}

function silentTerm(
  model: Model,
  evidence: Evidence,
  compiled: CompiledCondition,
  finding: string,
  own: Weighted,
): Contribution | null {
  const known = silences.get(own);
  if (known !== undefined) return known;
  const entry = model.findings.get(finding)!;
  if (DURATIONS.has(finding)) return null;
  if (entry.implies.length > 0) {
    if (presentParent(model, evidence, finding) === null) return null;
    const { p, base } = givenParent(model, compiled, evidence, finding, own);
    return silence(entry, own, p, base);
  }
  const always = silence(entry, own, own.p, entry.base_rate);
  silences.set(own, always);
  return always;
}

const DURATIONS = new Set(DURATION_FINDINGS);
/** What silence about a finding without parents says never depends on the patient: worked out once. */
const silences = new WeakMap<Weighted, Contribution | null>();

function silence(entry: Finding, own: Weighted, p: number, base: number): Contribution | null {
  const whole = term(entry, 'silent', p, base, own);
  const share = own.essential ? TUNING.essentialSilence : SILENCE[entry.category];
  const log = Math.min(0, whole.log_ratio) * share;
  return log > -0.005 ? null : { ...whole, log_ratio: log, variance: whole.variance * share * share };
}

/** Likelihood and base rate of a finding, given its parent where that is present. */
function givenParent(
  model: Model,
  compiled: CompiledCondition,
  evidence: Evidence,
  finding: string,
  own: Weighted,
): { p: number; base: number } {
  const base = model.findings.get(finding)!.base_rate;
  const parent = presentParent(model, evidence, finding);
  const above = parent === null ? undefined : compiled.likelihoods.get(parent);
  if (parent === null || above === undefined) return { p: own.p, base };
  return { p: own.p / above.p, base: Math.min(0.95, base / model.findings.get(parent)!.base_rate) };
}

function term(entry: Finding, state: Contribution['state'], p: number, base: number, own: Weighted): Contribution {
  const likely = Math.min(P_MAX, Math.max(P_MIN, p));
  const usual = Math.min(P_MAX, Math.max(1e-5, base));
  const ratio = state === 'present' ? likely / Math.max(usual, TUNING.baseFloor) : (1 - likely) / (1 - usual);
  const weight = state === 'silent' ? 1 : TUNING.weight[state][entry.category];
  return {
    finding: entry.id,
    state,
    log_ratio: weight * Math.log(ratio),
    variance: (weight * DEVIATION[own.certainty]) ** 2,
    p: own.p,
    cluster: entry.cluster,
  };
}

/** Findings with a common cause are not independent: in a cluster each further one counts less. */
function damp(raw: Contribution[]): Contribution[] {
  const groups = { for: new Map<string, Contribution[]>(), against: new Map<string, Contribution[]>() };
  const damped: Contribution[] = [];
  for (const one of raw) {
    const { cluster } = one;
    if (cluster === null) {
      damped.push(one);
      continue;
    }
    const side = one.log_ratio > 0 ? groups.for : groups.against;
    const group = side.get(cluster);
    if (group === undefined) side.set(cluster, [one]);
    else group.push(one);
  }
  for (const group of [...groups.for.values(), ...groups.against.values()]) {
    if (group.length > 1) {
      group.sort((a, b) => Math.abs(b.log_ratio) - Math.abs(a.log_ratio) || (a.finding < b.finding ? -1 : 1));
    }
    group.forEach((one, place) => {
      const factor = Math.max(TUNING.dampingFloor, TUNING.damping ** place);
      if (factor === 1) damped.push(one);
      else damped.push({ ...one, log_ratio: one.log_ratio * factor, variance: one.variance * factor * factor });
    });
  }
  return damped;
}
