import { formatETag, inRepresentation, parseETags } from '@perennial/schemas/platform/etag.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Contexts } from '@perennial/translators/engine/evaluate.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Request, Response } from 'express';
import { failedAnswer } from '../answer-fault.ts';
import { type Exchange, exchangeOf, known } from '../exchange.ts';
import { commonHeadersOf, sendWhole } from '../respond.ts';
import type { AddressAt } from '../routing.ts';
import { answerHeaders, checkAnswer } from './answer.ts';
import type { AnswerCheck } from './answer-check.ts';
import type { CoreAnswer } from './core-client.ts';
import { coreHeaders } from './core-request.ts';
import { type CoreEnvelope, readEnvelope, writeEnvelope } from './envelope.ts';
import type { ReadKept } from './kept-answer.ts';
import { replaceVersion } from './relay.ts';
import { sendAnswer } from './send-answer.ts';
import { type Missing, PageJoin } from './whole-page.ts';
import type { Wire } from './wire.ts';

/** What the way to core works with. */
export interface CoreWireOptions {
  readonly check: AnswerCheck;
  readonly readKept: ReadKept;
  readonly addressAt: AddressAt;
  /** Told how long the body of an answer took to translate. */
  readonly translated: (plan: Plan, seconds: number) => void;
  /** Largest answer. */
  readonly answerBytesMax: number;
}

/** How core is spoken to: its envelope, its tags, and no header of the client's that no operation asks for. */
export function createCoreWire(options: CoreWireOptions): Wire {
  return {
    requestHeaders: coreHeaders,
    check: checkAnswer,
    isWhole: () => false,
    answerHeaders: (exchange, headers, type) => answerHeaders(exchange, headers, type, options.addressAt),
    tagAt,
    isUnchanged,
    holds,
    priorHeaders: ({ 'x-request-id': requestId, traceparent }) => ({
      ...(requestId ? { 'x-request-id': requestId } : {}),
      ...(traceparent ? { traceparent } : {}),
    }),
    prior(answer) {
      const { etag } = answer.headers;
      if (typeof etag !== 'string') throw new Fault('core_failed', { cause: new Error('core sent no ETag') });
      return { value: readEnvelope(answer).data as JsonObject, etag };
    },
    sendEmpty,
    send: (...answered) => sendTranslated(options, ...answered),
    sendPage: (...answered) => sendPage(options, ...answered),
  };
}

/** Whether the client's own If-Match holds for what is stored; revisions are compared, from any version. */
function holds(ifMatch: string | undefined, etag: string | undefined): boolean {
  if (ifMatch === undefined || etag === undefined) return true;
  const wanted = parseETags(ifMatch);
  const stored = parseETags(etag);
  if (wanted === 'any') return true;
  return stored !== 'any' && wanted.some(({ revision }) => revision === stored[0]?.revision);
}

/** Sends an answer of core in the client's version. */
function sendTranslated(
  { check, readKept, addressAt, translated: measured }: CoreWireOptions,
  request: Request,
  response: Response,
  plan: Plan,
  answer: CoreAnswer,
  contexts: Contexts | undefined,
  parsed?: { readonly envelope: CoreEnvelope; readonly began: number },
): void | Promise<void> {
  const exchange = exchangeOf(response);
  checkAnswer(plan.operation, answer.status, answer.headers, coreMethod(request));
  const tag = tagAt(plan, answer.headers['etag']);
  if (answer.status === 204 || isUnchanged(request, answer.status, tag)) {
    sendEmpty(response, exchange, answer.status === 204 ? 204 : 304, tag);
    return;
  }
  const { semver } = known(exchange.standing, 'version').release;
  let status: number;
  let bytes: Buffer;
  if (answer.status >= 400) {
    const envelope = readEnvelope(answer);
    const failed = envelope.error as NonNullable<CoreEnvelope['error']>;
    exchange.errorCode = failed.code;
    const translated = plan.error(failed);
    // The client cannot see the member at fault, so the fault is ours.
    if (!translated)
      throw new TranslationFailed(plan.changes.at(-1), new Error('core refused a member the client cannot see'));
    if (translated.success) {
      const { status: succeeded, data } = translated.success;
      if (data === undefined) {
        sendEmpty(response, exchange, succeeded, undefined);
        return;
      }
      status = succeeded;
      bytes = writeEnvelope(envelope, semver, 'data', data);
    } else {
      status = translated.status ?? answer.status;
      bytes = writeEnvelope(envelope, semver, 'error', translated.error);
    }
  } else {
    status = plan.status(answer.status);
    const readOlder = readKept(plan, answer.headers);
    if (!readOlder && !plan.touchesResponse && !plan.head.atRest) {
      const relayed = replaceVersion(answer.body, semver);
      if (!relayed) throw new Fault('core_failed', { cause: new Error('the answer does not begin with an envelope') });
      bytes = relayed;
    } else {
      const { envelope, began } = parsed ?? { began: performance.now(), envelope: readEnvelope(answer) };
      const refusal = readOlder ? undefined : plan.refusal(envelope.data);
      if (refusal !== undefined) throw new Fault(refusal);
      const read = readOlder ?? ((data: unknown) => plan.response(data, contexts));
      bytes = writeEnvelope(envelope, semver, 'data', translateData(plan, envelope.data, read, request, check));
      measured(plan, (performance.now() - began) / 1_000);
    }
  }
  const headers = answerHeaders(exchange, answer.headers, 'application/json; charset=utf-8', addressAt);
  return sendAnswer(request, response, plan.operation, { status, headers, tag, body: bytes });
}

/** A page that core has ended early is made whole: each part is read and translated by itself, so that nobody else waits. */
async function sendPage(
  options: CoreWireOptions,
  request: Request,
  response: Response,
  plan: Plan,
  first: CoreAnswer,
  contexts: Contexts | undefined,
  entries: number,
  more: (missing: Missing) => Promise<CoreAnswer>,
): Promise<void> {
  const { readKept, check, addressAt, answerBytesMax, translated: measured } = options;
  checkAnswer(plan.operation, first.status, first.headers, coreMethod(request));
  const whole = new PageJoin(entries, answerBytesMax);
  let seconds = 0;
  for (let answer = first; ; ) {
    const began = performance.now();
    const envelope = readEnvelope(answer);
    const missing = whole.missingAfter(envelope.data);
    if (answer === first && missing === undefined) {
      return sendTranslated(options, request, response, plan, answer, contexts, { envelope, began });
    }
    const read = readKept(plan, answer.headers) ?? ((data: unknown) => plan.response(data, contexts));
    whole.add(envelope, translateData(plan, whole.counted(envelope.data), read, request, check), answer.headers);
    seconds += (performance.now() - began) / 1_000;
    if (missing === undefined) break;
    answer = await more(missing);
    if (answer.status !== 200) {
      return sendTranslated(options, request, response, plan, answer, contexts);
    }
  }
  measured(plan, seconds);
  const exchange = exchangeOf(response);
  const bytes = whole.write(known(exchange.standing, 'version').release.semver);
  const headers = answerHeaders(exchange, first.headers, 'application/json; charset=utf-8', addressAt);
  exchange.subjects = whole.subjects();
  return sendAnswer(request, response, plan.operation, {
    status: plan.status(200),
    headers,
    tag: undefined,
    body: bytes,
  });
}

function translateData(
  plan: Plan,
  data: unknown,
  read: (data: unknown) => unknown,
  request: Request,
  check: AnswerCheck,
): unknown {
  try {
    const older = read(data);
    check(plan, older);
    return older;
  } catch (error) {
    throw failedAnswer(error, request, data);
  }
}

/** HEAD needs the answer's length in the client's version, so core is asked for the whole. */
function coreMethod(request: Request): string {
  return request.method === 'HEAD' ? 'GET' : request.method;
}

/** Core's tag as the client's version names it: the same revision, this version's representation. */
function tagAt(plan: Plan, header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? inRepresentation(header, plan.representation) : undefined;
}

/** Whether If-None-Match names exactly this answer: the revision in this version. */
function isUnchanged(request: Request, status: number, tag: string | undefined): boolean {
  const condition = request.headers['if-none-match'];
  if (condition === undefined || tag === undefined || status !== 200) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const wanted = parseETags(condition);
  return wanted === 'any' || wanted.some((each) => formatETag(each) === tag);
}

function sendEmpty(response: Response, exchange: Exchange, status: number, tag: string | undefined): void {
  const raw = commonHeadersOf(exchange);
  if (tag !== undefined) raw.push('etag', tag);
  sendWhole(response, status, raw, undefined);
}
