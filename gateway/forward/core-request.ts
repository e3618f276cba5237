import type { Operation } from '@perennial/schemas/operation.ts';
import { PUBLIC_BASE_HEADER } from '@perennial/schemas/platform/http/public-base.ts';
import type { Request } from 'express';
import type { Exchange } from '../exchange.ts';
import { publicBase } from '../public-base.ts';

/**
 * What core is told. Only these headers of the client go on: core never learns its version, its key, or anything
 * that no operation asks for.
 */
const forwarded = [
  'accept',
  'content-type',
  'content-encoding',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'last-event-id',
  'range',
  'if-range',
  'x-service-client',
] as const;

/** Headers of a request to core, but for who calls: the client of core signs that. @param without names that this exchange handles itself. */
export function coreHeaders(
  request: Request,
  exchange: Exchange,
  without: readonly string[] = [],
): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': exchange.requestId };
  if (exchange.span) headers['traceparent'] = exchange.span.traceparent;
  for (const name of forwarded) {
    const value = request.headers[name];
    if (typeof value === 'string' && !without.includes(name)) headers[name] = value;
  }
  Object.assign(headers, exchange.plan?.headers?.request(request.headers));
  if (exchange.operation?.namesPlaces) headers[PUBLIC_BASE_HEADER] = publicBase(request, exchange);
  return headers;
}

/** The path of an operation of head with the parameters that the client's path had. */
export function corePath(operation: Operation, parameters: Readonly<Record<string, string>>): string {
  let parts = templates.get(operation);
  if (!parts) {
    // Every second part is a parameter's name.
    parts = operation.path.split(/[{}]/);
    templates.set(operation, parts);
  }
  let path = parts[0] as string;
  for (let index = 1; index < parts.length; index += 2)
    path += encodeURIComponent(parameters[parts[index] as string] ?? '') + (parts[index + 1] as string);
  return path;
}

const templates = new WeakMap<Operation, readonly string[]>();

/**
 * The same for an operation that is asked on the way to another: of that one's query, it is told what it takes.
 * @param queryText at head, with its question mark, or nothing.
 */
export function coreTarget(
  operation: Operation,
  parameters: Readonly<Record<string, string>>,
  queryText: string,
): string {
  const path = corePath(operation, parameters);
  if (queryText === '') return path;
  const taken = new Set(operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name));
  const query = new URLSearchParams([...new URLSearchParams(queryText)].filter(([name]) => taken.has(name)));
  return query.size === 0 ? path : `${path}?${query}`;
}
