import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type PetStore, startPetStore } from '../../fixtures/petstore/service.ts';

/* npm run perennial -- proxy, as a process of its own, before a store that knows only its newest version. */

const ROOT = join(import.meta.dirname, '../../..');
const NODE = join(ROOT, 'node_modules/node/bin/node');
/** Outside of the repository, as the releases of another team would lie. */
const folder = mkdtempSync(join(tmpdir(), 'petstore-'));
const OLDEST = '/v2023-01-15';
const REX = {
  id: 'pet_1',
  name: 'Rex',
  status: 'available',
  tag: 'good boy',
  photoUrls: ['https://pets.example/rex.jpg'],
  owner: { full_name: 'Ada', mail: 'ada@example.org' },
};

let store: PetStore;
let proxy: ChildProcess;
let base: string;

beforeAll(async () => {
  store = await startPetStore();
  cpSync(join(ROOT, 'tests/fixtures/petstore/releases'), folder, { recursive: true });
  ({ proxy, base } = await startProxy(['--timeout-ms', '500', '--body-bytes-max', '4096']));
});

afterAll(async () => {
  proxy.kill('SIGTERM');
  const [code] = (await once(proxy, 'exit')) as [number];
  await store.close();
  rmSync(folder, { recursive: true });
  // It stopped in order.
  expect(code).toBe(0);
});

async function startProxy(options: readonly string[]): Promise<{ proxy: ChildProcess; base: string }> {
  const child = spawn(
    NODE,
    [
      '.scripts/perennial.ts',
      'proxy',
      ...['--upstream', store.url, '--releases', folder, '--port', '0', '--log-level', 'silent'],
      ...options,
    ],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const found = /proxy: (\S+) serves/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the proxy did not start: ${said}`)));
  });
  return { proxy: child, base: address };
}

function send(method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${base}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

describe('a service that is not ours', () => {
  test('is served in every version of its history, by path and by header, and says which it was', async () => {
    const newest = await fetch(`${base}/pets/pet_1`);
    expect(await newest.json()).toMatchObject({ photo_urls: REX.photoUrls, microchip: '985112000000001' });
    expect(newest.headers.get('service-version')).toBe('2024-09-01');
    expect(newest.headers.get('deprecation')).toBeNull();
    for (const [path, headers] of [
      [`${OLDEST}/animals/pet_1`, {}],
      ['/animals/pet_1', { 'service-version': '2023-01-15' }],
      ['/v1/animals/pet_1', {}],
    ] as const) {
      const oldest = await fetch(`${base}${path}`, { headers });
      expect(await oldest.json()).toEqual(REX);
      expect(oldest.headers.get('service-version')).toBe('2023-01-15');
      expect(oldest.headers.get('deprecation')).toBe('@1709251200');
      expect(oldest.headers.get('sunset')).toBe('Sat, 01 Mar 2025 00:00:00 GMT');
    }
    const between = await fetch(`${base}/v2024-02-01/animals/pet_1`);
    expect(await between.json()).toEqual({ ...REX, owner: { name: 'Ada', email: 'ada@example.org' } });
  });

  test('is never told of versions', async () => {
    await fetch(`${base}/animals/pet_1`, { headers: { 'service-version': '2023-01-15', authorization: 'Basic eA==' } });
    const { url, headers } = store.asked.at(-1) ?? { url: '', headers: {} };
    expect(url).toBe('/api/pets/pet_1');
    expect(headers).toMatchObject({ authorization: 'Basic eA==' });
    expect(headers).not.toHaveProperty('service-version');
  });

  test('answers lists, streams of events and lines in the version of the client', async () => {
    const list = await fetch(`${base}${OLDEST}/pets?status=available`);
    expect(await list.json()).toEqual([REX]);
    expect(store.asked.at(-1)?.url).toBe('/api/pets?state=available');
    const events = await (await fetch(`${base}${OLDEST}/pets/changes`)).text();
    expect(events).toContain(`id: 1\nevent: changed\ndata: ${JSON.stringify(REX)}\n\n`);
    const lines = await (await fetch(`${base}/v2024-02-01/pets/export`)).text();
    expect(JSON.parse(lines.split('\n')[0] as string)).toMatchObject({ tag: 'good boy', owner: { name: 'Ada' } });
    const picture = await fetch(`${base}${OLDEST}/pets/pet_1/photo`);
    expect([...new Uint8Array(await picture.arrayBuffer())]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });

  test('keeps what an older client cannot see when that client replaces the whole', async () => {
    const added = await send('POST', '/pets', { name: 'Mia', status: 'sold', microchip: '42', owner: null });
    const { id } = (await added.json()) as { id: string };
    const read = await fetch(`${base}${OLDEST}/animals/${id}`);
    const tag = read.headers.get('etag') as string;
    const older = { name: 'Mia', status: 'sold', tag: null, photoUrls: ['p'], owner: { full_name: 'Bo', mail: null } };
    const replaced = await send('PUT', `${OLDEST}/animals/${id}`, older, { 'if-match': tag });
    expect(await replaced.json()).toEqual({ id, ...older });
    expect(await (await fetch(`${base}/pets/${id}`)).json()).toEqual({
      id,
      name: 'Mia',
      status: 'sold',
      label: null,
      photo_urls: ['p'],
      owner: { name: 'Bo', email: null },
      microchip: '42',
      shelf: 'not in the document',
    });
    // The tag is of a state that is gone.
    expect((await send('PUT', `${OLDEST}/animals/${id}`, older, { 'if-match': tag })).status).toBe(412);
    const fresh = (await fetch(`${base}${OLDEST}/animals/${id}`)).headers.get('etag') as string;
    const unchanged = await fetch(`${base}${OLDEST}/animals/${id}`, { headers: { 'if-none-match': fresh } });
    expect(unchanged.status).toBe(304);
  });

  test('says where a new object is in the paths of the version', async () => {
    const added = await send('POST', `${OLDEST}/pets`, { name: 'Zoe', status: 'sold', tag: null });
    expect(added.status).toBe(201);
    const where = added.headers.get('location') as string;
    expect(where).toMatch(/^\/v2023-01-15\/animals\/pet_\d+$/);
    expect((await fetch(`${base}${where}`)).status).toBe(200);
  });

  test('tells its errors in the shape that they had', async () => {
    const taken = await send('POST', `${OLDEST}/pets`, { name: 'taken', status: 'sold', tag: null });
    expect(taken.status).toBe(409);
    expect(await taken.json()).toEqual({ type: 'conflict', message: 'A pet has this name.' });
    expect(await (await fetch(`${base}/pets/none`)).json()).toMatchObject({ kind: 'not_found' });
    expect(await (await fetch(`${base}${OLDEST}/animals/none`)).json()).toMatchObject({ type: 'not_found' });
  });

  test('is not asked where a body is wrong: the fault is named in the words of the client', async () => {
    const before = store.asked.length;
    const refused = await send('POST', `${OLDEST}/pets`, { name: 7, status: 'sold', label: 'x' });
    expect(refused.status).toBe(422);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    const { errors } = (await refused.json()) as { errors: { pointer: string; code: string }[] };
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([
      '/label unknown_field',
      '/name wrong_type',
    ]);
    const parameter = await fetch(`${base}${OLDEST}/pets?state=sold`);
    expect(await parameter.json()).toMatchObject({ errors: [{ parameter: 'state', code: 'unknown_parameter' }] });
    expect(store.asked).toHaveLength(before);
  });

  test('keeps what its document does not name where no change touches it, and nowhere else', async () => {
    expect(await (await fetch(`${base}/pets/pet_1`)).json()).toHaveProperty('shelf');
    expect(await (await fetch(`${base}${OLDEST}/animals/pet_1`)).json()).not.toHaveProperty('shelf');
    const list = await fetch(`${base}${OLDEST}/pets?label=a&label=b&other=1`);
    expect(list.status).toBe(200);
    expect(store.asked.at(-1)?.url).toBe('/api/pets?label=a&label=b&other=1');
  });

  test('keeps every cookie and drops what concerns one connection', async () => {
    for (const prefix of ['', OLDEST]) {
      const answer = await fetch(`${base}${prefix}/pets`, { headers: { te: 'trailers', 'x-own': 'kept' } });
      expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
      expect(store.asked.at(-1)?.headers).toMatchObject({ 'x-own': 'kept' });
      expect(store.asked.at(-1)?.headers).not.toHaveProperty('te');
    }
  });

  test('has operations only in the versions that have them', async () => {
    const newer = await fetch(`${base}${OLDEST}/pets/export`);
    expect(newer.status).toBe(404);
    expect(await newer.json()).toMatchObject({
      code: 'operation_not_in_version',
      available_from: 'v2024-02-01',
    });
    expect((await fetch(`${base}/animals/pet_1`)).status).toBe(404);
    const none = await fetch(`${base}/v2020-01-01/pets`);
    expect(none.status).toBe(400);
    expect(await none.json()).toMatchObject({
      code: 'version_unknown',
      supported_versions: ['v2024-09-01', 'v2024-02-01', 'v2023-01-15'],
    });
    expect((await send('DELETE', '/pets', {})).headers.get('allow')).toBe('GET, HEAD, POST');
  });

  test('is bounded in bodies and in time', async () => {
    const large = await send('POST', `${OLDEST}/pets`, { name: 'x'.repeat(5_000), status: 'sold', tag: null });
    expect(large.status).toBe(413);
    expect((await send('POST', '/pets', { name: 'x'.repeat(5_000), status: 'sold' })).status).toBe(413);
    const slow = await fetch(`${base}/slow`);
    expect(slow.status).toBe(504);
    expect(await slow.json()).toMatchObject({ code: 'core_timeout' });
  });

  test('a request that cannot be read is answered by the proxy', async () => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.end('GET /pets HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toContain('400 Bad Request');
    expect(text).toContain('application/problem+json');
  });

  test('has a document for each version, and a changelog', async () => {
    const document = (await (await fetch(`${base}/openapi/2023-01-15.json`)).json()) as {
      paths: Record<string, unknown>;
      components: { schemas: Record<string, { properties: object; $id?: string }> };
    };
    expect(Object.keys(document.paths)).toContain('/animals/{id}');
    expect(Object.keys(document.paths)).not.toContain('/pets/export');
    expect(Object.keys(document.components.schemas['Pet']?.properties ?? {})).toEqual(
      expect.arrayContaining(['tag', 'photoUrls']),
    );
    // A reader of documents could check the pet that it was answered.
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema({ $id: 'document', ...document });
    const isPet = ajv.getSchema('document#/components/schemas/Pet');
    expect(isPet?.(REX)).toBe(true);
    expect(isPet?.({ ...REX, photoUrls: 'one' })).toBe(false);
    const log = await (await fetch(`${base}/changelog`)).text();
    expect(log).toContain('## v2024-09-01 (3.0.0)');
    expect(log).toContain('A pet has the number of its microchip.');
  });
});

test('a version that has reached its sunset is 410, and a service that is away is 503', async () => {
  const other = await startProxy(['--date', '2025-03-01', '--upstream', 'http://127.0.0.1:9']);
  try {
    const gone = await fetch(`${other.base}${OLDEST}/animals/pet_1`);
    expect(gone.status).toBe(410);
    expect(await gone.json()).toMatchObject({
      code: 'version_sunset',
      supported_versions: ['v2024-09-01', 'v2024-02-01'],
    });
    expect((await fetch(`${other.base}/v2024-02-01/animals/pet_1`)).status).toBe(503);
    expect((await fetch(`${other.base}/inventory`)).status).toBe(503);
  } finally {
    other.proxy.kill('SIGTERM');
    await once(other.proxy, 'exit');
  }
});
