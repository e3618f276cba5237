import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addSubjects, parseSubjects, SUBJECTS_HEADER } from '@perennial/schemas/platform/http/subjects.ts';
import { startCore, type TestCore } from '../../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
let core: TestCore;
let patients: readonly string[];

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  const made: string[] = [];
  for (const name of ['Ada', 'Ben', 'Cleo']) {
    const { data } = await core.call<{ id: string }>('POST', '/patients', { body: { name, dob: '1980-01-01' } });
    made.push(data.id);
  }
  patients = made;
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

async function subjects(method: string, path: string, body?: unknown): Promise<readonly string[]> {
  const { headers } = await core.call(method, path, { body });
  return parseSubjects(headers[SUBJECTS_HEADER]);
}

describe('core says whose data an exchange was about', () => {
  test('everybody on a page of a list', async () => {
    expect(new Set(await subjects('GET', '/patients'))).toEqual(new Set(patients));
  });

  test('whoever a query, a body or an answer without a body names', async () => {
    const [ada] = patients as [string];
    expect(await subjects('GET', `/medications/interactions/overrides?patient_id=${ada}`)).toEqual([ada]);
    const check = { patient_id: ada, medications: [{ name: 'warfarin' }, { name: 'ibuprofen' }] };
    expect(await subjects('POST', '/medications/interactions', check)).toEqual([ada]);
    // Also a patient that there is not: somebody looked for it.
    const missing = 'pat_00000000000000000000';
    expect(await subjects('POST', '/medications/interactions', { ...check, patient_id: missing })).toEqual([missing]);
  });

  test('nobody where nobody is named', async () => {
    expect(await subjects('POST', '/medications/resolve', { medications: ['warfarin'] })).toEqual([]);
  });
});

describe('the header', () => {
  test('names no more than a page has', () => {
    const found = new Set<string>();
    addSubjects(
      found,
      JSON.stringify(Array.from({ length: 300 }, (_, index) => `pat_${String(index).padStart(20, '0')}`)),
    );
    expect(found.size).toBe(100);
    expect(parseSubjects([...found].join(','))).toHaveLength(100);
  });

  test.each([[''], ['pat_1'], ['pat_00000000,'], ['pat_00000000, pat_00000001'], ['Ada'], [undefined]])(
    'is ignored when it is anything else: %s',
    (header) => expect(parseSubjects(header)).toEqual([]),
  );
});
