import type { ErrorCode } from '@perennial/schemas/errors.ts';
import type { BodyMediaType, Method, Parameter } from '@perennial/schemas/operation.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import type { OlderSuccess, OperationEdit, QueryValues } from './change.ts';

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

/** An event of a stream has another name: `renamedEvent('things.watch', 'done', 'completed')`. */
export function renamedEvent(operation: string, older: string, newer: string): OperationEdit {
  return { kind: 'event', operation, older, newer };
}

/** An event of a stream is new: older versions are not sent it. */
export function addedEvent(operation: string, newer: string): OperationEdit {
  return { kind: 'event', operation, older: undefined, newer };
}

/** What became of a header or cookie, older name first. What is not given is as it was. */
export interface HeaderChange {
  readonly older: string;
  readonly newer: string;
  /** The older schema. */
  readonly schema?: JsonSchema;
  /** From the older value to the newer one; of a request. */
  readonly up?: (value: string) => string;
  /** From the newer value to the older one; of an answer. */
  readonly down?: (value: string) => string;
}

/** A header that an operation takes has another name or another form. */
export function changedHeader(operation: string, { older, newer, schema, up }: HeaderChange): OperationEdit {
  return { kind: 'header', operation, in: 'header', older, newer, ...(schema && { schema }), ...(up && { up }) };
}

/** A cookie that an operation takes has another name or another form. */
export function changedCookie(operation: string, { older, newer, schema, up }: HeaderChange): OperationEdit {
  return { kind: 'header', operation, in: 'cookie', older, newer, ...(schema && { schema }), ...(up && { up }) };
}

/** A header that an operation answers has another name or another form. */
export function changedAnswerHeader(operation: string, { older, newer, schema, down }: HeaderChange): OperationEdit {
  return { kind: 'header', operation, in: 'answer', older, newer, ...(schema && { schema }), ...(down && { down }) };
}

/** A body is sent in another form: JSON that was a form of fields, or a patch that was plain JSON. */
export function changedMediaType(operation: string, older: BodyMediaType): OperationEdit {
  return { kind: 'media-type', operation, older };
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

/**
 * What one operation answers with an error now was a success: without a body, `succeeded('things.delete', 'not_found')`, or
 * with one that the older version had, `succeeded('things.find', 'not_found', { status: 200, data: () => null })`.
 */
export function succeeded(
  operation: string,
  newer: ErrorCode,
  older: { readonly status: OlderSuccess; readonly data?: (error: ErrorBody) => unknown } = { status: 204 },
): OperationEdit {
  return { kind: 'operation-error', operation, newer, older };
}

/**
 * What one operation answers with success now was an error: `refused('things.search', 'not_found', ({ items }) =>
 * items.length === 0)`. Only of what is read: a write that was carried out is none that was refused.
 */
export function refused<T>(operation: string, code: ErrorCode, when: (data: T) => boolean): OperationEdit {
  return { kind: 'refusal', operation, code, when: when as (data: unknown) => boolean };
}
