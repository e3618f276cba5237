import type { BulkItemResult } from './store.ts';
import type { BulkSubject } from './subject.ts';

/** What became of an operation, as answered. Every key is there, in the contract's order. */
export function toResult(subject: BulkSubject, result: BulkItemResult): object {
  const { index, action, status, id, data, error } = result;
  // What was sent may be any word; only known ones are repeated.
  const known = action !== null && subject.actions.includes(action) ? action : null;
  return {
    kind: subject.resultOf(known),
    index,
    action: known,
    status,
    id,
    data,
    error,
  };
}
