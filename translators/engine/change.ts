import type { Behaviours } from '@perennial/schemas/behaviours.ts';
import type { ErrorCode } from '@perennial/schemas/errors.ts';
import type { BodyMediaType, Method, Parameter } from '@perennial/schemas/operation.ts';
import type { JsonSchema, JsonValue } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
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
  /** Schemas that have another name in the documents, older name first: `{ Person: 'Patient' }`. No body differs by it. */
  readonly schemas?: Readonly<Record<string, string>>;
  /** Values that are the same wherever they travel and were others: identifiers, words. In a change of their own. */
  readonly values?: readonly ValueEdit[];
  /** Counts how often its converters were mended after the release: answers that were kept by tag are then asked anew. */
  readonly mended?: number;
  /** Nothing that a client could notice: it stands in the changelog of the platform team and in no other. */
  readonly isInternal?: true;
  /** What differed that is not a shape: the values that held before this change. */
  readonly behaviours?: Partial<Behaviours>;
}

/** Values of a member, wherever they travel. */
export interface ValueEdit {
  /** The member that has them: `Patient.id`. */
  readonly of: string;
  /** What the older schema has in place of the newer one, at each place. */
  readonly older: (newer: JsonSchema, isNullable: boolean) => JsonSchema;
  /** The older value of a newer one; undefined for one that the older version has not. */
  readonly down: (value: string) => string | undefined;
  readonly up: (value: string) => string;
  /** Whether the older version lacks some of the values. */
  readonly hides: boolean;
  /** Newer words that the edit speaks of, which must be there. */
  readonly names?: readonly string[];
  /** The functions that the author of the change wrote. */
  readonly written: readonly ((value: string) => unknown)[];
}

/** Edits of one resource, in order. */
export interface ResourceEdits {
  /** The resource's `$id`. */
  readonly resource: string;
  /** The operations, by id, in which it changed; in every one unless told. */
  readonly only?: readonly string[];
  readonly edits: readonly (Edit | readonly Edit[])[];
}

/** A success that an older version answered in place of an error: without a body for 204. */
export type OlderSuccess = 200 | 202 | 204;

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
      /** A header or cookie of a request, or a header of the answer, has another name or another form. */
      readonly kind: 'header';
      readonly operation: string;
      readonly in: 'header' | 'cookie' | 'answer';
      readonly older: string;
      readonly newer: string;
      readonly schema?: JsonSchema;
      /** From the older value of what is sent to the newer one. */
      readonly up?: (value: string) => string;
      /** From the newer value of what is answered to the older one. */
      readonly down?: (value: string) => string;
    }
  | {
      /** A body is sent in another form. */
      readonly kind: 'media-type';
      readonly operation: string;
      readonly older: BodyMediaType;
    }
  | {
      /** One event of a stream has another name, or is new. */
      readonly kind: 'event';
      readonly operation: string;
      readonly newer: string;
      /** Undefined for an event that the older version has not. */
      readonly older: string | undefined;
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
      readonly older:
        | { readonly code: string; readonly status?: number }
        | { readonly status: OlderSuccess; readonly data?: (error: ErrorBody) => unknown };
    }
  | {
      /** What one operation answered as an error, and answers with success now. */
      readonly kind: 'refusal';
      readonly operation: string;
      readonly code: ErrorCode;
      /** Whether an answer of the newer version was an error. */
      readonly when: (data: unknown) => boolean;
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
export type ChangeExample = ResourceExample | ValueExample | RequestExample | ShownExample;

/** A part of a resource. */
export interface ResourceExample {
  /** The resource's `$id`. */
  readonly resource: string;
  /** The operation, where the change is of that one only. */
  readonly only?: string;
  readonly older: JsonValue;
  readonly newer: JsonValue;
  /** `both` unless told: `down` where clients never write it or the older cannot say it, `up` where they only write it. */
  readonly ways?: 'both' | 'down' | 'up';
}

/** A value that travels: an identifier, a word. */
export interface ValueExample {
  /** The member that the change names: `Patient.id`. */
  readonly value: string;
  readonly older: string;
  readonly newer: string;
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
