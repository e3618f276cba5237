import type { ClinicalData, DiagnosticResult } from '@perennial/schemas/resources/analysis.ts';
import type {
  DiagnosticFeedback,
  DiagnosticRecord,
  DifferentialDetail,
} from '@perennial/schemas/resources/diagnostic.ts';

/** A diagnostic record as stored. */
export interface DiagnosticRow {
  readonly id: string;
  readonly accountId: string;
  readonly patientId: string;
  readonly kind: DiagnosticRecord['kind'];
  readonly status: DiagnosticRecord['status'];
  /** The release whose shape the documents below have. */
  readonly headRelease: string;
  readonly input: ClinicalData;
  readonly result: DiagnosticResult;
  readonly differential: DifferentialDetail | null;
  readonly feedback: DiagnosticFeedback | null;
  readonly note: string | null;
  readonly keyId: string;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The record as answered. Every key is there, in the contract's order. */
export function toDiagnosticRecord(row: DiagnosticRow): DiagnosticRecord {
  return {
    id: row.id,
    patient_id: row.patientId,
    kind: row.kind,
    status: row.status,
    patientData: row.input,
    diagnostic_result: row.result,
    differential: row.differential,
    feedback: row.feedback,
    note: row.note,
    created_by: row.keyId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
