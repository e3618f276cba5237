import type { IncomingHttpHeaders } from 'node:http';
import { type DetailCode, details } from '@perennial/schemas/errors.ts';
import { IDEMPOTENCY_KEY_CHARS_MAX } from '@perennial/schemas/idempotency.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';

/** A string of structured fields (RFC 9651, section 3.3.3), as the IETF draft writes the key. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
/** Printable ASCII without commas: a comma means that the header was sent twice. */
const PLAIN = /^[\x20\x21\x23-\x2b\x2d-\x7e]*$/;

/**
 * The key that a request carries, the same whether quoted or not; undefined when it has none.
 * @throws Fault `idempotency_key_invalid`
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  const text = (Array.isArray(header) ? header.join(',') : header).trim();
  const key = QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? text;
  if (key === text && !PLAIN.test(text)) throw invalidKey('wrong_format');
  if (key.length === 0) throw invalidKey('too_short');
  if (key.length > IDEMPOTENCY_KEY_CHARS_MAX) throw invalidKey('too_long');
  return key;
}

function invalidKey(code: DetailCode): Fault {
  return new Fault('idempotency_key_invalid', {
    details: [{ code, message: details[code], header: 'Idempotency-Key' }],
  });
}
