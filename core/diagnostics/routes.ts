import { newId } from '@perennial/prisma/ids.ts';
import { type DetailCode, details } from '@perennial/schemas/errors.ts';
import { invalid } from '@perennial/schemas/http/fault.ts';
import { isObject } from '@perennial/schemas/json-schema.ts';
import type { Analysis, AnalysisRequest, DiagnosticResult } from '@perennial/schemas/resources/analysis.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { Handlers } from '../http/operations.ts';

/** What the category needs of the inference engine: a pure function of knowledge that it holds and of the input. */
export interface DiagnosticEngine {
  /** Values that no living person has, each with its place. */
  checkPlausibility(input: AnalysisRequest): readonly { readonly pointer: string; readonly code: string }[];
  analyze(input: AnalysisRequest): { readonly diagnostic_result: Omit<DiagnosticResult, 'id'> };
}

/** The operations of the category. */
export function diagnosticHandlers(engine: DiagnosticEngine): Handlers {
  return {
    'diagnostics.analyze': async ({ body }) => {
      const input = body as AnalysisRequest;
      const faults = checkInput(engine, input);
      if (faults.length > 0) throw invalid(faults);
      const data: Analysis = { diagnostic_result: { id: newId('diag'), ...engine.analyze(input).diagnostic_result } };
      return { data };
    },
  };
}

function checkInput(engine: DiagnosticEngine, input: AnalysisRequest): readonly ErrorDetail[] {
  const { symptoms = [], vitalSigns = {} } = input.patientData;
  // Age and sex alone would be answered with what is common, which says nothing about this patient.
  if (symptoms.length === 0 && !holdsNumber(vitalSigns)) return [faultAt('/patientData', 'missing_input')];
  return engine.checkPlausibility(input).map(({ pointer, code }) => faultAt(pointer, toDetailCode(code)));
}

/** The engine knows no registry; a code that is not in it is the general one. */
function toDetailCode(code: string): DetailCode {
  return Object.hasOwn(details, code) ? (code as DetailCode) : 'implausible';
}

/** Whether anything was measured: `{bloodPressure: {}}` is no vital sign. */
function holdsNumber(value: unknown): boolean {
  return isObject(value) ? Object.values(value).some(holdsNumber) : typeof value === 'number';
}
