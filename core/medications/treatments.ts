import type { Contraindication } from '@perennial/schemas/resources/analysis.ts';
import { matchAllergy, understandAllergy } from './allergies.ts';
import { type Exposure, explain, judgeSubstances, severityRank } from './judge.ts';
import { type PatientContext, patientMeets } from './patient.ts';
import type { MedicationKnowledge, PatientCondition, RuleSeverity, Substance } from './types.ts';

/** What a treatment is given as: ids of the medication knowledge. */
export interface TreatmentUses {
  readonly classes: readonly string[];
  readonly substances: readonly string[];
}

/** Says what speaks against giving a patient a treatment; undefined where the treatment is no medicine that is known. */
export type JudgeTreatment = (uses: TreatmentUses) => readonly Contraindication[] | undefined;

/** Most entries told of one treatment. */
const ENTRIES_MAX = 12;

interface Found extends Omit<Contraindication, 'severity' | 'substances'> {
  readonly severity: RuleSeverity;
  readonly substances: string[];
}

/**
 * Prepares the judgement of treatments for one patient: what is the same for all of them is worked out once.
 * @param taken what the patient takes now.
 */
export function createTreatmentJudge(
  knowledge: MedicationKnowledge,
  patient: PatientContext,
  taken: readonly Exposure[],
): JudgeTreatment {
  const allergies = (patient.allergies ?? []).map((allergy) => understandAllergy(knowledge, allergy));
  const met = knowledge.patientRules.filter(({ rule }) => patientMeets(rule.when, patient));
  return (uses) => {
    const substances = substancesOf(knowledge, uses);
    if (substances.length === 0) return undefined;
    const found = new Map<string, Found>();
    const add = (key: string, substance: Substance, entry: Omit<Found, 'substances'>): void => {
      // What is minor is left to whoever prescribes.
      if (entry.severity === 'minor') return;
      const known = found.get(key);
      if (known) known.substances.push(substance.name);
      else found.set(key, { ...entry, substances: [substance.name] });
    };
    for (const substance of substances) {
      for (const [index, allergy] of allergies.entries()) {
        const match = matchAllergy(knowledge, allergy, substance);
        if (!match) continue;
        const { severity, mechanism, effect, management } = match;
        add(`allergy ${index} ${match.rule}`, substance, {
          kind: 'allergy',
          severity,
          text: inWords(mechanism, effect),
          management,
        });
      }
      for (const { rule, medication } of met) {
        if (!medication.has(substance.index)) continue;
        const { severity, mechanism, effect, management } = explain(rule, substance.name, substance.name);
        const text = inWords(mechanism, effect);
        add(`rule ${rule.id}`, substance, { kind: kindOf(rule.when), severity, text, management });
      }
      for (const other of taken) judgeTaken(knowledge, substance, other, add);
    }
    return [...found.values()]
      .sort((a, b) => severityRank(a.severity) - severityRank(b.severity) || (a.text < b.text ? -1 : 1))
      .slice(0, ENTRIES_MAX);
  };
}

function judgeTaken(
  knowledge: MedicationKnowledge,
  substance: Substance,
  other: Exposure,
  add: (key: string, substance: Substance, entry: Omit<Found, 'substances'>) => void,
): void {
  if (other.substance === substance) {
    add(`taken ${substance.id}`, substance, {
      kind: 'interaction',
      severity: 'moderate',
      text: `${capital(substance.name)} is taken already.`,
      management: 'Check the dose that is taken before giving more.',
    });
    return;
  }
  const [worst] = judgeSubstances(knowledge, { substance, route: null }, other);
  if (!worst) return;
  const { severity, mechanism, effect, management } = worst;
  const text = `With ${other.substance.name}, which is taken: ${inWords(mechanism, effect)}`;
  add(`pair ${worst.rule} ${other.substance.id}`, substance, { kind: 'interaction', severity, text, management });
}

/** The substances that are usual; where none are named, every member of the classes. */
function substancesOf(knowledge: MedicationKnowledge, { classes, substances }: TreatmentUses): readonly Substance[] {
  if (substances.length > 0) return substances.flatMap((id) => knowledge.byId.get(id) ?? []);
  return knowledge.substances.filter((each) => each.classes.some((id) => classes.includes(id)));
}

function kindOf(when: PatientCondition): Contraindication['kind'] {
  if (when.conditions !== undefined) return 'condition';
  if (when.pregnant !== undefined) return 'pregnancy';
  if (when.lactating !== undefined) return 'lactation';
  if (when.egfr_below !== undefined || when.egfr_min !== undefined) return 'kidney';
  return when.child_pugh === undefined ? 'age' : 'liver';
}

function inWords(mechanism: string, effect: string): string {
  return mechanism === effect ? effect : `${mechanism} ${effect}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
