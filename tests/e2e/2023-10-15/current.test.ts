import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Analysis } from '@perennial/schemas/resources/analysis.ts';
import { type CursorPage, cold, type HeadPatient, heartAttack, startWorld, type World } from '../world.ts';

/** The latest version has the whole suite; the folders of older versions hold what differs. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => {
  world.passed.length = 0;
});
afterAll(() => world.stop());

const send: World['gateway']['send'] = (method, path, options) =>
  world.gateway.send(method, path, { key: world.demo.apiKey, ...options });

describe('a patient', () => {
  test.each([
    ['by date', '/v2023-10-15', {}],
    ['by major', '/v2', {}],
    ['by header', '', { 'service-version': '2023-10-15' }],
    ['by semver', '', { 'x-service-version': '2.5.0' }],
    ['by nothing', '', {}],
  ])('%s is what core sent, byte for byte', async (_name, prefix, headers) => {
    const answer = await send('GET', `${prefix}/patients/${world.demo.patientId}`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.meta.version).toBe('2.5.0');
    expect(answer.headers['service-version']).toBe('2023-10-15');
    expect(Object.keys(answer.data)).toEqual([
      'id',
      'name',
      'dob',
      'sex',
      'gender_identity',
      'contact_info',
      'created_at',
      'updated_at',
    ]);
    // While a newer release is in preview, core says its version and nothing else is different.
    const sent = (world.passed[0]?.answer.toString('utf8') ?? '').replace(/"version":"[\d.]+"/, '"version":"2.5.0"');
    expect(answer.text).toBe(sent);
    expect(answer.text.startsWith(`{"requestId":"${answer.headers['x-request-id']}"`)).toBe(true);
  });

  test('the old-format key is 401 by name', async () => {
    const answer = await send('GET', `/v2023-10-15/patients/${world.demo.patientId}`, { key: world.demo.legacyApiKey });
    expect([answer.status, answer.error.code]).toEqual([401, 'credential_format_retired']);
  });

  test('is created, read where Location says, replaced, updated and deleted', async () => {
    const body = { name: '李 Ångström 😀', dob: '1990-02-28', sex: 'other', contact_info: { email: 'li@example.org' } };
    const created = await send<HeadPatient>('POST', '/v2023-10-15/patients', { body });
    expect(created.status).toBe(201);
    const location = created.headers.location as string;
    expect(location).toBe(`/v2023-10-15/patients/${created.data.id}`);
    expect((await send('GET', location)).data).toEqual(created.data);
    const patched = await send<HeadPatient>('PATCH', location, { body: { contact_info: { phone: '1' } } });
    expect(patched.data.contact_info).toEqual({ email: 'li@example.org', phone: '1', preferred_method: null });
    const replaced = await send<HeadPatient>('PUT', location, { body: { name: 'Li', dob: '1990-02-28' } });
    expect(replaced.data).toMatchObject({ name: 'Li', sex: null });
    expect((await send('DELETE', location)).status).toBe(204);
    expect((await send('GET', location)).error.code).toBe('not_found');
  });

  test('Location is below the version segment that the client wrote', async () => {
    for (const [prefix, headers] of [
      ['/v2', {}],
      ['', { 'service-version': '2023-10-15' }],
    ] as const) {
      const { headers: answered } = await send('POST', `${prefix}/patients`, {
        body: { name: 'A', dob: '1990-01-01' },
        headers,
      });
      expect(answered.location).toMatch(new RegExp(`^${prefix}/patients/pat_`));
    }
  });

  test('a fault points to the member by its name', async () => {
    const wrong = { name: 'A', dob: '1990-01-01', contact_info: { email: 17 } };
    const answer = await send('POST', '/v2023-10-15/patients', { body: wrong });
    expect(answer.status).toBe(422);
    expect(answer.error.details).toMatchObject([{ code: 'wrong_type', pointer: '/contact_info/email' }]);
    const future = await send('POST', '/v2023-10-15/patients', { body: { name: 'A', dob: '2999-01-01' } });
    expect(future.error.details).toMatchObject([{ code: 'in_future', pointer: '/dob' }]);
  });
});

test('walking cursors visits every patient once', async () => {
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { data } = await send<CursorPage<HeadPatient>>('GET', `/v2023-10-15/patients?limit=100${cursor}`);
    seen.push(...data.items.map(({ id }) => id));
    if (data.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(data.next_cursor)}`;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThanOrEqual(200);
  expect(seen.length).toBe(await world.database.db.patient.count({ where: { deletedAt: null } }));
});

describe('an analysis', () => {
  test('puts a cardiac emergency first and raises a red flag, with structured confidence', async () => {
    const answer = await send<Analysis>('POST', '/v2023-10-15/diagnostics/analyze', { body: heartAttack });
    expect(answer.status).toBe(200);
    const { suggestions, red_flags, disclaimer } = answer.data.diagnostic_result;
    expect(suggestions[0]?.urgency).toBe('emergency');
    expect(suggestions[0]?.condition.name.toLowerCase()).toMatch(/infarct|coronary|cardi/);
    expect(suggestions[0]?.confidence?.estimate).toEqual(expect.any(Number));
    expect(suggestions[0]?.confidence?.interval.low).toBeLessThanOrEqual(suggestions[0]?.confidence?.estimate ?? -1);
    expect(red_flags.length).toBeGreaterThan(0);
    expect(disclaimer.length).toBeGreaterThan(0);
  });

  test('of a cold raises none', async () => {
    const { data } = await send<Analysis>('POST', '/v2023-10-15/diagnostics/analyze', { body: cold });
    expect(data.diagnostic_result.red_flags).toEqual([]);
    expect(data.diagnostic_result.suggestions[0]?.urgency).not.toBe('emergency');
  });
});
