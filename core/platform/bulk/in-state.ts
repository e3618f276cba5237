import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { Conditions } from '../http/conditions.ts';

/**
 * Writes to an object in the state that `if_match` names.
 * A condition that fails is reported as a conflict: an operation in a bulk has no headers of its own for a 412.
 */
export async function inState<T>(
  ifMatch: string | null | undefined,
  write: (conditions: Conditions) => Promise<T>,
): Promise<T> {
  try {
    return await write(new Conditions(ifMatch == null ? {} : { 'if-match': ifMatch }, ''));
  } catch (error) {
    if (error instanceof Fault && error.code === 'precondition_failed') throw new Fault('conflict');
    throw error;
  }
}
