import type { Contract } from '@perennial/schemas/contract.ts';
import { details, type ErrorCode } from '@perennial/schemas/errors.ts';
import { keepsAnswer, takesIdempotencyKey } from '@perennial/schemas/idempotency.ts';
import { commonErrors, isAllowed, type Operation, takesFiles } from '@perennial/schemas/operation.ts';
import { type BodyLimits, readJsonBody } from '@perennial/schemas/platform/http/body.ts';
import { discardRest } from '@perennial/schemas/platform/http/elements.ts';
import { Fault, invalid } from '@perennial/schemas/platform/http/fault.ts';
import { RouteTable } from '@perennial/schemas/platform/http/route-table.ts';
import { addSubjects } from '@perennial/schemas/platform/http/subjects.ts';
import { isStorable } from '@perennial/schemas/platform/http/text.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { representationOf } from '@perennial/schemas/representation.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { createValidator, type QueryResult, type Validator } from '@perennial/schemas/validation.ts';
import type { Request, RequestHandler, Response } from 'express';
import { visibilityOf } from '../../visibility.ts';
import { readIdempotencyKey } from '../idempotency/key.ts';
import { type PayloadParts, unasked } from '../idempotency/payload.ts';
import type { Idempotency } from '../idempotency/service.ts';
import { readCheckedElements } from './checked-elements.ts';
import { Conditions, etagOf } from './conditions.ts';
import { sendEmpty, sendEnvelope } from './envelope.ts';
import { sendEvents } from './event-stream.ts';
import { exchangeOf } from './exchange.ts';
import type { AnyHandler, AnyOutcome, Handlers } from './handler.ts';
import { sendBytes, sendLines } from './stream-answers.ts';

/** How large bodies may be. */
export interface RequestLimits extends BodyLimits {
  /** Largest body that is read element by element; as large as any other unless given. */
  readonly bulkBytesMax?: number;
}

/** An operation, ready to be served: nothing here is worked out again per request. */
interface Served {
  readonly operation: Operation;
  readonly handler: AnyHandler;
  readonly mediaTypes: readonly string[];
  readonly representation: string;
  readonly needsQuery: boolean;
  /** Longest value of each path parameter. */
  readonly paramCharsMax: ReadonlyMap<string, number>;
}

/** Raised at start when contract and handlers do not fit each other. */
export class HandlersIncomplete extends Error {
  override readonly name = 'HandlersIncomplete';
}

/**
 * Serves every operation of a contract.
 * @param handlers one map per category.
 * @throws HandlersIncomplete unless every operation has exactly one handler and every handler an operation.
 */
export function serveOperations(
  contract: Contract,
  handlers: readonly Handlers[],
  limits: RequestLimits,
  idempotency: Idempotency,
  logger?: Logger,
): RequestHandler {
  const byId = collectHandlers(contract, handlers);
  const validator = createValidator(contract.resources);
  const served = new Map(contract.operations.map((each) => [each, prepare(contract, each, byId, validator)]));
  const routes = new RouteTable(contract.operations);

  const { bodyBytesMax, bodyDepthMax, bulkBytesMax = bodyBytesMax } = limits;
  const ofElements = new Set<string | undefined>(
    contract.operations.filter(({ body }) => body?.elements).map(({ id }) => id),
  );
  const elementLimits = { bodyBytesMax: bulkBytesMax, bodyDepthMax };

  const serve = async (request: Request, response: Response): Promise<void> => {
    const { path, search } = splitTarget(request.originalUrl);
    const match = matchRoute(routes, request.method, path);
    const exchange = exchangeOf(response);
    exchange.operationId = match.operation.id;
    const caller = exchange.caller;
    if (!caller) throw new Error('serveOperations: authenticate must come before');
    checkScope(match.operation, caller);

    const { operation, handler, representation, mediaTypes, ...rest } = served.get(match.operation) as Served;
    checkParams(match.params, rest.paramCharsMax);
    const query = readQuery(validator, operation, search, rest.needsQuery);
    const key = takesIdempotencyKey(operation) ? readIdempotencyKey(request.headers) : undefined;
    const elements =
      operation.body?.elements &&
      readCheckedElements(request, operation, operation.body.elements, validator, elementLimits);
    const body =
      operation.body && !elements && !takesFiles(operation)
        ? await readBody(validator, operation.body.ref, request, mediaTypes, limits)
        : undefined;
    if (search.size > 0) addSubjects(exchange.subjects, JSON.stringify(query));
    if (body !== undefined) addSubjects(exchange.subjects, JSON.stringify(body));
    const conditions = new Conditions(request.headers, representation);
    const visibility = visibilityOf(operation, query);
    const { params } = match;
    const { requestId } = exchange;
    const refusal = (code: ErrorCode): Fault => new Fault(code);
    const context = {
      refusal,
      requestId,
      params,
      operation,
      caller,
      visibility,
      query,
      search,
      body,
      ...(elements && { elements }),
    };
    const work = (payload: PayloadParts): Promise<AnyOutcome> => handler({ ...context, conditions, request, payload });
    const outcome =
      key !== undefined && keepsAnswer(operation)
        ? await idempotency.once({ key, operation, caller, params, query, body }, work)
        : await work(unasked);
    if (outcome.subjects) addSubjects(exchange.subjects, JSON.stringify(outcome.subjects));
    if (outcome.batches) await sendLines(response, outcome.headers ?? {}, outcome.batches, logger);
    else if (outcome.events) await sendEvents(response, outcome.headers ?? {}, outcome.events, logger);
    else if (outcome.bytes) await sendBytes(response, outcome.bytes);
    else answer(response, operation, conditions, representation, outcome);
  };

  const declared = new Map<string | undefined, ReadonlySet<string>>(
    contract.operations.map(({ id, errors }) => [id, new Set([...errors, ...commonErrors])]),
  );
  const reportUndeclared = (error: unknown, operation: string | undefined): void => {
    if (!(error instanceof Fault) || declared.get(operation)?.has(error.code) !== false) return;
    logger?.error('an operation was refused with a code that its contract does not declare', {
      operation,
      code: error.code,
    });
  };

  return async (request, response) => {
    try {
      await serve(request, response);
    } catch (error) {
      reportUndeclared(error, exchangeOf(response).operationId);
      // The rest of the body must be read and dropped, or the caller would not read the refusal.
      if (ofElements.has(exchangeOf(response).operationId) && !(await discardRest(request)))
        response.shouldKeepAlive = false;
      throw error;
    }
  };
}

function collectHandlers(contract: Contract, handlers: readonly Handlers[]): ReadonlyMap<string, AnyHandler> {
  const known = new Set(contract.operations.map(({ id }) => id));
  const byId = new Map<string, AnyHandler>();
  const faults: string[] = [];
  for (const [id, handler] of handlers.flatMap((each) => Object.entries(each))) {
    if (!known.has(id)) faults.push(`${id} has a handler but is not in the contract`);
    if (byId.has(id)) faults.push(`${id} has two handlers`);
    // Its type follows from the operation with this id, and it is called for no other.
    byId.set(id, handler as AnyHandler);
  }
  for (const id of known) if (!byId.has(id)) faults.push(`${id} has no handler`);
  if (faults.length > 0) throw new HandlersIncomplete(faults.join('\n'));
  return byId;
}

function prepare(
  contract: Contract,
  operation: Operation,
  handlers: ReadonlyMap<string, AnyHandler>,
  validator: Validator,
): Served {
  // Compiles the schema at start: a broken schema stops the start, and the first request is not slower.
  if (operation.body) validator.body(operation.body.ref, null);
  const { ref } = operation.response;
  return {
    operation,
    handler: handlers.get(operation.id) as AnyHandler,
    mediaTypes: mediaTypesOf(operation),
    representation: ref === undefined ? '' : representationOf(contract.resources, ref),
    needsQuery: operation.parameters.some((each) => each.in === 'query' && each.required === true),
    paramCharsMax: new Map(
      operation.parameters
        .filter((each) => each.in === 'path')
        .map((each) => [each.name, each.schema.maxLength ?? Number.POSITIVE_INFINITY]),
    ),
  };
}

function mediaTypesOf(operation: Operation): readonly string[] {
  if (!operation.body) return [];
  const { mediaType } = operation.body;
  // Many clients cannot send any other type than application/json.
  return mediaType === 'application/json' ? [mediaType] : [mediaType, 'application/json'];
}

function splitTarget(target: string): { readonly path: string; readonly search: URLSearchParams } {
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, search: new URLSearchParams() }
    : { path: target.slice(0, mark), search: new URLSearchParams(target.slice(mark + 1)) };
}

function matchRoute(
  routes: RouteTable,
  method: string,
  path: string,
): { readonly operation: Operation; readonly params: Readonly<Record<string, string>> } {
  const match = decodeOrRefuse(() => routes.match(method, path));
  switch (match.kind) {
    case 'found':
      return match;
    case 'method_not_allowed':
      throw new Fault('method_not_allowed', { headers: { allow: match.allow } });
    case 'unknown':
      throw new Fault('route_unknown');
  }
}

function decodeOrRefuse<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof URIError) throw new Fault('request_malformed');
    throw error;
  }
}

/** The gateway has checked the scope already. Core checks again, in case an edge check is missing. */
function checkScope(operation: Operation, caller: Caller): void {
  if (!isAllowed(operation, caller.scopes)) throw new Fault('scope_missing');
}

/** An identifier that no object can have gets the same 404 as one that does not exist. */
function checkParams(params: Readonly<Record<string, string>>, charsMax: ReadonlyMap<string, number>): void {
  for (const [name, max] of charsMax) {
    const value = params[name] as string;
    if (value.length > max || !isStorable(value)) throw new Fault('not_found');
  }
}

function readQuery(
  validator: Validator,
  operation: Operation,
  search: URLSearchParams,
  needsQuery: boolean,
): QueryResult['values'] {
  if (search.size === 0 && !needsQuery) return {};
  const { faults, values } = validator.query(operation, search);
  if (faults.length > 0) throw invalid(faults);
  const unstorable: ErrorDetail[] = Object.entries(values)
    .filter(([, value]) => typeof value === 'string' && !isStorable(value))
    .map(([parameter]) => ({ code: 'invalid_text', message: details.invalid_text, parameter }));
  if (unstorable.length > 0) throw invalid(unstorable);
  return values;
}

async function readBody(
  validator: Validator,
  ref: string,
  request: Request,
  mediaTypes: readonly string[],
  limits: BodyLimits,
): Promise<unknown> {
  const body = await readJsonBody(request, mediaTypes, limits);
  const faults = validator.body(ref, body);
  if (faults.length > 0) throw invalid(faults);
  return body;
}

function answer(
  response: Response,
  operation: Operation,
  conditions: Conditions,
  representation: string,
  outcome: AnyOutcome,
): void {
  const { data, revision, headers = {}, status = operation.response.status } = outcome;
  if (revision === undefined || !operation.conditional) {
    if (data === undefined) sendEmpty(response, status, headers);
    else sendEnvelope(response, status, headers, 'data', data);
    return;
  }
  const tagged = { ...headers, etag: etagOf(revision, representation) };
  if (operation.method === 'GET') {
    conditions.checkRead(revision);
    if (conditions.isFresh(revision)) {
      sendEmpty(response, 304, tagged);
      return;
    }
  }
  sendEnvelope(response, status, tagged, 'data', data);
}
