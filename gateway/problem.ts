import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from '@perennial/schemas/platform/json-schema.ts';

/*
 * Problem details (RFC 9457), for who asks for them: what a version says of an error, in its own names, beside the
 * members that the standard gives every problem.
 */

export const PROBLEM_TYPE = 'application/problem+json';
const REFUSED = /application\/problem\+json\s*;[^,]*\bq=0(?:\.0*)?\s*(?:[;,]|$)/i;

/** Whether a request asks for problem details. Nearly none does, and for those this is all that it costs. */
export function wantsProblem({ headers: { accept } }: IncomingMessage): boolean {
  return accept?.includes(PROBLEM_TYPE) === true && !REFUSED.test(accept);
}

/** What `Accept` says of successes: a client that reads problems has not said anything about those. */
export function withoutProblem(accept: string): string {
  const rest = accept.split(',').filter((range) => !range.trim().toLowerCase().startsWith(PROBLEM_TYPE));
  return rest.length === 0 ? '*/*' : rest.join(',');
}

/**
 * An error envelope of a version as a problem.
 * @returns undefined when the text is no error envelope.
 */
export function problemOf(status: number, envelope: string): string | undefined {
  let read: unknown;
  try {
    read = JSON.parse(envelope);
  } catch {
    return undefined;
  }
  if (!isObject(read) || !isObject(read['error'])) return undefined;
  const { requestId, timestamp, meta } = read;
  const { documentation_url: documentation, ...error } = read['error'] as JsonObject;
  const code = String(error['code']);
  return JSON.stringify({
    type: typeof documentation === 'string' ? documentation : `/errors#${code}`,
    title: code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' '),
    status,
    detail: error['message'],
    instance: `urn:request:${String(requestId)}`,
    ...error,
    requestId,
    timestamp,
    meta,
  });
}
