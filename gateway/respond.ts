import { documentationUrl } from '@perennial/schemas/errors.ts';
import type { Fault } from '@perennial/schemas/http/fault.ts';
import type { JsonObject } from '@perennial/schemas/json-schema.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import type { Response } from 'express';
import { type Exchange, exchangeOf } from './exchange.ts';
import type { Headers } from './version/headers.ts';

/** Puts the headers that every answer carries: the request's id, the version served, Vary, caching. */
export function putCommonHeaders(response: Response, exchange: Exchange): void {
  response.setHeader('x-request-id', exchange.requestId);
  putHeaders(response, exchange.headers);
}

/** Sets headers that are not undefined. */
export function putHeaders(response: Response, headers: Headers): void {
  for (const name in headers) response.setHeader(name, headers[name] as string);
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
export function sendJson(response: Response, status: number, body: string): void {
  const exchange = exchangeOf(response);
  putCommonHeaders(response, exchange);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.statusCode = status;
  response.end(body);
}

/** A fault as the head contract writes it. */
export function errorBodyOf(fault: Fault, extra: Partial<ErrorBody> = {}): ErrorBody {
  return {
    code: fault.code,
    message: fault.message,
    details: [...fault.details],
    documentation_url: documentationUrl(fault.code),
    ...extra,
  };
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
  putHeaders(response, headers);
  sendJson(response, status, envelope(exchange, semver, 'error', error));
}
