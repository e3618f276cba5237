import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DiskBlobStore } from '@perennial/core/attachments/blob-store.ts';
import { asSystem } from '@perennial/prisma/scope.ts';
import type { Attachment } from '@perennial/schemas/resources/attachment.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import pg from 'pg';
import { type Reply, startCore, type TestCore } from '../../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../../support/database.ts';

/*
 * One key, one write: whoever else asks at the same time, wherever core runs, and whatever has become of the patient.
 */
let database: TestDatabase;
let dir: string;
/** Two processes of core would share no more than the database and the storage either. */
let core: TestCore;
let other: TestCore;

beforeAll(async () => {
  database = await freshDatabase();
  dir = await mkdtemp(join(tmpdir(), 'perennial-test-idempotency-'));
  core = await startCore(database.url, {}, new DiskBlobStore(dir));
  other = await startCore(database.url, {}, new DiskBlobStore(dir));
  for (const each of [core, other]) await each.call('GET', '/ready');
});

afterAll(async () => {
  await core.stop();
  await other.stop();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

const body = { name: 'Amara Okafor', dob: '1984-03-07' };
let keys = 0;
const newKey = (): string => `once-${++keys}`;

function create(key: string, at: TestCore = core): Promise<Reply<Patient>> {
  return at.call<Patient>('POST', '/patients', { body, headers: { 'idempotency-key': key } });
}

const isReplayed = ({ headers }: Reply<unknown>): boolean => headers['idempotency-replayed'] === 'true';

/** Whoever writes a patient waits until `release`. */
async function holdWrites(): Promise<{ release(): Promise<void>; waiting(): Promise<number> }> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE core.patient_changes IN ACCESS EXCLUSIVE MODE');
  return {
    release: async () => {
      await client.query('ROLLBACK');
      await client.end();
    },
    waiting: async () => {
      const rows = await database.db.$queryRaw<unknown[]>`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return rows.length;
    },
  };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('while the first request is under way', () => {
  test('twenty at once, at two cores, make one patient; each is told to wait or gets its answer', async () => {
    const key = newKey();
    const before = await database.db.patient.count();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(key, index % 2 === 0 ? core : other)),
    );
    expect(await database.db.patient.count()).toBe(before + 1);
    const made = replies.filter(({ status }) => status === 201);
    expect(made.filter((reply) => !isReplayed(reply))).toHaveLength(1);
    expect(new Set(made.map(({ data }) => data.id)).size).toBe(1);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect([reply.status, reply.error.code]).toEqual([409, 'idempotency_in_flight']);
      expect(reply.headers['retry-after']).toBe('1');
    }
  });

  test('the same and another request with its key are 409 with Retry-After, at every core, and nobody waits', async () => {
    const key = newKey();
    const before = await database.db.patient.count();
    const hold = await holdWrites();
    const first = create(key);
    await until(async () => (await hold.waiting()) > 0);
    try {
      for (const at of [core, other]) {
        const same = await create(key, at);
        expect([same.status, same.error.code]).toEqual([409, 'idempotency_in_flight']);
        expect(same.headers['retry-after']).toBe('1');
        const headers = { 'idempotency-key': key };
        const different = await at.call('POST', '/patients', { body: { ...body, name: 'B' }, headers });
        expect(different.error.code).toBe('idempotency_in_flight');
      }
    } finally {
      await hold.release();
    }
    expect((await first).status).toBe(201);
    expect(isReplayed(await create(key, other))).toBe(true);
    expect(await database.db.patient.count()).toBe(before + 1);
  });

  test('a request with another key, or none, goes on', async () => {
    const hold = await holdWrites();
    const first = create(newKey());
    await until(async () => (await hold.waiting()) > 0);
    const second = create(newKey());
    await until(async () => (await hold.waiting()) > 1);
    await hold.release();
    expect([(await first).status, (await second).status]).toEqual([201, 201]);
  });

  test('it gives the key back when it fails', async () => {
    const key = newKey();
    const hold = await holdWrites();
    const first = create(key);
    await until(async () => (await hold.waiting()) > 0);
    // As an administrator would end it, or the network.
    await database.db.$queryRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const failed = await first;
    expect([failed.status, failed.error.code]).toEqual([503, 'unavailable']);
    await hold.release();
    const second = await create(key);
    expect([second.status, isReplayed(second)]).toEqual([201, false]);
  });
});

describe('the write and its record are one transaction', () => {
  test('when the record cannot be kept, nothing was written', async () => {
    await database.db.$executeRaw`ALTER TABLE core.idempotency_records ADD CONSTRAINT refused CHECK (key <> 'refused')`;
    const before = [
      await database.db.patient.count(),
      await database.db.patientChange.count(),
      await database.db.event.count(),
    ];
    const reply = await create('refused');
    await database.db.$executeRaw`ALTER TABLE core.idempotency_records DROP CONSTRAINT refused`;
    expect([reply.status, reply.error.code]).toEqual([500, 'internal_error']);
    expect([
      await database.db.patient.count(),
      await database.db.patientChange.count(),
      await database.db.event.count(),
    ]).toEqual(before);
    expect((await create('refused')).status).toBe(201);
  });
});

describe('an upload', () => {
  let place: string;
  let patientId: string;

  beforeAll(async () => {
    const patient = await create(newKey());
    patientId = patient.data.id;
    const note = { type: 'note', status: 'final', text: 'with files' };
    const record = await core.call<{ id: string }>('POST', `/patients/${patientId}/records`, { body: note });
    place = `/patients/${patientId}/records/${record.data.id}/attachments`;
  });

  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(200_000)]);

  /** Every attempt has boundaries of its own, as every client makes them. */
  function upload(key: string, content = pdf, fileName = 'scan.pdf', at = core): Promise<Reply<Attachment>> {
    const boundary = randomBytes(12).toString('hex');
    const sent = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: application/pdf\r\n\r\n`,
      ),
      content,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': key };
    return at.call<Attachment>('POST', place, { body: sent, headers });
  }

  async function stored(): Promise<{ files: number; rows: number; intents: number }> {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).length;
    return {
      files,
      rows: await database.db.attachment.count(),
      intents: await database.db.blobIntent.count(),
    };
  }

  test('sent again is the same upload, whatever the boundaries, and its bytes are kept once', async () => {
    const key = newKey();
    const before = await stored();
    const first = await upload(key);
    expect(first.status).toBe(201);
    const second = await upload(key);
    expect([second.status, isReplayed(second)]).toEqual([201, true]);
    expect(second.data).toEqual(first.data);
    for (const name of ['location', 'etag']) expect(second.headers[name]).toBe(first.headers[name]);
    expect(await stored()).toEqual({ ...before, files: before.files + 1, rows: before.rows + 1 });
  });

  test.each([
    ['other bytes', Buffer.concat([pdf, Buffer.from('.')]), 'scan.pdf'],
    ['another name', pdf, 'other.pdf'],
  ])('of %s with the same key is 422, and nothing of it stays', async (_name, content, fileName) => {
    const key = newKey();
    expect((await upload(key)).status).toBe(201);
    const before = await stored();
    const reply = await upload(key, content, fileName);
    expect([reply.status, reply.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await stored()).toEqual(before);
  });

  test('sent ten times at once is kept once', async () => {
    const key = newKey();
    const before = await stored();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => upload(key, pdf, 'scan.pdf', index % 2 === 0 ? core : other)),
    );
    for (const { status } of replies) expect([201, 409]).toContain(status);
    const made = replies.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ data }) => data.id)).size).toBe(1);
    expect(made.filter((reply) => !isReplayed(reply))).toHaveLength(1);
    expect(await stored()).toEqual({ ...before, files: before.files + 1, rows: before.rows + 1 });
  });

  test('that was refused leaves nothing behind, and can be sent again', async () => {
    const key = newKey();
    const before = await stored();
    expect((await upload(key, Buffer.from('no pdf at all\u0001'))).status).toBe(415);
    expect(await stored()).toEqual(before);
    expect(isReplayed(await upload(key))).toBe(false);
  });
});

describe('when the patient is deleted', () => {
  test('answers about them are erased with them, and a late repetition does not make them again', async () => {
    const [made, added, restored, stranger] = [newKey(), newKey(), newKey(), newKey()];
    const { data } = await create(made);
    const path = `/patients/${data.id}`;
    const note = { type: 'note', status: 'final', text: 'seen' };
    const add = (): Promise<Reply<unknown>> =>
      core.call('POST', `${path}/records`, { body: note, headers: { 'idempotency-key': added } });
    await add();
    await core.call('DELETE', path);
    const restore = (): Promise<Reply<unknown>> =>
      core.call('POST', `${path}/restore`, { headers: { 'idempotency-key': restored } });
    expect((await restore()).status).toBe(200);
    await create(stranger);
    await core.call('DELETE', path);

    const before = await database.db.patient.count();
    for (const repeat of [() => create(made), add, restore]) {
      const reply = await repeat();
      expect([reply.status, reply.error.code]).toEqual([409, 'idempotency_answer_erased']);
    }
    expect(await database.db.patient.count()).toBe(before);
    const rows = await database.db.idempotencyRecord.findMany({ where: { key: { in: [made, added, restored] } } });
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      expect(row).toMatchObject({ response: null, headers: {}, bodyHash: '', path: '', patientIds: [] });
      expect(JSON.stringify(row)).not.toMatch(/Amara|pat_/);
    }
    expect(isReplayed(await create(stranger))).toBe(true);
  });

  test('answers are erased when the row itself is removed', async () => {
    const key = newKey();
    const { data } = await create(key);
    await database.db.patient.delete({ where: { id: data.id } });
    expect((await create(key)).error.code).toBe('idempotency_answer_erased');
  });

  test('an answer that was written at the same moment is erased by the sweep', async () => {
    const key = newKey();
    const { data } = await create(newKey());
    await core.call('DELETE', `/patients/${data.id}`);
    const kept = await create(key);
    await database.db.idempotencyRecord.updateMany({ where: { key }, data: { patientIds: [data.id, kept.data.id] } });
    expect(await asSystem('retention', () => core.services.idempotency.sweep())).toBe(1);
    expect((await create(key)).error.code).toBe('idempotency_answer_erased');
    expect(await asSystem('retention', () => core.services.idempotency.sweep())).toBe(0);
  });

  test('another account’s answers are not touched, whatever they name', async () => {
    const { data } = await create(newKey());
    const key = newKey();
    const caller = { accountId: 'acc_other' };
    const check = (): Promise<Reply<unknown>> => {
      const sent = { body: { ...body, name: data.id }, caller, headers: { 'idempotency-key': key } };
      return core.call('POST', '/patients', sent);
    };
    await check();
    await core.call('DELETE', `/patients/${data.id}`);
    expect(isReplayed(await check())).toBe(true);
  });
});

describe('time', () => {
  const HOUR_MS = 3_600_000;

  test('an answer is kept for 24 hours, and gone by the sweep that follows', async () => {
    const key = newKey();
    const sent = Date.now();
    await create(key);
    const { expiresAt } = await database.db.idempotencyRecord.findFirstOrThrow({ where: { key } });
    expect(expiresAt.getTime() - sent).toBeGreaterThanOrEqual(24 * HOUR_MS);
    expect(expiresAt.getTime() - sent).toBeLessThan(25 * HOUR_MS);
    await asSystem('retention', () => core.services.idempotency.sweep(new Date(expiresAt.getTime() - 1)));
    expect(isReplayed(await create(key))).toBe(true);
    await asSystem('retention', () => core.services.idempotency.sweep(expiresAt));
    expect(await database.db.idempotencyRecord.count({ where: { key } })).toBe(0);
  });

  test('a key that has expired can be used anew, before the sweep', async () => {
    const key = newKey();
    const first = await create(key);
    await database.db.idempotencyRecord.updateMany({ where: { key }, data: { expiresAt: new Date() } });
    const second = await create(key);
    expect([second.status, isReplayed(second)]).toEqual([201, false]);
    expect(second.data.id).not.toBe(first.data.id);
    expect((await create(key)).data.id).toBe(second.data.id);
  });
});

describe('when another release has become head since', () => {
  test('the answer is given again, with the release it is of, though the body cannot be compared any more', async () => {
    const key = newKey();
    const first = await create(key);
    const ofHead = await create(key);
    expect(ofHead.headers['perennial-head-release']).toBeUndefined();
    await database.db.idempotencyRecord.updateMany({
      where: { key },
      data: { headRelease: '2023-04-30', bodyHash: 'of another shape' },
    });
    const later = await create(key);
    expect([later.status, later.headers['perennial-head-release']]).toEqual([201, '2023-04-30']);
    expect(later.data).toEqual(first.data);
    const elsewhere = await core.call('POST', '/analytics/cohorts', {
      body: { name: 'Women', criteria: [{ kind: 'patient', field: 'sex', test: 'is', value: 'female' }] },
      headers: { 'idempotency-key': key },
    });
    expect(elsewhere.error.code).toBe('idempotency_key_reused');
  });
});
