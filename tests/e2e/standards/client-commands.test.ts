import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { call } from '../../../.scripts/client/call.ts';
import { listen } from '../../../.scripts/client/listen.ts';
import { type Login, Misunderstood, NotDone } from '../../../.scripts/client/settings.ts';
import { startWorld, type World } from '../world.ts';

/* The commands for clients, against the running service. */
let world: World;
let login: Login;

beforeAll(async () => {
  world = await startWorld();
  login = { url: world.gateway.url, key: world.demo.apiKey };
});
afterAll(() => world?.stop());

const patient = { name: 'Amara Okafor', dob: '1984-03-07' };

test('an operation is called by its id in the version that is named, and in the current one otherwise', async () => {
  const options = { version: 'v2022-11-15', body: JSON.stringify({ ...patient, gender: 'female' }) };
  const made = JSON.parse(await call(login, ['patients.create'], options));
  expect(made).toMatchObject({ ...patient, gender: 'female' });
  const read = await call(login, ['patients.get', `patient_id=${made.id}`], { json: true });
  expect(JSON.parse(read)).toMatchObject({ meta: { version: '2.5.0' }, data: { id: made.id, sex: 'female' } });
  const page = JSON.parse(await call(login, ['patients.list', 'limit=1', 'sort=-created_at'], {}));
  expect(page.items).toHaveLength(1);
  expect(await call(login, [], {})).toContain('patients.get');
});

test('what the service refuses is not done, and what no operation takes is not understood', async () => {
  const missing = call(login, ['patients.get', 'patient_id=pat_00000000000000000000'], {});
  await expect(missing).rejects.toThrow(NotDone);
  await expect(missing).rejects.toThrow(/not_found/);
  for (const args of [
    ['patients.get'],
    ['patients.nothing'],
    ['patients.list', 'colour=red'],
    ['patients.list', 'limit'],
  ])
    await expect(call(login, args, {})).rejects.toThrow(Misunderstood);
  await expect(call(login, ['patients.list'], { body: '{}' })).rejects.toThrow(Misunderstood);
});

test('events are posted to this machine in the version that is listened to, signed as webhooks are', async () => {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const secret = `whsec_${Buffer.from('twenty-four bytes of key').toString('base64')}`;
  const said: string[] = [];
  const begun = Promise.withResolvers<void>();
  const options = {
    version: '2023-04-30',
    forwardTo: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    kinds: 'patient.created',
    secret,
    count: 1,
  };
  const listening = listen(login, options, (line) => {
    said.push(line);
    begun.resolve();
  });
  try {
    await begun.promise;
    const body = JSON.stringify({ ...patient, sex: 'female' });
    const { id } = JSON.parse(await call(login, ['patients.create'], { body }));
    await listening;
    const [event] = received;
    expect(event?.headers['service-version']).toBe('2023-04-30');
    const read = new Webhook(secret).verify(event?.body ?? '', event?.headers as Record<string, string>);
    expect(read).toMatchObject({ type: 'patient.created', object_id: id, data: { sex: 'female' } });
    expect(said.at(-1)).toMatch(/patient\.created .*200$/);
  } finally {
    receiver.close();
  }
});
