import type { IncomingMessage } from 'node:http';
import type { Operation } from '@perennial/schemas/operation.ts';

/** Whether the client wants no body of what it has just written (RFC 7240, section 4.2). */
export function wantsMinimal({ headers: { prefer } }: IncomingMessage, operation: Operation): boolean {
  if (prefer === undefined) return false;
  const text = Array.isArray(prefer) ? prefer.join(',') : prefer;
  return isWritten(operation) && /(?:^|[,;\s])return\s*=\s*"?minimal"?\s*(?:$|[,;])/i.test(text);
}

/** Whether the answer is the object that was written. An analysis is asked for its answer, whatever its method. */
function isWritten({ method, response, conditional }: Operation): boolean {
  return (
    response.ref !== undefined &&
    conditional === true &&
    (method === 'PUT' || method === 'PATCH' || response.status === 201)
  );
}

/** The status of an answer that says only that it was done. */
export function minimalStatus(status: number): number {
  return status === 200 ? 204 : status;
}
