import { Fault } from '@perennial/schemas/http/fault.ts';
import { parseSubjects, SUBJECTS_HEADER } from '@perennial/schemas/http/subjects.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import type { Response } from 'express';
import type { Exchange } from '../exchange.ts';
import { putCommonHeaders } from '../respond.ts';

/** Headers of core as either HTTP client gives them. */
export type CoreHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Headers of core's answer that a client gets; all others are core's own business. */
const passed = [
  'content-type',
  'content-disposition',
  'content-language',
  'content-range',
  'accept-ranges',
  'retry-after',
  'allow',
  'accept',
  'last-modified',
  'idempotency-replayed',
] as const;

/** Headers that hold an address of core's, which the client knows below its version segment. */
const addresses = ['location', 'content-location'] as const;

/**
 * Puts what every answer of core carries on to the client: its status and the headers above, with addresses below
 * the client's own version segment.
 */
export function beginAnswer(response: Response, exchange: Exchange, status: number, headers: CoreHeaders): void {
  response.statusCode = status;
  exchange.subjects = parseSubjects(headers[SUBJECTS_HEADER]);
  putCommonHeaders(response, exchange);
  for (const name of passed) {
    const value = headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
  for (const name of addresses) {
    const value = headers[name];
    if (typeof value === 'string')
      response.setHeader(name, value.startsWith('/') ? `${exchange.prefix}${value}` : value);
  }
}

/** Whether a success is of the media type that the operation declares. Bytes can be of any type. */
function isDeclared(operation: Operation, type: string): boolean {
  const { mediaType } = operation.response;
  if (mediaType === undefined) return false;
  return !isStream(operation) || type.toLowerCase().startsWith(mediaType);
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
  const isJson = typeof type === 'string' && /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
  const isExpected = isJson || (typeof type === 'string' && status < 300 && isDeclared(operation, type));
  if (
    status === 401 ||
    status === 403 ||
    status < 200 ||
    (status >= 300 && status < 400 && !(status === 304 && wasConditional)) ||
    (!isEmpty && !isExpected) ||
    (!isEmpty && isJson && method !== 'HEAD' && headers['content-length'] === '0')
  )
    throw new Fault('core_failed', {
      cause: new Error(`core answered status ${status}, ${isJson ? 'JSON' : 'not JSON'}`),
    });
}
