import findMyWay from 'find-my-way';
import type { Operation } from '../../operation.ts';

/** What a request target leads to. */
export type RouteMatch =
  | { readonly kind: 'found'; readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'method_not_allowed'; readonly allow: string }
  | { readonly kind: 'unknown' };

/** Longer than any target that a server reads: how long an identifier may be is the contract's to say. */
const PARAMETER_CHARS_MAX = 16_384;

const unknown: RouteMatch = { kind: 'unknown' };

/** The operations of one path, by method. */
type Methods = Map<string, Operation>;

/**
 * The contract's paths in a radix tree. A literal segment wins over a parameter, whatever the method: the router is asked
 * for the path alone. A parameter is never empty.
 */
export class RouteTable {
  readonly #router = findMyWay({ maxParamLength: PARAMETER_CHARS_MAX });

  /** @throws Error when two operations have one method and path. */
  constructor(operations: readonly Operation[]) {
    const paths = new Map<string, Methods>();
    for (const operation of operations) {
      const shape = operation.path.replace(/\{\w+\}/g, '{}');
      const methods = paths.get(shape) ?? new Map<string, Operation>();
      for (const { id, path } of methods.values())
        if (path !== operation.path && !methods.has(operation.method))
          throw new Error(`${operation.id}: its path's parameters have other names than in ${id}`);
      if (methods.has(operation.method))
        throw new Error(`${operation.id}: another operation has the same method and path`);
      if (!paths.has(shape))
        this.#router.on('GET', operation.path.replace(/\{(\w+)\}/g, ':$1'), () => undefined, methods);
      paths.set(shape, methods.set(operation.method, operation));
    }
  }

  /**
   * Finds the operation. HEAD is answered as GET.
   * @throws URIError when the path is not well-formed percent-encoding.
   */
  match(method: string, path: string): RouteMatch {
    const match = path.startsWith('/') ? this.#router.find('GET', path) : null;
    if (!match) {
      // The router says of a path that cannot be decoded only that it leads nowhere.
      decodeURIComponent(path);
      return unknown;
    }
    const params = match.params as Readonly<Record<string, string>>;
    for (const name in params) if (params[name] === '') return unknown;
    const methods = match.store as Methods;
    const operation = methods.get(method === 'HEAD' ? 'GET' : method);
    return operation ? { kind: 'found', operation, params } : { kind: 'method_not_allowed', allow: allowed(methods) };
  }
}

function allowed(methods: Methods): string {
  const names = [...methods.keys()];
  if (names.includes('GET')) names.push('HEAD');
  return names.sort().join(', ');
}
