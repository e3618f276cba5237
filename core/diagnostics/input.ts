import { type DetailCode, details } from '@perennial/schemas/errors.ts';
import type { BodyAt } from '@perennial/schemas/operation-types.ts';
import { invalid } from '@perennial/schemas/platform/http/fault.ts';
import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { RecordedFacts } from '../medications/facts.ts';
import { checkPlausibility } from './engine/plausibility.ts';
import type { AnalysisInput } from './engine/types.ts';
import type { DiagnosticEngine } from './engine.ts';

/** What analyze, differential, stream and the making of a record have in common. */
export type AnalysisBody = BodyAt<'AnalysisRequest'>;

/** Entries of a record that are read for findings; far more than anybody has at one time. */
const RECORD_ENTRIES_MAX = 200;
const ENTRY_CHARACTERS_MAX = 200;

/** @throws Fault 422 with every fault of the input, at its place. */
export function checkInput(body: AnalysisBody): void {
  const { patientData, options } = body;
  const faults: ErrorDetail[] = [];
  if (options?.save === true && (body.patient_id ?? null) === null) faults.push(faultAt('/patient_id', 'required'));
  // Age and sex alone would be answered with what is common, which says nothing about this patient.
  if ((patientData.symptoms ?? []).length === 0 && !holdsNumber(patientData.vitalSigns))
    faults.push(faultAt('/patientData', 'missing_input'));
  for (const { pointer, code } of checkPlausibility({ patientData })) faults.push(faultAt(pointer, toDetailCode(code)));
  if (faults.length > 0) throw invalid(faults);
}

/** The engine knows no registry; a code that is not in it is the general one. */
function toDetailCode(code: string): DetailCode {
  return Object.hasOwn(details, code) ? (code as DetailCode) : 'implausible';
}

/** Whether anything was measured: `{bloodPressure: {}}` is no vital sign. */
function holdsNumber(value: unknown): boolean {
  return isObject(value) ? Object.values(value).some(holdsNumber) : typeof value === 'number';
}

/** The input as the engine takes it: what was sent comes before what is on record. */
export function toEngineInput(engine: DiagnosticEngine, body: AnalysisBody, facts?: RecordedFacts): AnalysisInput {
  const { patientData, options = {} } = body;
  if (!facts) return { patientData, options };
  const { age, sex } = facts.context;
  return {
    patientData: {
      ...(age === undefined ? {} : { age }),
      ...(sex === undefined ? {} : { sex }),
      ...patientData,
      known: engine.knownFindings(entriesOf(facts)),
    },
    options,
  };
}

function entriesOf({ context, conditionsNotJudged, medications }: RecordedFacts): readonly string[] {
  const conditions = (context.conditions ?? []).map(({ display }) => display ?? '');
  const taken = medications.map(({ input }) => input.name ?? '');
  return [...conditions, ...conditionsNotJudged, ...taken, ...(context.pregnant === true ? ['Pregnant'] : [])]
    .filter((entry) => entry !== '')
    .slice(0, RECORD_ENTRIES_MAX)
    .map((entry) => entry.slice(0, ENTRY_CHARACTERS_MAX));
}
