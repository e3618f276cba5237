import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { type History, history } from '@perennial/schemas/history.ts';
import { addDays } from '@perennial/schemas/platform/calendar.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { change } from '@perennial/translators/engine/change.ts';
import { relate } from '@perennial/translators/engine/describe.ts';
import { createTranslator, type Translator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import Type from 'typebox';
import { baseHead, baseReleases } from '../../fixtures/base.ts';
import { historyWithPreview, release20240401, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { type CoreStandIn, startCoreStandIn } from './core-stand-in.ts';
import { Injected, type Target, targetsOf, translatorWithFault } from './injection.ts';

/*
 * What a client gets when a change's converter throws: the real gateway in front of a stand-in for core, which counts
 * what reaches it.
 */
const all = releasesWithPreview;
const ID = 'pat_00000000000000000001';

let database: SeededDatabase;
let core: CoreStandIn;
let gateway: TestGateway | undefined;

beforeAll(async () => {
  database = await seededDatabase();
  core = await startCoreStandIn();
});

afterAll(async () => {
  await core?.stop();
  await database?.close();
});

beforeEach(() => {
  core.calls.length = 0;
});

/** Runs `use` against a gateway in which the change's converter throws, on a day on which the version can be called. */
async function withFault(
  change: string,
  direction: 'up' | 'down',
  version: string,
  use: (gateway: TestGateway) => Promise<void>,
): Promise<void> {
  const isPreview = change.startsWith(release20240401.id);
  const [contract, dates, list] = isPreview
    ? ([headOf20240401, historyWithPreview, all] as const)
    : ([head, history, releases] as const);
  const target = targetsOf(list).find(
    ({ name, edit }) => name === change && (direction === 'up' ? edit.up : edit.older.length > 0),
  );
  const translator: Translator = translatorWithFault(contract, dates, list, target as Target, direction);
  gateway = await startTestGateway(core.url, database.url, {
    translator,
    history: dates,
    config: { serviceDate: lastDayOf(dates, version) },
  });
  try {
    await use(gateway);
  } finally {
    await gateway.stop();
  }
}

function lastDayOf(dates: History, version: string): string {
  const sunset = dates.releases.find(({ id }) => id === version)?.sunset;
  return sunset === undefined ? dates.today : addDays(sunset, -1);
}

/** The key each version takes. */
const key = (): string => database.demo.apiKey;

const patient2023 = { name: 'Ada King', dob: '1961-03-07' };
const storedAtPreview: JsonObject = {
  id: ID,
  given_name: 'Ada',
  family_name: 'King',
  birth_date: '1961-03-07',
  sex: 'female',
  gender_identity: null,
  contact_info: { email: null, phones: ['1'], preferred_method: 'text' },
  created_at: '2023-01-01T00:00:00.000Z',
  updated_at: '2023-01-01T00:00:00.000Z',
};
const analysis = {
  diagnostic_result: {
    id: 'diag_00000000000000000001',
    suggestions: [
      {
        condition: { id: 'c', name: 'C', icd10: [] },
        rank: 1,
        confidence: { estimate: 0.5, interval: { low: 0.4, high: 0.6, level: 0.9 }, uncertainty: [] },
        urgency: 'soon',
        supporting: [],
        conflicting: [],
        missing: [],
        treatments: [],
        sources: [],
      },
    ],
    red_flags: [],
    triage: { level: 'soon', reasons: [] },
    recognized_findings: [],
    unrecognized: [],
    model_version: '1',
    knowledge_version: '1',
    disclaimer: '',
  },
};

interface Case {
  readonly change: string;
  readonly version: string;
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
}

describe('upward: a converter that throws before core is asked', () => {
  const cases: readonly Case[] = [
    {
      change: '2023-04-30/add-gender-identity',
      version: '2022-05-01',
      method: 'POST',
      path: '/patients',
      body: patient2023,
    },
    {
      change: '2023-04-30/add-gender-identity',
      version: '2022-11-15',
      method: 'POST',
      path: '/patients',
      body: patient2023,
    },
    {
      change: '2023-04-30/restructure-contact',
      version: '2022-11-15',
      method: 'POST',
      path: '/patients',
      body: patient2023,
    },
    { change: '2024-04-01/split-name', version: '2023-10-15', method: 'POST', path: '/patients', body: patient2023 },
    { change: '2024-04-01/list-phones', version: '2023-04-30', method: 'POST', path: '/patients', body: patient2023 },
    {
      change: '2024-04-01/name-contact-methods',
      version: '2023-10-15',
      method: 'POST',
      path: '/patients',
      body: patient2023,
    },
  ];
  for (const { change, version, method, path, body } of cases)
    it(`answers 500 in the shape of v${version} and sends core nothing: ${change}`, async () => {
      await withFault(change, 'up', version, async (running) => {
        const answer = await running.send(method, `/v${version}${path}`, { key: key(), body });
        expect(core.calls).toEqual([]);
        expectFailure(answer, version, change);
        expect(answer.error.committed).toBeUndefined();
        expectLog(running, change);
      });
    });

  it('does so for an update as well: what is stored is read, nothing is written', async () => {
    core.answer = () => ({ status: 200, headers: { etag: 'W/"4.head"' }, data: storedAtPreview });
    for (const method of ['PUT', 'PATCH'])
      await withFault('2024-04-01/split-name', 'up', '2023-10-15', async (running) => {
        const answer = await running.send(method, `/v2023-10-15/patients/${ID}`, { key: key(), body: patient2023 });
        expectFailure(answer, '2023-10-15', '2024-04-01/split-name');
        expect(core.calls.map((call) => call.method)).toEqual(['GET']);
        core.calls.length = 0;
      });
  });
});

describe('downward: a converter that throws on an answer', () => {
  it('of a write says that the write was carried out, and of which object', async () => {
    core.answer = ({ method }) => ({
      status: method === 'POST' ? 201 : 200,
      headers: { etag: 'W/"4.head"', location: `/patients/${ID}` },
      data: storedAtPreview,
    });
    for (const change of ['split-name', 'list-phones', 'name-contact-methods'].map((id) => `2024-04-01/${id}`))
      await withFault(change, 'down', '2023-10-15', async (running) => {
        const answer = await running.send('POST', '/v2023-10-15/patients', { key: key(), body: patient2023 });
        expect(core.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /patients']);
        expectFailure(answer, '2023-10-15', change);
        expect(answer.error).toMatchObject({ committed: true, resource_id: ID });
        // What names the object that could not be shown is in the error, not in half an answer's headers.
        expect(answer.headers['etag']).toBeUndefined();
        expectLog(running, change);
        core.calls.length = 0;
      });
  });

  it('of a write without an object of its own says that it was carried out', async () => {
    core.answer = () => ({ status: 200, data: analysis });
    await withFault('2023-10-15/restructure-confidence', 'down', '2023-04-30', async (running) => {
      const answer = await running.send('POST', '/v2023-04-30/diagnostics/analyze', {
        key: key(),
        body: { patientData: { symptoms: ['fever'] } },
      });
      expectFailure(answer, '2023-04-30', '2023-10-15/restructure-confidence');
      expect(answer.error).toMatchObject({ committed: true });
      expect(answer.error.resource_id).toBeUndefined();
    });
  });

  it('in the shape of the oldest version says no more than that version could', async () => {
    core.answer = () => ({ status: 200, data: analysis });
    await withFault('2022-11-15/report-confidence', 'down', '2022-05-01', async (running) => {
      const answer = await running.send('POST', '/v2022-05-01/diagnostics/analyze', {
        key: key(),
        body: { patientData: { symptoms: ['fever'] } },
      });
      expectFailure(answer, '2022-05-01', '2022-11-15/report-confidence');
      expectLog(running, '2022-11-15/report-confidence');
    });
  });

  it('of a read says nothing of a write', async () => {
    core.answer = () => ({ status: 200, data: { items: [], next_cursor: null, has_more: false, total: 0 } });
    await withFault('2023-04-30/page-by-cursor', 'down', '2022-11-15', async (running) => {
      const answer = await running.send('GET', '/v2022-11-15/patients', { key: key() });
      expectFailure(answer, '2022-11-15', '2023-04-30/page-by-cursor');
      expect(answer.error.committed).toBeUndefined();
      expect(answer.error.resource_id).toBeUndefined();
    });
  });
});

describe('a fault that core finds in what the client cannot see', () => {
  it('is not told as the client’s, but as a translation that failed', async () => {
    const fault = { code: 'too_long', message: 'The value is too long.', pointer: '/gender_identity' };
    core.answer = () => ({
      status: 422,
      error: {
        code: 'validation_failed',
        message: '',
        details: [fault],
        documentation_url: '/errors#validation_failed',
      },
    });
    const running = await startTestGateway(core.url, database.url);
    try {
      const answer = await running.send('POST', '/v2022-11-15/patients', { key: key(), body: patient2023 });
      expect([answer.status, answer.error.code]).toEqual([500, 'translation_failed']);
      expect(answer.text).not.toContain('gender_identity');
      const seen = await running.send('POST', '/v2023-04-30/patients', { key: key(), body: patient2023 });
      expect([seen.status, seen.error.details]).toEqual([422, [{ ...fault, message: expect.any(String) }]]);
    } finally {
      await running.stop();
    }
  });
});

describe('a converter of errors that throws', () => {
  it('still gives an error, of what every version has, and never a page with a stack', async () => {
    const id = 'reword-errors';
    const newest = {
      id: release20240401.id,
      changes: [
        change({
          id,
          sentence: 'Errors are worded anew.',
          resources: [
            {
              resource: 'ErrorBody',
              edits: [
                relate({
                  older: [{ path: 'message', schema: Type.String() }],
                  newer: ['message'],
                  down: () => {
                    throw new Injected();
                  },
                }),
              ],
            },
          ],
        }),
      ],
    };
    const translator = createTranslator(baseHead, historyWithPreview, [...baseReleases, newest]);
    const running = await startTestGateway(core.url, database.url, { translator, history: historyWithPreview });
    try {
      core.answer = () => ({
        status: 404,
        error: { code: 'not_found', message: '', details: [], documentation_url: '/errors#not_found' },
      });
      for (const path of ['/v2023-10-15/banana', `/v2023-10-15/patients/${ID}`]) {
        const answer = await running.send('GET', path, { key: key() });
        expect(answer.status).toBe(500);
        expect(answer.headers['content-type']).toMatch(/^application\/json/);
        expect(answer.error).toEqual({ code: 'translation_failed', message: expect.any(String) });
        expect(answer.text).not.toContain('Amara');
      }
      expect(running.log.join('')).toContain(`"change":"2024-04-01/${id}"`);
      expect(running.log.join('')).not.toContain('Amara');
    } finally {
      await running.stop();
    }
  });
});

function expectFailure(
  answer: {
    readonly status: number;
    readonly text: string;
    readonly error: JsonObject;
    readonly data: unknown;
    readonly headers: Readonly<Record<string, unknown>>;
  },
  version: string,
  change: string,
): void {
  expect(answer.status).toBe(500);
  expect(answer.data).toBeUndefined();
  expect(answer.headers['service-version']).toBe(version);
  expect(answer.error).toMatchObject({ code: 'translation_failed' });
  // What the converter said could hold what it was given.
  expect(answer.text).not.toContain('Amara');
  if (version === '2022-05-01') expect(Object.keys(answer.error).sort()).toEqual(['code', 'message']);
  else expect(answer.error).toMatchObject({ change, details: [] });
}

function expectLog(running: TestGateway, change: string): void {
  const lines = running.log.filter((line) => line.includes('"a request failed"'));
  expect(lines.map((line) => (JSON.parse(line) as JsonObject)['change'])).toEqual([change]);
  expect(running.log.join('')).not.toContain('Amara');
}
