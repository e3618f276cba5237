import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { InteractionCheck, MedicationResolution } from '@perennial/schemas/resources/medication.ts';
import type { InteractionOverride } from '@perennial/schemas/resources/medication-override.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { type CallOptions, type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

const path = '/medications/interactions';
const overridesPath = `${path}/overrides`;
const ATC = 'http://www.whocc.no/atc';
const ICD10 = 'http://hl7.org/fhir/sid/icd-10';

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

const check = (body: unknown, options: CallOptions = {}): Promise<Reply<InteractionCheck>> =>
  core.call<InteractionCheck>('POST', path, { body, ...options });

const named = (...names: string[]): { name: string }[] => names.map((name) => ({ name }));

const override = (body: unknown, options: CallOptions = {}): Promise<Reply<InteractionOverride>> =>
  core.call<InteractionOverride>('POST', overridesPath, { body, ...options });

async function makePatient(records: readonly JsonObject[] = [], dob = '1950-06-15'): Promise<string> {
  const { data } = await core.call<{ id: string }>('POST', '/patients', {
    body: { name: 'Amara Okafor', dob, sex: 'female' },
  });
  for (const body of records) {
    const { status, text } = await core.call('POST', `/patients/${data.id}/records`, { body });
    if (status !== 201) throw new Error(text);
  }
  return data.id;
}

const medication = (code: string, display: string, more: JsonObject = {}): JsonObject => ({
  type: 'medication',
  status: 'active',
  code: { system: ATC, code, display },
  route: 'oral',
  ...more,
});
const condition = (code: string, display: string, more: JsonObject = {}): JsonObject => ({
  type: 'condition',
  status: 'active',
  code: { system: ICD10, code, display },
  ...more,
});
const allergy = (substance: string, more: JsonObject = {}): JsonObject => ({
  type: 'allergy',
  status: 'active',
  code: { system: 'urn:local:allergies', code: 'A1', display: substance },
  substance,
  ...more,
});
const egfr = (value: string, effective_at: string, more: JsonObject = {}): JsonObject => ({
  type: 'observation',
  status: 'final',
  code: { system: 'http://loinc.org', code: '62238-1', display: 'eGFR' },
  effective_at,
  value,
  unit: 'mL/min/{1.73_m2}',
  ...more,
});

describe('an interaction check', () => {
  test('judges every pair with explanation, sources, version and disclaimer', async () => {
    const { status, data } = await check({
      medications: [{ name: 'Coumadin 5 mg' }, { name: 'ibuprofen' }, { code: { system: 'atc', code: 'C09AA03' } }],
    });
    expect(status).toBe(200);
    expect(data.pairs).toHaveLength(3);
    const [worst] = data.pairs;
    expect([worst?.a.name, worst?.b.name].sort()).toEqual(['ibuprofen', 'warfarin']);
    expect(worst).toMatchObject({ severity: 'major', interruptive: true, overrides: [] });
    expect(worst?.mechanism && worst.effect && worst.management).toBeTruthy();
    const ids = data.sources.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(worst?.source_ids ?? ['none']));
    expect(data.medications.map(({ resolution }) => resolution.match)).toEqual(['brand', 'name', 'code']);
    expect(data.medications.every(({ origin, record_id }) => origin === 'request' && record_id === null)).toBe(true);
    expect(data.patient_facts).toBeNull();
    expect(data.disclaimer && data.knowledge_version && data.model_version).toBeTruthy();
  });

  test('never reads what it does not know as safe', async () => {
    const { data } = await check({
      medications: named('warfarin', 'qqqqzzzz'),
      options: { minimumSeverity: 'contraindicated', includeFoodAndAlcohol: false },
    });
    expect(data.pairs.map(({ severity }) => severity)).toEqual(['unknown']);
    expect(data.summary).toMatchObject({ highest: 'unknown', complete: false });
    expect(data.unresolved).toMatchObject([{ kind: 'medication', index: 1, text: 'qqqqzzzz', status: 'unresolved' }]);
  });

  test('lists only pairs that are bad enough when asked, and counts all', async () => {
    const medications = named('warfarin', 'ibuprofen', 'paracetamol', 'loratadine');
    const { data } = await check({ medications, options: { minimumSeverity: 'major', includeFoodAndAlcohol: false } });
    expect(data.pairs.every(({ severity }) => severity === 'major' || severity === 'contraindicated')).toBe(true);
    expect(Object.values(data.summary.by_severity).reduce((sum, each) => sum + each, 0)).toBe(6);
    expect(data.food).toEqual([]);
  });

  test('takes facts that are sent, and says which are missing', async () => {
    const { data } = await check({
      medications: named('amoxicillin', 'metformin'),
      patientData: { age: 70, egfr: 20, allergies: [{ text: 'penicillin' }] },
    });
    const kinds = data.patient_warnings.map(({ kind, medication: { name } }) => `${kind} ${name}`);
    expect(kinds).toEqual(expect.arrayContaining(['allergy amoxicillin', 'kidney metformin']));
    expect(data.patient_facts).toMatchObject({ patient_id: null, age: 70, egfr: 20, allergies: ['penicillin'] });
    expect(data.patient_facts?.missing).toEqual(['sex', 'pregnant', 'lactating', 'conditions', 'childPugh']);
  });

  test.each([
    ['nothing at all', {}, '/medications', 'missing_input'],
    ['an entry without name and code', { medications: [{ route: 'oral' }] }, '/medications/0', 'missing_input'],
    ['an entry of blanks', { medications: named('  ') }, '/medications/0', 'missing_input'],
    ['more than it takes', { medications: named(...Array(101).fill('warfarin')) }, '/medications', 'too_many'],
    ['a name that is too long', { medications: named('x'.repeat(201)) }, '/medications/0/name', 'too_long'],
    ['a field that there is not', { medications: [{ drug: 'x' }] }, '/medications/0/drug', 'unknown_field'],
    [
      'an age that nobody has',
      { medications: named('warfarin'), patientData: { age: 131 } },
      '/patientData/age',
      'too_large',
    ],
    [
      'a severity that there is not',
      { medications: named('warfarin'), options: { minimumSeverity: 'deadly' } },
      '/options/minimumSeverity',
      'not_allowed_value',
    ],
  ])('refuses %s by its pointer', async (_, body, pointer, code) => {
    const { status, error } = await check(body);
    expect(status).toBe(422);
    expect(error.details).toContainEqual(expect.objectContaining({ pointer, code }));
  });
});

describe('a check of a patient', () => {
  test('takes age, conditions, allergies, kidney function and active medications from the records', async () => {
    const patient_id = await makePatient([
      medication('B01AA03', 'Warfarin'),
      medication('C10AA01', 'Simvastatin', { status: 'stopped' }),
      medication('J01FA09', 'Clarithromycin', { ended_at: '2020-01-01T00:00:00.000Z' }),
      condition('K25.4', 'Gastric ulcer with bleeding'),
      condition('G40.9', 'Epilepsy', { status: 'resolved' }),
      condition('J45', 'Asthma', { verification: 'refuted' }),
      {
        ...condition('73211009', 'Diabetes'),
        code: { system: 'http://snomed.info/sct', code: '73211009', display: 'Diabetes' },
      },
      allergy('Penicillin'),
      allergy('Birch pollen', { category: 'environment' }),
      allergy('Sulfonamide', { status: 'inactive' }),
      egfr('90', '2021-01-01T08:00:00.000Z'),
      egfr('28', '2023-01-01T08:00:00.000Z'),
      egfr('99', '2023-06-01T08:00:00.000Z', { status: 'entered_in_error' }),
    ]);
    const { data } = await check({ patient_id, medications: named('ibuprofen', 'amoxicillin') });
    expect(data.medications.map(({ origin, resolution }) => [origin, resolution.substances[0]?.name])).toEqual([
      ['request', 'ibuprofen'],
      ['request', 'amoxicillin'],
      ['record', 'warfarin'],
    ]);
    expect(data.medications[2]?.record_id).toMatch(/^rec_/);
    expect(data.patient_facts).toMatchObject({
      patient_id,
      sex: 'female',
      conditions: [{ code: 'K25.4', display: 'Gastric ulcer with bleeding' }],
      conditions_not_judged: ['Diabetes'],
      allergies: ['Penicillin'],
      egfr: 28,
      egfr_measured_at: '2023-01-01T08:00:00.000Z',
      medications_left_out: 0,
    });
    expect(data.patient_facts?.age).toBeGreaterThanOrEqual(73);
    const kinds = new Set(data.patient_warnings.map(({ kind, medication: { name } }) => `${kind} ${name}`));
    for (const each of ['allergy amoxicillin', 'kidney ibuprofen', 'condition ibuprofen', 'age ibuprofen'])
      expect(kinds).toContain(each);
  });

  test('takes blood counts and potassium from recent records, in any unit, and none that are old', async () => {
    const count = (code: string, value: string, unit: string, daysAgo: number): JsonObject => ({
      type: 'observation',
      status: 'final',
      code: { system: 'http://loinc.org', code, display: 'count' },
      effective_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
      value,
      unit,
    });
    const patient_id = await makePatient([
      count('751-8', '0.9', '10*3/uL', 3),
      count('751-8', '4.1', '10*9/L', 30),
      count('2823-3', '5.9', 'mmol/L', 2),
      count('777-3', '20', '10*9/L', 400),
    ]);
    const { data } = await check({ patient_id, medications: named('clozapine', 'spironolactone') });
    expect(data.patient_facts).toMatchObject({ neutrophils: 0.9, potassium: 5.9, platelets: null });
    const warned = data.patient_warnings.map(({ medication: { name }, severity }) => `${name} ${severity}`);
    expect(warned).toEqual(expect.arrayContaining(['clozapine contraindicated']));
    expect(warned.some((each) => each.startsWith('spironolactone'))).toBe(true);
  });

  test('takes what was sent before what the records say, and joins the lists', async () => {
    const patient_id = await makePatient([egfr('90', '2023-01-01T08:00:00.000Z'), allergy('Penicillin')]);
    const { data } = await check({
      patient_id,
      medications: named('metformin'),
      patientData: { egfr: 20, allergies: [{ text: 'aspirin' }] },
    });
    expect(data.patient_facts).toMatchObject({
      egfr: 20,
      egfr_measured_at: null,
      allergies: ['Penicillin', 'aspirin'],
    });
  });

  test('reads a value below 15 as below 15', async () => {
    const patient_id = await makePatient([
      egfr('15', '2023-01-01T08:00:00.000Z', { comparator: '<' }),
      medication('B01AF02', 'Apixaban'),
    ]);
    const { data } = await check({ patient_id });
    expect(data.patient_warnings.filter(({ kind }) => kind === 'kidney')).not.toEqual([]);
  });

  test('a medication that is sent and recorded is one, and two that are sent are duplicate therapy', async () => {
    const patient_id = await makePatient([medication('B01AA03', 'Warfarin')]);
    const once = await check({ patient_id, medications: named('Coumadin') });
    expect(once.data.medications).toMatchObject([{ origin: 'request', record_id: expect.stringMatching(/^rec_/) }]);
    expect(once.data.duplicates).toEqual([]);
    const twice = await check({ patient_id, medications: named('Coumadin', 'warfarin') });
    expect(twice.data.duplicates).toMatchObject([{ kind: 'substance', of: 'warfarin' }]);
    const alone = await check({
      patient_id,
      medications: named('ibuprofen'),
      options: { includeRecordedMedications: false },
    });
    expect(alone.data.medications).toHaveLength(1);
  });

  test('is not for another account, nor for a key that may not read patients', async () => {
    const patient_id = await makePatient();
    const body = { patient_id, medications: named('warfarin') };
    const other = await check(body, { caller: { accountId: 'acc_other' } });
    expect([other.status, other.error.code]).toEqual([404, 'not_found']);
    const missing = await check({ ...body, patient_id: 'pat_00000000000000000000' });
    expect([missing.status, missing.error.code]).toEqual([404, 'not_found']);
    const blind = await check(body, { caller: { scopes: ['diagnostics:write'] } });
    expect([blind.status, blind.error.code]).toEqual([403, 'scope_missing']);
    const seeing = await check(body, { caller: { scopes: ['diagnostics:write', 'patients:read'] } });
    expect(seeing.status).toBe(200);
  });
});

describe('resolving', () => {
  test('tells how each was understood and what could be meant', async () => {
    const { status, data } = await core.call<MedicationResolution>('POST', '/medications/resolve', {
      body: { medications: named('warfarine', 'Glucophage', 'beta blocker', 'qqqqzzzz') },
      caller: { scopes: ['knowledge:read'] },
    });
    expect(status).toBe(200);
    expect(data.medications.map(({ status: each }) => each)).toEqual([
      'resolved',
      'resolved',
      'ambiguous',
      'unresolved',
    ]);
    expect(data.medications[0]?.substances[0]?.name).toBe('warfarin');
    expect(data.medications[2]?.suggestions.length).toBeGreaterThan(1);
    expect(data.disclaimer).toBeTruthy();
  });

  test('needs the scope of knowledge, and the check that of diagnostics', async () => {
    const body = { medications: named('warfarin') };
    const caller = { scopes: ['diagnostics:read'] as const };
    expect((await core.call('POST', '/medications/resolve', { body, caller })).status).toBe(403);
    expect((await check(body, { caller })).status).toBe(403);
    expect((await core.call('GET', overridesPath, { caller })).status).toBe(200);
  });
});

describe('an override', () => {
  const pair = {
    medications: named('warfarin', 'ibuprofen'),
    reason_code: 'monitoring_planned',
    reason_text: 'INR twice a week',
  };

  test('shows on the pair in later checks of the same patient, and lowers nothing', async () => {
    const patient_id = await makePatient();
    const recorded = await override({ ...pair, patient_id });
    expect(recorded.status).toBe(201);
    expect(recorded.headers.location).toBe(`${overridesPath}/${recorded.data.id}`);
    expect(recorded.data).toMatchObject({ patient_id, severity: 'major', created_by: 'key_test' });
    const medications = named('Advil', 'Coumadin', 'amoxicillin');
    const later = await check({ patient_id, medications });
    const [first, ...others] = later.data.pairs;
    expect(first).toMatchObject({
      severity: 'major',
      interruptive: true,
      overrides: [
        { id: recorded.data.id, reason_code: 'monitoring_planned', severity_then: 'major', covers_now: true },
      ],
    });
    expect(others.every(({ overrides }) => overrides.length === 0)).toBe(true);
    expect(later.data.summary.overridden).toBe(1);
    const without = await check({ medications });
    expect(without.data.summary).toEqual({ ...later.data.summary, overridden: 0, ...withoutPatient(without.data) });
    expect(without.data.pairs[0]).toMatchObject({ severity: 'major', overrides: [] });
    const another = await check({ patient_id: await makePatient(), medications });
    expect(another.data.summary.overridden).toBe(0);
  });

  test('does not cover what is judged worse than when it was recorded', async () => {
    const patient_id = await makePatient();
    const { data } = await override({ ...pair, patient_id });
    await database.db.$executeRaw`UPDATE core.interaction_overrides SET severity = 'minor' WHERE id = ${data.id}`;
    const later = await check({ patient_id, medications: named('warfarin', 'ibuprofen') });
    expect(later.data.pairs[0]?.overrides).toMatchObject([{ severity_then: 'minor', covers_now: false }]);
    expect(later.data.summary.overridden).toBe(0);
  });

  test('is listed by cursor and by patient, and goes with a deleted patient', async () => {
    const caller = { accountId: 'acc_list' };
    const { data: patient } = await core.call<{ id: string }>('POST', '/patients', {
      body: { name: 'Bo', dob: '1970-01-01' },
      caller,
    });
    const ids: string[] = [];
    for (const patient_id of [patient.id, patient.id, null])
      ids.push((await override({ ...pair, patient_id }, { caller })).data.id);
    const list = (query: string): Promise<Reply<Page<InteractionOverride>>> =>
      core.call<Page<InteractionOverride>>('GET', `${overridesPath}?${query}`, { caller });
    const first = await list('limit=2&include_total=true');
    expect(first.data.total).toBe(3);
    const second = await list(`limit=2&cursor=${first.data.next_cursor}`);
    expect([...first.data.items, ...second.data.items].map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(first.data.items[0]?.id).toBe(ids[2]);
    expect((await list(`patient_id=${patient.id}`)).data.items).toHaveLength(2);
    expect((await list(`patient_id=${patient.id}&cursor=${first.data.next_cursor}`)).status).toBe(422);
    const one = await core.call('GET', `${overridesPath}/${ids[0]}`, { caller });
    expect(one.data).toMatchObject({ id: ids[0], patient_id: patient.id });
    expect((await core.call('GET', `${overridesPath}/${ids[0]}`)).status).toBe(404);
    await core.call('DELETE', `/patients/${patient.id}`, { caller });
    expect((await list('limit=10')).data.items.map(({ id }) => id)).toEqual([ids[2]]);
    expect((await core.call('GET', `${overridesPath}/${ids[0]}`, { caller })).status).toBe(404);
  });

  test.each([
    ['an unknown medication', { medications: named('warfarin', 'qqqqzzzz') }, '/medications/1', 'not_allowed_value'],
    [
      'one that could be several',
      { medications: named('beta blocker', 'warfarin') },
      '/medications/0',
      'not_allowed_value',
    ],
    ['one alone', { medications: named('warfarin') }, '/medications', 'too_few'],
    ['a reason that there is not', { reason_code: 'hurry' }, '/reason_code', 'not_allowed_value'],
    ['no reason', { reason_code: undefined }, '/reason_code', 'required'],
    ['another reason without words', { reason_code: 'other', reason_text: ' ' }, '/reason_text', 'required'],
    ['too many words', { reason_text: 'x'.repeat(1001) }, '/reason_text', 'too_long'],
    ['text that cannot be stored', { reason_text: 'a\u0000b' }, '/reason_text', 'invalid_text'],
  ])('of %s is refused by its pointer', async (_, part, pointer, code) => {
    const { status, error } = await override({ ...pair, ...part });
    expect([status, error.details]).toEqual([422, [expect.objectContaining({ pointer, code })]]);
  });

  test('of another account’s patient is not recorded', async () => {
    const patient_id = await makePatient();
    const { status, error } = await override({ ...pair, patient_id }, { caller: { accountId: 'acc_other' } });
    expect([status, error.code]).toEqual([404, 'not_found']);
  });
});

/** What differs between the summaries of the same list with and without a patient. */
function withoutPatient({ summary }: InteractionCheck): Pick<InteractionCheck['summary'], 'interruptive' | 'highest'> {
  return { interruptive: summary.interruptive, highest: summary.highest };
}
