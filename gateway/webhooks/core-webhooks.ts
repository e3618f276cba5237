import {
  type Begun,
  type ClaimedDelivery,
  DELIVERY_SCOPE,
  type FinishRequest,
  type NextStep,
  type QueuedRequest,
} from '@perennial/schemas/internal/webhooks.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { DeliveryId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { CoreClient } from '../forward/core-client.ts';

/** What the gateway asks of core to deliver. Every call can be repeated. */
export interface CoreWebhooks {
  /** Claims deliveries to be rendered and queued; no other gateway gets them before the lease ends. */
  claim(limit: number, leaseMs: number): Promise<readonly ClaimedDelivery[]>;
  /** What became of claimed deliveries. */
  queued(deliveries: QueuedRequest['deliveries']): Promise<void>;
  /** The signed request to send now, or the next step. */
  begin(deliveryId: DeliveryId, ticket: number): Promise<Begun>;
  /** What came of an attempt. */
  finish(deliveryId: DeliveryId, attempt: FinishRequest): Promise<NextStep>;
  /** Pauses what is pinned to these releases. @returns how many subscriptions. */
  pauseSunset(versions: readonly string[]): Promise<number>;
}

/** The caller: no account's key, so that core never takes it for a client. */
const self: Caller = { accountId: 'acc_perennial', keyId: 'key_gateway', scopes: [DELIVERY_SCOPE] };

/** @param timeoutMs how long one call may take. */
export function createCoreWebhooks(core: CoreClient, timeoutMs: number): CoreWebhooks {
  const call = async <T>(path: string, body: unknown): Promise<T> => {
    const answer = await core.fetch({
      caller: self,
      method: 'POST',
      path: `/internal/webhooks/${path}`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      repeatable: true,
    });
    if (answer.status !== 200) throw new Fault('core_failed', { cause: new Error(`core answered ${answer.status}`) });
    return (JSON.parse(answer.body.toString('utf8')) as { readonly data: T }).data;
  };
  const of = (deliveryId: DeliveryId): string => `deliveries/${encodeURIComponent(deliveryId)}`;
  return {
    claim: async (limit, leaseMs) =>
      (await call<{ readonly deliveries: ClaimedDelivery[] }>('claim', { limit, lease_ms: leaseMs })).deliveries,
    queued: async (deliveries) => {
      await call('queued', { deliveries });
    },
    begin: (deliveryId, ticket) => call(`${of(deliveryId)}/begin`, { ticket }),
    finish: (deliveryId, attempt) => call(`${of(deliveryId)}/finish`, attempt),
    pauseSunset: async (versions) => (await call<{ readonly paused: number }>('sunset', { versions })).paused,
  };
}
