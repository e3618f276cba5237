import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import type { Analysis } from '@perennial/schemas/resources/analysis.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import { type Reply, startCore, type TestCore } from '../support/core.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let core: TestCore;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

const analyze = (patientData: unknown, options?: unknown): Promise<Reply<Analysis>> =>
  core.call<Analysis>('POST', '/diagnostics/analyze', { body: { patientData, options } });

const infarction = {
  age: 68,
  sex: 'male',
  symptoms: ['crushing chest pain', 'sweating', 'no fever', 'blorptitude'],
  vitalSigns: { bloodPressure: { systolic: 88, diastolic: 55 }, heartRate: 118, temperature: 36.6 },
};

describe('an analysis', () => {
  test('is answered 200 in the shape of the contract, with an id of its own and no tag', async () => {
    const one = await analyze(infarction);
    const two = await analyze(infarction);
    expect(one.status).toBe(200);
    expect(createValidator(head.resources).body('Analysis', one.data)).toEqual([]);
    expect(one.data.diagnostic_result.id).toMatch(/^diag_[0-9A-Za-z]{20}$/);
    expect(one.data.diagnostic_result.id).not.toBe(two.data.diagnostic_result.id);
    expect(one.headers.etag).toBeUndefined();
    expect({ ...two.data.diagnostic_result, id: '' }).toEqual({ ...one.data.diagnostic_result, id: '' });
  });

  test('puts a cardiac emergency first, raises a red flag, and reports what it did not understand', async () => {
    const { diagnostic_result: result } = (await analyze(infarction)).data;
    expect(result.suggestions[0]).toMatchObject({ rank: 1, urgency: 'emergency' });
    expect(result.red_flags.length).toBeGreaterThan(0);
    expect(result.triage.level).toBe('emergency');
    expect(result.unrecognized).toEqual(['blorptitude']);
  });

  test('obeys maxResults and includeConfidenceScores', async () => {
    const all = (await analyze(infarction, { maxResults: 3 })).data.diagnostic_result.suggestions;
    expect(all.length).toBeLessThanOrEqual(3);
    expect(all.every(({ confidence }) => confidence !== null)).toBe(true);
    const bare = (await analyze(infarction, { maxResults: 1, includeConfidenceScores: false })).data.diagnostic_result;
    expect(bare.suggestions).toHaveLength(1);
    expect(bare.suggestions[0]).toMatchObject({ confidence: null, condition: all[0]?.condition });
  });

  test('a single vital sign is enough', async () => {
    expect((await analyze({ vitalSigns: { temperature: 40.2 } })).status).toBe(200);
    expect((await analyze({ vitalSigns: { bloodPressure: { systolic: 240 } } })).status).toBe(200);
  });
});

describe('is refused with 422', () => {
  const faults = async (patientData: unknown, options?: unknown): Promise<unknown> => {
    const reply = await analyze(patientData, options);
    expect([reply.status, reply.error.code]).toEqual([422, 'validation_failed']);
    return reply.error.details.map(({ pointer, code }) => [pointer, code]);
  };

  test.each([
    [{}],
    [{ age: 40, sex: 'male' }],
    [{ symptoms: [] }],
    [{ symptoms: [], vitalSigns: {} }],
    [{ vitalSigns: { bloodPressure: {} } }],
  ])('when there is nothing to go by: %j', async (patientData) => {
    expect(await faults(patientData)).toEqual([['/patientData', 'missing_input']]);
  });

  test('when a value is of the wrong type, out of bounds or unknown, each with its pointer', async () => {
    expect(await faults(undefined)).toEqual([['/patientData', 'required']]);
    expect(await faults({ ...infarction, age: '68' })).toEqual([['/patientData/age', 'wrong_type']]);
    expect(await faults({ ...infarction, age: 68.5 })).toEqual([['/patientData/age', 'wrong_type']]);
    expect(await faults({ ...infarction, age: 131 })).toEqual([['/patientData/age', 'too_large']]);
    expect(await faults({ ...infarction, gender: 'male' })).toEqual([['/patientData/gender', 'unknown_field']]);
    expect(await faults({ ...infarction, symptoms: ['a', 5] })).toEqual([['/patientData/symptoms/1', 'wrong_type']]);
    expect(await faults(infarction, { maxResults: 0 })).toEqual([['/options/maxResults', 'too_small']]);
  });

  test('when a vital sign is in the wrong unit', async () => {
    expect(await faults({ vitalSigns: { temperature: 101.3 } })).toEqual([
      ['/patientData/vitalSigns/temperature', 'implausible'],
    ]);
    const pressure = { bloodPressure: { systolic: 12, diastolic: 900 }, heartRate: -4 };
    expect(await faults({ ...infarction, vitalSigns: pressure })).toEqual(
      expect.arrayContaining([
        ['/patientData/vitalSigns/bloodPressure/systolic', 'implausible'],
        ['/patientData/vitalSigns/bloodPressure/diastolic', 'implausible'],
        ['/patientData/vitalSigns/heartRate', 'implausible'],
      ]),
    );
  });
});
