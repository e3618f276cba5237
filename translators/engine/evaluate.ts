import type { Call, Expression } from './expression.ts';
import { TranslationFailed } from './failures.ts';
import type { Path } from './path.ts';

/** What an expression is evaluated over. */
export interface Scope {
  readonly source: unknown;
  /** The stored newer body, for converters that ask for what is there now. */
  readonly prior?: unknown;
  readonly contexts?: Contexts | undefined;
  /** Translates a source value that holds references; the identity where nothing below is touched. */
  readonly walk?: (path: Path, value: unknown) => unknown;
}

/** What changes remembered of the request, by change id. */
export type Contexts = Readonly<Record<string, unknown>>;

/**
 * Evaluates an expression directly. Used where a body is seen once and in parts (updates, query values); whole bodies
 * go through compiled functions.
 * @throws {TranslationFailed} naming the change whose converter threw.
 */
export function evaluate(expression: Expression, source: unknown): unknown {
  return evaluateIn(expression, { source }, new Map());
}

/** As `evaluate`, with everything an update needs. `calls` keeps the results of converters with several outputs. */
export function evaluateIn(expression: Expression, scope: Scope, calls: Map<Call, readonly unknown[]>): unknown {
  switch (expression.op) {
    case 'get': {
      const value = readPath(scope.source, expression.path);
      return scope.walk ? scope.walk(expression.path, value) : value;
    }
    case 'absent':
      return undefined;
    case 'output':
      return runCall(expression.call, scope, calls)[expression.output];
    case 'member': {
      const of = evaluateIn(expression.of, scope, calls);
      return of === null || of === undefined ? of : (of as Record<string, unknown>)[expression.name];
    }
    case 'object': {
      if (expression.origin) {
        const origin = evaluateIn(expression.origin, scope, calls);
        if (origin === null || origin === undefined) return origin;
      }
      const object: Record<string, unknown> = {};
      for (const [name, member] of expression.members) {
        const value = evaluateIn(member, scope, calls);
        if (value !== undefined) object[name] = value;
      }
      return object;
    }
  }
}

function runCall(call: Call, scope: Scope, calls: Map<Call, readonly unknown[]>): readonly unknown[] {
  const known = calls.get(call);
  if (known) return known;
  const inputs = call.inputs.map((input) => evaluateIn(input, scope, calls));
  const priors =
    scope.prior === undefined
      ? undefined
      : call.priors.map((prior) => evaluateIn(prior, { source: scope.prior, contexts: scope.contexts }, new Map()));
  let outputs: readonly unknown[];
  try {
    outputs = call.convert(inputs, priors, scope.contexts?.[call.contextKey]);
  } catch (error) {
    throw new TranslationFailed(call.change, error);
  }
  calls.set(call, outputs);
  return outputs;
}

/** The value at a path; null when an object on the way is null, undefined when anything on the way is absent. */
export function readPath(source: unknown, path: Path): unknown {
  let value = source;
  for (const name of path) {
    if (value === null) return null;
    if (typeof value !== 'object') return undefined;
    value = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value;
}
