import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { WebhookAttempt, WebhookDelivery, WebhookSubscription } from '@perennial/schemas/resources/webhook.ts';
import { Webhook } from 'standardwebhooks';
import type { Received } from '../../support/receiver.ts';
import { heartAttack } from '../world.ts';
import { read, startWebhookWorld, type WebhookWorld } from './world.ts';

let world: WebhookWorld;

beforeAll(async () => {
  world = await startWebhookWorld({ config: { webhookTimeoutMs: 400 } });
});

afterAll(async () => {
  await world.stop();
});

const person = {
  name: 'Amara Okafor',
  dob: '1984-03-07',
  sex: 'female',
  gender_identity: 'woman',
  contact_info: { email: 'amara@example.org', phone: '+44 20 7946 0958', preferred_method: 'sms' },
};

async function makePatient(): Promise<string> {
  return (await world.call<{ id: string }>('POST', '/patients', person)).data.id;
}

/** Verifies with the published library. @throws when no signature is that of the secret. */
function verified({ body, headers }: Received, secret: string): JsonObject {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as JsonObject;
}

async function attemptsOf({ subscription_id: subscription, id }: WebhookDelivery): Promise<WebhookAttempt[]> {
  const path = `/webhooks/${subscription}/deliveries/${id}/attempts`;
  return (await world.call<{ items: WebhookAttempt[] }>('GET', path)).data.items;
}

describe('a delivery', () => {
  test('brings the same event to each subscriber in the shape of its own version, signed', async () => {
    const head = await world.subscribe('/head', { kinds: ['diagnostic.completed', 'patient.created'] });
    const older = await world.subscribe('/older', { kinds: ['patient.created'] }, '2023-04-30');
    expect([head.subscription.version, older.subscription.version]).toEqual(['2023-10-15', '2023-04-30']);
    const id = await makePatient();
    const [[first], [second]] = await Promise.all([world.receiver.wait('/head', 1), world.receiver.wait('/older', 1)]);
    const [atHead, atOlder] = [verified(first as Received, head.secret), verified(second as Received, older.secret)];
    const read = async (version: string): Promise<unknown> =>
      (await world.call('GET', `/patients/${id}`, undefined, version)).data;
    expect(atHead['data']).toEqual(await read('2023-10-15'));
    expect(atOlder['data']).toEqual(await read('2023-04-30'));
    expect(atHead).toMatchObject({ type: 'patient.created', object_id: id, patient_id: id, sequence: 1 });
    expect(atOlder['id']).toBe(atHead['id']);
    expect(first?.headers).toMatchObject({
      'webhook-id': atHead['id'],
      'content-type': 'application/json; charset=utf-8',
      'service-version': '2023-10-15',
    });
    expect(second?.headers['service-version']).toBe('2023-04-30');
    expect(() => verified(first as Received, older.secret)).toThrow('No matching signature');
  });

  test('is what reading the event answers in that version', async () => {
    const { secret } = await world.subscribe('/event', { kinds: ['patient.deleted'] }, '2023-04-30');
    await world.call('DELETE', `/patients/${await makePatient()}`);
    const [received] = await world.receiver.wait('/event', 1);
    const event = verified(received as Received, secret);
    const answer = await world.call('GET', `/events/${String(event['id'])}`, undefined, '2023-04-30');
    expect(event).toEqual(answer.data);
    expect(event).toMatchObject({ type: 'patient.deleted', sequence: 2, data: null });
  });

  test('of a kept analysis has the old name and the plain confidence for whoever is pinned to them', async () => {
    const kinds = ['diagnostic.completed'];
    const { secret: atHead } = await world.subscribe('/diagnosed', { kinds });
    const { secret: atOlder } = await world.subscribe('/diagnosed-then', { kinds }, '2023-04-30');
    const { status, data } = await world.call<{ id: string }>('POST', '/diagnostics', {
      patient_id: await makePatient(),
      ...heartAttack,
    });
    expect(status).toBe(201);
    const [[now], [then]] = await Promise.all([
      world.receiver.wait('/diagnosed', 1),
      world.receiver.wait('/diagnosed-then', 1),
    ]);
    const readAt = async (version: string): Promise<unknown> =>
      (await world.call('GET', `/diagnostics/${data.id}`, undefined, version)).data;
    const kept = verified(then as Received, atOlder)['data'] as JsonObject;
    expect(kept).toEqual(await readAt('2023-04-30'));
    expect(kept).toHaveProperty('analysis_result');
    expect(verified(now as Received, atHead)['data']).toEqual(await readAt('2023-10-15'));
  });

  test('carries identifiers only where a subscription asks for that', async () => {
    const { secret } = await world.subscribe('/thin', { kinds: ['patient.created'], payload: 'thin' });
    const id = await makePatient();
    const [received] = await world.receiver.wait('/thin', 1);
    expect(verified(received as Received, secret)).toMatchObject({ object_id: id, data: null });
    expect(received?.body).not.toContain('Okafor');
  });

  test('that fails is tried again with the same id and the same bytes, and every attempt is listed', async () => {
    const { subscription } = await world.subscribe('/failing', { kinds: ['patient.created'] });
    world.receiver.react('/failing', 500, (response) => response.destroy(), 429);
    await makePatient();
    const received = await world.receiver.wait('/failing', 4);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const { id } = await world.deliveryOf(subscription.id, 'patient.created');
    const delivery = await world.until(subscription.id, id, ({ state }) => state === 'delivered');
    expect(delivery).toMatchObject({ attempts: 4, next_attempt_at: null, finished_at: expect.any(String) });
    expect((await attemptsOf(delivery)).map(({ number, status, outcome }) => [number, status, outcome])).toEqual([
      [1, 500, 'refused'],
      [2, null, 'unreachable'],
      [3, 429, 'refused'],
      [4, 204, 'delivered'],
    ]);
  });

  test('that nobody answers is timed out', async () => {
    const { subscription } = await world.subscribe('/silent', { kinds: ['patient.created'] });
    world.receiver.react('/silent', () => undefined);
    await makePatient();
    await world.receiver.wait('/silent', 2);
    const { id } = await world.deliveryOf(subscription.id, 'patient.created');
    const delivery = await world.until(subscription.id, id, ({ state }) => state === 'delivered');
    const [first] = await attemptsOf(delivery);
    expect(first).toMatchObject({ outcome: 'timed_out', status: null });
    expect(first?.duration_ms).toBeGreaterThanOrEqual(400);
  });

  test('is given up when the schedule ends, and can be sent again with the same bytes', async () => {
    const { subscription } = await world.subscribe('/dead', { kinds: ['patient.created'] });
    world.receiver.react('/dead', 500, 500, 500, 500, 500);
    await makePatient();
    await world.receiver.wait('/dead', 5);
    const { id } = await world.deliveryOf(subscription.id, 'patient.created');
    const failed = await world.until(subscription.id, id, ({ state }) => state === 'failed');
    expect(failed).toMatchObject({ attempts: 5, next_attempt_at: null });
    const again = await world.call('POST', `/webhooks/${subscription.id}/deliveries/${id}/resend`);
    expect(again.status).toBe(202);
    const received = await world.receiver.wait('/dead', 6);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(await world.until(subscription.id, id, ({ state }) => state === 'delivered')).toMatchObject({ attempts: 6 });
  });

  test('comes no sooner than the receiver asks for by Retry-After', async () => {
    const { subscription } = await world.subscribe('/later', { kinds: ['patient.created'] });
    world.receiver.react('/later', (response) => response.writeHead(503, { 'retry-after': '3600' }).end());
    await makePatient();
    await world.receiver.wait('/later', 1);
    const { id } = await world.deliveryOf(subscription.id, 'patient.created');
    const delivery = await world.until(subscription.id, id, ({ attempts }) => attempts === 1);
    const [attempt] = await attemptsOf(delivery);
    const waited = Date.parse(delivery.next_attempt_at as string) - Date.parse(attempt?.started_at as string);
    expect(waited).toBeGreaterThanOrEqual(3_600_000);
    expect(delivery.state).toBe('pending');
  });

  test('is not redirected', async () => {
    const { subscription } = await world.subscribe('/moved', { kinds: ['patient.created'] });
    const location = `${world.receiver.url}/elsewhere`;
    world.receiver.react('/moved', (response) => response.writeHead(307, { location }).end());
    await makePatient();
    await world.receiver.wait('/moved', 2);
    const { id } = await world.deliveryOf(subscription.id, 'patient.created');
    const delivery = await world.until(subscription.id, id, ({ state }) => state === 'delivered');
    expect((await attemptsOf(delivery))[0]).toMatchObject({ outcome: 'redirected', status: 307 });
    expect(world.receiver.got.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });

  test('of which the receiver says 410 ends the subscription, and the others are told', async () => {
    const { subscription } = await world.subscribe('/gone', { kinds: ['patient.created'] });
    const { secret } = await world.subscribe('/watcher', { kinds: ['subscription.disabled'] });
    world.receiver.react('/gone', 410);
    await makePatient();
    const [told] = await world.receiver.wait('/watcher', 1);
    const now = await read(world, subscription.id);
    expect(now).toMatchObject({ state: 'disabled', state_reason: 'receiver_gone' });
    const event = verified(told as Received, secret);
    expect(event).toMatchObject({ type: 'subscription.disabled', object_id: subscription.id, patient_id: null });
    expect(event['data']).toMatchObject({ id: subscription.id, state: 'disabled', state_reason: 'receiver_gone' });
    await makePatient();
    const test = await world.call('POST', `/webhooks/${subscription.id}/test`);
    expect([test.status, test.error.code]).toEqual([409, 'subscription_inactive']);
    expect(world.receiver.got.filter(({ path }) => path === '/gone')).toHaveLength(1);
  });

  test('is signed with both secrets while they overlap, and with the new one alone without', async () => {
    const { subscription, secret: old } = await world.subscribe('/rotated', { kinds: ['record.created'] });
    const path = `/webhooks/${subscription.id}`;
    const rotated = await world.call<{ subscription: WebhookSubscription; secret: string }>(
      'POST',
      `${path}/rotate-secret`,
      {},
    );
    expect(rotated.data.subscription.previous_secret_expires_at).not.toBeNull();
    await world.call('POST', `${path}/test`);
    const [first] = await world.receiver.wait('/rotated', 1);
    expect(verified(first as Received, old)).toEqual(verified(first as Received, rotated.data.secret));
    const last = await world.call<{ subscription: WebhookSubscription; secret: string }>(
      'POST',
      `${path}/rotate-secret`,
      { overlap_hours: 0 },
    );
    await world.call('POST', `${path}/test`);
    const [, second] = await world.receiver.wait('/rotated', 2);
    expect(verified(second as Received, last.data.secret)).toMatchObject({ type: 'webhook.test' });
    expect(() => verified(second as Received, rotated.data.secret)).toThrow('No matching signature');
  });

  test('that was held while the subscription was paused comes when it is resumed', async () => {
    const { subscription } = await world.subscribe('/paused', { kinds: ['patient.created'] });
    const path = `/webhooks/${subscription.id}`;
    world.receiver.react('/paused', (response) => response.writeHead(503, { 'retry-after': '3600' }).end());
    await makePatient();
    await world.receiver.wait('/paused', 1);
    const { id } = await world.deliveryOf(subscription.id, 'patient.created');
    await world.until(subscription.id, id, ({ attempts }) => attempts === 1);
    await world.call('POST', `${path}/pause`);
    expect(await read(world, subscription.id)).toMatchObject({ state: 'paused', state_reason: 'requested' });
    await world.database.db.webhookDelivery.update({ where: { id }, data: { state: 'held' } });
    const missed = await makePatient();
    await world.call('POST', `${path}/resume`);
    await world.until(subscription.id, id, ({ state }) => state === 'delivered');
    const replayed = await world.call<{ deliveries: number }>('POST', `${path}/replay`, {
      from: subscription.created_at,
    });
    expect([replayed.status, replayed.data.deliveries]).toEqual([202, 2]);
    const received = await world.receiver.wait('/paused', 4);
    expect(received.map(({ body }) => (JSON.parse(body) as { object_id: string }).object_id)).toContain(missed);
  });

  test('is in the audit trail, with whose data left and for which subscription', async () => {
    const { subscription } = await world.subscribe('/audited', { kinds: ['patient.created'] });
    const id = await makePatient();
    const [received] = await world.receiver.wait('/audited', 1);
    const where = { operation: 'webhooks.deliver', keyId: subscription.id };
    for (;;) if ((await world.database.db.auditEntry.count({ where })) > 0) break;
    const [entry] = await world.database.db.auditEntry.findMany({ where });
    expect(entry).toMatchObject({
      accountId: world.demo.accountId,
      status: 204,
      resourceIds: [id, subscription.id, received?.headers['webhook-id']],
    });
  });

  test('leaves identifiers in the log and no data', async () => {
    const log = world.gateway.log.join('');
    expect(log).toContain('"message":"webhook"');
    for (const secret of ['Okafor', 'amara@example.org', 'whsec_', world.receiver.url])
      expect(log).not.toContain(secret);
  });
});
