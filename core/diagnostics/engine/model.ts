import { EvidenceBase } from '../../knowledge/evidence.ts';
import type { AgeBand, Certainty, Condition, Finding, Knowledge, Treatment } from '../../knowledge/types.ts';
import { type Bearers, bearersOf } from './applicable.ts';
import { buildLexicon, type Lexicon } from './lexicon.ts';
import { type Borrowed, borrowedFromNeighbours } from './neighbours.ts';

/** A likelihood as the ranking uses it. */
export interface Weighted {
  p: number;
  certainty: Certainty;
  essential: boolean;
  /** False where it was inferred from a more specific finding. */
  listed: boolean;
}

export interface CompiledCondition {
  condition: Condition;
  /** P(finding | condition), closed upwards: chest pain is at least as likely as crushing chest pain. */
  likelihoods: Map<string, Weighted>;
}

/** The knowledge base in the form the engine computes with. */
export interface Model {
  knowledge: Knowledge;
  lexicon: Lexicon;
  findings: Map<string, Finding>;
  /** Every more general finding of a finding, nearest first. */
  ancestors: Map<string, string[]>;
  descendants: Map<string, string[]>;
  conditions: CompiledCondition[];
  treatments: Map<string, Treatment>;
  evidence: EvidenceBase;
  /** Who can have each finding. */
  bearers: Map<string, Bearers>;
  /** What conditions alike say of findings that a condition does not list, by its id. */
  borrowed: Map<string, Borrowed>;
}

const models = new WeakMap<Knowledge, Model>();

/** The model of a knowledge base, built on first use. */
export function modelOf(knowledge: Knowledge): Model {
  const known = models.get(knowledge);
  if (known !== undefined) return known;
  const findings = new Map(knowledge.findings.map((finding) => [finding.id, finding]));
  const ancestors = new Map(knowledge.findings.map((finding) => [finding.id, ancestorsOf(finding.id, findings)]));
  const descendants = new Map<string, string[]>(knowledge.findings.map((finding) => [finding.id, []]));
  for (const [id, above] of ancestors) for (const one of above) descendants.get(one)!.push(id);
  const conditions = knowledge.conditions.map((condition) => compile(condition, ancestors));
  const model: Model = {
    knowledge,
    lexicon: buildLexicon(knowledge),
    findings,
    ancestors,
    descendants,
    conditions,
    treatments: new Map(knowledge.treatments.map((treatment) => [treatment.id, treatment])),
    evidence: new EvidenceBase(knowledge),
    bearers: bearersOf(knowledge.findings, knowledge.conditions),
    borrowed: borrowedFromNeighbours(conditions, findings),
  };
  models.set(knowledge, model);
  return model;
}

function ancestorsOf(id: string, findings: Map<string, Finding>): string[] {
  const above: string[] = [];
  const visit = (one: string): void => {
    for (const next of findings.get(one)?.implies ?? []) {
      if (above.includes(next)) continue;
      above.push(next);
      visit(next);
    }
  };
  visit(id);
  return above;
}

function compile(condition: Condition, ancestors: Map<string, string[]>): CompiledCondition {
  const likelihoods = new Map<string, Weighted>();
  const all = [...condition.findings, ...condition.risk_factors];
  for (const { finding, p, certainty, essential } of all) {
    likelihoods.set(finding, { p, certainty, essential: essential === true, listed: true });
  }
  for (const { finding, p, certainty } of all) {
    for (const above of ancestors.get(finding) ?? []) {
      const known = likelihoods.get(above);
      if (known === undefined) likelihoods.set(above, { p, certainty, essential: false, listed: false });
      else if (known.p < p) known.p = p;
    }
  }
  return { condition, likelihoods };
}

const BANDS: { band: AgeBand; below: number }[] = [
  { band: '0', below: 1 },
  { band: '1-4', below: 5 },
  { band: '5-11', below: 12 },
  { band: '12-17', below: 18 },
  { band: '18-29', below: 30 },
  { band: '30-44', below: 45 },
  { band: '45-59', below: 60 },
  { band: '60-74', below: 75 },
  { band: '75+', below: Number.POSITIVE_INFINITY },
];

/** Incidence of a condition per encounter for a patient of this age and sex; unknown ones are averaged over. */
export function incidence(condition: Condition, ageYears: number | undefined, sex: string | undefined): number {
  const { per_100k_encounters: rate, age, sex: bySex } = condition.incidence;
  const known = ageYears === undefined ? undefined : BANDS.find(({ below }) => ageYears < below);
  const ageFactor =
    known === undefined
      ? BANDS.reduce((sum, { band }) => sum + (age[band] ?? 1), 0) / BANDS.length
      : (age[known.band] ?? 1);
  let sexFactor = (bySex.female + bySex.male) / 2;
  if (sex === 'female') sexFactor = bySex.female;
  if (sex === 'male') sexFactor = bySex.male;
  return (rate / 100_000) * ageFactor * sexFactor;
}
