import type { RelationshipType } from '@perennial/schemas/resources/knowledge-graph.ts';
import { explain, severityRank } from '../../medications/judge.ts';
import type { PatientRule, Substance } from '../../medications/types.ts';
import type { Catalogue, Item } from '../catalogue.ts';
import { likenesses } from './likeness.ts';
import type { Edge } from './types.ts';

/** Everything that the knowledge states or that follows from it, but for interactions, which are worked out when asked for. */
export function statementsOf(catalogue: Catalogue): Edge[] {
  const edges: Edge[] = [];
  const node = (kind: Item['kind'], id: string): number => (catalogue.item(kind, id) as Item).index;
  const add = (type: RelationshipType, from: number, to: number, more: Partial<Edge> = {}): void => {
    edges.push({ type, from, to, likelihood: null, certainty: null, severity: null, rule: null, ...more });
  };
  const { knowledge, medicationKnowledge } = catalogue;
  for (const condition of knowledge.conditions) {
    const from = node('condition', condition.id);
    for (const { finding, p, certainty } of condition.findings)
      add('has_finding', from, node('finding', finding), { likelihood: p, certainty });
    for (const { finding, p, certainty } of condition.risk_factors)
      add('raises', node('finding', finding), from, { likelihood: p, certainty });
    for (const treatment of condition.treatments) add('treated_by', from, node('treatment', treatment));
    add('in_category', from, node('category', `specialty-${condition.specialty}`));
  }
  for (const { id, implies, region } of knowledge.findings) {
    const from = node('finding', id);
    for (const wider of implies) add('is_a', from, node('finding', wider));
    add('in_category', from, node('category', `region-${region}`));
  }
  for (const { id, uses, contraindications } of knowledge.treatments) {
    const from = node('treatment', id);
    for (const substance of uses?.substances ?? []) add('uses', from, node('medication', substance));
    for (const each of uses?.classes ?? []) add('uses', from, node('medication_class', each));
    for (const finding of contraindications) add('contraindicated_in', from, node('finding', finding));
  }
  for (const { id, classes } of medicationKnowledge.substances)
    for (const each of classes) add('in_class', node('medication', id), node('medication_class', each));
  for (const { id, substances } of medicationKnowledge.combinations)
    for (const substance of new Set(substances)) add('contains', node('medication', id), node('medication', substance));
  for (const guideline of knowledge.guidelines) {
    const from = node('guideline', guideline.id);
    for (const condition of guideline.conditions) add('covers', from, node('condition', condition));
    for (const treatment of guideline.treatments) add('recommends', from, node('treatment', treatment));
    for (const medication of guideline.medications) add('recommends', from, node('medication', medication));
    add('in_category', from, node('category', `specialty-${guideline.specialty}`));
  }
  for (const { id, when } of knowledge.red_flags)
    for (const finding of new Set(when.flat())) add('raised_by', node('red_flag', id), node('finding', finding));
  for (const { a, b, score } of likenesses(catalogue))
    add('differential_of', node('condition', a), node('condition', b), { likelihood: score });
  edges.push(...contraindications(catalogue));
  return edges;
}

/**
 * Medications that a rule calls contraindicated or a major danger in a condition, the worst rule for each pair. Rules
 * that ask for more than the condition (an age, a filtration rate) say nothing of the condition alone.
 */
function contraindications(catalogue: Catalogue): Edge[] {
  const { knowledge, medicationKnowledge } = catalogue;
  const worst = new Map<number, Edge>();
  for (const { rule, medication } of medicationKnowledge.patientRules) {
    if (!isOfConditionAlone(rule) || severityRank(rule.severity) > severityRank('major')) continue;
    const prefixes = (rule.when.conditions ?? []).map(plainCode);
    const conditions = knowledge.conditions.filter(({ icd10 }) =>
      icd10.some((code) => prefixes.some((prefix) => plainCode(code).startsWith(prefix))),
    );
    for (const index of medication) {
      const substance = medicationKnowledge.substances[index] as Substance;
      const from = (catalogue.item('medication', substance.id) as Item).index;
      for (const { id } of conditions) {
        const to = (catalogue.item('condition', id) as Item).index;
        const key = from * catalogue.items.length + to;
        const known = worst.get(key);
        if (known?.severity && severityRank(known.severity) <= severityRank(rule.severity)) continue;
        const { severity, certainty } = rule;
        worst.set(key, {
          type: 'contraindicated_in',
          from,
          to,
          likelihood: null,
          certainty,
          severity,
          rule: rule.id,
        });
      }
    }
  }
  return [...worst.values()];
}

function isOfConditionAlone({ when }: PatientRule): boolean {
  return Object.keys(when).every((fact) => fact === 'conditions');
}

/** An ICD-10 code without its point. */
export function plainCode(code: string): string {
  return code.replace('.', '').toUpperCase();
}

/** What a rule for patients says of a substance. */
export function sayOfPatientRule(catalogue: Catalogue, ruleId: string, substance: string): string | null {
  const found = catalogue.medicationKnowledge.patientRules.find(({ rule }) => rule.id === ruleId);
  if (!found) return null;
  const { effect, mechanism, management } = explain(found.rule, substance, substance);
  return `${mechanism} ${effect} ${management}`;
}
