import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readBatches, readPage, readRows } from '@perennial/core/platform/page-rows.ts';
import { Prisma } from '@perennial/prisma/client.ts';
import { PAGE_BYTES_MAX } from '@perennial/schemas/resources/page.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

interface Row {
  readonly number: number;
  readonly text: string;
}

describe('what is read of a list', () => {
  let fresh: TestDatabase;
  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  afterAll(() => fresh.close());

  /** Rows of these lengths, numbered from 1. */
  const rowsOf = (...lengths: readonly number[]): Prisma.Sql =>
    Prisma.sql`SELECT number, text FROM (
      SELECT place::int AS number, repeat('x', length) AS text
      FROM unnest(${lengths}::int[]) WITH ORDINALITY AS given (length, place)) AS made WHERE TRUE`;
  const numbers = (rows: readonly Row[]): readonly number[] => rows.map(({ number }) => number);
  const half = PAGE_BYTES_MAX / 2;

  test.each([
    ['nothing', [], [], false],
    ['short rows', [1, 2, 3], [1, 2, 3], false],
    ['two halves, less what stands around them', [half - 100, half - 100, 1], [1, 2, 3], false],
    ['two halves and a row between', [half, 10, half], [1, 2], true],
    ['a first row that alone is too long', [PAGE_BYTES_MAX * 2, 1], [1], true],
    ['a last row that alone is too long', [PAGE_BYTES_MAX * 2], [1], false],
    ['a long row between short ones, which are not read past it', [1, PAGE_BYTES_MAX, 1], [1], true],
  ])('%s', async (_, lengths, read, isCut) => {
    const found = await readRows<Row>(fresh.db, rowsOf(...lengths));
    expect([numbers(found.rows), found.isCut]).toEqual([read, isCut]);
    for (const row of found.rows) expect(Object.keys(row)).toEqual(['number', 'text']);
  });

  test('a page goes in its order from its position, with one row more than its limit', async () => {
    const keys = [{ column: 'number', type: 'double precision', descending: true }] as const;
    const page = (position: { readonly after: readonly number[] } | { readonly offset: number } | undefined) =>
      readPage<Row>(fresh.db, rowsOf(1, half, half, 4, 5), { keys, position, limit: 2 });
    expect(numbers((await page(undefined)).rows)).toEqual([5, 4, 3]);
    expect(await page({ offset: 2 })).toMatchObject({ rows: [{ number: 3 }], isCut: true });
    expect(numbers((await page({ after: [3] })).rows)).toEqual([2, 1]);
  });

  test('everything is read in batches that no long row ends early', async () => {
    const lengths = [1, half, half, PAGE_BYTES_MAX * 2, 1, 1, 1];
    const batches: (readonly number[])[] = [];
    const query = (last: Row | undefined): Prisma.Sql =>
      Prisma.sql`${rowsOf(...lengths)} AND number > ${last?.number ?? 0} ORDER BY number LIMIT 3`;
    for await (const rows of readBatches<Row>(fresh.db, query, 3)) batches.push(numbers(rows));
    expect(batches).toEqual([[1, 2], [3], [4], [5, 6, 7]]);
  });
});
