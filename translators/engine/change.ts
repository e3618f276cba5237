import type { Behaviours } from '@perennial/schemas/behaviours.ts';
import type { ErrorCode } from '@perennial/schemas/errors.ts';
import type { Method, Parameter } from '@perennial/schemas/operation.ts';
import type { JsonSchema, JsonValue } from '@perennial/schemas/platform/json-schema.ts';
import type { Edit } from './edit.ts';

/**
 * One change: one reason, in one file, with the sentence a client reads in the changelog. It speaks of resources, and
 * the engine finds every place where they occur.
 */
export interface Change {
  /** Verb first and in full, the same as the file's name: `rename-gender-to-sex`. */
  readonly id: string;
  /** What changed and why, for the client. */
  readonly sentence: string;
  /** What changed in resources, in the order in which it happened. */
  readonly resources?: readonly ResourceEdits[];
  /** What changed in how operations are called and answered. */
  readonly operations?: readonly OperationEdit[];
  /** Counts how often its converters were mended after the release: answers that were kept by tag are then asked anew. */
  readonly mended?: number;
  /** Nothing that a client could notice: it stands in the changelog of the platform team and in no other. */
  readonly isInternal?: true;
  /** What differed that is not a shape: the values that held before this change. */
  readonly behaviours?: Partial<Behaviours>;
}

/** Edits of one resource, in order. */
export interface ResourceEdits {
  /** The resource's `$id`. */
  readonly resource: string;
  readonly edits: readonly (Edit | readonly Edit[])[];
}

/** Edits of operations. */
export type OperationEdit =
  | {
      readonly kind: 'path';
      readonly operation: string;
      /** The older path template, with the same path parameters, under the names that they had. */
      readonly older: string;
      /** The newer name of each path parameter that had another one. */
      readonly parameters: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'method';
      readonly operation: string;
      readonly older: Method;
    }
  | {
      /** The release no longer has the operation; core still serves it to the versions before. */
      readonly kind: 'ended';
      readonly operation: string;
    }
  | {
      readonly kind: 'status';
      readonly operation: string;
      /** The older status of success. */
      readonly older: number;
    }
  | {
      readonly kind: 'error-code';
      readonly newer: ErrorCode;
      readonly older: string;
      readonly olderStatus?: number;
    }
  | {
      /** What one operation answered in place of an error: another one, or a success. */
      readonly kind: 'operation-error';
      readonly operation: string;
      readonly newer: ErrorCode;
      readonly older: { readonly code: string; readonly status?: number } | { readonly status: 204 };
    }
  | QueryEdit;

/** How the query of some operations is written and what it means. */
export interface QueryEdit {
  readonly kind: 'query';
  /** Operations that answer a page, or operations by id. */
  readonly of: 'pages' | readonly string[];
  /** Parameters that only the newer version has. */
  readonly removes: readonly string[];
  /** The older name of each newer parameter that has one: faults of the newer are said of the older. */
  readonly names?: Readonly<Record<string, string>>;
  /** Parameters that only the older version has. */
  readonly adds: readonly Parameter[];
  /** A parameter that both have, with another schema in the older one. */
  readonly adapts?: { readonly parameter: string; readonly schema: (newer: JsonSchema) => JsonSchema };
  /** Rewrites the older query, already checked against the older parameters, to the newer one. */
  readonly up: (query: QueryValues) => QueryRewrite;
}

/** Query values by name, read as their types. */
export type QueryValues = Readonly<Record<string, string | number | boolean>>;

/** The newer query, what the response will need to know of the request, and the position to start from, if any. */
export interface QueryRewrite {
  readonly query: QueryValues;
  /** Given to `down` converters of the same change. */
  readonly context?: unknown;
  /** Rows to skip. The gateway turns it into a cursor, which only it and core can issue. */
  readonly offset?: number;
  /**
   * Entries that the page holds if the list has them, where the client finds the next page by counting. Head ends a
   * page early where entries are long; the gateway then asks for the rest.
   */
  readonly pageEntries?: number;
}

/**
 * The same thing before a change and after it, so that a reader sees in ten seconds what changed. A test translates
 * each. Only the members that the change is about are written; of the rest an example is made.
 */
export type ChangeExample = ResourceExample | RequestExample | ShownExample;

/** A part of a resource. */
export interface ResourceExample {
  /** The resource's `$id`. */
  readonly resource: string;
  readonly older: JsonValue;
  readonly newer: JsonValue;
  /** `both` unless told: `down` where clients never write it or the older cannot say it, `up` where they only write it. */
  readonly ways?: 'both' | 'down' | 'up';
}

/** How an operation is called: `GET /patients?limit=20`. A cursor stands for any position: `cursor=…`. */
export interface RequestExample {
  readonly operation: string;
  readonly older: string;
  readonly newer: string;
}

/** What is no body and no address, such as a header: only shown. */
export interface ShownExample {
  readonly shown: true;
  readonly older: string;
  readonly newer: string;
}

/** Examples of a release's changes, by the id of the change. */
export type ReleaseExamples = Readonly<Record<string, readonly ChangeExample[]>>;

/** One release: the changes that it made, in the order in which they apply upward. */
export interface ReleaseChanges {
  /** `YYYY-MM-DD`, as in the history. */
  readonly id: string;
  readonly changes: readonly Change[];
  readonly examples?: ReleaseExamples;
}

/** Checks nothing and changes nothing: it gives a literal its type. */
export function change(definition: Change): Change {
  return definition;
}
