import {
  DELIVERY_SCOPE,
  type internalWebhookOperations,
  type internalWebhookResources,
} from '@perennial/schemas/internal/webhooks.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { RequestHandler } from 'express';
import { exchangeOf } from '../platform/http/exchange.ts';
import type { HandlersOf } from '../platform/http/handler.ts';
import type { DeliveryService } from './delivery-service.ts';

/** Bounds of what the gateway sends: up to 200 rendered events. */
export const internalLimits = { bodyBytesMax: 67_108_864, bodyDepthMax: 8 } as const;

/** These operations are for the gateway alone; any other caller gets 404. */
export function onlyForDelivery(): RequestHandler {
  return (_request, response, next) => {
    if (exchangeOf(response).caller?.scopes.includes(DELIVERY_SCOPE) !== true) throw new Fault('route_unknown');
    next();
  };
}

/** What the gateway asks of core to deliver. */
export function internalWebhookHandlers(
  deliveries: DeliveryService,
): HandlersOf<typeof internalWebhookOperations, typeof internalWebhookResources> {
  return {
    'internal.webhooks.claim': async ({ body }) => {
      const { limit, lease_ms: leaseMs } = body;
      return { data: { deliveries: await deliveries.claim(limit, leaseMs) } };
    },
    'internal.webhooks.queued': async ({ body }) => {
      await deliveries.queued(body.deliveries);
      return { data: {} };
    },
    'internal.webhooks.begin': async ({ params, body }) => {
      return { data: await deliveries.begin(params.delivery_id, body.ticket) };
    },
    'internal.webhooks.finish': async ({ params, body }) => ({
      data: await deliveries.finish(params.delivery_id, body),
    }),
    'internal.webhooks.sunset': async ({ body }) => {
      return { data: { paused: await deliveries.pauseSunset(body.versions) } };
    },
  };
}
