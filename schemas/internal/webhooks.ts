import Type, { type Static } from 'typebox';
import { type Contract, publish } from '../contract.ts';
import { instant, oneOf, reference } from '../fields.ts';
import type { Operation, Parameter } from '../operation.ts';
import type { AccountId, DeliveryId, Id, PatientId, SubscriptionId } from '../platform/ids.ts';
import { attemptOutcomes } from '../resources/webhook.ts';

/*
 * What gateway and core say to each other about deliveries. Core holds their state and signs; the gateway renders,
 * queues and sends. No client can call these: they need a token with the scope below, which no key has.
 */

/** The scope of the tokens by which the gateway delivers. */
export const DELIVERY_SCOPE = 'internal:webhooks';

const id = <P extends string>(description: string): Type.TUnsafe<Id<P>> =>
  reference<P>({ minLength: 1, maxLength: 80, description });
const ticket = Type.Integer({ minimum: 0, description: 'Makes jobs of the queue obsolete that carry an older one.' });
const version = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'A release.' });

/** Asks for deliveries that wait to be rendered and queued. */
export const ClaimRequest = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 200, description: 'At most so many.' }),
    lease_ms: Type.Integer({ minimum: 1, maximum: 600_000, description: 'How long nobody else is given them.' }),
  },
  { $id: 'ClaimRequest', description: 'Asks for deliveries that wait.', additionalProperties: false },
);
/** Asks for deliveries that wait to be rendered and queued. */
export type ClaimRequest = Static<typeof ClaimRequest>;

/** A delivery to be rendered, unless it was before, and queued. */
export const ClaimedDelivery = Type.Object(
  {
    id: id<'dlv'>('The delivery.'),
    ticket,
    subscription_id: id<'whk'>('Where it goes.'),
    version: { ...version, description: 'The release that the subscription is pinned to.' },
    payload: oneOf(['full', 'thin'], { description: 'What the subscription wants.' }),
    is_slow: Type.Boolean({ description: 'Whether the receiver failed or took long the last time.' }),
    is_rendered: Type.Boolean({ description: 'Whether there is a body already; then the event is not needed.' }),
    head_release: { ...version, description: 'The release at which the event was written.' },
    event: Type.Unknown({ description: 'The event at that release.' }),
  },
  { $id: 'ClaimedDelivery', description: 'A delivery to be rendered and queued.' },
);
/** A delivery to be rendered, unless it was before, and queued. */
export type ClaimedDelivery = Omit<Static<typeof ClaimedDelivery>, 'version' | 'head_release'> & {
  readonly version: string;
  readonly head_release: string;
};

/** What became of claimed deliveries. */
export const QueuedRequest = Type.Object(
  {
    deliveries: Type.Array(
      Type.Object(
        {
          id: id<'dlv'>('The delivery.'),
          ticket,
          result: oneOf(['queued', 'skipped', 'failed'], {
            description: '`skipped` for a kind that the version does not have, `failed` when it cannot be rendered.',
          }),
          version: Type.Optional({ ...version, description: 'The release that the body is written in.' }),
          body: Type.Optional(Type.String({ description: 'What is sent.' })),
        },
        { additionalProperties: false },
      ),
      { maxItems: 200, description: 'The deliveries.' },
    ),
  },
  { $id: 'QueuedRequest', description: 'What became of claimed deliveries.', additionalProperties: false },
);
/** What became of claimed deliveries. */
export interface QueuedRequest {
  readonly deliveries: readonly {
    readonly id: DeliveryId;
    readonly ticket: number;
    readonly result: 'queued' | 'skipped' | 'failed';
    readonly version?: string;
    readonly body?: string;
  }[];
}

/** Begins an attempt. */
export const BeginRequest = Type.Object(
  { ticket },
  { $id: 'BeginRequest', description: 'Begins an attempt.', additionalProperties: false },
);

/** What is to be done with a job of the queue. */
export type Begun =
  | {
      readonly kind: 'send';
      readonly url: string;
      readonly subscription_id: SubscriptionId;
      readonly account_id: AccountId;
      /** Whose data the body is about. */
      readonly patient_id: PatientId | null;
      /** The release that the subscription is pinned to. */
      readonly version: string;
      /** Signed headers of Standard Webhooks. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      /** Attempts that failed since it was queued anew. */
      readonly tries: number;
    }
  | NextStep;

/** What follows an attempt, or a job that was obsolete. */
export type NextStep =
  /** The state of the delivery does not know of the job yet; ask again. */
  | { readonly kind: 'wait' }
  /** Another attempt at the time, with the ticket. */
  | { readonly kind: 'again'; readonly ticket: number; readonly at: string; readonly subscription_id: SubscriptionId }
  | { readonly kind: 'done' };

/** What came of an attempt. */
export const FinishRequest = Type.Object(
  {
    ticket,
    started_at: instant({ description: 'When it began.' }),
    duration_ms: Type.Integer({ minimum: 0, description: 'How long it took.' }),
    status: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'HTTP status, if any.' }),
    outcome: oneOf(attemptOutcomes, { description: 'How it ended.' }),
    next_attempt_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When to try again; null when there is nothing to try, or nothing left.',
    }),
    is_slow: Type.Boolean({ description: 'Whether others must not wait behind this receiver.' }),
    is_gone: Type.Boolean({ description: 'Whether the receiver said that it wants no more.' }),
  },
  { $id: 'FinishRequest', description: 'What came of an attempt.', additionalProperties: false },
);
/** What came of an attempt. */
export type FinishRequest = Static<typeof FinishRequest>;

/** Pauses the subscriptions to releases that have reached their sunset. */
export const SunsetRequest = Type.Object(
  { versions: Type.Array(Type.String(), { maxItems: 1000, description: 'The releases.' }) },
  { $id: 'SunsetRequest', description: 'Releases that have reached their sunset.', additionalProperties: false },
);

/** `data` of an answer whose type is said beside it in this file: `Begun`, `NextStep`, lists of `ClaimedDelivery`. */
const Told = Type.Unsafe<object>({ $id: 'Told', description: 'What follows.', type: 'object' });

/** Resources of these operations. */
export const internalWebhookResources = {
  ClaimRequest,
  ClaimedDelivery,
  QueuedRequest,
  BeginRequest,
  FinishRequest,
  SunsetRequest,
  Told,
} as const;

const deliveryId = {
  name: 'delivery_id',
  in: 'path',
  required: true,
  description: 'The delivery.',
  schema: { type: 'string', minLength: 1, maxLength: 80 },
} as const;

/** An operation between gateway and core: any word of it is a POST. */
interface Post<N extends string, B extends string, P extends readonly Parameter[]> extends Operation {
  readonly id: `internal.webhooks.${N}`;
  readonly parameters: P;
  readonly body: { readonly ref: B; readonly mediaType: 'application/json' };
  readonly response: { readonly status: 200; readonly description: string; readonly ref: 'Told' };
}

function post<const N extends string, const B extends string, const P extends readonly Parameter[]>(
  name: N,
  path: string,
  body: B,
  parameters: P,
): Post<N, B, P> {
  return {
    id: `internal.webhooks.${name}`,
    method: 'POST',
    path: `/internal/webhooks/${path}`,
    category: 'webhooks',
    summary: `Deliveries: ${name}`,
    scope: 'any',
    parameters,
    body: { ref: body, mediaType: 'application/json' },
    response: { status: 200, description: 'What follows.', ref: 'Told' },
    errors: ['validation_failed'],
  };
}

/** The operations between gateway and core. */
export const internalWebhookOperations = [
  post('claim', 'claim', 'ClaimRequest', []),
  post('queued', 'queued', 'QueuedRequest', []),
  post('begin', 'deliveries/{delivery_id}/begin', 'BeginRequest', [deliveryId]),
  post('finish', 'deliveries/{delivery_id}/finish', 'FinishRequest', [deliveryId]),
  post('sunset', 'sunset', 'SunsetRequest', []),
] as const;

/** The contract between gateway and core. */
export const internalWebhooks: Contract = {
  resources: publish(internalWebhookResources),
  operations: internalWebhookOperations,
};
