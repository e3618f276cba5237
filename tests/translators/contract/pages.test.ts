import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { standings } from '@perennial/schemas/lifecycle.ts';
import { baseHistory } from '../../fixtures/base.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-11-01' } });
});

afterAll(async () => {
  await gateway?.stop();
  await core?.stop();
  await database?.close();
});

describe('the pages about contracts', () => {
  it('give every version its document without a key, with where it stands on the service date', async () => {
    // A release that is being prepared has no page before its time.
    for (const { id, semver } of standings(baseHistory, '2023-11-01').map(({ release }) => release)) {
      const { status, text, headers } = await gateway.send('GET', `/openapi/${id}.json`);
      expect(status).toBe(200);
      expect(headers['content-type']).toContain('application/json');
      expect(JSON.parse(text).info).toMatchObject({ version: semver, 'x-release': id });
    }
    const { text } = await gateway.send('GET', '/openapi/2022-11-15.json');
    const document = JSON.parse(text);
    expect(document.info['x-lifecycle']).toEqual({
      state: 'deprecated',
      released: '2022-11-15',
      deprecated: '2023-08-17',
      sunset: '2023-11-15',
    });
    expect(document.paths['/patients'].get.deprecated).toBe(true);
    const current = JSON.parse((await gateway.send('GET', '/openapi/2023-10-15.json')).text);
    expect(current.paths['/patients'].get.deprecated).toBeUndefined();
  });

  it('name the address at which the service was asked, in every document', async () => {
    for (const file of ['2022-11-15.json', '2023-10-15.json', 'operators.json']) {
      const { text } = await gateway.send('GET', `/openapi/${file}`, { headers: { host: 'api.example.org:8443' } });
      const [server] = JSON.parse(text).servers;
      expect(server.url).toMatch(/^http:\/\/api\.example\.org:8443(\/v\d{4}-\d{2}-\d{2})?$/);
    }
  });

  it('are compressed for who takes it, each coding with a tag of its own', async () => {
    const path = '/openapi/2023-10-15.json';
    const plain = await gateway.send('GET', path);
    const gzip = await gateway.send('GET', path, { headers: { 'accept-encoding': 'gzip' } });
    const brotli = await gateway.send('GET', path, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect([gzip.headers['content-encoding'], brotli.headers['content-encoding']]).toEqual(['gzip', 'br']);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size).toBe(3);
    const known = { 'accept-encoding': 'gzip', 'if-none-match': String(gzip.headers.etag) };
    expect((await gateway.send('GET', path, { headers: known })).status).toBe(304);
    expect((await gateway.send('GET', path, { headers: { 'if-none-match': known['if-none-match'] } })).status).toBe(
      200,
    );
  });

  it('answer 404 for a release that does not exist', async () => {
    for (const name of ['2023-01-01.json', '2023-10-15', 'x.json'])
      expect((await gateway.send('GET', `/openapi/${name}`)).error).toMatchObject({ code: 'not_found' });
  });

  it('give the changelog as Markdown, and as JSON where Accept asks for it', async () => {
    const markdown = await gateway.send('GET', '/changelog');
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(markdown.text).toMatch(/^# Changelog\n\n## v/);
    expect(markdown.text).toContain('\n## v2023-10-15 (2.5.0)\n');
    expect(markdown.text).toContain('`gender` of a patient is called `sex`');
    expect(markdown.text).toContain('- Webhooks.');
    const json = await gateway.send('GET', '/changelog', { headers: { accept: 'application/json' } });
    const { releases } = json.data as { releases: { release: string; changes: { id: string }[] }[] };
    expect(releases.map(({ release }) => release)).toEqual(
      expect.arrayContaining(['2023-10-15', '2023-04-30', '2022-11-15', '2022-05-01']),
    );
    const changes = releases.find(({ release }) => release === '2023-04-30')?.changes;
    expect(changes?.map(({ id }) => id)).toContain('rename-gender-to-sex');
  });

  it('do not tell of a release that does not exist yet', async () => {
    const early = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-01-20' } });
    try {
      expect((await early.send('GET', '/openapi/2023-10-15.json')).status).toBe(404);
      expect((await early.send('GET', '/changelog')).text).not.toContain('2023');
    } finally {
      await early.stop();
    }
  });
});
