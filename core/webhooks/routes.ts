import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { WebhookSecret, WebhookSubscription } from '@perennial/schemas/resources/webhook.ts';
import type { ContextOf, DataOutcome, HandlersFor, WithParams } from '../platform/http/handler.ts';
import { answerPage, type Ordering } from '../platform/ordering.ts';
import { type FilterNames, readFilters } from '../platform/query-filters.ts';
import { type AttemptRow, type DeliveryRow, toAttempt, toDelivery } from './delivery.ts';
import type { DeliveryPlace, DeliveryService } from './delivery-service.ts';
import type { DeliveryFilters } from './delivery-store.ts';
import type { SubscriptionService, WithSecret } from './service.ts';
import { type SubscriptionRow, toSubscription } from './subscription.ts';

/** The operations on subscriptions and their deliveries. @param secret signs the cursors; the gateway shares it. */
export function webhookHandlers(
  subscriptions: SubscriptionService,
  deliveries: DeliveryService,
  secret: SharedSecret,
): HandlersFor<Extract<OperationId, `webhooks.${string}`>> {
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
      const created = await subscriptions.create(caller, body);
      return { ...withSecret(created), headers: { location: `/webhooks/${created.row.id}` } };
    },
    'webhooks.get': async (context) =>
      outcome(await subscriptions.get(context.caller.accountId, context.params.webhook_id)),
    'webhooks.update': async (context) => {
      const { caller, body, conditions } = context;
      return outcome(await subscriptions.update(caller, context.params.webhook_id, body, conditions));
    },
    'webhooks.delete': async (context) => {
      await subscriptions.remove(context.caller.accountId, context.params.webhook_id, context.conditions);
      return {};
    },
    'webhooks.pause': async (context) =>
      outcome(await subscriptions.pause(context.caller.accountId, context.params.webhook_id, context.conditions)),
    'webhooks.resume': async (context) =>
      outcome(await subscriptions.resume(context.caller.accountId, context.params.webhook_id, context.conditions)),
    'webhooks.rotateSecret': async (context) => {
      const { overlap_hours: hours } = context.body;
      return withSecret(await subscriptions.rotateSecret(context.caller.accountId, context.params.webhook_id, hours));
    },
    'webhooks.test': async (context) => ({
      data: toDelivery(await deliveries.test(context.caller.accountId, context.params.webhook_id)),
    }),
    'webhooks.replay': async (context) => {
      const { caller, body } = context;
      const count = await deliveries.replay(caller.accountId, context.params.webhook_id, body);
      return { data: { deliveries: count } };
    },
    'webhooks.listDeliveries': async (context) => {
      const data = await answerPage(
        context,
        secret,
        deliveryOrder,
        (request) => deliveries.list(context.caller.accountId, context.params.webhook_id, filtersOf(context), request),
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

function filtersOf({ query }: ContextOf<'webhooks.listDeliveries'>): DeliveryFilters {
  return readFilters(query, filterNames, []);
}

const filterNames: FilterNames<DeliveryFilters> = [
  ['state', 'state'],
  ['event_id', 'eventId'],
];

function placeOf({ params }: WithParams<'webhook_id' | 'delivery_id'>): DeliveryPlace {
  return { subscriptionId: params.webhook_id, deliveryId: params.delivery_id };
}

function outcome(row: SubscriptionRow): DataOutcome<WebhookSubscription> {
  return { data: toSubscription(row, new Date()), revision: row.revision };
}

function withSecret({ row, secret }: WithSecret): DataOutcome<WebhookSecret> {
  const subscription = toSubscription(row, new Date());
  return { data: { subscription, secret }, repeatedData: { subscription, secret: null } };
}
