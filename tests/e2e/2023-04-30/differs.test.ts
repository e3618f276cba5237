import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { type CursorPage, type HeadPatient, heartAttack, startWorld, type World } from '../world.ts';

/** What differs from 2023-10-15: `analysis_result`, a number for confidence, and keys of both formats. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const send: World['gateway']['send'] = (method, path, options) =>
  world.gateway.send(method, `/v2023-04-30${path}`, { key: world.demo.legacyApiKey, ...options });

test('a patient is as core sent it but for meta.version', async () => {
  world.passed.length = 0;
  const answer = await send('GET', `/patients/${world.demo.patientId}`);
  expect([answer.status, answer.meta.version]).toEqual([200, '2.4.0']);
  expect(answer.text).toBe(world.passed[0]?.answer.toString('utf8').replace(/"version":"[\d.]+"/, '"version":"2.4.0"'));
});

test('either key format is taken', async () => {
  expect((await send('GET', `/patients/${world.demo.patientId}`, { key: world.demo.apiKey })).status).toBe(200);
});

test('patients are written and listed by cursor', async () => {
  const created = await send<HeadPatient>('POST', '/patients', { body: { name: 'B', dob: '1990-01-01', sex: 'male' } });
  expect(created.status).toBe(201);
  expect(created.headers.location).toBe(`/v2023-04-30/patients/${created.data.id}`);
  const page = await send<CursorPage<HeadPatient>>('GET', '/patients?limit=2&sort=-created_at');
  expect(page.data.items[0]?.id).toBe(created.data.id);
  expect(page.data.has_more).toBe(true);
});

describe('an analysis', () => {
  test('has analysis_result with a number for confidence', async () => {
    const { data } = await send<{ analysis_result: { suggestions: JsonObject[] } }>('POST', '/diagnostics/analyze', {
      body: heartAttack,
    });
    expect(Object.keys(data)).toEqual(['analysis_result', 'understood']);
    for (const { confidence } of data.analysis_result.suggestions) expect(confidence).toEqual(expect.any(Number));
  });

  test('has null for confidence when none was asked for', async () => {
    const { status, data } = await send<{ analysis_result: { suggestions: JsonObject[] } }>(
      'POST',
      '/diagnostics/analyze',
      { body: { ...heartAttack, options: { includeConfidenceScores: false, maxResults: 1 } } },
    );
    expect(status).toBe(200);
    expect(data.analysis_result.suggestions).toHaveLength(1);
    expect(data.analysis_result.suggestions[0]?.['confidence']).toBeNull();
  });
});
