import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { after, type KeyValue, orderBy, type SortColumn } from '@perennial/core/platform/keyset.ts';
import { Prisma } from '@perennial/prisma/client.ts';
import fc from 'fast-check';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await database.db.$executeRaw`CREATE TABLE t (a text, b double precision, id text PRIMARY KEY)`;
});

afterAll(() => database.close());

interface Row {
  readonly a: string | null;
  readonly b: number | null;
  readonly id: string;
}

const direction = fc.boolean();
const keys = fc.tuple(direction, direction, direction).map(([a, b, id]): readonly SortColumn[] => [
  { column: 'a', type: 'text', descending: a, nullable: true },
  { column: 'b', type: 'double precision', descending: b, nullable: true },
  { column: 'id', type: 'text', descending: id },
]);
const rows = fc.uniqueArray(
  fc.record({
    a: fc.option(fc.constantFrom('x', 'y', 'ä')),
    b: fc.option(fc.constantFrom(0.1, 1 / 3, 2, -7)),
    id: fc.integer({ min: 0, max: 99 }).map((id) => `id${id}`),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 12 },
);

test('walking after each row visits every row once in its order, with nulls, ties and mixed directions', async () => {
  await fc.assert(
    fc.asyncProperty(keys, rows, async (order, given) => {
      await database.db.$executeRaw`DELETE FROM t`;
      for (const { a, b, id } of given) await database.db.$executeRaw`INSERT INTO t VALUES (${a}, ${b}::float8, ${id})`;
      const sorted = await database.db.$queryRaw<Row[]>`SELECT * FROM t ${orderBy(order)}`;
      let position: readonly KeyValue[] | undefined;
      const visited: Row[] = [];
      for (let step = 0; step <= given.length; step += 1) {
        const where: Prisma.Sql = position ? Prisma.sql`WHERE ${after(order, position)}` : Prisma.empty;
        const [row] = await database.db.$queryRaw<Row[]>`SELECT * FROM t ${where} ${orderBy(order)} LIMIT 1`;
        if (!row) break;
        visited.push(row);
        position = [row.a, row.b, row.id];
      }
      expect(visited).toEqual(sorted);
    }),
    { numRuns: 30 },
  );
});
