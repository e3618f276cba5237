import type { Database } from '@perennial/prisma/client.ts';
import { DEMO_ACCOUNT_ID } from '@perennial/prisma/seed.ts';

/** Of a subscription that was given up, with a delivery that failed twice: nothing is sent in these tests. */
export const failedDelivery = {
  subscription: 'whk_goldenSubscription00',
  delivery: 'dlv_goldenDelivery000000',
  event: 'evt_goldenEvent000000000',
} as const;

/** Makes it. @param at the instant of everything: events expire. */
export async function makeFailedDelivery(db: Database, at: Date): Promise<void> {
  const { subscription, delivery, event } = failedDelivery;
  const common = { accountId: DEMO_ACCOUNT_ID, createdAt: at };
  await db.webhookSubscription.create({
    data: {
      ...common,
      id: subscription,
      url: 'https://1.1.1.1/gone',
      kinds: ['webhook.test'],
      payload: 'full',
      version: '2023-04-30',
      state: 'disabled',
      stateReason: 'failing',
      stateChangedAt: at,
      secret: '',
      updatedAt: at,
    },
  });
  await db.event.create({
    data: {
      ...common,
      id: event,
      kind: 'webhook.test',
      objectId: subscription,
      sequence: 1,
      headRelease: '2023-10-15',
    },
  });
  await db.webhookDelivery.create({
    data: {
      ...common,
      id: delivery,
      subscriptionId: subscription,
      eventId: event,
      kind: 'webhook.test',
      version: '2023-04-30',
      state: 'failed',
      attempts: 2,
      finishedAt: at,
    },
  });
  await db.webhookAttempt.createMany({
    data: [
      { deliveryId: delivery, number: 1, startedAt: at, durationMs: 120, status: 503, outcome: 'refused' },
      { deliveryId: delivery, number: 2, startedAt: at, durationMs: 10_000, status: null, outcome: 'timed_out' },
    ],
  });
}
