import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeCursor } from '@perennial/schemas/platform/cursor.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import { type Reply, startCore, TEST_SECRET, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let core: TestCore;

/** Ties on purpose: many patients share a name, a date of birth and the instant of their creation. */
const COUNT = 47;
const names = ['Zoë Åkesson', 'zoe ackermann', 'Łukasz Ångström', 'O_Neil 100%', 'Amara Okafor', 'Ирина Жукова'];

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  await database.db.patient.createMany({
    data: Array.from({ length: COUNT }, (_, index) => ({
      id: `pat_list${String((index * 31) % 97).padStart(4, '0')}`,
      accountId: 'acc_test',
      name: names[index % names.length] as string,
      dob: new Date(Date.UTC(1950 + (index % 4), 0, 1)),
      sex: index % 3 === 0 ? null : index % 3 === 1 ? 'female' : 'male',
      genderIdentity: index % 5 === 0 ? 'woman' : null,
      email: index % 6 === 0 ? `Person${index}@Example.org` : null,
      createdAt: new Date(1_690_000_000_000 + (index % 7)),
      updatedAt: new Date(1_690_000_000_123 + (index % 11)),
    })),
  });
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

const list = (query: Readonly<Record<string, string | number>> = {}): Promise<Reply<Page<Patient>>> => {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return core.call<Page<Patient>>('GET', `/patients?${search}`);
};

async function walk(query: Readonly<Record<string, string | number>>): Promise<Patient[]> {
  const items: Patient[] = [];
  let cursor: string | null = null;
  do {
    const { status, data }: Reply<Page<Patient>> = await list(cursor === null ? query : { ...query, cursor });
    expect(status).toBe(200);
    expect(data.has_more).toBe(data.next_cursor !== null);
    items.push(...data.items);
    cursor = data.next_cursor;
  } while (cursor !== null);
  return items;
}

const ids = (items: readonly Patient[]): string[] => items.map(({ id }) => id);

describe('walking by cursor visits each entry once, in order', () => {
  const sorts = ['', 'created_at', '-created_at', 'name', '-name', 'dob,name', '-dob,updated_at', 'updated_at,-name'];
  test.each(sorts)('sort=%s', async (sort) => {
    const order = sort === '' ? {} : { sort };
    const whole = await list({ ...order, limit: 100 });
    expect(whole.data).toMatchObject({ next_cursor: null, has_more: false });
    expect(new Set(ids(whole.data.items)).size).toBe(COUNT);
    for (const limit of [1, 5, 46, 47]) expect(ids(await walk({ ...order, limit }))).toEqual(ids(whole.data.items));
  });

  test('the default order is by creation, then id', async () => {
    const items = await walk({ limit: 10 });
    const keys = items.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(keys).toEqual([...keys].sort());
    expect(ids(items)).toEqual(ids(await walk({ limit: 100, sort: 'created_at' })));
  });

  test('a descending order is the ascending one reversed', async () => {
    for (const [up, down] of [
      ['dob', '-dob'],
      ['dob,name', '-dob,-name'],
    ] as const) {
      expect(ids(await walk({ sort: down, limit: 9 }))).toEqual(ids(await walk({ sort: up, limit: 9 })).reverse());
    }
  });

  test('twenty entries are a page unless asked otherwise', async () => {
    expect((await list()).data.items).toHaveLength(20);
    expect((await list({ limit: 3 })).data.items).toHaveLength(3);
  });

  test('entries written while walking are neither repeated nor do they push others out', async () => {
    const first = await list({ limit: 10, sort: '-created_at' });
    const { data: made } = await core.call<Patient>('POST', '/patients', { body: { name: 'New', dob: '2000-01-01' } });
    const second = await list({ limit: 10, sort: '-created_at', cursor: first.data.next_cursor ?? '' });
    const seen = ids([...first.data.items, ...second.data.items]);
    expect(new Set(seen).size).toBe(20);
    expect(seen).not.toContain(made.id);
    await database.db.patient.delete({ where: { id: made.id } });
  });
});

describe('filters', () => {
  const expectNames = async (name: string, expected: readonly string[]): Promise<void> => {
    const items = await walk({ name, limit: 100 });
    expect(new Set(items.map((each) => each.name))).toEqual(new Set(expected));
  };

  test('name finds a part, whatever the case and the accents', async () => {
    await expectNames('zoe', ['Zoë Åkesson', 'zoe ackermann']);
    await expectNames('ZOË A', ['Zoë Åkesson', 'zoe ackermann']);
    await expectNames('ÅNG', ['Łukasz Ångström']);
    await expectNames('жук', ['Ирина Жукова']);
  });

  test('name takes wildcards and quotes as what they are', async () => {
    await expectNames('%', ['O_Neil 100%']);
    await expectNames('O_N', ['O_Neil 100%']);
    await expectNames("'; --", []);
    await expectNames('\\', []);
  });

  test('dob, sex, gender_identity and email select; together they narrow', async () => {
    expect((await walk({ dob: '1951-01-01' })).every(({ dob }) => dob === '1951-01-01')).toBe(true);
    expect((await walk({ sex: 'female' })).every(({ sex }) => sex === 'female')).toBe(true);
    expect(await walk({ gender_identity: 'woman' })).toHaveLength(10);
    expect(await walk({ gender_identity: 'wom' })).toHaveLength(0);
    expect(await walk({ 'contact_info.email': 'pERSON6@eXAMPLE.ORG' })).toHaveLength(1);
    const both = await walk({ sex: 'female', gender_identity: 'woman', limit: 2 });
    expect(both.length).toBeGreaterThan(0);
    expect(both.every((each) => each.sex === 'female' && each.gender_identity === 'woman')).toBe(true);
  });

  test('a day that PostgreSQL does not know selects nothing', async () => {
    expect((await list({ dob: '0000-01-01' })).data.items).toEqual([]);
    expect((await list({ dob: '9999-12-31' })).data.items).toEqual([]);
  });

  test('the total counts what the filters select, on every page, and only when asked for', async () => {
    const first = await list({ sex: 'female', limit: 4, include_total: 'true' });
    const count = (await walk({ sex: 'female' })).length;
    expect(first.data.total).toBe(count);
    const query = { sex: 'female', limit: 4, include_total: 'true', cursor: first.data.next_cursor ?? '' };
    expect((await list(query)).data.total).toBe(count);
    expect((await list({ include_total: 'false' })).data).not.toHaveProperty('total');
  });
});

describe('cursors', () => {
  const identity = { accountId: 'acc_test', operationId: 'patients.list', filters: {}, sort: undefined };
  const refused = async (query: Readonly<Record<string, string>>): Promise<void> => {
    const reply = await list(query);
    expect(reply.status).toBe(422);
    expect(reply.error.details).toMatchObject([{ parameter: 'cursor', code: 'cursor_invalid' }]);
  };

  test('are refused on another list: other filters, another order, another account', async () => {
    const cursor = (await list({ limit: 2, sort: 'name', sex: 'female' })).data.next_cursor ?? '';
    expect((await list({ limit: 9, sort: 'name', sex: 'female', include_total: 'true', cursor })).status).toBe(200);
    await refused({ sort: 'name', sex: 'male', cursor });
    await refused({ sort: 'name', cursor });
    await refused({ sort: '-name', sex: 'female', cursor });
    await refused({ sex: 'female', cursor });
    await refused({ sort: 'name', sex: 'female', dob: '1950-01-01', cursor });
    const path = `/patients?limit=2&sort=name&sex=female&cursor=${cursor}`;
    const reply = await core.call('GET', path, { caller: { accountId: 'acc_other' } });
    expect(reply.error.details).toMatchObject([{ code: 'cursor_invalid' }]);
  });

  test('are accepted however long the values they stand for are', async () => {
    const rows = ['😀'.repeat(200), '\u0001'.repeat(200)].flatMap((name, index) => [
      { id: `pat_long0000${index}a`, accountId: 'acc_long', name, dob: new Date(0) },
      { id: `pat_long0000${index}b`, accountId: 'acc_long', name, dob: new Date(0) },
    ]);
    await database.db.patient.createMany({ data: rows });
    const caller = { accountId: 'acc_long' };
    const sort = 'name,-dob,created_at,-updated_at';
    let path = `/patients?limit=1&sort=${sort}`;
    for (let page = 1; page <= rows.length; page += 1) {
      const { status, data } = await core.call<Page<Patient>>('GET', path, { caller });
      expect([status, data.has_more]).toEqual([200, page < rows.length]);
      path = `/patients?limit=1&sort=${sort}&cursor=${data.next_cursor}`;
    }
  });

  test('are refused when a single character is changed', async () => {
    const cursor = (await list({ limit: 2 })).data.next_cursor ?? '';
    for (let at = 0; at < cursor.length; at += 7) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      await refused({ cursor: cursor.slice(0, at) + other + cursor.slice(at + 1) });
    }
    await refused({ cursor: '.' });
    await refused({ cursor: 'e30.' });
  });

  test('that were signed for other keys are refused, not misread', async () => {
    await refused({ cursor: encodeCursor(TEST_SECRET, identity, { after: ['pat_a'] }) });
    await refused({ cursor: encodeCursor(TEST_SECRET, identity, { offset: -1 }) });
    await refused({ cursor: encodeCursor(TEST_SECRET, identity, { offset: 0.5 }) });
  });

  test('at an offset, as the gateway mints them, give that part of the same order', async () => {
    const whole = ids(await walk({ limit: 100 }));
    for (const offset of [0, 20, 46, 47, 1_000, Number.MAX_SAFE_INTEGER]) {
      const cursor = encodeCursor(TEST_SECRET, identity, { offset });
      const { data } = await list({ limit: 10, include_total: 'true', cursor });
      expect(ids(data.items)).toEqual(whole.slice(offset, offset + 10));
      expect(data).toMatchObject({ total: COUNT, has_more: offset + 10 < COUNT });
      if (data.next_cursor) {
        const next = await list({ limit: 10, cursor: data.next_cursor });
        expect(ids(next.data.items)).toEqual(whole.slice(offset + 10, offset + 20));
      }
    }
  });
});
