import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Job } from '@perennial/schemas/resources/job.ts';
import { startCore, type TestCore } from '../../support/core.ts';
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

async function analyzed(): Promise<readonly string[]> {
  const rows = await database.db.$queryRaw<{ relname: string }[]>`
    SELECT relname::text FROM pg_stat_user_tables
    WHERE schemaname = 'core' AND last_analyze IS NOT NULL ORDER BY relname`;
  return rows.map(({ relname }) => relname);
}

async function create(count: number): Promise<void> {
  const operations = Array.from({ length: count }, (_, index) => ({
    action: 'create',
    data: { name: `Many ${index}`, dob: '1980-02-29' },
  }));
  const { data } = await core.call<{ job: Job | null }>('POST', '/patients/bulk', { body: { operations } });
  for (let { job } = data; job && job.state !== 'succeeded'; ) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    job = (await core.call<Job>('GET', `/jobs/${job.id}`)).data;
  }
}

test('after many rows were written in bulk, PostgreSQL has looked at their tables; after a few it has not', async () => {
  await create(20);
  await core.services.statistics.refresh();
  expect(await analyzed()).toEqual([]);
  await create(300);
  while ((await analyzed()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await analyzed()).toEqual(['events', 'patient_changes', 'patients']);
});
