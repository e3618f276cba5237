import type { GoldenRequest } from '../exchange.ts';
import { failedDelivery } from '../failed-delivery.ts';
import { get, type OperationRequests, send } from './words.ts';

/*
 * Nothing is sent from here: the address is of those that are kept for documentation, and no name, so that nobody is
 * asked for it. Deliveries wait; how they are made is tested in tests/e2e/webhooks.
 */
const all = '/webhooks';
const one = `${all}/{created}`;
const none = `${all}/whk_00000000000000000000`;
const past = { headers: { 'if-match': 'W/"0.x"' } };
const url = 'https://1.1.1.1/perennial';

const gives = { gives: { created: 'subscription/id' } };
const subscribe = (name: string, body: object = {}): GoldenRequest =>
  send('POST', name, all, { url, kinds: ['webhook.test', 'patient.created'], ...body }, gives);
const given = subscribe('given: a subscription');
const delivery = send('POST', 'given: a delivery', `${one}/test`, undefined, {
  gives: { delivery: 'id', event: 'event_id' },
});
const failed = `${all}/${failedDelivery.subscription}/deliveries/${failedDelivery.delivery}`;
const noDelivery = `${one}/deliveries/dlv_00000000000000000000`;

const person = { name: 'Amara Okafor', dob: '1984-03-07', sex: 'female', contact_info: { preferred_method: 'sms' } };
const patient = send('POST', 'given: a patient', '/patients', person);
const event = get('given: its event', '/events?object_id={created}', { gives: { event: 'items/0/id' } });

export const webhookRequests: readonly OperationRequests[] = [
  {
    operation: 'webhooks.list',
    requests: () => [
      get('one that was given up', `${all}?include_total=true`),
      given,
      subscribe('given: another', { description: 'Another' }),
      get('the first page', `${all}?limit=1&sort=-created_at`),
      get('the page after a cursor', `${all}?limit=1&sort=-created_at&cursor={cursor}`),
      get('wrong values', `${all}?limit=0&sort=url`),
    ],
  },
  {
    operation: 'webhooks.create',
    requests: () => [
      subscribe('in the version of the request', { description: 'Sync', payload: 'thin', kinds: [] }),
      subscribe('in a version that is named', { version: '{current}' }),
      subscribe('inside the network', { url: 'https://127.0.0.1/x' }),
      subscribe('with faults', { url: 'x', kinds: ['patient.sneezed'], payload: 'fat', version: 'new', colour: 'red' }),
      subscribe('in a version that there is not', { version: '2021-01-01' }),
    ],
  },
  {
    operation: 'webhooks.get',
    requests: () => [
      given,
      get('the subscription', one),
      get('the same, not changed since', one, { headers: { 'if-none-match': '{etag}' } }),
      get('one that there is not', none),
    ],
  },
  {
    operation: 'webhooks.update',
    requests: () => [
      given,
      send('PATCH', 'of some fields', one, { description: 'For the ward.', payload: 'thin' }),
      send('PATCH', 'on condition of a state that is past', one, { description: 'x' }, past),
      send('PATCH', 'with faults', one, { kinds: ['patient.sneezed'], payload: 'fat', url: 'http://1.1.1.1/' }),
      send('PATCH', 'of one that there is not', none, { description: 'x' }),
    ],
  },
  {
    operation: 'webhooks.delete',
    requests: () => [
      given,
      send('DELETE', 'on condition of a state that is past', one, undefined, past),
      send('DELETE', 'of the subscription', one),
      get('it is no longer there', one),
    ],
  },
  {
    operation: 'webhooks.pause',
    requests: () => [
      given,
      send('POST', 'of the subscription', `${one}/pause`),
      send('POST', 'of one that there is not', `${none}/pause`),
    ],
  },
  {
    operation: 'webhooks.resume',
    requests: () => [
      given,
      send('POST', 'given: a pause', `${one}/pause`),
      send('POST', 'of the subscription', `${one}/resume`),
      send('POST', 'of one that there is not', `${none}/resume`),
    ],
  },
  {
    operation: 'webhooks.rotateSecret',
    requests: () => [
      given,
      send('POST', 'with an overlap', `${one}/rotate-secret`, { overlap_hours: 48 }),
      send('POST', 'without an overlap', `${one}/rotate-secret`, { overlap_hours: 0 }),
      send('POST', 'with faults', `${one}/rotate-secret`, { overlap_hours: 1000, secret: 'x' }),
      send('POST', 'of one that there is not', `${none}/rotate-secret`, {}),
    ],
  },
  {
    operation: 'webhooks.test',
    requests: () => [
      given,
      send('POST', 'an event to test with', `${one}/test`),
      send('POST', 'given: a pause', `${one}/pause`),
      send('POST', 'while nothing is sent', `${one}/test`),
      send('POST', 'of one that there is not', `${none}/test`),
    ],
  },
  {
    operation: 'webhooks.replay',
    requests: () => [
      patient,
      event,
      given,
      send('POST', 'of one event', `${one}/replay`, { event_id: '{event}' }),
      send('POST', 'of a time without events', `${one}/replay`, {
        from: '2023-10-01T00:00:00Z',
        to: '2023-10-02T00:00:00Z',
      }),
      send('POST', 'of nothing', `${one}/replay`, {}),
      send('POST', 'with faults', `${one}/replay`, { from: 'yesterday', kinds: ['patient.sneezed'], all: true }),
      send('POST', 'of one that there is not', `${none}/replay`, { event_id: 'evt_00000000000000000000' }),
    ],
  },
  {
    operation: 'webhooks.listDeliveries',
    requests: () => [
      given,
      delivery,
      get('of one event', `${one}/deliveries?event_id={event}&state=waiting&include_total=true`),
      get('wrong values', `${one}/deliveries?state=lost&limit=0&sort=state`),
      get('of one that there is not', `${none}/deliveries`),
    ],
  },
  {
    operation: 'webhooks.getDelivery',
    requests: () => [
      given,
      delivery,
      get('the delivery', `${one}/deliveries/{delivery}`),
      get('one that failed', failed),
      get('one that there is not', noDelivery),
    ],
  },
  {
    operation: 'webhooks.listAttempts',
    requests: () => [
      given,
      delivery,
      get('none yet', `${one}/deliveries/{delivery}/attempts?include_total=true`),
      get('of a delivery that failed', `${failed}/attempts`),
      get('wrong values', `${one}/deliveries/{delivery}/attempts?sort=status&limit=0`),
      get('of one that there is not', `${noDelivery}/attempts`),
    ],
  },
  {
    operation: 'webhooks.resend',
    requests: () => [
      given,
      delivery,
      send('POST', 'the delivery', `${one}/deliveries/{delivery}/resend`),
      send('POST', 'one that there is not', `${noDelivery}/resend`),
      send('POST', 'given: a pause', `${one}/pause`),
      send('POST', 'while nothing is sent', `${one}/deliveries/{delivery}/resend`),
    ],
  },
];

export const eventRequests: readonly OperationRequests[] = [
  {
    operation: 'events.list',
    requests: () => [
      patient,
      send('DELETE', 'given: a deletion', '/patients/{created}'),
      get('of one object', '/events?object_id={created}&limit=1&sort=timestamp'),
      get('of one patient and kind, counted', '/events?patient_id={created}&type=patient.deleted&include_total=true'),
      get('wrong values', '/events?type=patient.sneezed&sort=type&limit=0'),
      get('a parameter of older versions', '/events?offset=1'),
    ],
  },
  {
    operation: 'events.get',
    requests: () => [
      patient,
      event,
      get('the event', '/events/{event}'),
      given,
      { ...delivery, name: 'given: an event of a subscription' },
      get('the event of the subscription', '/events/{event}'),
      get('one that there is not', '/events/evt_00000000000000000000'),
    ],
  },
];
