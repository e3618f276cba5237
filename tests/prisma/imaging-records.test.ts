import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MIGRATIONS_DIR, migrate, readMigrations } from '@perennial/prisma/migrate.ts';
import { head } from '@perennial/schemas/contract.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import { createExamples } from '@perennial/translators/contract/examples.ts';
import pg from 'pg';
import { emptyDatabase, type TestDatabase } from '../support/database.ts';

/*
 * Results of images were a table of their own. They are diagnostic records now, and nothing of them is lost.
 */
const MIGRATION = '20261121100100_imaging_records';
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await emptyDatabase();
  const before = await mkdtemp(join(tmpdir(), 'perennial-migrations-'));
  for (const { name } of await readMigrations())
    if (name < MIGRATION) await cp(join(MIGRATIONS_DIR, name), join(before, name), { recursive: true });
  await migrate(database.url, before);
  await rm(before, { recursive: true });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.close();
});

const analysis = createExamples(head.resources).of('ImagingAnalysis');
const at = '2023-10-20T10:00:00.123Z';

/** The result as it was answered, and stood in documents. */
function olderResult(id: string, patient_id: string | null): object {
  return {
    id,
    kind: 'imaging',
    status: 'completed',
    study_id: 'img_1',
    instance_id: 'imi_1',
    frame: 2,
    patient_id,
    diagnostic_result: analysis,
    knowledge_version: '2023.9',
    created_by: 'key_1',
    created_at: at,
  };
}

function record(id: string, patient_id: string | null): object {
  return {
    id,
    patient_id,
    kind: 'imaging',
    status: 'completed',
    patientData: null,
    diagnostic_result: null,
    differential: null,
    imaging: { study_id: 'img_1', instance_id: 'imi_1', frame: 2, analysis, knowledge_version: '2023.9' },
    feedback: null,
    note: null,
    created_by: 'key_1',
    created_at: at,
    updated_at: at,
  };
}

const bound = 'diag_000000000001';
const unbound = 'diag_000000000002';

test('rows and documents are moved as they are', async () => {
  const patient = 'pat_000000000001';
  await client.query("INSERT INTO core.patients (id, account_id, name, dob) VALUES ($1, 'acc_1', 'A', '1980-01-01')", [
    patient,
  ]);
  for (const [study, patientId] of [
    ['img_1', patient],
    ['img_2', null],
  ])
    await client.query(
      `INSERT INTO core.imaging_studies (id, account_id, patient_id, source, identity, created_at, updated_at)
       VALUES ($1, 'acc_1', $2, 'png', '{}', $3, $3)`,
      [study, patientId, at],
    );
  for (const [id, study] of [
    [bound, 'img_1'],
    [unbound, 'img_2'],
  ])
    await client.query(
      `INSERT INTO core.imaging_results (id, account_id, study_id, instance_id, frame, head_release, result,
         knowledge_version, key_id, created_at)
       VALUES ($1, 'acc_1', $2, 'imi_1', 2, '2023-10-15', $3, '2023.9', 'key_1', $4)`,
      [id, study, JSON.stringify(analysis), at],
    );
  const document = JSON.stringify(olderResult(bound, patient));
  await client.query(
    `INSERT INTO core.events (id, account_id, kind, object_id, patient_id, sequence, head_release, document, created_at)
     VALUES ('evt_1', 'acc_1', 'imaging.completed', $1, $2, 1, '2023-10-15', $3, $4),
       ('evt_2', 'acc_1', 'imaging.completed', $1, $2, 2, '2023-10-15', NULL, $4),
       ('evt_3', 'acc_1', 'patient.created', $2, $2, 1, '2023-10-15', '{"id":"other"}', $4)`,
    [bound, patient, document, at],
  );
  await client.query(
    `INSERT INTO core.jobs (id, account_id, key_id, request_id, kind, category, state, head_release, result)
     VALUES ('job_1', 'acc_1', 'key_1', 'req_1', 'imaging.analyze', 'imaging', 'succeeded', '2023-10-15', $1),
       ('job_2', 'acc_1', 'key_1', 'req_1', 'imaging.analyze', 'imaging', 'queued', '2023-10-15', NULL)`,
    [JSON.stringify({ kind: 'imaging', data: olderResult(unbound, null) })],
  );
  await client.query(
    `INSERT INTO core.idempotency_records (account_id, key, method, path, body_hash, head_release, status, headers,
       response, patient_ids, expires_at)
     VALUES ('acc_1', 'k1', 'POST', '/imaging/studies/img_1/analyze', '', '2023-10-15', 200, '{}', $1, '{}', now()),
       ('acc_1', 'k2', 'POST', '/imaging/studies/img_1/analyze', '', '2023-10-15', 202, '{}', $2, '{}', now())`,
    [JSON.stringify({ result: olderResult(bound, patient), job: null }), '{"result":null,"job":{"id":"job_2"}}'],
  );

  expect((await migrate(database.url)).applied).toContain(MIGRATION);

  const { rows } = await client.query<Record<string, unknown>>(
    'SELECT *, imaging::text AS text FROM core.diagnostic_records ORDER BY id',
  );
  const common = {
    account_id: 'acc_1',
    kind: 'imaging',
    status: 'completed',
    head_release: '2023-10-15',
    input: null,
    result: null,
    differential: null,
    instance_id: 'imi_1',
    frame: 2,
    imaging: analysis,
    text: JSON.stringify(analysis),
    knowledge_version: '2023.9',
    feedback: null,
    note: null,
    key_id: 'key_1',
    revision: 1,
    created_at: new Date(at),
    updated_at: new Date(at),
    deleted_at: null,
  };
  expect(rows).toEqual([
    { ...common, id: bound, patient_id: patient, study_id: 'img_1' },
    { ...common, id: unbound, patient_id: null, study_id: 'img_2' },
  ]);
  const textsOf = async (sql: string): Promise<readonly unknown[]> =>
    (await client.query<{ value: unknown }>(sql)).rows.map(({ value }) => JSON.stringify(value));
  // With their members in the contract's order.
  expect(await textsOf('SELECT document AS value FROM core.events ORDER BY id')).toEqual([
    JSON.stringify(record(bound, patient)),
    'null',
    '{"id":"other"}',
  ]);
  expect(createValidator(head.resources).body('DiagnosticRecord', record(bound, patient))).toEqual([]);
  expect(await textsOf('SELECT result AS value FROM core.jobs ORDER BY id')).toEqual([
    JSON.stringify({ kind: 'imaging', data: record(unbound, null) }),
    'null',
  ]);
  expect(await textsOf('SELECT response AS value FROM core.idempotency_records ORDER BY key')).toEqual([
    JSON.stringify({ result: record(bound, patient), job: null }),
    '{"result":null,"job":{"id":"job_2"}}',
  ]);
});

describe('a record', () => {
  test.each([
    ['of an image with a ranking', bound, "result = '{}'"],
    ['of an image without its image', bound, 'imaging = NULL'],
    ['of an image without its study', bound, 'study_id = NULL'],
    ['of an image before its first frame', bound, 'frame = 0'],
    ['of an analysis without a result', bound, "kind = 'analysis'"],
    ['of a kind that there is not', bound, "kind = 'other'"],
  ])('%s is refused by the database', async (_, id, change) => {
    const update = client.query(`UPDATE core.diagnostic_records SET ${change} WHERE id = $1`, [id]);
    await expect(update).rejects.toMatchObject({ constraint: 'diagnostic_records_kind_check' });
  });

  test('of an analysis needs its patient, and has nothing of an image', async () => {
    const insert = (patient: string | null, frame: number | null): Promise<unknown> =>
      client.query(
        `INSERT INTO core.diagnostic_records (id, account_id, patient_id, kind, status, head_release, input, result, key_id, frame)
         VALUES ('diag_3', 'acc_1', $1, 'analysis', 'completed', '2023-10-15', '{}', '{}', 'key_1', $2)`,
        [patient, frame],
      );
    const refused = { constraint: 'diagnostic_records_kind_check' };
    await expect(insert(null, null)).rejects.toMatchObject(refused);
    await expect(insert('pat_000000000001', 1)).rejects.toMatchObject(refused);
    await insert('pat_000000000001', null);
  });

  test('of an image goes with its study', async () => {
    await client.query("DELETE FROM core.imaging_studies WHERE id = 'img_2'");
    const { rows } = await client.query('SELECT id FROM core.diagnostic_records WHERE id = $1', [unbound]);
    expect(rows).toEqual([]);
  });
});
