import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import { startCore, type TestCore } from '../../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../../support/database.ts';

/*
 * A database whose disk is full says so with SQLSTATE 53100, from whatever statement needed the room: here from the
 * last one of a write, so that all the others have been carried out.
 */

let database: TestDatabase;
let core: TestCore;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  await database.db.$executeRawUnsafe(`CREATE FUNCTION core.no_room() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = 'disk_full'; END $$`);
});

afterEach(() => database.db.$executeRawUnsafe('DROP TRIGGER IF EXISTS no_room ON core.events'));

afterAll(async () => {
  await core.stop();
  await database.close();
});

test('a write that there is no room for is 507, leaves nothing, and can be sent again with the same key', async () => {
  const kept = await core.call<Patient>('POST', '/patients', { body: { name: 'Kept', dob: '1980-02-29' } });
  await database.db.$executeRawUnsafe(
    'CREATE TRIGGER no_room BEFORE INSERT ON core.events FOR EACH ROW EXECUTE FUNCTION core.no_room()',
  );
  const headers = { 'idempotency-key': 'no-room' };
  const create = { body: { name: 'Lost', dob: '1980-02-29' }, headers };
  const path = `/patients/${kept.data.id}`;
  const refused = [
    await core.call('POST', '/patients', create),
    await core.call('PATCH', path, { body: { name: 'Changed' } }),
    await core.call('DELETE', path),
  ];
  for (const { status, error } of refused) expect([status, error.code]).toEqual([507, 'storage_full']);
  expect(await database.db.patient.count()).toBe(1);
  expect((await core.call<Patient>('GET', path)).data.name).toBe('Kept');

  await database.db.$executeRawUnsafe('DROP TRIGGER no_room ON core.events');
  const again = await core.call<Patient>('POST', '/patients', create);
  expect(again.status).toBe(201);
  expect(again.headers['idempotency-replayed']).toBeUndefined();
});
