import { readFileSync } from 'node:fs';
import type { Care } from '../knowledge/care.ts';
import type { RecordedFacts } from '../medications/facts.ts';
import type { MedicationMind } from '../medications/mind.ts';
import type { JudgeTreatment } from '../medications/treatments.ts';
import type { AnalysisInput, Contraindication, RecognizedFinding, Suggestion } from './engine/types.ts';
import type { DiagnosticEngine } from './engine.ts';

const PREGNANT: ReadonlySet<string> = new Set(['pregnant', 'first_half_pregnancy', 'second_half_pregnancy']);
const LACTATING = 'breastfeeding';
/** The codes by which rules know what a patient tells of the past, by finding. */
const HISTORY_CODES = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('../knowledge/history-codes.json', import.meta.url), 'utf8')) as Record<
      string,
      string[]
    >,
  ),
);

/** Checks the treatments of suggestions against what is known of the patient. */
export type CheckTreatments = (suggestions: readonly Suggestion[]) => Suggestion[];

/**
 * Prepares the check for one patient.
 * @param facts what the patient's record says; without it, what was sent is all there is to check against.
 * @param recognized what was read in the texts: a pregnancy or a disease that is told counts like one on record.
 */
export function createTreatmentCheck(
  engine: DiagnosticEngine,
  medications: MedicationMind,
  { patientData }: AnalysisInput,
  facts: RecordedFacts | undefined,
  recognized: readonly RecognizedFinding[],
): CheckTreatments {
  const known = joined(patientData, facts, recognized);
  const judge = medications.treatmentJudge(known, namesOf(patientData.medications));
  const check: Check = { engine, medications, judge, age: known.context.age, hasRecord: facts !== undefined };
  return (suggestions) => suggestions.map((each) => checked(check, each));
}

interface Check {
  readonly engine: DiagnosticEngine;
  readonly medications: MedicationMind;
  readonly judge: JudgeTreatment;
  readonly age: number | undefined;
  readonly hasRecord: boolean;
}

function joined(
  { age, sex }: AnalysisInput['patientData'],
  facts: RecordedFacts | undefined,
  recognized: readonly RecognizedFinding[],
): RecordedFacts {
  const context = { ...facts?.context };
  if (age !== undefined) context.age = age;
  if (sex === 'female' || sex === 'male') context.sex = sex;
  const told: { code: string }[] = [];
  for (const { finding_id: id, present } of recognized) {
    if (!present) continue;
    if (PREGNANT.has(id)) context.pregnant = true;
    if (id === LACTATING) context.lactating = true;
    told.push(...(HISTORY_CODES.get(id) ?? []).map((code) => ({ code })));
  }
  if (told.length > 0) context.conditions = [...(context.conditions ?? []), ...told];
  const nothing = { conditionsNotJudged: [], egfrMeasuredAt: null, medications: [] };
  return { ...nothing, ...facts, context };
}

function checked({ engine, medications, judge, age, hasRecord }: Check, suggestion: Suggestion): Suggestion {
  const treatments = suggestion.treatments.map((treatment) => {
    const care = engine.careOf(suggestion.condition.id, treatment.id);
    const never_with = treatment.never_with.map((id) => medications.nameOf(id));
    const uses = engine.usesOf(treatment.id);
    const found = uses && judge(uses);
    const contraindications = [
      ...(found ?? []).map((each) => reasoned({ ...each }, care)),
      ...formOf(care, age),
      ...treatment.contraindications,
    ];
    return {
      ...treatment,
      never_with,
      contraindications,
      record_checked: found ? hasRecord : treatment.record_checked,
    };
  });
  return { ...suggestion, treatments };
}

/** Where it is given although a rule speaks against it, the reason stands beside the rule. */
function reasoned(found: Contraindication, care: Care | undefined): Contraindication {
  const despite = care?.despite;
  if (!despite || despite.kind !== found.kind) return found;
  const management = [`In this condition it is given all the same: ${despite.reason}`, found.management];
  return { ...found, management: management.filter((each) => each !== null).join(' ') };
}

/** Said of a treatment that is for another age than the patient's. */
function formOf(care: Care | undefined, age: number | undefined): Contraindication[] {
  if (!care || age === undefined) return [];
  const { age_min_years: from, age_max_years: to, for_whom: whom } = care;
  if ((from === null || age >= from) && (to === null || age < to)) return [];
  return [
    { kind: 'age', severity: null, text: `It is for another age: ${whom ?? ''}`, management: null, substances: [] },
  ];
}

function namesOf(medications: string | string[] | undefined): readonly string[] {
  return typeof medications === 'string' ? [medications] : (medications ?? []);
}
