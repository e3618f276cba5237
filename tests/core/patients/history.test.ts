import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@perennial/schemas/resources/page.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import type { DeletedPatient, PatientChange } from '@perennial/schemas/resources/patient-change.ts';
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

async function make(name = 'Amara Okafor'): Promise<string> {
  const body = { name, dob: '1984-03-07', contact_info: { email: 'a@example.org' } };
  return (await core.call<Patient>('POST', '/patients', { body })).data.id;
}

const history = (id: string, query = ''): Promise<Reply<Page<PatientChange>>> =>
  core.call('GET', `/patients/${id}/history${query}`);

describe('the history', () => {
  test('says who, when and which fields, newest first, and no values', async () => {
    const id = await make();
    const body = { sex: 'female', contact_info: { email: null, phone: '1' } };
    const { data } = await core.call<Patient>('PATCH', `/patients/${id}`, { body, caller: { keyId: 'key_second' } });
    await core.call('PATCH', `/patients/${id}`, { body });
    const reply = await history(id);
    expect(reply.data.items).toEqual([
      {
        revision: 2,
        action: 'updated',
        changed_at: data.updated_at,
        changed_by: 'key_second',
        changed_fields: ['sex', 'contact_info.email', 'contact_info.phone'],
      },
      {
        revision: 1,
        action: 'created',
        changed_at: data.created_at,
        changed_by: 'key_test',
        changed_fields: ['name', 'dob', 'contact_info.email'],
      },
    ]);
    expect(reply.text).not.toContain('example.org');
  });

  test('of a patient that came with the account begins with the creation', async () => {
    await database.db.patient.create({
      data: { id: 'pat_seeded000001', accountId: 'acc_test', name: 'Seed', dob: new Date('1950-01-01') },
    });
    await core.call('PATCH', '/patients/pat_seeded000001', { body: { sex: 'male' } });
    const { items, total } = (await history('pat_seeded000001', '?include_total=true')).data;
    expect(items.map(({ revision, changed_by }) => [revision, changed_by])).toEqual([
      [2, 'key_test'],
      [1, null],
    ]);
    expect(total).toBe(2);
  });

  test('is read by cursor', async () => {
    const id = await make();
    for (const sex of ['male', 'female', 'other']) await core.call('PATCH', `/patients/${id}`, { body: { sex } });
    const first = (await history(id, '?limit=3&sort=revision')).data;
    const second = (await history(id, `?limit=3&sort=revision&cursor=${first.next_cursor}`)).data;
    expect([...first.items, ...second.items].map(({ revision }) => revision)).toEqual([1, 2, 3, 4]);
  });

  test('has one entry for each of many writes at once', async () => {
    const id = await make();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        core.call('PATCH', `/patients/${id}`, { body: { gender_identity: `g${index}` } }),
      ),
    );
    const { items } = (await history(id, '?limit=100&sort=revision')).data;
    expect(items.map(({ revision }) => revision)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  });
});

describe('a deleted patient', () => {
  const deleted = async (): Promise<readonly DeletedPatient[]> =>
    (await core.call<Page<DeletedPatient>>('GET', '/patients/deleted?limit=100')).data.items;

  test('is missing, is listed as deleted, and comes back with everything', async () => {
    const id = await make();
    const note = { type: 'note', status: 'final', text: 'kept' };
    const record = await core.call<{ id: string }>('POST', `/patients/${id}/records`, { body: note });
    await core.call('DELETE', `/patients/${id}`, { caller: { keyId: 'key_second' } });
    expect((await history(id)).status).toBe(404);
    expect((await core.call('GET', `/patients/${id}/records/${record.data.id}`)).status).toBe(404);
    expect((await deleted())[0]).toMatchObject({ patient: { id, name: 'Amara Okafor' }, deleted_by: 'key_second' });

    const restored = await core.call<Patient>('POST', `/patients/${id}/restore`);
    expect([restored.status, restored.data.name]).toEqual([200, 'Amara Okafor']);
    expect((await core.call('GET', `/patients/${id}`)).headers.etag).toBe(restored.headers.etag);
    expect((await core.call('GET', `/patients/${id}/records/${record.data.id}`)).status).toBe(200);
    expect((await deleted()).some(({ patient }) => patient.id === id)).toBe(false);
    expect((await history(id)).data.items.map(({ action }) => action)).toEqual(['restored', 'deleted', 'created']);
  });

  test('is restored once: again changes nothing, and another account cannot', async () => {
    const id = await make();
    await core.call('DELETE', `/patients/${id}`);
    const caller = { accountId: 'acc_other' };
    expect((await core.call('POST', `/patients/${id}/restore`, { caller })).status).toBe(404);
    expect((await core.call<Page<unknown>>('GET', '/patients/deleted', { caller })).data.items).toEqual([]);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => core.call<Patient>('POST', `/patients/${id}/restore`)),
    );
    expect(new Set(replies.map(({ status, headers }) => `${status} ${headers.etag}`)).size).toBe(1);
  });

  test('is restored on condition of the state that was read', async () => {
    const id = await make();
    await core.call('DELETE', `/patients/${id}`);
    const restore = (tag: string): Promise<Reply<Patient>> =>
      core.call('POST', `/patients/${id}/restore`, { headers: { 'if-match': tag } });
    expect((await restore('W/"1.a"')).status).toBe(412);
    expect((await restore('W/"2.a"')).status).toBe(200);
  });
});

describe('an export', () => {
  const caller = { accountId: 'acc_export' };

  beforeAll(async () => {
    await database.db.patient.createMany({
      data: Array.from({ length: 1_203 }, (_, index) => ({
        id: `pat_export${String(index).padStart(6, '0')}`,
        accountId: 'acc_export',
        name: `Zoë ${index}\n"quoted"`,
        dob: new Date('1990-01-01'),
        sex: index % 2 === 0 ? 'female' : 'male',
        deletedAt: index === 7 ? new Date() : null,
      })),
    });
  });

  test('has every patient once, one a line', async () => {
    const reply = await core.call('GET', '/patients/export', { caller });
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(reply.text.endsWith('}\n')).toBe(true);
    const lines = reply.text.trim().split('\n');
    const ids = lines.map((line) => (JSON.parse(line) as Patient).id);
    expect(new Set(ids).size).toBe(1_202);
    expect(ids).toEqual([...ids].sort());
    const one = await core.call<Patient>('GET', `/patients/${ids[3]}`, { caller });
    expect(JSON.parse(lines[3] as string)).toEqual(one.data);
  });

  test('can be filtered, and is empty where nothing fits', async () => {
    const female = await core.call('GET', '/patients/export?sex=female', { caller });
    expect(female.text.trim().split('\n')).toHaveLength(602);
    expect((await core.call('GET', '/patients/export?name=nobody', { caller })).text).toBe('');
    expect((await core.call('GET', '/patients/export?colour=red', { caller })).status).toBe(422);
    expect((await core.call('HEAD', '/patients/export', { caller })).status).toBe(200);
  });

  test('holds back while its reader does not read, and stops when the reader leaves', async () => {
    const { hostname, port } = new URL(core.url);
    for (let round = 0; round < 5; round += 1) {
      const headers = { authorization: `Bearer ${core.token('GET', '/patients/export', caller)}` };
      await new Promise<void>((resolve, reject) => {
        const request = httpRequest({ hostname, port, path: '/patients/export', headers }, (response) => {
          response.once('data', () => {
            request.destroy();
            resolve();
          });
          response.on('error', () => undefined);
        });
        request.on('error', reject);
        request.end();
      });
    }
    expect((await core.call('GET', '/patients?limit=1', { caller })).status).toBe(200);
  });
});
