import type { IncomingMessage } from 'node:http';
import type { NDJSON, Operation } from '@perennial/schemas/operation.ts';
import type {
  BodyOf,
  DataOf,
  DeclaredError,
  HeadResources,
  OperationId,
  OperationOf,
  ParamsOf,
  QueryOf,
  ResourceMap,
  TextOf,
} from '@perennial/schemas/operation-types.ts';
import type { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { Visibility } from '../../visibility.ts';
import type { PayloadParts } from '../idempotency/payload.ts';
import type { JsonText } from '../json-text.ts';
import type { CheckedElements } from './checked-elements.ts';
import type { Conditions } from './conditions.ts';
import type { ServerEvent } from './event-stream.ts';
import type { Bytes } from './stream-answers.ts';

/* What a handler is given and answers. Both follow from the operation that it is for. */

/** What every handler is given, whichever operation it is for: everything has been checked against the contract. */
export interface AnyContext {
  readonly operation: Operation;
  readonly requestId: string;
  readonly caller: Caller;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters, read as their types. Defaults are the handler's. */
  readonly query: Readonly<Record<string, string | number | boolean | undefined>>;
  /** The query as it was sent. */
  readonly search: URLSearchParams;
  /** The body, of the shape the operation's `body.ref` says; undefined when the operation takes none. */
  readonly body: unknown;
  /** The body of an operation that takes elements: the handler reads it. */
  readonly elements?: CheckedElements;
  readonly conditions: Conditions;
  /** What the caller can see, from the operation's parameters: handed to every store that is asked. */
  readonly visibility: Visibility;
  /** The request itself, for an operation that takes a body which is no JSON: the handler reads it. */
  readonly request: IncomingMessage;
  /**
   * What was sent, as an Idempotency-Key stands for it. A handler that reads the body itself adds what was in it, before
   * it opens its transaction; see `core/platform/idempotency/README.md`.
   */
  readonly payload: PayloadParts;
}

/** What the handler of one operation is given, typed by the operation. */
export interface Context<Op extends Operation = Operation, R extends ResourceMap = HeadResources> extends AnyContext {
  readonly params: ParamsOf<Op>;
  readonly query: QueryOf<Op>;
  readonly body: BodyOf<Op, R>;
  /** The refusal with a code that the operation declares; to be thrown. */
  readonly refusal: (code: DeclaredError<Op>) => Fault;
}

/** What the handler of an operation at head is given. */
export type ContextOf<Id extends OperationId> = Context<OperationOf<Id>>;

/** What any handler may answer beside its data. */
interface OutcomeHead<Status extends number = number> {
  /** The contract's status, unless another one is given that the contract declares. */
  readonly status?: Status;
  readonly headers?: Readonly<Record<string, string>>;
  /** Revision of the object answered; becomes the ETag. */
  readonly revision?: number;
  /** Patients whom the answer is about when its body does not name them, such as a file or an empty answer. */
  readonly subjects?: readonly string[];
}

/** What a handler answers, whichever operation it is for. */
export interface AnyOutcome extends OutcomeHead {
  /** What stands under `data`, complete and in the contract's order. */
  readonly data?: unknown;
  /**
   * What stands there when the request is repeated with its Idempotency-Key, where that is not the same: what is shown
   * once is not kept.
   */
  readonly repeatedData?: unknown;
  /** In place of `data`, for an operation that answers one element a line. */
  readonly batches?: AsyncIterable<readonly unknown[]>;
  /** In place of `data`, for an operation that answers server-sent events. */
  readonly events?: AsyncIterable<ServerEvent>;
  /** In place of `data`, for an operation that answers bytes. */
  readonly bytes?: Bytes;
}

/** An answer with `data`, or with a page of it. */
export interface DataOutcome<T, Status extends number = never> extends OutcomeHead<Status> {
  readonly data: T | JsonText<T>;
  readonly repeatedData?: T;
}

/** An answer of bytes. */
export interface BytesOutcome extends OutcomeHead {
  readonly bytes?: Bytes;
}

/** Statuses of success that an operation declares. */
type StatusOf<Op extends Operation> = Op['response'] extends { readonly also: infer Also extends object }
  ? Op['response']['status'] | (keyof Also & number)
  : Op['response']['status'];

/** What the handler of one operation answers, by what its response declares. */
export type Outcome<Op extends Operation = Operation, R extends ResourceMap = HeadResources> = Op['response'] extends {
  readonly mediaType: typeof NDJSON;
}
  ? OutcomeHead<StatusOf<Op>> & { readonly batches: AsyncIterable<readonly DataOf<Op, R>[]> }
  : Op['response'] extends { readonly events: infer Events extends Readonly<Record<string, string>> }
    ? OutcomeHead<StatusOf<Op>> & { readonly events: AsyncIterable<ServerEvent<keyof Events & string>> }
    : Op['response'] extends { readonly mediaType: string }
      ? BytesOutcome
      : Op['response'] extends { readonly ref: string }
        ? DataOutcome<DataOf<Op, R>, StatusOf<Op>>
        : OutcomeHead<StatusOf<Op>>;

/** Names of the events that an operation at head streams. */
export type EventName<Id extends OperationId> = OperationOf<Id>['response'] extends { readonly events: infer Events }
  ? keyof Events & string
  : never;

/** What the handler of an operation at head answers. */
export type OutcomeOf<Id extends OperationId> = Outcome<OperationOf<Id>>;

/** Carries out one operation. */
export type Handler<Op extends Operation, R extends ResourceMap = HeadResources> = (
  context: Context<Op, R>,
) => Promise<Outcome<Op, R>>;

/** A handler for each of the operations, by id. */
export type HandlersOf<Ops extends readonly Operation[], R extends ResourceMap = HeadResources> = {
  readonly [Op in Ops[number] as Op['id']]: Handler<Op, R>;
};

/** Handlers for operations at head, by id. */
export type HandlersFor<Ids extends OperationId> = { readonly [Id in Ids]: Handler<OperationOf<Id>> };

/** A context whose path has these parameters. */
export interface WithParams<Names extends string> {
  readonly params: { readonly [N in Names]: TextOf<N> };
}

/** Handlers as they are looked up by id; which operation each is for is known when they are composed. */
export type Handlers = Readonly<Record<string, (context: never) => Promise<AnyOutcome>>>;

/** A handler that has been found for its operation. */
export type AnyHandler = (context: AnyContext) => Promise<AnyOutcome>;
