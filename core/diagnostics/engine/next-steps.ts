import type { FindingCategory } from '../../knowledge/types.ts';
import { isApplicable } from './applicable.ts';
import { type ConditionName, nameOf } from './candidates.ts';
import type { Evidence } from './evidence.ts';
import type { Model } from './model.ts';
import type { Ranked } from './rank.ts';
import { TUNING } from './tuning.ts';

export interface Outlook {
  probability: number;
  leading: ConditionName[];
}

/** What to ask, examine or test next. */
export interface NextStep {
  finding_id: string;
  name: string;
  kind: 'question' | 'examination' | 'test';
  text: string;
  /** Bits. */
  information_gain: number;
  if_present: Outlook;
  if_absent: Outlook;
}

const STEPS_MAX = 8;
const LEADING_MAX = 3;
/** Less than this tells nothing. */
const GAIN_MIN_BITS = 0.005;
const P_MIN = 0.003;
const P_MAX = 0.985;
const KINDS: Partial<Record<FindingCategory, NextStep['kind']>> = {
  symptom: 'question',
  history: 'question',
  sign: 'examination',
  vital_sign: 'examination',
  test: 'test',
};

/** Entropy of the conditions compared, in bits; their probabilities need not sum to 1. */
export function entropyOf(compared: readonly Ranked[]): number {
  return entropy(normalised(compared.map(({ posterior }) => posterior)));
}

/**
 * The findings whose answer is expected to narrow down the conditions compared most: the mutual information of the
 * finding and the condition, by Bayes' rule over the likelihoods of the knowledge base. A finding that a condition
 * does not list has the probability it has in the general population, less where the engine counts it as unexplained.
 */
export function nextSteps(model: Model, evidence: Evidence, compared: readonly Ranked[]): NextStep[] {
  if (compared.length < 2) return [];
  const prior = normalised(compared.map(({ posterior }) => posterior));
  const undecided = entropy(prior);
  const steps: NextStep[] = [];
  for (const finding of askable(model, evidence, compared)) {
    const likely = compared.map((one) => chanceOf(model, evidence, one, finding));
    const present = prior.reduce((sum, p, at) => sum + p * likely[at]!, 0);
    const after = normalised(prior.map((p, at) => p * likely[at]!));
    const without = normalised(prior.map((p, at) => p * (1 - likely[at]!)));
    const gain = undecided - present * entropy(after) - (1 - present) * entropy(without);
    if (gain < GAIN_MIN_BITS) continue;
    const { name, category } = model.findings.get(finding)!;
    const kind = KINDS[category]!;
    steps.push({
      finding_id: finding,
      name,
      kind,
      text: wordsOf(kind, name),
      information_gain: round(gain),
      if_present: { probability: round(present), leading: leading(compared, after) },
      if_absent: { probability: round(1 - present), leading: leading(compared, without) },
    });
  }
  steps.sort((a, b) => b.information_gain - a.information_gain || (a.finding_id < b.finding_id ? -1 : 1));
  return varied(model, steps);
}

/** What is not known yet and some condition lists. A detail is asked for only where what it is a detail of is there. */
function askable(model: Model, evidence: Evidence, compared: readonly Ranked[]): Set<string> {
  const findings = new Set<string>();
  for (const { compiled } of compared) {
    for (const [finding, { listed }] of compiled.likelihoods) {
      const entry = model.findings.get(finding)!;
      if (!listed || KINDS[entry.category] === undefined) continue;
      if (evidence.present.has(finding) || evidence.absent.has(finding)) continue;
      if (!isApplicable(finding, model.bearers, evidence.age, evidence.sex)) continue;
      findings.add(finding);
    }
  }
  return findings;
}

/** P(finding | condition), given that what it is a detail of is there. */
function chanceOf(model: Model, evidence: Evidence, { compiled }: Ranked, finding: string): number {
  const entry = model.findings.get(finding)!;
  const parent = entry.implies.find((one) => evidence.present.has(one));
  const own = compiled.likelihoods.get(finding);
  const whole =
    parent === undefined ? undefined : (compiled.likelihoods.get(parent)?.p ?? model.findings.get(parent)!.base_rate);
  const p = own?.p ?? entry.base_rate * TUNING.leak[entry.category];
  return Math.min(P_MAX, Math.max(P_MIN, whole === undefined ? p : p / whole));
}

/** The best steps, one of each cluster: findings with a common cause would be the same question asked again. */
function varied(model: Model, steps: NextStep[]): NextStep[] {
  const clusters = new Set<string>();
  const kept: NextStep[] = [];
  for (const step of steps) {
    const cluster = model.findings.get(step.finding_id)?.cluster ?? null;
    if (cluster !== null && clusters.has(cluster)) continue;
    if (cluster !== null) clusters.add(cluster);
    kept.push(step);
    if (kept.length === STEPS_MAX) break;
  }
  return kept;
}

function wordsOf(kind: NextStep['kind'], name: string): string {
  const what = name.charAt(0).toLowerCase() + name.slice(1);
  switch (kind) {
    case 'question':
      return `Ask about: ${what}.`;
    case 'examination':
      return `Examine for: ${what}.`;
    case 'test':
      return `Test for: ${what}.`;
  }
}

function leading(compared: readonly Ranked[], probabilities: readonly number[]): ConditionName[] {
  return compared
    .map(({ compiled }, at) => ({ condition: compiled.condition, p: probabilities[at]! }))
    .sort((a, b) => b.p - a.p || (a.condition.id < b.condition.id ? -1 : 1))
    .slice(0, LEADING_MAX)
    .map(({ condition }) => nameOf(condition));
}

function normalised(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total === 0 ? weights.map(() => 1 / weights.length) : weights.map((weight) => weight / total);
}

function entropy(probabilities: readonly number[]): number {
  return probabilities.reduce((sum, p) => (p <= 0 ? sum : sum - p * Math.log2(p)), 0);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}
