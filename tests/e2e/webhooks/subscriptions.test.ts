import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordEvent } from '@perennial/core/platform/events/record-event.ts';
import { removeExpiredEvents } from '@perennial/core/platform/events/retention.ts';
import { createKey } from '@perennial/prisma/accounts.ts';
import { asSystem } from '@perennial/prisma/scope.ts';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';
import type { Event } from '@perennial/schemas/resources/event.ts';
import type { WebhookSecret, WebhookSubscription } from '@perennial/schemas/resources/webhook.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { quick, read, startWebhookWorld, type WebhookWorld } from './world.ts';

let world: WebhookWorld;

beforeAll(async () => {
  world = await startWebhookWorld();
});

afterAll(async () => {
  await world.stop();
});

interface Page<T> {
  readonly items: T[];
  readonly next_cursor: string | null;
}

describe('a subscription', () => {
  test('is created, read, changed, listed and deleted, and its secret is shown once', async () => {
    const { subscription, secret } = await world.subscribe('/crud', {
      kinds: ['patient.created'],
      description: 'Ward',
    });
    expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    const path = `/webhooks/${subscription.id}`;
    const got = await world.call<WebhookSubscription>('GET', path);
    expect(got.data).toEqual(subscription);
    expect(got.text).not.toContain('whsec_');
    expect(got.data).toMatchObject({ state: 'active', state_reason: null, payload: 'full', version: '2023-10-15' });
    const changed = await world.call<WebhookSubscription>('PATCH', path, { kinds: [], description: null });
    expect(changed.data).toMatchObject({ kinds: [], description: null, url: subscription.url });
    const list = await world.call<Page<WebhookSubscription>>('GET', '/webhooks?sort=-created_at&limit=100');
    expect(list.data.items.map(({ id }) => id)).toContain(subscription.id);
    expect((await world.call('DELETE', path)).status).toBe(204);
    expect((await world.call('GET', path)).status).toBe(404);
    const [row] = await world.database.db.$queryRaw<{ text: string }[]>`
      SELECT string_agg(s::text, '') AS text FROM core.webhook_subscriptions s`;
    expect(row?.text ?? '').not.toContain(secret.slice('whsec_'.length));
  });

  test('does not exist before 2023-04-30', async () => {
    const { legacyApiKey: key } = world.demo;
    for (const path of ['/webhooks', '/events']) {
      const answer = await world.gateway.send('GET', `/v2022-11-15${path}`, { key });
      expect([answer.status, answer.error.code]).toEqual([404, 'operation_not_in_version']);
    }
  });

  test('can be pinned to any release that has webhooks and can be called, and to no other', async () => {
    const { subscription } = await world.subscribe('/pinned', { version: '2023-04-30' });
    expect(subscription.version).toBe('2023-04-30');
    for (const version of ['2022-11-15', '2022-05-01', '2023-10-16', '9999-01-01']) {
      const body = { url: `${world.receiver.url}/x`, version };
      for (const at of ['2023-10-15', '2023-04-30']) {
        const answer = await world.call('POST', '/webhooks', body, at);
        expect([answer.status, answer.error.details[0]]).toEqual([
          422,
          expect.objectContaining({ pointer: '/version', code: 'not_allowed_value' }),
        ]);
      }
    }
    const path = `/webhooks/${subscription.id}`;
    expect((await world.call('PATCH', path, { version: '2022-11-15' })).status).toBe(422);
    expect((await world.call('PATCH', path, { payload: 'thin' }, '2023-10-15')).data).toMatchObject({
      version: '2023-04-30',
      payload: 'thin',
    });
    expect((await world.call('PATCH', path, { version: '2023-10-15' })).data).toMatchObject({ version: '2023-10-15' });
  });

  test('is not sent kinds that are newer than its version', async () => {
    const kinds = ['imaging.completed'];
    const { subscription } = await world.subscribe('/old-kinds', { kinds }, '2023-04-30');
    await world.subscribe('/new-kinds', { kinds });
    const { accountId } = world.demo;
    const event = {
      accountId: accountId as AccountId,
      kind: 'imaging.completed',
      objectId: 'img_000000000001',
      document: null,
    } as const;
    await world.database.db.$transaction((transaction) => recordEvent(transaction, event));
    await world.receiver.wait('/new-kinds', 1);
    const where = { subscriptionId: subscription.id };
    for (;;) if ((await world.database.db.webhookDelivery.count({ where })) === 0) break;
    expect(world.receiver.got.filter(({ path }) => path === '/old-kinds')).toEqual([]);
  });

  test('of a key that may not read what events carry is thin, or refused', async () => {
    const scopes = ['webhooks:read', 'webhooks:write'] as const;
    const { accountId } = world.demo;
    const key = await createKey(world.database.db, { accountId, format: 'current', mode: 'test', scopes });
    const url = `${world.receiver.url}/scoped`;
    const post = (body: object) => world.gateway.send('POST', '/v2023-10-15/webhooks', { key, body: { url, ...body } });
    const refused = await post({ kinds: ['webhook.test', 'patient.created'] });
    expect([refused.status, refused.error.details]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/kinds/1', code: 'not_readable' })],
    ]);
    expect((await post({})).error.details).toEqual([
      expect.objectContaining({ pointer: '/kinds', code: 'not_readable' }),
    ]);
    expect((await post({ kinds: ['patient.created'], payload: 'thin' })).status).toBe(201);
    expect((await post({ kinds: ['subscription.disabled'] })).status).toBe(201);
    await world.call('POST', '/patients', { name: 'Amara Okafor', dob: '1984-03-07' });
    const events = await world.gateway.send<Page<Event>>('GET', '/v2023-10-15/events?type=patient.created', { key });
    expect(events.data.items.length).toBeGreaterThan(0);
    expect(new Set(events.data.items.map(({ data }) => data))).toEqual(new Set([null]));
  });

  test('pauses at the sunset of its version and says why', async () => {
    const { subscription } = await world.subscribe('/retired', { kinds: ['webhook.test'] }, '2023-04-30');
    const { subscription: other } = await world.subscribe('/told', { kinds: ['subscription.disabled'] });
    const later = await startTestGateway(world.core.url, world.database.url, {
      webhooks: quick,
      config: { webhookDelivery: true, webhookAllowPrivate: true, serviceDate: '2024-05-01' },
    });
    try {
      const told = await world.receiver.wait('/told', 1);
      const ids = told.map(({ body }) => (JSON.parse(body) as Event).object_id);
      expect(ids.length).toBeGreaterThan(0);
      for (;;) {
        const { state } = await read(world, subscription.id);
        if (state === 'paused') break;
      }
      expect(await read(world, subscription.id)).toMatchObject({ state: 'paused', state_reason: 'version_sunset' });
      expect(await read(world, other.id)).toMatchObject({ state: 'active' });
    } finally {
      await later.stop();
    }
  });

  test('is disabled when everything has failed for days', async () => {
    const { subscription } = await world.subscribe('/failing', { kinds: ['webhook.test'] });
    world.receiver.react('/failing', 500, 500);
    await world.database.db.webhookSubscription.update({
      where: { id: subscription.id },
      data: { failingSince: new Date(Date.now() - 5 * 86_400_000) },
    });
    await world.call('POST', `/webhooks/${subscription.id}/test`);
    await world.receiver.wait('/failing', 1);
    for (;;) {
      const now = await read(world, subscription.id);
      if (now.state === 'disabled') {
        expect(now.state_reason).toBe('failing');
        break;
      }
    }
    expect((await world.call('POST', `/webhooks/${subscription.id}/resume`)).data).toMatchObject({ state: 'active' });
  });
});

describe('the address of a subscription', () => {
  let strict: TestCore;

  beforeAll(async () => {
    strict = await startCore(world.database.url);
  });

  afterAll(async () => {
    await strict.stop();
  });

  test.each([
    ['http://hooks.example.com/', 'https_required'],
    ['https://127.0.0.1/', 'address_forbidden'],
    ['https://[::ffff:10.0.0.1]/', 'address_forbidden'],
    ['https://169.254.169.254/latest', 'address_forbidden'],
    ['https://localhost/', 'address_forbidden'],
    ['https://user:word@example.com/', 'wrong_format'],
    ['https://example.com/#part', 'wrong_format'],
  ])('%s is refused, by pointer and without repeating it', async (url, code) => {
    const reply = await strict.call('POST', '/webhooks', { body: { url } });
    expect(reply.status).toBe(422);
    expect(reply.error.details).toEqual([expect.objectContaining({ pointer: '/url', code })]);
    expect(reply.text).not.toContain(url);
  });
});

describe('events', () => {
  test('are listed by kind and object, page by page, in the caller’s version', async () => {
    const { data: patient } = await world.call<{ id: string }>('POST', '/patients', {
      name: 'Bo Li',
      dob: '1990-01-01',
      sex: 'male',
    });
    await world.call('PATCH', `/patients/${patient.id}`, { name: 'Bo Lin' });
    const path = `/events?object_id=${patient.id}&limit=1`;
    const first = await world.call<Page<Event>>('GET', path);
    expect(first.data.items.map(({ type, sequence }) => [type, sequence])).toEqual([['patient.updated', 2]]);
    const second = await world.call<Page<Event>>('GET', `${path}&cursor=${String(first.data.next_cursor)}`);
    expect(second.data.items.map(({ type, sequence }) => [type, sequence])).toEqual([['patient.created', 1]]);
    expect(second.data.next_cursor).toBeNull();
    expect(second.data.items[0]?.data).toMatchObject({ id: patient.id, sex: 'male' });
    const none = await world.call<Page<Event>>('GET', `${path}&type=record.created`);
    expect(none.data.items).toEqual([]);
  });

  test('of another account are not there, nor are its subscriptions', async () => {
    const { subscription } = await world.subscribe('/mine', { kinds: ['webhook.test'] });
    const { data: test } = await world.call<{ id: string; event_id: string }>(
      'POST',
      `/webhooks/${subscription.id}/test`,
    );
    const path = `/webhooks/${subscription.id}`;
    for (const [method, at] of [
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `${path}/pause`],
      ['POST', `${path}/resume`],
      ['POST', `${path}/rotate-secret`],
      ['POST', `${path}/test`],
      ['POST', `${path}/replay`],
      ['GET', `${path}/deliveries`],
      ['GET', `${path}/deliveries/${test.id}`],
      ['GET', `${path}/deliveries/${test.id}/attempts`],
      ['POST', `${path}/deliveries/${test.id}/resend`],
      ['GET', `/events/${test.event_id}`],
    ] as const) {
      const body = method === 'PATCH' ? { payload: 'thin' } : at.endsWith('replay') ? { event_id: test.event_id } : {};
      const options = { caller: { accountId: 'acc_other' }, ...(method === 'GET' ? {} : { body }) };
      expect([at, (await world.core.call(method, at, options)).status]).toEqual([at, 404]);
    }
  });

  test('leave no copy behind when their patient is deleted and what was on its way has arrived', async () => {
    await world.subscribe('/erased', { kinds: ['patient.created', 'patient.deleted'] });
    const { data } = await world.call<{ id: string }>('POST', '/patients', { name: 'Zed Erasable', dob: '1990-01-01' });
    await world.receiver.wait('/erased', 1);
    await world.call('DELETE', `/patients/${data.id}`);
    await world.receiver.wait('/erased', 2);
    const copies = async (): Promise<number> => {
      const [row] = await world.database.db.$queryRaw<{ count: number }[]>`
        SELECT ((SELECT count(*) FROM core.events WHERE document::text LIKE '%Erasable%')
          + (SELECT count(*) FROM core.webhook_deliveries WHERE body LIKE '%Erasable%')
          + (SELECT count(*) FROM pgboss.job WHERE data::text LIKE '%Erasable%' OR output::text LIKE '%Erasable%'))::int AS count`;
      return row?.count ?? -1;
    };
    for (;;) if ((await copies()) === 0) break;
    const events = await world.call<Page<Event>>('GET', `/events?patient_id=${data.id}`);
    expect(events.data.items.map((event) => [event.type, event.data])).toEqual([
      ['patient.deleted', null],
      ['patient.created', null],
    ]);
  });

  test('expire within thirty days, with what was sent of them', async () => {
    await world.subscribe('/expired', { kinds: ['patient.created'] });
    await world.call('POST', '/patients', { name: 'Old News', dob: '1990-01-01' });
    await world.receiver.wait('/expired', 1);
    const day = 86_400_000;
    const { services } = world.core;
    await asSystem('retention', () => removeExpiredEvents(services.events, new Date(Date.now() + 29 * day)));
    expect(await world.database.db.event.count()).toBeGreaterThan(0);
    await asSystem('retention', () => removeExpiredEvents(services.events, new Date(Date.now() + 30 * day)));
    expect(await world.database.db.event.count()).toBe(0);
    expect(await world.database.db.webhookDelivery.count()).toBe(0);
  });
});

describe('a secret', () => {
  test('that was rotated is another one', async () => {
    const { subscription, secret } = await world.subscribe('/other', { kinds: ['webhook.test'] });
    const rotated = await world.call<WebhookSecret>('POST', `/webhooks/${subscription.id}/rotate-secret`, {});
    expect(rotated.data.secret).not.toBe(secret);
  });

  test('is not kept to repeat an answer, and the repetition makes no second subscription', async () => {
    const post = () =>
      world.gateway.send<WebhookSecret>('POST', '/v2023-04-30/webhooks', {
        key: world.demo.apiKey,
        headers: { 'idempotency-key': 'subscribe-once' },
        body: { url: `${world.receiver.url}/once` },
      });
    const [first, second] = [await post(), await post()];
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.data).toEqual({ ...first.data, secret: null });
    expect(first.data.subscription.version).toBe('2023-04-30');
    const [kept] = await world.database.db.$queryRaw<{ text: string }[]>`
      SELECT string_agg(r::text, '') AS text FROM core.idempotency_records r`;
    expect(kept?.text).toContain(first.data.subscription.id);
    expect(kept?.text).not.toContain('whsec_');
  });
});

test('an event that was written at an older head is translated from there, and does not share a page', async () => {
  const { data: patient } = await world.call<{ id: string }>('POST', '/patients', {
    name: 'Ada',
    dob: '1990-01-01',
    sex: 'female',
  });
  await world.call('PATCH', `/patients/${patient.id}`, { name: 'Ada L' });
  const where = { objectId: patient.id, kind: 'patient.created' };
  await world.database.db.event.updateMany({ where, data: { headRelease: '2023-04-30' } });
  const path = `/events?object_id=${patient.id}`;
  for (const version of ['2023-10-15', '2023-04-30']) {
    const first = await world.call<Page<Event>>('GET', path, undefined, version);
    expect(first.data.items.map(({ type }) => type)).toEqual(['patient.updated']);
    const next = `${path}&cursor=${String(first.data.next_cursor)}`;
    const second = await world.call<Page<Event>>('GET', next, undefined, version);
    // Nothing of an event about a patient changed between the two.
    expect(second.data.items).toEqual([expect.objectContaining({ type: 'patient.created' })]);
    expect(second.data.next_cursor).toBeNull();
    const { id } = second.data.items[0] as Event;
    expect((await world.call('GET', `/events/${id}`, undefined, version)).data).toEqual(second.data.items[0]);
  }
  // What an analysis is called has changed since: the event is there, and its object is left out.
  const event = {
    accountId: world.demo.accountId as AccountId,
    kind: 'diagnostic.completed',
    objectId: 'diag_00000001',
  } as const;
  const document = { id: 'diag_00000001' };
  await world.database.db.$transaction((transaction) => recordEvent(transaction, { ...event, document }));
  await world.database.db.event.updateMany({
    where: { objectId: event.objectId },
    data: { headRelease: '2023-04-30' },
  });
  const { data } = await world.call<Page<Event>>('GET', `/events?object_id=${event.objectId}`);
  expect(data.items).toEqual([expect.objectContaining({ type: 'diagnostic.completed', data: null })]);
});
