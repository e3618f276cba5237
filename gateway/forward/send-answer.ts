import type { Operation } from '@perennial/schemas/operation.ts';
import { inCodingTag } from '@perennial/schemas/platform/etag.ts';
import type { Request, Response } from 'express';
import { inCoding, isCoded } from '../codings.ts';
import { exchangeOf } from '../exchange.ts';
import { minimalStatus, wantsMinimal } from '../preference.ts';
import { PROBLEM_TYPE, problemOf, wantsProblem } from '../problem.ts';
import { type RawHeaders, sendWhole } from '../respond.ts';
import { pageLinks } from './page-links.ts';

/** An answer of core, in the client's version, whose body is known whole. */
export interface WholeAnswer {
  readonly status: number;
  /** Of everything but the tag, the length and the coding. */
  readonly headers: RawHeaders;
  readonly tag: string | undefined;
  readonly body: Buffer;
  /** Where core has encoded it already. */
  readonly coding?: string | undefined;
}

/**
 * Sends an answer in the form that the client asked for: an error as a problem, a write without its body, a large body
 * compressed. Who asks for none of that pays for three comparisons.
 */
export function sendAnswer(
  request: Request,
  response: Response,
  operation: Operation,
  answer: WholeAnswer,
): void | Promise<void> {
  const { status, headers, tag, body, coding } = answer;
  if (status >= 400) {
    const problem =
      coding === undefined && wantsProblem(request) ? problemOf(status, body.toString('utf8')) : undefined;
    if (problem !== undefined) {
      headers[headers.indexOf('content-type') + 1] = PROBLEM_TYPE;
      finish(request, response, { status, headers, tag, body: Buffer.from(problem) });
      return;
    }
  } else if (wantsMinimal(request, operation)) {
    const type = headers.indexOf('content-type');
    if (type >= 0) headers.splice(type, 2);
    headers.push('preference-applied', 'return=minimal');
    if (tag !== undefined) headers.push('etag', tag);
    const least = minimalStatus(status);
    if (least !== 204) headers.push('content-length', '0');
    sendWhole(response, least, headers, undefined);
    return;
  }
  if (status === 200 && coding === undefined) {
    const links = pageLinks(exchangeOf(response), operation, body);
    if (links !== undefined) headers.push('link', links);
  }
  if (coding === undefined && request.method !== 'HEAD' && isCoded(request, body.length))
    return inCoding(request, body).then((coded) => finish(request, response, { ...answer, ...coded }));
  finish(request, response, answer);
}

function finish(request: Request, response: Response, { status, headers, tag, body, coding }: WholeAnswer): void {
  if (tag !== undefined) headers.push('etag', coding === undefined ? tag : inCodingTag(tag, coding));
  if (coding !== undefined) headers.push('content-encoding', coding);
  headers.push('content-length', String(body.length));
  sendWhole(response, status, headers, request.method === 'HEAD' ? undefined : body);
}
