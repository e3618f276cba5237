import type { Demo } from '@perennial/prisma/seed.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { WebhookDelivery, WebhookSecret, WebhookSubscription } from '@perennial/schemas/resources/webhook.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { type Answer, startTestGateway, type TestGateway, type TestGatewayOptions } from '../../support/gateway.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';

/** Gateway, core, database and a receiver of webhooks, all real. */
export interface WebhookWorld {
  readonly demo: Demo;
  readonly database: SeededDatabase;
  readonly core: TestCore;
  readonly gateway: TestGateway;
  readonly receiver: Receiver;
  /** A call of the demo account at a version, `2023-10-15` unless told. */
  call<T = JsonObject>(method: string, path: string, body?: unknown, version?: string): Promise<Answer<T>>;
  /** Subscribes; the address is a path of the receiver. */
  subscribe(path: string, more?: JsonObject, version?: string): Promise<WebhookSecret & { readonly secret: string }>;
  /** Reads until the delivery is as wanted. */
  until(subscription: string, delivery: string, isSo: (delivery: WebhookDelivery) => boolean): Promise<WebhookDelivery>;
  /** The only delivery of an event kind to a subscription, once there is one. */
  deliveryOf(subscription: string, kind: string): Promise<WebhookDelivery>;
  stop(): Promise<void>;
}

/** Times of tests: what takes days takes moments. */
export const quick = { pollMs: 20, retryDelaysMs: [30, 30, 30, 30] } as const;

export async function startWebhookWorld(options: TestGatewayOptions = {}): Promise<WebhookWorld> {
  const database = await seededDatabase();
  const core = await startCore(database.url, { webhookAllowPrivate: true });
  const gateway = await startTestGateway(core.url, database.url, {
    webhooks: quick,
    ...options,
    config: { webhookDelivery: true, webhookAllowPrivate: true, ...options.config },
  });
  const receiver = await startReceiver();
  const { demo } = database;
  const call: WebhookWorld['call'] = (method, path, body, version = '2023-10-15') =>
    gateway.send(method, `/v${version}${path}`, { key: demo.apiKey, ...(body === undefined ? {} : { body }) });
  const until: WebhookWorld['until'] = async (subscription, id, isSo) => {
    for (;;) {
      const { data } = await call<WebhookDelivery>('GET', `/webhooks/${subscription}/deliveries/${id}`);
      if (isSo(data)) return data;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return {
    demo,
    database,
    core,
    gateway,
    receiver,
    call,
    until,
    async subscribe(path, more = {}, version) {
      const answer = await call<WebhookSecret>(
        'POST',
        '/webhooks',
        { url: `${receiver.url}${path}`, ...more },
        version,
      );
      if (answer.status !== 201) throw new Error(`subscribing was answered ${answer.text}`);
      return answer.data as WebhookSecret & { readonly secret: string };
    },
    async deliveryOf(subscription, kind) {
      for (;;) {
        const { data } = await call<{ items: WebhookDelivery[] }>('GET', `/webhooks/${subscription}/deliveries`);
        const found = data.items.find((each) => each.event_type === kind);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    async stop() {
      await gateway.stop();
      await receiver.stop();
      await core.stop();
      await database.close();
    },
  };
}

/** The subscription as it is now. */
export async function read(world: WebhookWorld, id: string): Promise<WebhookSubscription> {
  return (await world.call<WebhookSubscription>('GET', `/webhooks/${id}`)).data;
}
