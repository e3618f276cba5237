import { history } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import { addSubjects, formatSubjects, SUBJECTS_HEADER } from '@perennial/schemas/platform/http/subjects.ts';
import type { Response } from 'express';
import { JsonText } from '../json-text.ts';
import { type Exchange, exchangeOf } from './exchange.ts';

/** The semver of head: the newest release of the history, Preview included. */
export const headVersion: string = newestFirst(history)[0]?.semver ?? '0.0.0';

/** What stands around `data` and `error` (specification, section 2.1). */
export interface Envelope {
  readonly requestId: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  readonly processingTimeMs: number;
}

/**
 * Serialises an answer. The order of the members is part of the contract with the gateway, which passes on an answer
 * that no change touches by replacing what stands before `data`.
 */
export function serialise(envelope: Envelope, member: 'data' | 'error', value: unknown): string {
  // A request id and a timestamp are of characters that JSON never escapes.
  const meta = `{"processingTimeMs":${envelope.processingTimeMs},"version":"${headVersion}"}`;
  const head = `{"requestId":"${envelope.requestId}","timestamp":"${envelope.timestamp}","meta":${meta}`;
  return `${head},"${member}":${value instanceof JsonText ? value.text : JSON.stringify(value)}}`;
}

/** Answers with an envelope around `value`. Ends the response: nothing may be written after it. */
export function sendEnvelope(
  response: Response,
  status: number,
  headers: Readonly<Record<string, string>>,
  member: 'data' | 'error',
  value: unknown,
): void {
  const exchange = exchangeOf(response);
  const body = serialise(envelopeOf(exchange), member, value);
  addSubjects(exchange.subjects, body);
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...headers,
    ...subjectsOf(exchange),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  // Node itself leaves the body out of the answer to HEAD.
  response.end(body);
}

/** Answers without a body: 204 and 304. */
export function sendEmpty(response: Response, status: number, headers: Readonly<Record<string, string>>): void {
  response.writeHead(status, { 'cache-control': 'no-store', ...headers, ...subjectsOf(exchangeOf(response)) });
  response.end();
}

/** The header that tells the gateway whose data the exchange was about, if anybody's. */
export function subjectsOf({ subjects }: Exchange): Readonly<Record<string, string>> {
  const value = formatSubjects(subjects);
  return value === undefined ? {} : { [SUBJECTS_HEADER]: value };
}

function envelopeOf(exchange: Exchange): Envelope {
  return {
    requestId: exchange.requestId,
    timestamp: new Date().toISOString(),
    processingTimeMs: Math.round(performance.now() - exchange.startedAt),
  };
}
