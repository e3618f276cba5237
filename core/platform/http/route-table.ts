import type { Method, Operation } from '@perennial/schemas/operation.ts';

/** What a request target leads to. */
export type RouteMatch =
  | { readonly kind: 'found'; readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'method_not_allowed'; readonly allow: string }
  | { readonly kind: 'unknown' };

interface Leaf {
  readonly operation: Operation;
  /** Names of the path's parameters, from left to right. */
  readonly names: readonly string[];
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  readonly leaves: Map<Method, Leaf>;
}

const unknown: RouteMatch = { kind: 'unknown' };

/** The contract's paths, compiled once into a tree of segments. A literal segment wins over a parameter. */
export class RouteTable {
  readonly #root = newNode();

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) this.#add(operation);
  }

  /**
   * Finds the operation. HEAD is answered as GET.
   * @throws URIError when a path parameter is not well-formed percent-encoding.
   */
  match(method: string, path: string): RouteMatch {
    if (!path.startsWith('/')) return unknown;
    const segments = path.slice(1).split('/');
    const node = find(this.#root, segments, 0);
    if (!node) return unknown;
    const leaf = node.leaves.get((method === 'HEAD' ? 'GET' : method) as Method);
    if (!leaf) return { kind: 'method_not_allowed', allow: allowed(node) };
    return { kind: 'found', operation: leaf.operation, params: readParams(leaf, segments) };
  }

  #add(operation: Operation): void {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of operation.path.slice(1).split('/')) {
      const name = parameterName(segment);
      if (name === undefined) {
        const next = node.literals.get(segment) ?? newNode();
        node.literals.set(segment, next);
        node = next;
      } else {
        names.push(name);
        node.parameter ??= newNode();
        node = node.parameter;
      }
    }
    if (node.leaves.has(operation.method)) {
      throw new Error(`${operation.id}: another operation has the same method and path`);
    }
    node.leaves.set(operation.method, { operation, names });
  }
}

function newNode(): Node {
  return { literals: new Map(), parameter: undefined, leaves: new Map() };
}

function parameterName(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1];
}

/** The node a path ends at. Where a literal leads nowhere, the parameter beside it is tried. */
function find(node: Node, segments: readonly string[], index: number): Node | undefined {
  if (index === segments.length) return node.leaves.size > 0 ? node : undefined;
  const segment = segments[index] as string;
  const literal = node.literals.get(segment);
  const found = literal && find(literal, segments, index + 1);
  if (found) return found;
  return node.parameter && segment !== '' ? find(node.parameter, segments, index + 1) : undefined;
}

function readParams(leaf: Leaf, segments: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  if (leaf.names.length === 0) return params;
  const template = leaf.operation.path.slice(1).split('/');
  let next = 0;
  for (const [index, segment] of template.entries()) {
    if (!segment.startsWith('{')) continue;
    params[leaf.names[next] as string] = decodeURIComponent(segments[index] as string);
    next += 1;
  }
  return params;
}

function allowed(node: Node): string {
  const methods = [...node.leaves.keys()] as string[];
  if (methods.includes('GET')) methods.push('HEAD');
  return methods.sort().join(', ');
}
