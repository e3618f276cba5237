import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWebhookWorld, type WebhookWorld } from './world.ts';

let world: WebhookWorld;

beforeAll(async () => {
  // No attempt ends by its time within this test.
  const config = { webhookTimeoutMs: 60_000, webhookConcurrency: 6, drainTimeoutMs: 50 };
  world = await startWebhookWorld({ config });
});

afterAll(async () => {
  await world.stop();
});

test('a receiver that never answers holds its share of the places and delays no other', async () => {
  await world.subscribe('/stuck', { kinds: ['patient.created'] });
  await world.subscribe('/prompt', { kinds: ['patient.created'] });
  world.receiver.react('/stuck', ...Array.from({ length: 30 }, () => () => undefined));
  for (let count = 0; count < 10; count += 1) {
    await world.call('POST', '/patients', { name: `Patient ${count}`, dob: '1984-03-07' });
  }
  await world.receiver.wait('/prompt', 10);
  expect(world.receiver.got.filter(({ path }) => path === '/stuck').length).toBeLessThanOrEqual(4);
});

test('an attempt that a stopping gateway breaks off is no failure of the receiver, and comes again', async () => {
  const { subscription } = await world.subscribe('/broken-off', { kinds: ['webhook.test'] });
  world.receiver.react('/broken-off', () => undefined);
  await world.call('POST', `/webhooks/${subscription.id}/test`);
  await world.receiver.wait('/broken-off', 1);
  await world.gateway.stop();
  expect(await world.database.db.webhookAttempt.count()).toBe(10);
  expect(
    await world.database.db.webhookDelivery.findFirst({ where: { subscriptionId: subscription.id } }),
  ).toMatchObject({ state: 'pending', attempts: 0 });
  const jobs = await world.database.db.$queryRaw<{ state: string }[]>`
    SELECT state::text FROM pgboss.job WHERE name = 'gateway.webhooks' AND group_id = ${subscription.id}`;
  expect(jobs).toEqual([{ state: 'retry' }]);
});
