import { Fault } from '@perennial/schemas/platform/http/fault.ts';

/** How core failed: not reached (nothing was done), or cut off (the outcome is unknown). */
export type CoreFailure = 'unreached' | 'broken off';

const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const UNREACHED_LATE = new Set(['UND_ERR_CONNECT_TIMEOUT']);
const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const DEPTH_MAX = 4;

/** Classifies a failed exchange; undefined when it says nothing about core, such as a refused answer. */
export function coreFailureOf(error: unknown, depth = 0): CoreFailure | undefined {
  if (typeof error !== 'object' || error === null || depth > DEPTH_MAX) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string') {
    if (UNREACHED.has(code) || UNREACHED_LATE.has(code)) return 'unreached';
    if (BROKEN_OFF.has(code)) return 'broken off';
  }
  const first: unknown = Array.isArray(errors) ? errors[0] : cause;
  return coreFailureOf(first, depth + 1);
}

/** 503 where core was not reached: nothing was done, and it will be back in a moment. */
export function unreachedFault(cause: unknown): Fault {
  return new Fault('unavailable', { headers: { 'retry-after': '1' }, cause });
}
