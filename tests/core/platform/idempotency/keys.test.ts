import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { keepsAnswer, takesIdempotencyKey } from '@perennial/schemas/idempotency.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import { type CallOptions, type Reply, startCore, type TestCore } from '../../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
let core: TestCore;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  await core.call('GET', '/ready');
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

const body = { name: 'Amara Okafor', dob: '1984-03-07', contact_info: { email: 'amara@example.org' } };
let keys = 0;
const newKey = (): string => `key-${++keys}`;

function create(key: string, options: CallOptions = {}): Promise<Reply<Patient>> {
  return core.call<Patient>('POST', '/patients', { body, ...options, headers: { 'idempotency-key': key } });
}

const patients = (): Promise<number> => database.db.patient.count();
const kept = (): Promise<number> => database.db.idempotencyRecord.count();

describe('a key', () => {
  test.each([
    ['plain', 'a8098c1a-f86e-11da-bd1a-00112444be1e', 'a8098c1a-f86e-11da-bd1a-00112444be1e'],
    ['quoted, as the draft of the IETF writes it', '"a8098c1a"', 'a8098c1a'],
    ['quoted with escapes', '"a\\"b\\\\c, d"', 'a"b\\c, d'],
    ['of one character', '!', '!'],
    ['of 255 characters', 'k'.repeat(255), 'k'.repeat(255)],
    ['of 255 characters in quotes', `"${'q'.repeat(255)}"`, 'q'.repeat(255)],
    ['with spaces inside', 'order 42 / first try', 'order 42 / first try'],
  ])('%s is taken', async (_name, sent, key) => {
    expect((await create(sent)).status).toBe(201);
    expect(await database.db.idempotencyRecord.count({ where: { accountId: 'acc_test', key } })).toBe(1);
  });

  test('is the same key quoted and plain', async () => {
    const key = newKey();
    const first = await create(key);
    const second = await create(`"${key}"`);
    expect(second.data.id).toBe(first.data.id);
  });

  test.each([
    ['empty', '', 'too_short'],
    ['empty in quotes', '""', 'too_short'],
    ['of 256 characters', 'k'.repeat(256), 'too_long'],
    ['of 256 characters in quotes', `"${'k'.repeat(256)}"`, 'too_long'],
    ['not of ASCII', 'clé', 'wrong_format'],
    ['with a control character', 'a\tb', 'wrong_format'],
    ['with a quote that is not closed', '"abc', 'wrong_format'],
    ['with a quote inside', 'a"b', 'wrong_format'],
    ['with an escape that is none', '"a\\b"', 'wrong_format'],
    ['that is a list', '"a", "b"', 'wrong_format'],
    ['sent twice', 'a, b', 'wrong_format'],
  ])('%s is 400 and names the header', async (_name, key, code) => {
    const before = [await patients(), await kept()];
    const reply = await create(key);
    expect([reply.status, reply.error.code]).toEqual([400, 'idempotency_key_invalid']);
    expect(reply.error.details).toEqual([{ code, message: expect.any(String), header: 'Idempotency-Key' }]);
    expect([await patients(), await kept()]).toEqual(before);
  });

  test.each(head.operations.filter(takesIdempotencyKey).map(({ id, path }) => [id, path]))(
    'that is none is refused by %s, like by every POST',
    async (_id, path) => {
      const filled = path.replace(/\{\w+\}/g, 'xxx_missing00');
      const reply = await core.call('POST', filled, { body: {}, headers: { 'idempotency-key': '""' } });
      expect([reply.status, reply.error.code]).toEqual([400, 'idempotency_key_invalid']);
    },
  );

  test('is without effect where a request can be repeated as it is', async () => {
    const { data } = await create(newKey());
    const before = await kept();
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const sent = method === 'GET' || method === 'DELETE' ? undefined : body;
      const headers = { 'idempotency-key': '"not a key' };
      const reply = await core.call(method, `/patients/${data.id}`, { body: sent, headers });
      expect(reply.status).toBeLessThan(300);
    }
    expect(await kept()).toBe(before);
  });
});

describe('the same request with the same key', () => {
  test('is carried out once, and gets the first answer, marked', async () => {
    const key = newKey();
    const before = await patients();
    const first = await create(key);
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
    // What happens to the patient meanwhile changes nothing of the first answer.
    await core.call('PATCH', `/patients/${first.data.id}`, { body: { name: 'Amara Obi' } });
    const second = await create(key);
    expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(JSON.stringify(second.data)).toBe(JSON.stringify(first.data));
    for (const name of ['location', 'etag', 'content-type']) expect(second.headers[name]).toBe(first.headers[name]);
    // It is an exchange of its own.
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(second.text).toContain(`"requestId":"${second.headers['x-request-id']}"`);
    expect(await patients()).toBe(before + 1);
  });

  test('is the same when its members come in another order and its numbers are spelt otherwise', async () => {
    const key = newKey();
    const analyse = (text: string): Promise<Reply<{ diagnostic_result: { id: string } }>> =>
      core.call('POST', '/diagnostics/analyze', { body: text, headers: { 'idempotency-key': key } });
    const first = await analyse(
      '{"patientData":{"age":68,"symptoms":["cough"],"vitalSigns":{"temperature":38.5,"heartRate":90}}}',
    );
    const second = await analyse(
      '{ "patientData": {"vitalSigns":{"heartRate":9e1,"temperature":38.50},"symptoms":["\\u0063ough"],"age":68.0} }',
    );
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.data).toEqual(first.data);
  });

  test('finds its answer though the object has moved on and the write would now be refused', async () => {
    const { data, headers } = await create(newKey());
    await core.call('DELETE', `/patients/${data.id}`);
    const restore = (key: string): Promise<Reply<Patient>> => {
      const match = { 'if-match': `W/"2.${headers.etag?.split('.')[1]}`, 'idempotency-key': key };
      return core.call<Patient>('POST', `/patients/${data.id}/restore`, { headers: match });
    };
    const key = newKey();
    const first = await restore(key);
    expect(first.status).toBe(200);
    expect((await restore(newKey())).status).toBe(412);
    const second = await restore(key);
    expect([second.status, second.headers['idempotency-replayed']]).toEqual([200, 'true']);
  });

  test('of another account is another request', async () => {
    const key = newKey();
    const first = await create(key);
    const second = await create(key, { caller: { accountId: 'acc_other' } });
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([201, 201, undefined]);
    expect(second.data.id).not.toBe(first.data.id);
  });

  test('changes nothing, but is kept, where it only reads', async () => {
    const key = newKey();
    const resolve = (name: string): Promise<Reply<unknown>> =>
      core.call('POST', '/medications/resolve', {
        body: { medications: [{ name }] },
        headers: { 'idempotency-key': key },
      });
    const first = await resolve('warfarin');
    const second = await resolve('warfarin');
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.data).toEqual(first.data);
    expect((await resolve('ibuprofen')).error.code).toBe('idempotency_key_reused');
  });
});

describe('another request with the same key', () => {
  test.each([
    ['another body', '/patients', { ...body, name: 'Somebody Else' }],
    [
      'another path',
      '/analytics/cohorts',
      { name: 'Women', criteria: [{ kind: 'patient', field: 'sex', test: 'is', value: 'female' }] },
    ],
  ])('%s is 422, and nothing is done', async (_name, path, sent) => {
    const key = newKey();
    await create(key);
    const before = await patients();
    const reply = await core.call('POST', path, { body: sent, headers: { 'idempotency-key': key } });
    expect([reply.status, reply.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await patients()).toBe(before);
    // The first answer is still there.
    expect((await create(key)).headers['idempotency-replayed']).toBe('true');
  });

  test('about another object is 422', async () => {
    const [one, two] = [await create(newKey()), await create(newKey())];
    const key = newKey();
    const note = { type: 'note', status: 'final', title: 'Visit', text: 'seen' };
    const add = (id: string): Promise<Reply<unknown>> =>
      core.call('POST', `/patients/${id}/records`, { body: note, headers: { 'idempotency-key': key } });
    expect((await add(one.data.id)).status).toBe(201);
    expect((await add(two.data.id)).error.code).toBe('idempotency_key_reused');
  });
});

describe('of a request that was refused nothing is kept', () => {
  const refusals: [string, (key: string) => Promise<Reply<unknown>>, number][] = [
    ['invalid', (key) => create(key, { body: { name: 'A' } }), 422],
    ['invalid by a rule of the handler', (key) => create(key, { body: { ...body, dob: '2999-01-01' } }), 422],
    ['no JSON', (key) => create(key, { body: '{' }), 400],
    ['without a token', (key) => create(key, { caller: null }), 401],
    ['without the scope', (key) => create(key, { caller: { scopes: ['patients:read'] } }), 403],
    [
      'of an object that is not there',
      (key) => core.call('POST', '/patients/pat_missing00/restore', { headers: { 'idempotency-key': key } }),
      404,
    ],
  ];

  test.each(refusals)('%s', async (_name, refused, status) => {
    const key = newKey();
    const before = await kept();
    expect((await refused(key)).status).toBe(status);
    expect(await kept()).toBe(before);
    const mended = await create(key);
    expect([mended.status, mended.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });
});

test('an operation that answers a stream keeps nothing, because that would have no bound', () => {
  for (const operation of head.operations.filter(takesIdempotencyKey))
    expect(keepsAnswer(operation)).toBe(operation.response.mediaType === undefined);
});
