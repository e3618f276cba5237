import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import type { MedicalRecord, RecordVersion } from '@perennial/schemas/resources/record.ts';
import { type CallOptions, type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let core: TestCore;
let records: string;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  records = await makePatient();
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

async function makePatient(): Promise<string> {
  const body = { name: 'Amara Okafor', dob: '1984-03-07' };
  const { data } = await core.call<{ id: string }>('POST', '/patients', { body });
  return `/patients/${data.id}/records`;
}

/** A record of any type, its members read by name. */
type AnyRecord = MedicalRecord & JsonObject;

const call = (method: string, path: string, options: CallOptions = {}): Promise<Reply<AnyRecord>> =>
  core.call<AnyRecord>(method, path, options);

const add = (body: unknown, to: string = records): Promise<Reply<AnyRecord>> => call('POST', to, { body });

const loinc = (code: string): JsonObject => ({ system: 'http://loinc.org', code, display: null });
const icd10 = (code: string): JsonObject => ({ system: 'http://hl7.org/fhir/sid/icd-10', code, display: null });

const full: Readonly<Record<string, JsonObject>> = {
  condition: {
    type: 'condition',
    status: 'active',
    code: { system: 'http://snomed.info/sct', code: '73211009', display: 'Diabetes mellitus' },
    effective_at: '2019-04-02T00:00:00.000Z',
    author: 'Dr. N. Achterberg',
    onset: '2019-03-01',
    abatement: '2019-04-02',
    verification: 'confirmed',
    severity: 'moderate',
  },
  medication: {
    type: 'medication',
    status: 'completed',
    code: { system: 'http://www.whocc.no/atc', code: 'A10BA02', display: 'Metformin' },
    effective_at: '2019-04-02T08:00:00.000Z',
    author: null,
    dosage: '500 mg twice a day',
    route: 'oral',
    dose_value: '500',
    dose_unit: 'mg',
    indication: icd10('E11.9'),
    ended_at: '2020-04-02T08:00:00.000Z',
  },
  allergy: {
    type: 'allergy',
    status: 'active',
    code: { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'Z88.0', display: null },
    effective_at: null,
    author: null,
    substance: 'Penicillin',
    category: 'medication',
    reaction: 'Urticaria',
    severity: 'mild',
    criticality: 'low',
  },
  observation: {
    type: 'observation',
    status: 'final',
    code: loinc('2345-7'),
    effective_at: '2023-05-17T09:30:00.000Z',
    author: null,
    value: '100',
    unit: 'mg/dL',
    comparator: null,
    interpretation: 'normal',
    reference_range: { low: '70', high: null },
    components: [],
  },
  procedure: {
    type: 'procedure',
    status: 'completed',
    code: { system: 'http://www.cms.gov/Medicare/Coding/ICD10', code: '0DTJ4ZZ', display: null },
    effective_at: '2010-01-01T10:00:00.000Z',
    author: null,
    outcome: 'uncomplicated',
    body_site: null,
    ended_at: '2010-01-01T11:00:00.000Z',
  },
  note: {
    type: 'note',
    status: 'final',
    code: null,
    effective_at: '2023-05-17T09:30:00.000Z',
    author: 'Nurse T. Lindgren',
    title: 'Zoë’s visit',
    text: 'Feels well.',
  },
};

const pointers = (reply: Reply<unknown>): readonly string[] =>
  reply.error.details.map(({ code, pointer, parameter }) => `${code} ${pointer ?? parameter}`).sort();

describe('each type has its own schema', () => {
  test.each(Object.keys(full))('a %s is read back as it was written', async (type) => {
    const created = await add(full[type]);
    expect([created.status, created.error]).toEqual([201, undefined]);
    expect(created.data).toMatchObject(full[type] as JsonObject);
    expect(created.headers.location).toBe(`${records}/${created.data.id}`);
    const read = await call('GET', `${records}/${created.data.id}`);
    expect(read.data).toEqual(created.data);
    expect(read.headers.etag).toBe(created.headers.etag);
  });

  test.each(Object.keys(full))('what a %s leaves out is printed as null, and lists as empty', async (type) => {
    const least = { type, status: full[type]?.['status'], code: full[type]?.['code'], text: 'x', value: 'positive' };
    if (type !== 'note') delete (least as JsonObject)['text'];
    if (type !== 'observation') delete (least as JsonObject)['value'];
    const { status, data } = await add(least);
    expect(status).toBe(201);
    for (const name of Object.keys(full[type] as JsonObject)) {
      if (!(name in least)) expect([name, data[name]]).toEqual([name, name === 'components' ? [] : null]);
    }
  });

  test('a member of another type is unknown, and the fault is of the type that was named', async () => {
    const reply = await add({ ...full['note'], dosage: 'x', text: 1 });
    expect([reply.status, pointers(reply)]).toEqual([422, ['unknown_field /dosage', 'wrong_type /text']]);
  });

  test('a type that does not exist, or none, is one fault', async () => {
    expect(pointers(await add({ ...full['note'], type: 'rumour' }))).toEqual(['not_allowed_value /type']);
    expect(pointers(await add({ status: 'final', text: 'x' }))).toEqual(['required /type']);
  });

  test('a status of another type is refused', async () => {
    expect(pointers(await add({ ...full['note'], status: 'active' }))).toEqual(['not_allowed_value /status']);
  });

  test('prototypes cannot be reached by names', async () => {
    const body = '{"type":"note","status":"final","text":"x","__proto__":{"author":"y"}}';
    expect(pointers(await add(body))).toEqual(['unknown_field /__proto__']);
    expect(pointers(await add({ ...full['note'], type: 'constructor' }))).toEqual(['not_allowed_value /type']);
  });
});

describe('codes and units are checked', () => {
  test.each([
    ['http://loinc.org', '4548-5'],
    ['http://snomed.info/sct', '73211008'],
    ['http://hl7.org/fhir/sid/icd-10', 'diabetes'],
    ['http://www.whocc.no/atc', 'A1'],
    ['http://www.nlm.nih.gov/research/umls/rxnorm', '12a'],
  ])('a code that %s cannot have is refused: %s', async (system, code) => {
    const reply = await add({ ...full['condition'], code: { system, code } });
    expect([reply.status, pointers(reply)]).toEqual([422, ['code_malformed /code/code']]);
  });

  test('codes of other systems are taken as they are', async () => {
    const code = { system: 'urn:oid:1.2.3', code: 'local-7', display: 'Local' };
    expect((await add({ ...full['condition'], code })).data.code).toEqual(code);
  });

  test.each(['degF', 'mg/dl ', 'bogus', '__proto__', 'constructor'])('%p is no unit of UCUM', async (unit) => {
    expect(pointers(await add({ ...full['observation'], unit }))).toEqual(['unit_unknown /unit']);
  });

  test('a unit that does not measure what the code stands for is refused', async () => {
    expect(pointers(await add({ ...full['observation'], unit: 'cm' }))).toEqual(['unit_unfit /unit']);
    // One dimension, two scales: 7.1 % is 54 mmol/mol, and not 71.
    const hba1c = { ...full['observation'], code: loinc('4548-4'), value: '54', unit: 'mmol/mol' };
    expect(pointers(await add(hba1c))).toEqual(['unit_unfit /unit']);
  });

  test('a value with a unit is a number, and a value is needed unless there are components', async () => {
    expect(pointers(await add({ ...full['observation'], value: 'high' }))).toEqual(['wrong_format /value']);
    expect(pointers(await add({ ...full['observation'], value: null, unit: null }))).toEqual(['required /value']);
  });

  test.each([
    ['2345-7', '100', 'mg/dL', { value: '5.55', unit: 'mmol/L' }],
    ['2160-0', '1.02', 'mg/dL', { value: '90.2', unit: 'umol/L' }],
    ['8310-5', '98.6', '[degF]', { value: '37', unit: 'Cel' }],
    ['29463-7', '154', '[lb_av]', { value: '69.9', unit: 'kg' }],
    ['4548-4', '7.10', '%', { value: '7.10', unit: '%' }],
    ['1742-6', '31', 'U/L', null],
  ])('%s %s %s is compared as %j', async (code, value, unit, canonical) => {
    const { status, data } = await add({ ...full['observation'], code: loinc(code), value, unit });
    expect([status, data['value'], data['unit'], data['canonical']]).toEqual([201, value, unit, canonical]);
  });

  test('components have codes, units and values of their own', async () => {
    const components = [
      { code: '8480-6', display: 'Systolic', value: '128', unit: 'mm[Hg]' },
      { code: '8462-4', value: '10', unit: 'kPa' },
    ];
    const panel = { type: 'observation', status: 'final', code: loinc('85354-9') };
    const { data } = await add({ ...panel, components });
    expect(data['components']).toEqual([
      { system: null, ...components[0], canonical: { value: '128', unit: 'mm[Hg]' } },
      { system: null, display: null, ...components[1], canonical: { value: '75', unit: 'mm[Hg]' } },
    ]);
    const wrong = [{ code: '8480-7', value: '128', unit: 'mmHg' }];
    expect(pointers(await add({ ...panel, components: wrong }))).toEqual([
      'code_malformed /components/0/code',
      'unit_unknown /components/0/unit',
    ]);
    const many = Array.from({ length: 51 }, () => components[0]);
    expect(pointers(await add({ ...panel, components: many }))).toEqual(['too_many /components']);
  });

  test('a value is converted between units on request, and refused where there is no way', async () => {
    const convert = (query: string): Promise<Reply<JsonObject>> => core.call('GET', `/units/convert?${query}`);
    expect((await convert('value=98.6&from=%5BdegF%5D&to=Cel')).data['to']).toEqual({ value: '37', unit: 'Cel' });
    expect((await convert('value=5.55&from=mmol/L&to=mg/dL&code=2345-7')).data['to']).toEqual({
      value: '100',
      unit: 'mg/dL',
    });
    expect(pointers(await convert('value=1&from=mmol/L&to=mg/dL'))).toEqual(['unit_unfit to']);
    expect(pointers(await convert('value=1&from=mmHg&to=kPa'))).toEqual(['unit_unknown from']);
    expect(pointers(await convert('from=kPa&to=kPa'))).toEqual(['required value']);
  });
});

describe('times are possible', () => {
  test('an instant is kept whatever its offset, and said in UTC', async () => {
    const { data } = await add({ ...full['note'], effective_at: '2023-05-17T11:30:00+02:00' });
    expect(data.effective_at).toBe('2023-05-17T09:30:00.000Z');
  });

  test('the future is for plans, the distant past for nobody, and an end comes after its beginning', async () => {
    const inAYear = new Date(Date.now() + 366 * 86_400_000).toISOString();
    expect(pointers(await add({ ...full['note'], effective_at: inAYear }))).toEqual(['in_future /effective_at']);
    const planned = { ...full['procedure'], status: 'planned', effective_at: inAYear, ended_at: null };
    expect((await add(planned)).status).toBe(201);
    expect(pointers(await add({ ...full['note'], effective_at: '1066-10-14T09:00:00Z' }))).toEqual([
      'implausible /effective_at',
    ]);
    expect(pointers(await add({ ...full['condition'], abatement: '2019-02-28' }))).toEqual(['implausible /abatement']);
    expect(pointers(await add({ ...full['note'], effective_at: '2016-12-31T23:59:60Z' }))).toEqual([
      'wrong_format /effective_at',
    ]);
  });
});

describe('corrections keep the earlier value', () => {
  const history = (path: string, query = ''): Promise<Reply<Page<RecordVersion>>> =>
    core.call('GET', `${path}/history${query}`);

  test('who, when and which fields, with the record as it was, newest first', async () => {
    const { data } = await add(full['observation']);
    const path = `${records}/${data.id}`;
    const caller = { keyId: 'key_second' } as const;
    const patch = { type: 'observation', value: '5.6', unit: 'mmol/L', reference_range: { high: '5.9' } };
    const corrected = await call('PATCH', path, { body: patch, caller });
    expect(corrected.data).toMatchObject({ value: '5.6', reference_range: { low: '70', high: '5.9' } });
    await call('PUT', path, { body: { ...full['observation'], status: 'corrected' } });
    const { items } = (await history(path)).data;
    expect(items.map(({ revision, action, changed_by }) => [revision, action, changed_by])).toEqual([
      [3, 'corrected', 'key_test'],
      [2, 'corrected', 'key_second'],
      [1, 'created', 'key_test'],
    ]);
    expect(items.map(({ changed_fields }) => changed_fields).slice(0, 2)).toEqual([
      ['status', 'value', 'unit', 'reference_range'],
      ['value', 'unit', 'reference_range'],
    ]);
    expect(items[2]?.record).toEqual(data);
    expect(items[1]?.record).toEqual(corrected.data);
    expect(items[1]?.changed_at).toBe(corrected.data.updated_at);
  });

  test('a record that came without a history gets one with its first correction', async () => {
    const patientId = records.split('/')[2] as string;
    await database.db.medicalRecord.create({
      data: {
        id: 'rec_seeded000001',
        accountId: 'acc_test',
        patientId,
        type: 'note',
        status: 'final',
        content: { text: 'as it came' },
      },
    });
    const path = `${records}/rec_seeded000001`;
    const before = (await history(path, '?include_total=true')).data;
    expect(before).toMatchObject({
      total: 1,
      items: [{ revision: 1, changed_by: null, record: { text: 'as it came' } }],
    });
    await call('PATCH', path, { body: { type: 'note', text: 'corrected' } });
    const after = (await history(path, '?sort=revision&include_total=true')).data;
    expect(after.items.map(({ record }) => (record as AnyRecord)['text'])).toEqual(['as it came', 'corrected']);
    expect(after.total).toBe(2);
  });

  test('is read by cursor', async () => {
    const { data } = await add(full['note']);
    const path = `${records}/${data.id}`;
    for (const text of ['a', 'b', 'c']) await call('PATCH', path, { body: { type: 'note', text } });
    const first = (await history(path, '?limit=3')).data;
    const second = (await history(path, `?limit=3&cursor=${first.next_cursor}`)).data;
    expect([...first.items, ...second.items].map(({ revision }) => revision)).toEqual([4, 3, 2, 1]);
    expect(second.has_more).toBe(false);
    const other = await add(full['note']);
    expect(pointers(await history(`${records}/${other.data.id}`, `?limit=3&cursor=${first.next_cursor}`))).toEqual([
      'cursor_invalid cursor',
    ]);
  });

  test('the type never changes, a patch names it, and the merged whole is checked', async () => {
    const { data } = await add(full['observation']);
    const path = `${records}/${data.id}`;
    const patch = (body: unknown): Promise<readonly string[]> => call('PATCH', path, { body }).then(pointers);
    expect(await patch({ value: '7' })).toEqual(['required /type']);
    expect(await patch({ type: 'note', text: 'x' })).toEqual(['immutable /type']);
    expect(await patch({ type: 'observation', value: null })).toContain('required /value');
    expect(await patch({ type: 'observation', unit: 'kg' })).toEqual(['unit_unfit /unit']);
    expect(await patch({ type: 'observation', id: 'rec_other0000001' })).toEqual(['immutable /id']);
    expect((await call('GET', path)).headers.etag).toContain('"1.');
  });

  test('a write that changes nothing is no new state', async () => {
    const { data, headers } = await add(full['medication']);
    const path = `${records}/${data.id}`;
    expect((await call('PUT', path, { body: full['medication'] })).headers.etag).toBe(headers.etag);
    expect((await history(path)).data.items).toHaveLength(1);
  });

  test('a deleted record is missing, and restored with its history', async () => {
    const { data } = await add(full['note']);
    const path = `${records}/${data.id}`;
    expect((await call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await call(method, path)).status).toBe(404);
    expect((await call('PATCH', path, { body: { type: 'note', text: 'x' } })).status).toBe(404);
    expect((await history(path)).status).toBe(404);
    const restored = await call('POST', `${path}/restore`);
    expect([restored.status, restored.data['text']]).toEqual([200, 'Feels well.']);
    expect((await call('POST', `${path}/restore`)).headers.etag).toBe(restored.headers.etag);
    const { items } = (await history(path)).data;
    expect(items.map(({ action }) => action)).toEqual(['restored', 'deleted', 'created']);
  });

  test('twenty writers at once are all kept, each a version', async () => {
    const { data } = await add(full['note']);
    const path = `${records}/${data.id}`;
    const writes = Array.from({ length: 20 }, (_, index) =>
      call('PATCH', path, { body: { type: 'note', text: `t${index}` } }),
    );
    expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([200]));
    const { items } = (await history(path, '?limit=100')).data;
    expect(items.map(({ revision }) => revision)).toEqual(Array.from({ length: 21 }, (_, index) => 21 - index));
  });

  test('of two with the same If-Match one is told that it lost', async () => {
    const { data, headers } = await add(full['note']);
    const path = `${records}/${data.id}`;
    const write = (text: string): Promise<Reply<AnyRecord>> =>
      call('PATCH', path, { body: { type: 'note', text }, headers: { 'if-match': headers.etag ?? '' } });
    const statuses = (await Promise.all([write('a'), write('b')])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412]);
  });
});

describe('lists', () => {
  let path: string;
  let other: string;

  beforeAll(async () => {
    path = await makePatient();
    other = await makePatient();
    for (const [index, type] of Object.keys(full).entries()) {
      for (let copy = 0; copy < 4; copy += 1) {
        const effective = copy === 0 ? null : `202${copy}-0${index + 1}-01T00:00:00Z`;
        const ends = type === 'medication' || type === 'procedure' ? { ended_at: null } : {};
        await add({ ...full[type], effective_at: effective, ...ends }, path);
      }
    }
    await add(full['note'], other);
  });

  const list = (query: string, from: string = path): Promise<Reply<Page<AnyRecord>>> =>
    core.call('GET', `${from}?${query}`);

  test.each(['created_at', '-created_at', 'effective_at', '-effective_at', 'updated_at,-effective_at'])(
    'sort=%s visits each record once, in order, whatever the page size',
    async (sort) => {
      const whole = (await list(`sort=${sort}&limit=100`)).data.items.map(({ id }) => id);
      expect(new Set(whole).size).toBe(24);
      for (const limit of [1, 5, 24]) {
        const walked: string[] = [];
        let cursor = '';
        do {
          const { data } = await list(`sort=${sort}&limit=${limit}${cursor}`);
          walked.push(...data.items.map(({ id }) => id));
          cursor = data.next_cursor === null ? '' : `&cursor=${data.next_cursor}`;
        } while (cursor !== '');
        expect(walked).toEqual(whole);
      }
    },
  );

  test('by type, status, code and time', async () => {
    const total = async (query: string): Promise<number | undefined> =>
      (await list(`${query}&include_total=true`)).data.total;
    expect(await total('type=allergy')).toBe(4);
    expect(await total('status=final')).toBe(8);
    expect(await total('code.code=2345-7')).toBe(4);
    expect(await total('code.system=http://loinc.org&code.code=2345-7')).toBe(4);
    expect(await total('code.system=http://snomed.info/sct&code.code=2345-7')).toBe(0);
    expect(await total('effective_from=2022-01-01T00:00:00Z')).toBe(12);
    expect(await total('effective_from=2022-01-01T00:00:00Z&effective_to=2022-03-01T00:00:00Z')).toBe(3);
    expect(await total('type=note&effective_to=2021-12-31T23:59:59%2B02:00')).toBe(1);
    for (const query of ['type=rumour', 'effective_from=yesterday', 'effective_to=0000-01-01T00:00:00Z', 'colour=red'])
      expect((await list(query)).status).toBe(422);
  });

  test('a cursor is of one list: not of another patient, filter or account', async () => {
    const cursor = (await list('limit=1')).data.next_cursor;
    expect((await list(`limit=1&cursor=${cursor}`)).status).toBe(200);
    expect((await list(`limit=1&cursor=${cursor}`, other)).status).toBe(422);
    expect((await list(`limit=1&type=note&cursor=${cursor}`)).status).toBe(422);
  });

  test('records of all patients are listed, but none of a deleted one', async () => {
    const notes = async (): Promise<readonly string[]> =>
      (await list('type=note&limit=100', '/records')).data.items.map(({ patient_id }) => patient_id);
    const gone = await makePatient();
    await add(full['note'], gone);
    const goneId = gone.split('/')[2] as string;
    expect(await notes()).toContain(goneId);
    await core.call('DELETE', `/patients/${goneId}`);
    expect(await notes()).not.toContain(goneId);
    expect((await list('', gone)).status).toBe(404);
  });
});
