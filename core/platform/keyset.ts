import { Prisma } from '@perennial/prisma/client.ts';

/** One key of a list's order. */
export interface SortColumn {
  /** SQL of the column: a constant of our code, never text from a request. */
  readonly column: string;
  /** SQL type its values in a cursor are read as. */
  readonly type: 'text' | 'date' | 'timestamptz' | 'double precision';
  readonly descending: boolean;
  /** Whether it can be null. Nulls come last ascending and first descending, as in PostgreSQL's own indexes. */
  readonly nullable?: boolean;
}

/** A value of a sort key as a cursor carries it. */
export type KeyValue = string | number | null;

/** `ORDER BY` for the keys. */
export function orderBy(keys: readonly SortColumn[]): Prisma.Sql {
  return Prisma.raw(`ORDER BY ${keys.map((key) => `${key.column} ${key.descending ? 'DESC' : 'ASC'}`).join(', ')}`);
}

/**
 * The condition that selects the rows after the one with these values.
 * @param values one for each key, in its order.
 */
export function after(keys: readonly SortColumn[], values: readonly KeyValue[]): Prisma.Sql {
  const first = keys[0];
  const isPlain = keys.every((key) => !key.nullable && key.descending === first?.descending);
  if (first && isPlain) {
    // A row comparison is one range of the index, where the general form is a filter.
    const columns = Prisma.raw(keys.map(({ column }) => column).join(', '));
    const given = Prisma.join(keys.map((key, index) => literal(key, values[index] ?? null)));
    return Prisma.sql`(${columns}) ${Prisma.raw(first.descending ? '<' : '>')} (${given})`;
  }
  const alternatives = keys.map((key, index) => {
    const ties = keys.slice(0, index).map((tie, at) => equal(tie, values[at] ?? null));
    return Prisma.sql`(${Prisma.join([...ties, beyond(key, values[index] ?? null)], ' AND ')})`;
  });
  return Prisma.sql`(${Prisma.join(alternatives, ' OR ')})`;
}

function beyond(key: SortColumn, value: KeyValue): Prisma.Sql {
  const column = Prisma.raw(key.column);
  if (key.descending) {
    return value === null ? Prisma.sql`${column} IS NOT NULL` : Prisma.sql`${column} < ${literal(key, value)}`;
  }
  if (value === null) return Prisma.sql`FALSE`;
  const greater = Prisma.sql`${column} > ${literal(key, value)}`;
  return key.nullable ? Prisma.sql`(${greater} OR ${column} IS NULL)` : greater;
}

function equal(key: SortColumn, value: KeyValue): Prisma.Sql {
  const column = Prisma.raw(key.column);
  return value === null ? Prisma.sql`${column} IS NULL` : Prisma.sql`${column} = ${literal(key, value)}`;
}

function literal(key: SortColumn, value: KeyValue): Prisma.Sql {
  // Sent as text and read by PostgreSQL, so that no driver rounds it on the way.
  return Prisma.sql`${value === null ? null : String(value)}::text::${Prisma.raw(key.type)}`;
}
