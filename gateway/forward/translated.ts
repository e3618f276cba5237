import { pipeline } from 'node:stream/promises';
import type { Operation } from '@perennial/schemas/operation.ts';
import { type BodyLimits, hasBody, readBytes, readJsonBody } from '@perennial/schemas/platform/http/body.ts';
import { discardRest } from '@perennial/schemas/platform/http/elements.ts';
import { invalid } from '@perennial/schemas/platform/http/fault.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Contexts } from '@perennial/translators/engine/evaluate.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { Request, RequestHandler, Response } from 'express';
import type { Cancellation } from '../client-disconnect.ts';
import { type Exchange, exchangeOf, known } from '../exchange.ts';
import type { PinBody } from '../webhooks/pins.ts';
import { beginAnswer, isStream } from './answer.ts';
import type { CoreAnswer, CoreClient, CoreRequest } from './core-client.ts';
import { corePath } from './core-request.ts';
import { createElementRequest } from './element-request.ts';
import type { PipeElements } from './elements.ts';
import { FORM, readFormBody } from './form-body.ts';
import { type PlanQuery, queryAfter } from './query.ts';
import { sendUpdate } from './update.ts';
import type { Wire } from './wire.ts';

/** Headers that a translated exchange does not forward: body, tag and coding are those of another version. */
const OWN_HEADERS = ['if-none-match', 'accept-encoding', 'content-encoding', 'content-type'] as const;

/** What the translated exchange works with. */
export interface TranslatedOptions {
  readonly core: CoreClient;
  readonly translator: Translator;
  readonly planQuery: PlanQuery;
  /** Completes a body that names a version. */
  readonly pinBody: PinBody;
  readonly limits: BodyLimits;
  /** Largest body that is read element by element. */
  readonly bulkBytesMax: number;
  readonly wire: Wire;
  readonly pipeElements: PipeElements;
}

/**
 * Exchanges in every version but head: the request is validated in the client's own version, rewritten to head, and
 * the answer is rewritten back. What no change touches is relayed.
 */
export function createTranslated(options: TranslatedOptions): RequestHandler {
  return async (request, response) => {
    const exchange = exchangeOf(response);
    const plan = known(exchange.plan, 'plan');
    const signal = exchange.disconnect;
    const call = { request, response, exchange, plan, signal };
    try {
      if (plan.operation.body?.elements) await translateElements(options, call);
      else if (plan.operation.response.mediaType !== undefined) await stream(options, call);
      else await translate(options, call);
    } catch (error) {
      // Nobody is left to read an answer.
      if (!signal.aborted) throw error;
    }
  };
}

/** One request under way. */
interface Call {
  readonly request: Request;
  readonly response: Response;
  readonly exchange: Exchange;
  readonly plan: Plan;
  /** The client has left. */
  readonly signal: Cancellation;
}

/** The body, valid in the client's version. Faults speak the client's names. */
async function validBody(options: TranslatedOptions, { request, exchange, plan }: Call): Promise<unknown> {
  const body = await readBody(request, plan, options);
  const ref = plan.operation.body?.ref;
  const faults = ref === undefined ? [] : options.translator.validator(plan.release).body(ref, body);
  if (faults.length > 0) throw invalid(faults);
  return options.pinBody(plan.head, exchange, body);
}

async function readBody(request: Request, plan: Plan, options: TranslatedOptions): Promise<unknown> {
  const mediaType = plan.operation.body?.mediaType;
  if (mediaType === FORM) return readFormBody(request, plan.bodySchema, options.limits);
  const accepted =
    mediaType === 'application/merge-patch+json' ? [mediaType, 'application/json'] : ['application/json'];
  return readJsonBody(request, accepted, options.limits);
}

async function translate(options: TranslatedOptions, call: Call): Promise<void> {
  const { request, response, exchange, plan, signal } = call;
  const { core, translator } = options;
  const prepared = prepare(options, call);
  const { asked, contexts, body } = plan.operation.body ? await withBody(options, call, prepared) : prepared;
  const answer =
    plan.head.update && plan.touchesBody
      ? await sendUpdate({
          ...asked,
          core,
          wire: options.wire,
          translator,
          exchange,
          plan,
          queryText: prepared.queryText,
          body: body as JsonObject,
          signal,
        })
      : await core.fetch(asked);
  const { pageEntries, queryText } = prepared;
  if (pageEntries === undefined || answer.status !== 200 || !options.wire.sendPage) {
    await options.wire.send(request, response, plan, answer, contexts);
    return;
  }
  const path = asked.path.slice(0, asked.path.length - queryText.length);
  await options.wire.sendPage(request, response, plan, answer, contexts, pageEntries, ({ cursor, entries }) =>
    core.fetch({ ...asked, path: `${path}${queryAfter(plan, queryText, cursor, entries)}` }),
  );
}

/** A body of many elements goes up one by one; the answer comes down like any other. */
async function translateElements(options: TranslatedOptions, call: Call): Promise<void> {
  const { request, response, exchange, plan, signal } = call;
  const { core, translator, limits, bulkBytesMax: bodyBytesMax } = options;
  const { contexts, text } = options.planQuery(exchange, plan);
  const headers = options.wire.requestHeaders(request, exchange, OWN_HEADERS);
  try {
    const { bodyDepthMax } = limits;
    const parts = { core, translator, bodyBytesMax, bodyDepthMax };
    const caller = known(exchange.caller, 'caller');
    const sent = createElementRequest(parts, request, plan, caller, text, headers, signal);
    const path = `${corePath(plan.head, exchange.parameters)}${text}`;
    const sentHeaders = { ...headers, ...sent.headers };
    const asked = { caller, method: request.method, path, headers: sentHeaders, body: sent.body, signal };
    let answer: CoreAnswer;
    try {
      answer = await core.fetch(asked);
    } catch (error) {
      throw sent.failure() ?? error;
    }
    // Core may have refused before all had come.
    if (!(await discardRest(request))) response.setHeader('connection', 'close');
    await options.wire.send(request, response, plan, answer, contexts);
  } catch (error) {
    if (!signal.aborted && !(await discardRest(request))) response.setHeader('connection', 'close');
    throw error;
  }
}

/** What core will be asked: the request at head. */
interface Prepared {
  readonly asked: CoreRequest;
  readonly contexts: Contexts | undefined;
  /** With its question mark, or nothing. */
  readonly queryText: string;
  /** Entries that the page must hold if the list has them. */
  readonly pageEntries: number | undefined;
  /** The client's own, valid in its version. */
  readonly body?: unknown;
}

/** What core will be asked, but for the body. */
function prepare(options: TranslatedOptions, { request, exchange, plan, signal }: Call): Prepared {
  const { contexts, text, pageEntries } = options.planQuery(exchange, plan);
  const headers = options.wire.requestHeaders(request, exchange, OWN_HEADERS);
  // The tag of bytes is core's own: it names the content, which no version changes.
  const condition = request.headers['if-none-match'];
  if (answersBytes(plan.operation) && condition !== undefined) headers['if-none-match'] = condition;
  return {
    asked: {
      caller: exchange.caller,
      method: plan.head.method,
      path: `${corePath(plan.head, exchange.parameters)}${text}`,
      headers,
      signal,
    },
    contexts,
    queryText: text,
    pageEntries,
  };
}

/** The same with the body, rewritten to head. */
async function withBody(options: TranslatedOptions, call: Call, prepared: Prepared): Promise<Prepared> {
  const { request, plan } = call;
  const { asked } = prepared;
  if (!takesJson(plan.operation)) {
    // Files are nobody's schema: their bytes go through as they come.
    const headers = { ...asked.headers };
    for (const name of ['content-type', 'content-length', 'content-encoding'] as const) {
      const value = request.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    return { ...prepared, asked: { ...asked, headers, body: request } };
  }
  if (isAsAtHead(plan, call.exchange)) {
    const headers = { ...asked.headers };
    for (const name of ['content-type', 'content-encoding'] as const) {
      const value = request.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    const bytes = hasBody(request) ? await readBytes(request, options.limits.bodyBytesMax) : undefined;
    return { ...prepared, asked: { ...asked, headers, body: bytes } };
  }
  const body = await validBody(options, call);
  if (plan.head.update && plan.touchesBody) return { ...prepared, body };
  const headers = { ...asked.headers, 'content-type': plan.head.body?.mediaType ?? 'application/json' };
  return { ...prepared, asked: { ...asked, headers, body: JSON.stringify(plan.body(body)) }, body };
}

/**
 * Whether a body can go on as it came: a preview that does not touch an operation costs those nothing who stay in the current
 * version. Core validates alone, as at head.
 */
function isAsAtHead(plan: Plan, { standing }: Exchange): boolean {
  return standing?.state === 'current' && plan.changes.length === 0 && plan.operation.pin === undefined;
}

/** Whether the operation's body is JSON, which is read and rewritten, or bytes. */
function takesJson({ body }: Operation): boolean {
  return body === undefined || body.mediaType.endsWith('json') || body.mediaType === FORM;
}

function answersBytes(operation: Operation): boolean {
  return operation.response.mediaType !== undefined && !isStream(operation);
}

/** Streams and bytes: elements are translated one by one, bytes go through as they come. */
async function stream(options: TranslatedOptions, call: Call): Promise<void> {
  const { request, response, exchange, plan } = call;
  const prepared = prepare(options, call);
  const { asked, contexts } = plan.operation.body ? await withBody(options, call, prepared) : prepared;
  const { wire } = options;
  const answer = await options.core.open(asked);
  const { statusCode: status, headers } = answer;
  try {
    wire.check(plan.operation, status, headers, asked.method, asked.headers['if-none-match'] !== undefined);
  } catch (error) {
    answer.body.destroy();
    throw error;
  }
  if (status >= 400 || wire.isWhole(plan.operation, headers)) {
    await options.wire.send(request, response, plan, await options.core.collect(answer), contexts);
    return;
  }
  const own = answersBytes(plan.operation) ? headers['etag'] : undefined;
  const tag = typeof own === 'string' ? own : wire.tagAt(plan, headers['etag']);
  if (status === 204 || status === 304 || wire.isUnchanged(request, status, tag)) {
    answer.body.destroy();
    wire.sendEmpty(response, exchange, status === 204 ? 204 : 304, tag, headers);
    return;
  }
  beginAnswer(wire, response, exchange, plan.status(status), headers);
  if (tag !== undefined) response.setHeader('etag', tag);
  const isTranslated = isStream(plan.operation) && plan.touchesResponse;
  if (!isTranslated)
    for (const name of ['content-length', 'content-encoding'] as const) {
      const value = headers[name];
      if (value !== undefined) response.setHeader(name, value);
    }
  if (request.method === 'HEAD') {
    answer.body.destroy();
    response.end();
    return;
  }
  // The pipes on the way listen for the end of the response as well, each for itself.
  response.setMaxListeners(32);
  // The client learns at once that its stream has begun, whenever the first element comes.
  response.flushHeaders();
  try {
    if (isTranslated) await options.pipeElements(answer.body, response, plan, contexts);
    else await pipeline(answer.body, response);
  } catch {
    response.destroy();
  }
}
