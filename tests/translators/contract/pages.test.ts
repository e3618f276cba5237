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
