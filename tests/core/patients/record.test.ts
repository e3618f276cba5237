import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import { type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

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

const full = {
  name: 'Amara Okafor',
  dob: '1984-03-07',
  sex: 'female',
  gender_identity: 'woman',
  contact_info: { email: 'amara@example.org', phone: '+44 20 7946 0958', preferred_method: 'phone' },
};

const create = async (body: unknown = full): Promise<Reply<Patient>> =>
  core.call<Patient>('POST', '/patients', { body });
const get = (id: string): Promise<Reply<Patient>> => core.call<Patient>('GET', `/patients/${id}`);
const put = (id: string, body: unknown): Promise<Reply<Patient>> =>
  core.call<Patient>('PUT', `/patients/${id}`, { body });
const patch = (id: string, body: unknown): Promise<Reply<Patient>> =>
  core.call<Patient>('PATCH', `/patients/${id}`, { body });

/** What a caller can write of a patient. */
function written({ name, dob, sex, gender_identity, contact_info }: Patient): unknown {
  return { name, dob, sex, gender_identity, contact_info };
}

describe('create', () => {
  test('answers 201 with the patient, its Location and its tag', async () => {
    const reply = await create();
    expect(reply.status).toBe(201);
    expect(written(reply.data)).toEqual(full);
    expect(reply.headers.location).toBe(`/patients/${reply.data.id}`);
    expect(reply.headers.etag).toMatch(/^"1\.[0-9A-Za-z_-]{8}"$/);
    expect(reply.data.created_at).toBe(reply.data.updated_at);
    expect((await get(reply.data.id)).data).toEqual(reply.data);
  });

  test('what is absent is printed as null, and contact_info is always an object', async () => {
    const empty = { email: null, phone: null, preferred_method: null };
    for (const contact of [{}, { contact_info: null }, { contact_info: {} }, { contact_info: empty, sex: null }]) {
      const { data, text } = await create({ name: 'A', dob: '2001-02-03', ...contact });
      expect(written(data)).toEqual({
        name: 'A',
        dob: '2001-02-03',
        sex: null,
        gender_identity: null,
        contact_info: empty,
      });
      expect(text).toContain('"contact_info":{"email":null,"phone":null,"preferred_method":null}');
    }
  });

  test('answers conform to the contract', async () => {
    const validator = createValidator(head.resources);
    for (const body of [full, { name: 'A', dob: '2001-02-03' }]) {
      expect(validator.body('Patient', (await create(body)).data)).toEqual([]);
    }
  });

  test('read-only fields sent along are ignored', async () => {
    const { status, data } = await create({ ...full, id: 'pat_mineMineMine', created_at: 7, updated_at: null });
    expect(status).toBe(201);
    expect(data.id).not.toBe('pat_mineMineMine');
  });

  test('each date of birth comes back as the same day', async () => {
    for (const dob of ['1900-02-28', '1927-12-31', '1970-01-01', '2000-02-29', '2011-12-30']) {
      const { data } = await create({ name: 'A', dob });
      expect(data.dob).toBe(dob);
      expect((await get(data.id)).data.dob).toBe(dob);
    }
  });
});

describe('dates of birth', () => {
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const yearsAgo = (years: number, days: number): string => {
    const date = new Date(Date.now() + days * 86_400_000);
    date.setUTCFullYear(date.getUTCFullYear() - years);
    return date.toISOString().slice(0, 10);
  };

  test.each([
    [inDays(2), 'in_future'],
    ['9999-12-31', 'in_future'],
    [yearsAgo(150, -2), 'implausible'],
    ['0000-01-01', 'implausible'],
  ])('%s is %s, on create, replace and update', async (dob, code) => {
    const { data } = await create();
    for (const reply of [
      await create({ ...full, dob }),
      await put(data.id, { ...full, dob }),
      await patch(data.id, { dob }),
    ]) {
      expect(reply.status).toBe(422);
      expect(reply.error.details).toMatchObject([{ pointer: '/dob', code }]);
    }
  });

  test('born today, and 149 years ago, is possible', async () => {
    expect((await create({ name: 'A', dob: inDays(0) })).status).toBe(201);
    expect((await create({ name: 'A', dob: yearsAgo(149, 0) })).status).toBe(201);
  });
});

describe('replace', () => {
  test('clears what is absent, keeps id and created_at, and moves on the revision', async () => {
    const { data: before } = await create();
    const reply = await put(before.id, { name: 'Zoë', dob: '1990-05-06' });
    expect(reply.status).toBe(200);
    expect(written(reply.data)).toEqual({
      name: 'Zoë',
      dob: '1990-05-06',
      sex: null,
      gender_identity: null,
      contact_info: { email: null, phone: null, preferred_method: null },
    });
    expect([reply.data.id, reply.data.created_at]).toEqual([before.id, before.created_at]);
    expect(reply.data.updated_at > before.updated_at).toBe(true);
    expect(reply.headers.etag).toContain('"2.');
    expect((await get(before.id)).data).toEqual(reply.data);
  });

  test('the answer itself can be sent back, and changes nothing', async () => {
    const { data } = await create();
    const reply = await put(data.id, data);
    expect(reply.data).toEqual(data);
    expect(reply.headers.etag).toContain('"1.');
  });

  test('required fields are required', async () => {
    const { data } = await create();
    const reply = await put(data.id, { sex: 'male' });
    expect(reply.error.details.map(({ pointer }) => pointer).sort()).toEqual(['/dob', '/name']);
  });
});

describe('update', () => {
  const cases: [string, unknown, unknown][] = [
    ['absent keeps', { name: 'B' }, { ...full, name: 'B' }],
    ['null clears', { sex: null, gender_identity: null }, { ...full, sex: null, gender_identity: null }],
    [
      'a nested object is merged',
      { contact_info: { phone: '1' } },
      { ...full, contact_info: { ...full.contact_info, phone: '1' } },
    ],
    [
      'null within a nested object clears that member',
      { contact_info: { email: null } },
      { ...full, contact_info: { ...full.contact_info, email: null } },
    ],
    ['an empty nested object changes nothing', { contact_info: {} }, full],
    [
      'null for contact_info clears its members',
      { contact_info: null },
      { ...full, contact_info: { email: null, phone: null, preferred_method: null } },
    ],
    ['an empty text is a value', { gender_identity: '' }, { ...full, gender_identity: '' }],
    ['a new date of birth', { dob: '1999-12-31' }, { ...full, dob: '1999-12-31' }],
  ];
  test.each(cases)('%s', async (_name, change, expected) => {
    const { data } = await create();
    const reply = await patch(data.id, change);
    expect(reply.status).toBe(200);
    expect(written(reply.data)).toEqual(expected);
    expect((await get(data.id)).data).toEqual(reply.data);
  });

  test('what cannot be cleared is refused', async () => {
    const { data } = await create();
    const reply = await patch(data.id, { name: null, dob: null });
    expect(reply.error.details.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/name', 'wrong_type'],
      ['/dob', 'wrong_type'],
    ]);
  });

  test('a patch that changes nothing keeps revision and updated_at', async () => {
    const { data } = await create();
    const reply = await patch(data.id, { name: full.name, contact_info: { phone: full.contact_info.phone } });
    expect(reply.data).toEqual(data);
    expect(reply.headers.etag).toContain('"1.');
  });
});

describe('an id in the body', () => {
  test('that differs from the path is 422 immutable; the same one, or null, is fine', async () => {
    const { data } = await create();
    for (const id of ['pat_someoneElse', 7, {}]) {
      for (const reply of [await put(data.id, { ...full, id }), await patch(data.id, { name: 'B', id })]) {
        expect(reply.status).toBe(422);
        expect(reply.error.details).toMatchObject([{ pointer: '/id', code: 'immutable' }]);
      }
    }
    expect((await put(data.id, { ...full, id: data.id })).status).toBe(200);
    expect((await patch(data.id, { name: 'B', id: null })).status).toBe(200);
  });

  test('every fault beyond the shape is named at once', async () => {
    const { data } = await create();
    const reply = await patch(data.id, { id: 'pat_other000', dob: '9999-01-01' });
    expect(reply.error.details.map(({ pointer }) => pointer)).toEqual(['/id', '/dob']);
  });
});

describe('delete', () => {
  test('answers 204 without a body; afterwards the patient is gone everywhere', async () => {
    const { data } = await create({ ...full, name: 'Gone Tomorrow' });
    const reply = await core.call('DELETE', `/patients/${data.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(reply.headers['content-length']).toBeUndefined();
    expect((await get(data.id)).status).toBe(404);
    expect((await put(data.id, full)).status).toBe(404);
    expect((await patch(data.id, { name: 'B' })).status).toBe(404);
    expect((await core.call('DELETE', `/patients/${data.id}`)).status).toBe(404);
    expect((await core.call('GET', '/patients?name=gone%20tomorrow')).data).toMatchObject({ items: [] });
  });

  test('the row stays, marked', async () => {
    const { data } = await create();
    await core.call('DELETE', `/patients/${data.id}`);
    const row = await database.db.patient.findUnique({ where: { id: data.id } });
    expect(row?.deletedAt).toBeInstanceOf(Date);
  });
});

describe('accounts are isolated', () => {
  test('another account’s patient is exactly as missing as one that never was', async () => {
    const mine = (await create()).data.id;
    const deleted = (await create()).data.id;
    await core.call('DELETE', `/patients/${deleted}`);
    const caller = { accountId: 'acc_other' };
    const bare = ({ status, text, headers }: Reply<unknown>): readonly unknown[] => [
      status,
      text.replace(/"requestId":"[^"]+","timestamp":"[^"]+","meta":\{"processingTimeMs":\d+/, ''),
      { ...headers, 'x-request-id': '', date: '', 'content-length': '' },
    ];
    const calls: [string, unknown][] = [
      ['GET', undefined],
      ['HEAD', undefined],
      ['PUT', full],
      ['PATCH', { name: 'Mallory' }],
      ['DELETE', undefined],
    ];
    for (const [method, body] of calls) {
      const missing = bare(await core.call(method, '/patients/pat_neverWasHere', { body, caller }));
      expect(missing[0]).toBe(404);
      for (const headers of [{}, { 'if-match': '*' }, { 'if-match': 'W/"1.abcdefgh"' }]) {
        expect(bare(await core.call(method, `/patients/${mine}`, { body, caller, headers }))).toEqual(missing);
        expect(bare(await core.call(method, `/patients/${deleted}`, { body, headers }))).toEqual(missing);
      }
    }
    expect((await get(mine)).data.name).toBe(full.name);
    const list = await core.call('GET', '/patients?include_total=true', { caller });
    expect(list.data).toEqual({ items: [], next_cursor: null, has_more: false, total: 0 });
  });
});
