import type { Operation } from '@perennial/schemas/operation.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { operationAt } from '../contract/simulation.ts';
import type { Translator } from '../engine/translator.ts';
import { UsageFault } from './verb.ts';

/** A request as it is given on the command line, understood at one release. */
export interface NamedRequest {
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/**
 * Finds the operation that a method and a path mean at a release.
 * @throws {UsageFault} naming the paths that the release does have, where the method fits.
 */
export function requestAt(translator: Translator, release: string, method: string, target: string): NamedRequest {
  const [path = '', search = ''] = target.split('?');
  const found = operationAt(translator, release, method, path);
  if (found) return { ...found, query: new URLSearchParams(search) };
  const { operations } = translator.contract(release);
  const candidates = operations.filter((each) => each.method === method).map((each) => each.path);
  throw new UsageFault(
    `${method} ${path}: v${release} has no such operation; it has ${candidates.join(', ') || `no ${method}`}`,
  );
}

/** Method and path as arguments. */
export function requestArguments(verb: string, args: readonly string[]): readonly [string, string] {
  const [method, path] = args;
  if (method === undefined || path === undefined) throw new UsageFault(`${verb}: METHOD and path are missing`);
  if (!path.startsWith('/')) throw new UsageFault(`${verb}: the path "${path}" must begin with /, without a version`);
  return [method.toUpperCase(), path];
}

/** A fault with its place. */
export function faultText({ code, message, pointer, parameter, header }: ErrorDetail): string {
  const place = pointer === '' ? 'the body' : (pointer ?? parameter ?? header ?? '');
  return `${place}: ${message} (${code})`;
}
