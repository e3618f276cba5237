import type { ErrorCode } from '@perennial/schemas/errors.ts';
import type { Method, Parameter } from '@perennial/schemas/operation.ts';
import type { OperationEdit, QueryValues } from './change.ts';

/** The ways to describe what changed in how an operation is called and answered. Older names come first. */

/**
 * An operation has another path. Both have the same parameters; those that have another name are given with the older
 * name first: `movedPath('things.get', '/things/{id}', { id: 'thing_id' })`.
 */
export function movedPath(
  operation: string,
  older: string,
  parameters: Readonly<Record<string, string>> = {},
): OperationEdit {
  return { kind: 'path', operation, older, parameters };
}

/** An operation is called with another method, with a body or without as before. */
export function changedMethod(operation: string, older: Method): OperationEdit {
  return { kind: 'method', operation, older };
}

/**
 * An operation ends: the release and all after it answer 404 `operation_not_in_version`, naming the last version that has
 * it. It stays in `schemas/operations` and in core as long as a version that has it can be called.
 */
export function ended(operation: string): OperationEdit {
  return { kind: 'ended', operation };
}

/** An operation answers success with another status. */
export function changedStatus(operation: string, older: number): OperationEdit {
  return { kind: 'status', operation, older };
}

/** An error has another code, and perhaps another status. */
export function renamedError(older: string, newer: ErrorCode, olderStatus?: number): OperationEdit {
  return { kind: 'error-code', older, newer, ...(olderStatus === undefined ? {} : { olderStatus }) };
}

/** A query parameter that is not named after a field has another name. */
export function renamedParameter(operation: string, older: Parameter, newer: string): OperationEdit {
  return {
    kind: 'query',
    of: [operation],
    removes: [newer],
    adds: [older],
    names: { [newer]: older.name },
    up: ({ [older.name]: value, ...query }) => ({ query: value === undefined ? query : { ...query, [newer]: value } }),
  };
}

/** A query parameter that is left out means something else now: an older client that leaves it out keeps what it had. */
export function changedParameterDefault(
  operation: string,
  parameter: string,
  before: string | number | boolean,
): OperationEdit {
  return {
    kind: 'query',
    of: [operation],
    removes: [],
    adds: [],
    adapts: {
      parameter,
      schema: ({ default: _, ...newer }) => ({ ...newer, default: before }),
    },
    up: (query) => ({ query: Object.hasOwn(query, parameter) ? query : { ...query, [parameter]: before } }),
  };
}

/** Query parameters that became others: one that became several, several that became one, or another way to ask. */
export interface RelatedParameters {
  /** Operations by id, or every one that answers a page. */
  readonly of: readonly string[] | 'pages';
  /** As the older version has them. */
  readonly older: readonly Parameter[];
  /** Names that only the newer version has. */
  readonly newer: readonly string[];
  /** The newer parameters' values from the older ones' that were given; undefined for one that is not asked for. */
  readonly up: (older: QueryValues) => Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Query parameters that are others now, with a function from the older ones to the newer ones. */
export function relatedParameters({ of, older, newer, up }: RelatedParameters): OperationEdit {
  const names = older.map(({ name }) => name);
  return {
    kind: 'query',
    of,
    removes: newer,
    adds: older,
    // Faults of what was made of one parameter are said of it.
    ...(names.length === 1 && { names: Object.fromEntries(newer.map((name) => [name, names[0] as string])) }),
    up: (query) => {
      const given = Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)));
      const others = Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)));
      if (Object.keys(given).length === 0) return { query: others };
      const made = Object.entries(up(given)).filter((entry): entry is [string, string | number | boolean] => {
        const [name, value] = entry;
        if (!newer.includes(name)) throw new TypeError(`${name} is none of the newer parameters`);
        return value !== undefined;
      });
      return { query: { ...others, ...Object.fromEntries(made) } };
    },
  };
}

/** One operation answers an error with another code, and perhaps another status; every other keeps its own. */
export function changedError(
  operation: string,
  older: { readonly code: string; readonly status?: number },
  newer: ErrorCode,
): OperationEdit {
  return {
    kind: 'operation-error',
    operation,
    newer,
    older: { code: older.code, ...(older.status !== undefined && { status: older.status }) },
  };
}

/** What one operation answers with an error now was a success without a body: `succeeded('things.delete', 'not_found')`. */
export function succeeded(operation: string, newer: ErrorCode): OperationEdit {
  return { kind: 'operation-error', operation, newer, older: { status: 204 } };
}
