import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CODED_FROM_BYTES } from '@perennial/gateway/codings.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Answer, SendOptions } from '../../support/gateway.ts';
import { startWorld, type World } from '../world.ts';

/* What HTTP says beside the contract holds in every version, translated or not. */
let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

/** The same patient as each version writes it. */
const written: Readonly<Record<string, JsonObject>> = {
  '2023-10-15': { name: 'Amara Okafor', dob: '1984-03-07', sex: 'female' },
  '2023-04-30': { name: 'Amara Okafor', dob: '1984-03-07', sex: 'female' },
  '2022-11-15': { name: 'Amara Okafor', dob: '1984-03-07', gender: 'female' },
};
const versions = Object.keys(written);

function send(version: string, method: string, path: string, options: SendOptions = {}): Promise<Answer> {
  const { apiKey, legacyApiKey } = world.demo;
  const key = version < '2023-10-15' ? legacyApiKey : apiKey;
  return world.gateway.send(method, `/v${version}${path}`, { key, ...options });
}

const problemsOnly = { accept: 'application/problem+json' };

describe.each(versions)('in v%s', (version) => {
  const create = (headers: SendOptions['headers'] = {}): Promise<Answer> =>
    send(version, 'POST', '/patients', { body: written[version], headers });

  test('an error is a problem for who asks for problems, with the names and codes of the version', async () => {
    const path = '/patients/pat_00000000000000000000';
    const usual = await send(version, 'GET', path);
    const asked = await send(version, 'GET', path, { headers: problemsOnly });
    expect([usual.status, asked.status]).toEqual([404, 404]);
    expect(usual.headers['content-type']).toContain('application/json');
    expect(asked.headers['content-type']).toBe('application/problem+json');
    const problem = JSON.parse(asked.text);
    expect(problem).toMatchObject({
      title: 'Not found',
      status: 404,
      code: 'not_found',
      meta: { version: usual.meta.version },
    });
    expect(problem.type).toBe(usual.error.documentation_url);
    expect(problem.details).toEqual(usual.error.details);
    const refused = { body: { ...written[version], dob: 'yesterday' }, headers: problemsOnly };
    const invalid = await send(version, 'POST', '/patients', refused);
    expect(JSON.parse(invalid.text)).toMatchObject({
      status: 422,
      code: 'validation_failed',
      details: [{ pointer: '/dob' }],
    });
    const unknown = await send(version, 'GET', '/nowhere', { headers: problemsOnly });
    expect([unknown.status, JSON.parse(unknown.text).code]).toEqual([404, 'route_unknown']);
    const stream = { ...problemsOnly, accept: 'application/problem+json, application/x-ndjson' };
    const download = await send(
      version,
      'GET',
      `${path}/records/rec_00000000000000000000/attachments/att_00000000000000000000/content`,
      { headers: stream },
    );
    expect([download.status, download.headers['content-type']]).toEqual([406, 'application/problem+json']);
  });

  test('who asks for problems has said nothing of successes, and one who refuses them gets none', async () => {
    const { data } = await create();
    const read = await send(version, 'GET', `/patients/${String(data['id'])}`, { headers: problemsOnly });
    expect([read.status, read.data['id']]).toEqual([200, data['id']]);
    const headers = { accept: 'application/json, application/problem+json;q=0' };
    const failed = await send(version, 'GET', '/patients/pat_00000000000000000000', { headers });
    expect(failed.headers['content-type']).toContain('application/json');
  });

  test('a tag is strong, is obeyed as If-Match, and so is the weak one that was sent before', async () => {
    const { data, headers } = await create();
    const path = `/patients/${String(data['id'])}`;
    expect(headers.etag).toMatch(/^"1\.[\w-]+"$/);
    const change = (tag: string): Promise<Answer> =>
      send(version, 'PATCH', path, { body: { name: 'A. Okafor' }, headers: { 'if-match': tag } });
    expect((await change('"7.other"')).status).toBe(412);
    const changed = await change(String(headers.etag));
    expect([changed.status, changed.headers.etag?.slice(0, 3)]).toEqual([200, '"2.']);
    expect((await change(`W/${String(changed.headers.etag)}`)).status).toBe(200);
  });

  test('a write whose body is not wanted is answered without it', async () => {
    const made = await create({ prefer: 'respond-async, return=minimal' });
    expect([made.status, made.bytes.length, made.headers['preference-applied']]).toEqual([201, 0, 'return=minimal']);
    const path = String(made.headers.location).slice(`/v${version}`.length);
    const options = { body: { name: 'A. Okafor' }, headers: { prefer: 'return=minimal' } };
    const changed = await send(version, 'PATCH', path, options);
    expect([changed.status, changed.bytes.length]).toEqual([204, 0]);
    expect(changed.headers.etag).toMatch(/^"2\./);
    const read = await send(version, 'GET', path, { headers: { prefer: 'return=minimal' } });
    expect([read.status, read.data['name'], read.headers['preference-applied']]).toEqual([200, 'A. Okafor', undefined]);
  });

  test('a page names the next, the first, and by offset the one before, in the client’s own query', async () => {
    for (let count = 0; count < 4; count += 1) await create();
    const first = await send(version, 'GET', '/patients?limit=2&sort=-created_at');
    const next = linkOf(first, 'next');
    expect(next).toMatch(new RegExp(`^/v${version}/patients\\?limit=2&sort=-created_at&(?:cursor|offset)=`));
    expect(linkOf(first, 'first')).toBe(`/v${version}/patients?limit=2&sort=-created_at`);
    expect(linkOf(first, 'prev')).toBeUndefined();
    const second = await send(version, 'GET', String(next).slice(`/v${version}`.length));
    const ids = [first, second].flatMap(({ data }) => (data['items'] as JsonObject[]).map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
    const before = linkOf(second, 'prev');
    expect(before).toBe(version < '2023-04-30' ? `/v${version}/patients?limit=2&sort=-created_at` : undefined);
    const object = await send(version, 'GET', `/patients/${String(ids[0])}`);
    expect(linkOf(object, 'first')).toBeUndefined();
  });

  test('a large answer is compressed for who takes it, with a tag of its own, and a small one is not', async () => {
    const list = `/knowledge/conditions?limit=100`;
    const plain = await send(version, 'GET', list);
    expect(plain.bytes.length).toBeGreaterThan(CODED_FROM_BYTES);
    expect(plain.headers.vary).toContain('Accept-Encoding');
    for (const [accepted, coding, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await send(version, 'GET', list, { headers: { 'accept-encoding': accepted } });
      expect([accepted, headers['content-encoding']]).toEqual([accepted, coding]);
      expect(JSON.parse(decode(bytes).toString()).data.items).toEqual(plain.data['items']);
    }
    const small = await send(version, 'GET', '/patients?limit=1', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  test('a request in gzip is read, and one that bursts is refused', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const body = gzipSync(JSON.stringify(written[version]));
    expect((await send(version, 'POST', '/patients', { body, headers })).status).toBe(201);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
    expect((await send(version, 'POST', '/patients', { body: bomb, headers })).status).toBe(413);
  });

  test('every answer says what is left of the rate', async () => {
    const left = ({ headers }: Answer): number =>
      Number(/^"minute";r=(\d+);t=\d+$/.exec(String(headers['ratelimit']))?.[1]);
    const first = await send(version, 'GET', '/patients?limit=1');
    const second = await send(version, 'GET', '/patients/pat_00000000000000000000');
    expect(first.headers['ratelimit-policy']).toMatch(/^"minute";q=\d+;w=60$/);
    expect(left(second)).toBe(left(first) - 1);
  });
});

function linkOf({ headers }: Answer, rel: string): string | undefined {
  return new RegExp(`<([^>]*)>; rel="${rel}"`).exec(String(headers.link))?.[1];
}

test('the 410 of a version that has ended says since when it was deprecated and when it ended', async () => {
  const { status, headers } = await world.gateway.send('GET', '/v2022-05-01/patients', {
    key: world.demo.legacyApiKey,
  });
  expect([status, headers['deprecation'] !== undefined, headers['sunset'] !== undefined]).toEqual([410, true, true]);
  expect(headers['service-api-deprecation']).toContain('version=v2022-05-01');
});

test('a stream says when to come back, has no comment in a block of its own, and ends with 204', async () => {
  const body = { patientData: { age: 40, sex: 'female', symptoms: ['sneezing', 'runny nose'] } };
  const path = '/diagnostics/stream';
  const all = await send('2023-10-15', 'POST', path, { body });
  expect(all.headers['x-accel-buffering']).toBe('no');
  const blocks = all.text.split('\n\n').filter((block) => block !== '');
  expect(blocks.every((block) => /^data: /m.test(block))).toBe(true);
  expect(blocks[0]).toMatch(/^retry: \d+$/m);
  const last = /^id: (.*)$/m.exec(blocks.at(-1) ?? '')?.[1] as string;
  const again = await send('2023-10-15', 'POST', path, { body, headers: { 'last-event-id': last } });
  expect([again.status, again.bytes.length]).toEqual([204, 0]);
});
