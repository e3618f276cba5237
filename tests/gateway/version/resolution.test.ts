import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, startFakeCore } from '../../support/fake-core.ts';
import { type Answer, type SendOptions, startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: TestDatabase;
let core: FakeCore;
let gateway: TestGateway;
let account: FreshAccount;
const pinned: Record<string, FreshAccount> = {};
const patient = '/patients/pat_8fJ2kQ0aZrT5mWxY7bLc';

beforeAll(async () => {
  database = await freshDatabase();
  account = await createAccount(database.db);
  for (const release of ['2022-05-01', '2022-11-15', '2023-04-30', '2023-10-15'])
    pinned[release] = await createAccount(database.db, { pinnedRelease: release });
  core = await startFakeCore();
  gateway = await startTestGateway(core.url, database.url);
});

beforeEach(() => {
  core.seen.length = 0;
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

function get(path: string, headers: SendOptions['headers'] = {}, key = account.apiKey): Promise<Answer> {
  return gateway.send('GET', path, { key, headers });
}

/** Asserts which version served an answer, by everything that says so. */
function expectVersion(answer: Answer, release: string): void {
  const semver = { '2022-11-15': '2.3.0', '2023-04-30': '2.4.0', '2023-10-15': '2.5.0' }[release];
  expect([answer.status, answer.headers['service-version'], answer.meta.version]).toEqual([200, release, semver]);
}

describe('five ways name a version', () => {
  test.each([
    ['the date in the path', `/v2022-11-15${patient}`, {}, '2022-11-15'],
    ['Service-Version', patient, { 'service-version': '2022-11-15' }, '2022-11-15'],
    ['Service-Version with a v', patient, { 'service-version': 'v2022-11-15' }, '2022-11-15'],
    ['X-Service-Version', patient, { 'x-service-version': '2.3.0' }, '2022-11-15'],
    ['X-Service-Version of another patch', patient, { 'x-service-version': '2.4.17' }, '2023-04-30'],
    ['X-Service-Version without a patch', patient, { 'x-service-version': '2.3' }, '2022-11-15'],
    ['nothing: Current', patient, {}, '2023-10-15'],
    ['the major in the path: its newest', `/v2${patient}`, {}, '2023-10-15'],
  ])('%s', async (_name, path, headers, release) => {
    expectVersion(await get(path, headers), release);
  });

  test('the account’s pin, where nothing else is named', async () => {
    expectVersion(await get(patient, {}, pinned['2022-11-15']?.apiKey), '2022-11-15');
    expectVersion(await get(patient, {}, pinned['2023-04-30']?.legacyApiKey), '2023-04-30');
  });
});

describe('each way beats the ones after it', () => {
  test.each([
    [
      'path over Service-Version',
      `/v2022-11-15${patient}`,
      { 'service-version': '2023-10-15', 'x-service-version': '2.4.0' },
      '2022-11-15',
    ],
    ['path over a header that names nothing', `/v2022-11-15${patient}`, { 'service-version': 'banana' }, '2022-11-15'],
    [
      'Service-Version over X-Service-Version',
      patient,
      { 'service-version': '2023-04-30', 'x-service-version': '2.3.0' },
      '2023-04-30',
    ],
    ['Service-Version inside /v2/', `/v2${patient}`, { 'service-version': '2022-11-15' }, '2022-11-15'],
    ['X-Service-Version inside /v2/', `/v2${patient}`, { 'x-service-version': '2.3.0' }, '2022-11-15'],
    ['/v2/ over a header of another major', `/v2${patient}`, { 'service-version': '2022-05-01' }, '2023-10-15'],
    [
      'in /v2/, a header of another major leaves the next one its say',
      `/v2${patient}`,
      { 'service-version': '2022-05-01', 'x-service-version': '2.3.0' },
      '2022-11-15',
    ],
  ])('%s', async (_name, path, headers, release) => {
    expectVersion(await get(path, headers), release);
  });

  test('path and headers over the pin', async () => {
    const key = pinned['2022-11-15']?.apiKey;
    expectVersion(await get(`/v2023-04-30${patient}`, {}, key), '2023-04-30');
    expectVersion(await get(patient, { 'service-version': '2023-04-30' }, key), '2023-04-30');
    expectVersion(await get(patient, { 'x-service-version': '2.4.0' }, key), '2023-04-30');
  });

  test('the pin over the newest of the major inside /v2/', async () => {
    expectVersion(await get(`/v2${patient}`, {}, pinned['2022-11-15']?.apiKey), '2022-11-15');
  });
});

describe('a version that does not exist is 400, and core is never called', () => {
  test.each([
    ['/v2023-06-01/patients', {}],
    ['/v2024-02-30/patients', {}],
    ['/banana/patients', {}],
    ['/v2023-10-15T00:00/patients', {}],
    ['/v2023-1-1/patients', {}],
    ['/2023-10-15/patients', {}],
    ['/V2/patients', {}],
    ['/v2.5.0/patients', {}],
    ['/v3/patients', {}],
    ['/v0/patients', {}],
    ['/v2023-10-15%2Fpatients', {}],
    ['/preview/2023-10-15/patients', {}],
    ['/preview/banana/patients', {}],
    ['/preview', {}],
    ['/patients', { 'service-version': '2023-06-01' }],
    ['/patients', { 'service-version': '2024-02-30' }],
    ['/patients', { 'service-version': 'banana' }],
    ['/patients', { 'service-version': '' }],
    ['/patients', { 'service-version': '2023-10-15, 2022-11-15' }],
    ['/patients', { 'service-version': ['2023-10-15', '2022-11-15'] }],
    ['/v2/patients', { 'service-version': 'banana' }],
    ['/patients', { 'x-service-version': '2' }],
    ['/patients', { 'x-service-version': '2.9.0' }],
    ['/patients', { 'x-service-version': '2.5.0-beta' }],
    ['/patients', { 'x-service-version': '2023-10-15' }],
  ])('%s %j', async (path, headers) => {
    const answer = await get(path, headers);
    expect([answer.status, answer.error.code]).toEqual([400, 'version_unknown']);
    expect(answer.error.supported_versions).toEqual(['v2023-10-15', 'v2023-04-30', 'v2022-11-15']);
    expect(answer.text).not.toContain('banana');
    expect(core.seen).toEqual([]);
  });

  test('it needs no key to be told so', async () => {
    expect((await gateway.send('GET', '/v2023-06-01/patients')).status).toBe(400);
  });
});

describe('the version is looked for in the first segment of the normalised path', () => {
  test.each([
    `//v2022-11-15/./patients//pat_8fJ2kQ0aZrT5mWxY7bLc`,
    `/%76%32%30%32%32-11-15${patient}`,
    `/x/../v2022-11-15${patient}`,
    `/v2022-11-15/diagnostics/..${patient}`,
    `/v2022-11-15${patient}/`,
    `http://else.where/v2022-11-15${patient}`,
  ])('%s', async (path) => {
    expectVersion(await get(path), '2022-11-15');
    expect(core.seen.map(({ url }) => url)).toEqual([patient]);
  });

  test('an encoded slash separates nothing', async () => {
    const answer = await get('/v2022-11-15/patients/pat_1%2Frecords');
    expect(answer.status).toBe(200);
    expect(core.seen.map(({ url }) => url)).toEqual(['/patients/pat_1%2Frecords']);
  });

  test('encoded dot segments and question marks stay in their segment', async () => {
    await get('/v2023-10-15/patients/a%3Fb');
    await get('/v2023-10-15/patients/%2e%2e/patients/b');
    expect(core.seen.map(({ url }) => url)).toEqual(['/patients/a%3Fb', '/patients/b']);
  });

  test('a second version segment is no version', async () => {
    const answer = await get(`/v2/v2022-11-15${patient}`);
    expect([answer.status, answer.error.code]).toEqual([404, 'route_unknown']);
  });

  test('a path that cannot be read is 400', async () => {
    for (const path of ['/v2/patients/%zz', '/v2/patients/%'])
      expect((await get(path)).error.code).toBe('request_malformed');
    expect(core.seen).toEqual([]);
  });
});

describe('a sunset version', () => {
  test('is 410 before a key is asked for', async () => {
    for (const [path, headers] of [
      [`/v2022-05-01${patient}`, {}],
      ['/v2022-05-01/no/such/thing', {}],
      [`/v1${patient}`, {}],
      [patient, { 'service-version': '2022-05-01' }],
      [patient, { 'x-service-version': '1.0.0' }],
      [`/v2022-05-01${patient}`, { authorization: 'Basic nonsense' }],
      [`/v2022-05-01${patient}?api_key=sk_nonsense00`, {}],
    ] as const) {
      const answer = await gateway.send('GET', path, { headers });
      expect([path, answer.status, answer.error.code]).toEqual([path, 410, 'version_sunset']);
      expect(answer.error.supported_versions).toEqual(['v2023-10-15', 'v2023-04-30', 'v2022-11-15']);
      // The newest error shape: the sunset version had no details.
      expect(answer.error.details).toEqual([]);
      expect(answer.error.documentation_url).toBe('/errors#version_sunset');
      expect(answer.headers['service-version']).toBe('2022-05-01');
    }
    expect(core.seen).toEqual([]);
  });

  test('is never silently upgraded for an account pinned to it', async () => {
    const answer = await get(patient, {}, pinned['2022-05-01']?.apiKey);
    expect([answer.status, answer.error.code]).toEqual([410, 'version_sunset']);
    expect((await gateway.send('GET', patient)).status).toBe(401);
  });

  test('a pin of another major does not matter inside /v2/', async () => {
    expectVersion(await get(`/v2${patient}`, {}, pinned['2022-05-01']?.apiKey), '2023-10-15');
  });
});

describe('before a release exists', () => {
  let early: TestGateway;
  beforeAll(async () => {
    early = await startTestGateway(core.url, database.url, { config: { serviceDate: '2022-12-01' } });
  });
  afterAll(() => early.stop());

  test('naming it is 400', async () => {
    for (const [path, headers] of [
      [`/v2023-10-15${patient}`, {}],
      [patient, { 'service-version': '2023-04-30' }],
      [patient, { 'x-service-version': '2.5.0' }],
    ] as const) {
      const answer = await early.send('GET', path, { key: account.apiKey, headers });
      expect([answer.status, answer.error.code]).toEqual([400, 'version_unknown']);
      expect(answer.error.supported_versions).toEqual(['v2022-11-15', 'v2022-05-01']);
    }
  });

  test('a pin to it means Current', async () => {
    const answer = await early.send('GET', patient, { key: pinned['2023-10-15']?.apiKey });
    expectVersion(answer, '2022-11-15');
  });
});

describe('a preview release', () => {
  let preview: TestGateway;
  beforeAll(async () => {
    preview = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-09-20' } });
  });
  afterAll(() => preview.stop());

  test('is served under /preview/ only, and says that it may change', async () => {
    const answer = await preview.send('GET', `/preview/2023-10-15${patient}`, { key: account.apiKey });
    expectVersion(answer, '2023-10-15');
    expect(answer.headers['service-api-preview']).toContain('v2023-10-15');
    for (const [path, headers] of [
      [`/v2023-10-15${patient}`, {}],
      [patient, { 'service-version': '2023-10-15' }],
      [patient, { 'x-service-version': '2.5.0' }],
    ] as const)
      expect((await preview.send('GET', path, { key: account.apiKey, headers })).error.code).toBe('version_unknown');
  });

  test('is not Current, nor the newest of its major, nor taken from a pin', async () => {
    expectVersion(await preview.send('GET', patient, { key: account.apiKey }), '2023-04-30');
    expectVersion(await preview.send('GET', `/v2${patient}`, { key: account.apiKey }), '2023-04-30');
    expectVersion(await preview.send('GET', patient, { key: pinned['2023-10-15']?.apiKey }), '2023-04-30');
  });

  test('leaves the release before it Current, which is translated like any other', async () => {
    const answer = await preview.send('GET', patient, { key: account.apiKey });
    expectVersion(answer, '2023-04-30');
    const { version, status } = (
      await preview.send<{ versions: { version: string; status: string }[] }>('GET', '/versions')
    ).data.versions[0] as { version: string; status: string };
    expect([version, status]).toEqual(['v2023-10-15', 'preview']);
  });

  test('other releases are not served under /preview/', async () => {
    const answer = await preview.send('GET', `/preview/2023-04-30${patient}`, { key: account.apiKey });
    expect(answer.error.code).toBe('version_unknown');
  });
});
