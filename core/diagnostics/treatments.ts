import type { RecordedFacts } from '../medications/facts.ts';
import type { MedicationMind } from '../medications/mind.ts';
import type { JudgeTreatment } from '../medications/treatments.ts';
import type { AnalysisInput, RecognizedFinding, Suggestion } from './engine/types.ts';
import type { DiagnosticEngine } from './engine.ts';

const PREGNANT: ReadonlySet<string> = new Set(['pregnant', 'first_half_pregnancy', 'second_half_pregnancy']);
const LACTATING = 'breastfeeding';

/** Checks the treatments of suggestions against what is known of the patient. */
export type CheckTreatments = (suggestions: readonly Suggestion[]) => Suggestion[];

/**
 * Prepares the check for one patient.
 * @param facts what the patient's record says; without it, what was sent is all there is to check against.
 * @param recognized what was read in the texts: a pregnancy that is told counts like one on record.
 */
export function createTreatmentCheck(
  engine: DiagnosticEngine,
  medications: MedicationMind,
  { patientData }: AnalysisInput,
  facts: RecordedFacts | undefined,
  recognized: readonly RecognizedFinding[],
): CheckTreatments {
  const judge = medications.treatmentJudge(joined(patientData, facts, recognized), namesOf(patientData.medications));
  return (suggestions) => suggestions.map((each) => checked(engine, judge, each, facts !== undefined));
}

function joined(
  { age, sex }: AnalysisInput['patientData'],
  facts: RecordedFacts | undefined,
  recognized: readonly RecognizedFinding[],
): RecordedFacts {
  const context = { ...facts?.context };
  if (age !== undefined) context.age = age;
  if (sex === 'female' || sex === 'male') context.sex = sex;
  for (const { finding_id: id, present } of recognized) {
    if (present && PREGNANT.has(id)) context.pregnant = true;
    if (present && id === LACTATING) context.lactating = true;
  }
  const nothing = { conditionsNotJudged: [], egfrMeasuredAt: null, medications: [] };
  return { ...nothing, ...facts, context };
}

function checked(
  engine: DiagnosticEngine,
  judge: JudgeTreatment,
  suggestion: Suggestion,
  hasRecord: boolean,
): Suggestion {
  const treatments = suggestion.treatments.map((treatment) => {
    const uses = engine.usesOf(treatment.id);
    const found = uses && judge(uses);
    if (!found) return treatment;
    const contraindications = [...found.map((each) => ({ ...each })), ...treatment.contraindications];
    return { ...treatment, contraindications, record_checked: hasRecord };
  });
  return { ...suggestion, treatments };
}

function namesOf(medications: string | string[] | undefined): readonly string[] {
  return typeof medications === 'string' ? [medications] : (medications ?? []);
}
