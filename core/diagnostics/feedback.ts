import type { BodyAt } from '@perennial/schemas/operation-types.ts';
import { invalid } from '@perennial/schemas/platform/http/fault.ts';
import type { KeyId } from '@perennial/schemas/platform/ids.ts';
import type { ClinicianDiagnosis, DiagnosticFeedback } from '@perennial/schemas/resources/diagnostic.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { DiagnosticRow } from './record.ts';

/** What a caller writes to give feedback, as validated: `DiagnosticFeedback.create`. */
export type FeedbackWrite = BodyAt<'DiagnosticFeedback.create'>;

/**
 * Feedback on a result.
 * @throws Fault 422 when an override has no reason or no diagnosis, or a condition is accepted that the result does not
 * speak of.
 */
export function toFeedback(row: DiagnosticRow, body: FeedbackWrite, keyId: KeyId, now: Date): DiagnosticFeedback {
  const reason = body.reason?.trim() || null;
  const diagnosis = toDiagnosis(body.diagnosis);
  const suggested = row.kind === 'imaging' ? [] : row.result.suggestions.map(({ condition }) => condition.id);
  // What an image shows is in no order of likelihood: none of it is accepted unless it is named.
  const named = row.kind === 'imaging' ? linkedConditions(row.imaging.analysis) : suggested;
  const faults: ErrorDetail[] = [];
  const isAccepted = body.decision === 'accepted';
  const conditionId = body.condition_id ?? (isAccepted ? (suggested[0] ?? null) : null);
  if (!isAccepted && reason === null) faults.push(faultAt('/reason', 'required'));
  if (!isAccepted && diagnosis === null) faults.push(faultAt('/diagnosis', 'required'));
  if (body.condition_id && !named.includes(body.condition_id))
    faults.push(faultAt('/condition_id', 'not_allowed_value'));
  // There is nothing to go along with. Of an image, that nothing was found can be accepted.
  if (isAccepted && row.kind !== 'imaging' && suggested.length === 0)
    faults.push(faultAt('/decision', 'not_allowed_value'));
  if (faults.length > 0) throw invalid(faults);
  return {
    decision: body.decision,
    condition_id: conditionId,
    reason,
    diagnosis,
    given_by: keyId,
    given_at: now.toISOString(),
  };
}

function linkedConditions({ findings }: ImagingAnalysis): readonly string[] {
  return findings.flatMap(({ conditions }) => conditions.map(({ condition_id: id }) => id));
}

function toDiagnosis(sent: FeedbackWrite['diagnosis']): ClinicianDiagnosis | null {
  if (!sent) return null;
  const { name, code } = sent;
  return { name, code: code ? { system: code.system, code: code.code, display: code.display ?? null } : null };
}
