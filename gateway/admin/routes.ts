import type { AdminBody } from '@perennial/schemas/admin-bodies.ts';
import { Fault, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { identifier } from '../audit/entry.ts';
import { commitAct } from '../audit/middleware.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { type AdminAct, exchangeOf, known } from '../exchange.ts';
import { envelope, sendJson } from '../respond.ts';
import { readBody } from './input.ts';

/** One thing that operators can do. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** As express writes it. */
  readonly path: string;
  /** As it stands in the audit trail. */
  readonly operation: string;
  /** Parameters of the query. */
  readonly query?: readonly string[];
  readonly body?: BodyName;
  /** The account that it concerns, whose trail it is then in; the operator's own where it concerns none. */
  readonly target?: (parameters: AdminAsked['parameters'], body: unknown) => Promise<string>;
  handle(asked: AdminAsked): Promise<{ readonly status?: number; readonly data: unknown }>;
}

type BodyName = Parameters<typeof readBody>[1];

/** What is asked for. */
export interface AdminAsked {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Checked, of the type that the route names. */
  readonly body: AdminBody<BodyName> | undefined;
  readonly target: string | undefined;
  /** Of the operator's key. */
  readonly keyId: string;
}

/**
 * The routes of the admin API. What changes something is on record before it is done, and again with what became of it;
 * what cannot be put on record is not done.
 */
export function adminRouter(routes: readonly AdminRoute[], audit: AuditTrail, semver: string): Router {
  const router = Router({ caseSensitive: true });
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    methods.set(route.path, [...(methods.get(route.path) ?? []), route.method]);
    router[route.method.toLowerCase() as 'get' | 'post' | 'patch'](route.path, handlerOf(route, audit, semver));
  }
  for (const [path, allowed] of methods)
    router.all(path, () => {
      throw new Fault('method_not_allowed', { headers: { allow: allowed.flatMap(withHead).join(', ') } });
    });
  return router;
}

function withHead(method: string): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function handlerOf(route: AdminRoute, audit: AuditTrail, semver: string): RequestHandler {
  return async (request: Request, response: Response) => {
    const exchange = exchangeOf(response);
    const parameters = request.params as Readonly<Record<string, string>>;
    const resourceIds = Object.values(parameters).map(identifier);
    const { operation } = route;
    // For requests that go no further.
    exchange.adminAct = { operation, resourceIds };
    const query = readQuery(exchange.search, route.query ?? []);
    const body = route.body === undefined ? undefined : await readBody(request, route.body);
    const target = await route.target?.(parameters, body);
    const ids =
      target === undefined || resourceIds.includes(target) ? resourceIds : [...resourceIds, identifier(target)];
    const act: AdminAct = { operation, resourceIds: ids, ...(target === undefined ? {} : { accountId: target }) };
    if (route.method === 'GET') exchange.adminAct = act;
    else await commitAct(audit, exchange, request, act);
    const { keyId } = known(exchange.caller, 'caller');
    const { status = 200, data } = await route.handle({ parameters, query, body, target, keyId });
    sendJson(response, status, envelope(exchange, semver, 'data', data));
  };
}

function readQuery(search: string, names: readonly string[]): URLSearchParams {
  const query = new URLSearchParams(search);
  for (const name of query.keys()) {
    if (!names.includes(name)) throw invalidParameter(name.slice(0, 100), 'unknown_parameter');
    if (query.getAll(name).length > 1) throw invalidParameter(name, 'repeated_parameter');
  }
  return query;
}
