import { type ConditionName, nameOf } from './candidates.ts';
import type { Model } from './model.ts';
import type { Contribution, Ranked } from './rank.ts';

/** What one finding does to the distance of two conditions. Weights are base-10 logarithms. */
export interface ComparedFinding {
  finding_id: string;
  name: string;
  state: 'present' | 'absent' | 'not_mentioned';
  contribution: number;
  weight_for_higher: number;
  weight_for_lower: number;
}

/** Why one condition stands above another: the parts sum to the difference. */
export interface Comparison {
  higher: ConditionName;
  lower: ConditionName;
  difference: number;
  how_common: number;
  findings: ComparedFinding[];
  other_findings: number;
  text: string;
}

const FINDINGS_MAX = 12;
/** Lighter findings are summed up. */
const CONTRIBUTION_MIN = 0.05;
const STATES = { present: 'present', absent: 'absent', silent: 'not_mentioned' } as const;

/** Why the first stands above the second. */
export function compare(model: Model, higher: Ranked, lower: Ranked): Comparison {
  const above = weightsOf(higher);
  const below = weightsOf(lower);
  const all = [...new Set([...above.keys(), ...below.keys()])]
    .map((finding): ComparedFinding => {
      const forHigher = above.get(finding);
      const forLower = below.get(finding);
      const weights = { higher: forHigher?.weight ?? 0, lower: forLower?.weight ?? 0 };
      return {
        finding_id: finding,
        name: model.findings.get(finding)!.name,
        state: STATES[(forHigher ?? forLower)!.state],
        contribution: round(weights.higher - weights.lower),
        weight_for_higher: round(weights.higher),
        weight_for_lower: round(weights.lower),
      };
    })
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || (a.finding_id < b.finding_id ? -1 : 1));
  const findings = all.filter(({ contribution }) => Math.abs(contribution) >= CONTRIBUTION_MIN).slice(0, FINDINGS_MAX);
  const difference = round((higher.score - lower.score) / Math.LN10);
  const howCommon = round((priorOf(higher) - priorOf(lower)) / Math.LN10);
  const listed = findings.reduce((sum, { contribution }) => sum + contribution, 0);
  return {
    higher: nameOf(higher.compiled.condition),
    lower: nameOf(lower.compiled.condition),
    difference,
    how_common: howCommon,
    findings,
    other_findings: round(difference - howCommon - listed),
    text: inWords(higher, lower, howCommon, findings),
  };
}

/** What is left of a score without its findings: how common the condition is. */
function priorOf({ score, contributions }: Ranked): number {
  return score - contributions.reduce((sum, one) => sum + one.log_ratio, 0);
}

function weightsOf({ contributions }: Ranked): Map<string, { weight: number; state: Contribution['state'] }> {
  const weights = new Map<string, { weight: number; state: Contribution['state'] }>();
  for (const { finding, state, log_ratio } of contributions) {
    const known = weights.get(finding)?.weight ?? 0;
    weights.set(finding, { weight: known + log_ratio / Math.LN10, state });
  }
  return weights;
}

function inWords(higher: Ranked, lower: Ranked, howCommon: number, findings: ComparedFinding[]): string {
  const reasons = findings
    .filter((one) => one.contribution > 0)
    .slice(0, 3)
    .map(reasonOf);
  if (howCommon >= CONTRIBUTION_MIN) reasons.unshift('being more common at this age and sex');
  const against = findings
    .filter((one) => one.contribution < 0)
    .slice(0, 2)
    .map(reasonOf);
  if (howCommon <= -CONTRIBUTION_MIN) against.unshift('being more common at this age and sex');
  const [one, other] = [higher.compiled.condition.name, lower.compiled.condition.name];
  const because = reasons.length === 0 ? 'little parts them' : `for it speak ${reasons.join(', ')}`;
  const yet = against.length === 0 ? '' : ` For ${other} speak ${against.join(', ')}.`;
  return `${one} stands above ${other}: ${because}.${yet}`;
}

function reasonOf({ name, state }: ComparedFinding): string {
  const what = name.charAt(0).toLowerCase() + name.slice(1);
  switch (state) {
    case 'present':
      return what;
    case 'absent':
      return `the absence of ${what}`;
    case 'not_mentioned':
      return `that ${what} is not mentioned`;
  }
}

function round(value: number): number {
  // Adding zero turns -0 into 0, which JSON and readers know alone.
  return Math.round(value * 1000) / 1000 + 0;
}
