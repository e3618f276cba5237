import type { DiagnosticBulkResult, PatientBulkResult } from '@perennial/schemas/resources/bulk.ts';
import type { BulkItemResult } from './store.ts';
import type { BulkSubject } from './subject.ts';

type BulkResult = PatientBulkResult | DiagnosticBulkResult;

/** What became of an operation, as answered. Every key is there, in the contract's order. */
export function toResult(subject: BulkSubject, result: BulkItemResult): BulkResult {
  const { index, action, status, id, data, error } = result;
  // A client may send any word as the action; only known ones are echoed.
  const known = action !== null && subject.actions.includes(action) ? action : null;
  // Actions and documents come from the subject itself.
  return {
    kind: subject.resultOf(known),
    index,
    action: known,
    status,
    id,
    data,
    error,
  } as BulkResult;
}
