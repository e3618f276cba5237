import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { headRelease } from '@perennial/core/head-release.ts';
import { recordEvent } from '@perennial/core/platform/events/record-event.ts';
import type { Attachment } from '@perennial/schemas/resources/attachment.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import type { MedicalRecord } from '@perennial/schemas/resources/record.ts';
import { startCore, type TestCore } from '../../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../../support/database.ts';

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

type Stored = Awaited<ReturnType<TestDatabase['db']['event']['findMany']>>[number];

const eventsOf = (objectId: string): Promise<Stored[]> =>
  database.db.event.findMany({ where: { objectId }, orderBy: { sequence: 'asc' } });

const kindsOf = async (objectId: string): Promise<string[]> => (await eventsOf(objectId)).map(({ kind }) => kind);

const person = { name: 'Amara Okafor', dob: '1984-03-07', sex: 'female' };

async function makePatient(): Promise<Patient> {
  return (await core.call<Patient>('POST', '/patients', { body: person })).data;
}

const note = { type: 'note', status: 'final', text: 'Slept well.' };

async function makeRecord(patientId: string): Promise<MedicalRecord> {
  return (await core.call<MedicalRecord>('POST', `/patients/${patientId}/records`, { body: note })).data;
}

describe('the outbox', () => {
  test('holds every change of a patient in order, each with the patient as the change left it', async () => {
    const created = await makePatient();
    const path = `/patients/${created.id}`;
    const updated = await core.call<Patient>('PATCH', path, { body: { name: 'Amara Obi' } });
    const documents = (await eventsOf(created.id)).map(({ document }) => document);
    expect(documents).toEqual([created, updated.data]);
    await core.call('DELETE', path);
    const restored = await core.call<Patient>('POST', `${path}/restore`);
    const events = await eventsOf(created.id);
    expect(events.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ['patient.created', 1],
      ['patient.updated', 2],
      ['patient.deleted', 3],
      ['patient.restored', 4],
    ]);
    // What was told before the deletion is erased with the patient.
    expect(events.map(({ document }) => document)).toEqual([null, null, null, restored.data]);
    for (const event of events) {
      expect(event).toMatchObject({ accountId: 'acc_test', patientId: created.id, headRelease });
      expect(event.id).toMatch(/^evt_[0-9A-Za-z]{20}$/);
    }
  });

  test('keeps the order of the members, so that two renderings of an event have the same bytes', async () => {
    const created = await makePatient();
    const [row] = await database.db.$queryRaw<{ document: string }[]>`
      SELECT document::text FROM core.events WHERE object_id = ${created.id}`;
    expect(row?.document).toBe(JSON.stringify(created));
  });

  test('has nothing of a write that changed nothing, or that was refused', async () => {
    const { id } = await makePatient();
    await core.call('PATCH', `/patients/${id}`, { body: { name: person.name } });
    await core.call('PATCH', `/patients/${id}`, { body: { name: 'X' }, headers: { 'if-match': 'W/"9.x"' } });
    await core.call('PATCH', `/patients/${id}`, { body: { dob: '3000-01-01' } });
    expect(await kindsOf(id)).toEqual(['patient.created']);
  });

  test('holds every change of a record and of an attachment, with whose data they are', async () => {
    const { id: patientId } = await makePatient();
    const record = await makeRecord(patientId);
    const path = `/patients/${patientId}/records/${record.id}`;
    await core.call('PATCH', path, { body: { type: 'note', text: 'Slept badly.' } });
    const attachment = await attach(path);
    await core.call('PATCH', `${path}/attachments/${attachment.id}`, { body: { description: 'A letter' } });
    await core.call('DELETE', `${path}/attachments/${attachment.id}`);
    await core.call('DELETE', path);
    await core.call('POST', `${path}/restore`);
    expect(await kindsOf(record.id)).toEqual(['record.created', 'record.updated', 'record.deleted', 'record.restored']);
    const attached = await eventsOf(attachment.id);
    expect(attached.map(({ kind }) => kind)).toEqual([
      'attachment.created',
      'attachment.updated',
      'attachment.deleted',
    ]);
    expect(attached.map(({ document }) => document)).toEqual([
      attachment,
      { ...attachment, description: 'A letter', updated_at: expect.any(String) },
      null,
    ]);
    expect(new Set(attached.map((event) => event.patientId))).toEqual(new Set([patientId]));
    expect((await eventsOf(record.id))[0]?.document).toEqual(record);
  });

  test('numbers the events of one object without gap or repeat, however many come at once', async () => {
    const { id: objectId } = await makePatient();
    const one = { accountId: 'acc_test', kind: 'webhook.test', objectId, document: {} } as const;
    await Promise.all(
      Array.from({ length: 12 }, () => database.db.$transaction((transaction) => recordEvent(transaction, one))),
    );
    expect((await eventsOf(objectId)).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 13 }, (_, index) => index + 1),
    );
  });

  test('never gives a number again, even when the events before have expired', async () => {
    const { id } = await makePatient();
    await database.db.event.deleteMany({ where: { objectId: id } });
    await core.call('DELETE', `/patients/${id}`);
    expect((await eventsOf(id)).map(({ sequence }) => sequence)).toEqual([2]);
  });

  test('has no event of a change that was rolled back', async () => {
    const event = { accountId: 'acc_test', kind: 'webhook.test', objectId: 'pat_rolledback01', document: {} } as const;
    const failed = database.db.$transaction(async (transaction) => {
      await recordEvent(transaction, event);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await eventsOf('pat_rolledback01')).toEqual([]);
  });
});

async function attach(path: string): Promise<Attachment> {
  const body = [
    '--part',
    'Content-Disposition: form-data; name="file"; filename="letter.txt"',
    'Content-Type: text/plain',
    '',
    'Dear colleague',
    '--part--',
    '',
  ].join('\r\n');
  const headers = { 'content-type': 'multipart/form-data; boundary=part' };
  return (await core.call<Attachment>('POST', `${path}/attachments`, { body, headers })).data;
}
