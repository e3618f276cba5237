import type { WebhookReplayRequest } from '@perennial/schemas/resources/webhook.ts';
import type { Context, Handlers, Outcome } from '../http/operations.ts';
import { answerPage, type Ordering } from '../ordering.ts';
import { type AttemptRow, type DeliveryRow, toAttempt, toDelivery } from './delivery.ts';
import type { DeliveryPlace, DeliveryService } from './delivery-service.ts';
import type { DeliveryFilters } from './delivery-store.ts';
import type { SubscriptionService, WithSecret } from './service.ts';
import {
  type SubscriptionPatch,
  type SubscriptionRow,
  type SubscriptionWrite,
  toSubscription,
} from './subscription.ts';

/** The operations on subscriptions and their deliveries. @param secret signs the cursors; the gateway shares it. */
export function webhookHandlers(
  subscriptions: SubscriptionService,
  deliveries: DeliveryService,
  secret: string,
): Handlers {
  return {
    'webhooks.list': async (context) => {
      const now = new Date();
      const data = await answerPage(
        context,
        secret,
        subscriptionOrder,
        (request) => subscriptions.list(context.caller.accountId, request),
        (row) => toSubscription(row, now),
      );
      return { data };
    },
    'webhooks.create': async ({ caller, body }) => {
      const created = await subscriptions.create(caller, body as SubscriptionWrite);
      return { ...withSecret(created), headers: { location: `/webhooks/${created.row.id}` } };
    },
    'webhooks.get': async (context) => outcome(await subscriptions.get(context.caller.accountId, idOf(context))),
    'webhooks.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await subscriptions.update(caller, idOf(context), body as SubscriptionPatch, conditions));
    },
    'webhooks.delete': async (context) => {
      await subscriptions.remove(context.caller.accountId, idOf(context), context.conditions);
      return {};
    },
    'webhooks.pause': async (context) =>
      outcome(await subscriptions.pause(context.caller.accountId, idOf(context), context.conditions)),
    'webhooks.resume': async (context) =>
      outcome(await subscriptions.resume(context.caller.accountId, idOf(context), context.conditions)),
    'webhooks.rotateSecret': async (context) => {
      const { overlap_hours: hours } = context.body as { readonly overlap_hours?: number };
      return withSecret(await subscriptions.rotateSecret(context.caller.accountId, idOf(context), hours));
    },
    'webhooks.test': async (context) => ({
      data: toDelivery(await deliveries.test(context.caller.accountId, idOf(context))),
    }),
    'webhooks.replay': async (context) => {
      const { caller, body } = context;
      const count = await deliveries.replay(caller.accountId, idOf(context), body as WebhookReplayRequest);
      return { data: { deliveries: count } };
    },
    'webhooks.listDeliveries': async (context) => {
      const data = await answerPage(
        context,
        secret,
        deliveryOrder,
        (request) => deliveries.list(context.caller.accountId, idOf(context), readFilters(context), request),
        toDelivery,
      );
      return { data };
    },
    'webhooks.getDelivery': async (context) => ({
      data: toDelivery(await deliveries.get(context.caller.accountId, placeOf(context))),
    }),
    'webhooks.listAttempts': async (context) => {
      const data = await answerPage(
        context,
        secret,
        attemptOrder,
        (request) => deliveries.attempts(context.caller.accountId, placeOf(context), request),
        toAttempt,
      );
      return { data };
    },
    'webhooks.resend': async (context) => ({
      data: toDelivery(await deliveries.resend(context.caller.accountId, placeOf(context))),
    }),
  };
}

const subscriptionOrder: Ordering<SubscriptionRow> = {
  fields: {
    created_at: { column: 'created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    updated_at: { column: 'updated_at', type: 'timestamptz', value: (row) => row.updatedAt.toISOString() },
    id: { column: 'id', type: 'text', value: (row) => row.id },
  },
  byDefault: 'created_at',
  unique: 'id',
};

const deliveryOrder: Ordering<DeliveryRow> = {
  fields: {
    created_at: { column: 'd.created_at', type: 'timestamptz', value: (row) => row.createdAt.toISOString() },
    id: { column: 'd.id', type: 'text', value: (row) => row.id },
  },
  byDefault: '-created_at',
  unique: 'id',
};

const attemptOrder: Ordering<AttemptRow> = {
  fields: { number: { column: 'number', type: 'double precision', value: (row) => row.number } },
  byDefault: 'number',
  unique: 'number',
};

function readFilters({ query }: Context): DeliveryFilters {
  const { state, event_id: eventId } = query;
  return {
    ...(typeof state === 'string' ? { state } : {}),
    ...(typeof eventId === 'string' ? { eventId } : {}),
  };
}

function idOf({ params }: Context): string {
  return params['webhook_id'] as string;
}

function placeOf({ params }: Context): DeliveryPlace {
  return { subscriptionId: params['webhook_id'] as string, deliveryId: params['delivery_id'] as string };
}

function outcome(row: SubscriptionRow): Outcome {
  return { data: toSubscription(row, new Date()), revision: row.revision };
}

function withSecret({ row, secret }: WithSecret): Outcome {
  const subscription = toSubscription(row, new Date());
  return { data: { subscription, secret }, repeatedData: { subscription, secret: null } };
}
