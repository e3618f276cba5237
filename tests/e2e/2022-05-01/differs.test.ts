import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { heartAttack, type OffsetPage, type OldPatient, startWorld, type World } from '../world.ts';

/** At a date when it was Current. What differs from 2022-11-15: the key in the URL, bare errors, bare analyses. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ config: { serviceDate: '2022-06-01' } });
});
afterAll(() => world.stop());

const send: World['gateway']['send'] = (method, path, options) =>
  world.gateway.send(method, `${path}${path.includes('?') ? '&' : '?'}api_key=${world.demo.legacyApiKey}`, options);

test.each([
  ['by date', '/v2022-05-01', {}],
  ['by major', '/v1', {}],
  ['by header', '', { 'service-version': '2022-05-01' }],
  ['by nothing, for it is Current', '', {}],
])('a patient %s, with the key in the URL', async (_name, prefix, headers) => {
  const answer = await send<OldPatient>('GET', `${prefix}/patients/${world.demo.patientId}`, { headers });
  expect([answer.status, answer.meta.version, answer.headers['service-version']]).toEqual([200, '1.0.0', '2022-05-01']);
  expect(answer.data).toHaveProperty('gender');
  expect(answer.headers['service-api-deprecation']).toBeUndefined();
});

test('an error is a code and a message', async () => {
  for (const [method, path, body, status] of [
    ['GET', '/v2022-05-01/patients/pat_missing00', undefined, 404],
    ['GET', '/v2022-05-01/patients?nonsense=1', undefined, 422],
    ['POST', '/v2022-05-01/patients', { name: 'A', dob: '2999-01-01' }, 422],
    ['GET', '/v2022-05-01/nothing', undefined, 404],
  ] as const) {
    const answer = await send(method, path, body === undefined ? {} : { body });
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.error).sort()).toEqual(['code', 'message']);
  }
});

test('patients are created, updated and listed', async () => {
  const created = await send<OldPatient>('POST', '/v1/patients', {
    body: { name: 'First', dob: '1970-01-01', gender: 'unknown', contact: { phone: '1' } },
  });
  expect(created.status).toBe(201);
  const patched = await send<OldPatient>('PATCH', `/v1/patients/${created.data.id}`, { body: { name: 'Second' } });
  expect(patched.data).toMatchObject({ name: 'Second', gender: 'unknown', contact: { email: null, phone: '1' } });
  const page = await send<OffsetPage<OldPatient>>('GET', '/v1/patients?offset=20&limit=10');
  expect(page.data.items).toHaveLength(10);
  expect((await send('DELETE', `/v1/patients/${created.data.id}`)).status).toBe(204);
});

test('an analysis is a list of condition names with treatments', async () => {
  const { status, data } = await send<{ analysis_result: { condition: string; treatments: string[] }[] }>(
    'POST',
    '/v2022-05-01/diagnostics/analyze',
    { body: heartAttack },
  );
  expect(status).toBe(200);
  expect(data.analysis_result.length).toBeGreaterThan(0);
  for (const entry of data.analysis_result)
    expect(entry).toEqual({ condition: expect.any(String), treatments: expect.any(Array) });
});

test('later versions do not exist yet', async () => {
  for (const version of ['v2022-11-15', 'v2023-10-15', 'v2'])
    expect((await send('GET', `/${version}/patients`)).error.code).toBe('version_unknown');
});
