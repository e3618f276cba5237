import type { AccountId, DiagnosticId, KeyId, PatientId } from '@perennial/schemas/platform/ids.ts';
import type { ClinicalData, DiagnosticResult } from '@perennial/schemas/resources/analysis.ts';
import type {
  DiagnosticFeedback,
  DiagnosticRecord,
  DifferentialDetail,
} from '@perennial/schemas/resources/diagnostic.ts';
import type { DiagnosticImaging } from '@perennial/schemas/resources/diagnostic-imaging.ts';

interface CommonRow {
  readonly id: DiagnosticId;
  readonly accountId: AccountId;
  readonly status: DiagnosticRecord['status'];
  /** The release whose shape the documents of the row have. */
  readonly headRelease: string;
  readonly feedback: DiagnosticFeedback | null;
  readonly note: string | null;
  readonly keyId: KeyId;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The result of what was told of a patient, as stored. */
export interface ClinicalRow extends CommonRow {
  readonly kind: 'analysis' | 'differential';
  readonly patientId: PatientId;
  readonly input: ClinicalData;
  readonly result: DiagnosticResult;
  readonly differential: DifferentialDetail | null;
  readonly imaging: null;
}

/** The result of an image, as stored. */
export interface ImagingRow extends CommonRow {
  readonly kind: 'imaging';
  /** The patient that the study is bound to. */
  readonly patientId: PatientId | null;
  readonly input: null;
  readonly result: null;
  readonly differential: null;
  readonly imaging: DiagnosticImaging;
}

/** A diagnostic record as stored. */
export type DiagnosticRow = ClinicalRow | ImagingRow;

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
    imaging: row.imaging,
    feedback: row.feedback,
    note: row.note,
    created_by: row.keyId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
