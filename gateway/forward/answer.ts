import type { Operation } from '@perennial/schemas/operation.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { parseSubjects, SUBJECTS_HEADER } from '@perennial/schemas/platform/http/subjects.ts';
import type { HeaderValues } from '@perennial/translators/engine/headers.ts';
import type { Response } from 'express';
import type { Exchange } from '../exchange.ts';
import { commonHeadersOf, putHeaders, type RawHeaders } from '../respond.ts';
import type { AddressAt } from '../routing.ts';
import type { Wire } from './wire.ts';

/** Headers of core as either HTTP client gives them. */
export type CoreHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Headers of core's answer that are passed on, beside its type. All others are internal. */
const passed = [
  'content-disposition',
  'content-language',
  'content-range',
  'warning',
  'accept-ranges',
  // A proxy on the way must not gather a stream.
  'x-accel-buffering',
  'retry-after',
  'allow',
  'accept',
  'last-modified',
  'idempotency-replayed',
] as const;

/** Headers that hold an address of core's, which the client knows below its version segment. */
const addresses = ['location', 'content-location'] as const;

/**
 * What every answer of core carries on to the client: the headers above, with addresses below the client's own version
 * segment. What the audit trail needs to know of it is noted in the exchange.
 * @param type of the body, where it is not core's own any more. @param addressAt where the version has what core names.
 */
export function answerHeaders(
  exchange: Exchange,
  headers: CoreHeaders,
  type: string | string[] | undefined = headers['content-type'],
  addressAt: AddressAt = (_release, path) => path,
): RawHeaders {
  exchange.subjects = parseSubjects(headers[SUBJECTS_HEADER]);
  const raw = commonHeadersOf(exchange);
  if (type !== undefined) raw.push('content-type', type);
  for (const name of passed) {
    const value = headers[name];
    if (value !== undefined) raw.push(name, value);
  }
  const release = exchange.plan?.release;
  const older = (path: string): string => (release === undefined ? path : addressAt(release, path));
  for (const [name, value] of exchange.plan?.headers?.answer(headers as HeaderValues) ?? []) raw.push(name, value);
  for (const name of addresses) {
    const value = headers[name];
    if (typeof value !== 'string') continue;
    raw.push(name, value.startsWith('/') ? `${exchange.prefix}${older(value)}` : value);
    if (name === 'location') exchange.location = value;
  }
  return raw;
}

/** Puts status and headers of an answer whose body follows as a stream. */
export function beginAnswer(
  wire: Pick<Wire, 'answerHeaders'>,
  response: Response,
  exchange: Exchange,
  status: number,
  headers: CoreHeaders,
): void {
  response.statusCode = status;
  putHeaders(response, wire.answerHeaders(exchange, headers));
}

/** Whether a success is of the media type that the operation declares. Bytes can be of any type. */
function isDeclared(operation: Operation, type: string): boolean {
  const { mediaType } = operation.response;
  if (mediaType === undefined) return false;
  return !isStream(operation) || type.toLowerCase().startsWith(mediaType);
}

function isJsonType(type: string | string[] | undefined): boolean {
  return typeof type === 'string' && /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
}

/** Whether an answer cannot be empty, because it is one JSON value. A stream may have no elements, and a file no bytes. */
export function hasContent({ response }: Operation, status: number, type: string | string[] | undefined): boolean {
  return isJsonType(type) && (status >= 400 || response.mediaType !== 'application/octet-stream');
}

/** Whether the operation answers element by element. */
export function isStream(operation: Operation): boolean {
  const { mediaType } = operation.response;
  return mediaType === 'application/x-ndjson' || mediaType === 'text/event-stream';
}

/**
 * Refuses what core cannot have meant for a client: a refusal of the gateway itself, a redirect, an answer that is not
 * of the kind the contract names or is empty, or a 304 that nobody asked for.
 * @param method what core was asked with. @param wasConditional whether core was sent If-None-Match.
 * @throws {Fault} core_failed
 */
export function checkAnswer(
  operation: Operation,
  status: number,
  headers: CoreHeaders,
  method: string,
  wasConditional = false,
): void {
  const isEmpty = status === 204 || status === 304;
  const type = headers['content-type'];
  const isJson = isJsonType(type);
  const isExpected = isJson || (typeof type === 'string' && status < 300 && isDeclared(operation, type));
  if (
    status === 401 ||
    status === 403 ||
    status < 200 ||
    (status >= 300 && status < 400 && !(status === 304 && wasConditional)) ||
    (!isEmpty && !isExpected) ||
    (!isEmpty && method !== 'HEAD' && headers['content-length'] === '0' && hasContent(operation, status, type))
  )
    throw new Fault('core_failed', {
      cause: new Error(`core answered status ${status}, ${isJson ? 'JSON' : 'not JSON'}`),
    });
}
