import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Answer } from '../../support/gateway.ts';
import {
  type CursorPage,
  type HeadPatient,
  heartAttack,
  type OffsetPage,
  type OldPatient,
  startWorld,
  type World,
} from '../world.ts';

/** What differs from 2023-04-30: gender, contact, and lists by offset. The client this gateway exists for. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => {
  world.passed.length = 0;
});
afterAll(() => world.stop());

const send: World['gateway']['send'] = (method, path, options) =>
  world.gateway.send(method, `/v2022-11-15${path}`, { key: world.demo.legacyApiKey, ...options });

function atHead(id: string): Promise<Answer<HeadPatient>> {
  return world.gateway.send('GET', `/v2023-10-15/patients/${id}`, { key: world.demo.apiKey });
}

/** A patient of whom every field is set, made at head. */
async function fullPatient(): Promise<string> {
  const { data } = await world.gateway.send<HeadPatient>('POST', '/v2023-10-15/patients', {
    key: world.demo.apiKey,
    body: {
      name: 'Full',
      dob: '1984-03-07',
      sex: 'female',
      gender_identity: 'woman',
      contact_info: { email: 'full@example.org', phone: '1', preferred_method: 'sms' },
    },
  });
  return data.id;
}

describe('a patient', () => {
  test('has gender and contact, and nothing that came later', async () => {
    const answer = await send<OldPatient>('GET', `/patients/${world.demo.patientId}`);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.data).sort()).toEqual(
      ['contact', 'created_at', 'dob', 'gender', 'id', 'name', 'updated_at'].sort(),
    );
    expect(Object.keys(answer.data.contact).sort()).toEqual(['email', 'phone']);
    const { data: head } = await atHead(world.demo.patientId);
    expect(answer.data.gender).toBe(head.sex);
    expect(answer.data.contact).toEqual({ email: head.contact_info.email, phone: head.contact_info.phone });
    expect(answer.meta.version).toBe('2.3.0');
    expect(answer.headers['service-api-deprecation']).toMatch(/^version=v2022-11-15; sunset=2023-11-15; .+/);
    expect(Object.keys(JSON.parse(answer.text) as JsonObject)).toEqual(['requestId', 'timestamp', 'meta', 'data']);
  });

  test('is created in its old shape and read back equal', async () => {
    const body = { name: 'Old', dob: '1980-12-31', gender: 'male', contact: { email: 'old@example.org', phone: null } };
    const created = await send<OldPatient>('POST', '/patients', { body });
    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(`/v2022-11-15/patients/${created.data.id}`);
    expect(created.data).toMatchObject(body);
    expect((await send('GET', `/patients/${created.data.id}`)).data).toEqual(created.data);
    expect((await atHead(created.data.id)).data).toMatchObject({
      sex: 'male',
      gender_identity: null,
      contact_info: { email: 'old@example.org', phone: null, preferred_method: null },
    });
  });

  test('PUT of the body just read, with the phone changed, keeps what this version cannot see', async () => {
    const id = await fullPatient();
    const { data } = await send<OldPatient>('GET', `/patients/${id}`);
    const body = { ...data, contact: { ...data.contact, phone: '+1 555 0100' } };
    const written = await send<OldPatient>('PUT', `/patients/${id}`, { body });
    expect(written.status).toBe(200);
    expect(written.data.contact.phone).toBe('+1 555 0100');
    expect((await atHead(id)).data).toMatchObject({
      sex: 'female',
      gender_identity: 'woman',
      contact_info: { email: 'full@example.org', phone: '+1 555 0100', preferred_method: 'sms' },
    });
  });

  test('PUT clears what it can see and leaves out, and nothing else', async () => {
    const id = await fullPatient();
    expect((await send('PUT', `/patients/${id}`, { body: { name: 'Full', dob: '1984-03-07' } })).status).toBe(200);
    expect((await atHead(id)).data).toMatchObject({
      sex: null,
      gender_identity: 'woman',
      contact_info: { email: null, phone: null, preferred_method: 'sms' },
    });
  });

  test('PATCH changes what it names and nothing else', async () => {
    const id = await fullPatient();
    const answer = await send<OldPatient>('PATCH', `/patients/${id}`, { body: { contact: { phone: '2' } } });
    expect(answer.data.contact).toEqual({ email: 'full@example.org', phone: '2' });
    expect((await send('PATCH', `/patients/${id}`, { body: { gender: 'other' } })).status).toBe(200);
    expect((await atHead(id)).data).toMatchObject({
      sex: 'other',
      gender_identity: 'woman',
      contact_info: { email: 'full@example.org', phone: '2', preferred_method: 'sms' },
    });
  });

  test.each(['PUT', 'PATCH'])('%s with a null contact clears only what is visible of it', async (method) => {
    const id = await fullPatient();
    const body = { name: 'Full', dob: '1984-03-07', contact: null };
    const answer = await send<OldPatient>(method, `/patients/${id}`, { body });
    expect(answer.status).toBe(200);
    expect(answer.data.contact).toEqual({ email: null, phone: null });
    expect((await atHead(id)).data.contact_info).toEqual({ email: null, phone: null, preferred_method: 'sms' });
  });

  test('a fault points to the member by its old name, also when only core knows the rule', async () => {
    const wrong = { name: 'A', dob: '1990-01-01', contact: { email: 17 } };
    const answer = await send('POST', '/patients', { body: wrong });
    expect([answer.status, answer.error.code]).toEqual([422, 'validation_failed']);
    expect(answer.error.details).toMatchObject([{ code: 'wrong_type', pointer: '/contact/email' }]);
    const unknown = await send('POST', '/patients', { body: { name: 'A', dob: '1990-01-01', sex: 'male' } });
    expect(unknown.error.details).toMatchObject([{ code: 'unknown_field', pointer: '/sex' }]);
    expect(world.passed).toEqual([]);
    const future = await send('POST', '/patients', { body: { name: 'A', dob: '2999-01-01' } });
    expect(future.status).toBe(422);
    expect(future.error.details).toMatchObject([{ code: 'in_future', pointer: '/dob' }]);
    expect(world.passed).toHaveLength(1);
    expect(answer.text + future.text).not.toContain('contact_info');
  });
});

describe('a list by offset', () => {
  test('has items 21 to 30 with total, in the order in which cursors walk', async () => {
    const walked: string[] = [];
    for (let cursor = ''; walked.length < 30; ) {
      const { data } = await world.gateway.send<CursorPage<HeadPatient>>(
        'GET',
        `/v2023-10-15/patients?limit=7${cursor}`,
        { key: world.demo.apiKey },
      );
      walked.push(...data.items.map(({ id }) => id));
      cursor = `&cursor=${encodeURIComponent(data.next_cursor as string)}`;
    }
    world.passed.length = 0;
    const { data } = await send<OffsetPage<OldPatient>>('GET', '/patients?offset=20&limit=10');
    expect(data.items.map(({ id }) => id)).toEqual(walked.slice(20, 30));
    expect(Object.keys(data).sort()).toEqual(['items', 'limit', 'offset', 'total']);
    expect([data.offset, data.limit]).toEqual([20, 10]);
    expect(data.total).toBe(await world.database.db.patient.count({ where: { deletedAt: null } }));
    for (const item of data.items) expect(item).toHaveProperty('gender');
  });

  test.each([
    ['sort=-name', 'sort=-name'],
    ['gender=female', 'sex=female'],
    ['gender=female&sort=dob,-name', 'sex=female&sort=dob,-name'],
    ['contact.email=nobody@example.org', 'contact_info.email=nobody@example.org'],
  ])('%s is the order and choice of %s', async (older, newer) => {
    const { data: page } = await send<OffsetPage<OldPatient>>('GET', `/patients?limit=50&${older}`);
    const { data: head } = await world.gateway.send<CursorPage<HeadPatient>>(
      'GET',
      `/v2023-10-15/patients?limit=50&${newer}`,
      { key: world.demo.apiKey },
    );
    expect(page.items.map(({ id }) => id)).toEqual(head.items.map(({ id }) => id));
  });

  test('a page costs one request to core, whatever the offset', async () => {
    for (const offset of [0, 1, 20, 199, 250, 100_000]) {
      world.passed.length = 0;
      const { status, data } = await send<OffsetPage<OldPatient>>('GET', `/patients?offset=${offset}&limit=10`);
      expect(status).toBe(200);
      expect(world.passed).toHaveLength(1);
      expect(data.items.length).toBe(Math.max(0, Math.min(10, data.total - offset)));
    }
  });

  test('pages by offset, put together, are the whole list', async () => {
    const seen: string[] = [];
    for (let offset = 0; ; offset += 100) {
      const { data } = await send<OffsetPage<OldPatient>>('GET', `/patients?offset=${offset}&limit=100&sort=name`);
      seen.push(...data.items.map(({ id }) => id));
      if (offset + 100 >= data.total) break;
    }
    expect(new Set(seen).size).toBe(await world.database.db.patient.count({ where: { deletedAt: null } }));
  });

  test('parameters that came later do not exist', async () => {
    for (const [query, parameter] of [
      ['cursor=x', 'cursor'],
      ['include_total=true', 'include_total'],
      ['sex=male', 'sex'],
      ['gender_identity=x', 'gender_identity'],
    ]) {
      const answer = await send('GET', `/patients?${query}`);
      expect(answer.status).toBe(422);
      expect(answer.error.details).toMatchObject([{ code: 'unknown_parameter', parameter }]);
    }
    expect((await send('GET', '/patients?gender=banana')).error.details).toMatchObject([
      { code: 'not_allowed_value', parameter: 'gender' },
    ]);
    expect(world.passed).toEqual([]);
  });
});

test('an analysis has analysis_result with a number for confidence', async () => {
  const { status, data } = await send<{ analysis_result: { suggestions: JsonObject[]; red_flags: unknown[] } }>(
    'POST',
    '/diagnostics/analyze',
    { body: heartAttack },
  );
  expect(status).toBe(200);
  expect(Object.keys(data)).toEqual(['analysis_result', 'understood']);
  expect(data.analysis_result.suggestions[0]?.['confidence']).toEqual(expect.any(Number));
  expect(data.analysis_result.red_flags.length).toBeGreaterThan(0);
});
