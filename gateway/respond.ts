import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Response } from 'express';
import { type Exchange, exchangeOf } from './exchange.ts';
import { PROBLEM_TYPE, problemOf, wantsProblem } from './problem.ts';
import type { Headers } from './version/headers.ts';

/**
 * Headers of one answer, names and values in turn. Node writes such a list as it is; headers that are set one by one
 * it keeps, looks up and copies first, which for the dozen that every answer has is a good part of its cost.
 */
export type RawHeaders = (string | string[])[];

/** A new list with what every answer carries: the request's id, the version served, Vary, caching. */
export function commonHeadersOf(exchange: Exchange): RawHeaders {
  const { headers } = exchange;
  let flat = flattened.get(headers);
  if (!flat) {
    flat = Object.entries(headers).flat();
    flattened.set(headers, flat);
  }
  const raw: RawHeaders = flat.slice();
  raw.push('x-request-id', exchange.requestId);
  const { rate } = exchange;
  if (rate !== undefined) raw.push('ratelimit-policy', rate.policy, 'ratelimit', rate.state);
  return raw;
}

/** Versions have the same headers for a whole day. */
const flattened = new WeakMap<Headers, string[]>();

/** Puts the headers that every answer carries, where the rest of the answer is not known yet. */
export function putCommonHeaders(response: Response, exchange: Exchange): void {
  putHeaders(response, commonHeadersOf(exchange));
}

/** Sets each header of a list; one that stands there several times is sent as often. */
export function putHeaders(response: Response, headers: RawHeaders): void {
  const put = new Set<string>();
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    const value = headers[index + 1] as string | string[];
    if (put.has(name)) response.appendHeader(name, value);
    else response.setHeader(name, value);
    put.add(name);
  }
}

/** Up to this size, copying the body is cheaper than writing a second buffer. */
const JOINED_BYTES_MAX = 65_536;

/**
 * Sends an answer that is known whole: its head and its body, if it has one. Node joins a head and a text into one
 * piece, and no bytes with anything; in Latin-1 a text is its bytes.
 */
export function sendWhole(response: Response, status: number, headers: RawHeaders, body: Buffer | undefined): void {
  response.writeHead(status, headers);
  if (body !== undefined && body.length <= JOINED_BYTES_MAX) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
}

/** The envelope of an answer that the gateway makes itself (specification, section 2.1). */
export function envelope(exchange: Exchange, semver: string, member: 'data' | 'error', value: unknown): string {
  return JSON.stringify({
    requestId: exchange.requestId,
    timestamp: new Date().toISOString(),
    meta: { processingTimeMs: Math.round(performance.now() - exchange.startedAt), version: semver },
    [member]: value,
  });
}

/** Answers JSON text with its length. Node leaves the body out of the answer to HEAD. */
export function sendJson(
  response: Response,
  status: number,
  body: string,
  headers: Headers = {},
  type = 'application/json; charset=utf-8',
): void {
  const raw = commonHeadersOf(exchangeOf(response));
  for (const name in headers) raw.push(name, headers[name] as string);
  const bytes = Buffer.from(body, 'utf8');
  raw.push('content-type', type, 'content-length', String(bytes.length));
  sendWhole(response, status, raw, bytes);
}

/** Answers an error whose body is already in the client's version. */
export function sendError(
  response: Response,
  status: number,
  headers: Headers,
  semver: string,
  error: JsonObject,
): void {
  const exchange = exchangeOf(response);
  exchange.errorCode = String(error['code']);
  const text = envelope(exchange, semver, 'error', error);
  const problem = wantsProblem(response.req) ? problemOf(status, text) : undefined;
  if (problem === undefined) sendJson(response, status, text, headers);
  else sendJson(response, status, problem, headers, PROBLEM_TYPE);
}
