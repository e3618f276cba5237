import type { Static, TSchema } from 'typebox';
import type { headOperations, headResources } from './contract.ts';
import type { Operation } from './operation.ts';
import type {
  AttachmentId,
  CohortId,
  DeliveryId,
  DiagnosticId,
  EventId,
  InstanceId,
  JobId,
  OverrideId,
  PatientId,
  RecordId,
  StudyId,
  SubscriptionId,
} from './platform/ids.ts';
import type { Page } from './resources/page.ts';

/*
 * What a handler is given and must answer, worked out from the operation as it is declared: a misspelt field, a
 * parameter that does not exist or an answer of another shape does not compile.
 */

/** Resources by `$id`, as they are built. */
export type ResourceMap = Readonly<Record<string, TSchema>>;

/** Resources at head. */
export type HeadResources = typeof headResources;

/** Operations at head, one type each. */
export type HeadOperation = (typeof headOperations)[number];

/** Ids of the operations at head. */
export type OperationId = HeadOperation['id'];

/** The operation with the id. */
export type OperationOf<Id extends OperationId> = Extract<HeadOperation, { readonly id: Id }>;

/** A value that nobody changes once it is answered. */
export type Frozen<T> = T extends (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** What a reference such as `Patient` or `Patient.page` stands for in an answer. */
export type Answered<
  Ref extends string,
  R extends ResourceMap,
> = Ref extends `${infer Name extends keyof R & string}.page`
  ? Frozen<Page<Static<R[Name]>>>
  : Ref extends keyof R
    ? Frozen<Static<R[Ref]>>
    : never;

/** What a reference such as `Patient.create` stands for in a body. */
export type Sent<
  Ref extends string,
  R extends ResourceMap,
> = Ref extends `${infer Name extends keyof R & string}.create`
  ? Written<Static<R[Name]>>
  : Ref extends `${infer Name extends keyof R & string}.replace`
    ? Written<Static<R[Name]>>
    : Ref extends `${infer Name extends keyof R & string}.patch`
      ? Patched<Static<R[Name]>>
      : Ref extends keyof R
        ? Static<R[Ref]>
        : never;

/** What a reference stands for in a body at head. */
export type BodyAt<Ref extends string> = Sent<Ref, HeadResources>;

/** Whether a member is read-only: only then does taking the modifier away make another type. */
type IsReadOnly<T, K extends keyof T> =
  (<X>() => X extends { [P in K]: T[P] } ? 1 : 2) extends <X>() => X extends { -readonly [P in K]: T[P] } ? 1 : 2
    ? false
    : true;

/** Members that a client writes. */
type WritableKey<T> = { [K in keyof T]-?: IsReadOnly<T, K> extends true ? never : K }[keyof T];

/** Members that may be left out: those that may be null, and lists. */
type OptionalKey<T> = { [K in keyof T]-?: CanBeLeftOut<T[K]> extends true ? K : never }[keyof T];

type CanBeLeftOut<V> = undefined extends V
  ? true
  : null extends V
    ? true
    : [V] extends [readonly unknown[]]
      ? true
      : OnlyOptional<V>;

/** An object whose members can all be left out can be left out itself. */
type OnlyOptional<V> = [V] extends [object]
  ? [Exclude<WritableKey<V>, OptionalKey<V>>] extends [never]
    ? true
    : false
  : false;

/** An object as a client writes it whole: read-only members are ignored, what may be null may be left out. */
export type Written<T> = T extends readonly (infer E)[]
  ? Written<E>[]
  : T extends object
    ? {
        readonly [K in Exclude<WritableKey<T>, OptionalKey<T>>]: Written<T[K]>;
      } & {
        readonly [K in Extract<WritableKey<T>, OptionalKey<T>>]?: Written<T[K]> | null;
      } & { readonly [K in Exclude<keyof T, WritableKey<T>>]?: unknown }
    : T;

/** An object as a client patches it (RFC 7396): absent keeps, null clears. Entries of lists are whole. */
export type Patched<T> = T extends readonly (infer E)[]
  ? Written<E>[]
  : T extends object
    ? { readonly [K in WritableKey<T>]?: Patched<T[K]> | (K extends OptionalKey<T> ? null : never) } & {
        readonly [K in Exclude<keyof T, WritableKey<T>>]?: unknown;
      }
    : T;

/**
 * Parameters that identify an object, whichever operation they are of. An identifier that somebody made up is one as
 * well: it is looked up like any other, and found missing.
 */
interface IdentifierParameters {
  readonly attachment_id: AttachmentId;
  readonly cohort_id: CohortId;
  readonly other_cohort_id: CohortId;
  readonly reference_cohort_id: CohortId;
  readonly delivery_id: DeliveryId;
  readonly diagnostic_id: DiagnosticId;
  readonly event_id: EventId;
  readonly instance_id: InstanceId;
  readonly job_id: JobId;
  readonly override_id: OverrideId;
  readonly patient_id: PatientId;
  readonly record_id: RecordId;
  readonly result_id: DiagnosticId;
  readonly study_id: StudyId;
  readonly webhook_id: SubscriptionId;
}

/** Path parameters by name. */
export type ParamsOf<Op extends Operation> = {
  readonly [P in Extract<Op['parameters'][number], { readonly in: 'path' }> as P['name']]: TextOf<P['name']>;
};

/** What a parameter of text is, by its name. */
export type TextOf<Name extends string> = Name extends keyof IdentifierParameters ? IdentifierParameters[Name] : string;

type QueryParameterOf<Op extends Operation> = Extract<Op['parameters'][number], { readonly in: 'query' }>;

/** The value of a parameter, by its schema. */
type ValueOf<S, Name extends string> = S extends { readonly enum: readonly (infer W)[] }
  ? W
  : S extends { readonly type: 'integer' | 'number' }
    ? number
    : S extends { readonly type: 'boolean' }
      ? boolean
      : TextOf<Name>;

/** Query parameters by name, read as their types. What is not required can be absent: defaults are the handler's. */
export type QueryOf<Op extends Operation> = {
  readonly [P in Extract<QueryParameterOf<Op>, { readonly required: true }> as P['name']]: ValueOf<
    P['schema'],
    P['name']
  >;
} & {
  readonly [P in Exclude<QueryParameterOf<Op>, { readonly required: true }> as P['name']]?: ValueOf<
    P['schema'],
    P['name']
  >;
};

/** The body, of the shape that the operation's reference says. Files and elements are read by the handler. */
export type BodyOf<Op extends Operation, R extends ResourceMap> = Op extends {
  readonly body: { readonly ref: infer Ref extends string; readonly mediaType: infer M };
}
  ? M extends `multipart/${string}`
    ? undefined
    : Op extends { readonly body: { readonly elements: object } }
      ? undefined
      : Sent<Ref, R>
  : undefined;

/** What stands under `data`. */
export type DataOf<Op extends Operation, R extends ResourceMap> = Op extends {
  readonly response: { readonly ref: infer Ref extends string };
}
  ? Answered<Ref, R>
  : undefined;

/** Codes that the operation declares beside those that every operation can end with. */
export type DeclaredError<Op extends Operation> = Op['errors'][number];
