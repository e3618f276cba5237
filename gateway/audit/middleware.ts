import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Request, RequestHandler, Response } from 'express';
import { type AdminAct, type Exchange, exchangeOf, known } from '../exchange.ts';
import type { RouteMatch, Routes } from '../routing.ts';
import { type Access, BEGUN, createdId, LEFT, resourceIdsOf } from './entry.ts';
import { originOf } from './origin.ts';
import { AuditBehind, type AuditTrail } from './trail.ts';

/** Operations on the knowledge base are recorded only when they name a patient. */
const UNAUDITED: ReadonlySet<string> = new Set(['knowledge']);

/** Requests refused because they could not be recorded; recording them would fill the queue that is full. */
const refused = new WeakSet<Exchange>();

/**
 * Lets an access through only if it can be recorded. A write, and an answer that goes on as a stream, is recorded
 * before core is asked, and waits for that: no change of a patient's data exists without its entry, even if this
 * process is killed in the middle of it. A read is recorded when it ends, and waits for nothing.
 */
export function requireAudit(trail: AuditTrail, logger: Logger): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const operation = known(exchange.operation, 'operation');
    if (UNAUDITED.has(operation.category)) {
      next();
      return;
    }
    if (trail.isBehind()) {
      refused.add(exchange);
      logger.error('an access was refused because it cannot be audited', {
        requestId: exchange.requestId,
        operation: operation.id,
        waiting: trail.waiting(),
      });
      throw unavailable();
    }
    if (isRead(request) && operation.response.mediaType === undefined) {
      next();
      return;
    }
    trail.commit(accessOf(exchange, request, operation.id, resourceIdsOf(exchange.parameters), BEGUN)).then(
      () => next(),
      (error: unknown) => next(error instanceof AuditBehind ? unavailable(error) : error),
    );
  };
}

function unavailable(cause?: unknown): Fault {
  return new Fault('unavailable', { headers: { 'retry-after': '5' }, cause });
}

function isRead(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** Records what became of an access to patient data. Called when the answer has ended. */
export type RecordAccess = (exchange: Exchange, request: Request, response: Response) => void;

/** @param routes finds what a request that was refused before its operation was known would have accessed. */
export function createRecordAccess(trail: AuditTrail, routes: Routes, headRelease: string): RecordAccess {
  return (exchange, request, response) => {
    if (!exchange.caller) return;
    const { operation, adminAct } = exchange;
    if (adminAct) {
      trail.record(accessOfAct(exchange, request, adminAct, statusOf(response)));
      return;
    }
    if (operation) {
      if ((UNAUDITED.has(operation.category) && exchange.subjects.length === 0) || refused.has(exchange)) return;
      trail.record(accessOf(exchange, request, operation.id, idsOf(exchange, response), statusOf(response)));
      return;
    }
    // Refused before its operation was looked for: by its scope, its rate or its version.
    const wanted = wantedOf(exchange, request, routes, headRelease);
    if (!wanted || UNAUDITED.has(wanted.operation.category) || trail.isBehind()) return;
    const ids = resourceIdsOf(wanted.parameters);
    trail.record(accessOf(exchange, request, wanted.operation.id, ids, statusOf(response)));
  };
}

/** Everything that is known to have been read, changed or made. */
function idsOf({ parameters, subjects, location }: Exchange, { statusCode }: Response): readonly string[] {
  const ids = resourceIdsOf(parameters);
  // A success that names a place has made what is there, whatever its status: an analysis that was kept is 200.
  const made = location !== undefined && statusCode >= 200 && statusCode < 300 ? [createdId(location)] : [];
  for (const id of [...made, ...subjects]) if (!ids.includes(id)) ids.push(id);
  return ids;
}

/** The status that the client was sent. */
function statusOf(response: Response): number {
  return response.headersSent ? response.statusCode : LEFT;
}

function wantedOf(
  exchange: Exchange,
  { method }: Request,
  routes: Routes,
  headRelease: string,
): Extract<RouteMatch, { kind: 'operation' }> | undefined {
  const release = exchange.standing?.release.id ?? headRelease;
  for (const each of [release, headRelease]) {
    const match = routes.find(each, method, exchange.path);
    if (match.kind === 'operation') return match;
  }
  return undefined;
}

/**
 * Puts what an operator is about to do on record, in the trail of the account that it concerns, before it is done.
 * @throws Fault 503 when that cannot be done.
 */
export async function commitAct(trail: AuditTrail, exchange: Exchange, request: Request, act: AdminAct): Promise<void> {
  exchange.adminAct = act;
  if (trail.isBehind()) throw unavailable();
  try {
    await trail.commit(accessOfAct(exchange, request, act, BEGUN));
  } catch (error) {
    throw error instanceof AuditBehind ? unavailable(error) : error;
  }
}

function accessOfAct(exchange: Exchange, request: Request, act: AdminAct, status: number): Access {
  const access = accessOf(exchange, request, act.operation, act.resourceIds, status);
  return act.accountId === undefined ? access : { ...access, accountId: act.accountId };
}

function accessOf(
  { caller, requestId, address }: Exchange,
  request: Request,
  operation: string,
  resourceIds: readonly string[],
  status: number,
): Access {
  const { accountId, keyId } = known(caller, 'caller');
  return {
    accountId,
    at: new Date(),
    requestId,
    keyId,
    operation,
    resourceIds,
    status,
    origin: originOf(address, request),
  };
}
