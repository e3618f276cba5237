import type { DiagnosticBulkResult, PatientBulkResult } from '@perennial/schemas/resources/bulk.ts';
import type { BulkItemResult } from './store.ts';
import type { BulkSubject } from './subject.ts';

type BulkResult = PatientBulkResult | DiagnosticBulkResult;

/** What became of an operation, as answered. Every key is there, in the contract's order. */
export function toResult(subject: BulkSubject, result: BulkItemResult): BulkResult {
  const { index, action, status, id, data, error } = result;
  // What was sent may be any word; only known ones are repeated.
  const known = action !== null && subject.actions.includes(action) ? action : null;
  // The words are the subject's own, and its documents are what it answered.
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
