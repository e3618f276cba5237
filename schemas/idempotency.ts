import type { ErrorCode } from './errors.ts';
import type { Operation } from './operation.ts';

/** Longest Idempotency-Key, without its quotes. */
export const IDEMPOTENCY_KEY_CHARS_MAX = 255;
/** Longest header: all of the key escaped, in quotes. */
export const IDEMPOTENCY_HEADER_CHARS_MAX = 2 * IDEMPOTENCY_KEY_CHARS_MAX + 2;

/** The header as a regular expression: printable ASCII, or a string of structured fields (RFC 9651) that holds it. */
export const IDEMPOTENCY_KEY_PATTERN = keyPattern();

function keyPattern(): string {
  const max = IDEMPOTENCY_KEY_CHARS_MAX;
  // A comma joins the values of a header that was sent twice, and spaces at the ends are none of its value.
  const end = '[!#-+.-~-]';
  const plain = `${end}([ !#-+.-~-]{0,${max - 2}}${end})?`;
  const quoted = `"([ !#-[\\]-~]|\\\\["\\\\]){1,${max}}"`;
  return `^(${plain}|${quoted})$`;
}

/** How long an answer is kept at least, to be given again to the same request with the same key. */
export const IDEMPOTENCY_HOURS_MIN = 24;
/** The longest that it may be set to, less the hour that a sweep may be late: copies of patient data go in 30 days. */
export const IDEMPOTENCY_HOURS_MAX = 30 * 24 - 1;

/** Names the release in whose shape core gives an old answer again, where that is not head. Between core and gateway. */
export const HEAD_RELEASE_HEADER = 'perennial-head-release';

/** What a request with an Idempotency-Key can end with, beside what its operation says. */
export const idempotencyErrors: readonly ErrorCode[] = [
  'idempotency_key_invalid',
  'idempotency_in_flight',
  'idempotency_answer_erased',
  'idempotency_key_reused',
];

/** Whether the operation takes an Idempotency-Key: every POST does. Other methods can be repeated as they are. */
export function takesIdempotencyKey(operation: Operation): boolean {
  return operation.method === 'POST';
}

/**
 * Whether the answer is kept to be given again. Streams and bytes are not: they have no bound. Such an operation takes
 * the key, and carries the request out again.
 */
export function keepsAnswer(operation: Operation): boolean {
  return takesIdempotencyKey(operation) && operation.response.mediaType === undefined;
}
