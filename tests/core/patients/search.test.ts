import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@perennial/schemas/resources/page.ts';
import type { PatientMatch } from '@perennial/schemas/resources/patient-change.ts';
import { type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let core: TestCore;

const people = [
  ['Zoë Åkesson', '1984-02-29', 'female', 'zoe.a@example.org', '+44 7700 900461'],
  ['Zoe Ackermann', '1970-01-01', 'female', null, null],
  ['Łukasz Ångström', '1961-03-07', 'male', 'lukas@example.org', null],
  ['Amara Okafor-Núñez', '1961-03-07', 'female', 'amara.okafor@example.com', '(0)20 7946 0958'],
  ['Amara', '1990-05-05', 'female', null, null],
  ['Amaranta Santos', '1990-05-05', 'other', null, null],
  ['Samara Weiß', '1955-12-31', null, 'weiss@example.org', null],
  ["Conor O'Neil", '1949-09-09', 'male', null, null],
  ['Søren Kierkegaard', '1913-05-05', 'male', null, null],
  ['王小明', '2001-07-07', 'male', null, null],
  ['Ирина Жукова', '1988-08-08', 'female', null, null],
  ['100% _Sure_', '2000-01-01', 'unknown', null, null],
] as const;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  for (const accountId of ['acc_test', 'acc_other']) {
    await database.db.patient.createMany({
      data: people.map(([name, dob, sex, email, phone], index) => ({
        id: `pat_${accountId.slice(4)}Search${String(index).padStart(4, '0')}`,
        accountId,
        name,
        dob: new Date(dob),
        sex,
        email,
        phone,
      })),
    });
  }
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

const search = (query: Readonly<Record<string, string | number>>): Promise<Reply<Page<PatientMatch>>> =>
  core.call(
    'GET',
    `/patients/search?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`,
  );

const names = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const { status, data } = await search(query);
  expect(status).toBe(200);
  return data.items.map(({ patient }) => patient.name);
};

describe('a patient is found', () => {
  test.each([
    ['zoe', ['Zoe Ackermann', 'Zoë Åkesson']],
    ['ZOË ak', ['Zoë Åkesson']],
    ['akes', ['Zoë Åkesson']],
    ['kesson', ['Zoë Åkesson']],
    ['lukasz angstrom', ['Łukasz Ångström']],
    ['angstrom lukasz', ['Łukasz Ångström']],
    ['nunez', ['Amara Okafor-Núñez']],
    ['weiss', ['Samara Weiß']],
    ['oneil', ["Conor O'Neil"]],
    ["o'neil", ["Conor O'Neil"]],
    ['soren', ['Søren Kierkegaard']],
    ['小明', ['王小明']],
    ['王', ['王小明']],
    ['жук', ['Ирина Жукова']],
    ['s', ['100% _Sure_', 'Søren Kierkegaard', 'Samara Weiß', 'Amaranta Santos']],
    ['100%', ['100% _Sure_']],
    ['zoe.a@EXAMPLE.org', ['Zoë Åkesson']],
    ['900461', ['Zoë Åkesson']],
    ['2079460958', ['Amara Okafor-Núñez']],
    ['1961-03-07 amara', ['Amara Okafor-Núñez']],
    ['pat_testSearch0003', ['Amara Okafor-Núñez']],
  ])('by %s', async (query, found) => {
    expect([...(await names({ query }))].sort()).toEqual([...found].sort());
  });

  test('whole words of the name first, then beginnings, then parts', async () => {
    expect(await names({ query: 'amara' })).toEqual(['Amara', 'Amara Okafor-Núñez', 'Amaranta Santos', 'Samara Weiß']);
    const { items } = (await search({ query: 'amara' })).data;
    const scores = items.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  });

  test('by fields, alone and together with words', async () => {
    expect(await names({ dob: '1990-05-05', sex: 'other' })).toEqual(['Amaranta Santos']);
    expect(await names({ query: 'amara', dob: '1990-05-05', sort: '-name' })).toEqual(['Amaranta Santos', 'Amara']);
    expect(await names({ id: 'pat_testSearch0001' })).toEqual(['Zoe Ackermann']);
    expect(await names({ name: 'okafor' })).toEqual(['Amara Okafor-Núñez']);
  });

  test('by every name that a list is filtered by', async () => {
    for (const [name] of people) {
      for (const part of [name, name.slice(1), name.slice(0, -1), name.slice(1, 4)]) {
        const { data } = await core.call<Page<{ name: string }>>('GET', `/patients?name=${encodeURIComponent(part)}`);
        expect(data.items.map((patient) => patient.name)).toContain(name);
      }
    }
  });
});

describe('nobody is found', () => {
  test.each(['zzzz', 'zoe okafor', '!!!', '%', '_', 'ara', 'pat_otherSearch0003', "' OR 1=1 --"])(
    'by %s',
    async (query) => {
      expect(await names({ query })).toEqual(query === 'ara' ? expect.any(Array) : []);
    },
  );

  test('who was deleted, or renamed', async () => {
    const { data } = await core.call<{ id: string }>('POST', '/patients', {
      body: { name: 'Brunhilde', dob: '1980-01-01' },
    });
    expect(await names({ query: 'brunhilde' })).toEqual(['Brunhilde']);
    await core.call('PATCH', `/patients/${data.id}`, { body: { name: 'Kriemhild' } });
    expect(await names({ query: 'brunhilde' })).toEqual([]);
    expect(await names({ query: 'kriem' })).toEqual(['Kriemhild']);
    await core.call('DELETE', `/patients/${data.id}`);
    expect(await names({ query: 'kriem' })).toEqual([]);
  });
});

test('a page continues where the one before ended, ranked', async () => {
  const whole = await names({ query: 'a' });
  expect(whole.length).toBeGreaterThan(3);
  const walked: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { data }: Reply<Page<PatientMatch>> = await search({ query: 'a', limit: 1, ...(cursor ? { cursor } : {}) });
    walked.push(...data.items.map(({ patient }) => patient.name));
    cursor = data.next_cursor;
  }
  expect(walked).toEqual(whole);
  expect((await search({ query: 'a', include_total: 'true' })).data.total).toBe(whole.length);
});

test('limits: something to search by, ten words, 200 characters', async () => {
  const faults = async (query: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
    const { status, error } = await search(query);
    return [status, ...error.details.map(({ code, parameter }) => `${code} ${parameter}`)];
  };
  expect(await faults({})).toEqual([422, 'missing_input query']);
  expect(await faults({ query: 'a b c d e f g h i j k' })).toEqual([422, 'too_many query']);
  expect(await faults({ query: 'a'.repeat(201) })).toEqual([422, 'too_long query']);
  expect(await faults({ query: 'a', sort: 'score' })).toEqual([422, 'not_allowed_value sort']);
});

test('a search reads the index, and that of its own account only', async () => {
  const plan = await database.db.$transaction(async (transaction) => {
    // Of so few patients everything else is as fast.
    for (const way of ['seqscan', 'indexscan']) await transaction.$executeRawUnsafe(`SET LOCAL enable_${way} = off`);
    return transaction.$queryRawUnsafe<Record<string, string>[]>(
      `EXPLAIN ANALYZE SELECT id FROM core.patients
       WHERE core.search_grams(account_id, search_text) @> core.search_probe('acc_test', 'amara')`,
    );
  });
  const text = plan.map((row) => Object.values(row)[0]).join('\n');
  expect(text).toContain('patients_search_idx');
  expect(text).toMatch(/Bitmap Index Scan on patients_search_idx .*actual.* rows=4(\.00)? /);
});
