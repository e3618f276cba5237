import { newId } from '@perennial/prisma/ids.ts';
import type { DetailCode } from '@perennial/schemas/errors.ts';
import { invalid } from '@perennial/schemas/http/fault.ts';
import { isObject } from '@perennial/schemas/json-schema.ts';
import type { Analysis, AnalysisRequest, DiagnosticResult } from '@perennial/schemas/resources/analysis.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { Handlers } from '../http/operations.ts';

/** What the category needs of the inference engine. */
export interface DiagnosticEngine {
  /** Values that no living person has, each with its place. */
  checkPlausibility(input: AnalysisRequest): readonly { readonly pointer: string; readonly code: DetailCode }[];
  analyze(input: AnalysisRequest): Omit<DiagnosticResult, 'id'>;
}

/** The operations of the category. */
export function diagnosticHandlers(engine: DiagnosticEngine): Handlers {
  return {
    'diagnostics.analyze': async ({ body }) => {
      const input = body as AnalysisRequest;
      const faults = checkInput(engine, input);
      if (faults.length > 0) throw invalid(faults);
      const data: Analysis = { diagnostic_result: { id: newId('diag'), ...engine.analyze(input) } };
      return { data };
    },
  };
}

function checkInput(engine: DiagnosticEngine, input: AnalysisRequest): readonly ErrorDetail[] {
  const { symptoms = [], vitalSigns = {} } = input.patientData;
  // Age and sex alone would be answered with what is common, which says nothing about this patient.
  if (symptoms.length === 0 && !holdsNumber(vitalSigns)) return [faultAt('/patientData', 'missing_input')];
  return engine.checkPlausibility(input).map(({ pointer, code }) => faultAt(pointer, code));
}

/** Whether anything was measured: `{bloodPressure: {}}` is no vital sign. */
function holdsNumber(value: unknown): boolean {
  return isObject(value) ? Object.values(value).some(holdsNumber) : typeof value === 'number';
}
