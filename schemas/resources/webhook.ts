import Type, { type Static } from 'typebox';
import { type EventKind, eventKinds } from '../event-kinds.ts';
import {
  identifier,
  instant,
  oneOf,
  optionalOneOf,
  optionalText,
  ref,
  reference,
  type ServerSet,
  serverSet,
  stamp,
} from '../fields.ts';

const kindNames = Object.keys(eventKinds) as readonly EventKind[];

/** Whether a subscription is served. */
export const subscriptionStates = ['active', 'paused', 'disabled'] as const;
/** Whether a subscription is served. */
export type SubscriptionState = (typeof subscriptionStates)[number];

/** Why a subscription is not served. */
export const subscriptionReasons = ['requested', 'version_sunset', 'receiver_gone', 'failing'] as const;
/** Why a subscription is not served. */
export type SubscriptionReason = (typeof subscriptionReasons)[number];

const optionalStamp = (description: string): ServerSet<Type.TUnsafe<string | null>> =>
  serverSet(Type.Unsafe<string | null>({ ...instant({ readOnly: true, description }), type: ['string', 'null'] }));

const kinds = (description: string): Type.TUnsafe<EventKind[]> =>
  Type.Unsafe<EventKind[]>({
    type: 'array',
    items: { type: 'string', enum: [...kindNames] },
    maxItems: 50,
    uniqueItems: true,
    description,
    examples: [['patient.created', 'patient.updated']],
  });

/** Where events are sent, and how. */
export const WebhookSubscription = Type.Object(
  {
    id: identifier('whk', 'Subscription identifier.'),
    url: Type.String({
      format: 'uri',
      minLength: 9,
      maxLength: 2000,
      description: 'Where events are posted to: an https address on the public internet, without user or fragment.',
      examples: ['https://hooks.example.com/perennial'],
    }),
    description: optionalText(500, { description: 'What it is for.', examples: ['Sync to the ward system'] }),
    kinds: kinds('The kinds of events that are sent; empty for every kind that the version has.'),
    payload: Type.Optional(
      oneOf(['full', 'thin'], {
        description: '`full` sends the object as the change left it, `thin` only identifiers. `full` unless told.',
      }),
    ),
    version: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        description: 'The version that events are sent in; unless told, that of the request that creates it.',
        examples: ['2023-10-15'],
      }),
    ),
    state: serverSet(
      oneOf(subscriptionStates, {
        readOnly: true,
        description: '`paused` keeps what waits and sends nothing, `disabled` means that this service gave up.',
        examples: ['active'],
      }),
    ),
    state_reason: serverSet(
      optionalOneOf(subscriptionReasons, {
        readOnly: true,
        description:
          'Why nothing is sent: `requested` by a client, `version_sunset` of its version, `receiver_gone` after a 410, `failing` for days; null while active.',
      }),
    ),
    state_changed_at: stamp('Since when it is in this state.'),
    previous_secret_expires_at: optionalStamp(
      'Until when deliveries are signed with the secret before the last rotation as well; null when there is none.',
    ),
    created_at: stamp('When it was created.'),
    updated_at: stamp('When it was last changed.'),
  },
  { $id: 'WebhookSubscription', title: 'WebhookSubscription', description: 'Where events are sent, and how.' },
);
/** Where events are sent, and how. */
export type WebhookSubscription = Static<typeof WebhookSubscription>;

/** A subscription with its secret. */
export const WebhookSecret = Type.Object(
  {
    subscription: ref(WebhookSubscription),
    secret: serverSet(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        readOnly: true,
        description:
          'Signs the deliveries (Standard Webhooks, HMAC-SHA256). Shown once: null when the request is repeated with its Idempotency-Key, and then to be rotated.',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
      }),
    ),
  },
  { $id: 'WebhookSecret', title: 'WebhookSecret', description: 'A subscription with its secret, which is shown once.' },
);
/** A subscription with its secret. */
export type WebhookSecret = Static<typeof WebhookSecret>;

/** How to rotate a secret. */
export const SecretRotationRequest = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        description: 'For how long deliveries are signed with the old secret as well; 24 unless told.',
      }),
    ),
  },
  {
    $id: 'SecretRotationRequest',
    title: 'SecretRotationRequest',
    description: 'How to rotate a secret.',
    additionalProperties: false,
  },
);
/** How to rotate a secret. */
export type SecretRotationRequest = Static<typeof SecretRotationRequest>;

/** What became of a delivery. */
export const deliveryStates = ['waiting', 'pending', 'held', 'delivered', 'failed'] as const;
/** What became of a delivery. */
export type DeliveryState = (typeof deliveryStates)[number];

/** One event on its way to one subscription. */
export const WebhookDelivery = Type.Object(
  {
    id: identifier('dlv', 'Delivery identifier.'),
    subscription_id: serverSet(reference<'whk'>({ readOnly: true, description: 'Where it goes.' })),
    event_id: serverSet(
      reference<'evt'>({ readOnly: true, description: 'The event; sent as the header `webhook-id`.' }),
    ),
    event_type: serverSet(
      Type.String({ readOnly: true, description: 'Kind of the event.', examples: ['patient.updated'] }),
    ),
    version: serverSet(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        readOnly: true,
        description: 'The version it was written in when it was queued; null before that.',
      }),
    ),
    state: serverSet(
      oneOf(deliveryStates, {
        readOnly: true,
        description:
          '`waiting` to be queued, `pending` until the next attempt, `held` while the subscription is not served, `delivered`, or `failed` for good.',
      }),
    ),
    attempts: serverSet(Type.Integer({ minimum: 0, readOnly: true, description: 'How often it was tried.' })),
    next_attempt_at: optionalStamp('When it is tried next; null when it is not.'),
    created_at: stamp('When it was made.'),
    finished_at: optionalStamp('When it was delivered or given up; null before that.'),
  },
  { $id: 'WebhookDelivery', title: 'WebhookDelivery', description: 'One event on its way to one subscription.' },
);
/** One event on its way to one subscription. */
export type WebhookDelivery = Static<typeof WebhookDelivery>;

/** How an attempt ended. */
export const attemptOutcomes = [
  'delivered',
  'refused',
  'redirected',
  'timed_out',
  'unreachable',
  'address_forbidden',
] as const;
/** How an attempt ended. */
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** One attempt to deliver. */
export const WebhookAttempt = Type.Object(
  {
    number: serverSet(Type.Integer({ minimum: 1, readOnly: true, description: 'Number of the attempt, from 1.' })),
    started_at: stamp('When it began.'),
    duration_ms: serverSet(
      Type.Integer({ minimum: 0, readOnly: true, description: 'How long it took, in milliseconds.' }),
    ),
    status: serverSet(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        readOnly: true,
        description: 'HTTP status of the receiver; null when there was no answer.',
        examples: [503],
      }),
    ),
    outcome: serverSet(
      oneOf(attemptOutcomes, {
        readOnly: true,
        description:
          '`delivered` (2xx), `refused` (another status), `redirected` (3xx, which is not followed), `timed_out`, `unreachable`, or `address_forbidden` (the name led inside a network).',
      }),
    ),
  },
  { $id: 'WebhookAttempt', title: 'WebhookAttempt', description: 'One attempt to deliver.' },
);
/** One attempt to deliver. */
export type WebhookAttempt = Static<typeof WebhookAttempt>;

/** Which events to send again. */
export const WebhookReplayRequest = Type.Object(
  {
    event_id: Type.Optional(reference<'evt'>({ minLength: 1, maxLength: 80, description: 'One event.' })),
    from: Type.Optional(instant({ description: 'Events from this instant on.' })),
    to: Type.Optional(instant({ description: 'Events before this instant; now unless told.' })),
    kinds: Type.Optional(kinds('Only events of these kinds; all that the subscription takes unless told.')),
  },
  {
    $id: 'WebhookReplayRequest',
    title: 'WebhookReplayRequest',
    description: 'Which events to send again: one by its identifier, or those of a time.',
    additionalProperties: false,
  },
);
/** Which events to send again. */
export type WebhookReplayRequest = Static<typeof WebhookReplayRequest>;

/** What a replay began. */
export const WebhookReplay = Type.Object(
  {
    deliveries: Type.Integer({ minimum: 0, description: 'How many deliveries wait to be queued because of it.' }),
  },
  { $id: 'WebhookReplay', title: 'WebhookReplay', description: 'What a replay began.' },
);

/** Every resource of this file. */
export const webhookResources = {
  WebhookSubscription,
  WebhookSecret,
  SecretRotationRequest,
  WebhookDelivery,
  WebhookAttempt,
  WebhookReplayRequest,
  WebhookReplay,
} as const;
