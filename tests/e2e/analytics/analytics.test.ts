import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { type Answer, type SendOptions, startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: SeededDatabase;
let core: TestCore;
let gateway: TestGateway;
/** On the day on which the oldest release was Current. */
let early: TestGateway;

beforeAll(async () => {
  database = await seededDatabase();
  core = await startCore(database.url);
  gateway = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-11-01' } });
  early = await startTestGateway(core.url, database.url, { config: { serviceDate: '2022-06-01' } });
});

afterAll(async () => {
  await early.stop();
  await gateway.stop();
  await core.stop();
  await database.close();
});

interface Version {
  readonly name: string;
  readonly prefix: string;
  readonly byOffset: boolean;
  readonly gateway: () => TestGateway;
}

const versions: readonly Version[] = [
  { name: 'the latest', prefix: '/v2023-10-15', byOffset: false, gateway: () => gateway },
  { name: 'the oldest live', prefix: '/v2022-11-15', byOffset: true, gateway: () => gateway },
  { name: 'the first', prefix: '/v2022-05-01', byOffset: true, gateway: () => early },
];

describe.each(versions.map((version) => [version.name, version] as const))('at %s version', (_name, version) => {
  const call = async (method: string, path: string, options: SendOptions = {}): Promise<Answer> => {
    const key = version.prefix === '/v2023-10-15' ? database.demo.apiKey : database.demo.legacyApiKey;
    // Before 2022-11-15 the key was part of the address.
    const query = `${path.includes('?') ? '&' : '?'}api_key=${key}`;
    return version.prefix === '/v2022-05-01'
      ? version.gateway().send(method, `${version.prefix}${path}${query}`, options)
      : version.gateway().send(method, `${version.prefix}${path}`, { key, ...options });
  };

  test('every answer about the demo account comes, and holds people', async () => {
    const range = 'from=2018-01&until=2023-10';
    const answers: readonly (readonly [string, (data: JsonObject) => unknown])[] = [
      ['/analytics/population', ({ people }) => people],
      [`/analytics/prevalence?code=I10&${range}`, ({ points }) => (points as JsonObject[]).at(-1)?.['cases']],
      [
        `/analytics/incidence?code=I10&interval=year&${range}`,
        ({ points }) => (points as JsonObject[]).at(-1)?.['at_risk'],
      ],
      [
        `/analytics/prevalence?code=I10&measure=point&interval=year&${range}`,
        ({ points }) => (points as JsonObject[]).at(-1)?.['cases'],
      ],
      [
        '/analytics/standardised-prevalence?code=I10&case=ever&standard=european_2013',
        ({ crude_interval, cases }) => crude_interval !== null && cases,
      ],
      [
        '/analytics/survival?index_code=I10&event_code=E11&months=12',
        ({ curves }) => (curves as JsonObject[])[0]?.['people'],
      ],
      ['/analytics/risk-stratification', ({ groups }) => (groups as JsonObject[])[0]?.['people']],
      [
        `/analytics/observation-trend?code=29463-7&${range}`,
        ({ points }) => (points as JsonObject[]).at(-2)?.['people'],
      ],
      ['/analytics/quality-measures/hypertension_controlled?month=2023-10', ({ denominator }) => denominator],
      ['/analytics/quality-measures', ({ items }) => (items as JsonObject[]).length * 5],
    ];
    for (const [path, numberOf] of answers) {
      const { status, data } = await call('GET', path);
      expect([path, status]).toEqual([path, 200]);
      expect(numberOf(data)).toBeGreaterThanOrEqual(10);
    }
  });

  test('cohorts are saved, listed, changed, compared and deleted', async () => {
    const record = {
      kind: 'record',
      type: 'condition',
      present: true,
      system: null,
      match: 'exact',
      from: null,
      until: null,
    };
    const made: JsonObject[] = [];
    for (const code of ['I10', 'E11.9']) {
      const body = { name: `With ${code}`, criteria: [{ ...record, code }] };
      const { status, data } = await call('POST', '/analytics/cohorts', { body });
      expect(status).toBe(201);
      expect(data).toMatchObject({ name: `With ${code}`, description: null, criteria: [{ ...record, code }] });
      made.push(data);
    }
    const ids = made.map(({ id }) => String(id));
    const page = version.byOffset ? 'offset=1&limit=1&sort=name' : 'limit=1&sort=-name';
    const list = await call('GET', `/analytics/cohorts?${page}`);
    expect((list.data['items'] as JsonObject[]).map(({ name }) => name)).toEqual(['With I10']);
    const read = await call('GET', `/analytics/cohorts/${ids[0]}`);
    const headers = { 'if-match': String(read.headers.etag) };
    const renamed = await call('PATCH', `/analytics/cohorts/${ids[0]}`, { body: { name: 'Hypertension' }, headers });
    expect(renamed.data).toMatchObject({ name: 'Hypertension', criteria: made[0]?.['criteria'] });
    expect((await call('PATCH', `/analytics/cohorts/${ids[0]}`, { body: { name: 'x' }, headers })).status).toBe(412);
    const compared = await call('POST', '/analytics/cohorts/compare', { body: { cohort_ids: ids } });
    expect(compared.status).toBe(200);
    expect((compared.data['cohorts'] as JsonObject[]).map(({ cohort_id }) => cohort_id)).toEqual(ids);
    const outcome = { code: 'N18' };
    const contrast = await call('POST', '/analytics/cohorts/contrast', { body: { cohort_ids: ids, outcome } });
    expect(contrast.status).toBe(200);
    expect(contrast.data).toMatchObject({ code: 'N18', effects: [{ measure: 'risk_difference' }, {}, {}] });
    const wrong = await call('POST', '/analytics/cohorts', {
      body: { name: 'x', criteria: [{ ...record, code: '%' }] },
    });
    expect(wrong.status).toBe(422);
    if (version.prefix !== '/v2022-05-01')
      expect(wrong.error.details).toMatchObject([{ pointer: '/criteria/0/code', code: 'wrong_format' }]);
    for (const id of ids) expect((await call('DELETE', `/analytics/cohorts/${id}`)).status).toBe(204);
  });
});
