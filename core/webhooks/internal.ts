import { Fault } from '@perennial/schemas/http/fault.ts';
import {
  type ClaimRequest,
  DELIVERY_SCOPE,
  type FinishRequest,
  type QueuedRequest,
} from '@perennial/schemas/internal/webhooks.ts';
import type { RequestHandler } from 'express';
import { exchangeOf } from '../http/exchange.ts';
import type { Handlers } from '../http/operations.ts';
import type { DeliveryService } from './delivery-service.ts';

/** Bounds of what the gateway sends: up to 200 rendered events. */
export const internalLimits = { bodyBytesMax: 67_108_864, bodyDepthMax: 8 } as const;

/** For everybody but the gateway itself, the operations of this path do not exist. */
export function onlyForDelivery(): RequestHandler {
  return (_request, response, next) => {
    if (exchangeOf(response).caller?.scopes.includes(DELIVERY_SCOPE) !== true) throw new Fault('route_unknown');
    next();
  };
}

/** What the gateway asks of core to deliver. */
export function internalWebhookHandlers(deliveries: DeliveryService): Handlers {
  return {
    'internal.webhooks.claim': async ({ body }) => {
      const { limit, lease_ms: leaseMs } = body as ClaimRequest;
      return { data: { deliveries: await deliveries.claim(limit, leaseMs) } };
    },
    'internal.webhooks.queued': async ({ body }) => {
      await deliveries.queued((body as QueuedRequest).deliveries);
      return { data: {} };
    },
    'internal.webhooks.begin': async ({ params, body }) => {
      const { ticket } = body as { readonly ticket: number };
      return { data: await deliveries.begin(params['delivery_id'] as string, ticket) };
    },
    'internal.webhooks.finish': async ({ params, body }) => ({
      data: await deliveries.finish(params['delivery_id'] as string, body as FinishRequest),
    }),
    'internal.webhooks.sunset': async ({ body }) => {
      const { versions } = body as { readonly versions: readonly string[] };
      return { data: { paused: await deliveries.pauseSunset(versions) } };
    },
  };
}
