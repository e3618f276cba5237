import type { Span, Tracing } from '@perennial/schemas/platform/telemetry/tracing.ts';
import pg from 'pg';

/*
 * A span for each statement that a measured request sends. Its name is the verb and the table; neither the statement nor
 * its parameters are in it.
 */

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** @returns what takes it back. */
export function traceStatements(tracing: Tracing): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function traced(...args) {
    // Statements of the background belong to no request.
    if (!tracing.current()) return query.apply(this, args);
    const span = tracing.start(nameOf(args[0]), 'client', { attributes: { 'db.system.name': 'postgresql' } });
    const last = args.length - 1;
    const callback = args[last];
    if (typeof callback === 'function') {
      args[last] = (error: unknown, ...rest: unknown[]) => {
        endWith(span, error);
        return callback(error, ...rest) as unknown;
      };
      return query.apply(this, args);
    }
    const result = query.apply(this, args);
    if (result instanceof Promise)
      result.then(
        () => span.end(),
        (error: unknown) => endWith(span, error),
      );
    else span.end();
    return result;
  };
  return () => {
    prototype.query = query;
  };
}

function endWith(span: Span, error: unknown): void {
  span.end(error ? { error: (error as { code?: string }).code ?? 'error' } : {});
}

const VERB = /^\s*(?:\/\*.*?\*\/\s*)?([a-z]+)/i;
const TABLE = /\b(?:from|into|update|join)\s+("?[a-z_]+"?(?:\."?[a-z_]+"?)?)/i;

/** Such as `SELECT core.patients`. */
export function nameOf(asked: unknown): string {
  const text = typeof asked === 'string' ? asked : (asked as { text?: unknown } | null)?.text;
  if (typeof text !== 'string') return 'statement';
  const start = text.slice(0, 4_000);
  const verb = VERB.exec(start)?.[1]?.toUpperCase() ?? 'statement';
  const table = TABLE.exec(start)?.[1]?.replaceAll('"', '');
  return table === undefined ? verb : `${verb} ${table}`;
}
