import { Fault, invalid } from '@perennial/schemas/platform/http/fault.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';

/**
 * Returns the row, or throws 404. A row that is missing, deleted or of another account gets the same answer.
 * @throws Fault `not_found`
 */
export function found<Row>(row: Row | null | undefined): Row {
  if (row === null || row === undefined) throw new Fault('not_found');
  return row;
}

/** @throws Fault `validation_failed` with the faults, if there are any. */
export function refuse(faults: readonly ErrorDetail[]): void {
  if (faults.length > 0) throw invalid(faults);
}
