import type { ErrorCode } from './errors.ts';
import type { JsonSchema } from './platform/json-schema.ts';

/** Where a parameter's name or value speaks of a resource's field, so that it follows the field's changes. */
export interface FieldLink {
  /** `$id` of the resource. */
  readonly resource: string;
  /**
   * `filter`: the parameter is named after the field (dotted path) and its value is a value of the field.
   * `sort`: the value lists field names, each with an optional `-` for descending order.
   */
  readonly role: 'filter' | 'sort';
  /** For `filter`: the field's path at head. For `sort`: the fields that can be sorted by, at head. */
  readonly fields: readonly string[];
}

/** A parameter of the path or the query, or a header or cookie that means something to one operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required?: boolean;
  readonly link?: FieldLink;
  /** It takes the position that a page continues from, whatever it is called. */
  readonly isPosition?: true;
  /**
   * It says what the caller can see and nothing of what is asked, such as records that an older version does not know.
   * The same write with another value is the same write: an Idempotency-Key does not stand for it.
   */
  readonly isView?: true;
  /** It may be given more than once; the handler finds each in the query as it was sent. */
  readonly repeatable?: true;
}

/** The schema of a value of one type. */
export type SchemaOf<T extends 'string' | 'integer' | 'number' | 'boolean'> = JsonSchema & { readonly type: T };

/** The schema of one of several words. */
export type WordOf<W extends string> = SchemaOf<'string'> & { readonly enum: readonly W[] };

/** A path parameter, typed by its name. */
export interface PathParameter<N extends string = string> extends Parameter {
  readonly name: N;
  readonly in: 'path';
  readonly required: true;
}

/** A query parameter, typed by its name, its schema and whether it must be sent. */
export type QueryParameter<
  N extends string = string,
  S extends JsonSchema = JsonSchema,
  R extends boolean = false,
> = Omit<Parameter, 'name' | 'in' | 'schema' | 'required'> & {
  readonly name: N;
  readonly in: 'query';
  readonly schema: S;
} & (R extends true ? { readonly required: true } : { readonly required?: false });

/** HTTP methods of operations. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Scopes a key can hold; `admin` holds all. */
export type Scope =
  `${'patients' | 'diagnostics' | 'knowledge' | 'analytics' | 'imaging' | 'webhooks'}:${'read' | 'write'}`;

/** Held by those who run the service, beside any other: opens what speaks of every account. `admin` does not hold it. */
export const OPERATOR = 'operator';

/** What a key can be given. */
export type KeyScope = Scope | 'admin' | typeof OPERATOR;

/**
 * A body of many elements that is read one by one: a list in a member of a JSON object, or one element a line
 * (`application/x-ndjson`, the other members then being parameters of the query).
 */
export interface BodyElements {
  /** Name of the list in the JSON body; pointers of NDJSON begin with it as well, and count the lines. */
  readonly member: string;
  /** Reference of one element. */
  readonly ref: string;
  readonly countMax: number;
  /** Largest element, in bytes. */
  readonly bytesMax: number;
  /** How the stored object of an element is read that carries a patch, where an older version's patch needs it. */
  readonly prior?: {
    readonly read: string;
    readonly parameter: string;
    /** Members of the element: the object's identifier, and the ETag that it must still have. */
    readonly id: string;
    readonly condition: string;
  };
}

/** Lines of JSON. */
export const NDJSON = 'application/x-ndjson';

/** Statuses of success that an operation may end with beside the one that it has. */
export type OtherSuccess = 200 | 202 | 204 | 206;

/** Forms of a body. A form of fields is read as an object of them, as its schema says. */
export type BodyMediaType =
  | 'application/json'
  | 'application/merge-patch+json'
  | 'application/x-www-form-urlencoded'
  | 'multipart/form-data'
  | 'multipart/related';

/** One operation of the service, declared once, for head. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Path template below the version segment, for example `/patients/{patient_id}`. */
  readonly path: string;
  readonly category: string;
  readonly summary: string;
  /** `any`: every key of the account may ask, and the operation itself looks at what the key may see. */
  readonly scope: Scope | 'any';
  /** The release that introduced it, where section 9.4 of the specification lists it per version. */
  readonly since?: string;
  readonly parameters: readonly Parameter[];
  /**
   * Parameters that are not declared and no fault either, because another standard says how they are named and what
   * becomes of those that a service does not know. The handler reads them in the query as it was sent.
   */
  readonly otherParameters?: {
    /** Of their names. */
    readonly pattern: string;
    readonly countMax: number;
  };
  /** Whether the answer names addresses of this service, so that core must be told where callers reach it. */
  readonly namesPlaces?: true;
  readonly body?: {
    /** Reference such as `Patient.create`; see `variants.ts`. */
    readonly ref: string;
    readonly mediaType: BodyMediaType;
    readonly elements?: BodyElements;
  };
  /**
   * The member of the body that pins an object to a release. The gateway fills in the release served when it is
   * absent, and refuses one that cannot be pinned; to core it is a word like any other.
   */
  readonly pin?: string;
  /**
   * Whether the answer is made of documents that may have been written when another release was head: core then names
   * that release, and the gateway translates from there.
   */
  readonly atRest?: true;
  readonly response: {
    readonly status: number;
    readonly description: string;
    /** Reference of what `data` holds, or of one element of a stream; absent for 204 and for bytes. */
    readonly ref?: string;
    /**
     * What is answered instead of an envelope: `application/x-ndjson` has one element of `ref` a line,
     * `text/event-stream` has the elements of `events`, anything else is bytes that nobody enters.
     */
    readonly mediaType?: string;
    /** Reference of the data of each event, by event name. */
    readonly events?: Readonly<Record<string, string>>;
    /** Headers of the answer that belong to this operation, by name in lower case. */
    readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
    /**
     * Other statuses of success, and what each means. The answer is the same in form, but for 204, which has none, and
     * 206, which is a part of the bytes.
     */
    readonly also?: Readonly<Partial<Record<OtherSuccess, string>>>;
  };
  /** Whether the answer carries an ETag, and If-None-Match and If-Match are obeyed. */
  readonly conditional?: boolean;
  /** For an operation that replaces or patches an object: the operations that serve an older version's write. */
  readonly update?: { readonly read: string; readonly patch: string; readonly mode: 'replace' | 'patch' };
  readonly errors: readonly ErrorCode[];
}

/**
 * Operations as they are written, each with its own id, parameters, references and errors as literal types. From these
 * come the types of what a handler is given and must answer (`operation-types.ts`).
 */
export function defineOperations<const T extends readonly Operation[]>(operations: T): T {
  return operations;
}

/** Whether a key with these scopes may call the operation. */
export function isAllowed({ scope }: Operation, scopes: readonly string[]): boolean {
  return scope === 'any' || scopes.includes(scope) || scopes.includes('admin');
}

/** Whether the operation takes files, which its handler reads from the request, in place of JSON. */
export function takesFiles({ body }: Operation): boolean {
  return body?.mediaType.startsWith('multipart/') === true;
}

/** Every operation can end with these. */
export const commonErrors: readonly ErrorCode[] = [
  'credential_missing',
  'credential_invalid',
  'credential_expired',
  'scope_missing',
  'version_unknown',
  'version_sunset',
  'request_malformed',
  'not_acceptable',
  'rate_limited',
  'internal_error',
  'translation_failed',
  'core_failed',
  'unavailable',
  'core_timeout',
];
