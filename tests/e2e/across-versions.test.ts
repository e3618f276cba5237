import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { startCore } from '../support/core.ts';
import type { Answer } from '../support/gateway.ts';
import { startTestGateway } from '../support/gateway.ts';
import { type HeadPatient, type OldPatient, startWorld, type World } from './world.ts';

const versions = ['2023-10-15', '2023-04-30', '2022-11-15'] as const;

let world: World;
let other: FreshAccount;
let path: string;

beforeAll(async () => {
  world = await startWorld();
  other = await createAccount(world.database.db);
});

beforeEach(async () => {
  const { data } = await send<HeadPatient>('POST', '2023-10-15', '/patients', {
    body: { name: 'Across', dob: '1984-03-07', sex: 'female', gender_identity: 'woman' },
  });
  path = `/patients/${data.id}`;
  world.passed.length = 0;
});

afterAll(() => world.stop());

function send<T>(
  method: string,
  version: string,
  below: string,
  options: { body?: unknown; headers?: Record<string, string>; key?: string } = {},
): Promise<Answer<T>> {
  return world.gateway.send<T>(method, `/v${version}${below}`, { key: world.demo.apiKey, ...options });
}

async function tagAt(version: string): Promise<string> {
  return (await send('GET', version, path)).headers.etag as string;
}

describe('entity tags', () => {
  test('If-Match with the tag of one version works at every other', async () => {
    for (const read of versions)
      for (const write of versions) {
        const name = `read at ${read}, written at ${write}`;
        const answer = await send<HeadPatient>('PATCH', write, path, {
          headers: { 'if-match': await tagAt(read) },
          body: { name },
        });
        expect([answer.status, answer.data.name]).toEqual([200, name]);
        expect(answer.headers.etag).toBe(await tagAt(write));
      }
  });

  test.each(['PUT', 'PATCH', 'DELETE'])(
    '%s with a stale one is 412 at every version, and writes nothing',
    async (method) => {
      const stale = await Promise.all(versions.map(tagAt));
      await send('PATCH', '2022-11-15', path, { body: { name: 'Newer' } });
      for (const version of versions)
        for (const tag of stale) {
          const answer = await send(method, version, path, {
            headers: { 'if-match': tag },
            ...(method === 'DELETE' ? {} : { body: { name: 'Stale', dob: '1984-03-07' } }),
          });
          expect([answer.status, answer.error.code]).toEqual([412, 'precondition_failed']);
        }
      expect((await send<HeadPatient>('GET', '2023-10-15', path)).data.name).toBe('Newer');
    },
  );

  test('If-None-Match gives 304 at its own version and never across versions', async () => {
    for (const read of versions) {
      const tag = await tagAt(read);
      for (const asked of versions) {
        const answer = await send('GET', asked, path, { headers: { 'if-none-match': tag } });
        expect([read, asked, answer.status]).toEqual([read, asked, read === asked ? 304 : 200]);
        if (read === asked) {
          expect(answer.text).toBe('');
          expect(answer.headers.etag).toBe(tag);
          expect(answer.headers['service-version']).toBe(asked);
          expect(answer.headers['cache-control']).toBe('no-store');
        }
      }
    }
    expect(new Set(await Promise.all(versions.map(tagAt))).size).toBe(versions.length);
  });

  test('If-None-Match after a change gives the new state', async () => {
    for (const version of versions) {
      const tag = await tagAt(version);
      await send('PATCH', '2023-10-15', path, { body: { gender_identity: `seen by ${version}` } });
      expect((await send('GET', version, path, { headers: { 'if-none-match': tag } })).status).toBe(200);
    }
  });
});

describe('another account’s patient', () => {
  test('is the same 404 as one that does not exist, in every version and for every method', async () => {
    const comparable = (answer: Answer): unknown => ({
      status: answer.status,
      text: answer.text
        .replace(/"requestId":"[^"]+"/, '')
        .replace(/"timestamp":"[^"]+"/, '')
        .replace(/"processingTimeMs":\d+/, ''),
      // How many requests are left falls with each.
      headers: { ...answer.headers, date: '', 'x-request-id': '', 'content-length': '', ratelimit: '' },
    });
    for (const version of versions)
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const body = method === 'PUT' || method === 'PATCH' ? { name: 'Mine', dob: '1984-03-07' } : undefined;
        const options = { key: other.apiKey, ...(body ? { body } : {}) };
        const foreign = await send(method, version, path, options);
        const missing = await send(method, version, '/patients/pat_00000000000000000000', options);
        expect(foreign.status).toBe(404);
        expect(comparable(foreign as Answer)).toEqual(comparable(missing as Answer));
      }
    expect((await send<HeadPatient>('GET', '2023-10-15', path)).data.name).toBe('Across');
  });

  test('is in no list, and its cursors are worth nothing elsewhere', async () => {
    for (const version of versions)
      expect((await send<{ items: unknown[] }>('GET', version, '/patients', { key: other.apiKey })).data.items).toEqual(
        [],
      );
    const { data } = await send<{ next_cursor: string }>('GET', '2023-10-15', '/patients?limit=1');
    const stolen = await send('GET', '2023-10-15', `/patients?limit=1&cursor=${encodeURIComponent(data.next_cursor)}`, {
      key: other.apiKey,
    });
    expect([stolen.status, stolen.error.details[0]?.code]).toEqual([422, 'cursor_invalid']);
  });
});

test('concurrent requests of different versions never mix', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const version = versions[index % 3] as string;
      return { version, answer: await send<Partial<HeadPatient & OldPatient>>('GET', version, path) };
    }),
  );
  for (const { version, answer } of answers) {
    expect(answer.headers['service-version']).toBe(version);
    expect('gender' in answer.data).toBe(version === '2022-11-15');
    expect('contact_info' in answer.data).toBe(version !== '2022-11-15');
  }
});

test('the log has ids and codes, and no key, body or query value', async () => {
  const secret = 'Very Private Name';
  for (const version of versions) {
    await send('POST', version, '/patients', { body: { name: secret, dob: '1984-03-07' } });
    await send('POST', version, '/patients', { body: { name: secret, dob: 'private-dob' } });
    await send('GET', version, `/patients?name=${encodeURIComponent(secret)}`);
    await send('GET', version, `/patients?nonsense=${encodeURIComponent(secret)}`);
    await send('GET', version, `/patients/private-id`);
    await send('GET', version, '/patients', { key: 'sk_privatekey00' });
    await send('GET', version, `/patients?api_key=${world.demo.legacyApiKey}`);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  const log = world.gateway.log.join('');
  for (const text of [
    secret,
    encodeURIComponent(secret),
    'private-dob',
    'private-id',
    'sk_privatekey00',
    world.demo.apiKey,
    world.demo.legacyApiKey,
    world.demo.patientId,
  ])
    expect(log).not.toContain(text);
  expect(log).toContain('"operation":"patients.create"');
  expect(log).toContain('"version":"2022-11-15"');
  expect(log).toContain('"status":422');
  const ids = world.gateway.log.map((line) => (JSON.parse(line) as { requestId?: string }).requestId);
  expect(ids.filter((id) => id !== undefined && !/^req_/.test(id))).toEqual([]);
});

test('a stop lets open requests end, ends idle connections, and takes no new ones', async () => {
  const core = await startCore(world.database.url);
  const gateway = await startTestGateway(core.url, world.database.url, { config: { drainTimeoutMs: 5_000 } });
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${world.demo.apiKey}`, 'content-type': 'application/json' };
  const idle = connect(gateway.port, '127.0.0.1');
  await new Promise((resolve) => idle.once('connect', resolve));
  const idleClosed = new Promise((resolve) => idle.once('close', resolve));
  idle.resume();

  // A request that has begun: its body is not yet whole.
  const answered = new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
    const request = httpRequest(
      `${gateway.url}/v2022-11-15/patients`,
      { agent, method: 'POST', headers },
      (response) => {
        response.resume();
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }),
        );
      },
    );
    request.on('error', reject);
    request.write('{"name":"Last",');
    setTimeout(() => request.end('"dob":"1984-03-07"}'), 250);
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const startedAt = performance.now();
  const stopped = gateway.stop();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(gateway.send('GET', '/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await answered).toEqual({ status: 201, connection: 'close' });
  await Promise.all([stopped, idleClosed]);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  agent.destroy();
  await core.stop();
});
