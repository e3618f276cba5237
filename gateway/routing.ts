import { isAllowed, type Operation } from '@perennial/schemas/operation.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { RequestHandler } from 'express';
import findMyWay from 'find-my-way';
import { type Exchange, exchangeOf, known } from './exchange.ts';

type Router = ReturnType<typeof findMyWay>;

/** Routes of every release: paths may differ between them. */
export interface Routes {
  /** First path segments of all operations at all releases. */
  readonly roots: ReadonlySet<string>;
  find(release: string, method: string, path: string): RouteMatch;
}

/** What a method and path mean at a release. */
export type RouteMatch =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'method-not-allowed'; readonly allow: readonly string[] }
  | { readonly kind: 'newer'; readonly since: string }
  | { readonly kind: 'ended'; readonly last: string }
  | { readonly kind: 'unknown' };

/** Builds the route tables from the derived contracts. */
export function createRoutes(translator: Translator): Routes {
  const roots = new Set<string>();
  const routers = new Map<string, Router>();
  // Made when a version is first called: a long history has many, and most are called rarely.
  const routerAt = (release: string): Router => {
    let router = routers.get(release);
    if (!router) {
      router = routerOf(translator.contract(release).operations);
      routers.set(release, router);
    }
    return router;
  };
  const newest = routerAt(translator.headRelease);
  for (const { id } of translator.catalogue.releases) {
    for (const { path } of translator.contract(id).operations) roots.add(path.split('/')[1] as string);
  }
  /** The last version before a release that has what the path means there, where the release has it no more. */
  const lastWith = (release: string, method: string, path: string): string | undefined => {
    const here = new Set(translator.contract(release).operations.map(({ id }) => id));
    for (const { id } of [...translator.catalogue.releases].reverse()) {
      const found = id < release ? lookUp(routerAt(id), method, path) : undefined;
      if (found) return here.has(found.operation.id) ? undefined : id;
    }
    return undefined;
  };
  return {
    roots,
    find(release, method, path) {
      const router = routerAt(release);
      const wanted = method === 'HEAD' ? 'GET' : method;
      const found = lookUp(router, wanted, path);
      if (found) return found;
      // Before 405: the method exists on this path in a newer version.
      const later = lookUp(newest, wanted, path);
      if (later?.kind === 'operation' && later.operation.since !== undefined && later.operation.since > release)
        return { kind: 'newer', since: later.operation.since };
      const last = lastWith(release, wanted, path);
      if (last !== undefined) return { kind: 'ended', last };
      const allow = methods.filter((each) => lookUp(router, each, path) !== undefined);
      if (allow.length > 0)
        return {
          kind: 'method-not-allowed',
          allow: allow.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])),
        };
      return { kind: 'unknown' };
    },
  };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function routerOf(operations: readonly Operation[]): Router {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 200 });
  for (const operation of operations)
    router.on(operation.method, operation.path.replace(/\{([^}]+)\}/g, ':$1'), () => undefined, operation);
  return router;
}

function lookUp(
  router: Router,
  method: string,
  path: string,
):
  | { readonly kind: 'operation'; readonly operation: Operation; readonly parameters: Readonly<Record<string, string>> }
  | undefined {
  const match = router.find(method as 'GET', path);
  return match
    ? { kind: 'operation', operation: match.store as Operation, parameters: match.params as Record<string, string> }
    : undefined;
}

/** Finds the operation, and checks the key's scope for it. */
export function route(routes: Routes, translator: Translator): RequestHandler {
  return routeTo(routes, translator, (operation, exchange) => {
    if (!isAllowed(operation, known(exchange.caller, 'caller').scopes)) throw new Fault('scope_missing');
  });
}

/** Finds the operation. @param admit throws where the caller may not call it. */
export function routeTo(
  routes: Routes,
  translator: Translator,
  admit: (operation: Operation, exchange: Exchange) => void,
): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const release = known(exchange.standing, 'version').release.id;
    const match = routes.find(release, request.method, exchange.path);
    switch (match.kind) {
      case 'unknown':
        throw new Fault('route_unknown');
      case 'method-not-allowed':
        throw new Fault('method_not_allowed', { headers: { allow: match.allow.join(', ') } });
      case 'newer':
        throw operationNotInVersion(match.since);
      case 'ended':
        throw new Fault('operation_not_in_version', {
          message: `This operation has ended; v${match.last} is the last version that has it.`,
        });
      case 'operation': {
        admit(match.operation, exchange);
        exchange.operation = match.operation;
        exchange.plan = translator.plan(release, match.operation.id);
        exchange.parameters = exchange.plan?.parameters(match.parameters) ?? match.parameters;
        next();
      }
    }
  };
}

/** An address of head as a release has it. @param path without prefix; with a query or a fragment it may end in. */
export type AddressAt = (release: string, path: string) => string;

/** Rewrites an address in an answer to the path that the client's version has for it. */
export function createAddressAt(routes: Routes, translator: Translator): AddressAt {
  return (release, address) => {
    const end = address.search(/[?#]/);
    const path = end < 0 ? address : address.slice(0, end);
    const found = release === translator.headRelease ? undefined : routes.find(translator.headRelease, 'GET', path);
    const plan = found?.kind === 'operation' ? translator.plan(release, found.operation.id) : undefined;
    if (found?.kind !== 'operation' || !plan || plan.operation.path === plan.head.path) return address;
    const older = plan.operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
      const [newer = name] = Object.keys(plan.parameters({ [name]: '' }));
      return encodeURIComponent(found.parameters[newer] ?? '');
    });
    return `${older}${end < 0 ? '' : address.slice(end)}`;
  };
}

/** 404 that names the release which has the operation. */
function operationNotInVersion(since: string): Fault {
  return new Fault('operation_not_in_version', {
    message: `This operation does not exist in the requested version; it exists from v${since}.`,
    members: { available_from: `v${since}` },
  });
}
