import { LOCAL_ROUTES } from './names.ts';
import { type PatientContext, patientMeets } from './patient.ts';
import {
  CERTAINTIES,
  type Certainty,
  type DoseRange,
  type MedicationKnowledge,
  type PairRule,
  type RuleSeverity,
  type RuleTable,
  SEVERITIES,
  type Severity,
  type Substance,
} from './types.ts';

/** One rule that fired on a pair of substances, with names filled in. */
export interface Finding {
  rule: string;
  severity: RuleSeverity;
  certainty: Certainty;
  mechanism: string;
  effect: string;
  management: string;
  sources: string[];
}

/** Position in `SEVERITIES`: smaller is worse. */
export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);
export const certaintyRank = (certainty: Certainty): number => CERTAINTIES.indexOf(certainty);

/** Whether it is worth stopping the prescriber: contraindicated, or major on more than suspicion. */
export function isInterruptive(severity: Severity, certainty: Certainty): boolean {
  if (severity === 'contraindicated') return certainty !== 'theoretical';
  return severity === 'major' && (certainty === 'established' || certainty === 'probable');
}

/** One substance as one entry of the list gives it. */
export interface Exposure {
  substance: Substance;
  /** Route of this entry, null where not told. */
  route: string | null;
  /** Milligrams a day, where told. */
  dailyMg?: number | null;
}

/** Counts the word operations spent, so that a test can bound the work without a clock. */
export interface Work {
  ruleWords: number;
  pairs: number;
}

/** Whether next to nothing reaches the circulation, by this route or by every one there is. */
export function isLocal({ substance, route }: Exposure): boolean {
  if (substance.systemic_when_local) return false;
  const stays = (r: string): boolean => LOCAL_ROUTES.has(r) || (substance.unabsorbed?.includes(r) ?? false);
  return route ? stays(route) : substance.routes.every(stays);
}

/** Whether the dose of a side is known and lies within what a rule asks for. */
function inRange(range: DoseRange | undefined, { dailyMg }: Exposure): boolean {
  if (!range) return true;
  if (dailyMg === undefined || dailyMg === null) return false;
  return (range.above === undefined || dailyMg > range.above) && (range.up_to === undefined || dailyMg <= range.up_to);
}

function isSwallowed({ substance, route }: Exposure): boolean {
  return route ? route === 'oral' : substance.routes.includes('oral');
}

/** Bits of the rules that fire on a pair, whichever side is which. */
function firing(table: RuleTable, x: number, y: number, visit: (rule: PairRule, swapped: boolean) => void): number {
  const ax = table.a[x];
  const bx = table.b[x];
  const ay = table.a[y];
  const by = table.b[y];
  if (!ax || !bx || !ay || !by) return 0;
  for (let word = 0; word < ax.length; word++) {
    const straight = (ax[word] ?? 0) & (by[word] ?? 0);
    let bits = straight | ((ay[word] ?? 0) & (bx[word] ?? 0));
    while (bits !== 0) {
      const bit = 31 - Math.clz32(bits);
      bits &= ~(1 << bit);
      const compiled = table.rules[word * 32 + bit];
      if (compiled) visit(compiled.rule, ((straight >>> bit) & 1) === 0);
    }
  }
  return ax.length;
}

const fill = (text: string, a: string, b: string): string => {
  const filled = text.replaceAll('{a}', a).replaceAll('{b}', b);
  return filled.charAt(0).toUpperCase() + filled.slice(1);
};

/** The rule with its placeholders filled; names in the text keep their lower case inside a sentence. */
export function explain(rule: Omit<PairRule, 'a' | 'b'>, a: string, b: string): Finding {
  return {
    rule: rule.id,
    severity: rule.severity,
    certainty: rule.certainty,
    mechanism: fill(rule.mechanism, a, b),
    effect: fill(rule.effect, a, b),
    management: fill(rule.management, a, b),
    sources: rule.sources,
  };
}

/** Worst first, then surest, then the rule that speaks of fewest pairs, then by id: never by the order of the files. */
export function byWeight(knowledge: MedicationKnowledge): (x: Finding, y: Finding) => number {
  const reach = (finding: Finding): number => knowledge.rules.reach.get(finding.rule) ?? Number.MAX_SAFE_INTEGER;
  return (x, y) =>
    severityRank(x.severity) - severityRank(y.severity) ||
    certaintyRank(x.certainty) - certaintyRank(y.certainty) ||
    reach(x) - reach(y) ||
    (x.rule < y.rule ? -1 : x.rule > y.rule ? 1 : 0);
}

/**
 * Judges two substances by mechanism rules, named pairs and lists.
 * @returns findings worst first, after the ceiling of the non-interruptive list and the cap for local routes
 */
export function judgeSubstances(
  knowledge: MedicationKnowledge,
  x: Exposure,
  y: Exposure,
  work?: Work,
  patient?: PatientContext,
): Finding[] {
  let findings: Finding[] = [];
  const silenced = new Set<string>();
  const byDose = new Set<string>();
  const worse: [Finding, NonNullable<PairRule['worse_with']>[number]][] = [];
  // The same reading whichever came first.
  const [p, q] = x.substance.index <= y.substance.index ? [x, y] : [y, x];
  const local = isLocal(p) || isLocal(q);
  const swallowed = isSwallowed(p) && isSwallowed(q);
  const words = firing(knowledge.rules, p.substance.index, q.substance.index, (rule, swapped) => {
    if (rule.oral_only && !swallowed) return;
    const [a, b] = swapped ? [q, p] : [p, q];
    if (rule.dose && !(inRange(rule.dose.a, a) && inRange(rule.dose.b, b))) return;
    for (const id of rule.over ?? []) silenced.add(id);
    if (rule.dose) byDose.add(rule.id);
    const finding = explain(rule, a.substance.name, b.substance.name);
    if (local && !rule.local_routes && !rule.oral_only && severityRank(finding.severity) < severityRank('minor')) {
      finding.severity = 'minor';
      finding.certainty = 'theoretical';
      finding.management = `Little is absorbed from this route. With systemic use: ${finding.management}`;
    }
    if (patient && !local)
      for (const each of rule.worse_with ?? []) if (patientMeets(each.when, patient)) worse.push([finding, each]);
    findings.push(finding);
  });
  if (silenced.size > 0) findings = findings.filter(({ rule }) => !silenced.has(rule));
  if (work) {
    work.pairs += 1;
    work.ruleWords += words;
  }
  if (findings.length > 0) {
    firing(knowledge.ceilings, p.substance.index, q.substance.index, (ceiling) => {
      for (const finding of findings) {
        // A known dose says more than a list that speaks of every dose.
        if (byDose.has(finding.rule) || severityRank(finding.severity) >= severityRank(ceiling.severity)) continue;
        finding.severity = ceiling.severity;
        finding.sources = [...new Set([...finding.sources, ...ceiling.sources])];
      }
    });
  }
  for (const [finding, { severity, because }] of worse) {
    if (severityRank(severity) >= severityRank(finding.severity)) continue;
    finding.severity = severity;
    finding.management = `${because} ${finding.management}`;
  }
  return findings.sort(byWeight(knowledge));
}
