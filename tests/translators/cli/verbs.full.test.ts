import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type FakeCore, fakePatient, startFakeCore } from '../../support/fake-core.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { type Copy, callRelease, makeCopy, type Run, runRelease } from './support.ts';

let folder: string;
let copy: Copy;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perennial-test-verbs-'));
  copy = await makeCopy();
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await copy?.remove();
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe('simulate', () => {
  it('shows what core would receive and the client get, and which change did what', async () => {
    const body = await file(
      'create.json',
      JSON.stringify({ name: 'Ana', dob: '1990-02-03', gender: 'female', contact: { email: 'ana@example.org' } }),
    );
    const { code, stdout } = await callRelease('simulate', '--as', '2022-11-15', 'POST', '/patients', body, '--json');
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result.toCore).toEqual({
      method: 'POST',
      path: '/patients',
      query: {},
      body: { name: 'Ana', dob: '1990-02-03', sex: 'female', contact_info: { email: 'ana@example.org' } },
    });
    expect(result.toClient).toMatchObject({
      status: 201,
      data: { name: 'Ana', gender: 'female', contact: { email: 'ana@example.org', phone: null } },
    });
    const names = (list: { change: string }[]): string[] => list.map(({ change }) => change);
    expect(names(result.requestChanges)).toEqual(['2023-04-30/rename-gender-to-sex', '2023-04-30/restructure-contact']);
    expect(names(result.responseChanges)).toEqual([
      '2023-04-30/restructure-contact',
      '2023-04-30/add-gender-identity',
      '2023-04-30/rename-gender-to-sex',
    ]);
  });

  it('rewrites a query, and says which change did what', async () => {
    const { stdout } = await callRelease(
      'simulate',
      '--as',
      '2022-11-15',
      'GET',
      '/patients?offset=20&gender=male',
      '--json',
    );
    const { toCore, requestChanges } = JSON.parse(stdout);
    expect(toCore.query).toEqual({ sex: 'male', include_total: true, cursor: '(from 20)' });
    expect(requestChanges).toContainEqual(
      expect.objectContaining({
        change: '2023-04-30/page-by-cursor',
        places: expect.arrayContaining([{ pointer: '/offset', before: 20 }]),
      }),
    );
  });

  it('says what the client’s version would refuse, in its own names', async () => {
    const body = await file('wrong.json', JSON.stringify({ name: 'Ana', dob: '1990-02-03', sex: 'female' }));
    const { code, stdout } = await callRelease('simulate', '--as', '2022-11-15', 'POST', '/patients', body);
    expect(code).toBe(1);
    expect(stdout).toContain('/sex: This version has no such field. (unknown_field)');
  });
});

describe('compare', () => {
  let database: TestDatabase;
  let core: FakeCore;
  let gateway: TestGateway;
  let account: FreshAccount;

  beforeAll(async () => {
    database = await freshDatabase();
    account = await createAccount(database.db);
    core = await startFakeCore();
    gateway = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-11-01' } });
  });

  afterAll(async () => {
    await gateway?.stop();
    await core?.stop();
    await database?.close();
  });

  const versions = ['compare', '2022-11-15', '2023-10-15', 'GET', `/patients/${fakePatient.id}`];
  const expected = [
    ['/gender', ['2023-04-30/rename-gender-to-sex']],
    ['/contact', ['2023-04-30/restructure-contact']],
    ['/sex', ['2023-04-30/rename-gender-to-sex']],
    ['/gender_identity', ['2023-04-30/add-gender-identity']],
    ['/contact_info', ['2023-04-30/restructure-contact']],
  ];
  const placesIn = (stdout: string): unknown[] =>
    (JSON.parse(stdout).places as { pointer: string; changes: string[] }[]).map(({ pointer, changes }) => [
      pointer,
      changes,
    ]);

  /** Compares with a key that the environment of this process holds meanwhile. */
  const compareWithKey = async (key: string, url: string): Promise<Run> => {
    process.env['PERENNIAL_KEY'] = key;
    try {
      return await callRelease(...versions, '--gateway', url, '--key-env', 'PERENNIAL_KEY');
    } finally {
      delete process.env['PERENNIAL_KEY'];
    }
  };

  it('asks a running gateway at both versions, and names the change behind each place that differs', async () => {
    const key = { PERENNIAL_KEY: account.apiKey };
    const { code, stdout, stderr } = await runRelease(
      [...versions, '--gateway', gateway.url, '--key-env', 'PERENNIAL_KEY', '--json'],
      key,
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(new Set(placesIn(stdout))).toEqual(new Set(expected));
  });

  it('finds what no change explains', async () => {
    let count = 0;
    core.answer = (_request, response) => {
      const data = { ...fakePatient, name: `Name ${++count}` };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          requestId: 'req_1',
          timestamp: '2023-11-01T00:00:00.000Z',
          meta: { processingTimeMs: 1, version: '2.5.0' },
          data,
        }),
      );
    };
    const { code, stdout } = await compareWithKey(account.apiKey, gateway.url);
    core.answer = undefined;
    expect(code).toBe(1);
    expect(stdout).toMatch(/\/name .*no change explains this/);
  });

  it('works from a recorded answer as well', async () => {
    const recorded = await file('recorded.json', JSON.stringify(fakePatient));
    const { code, stdout } = await callRelease(...versions, '--recorded', recorded, '--json');
    expect(code).toBe(0);
    expect(new Set(placesIn(stdout))).toEqual(new Set(expected));
  });

  it('never prints the key, and says in one line what went wrong', async () => {
    const { code, stderr, stdout } = await compareWithKey('sk_not_a_key_at_all', gateway.url);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^release: http\S+: answered 401 credential_\w+\n$/);
    expect(stderr + stdout).not.toContain('sk_not');
    const gone = await compareWithKey('sk_not_a_key_at_all', 'http://127.0.0.1:9');
    expect([gone.code, gone.stderr.split('\n').length]).toEqual([2, 2]);
  });
});

describe('the tool', () => {
  it('explains itself, and knows no colour where there is no terminal', async () => {
    const { code, stdout } = await callRelease('help');
    expect(code).toBe(0);
    for (const verb of ['new', 'check', 'diff', 'simulate', 'compare', 'changelog', 'lock', 'promote', 'deprecate'])
      expect(stdout).toMatch(new RegExp(`^ {2}${verb} +\\S`, 'm'));
    expect(stdout).not.toContain('\u001b[');
    expect((await callRelease('promote', '--help')).stdout).toContain('usage: npm run release -- promote <date>');
    expect((await runRelease([])).code).toBe(2);
  });

  it.each([
    ['a verb that does not exist', ['publish'], 'there is no verb "publish"'],
    ['an option that does not exist', ['check', '--fix'], "check: Unknown option '--fix'"],
    ['a date that is none', ['new', '2024-02-30', '--minor'], '"2024-02-30" is not a day that exists, YYYY-MM-DD'],
    ['a date that is no date', ['diff', 'latest', '2023-10-15'], '"latest" is not a day that exists, YYYY-MM-DD'],
    [
      'a release that does not exist',
      ['diff', '2023-01-01', '2023-10-15'],
      '2023-01-01 is not a release of schemas/history.ts',
    ],
    ['neither minor nor major', ['new', '2024-04-01'], 'new: give either --minor or --major'],
    [
      'a file that is not there',
      ['simulate', '--as', '2022-11-15', 'POST', '/patients', '/nowhere.json'],
      '/nowhere.json: there is no such file',
    ],
    [
      'a path that no operation has',
      ['simulate', '--as', '2022-11-15', 'GET', '/doctors'],
      'GET /doctors: v2022-11-15 has no such operation',
    ],
    ['a force without a reason', ['lock', '--force'], 'lock: --force needs a --reason'],
  ])('answers %s with one line and exit code 2', async (_what, args, message) => {
    const { code, stdout, stderr } = await callRelease(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^release: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });

  it('names file and place of JSON that does not parse', async () => {
    const path = await file('broken.json', '{\n  "name": "Ana",\n  "dob" 1\n}');
    const { code, stderr } = await callRelease('simulate', '--as', '2022-11-15', 'POST', '/patients', path);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^release: \S+broken\.json: not JSON: .*line 3 column 9[^\n]*\n$/);
  });

  it('gives its errors as JSON where JSON was asked for', async () => {
    const { code, stdout } = await callRelease('promote', 'soon', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({ error: 'promote <date>: "soon" is not a day that exists, YYYY-MM-DD' });
  });

  it.each([
    [
      'a history that does not parse',
      'schemas/history.ts',
      ['releases: [', 'releases: [['],
      /^release: schemas\/\.?history\S*?:?\d*: SyntaxError/,
      2,
    ],
    [
      'a date of the history that is none',
      'schemas/history.ts',
      ["sunset: '2024-04-30'", "sunset: '2024-04-31'"],
      /^release: schemas\/history\.ts: release 2023-04-30: sunset must be a day that exists, YYYY-MM-DD\n$/,
      1,
    ],
    [
      'a change without a sentence',
      'translators/releases/2023-04-30/add-gender-identity.ts',
      [/sentence: .*/, "sentence: '',"],
      /^release: translators\/releases: change 2023-04-30\/add-gender-identity has no sentence for the changelog\n$/,
      1,
    ],
    [
      'a change that matches nothing',
      'translators/releases/2023-04-30/add-gender-identity.ts',
      ["added('gender_identity')", "added('gender_identity_')"],
      /^release: translators\/releases: change 2023-04-30\/add-gender-identity does not fit Patient: there is no member "gender_identity_"/,
      1,
    ],
    [
      'a schema that does not parse',
      'schemas/resources/patient.ts',
      ['export const Patient', 'export konst Patient'],
      /^release: schemas\/resources\/patient\.ts:\d+: SyntaxError/,
      2,
    ],
    [
      'a locked contract that does not parse',
      'schemas/released/2022-11-15/openapi.json',
      ['{', '{,'],
      /^release: \S+schemas\/released\/2022-11-15\/openapi\.json: .*position 1/,
      2,
    ],
  ] as const)('names the place of %s in one line', async (_what, path, [from, to], message, exitCode) => {
    const before = await copy.read(path);
    await copy.write(path, before.replace(from, to));
    const { code, stderr } = await copy.release('lock');
    await copy.write(path, before);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(exitCode);
  });
});
