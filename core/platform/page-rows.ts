import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import { PAGE_BYTES_MAX } from '@perennial/schemas/resources/page.ts';
import { after, orderBy } from './keyset.ts';
import type { ListRequest } from './ordering.ts';
import type { Found } from './paging.ts';

/** Rows of a list, and whether others follow that were found with them and are too long to be read at once. */
export type BoundedRows<Row> = Pick<Required<Found<Row>>, 'rows' | 'isCut'>;

/**
 * Reads a part of a list, with one row more than the limit when there are more.
 * @param select up to its conditions, with at least one: what selects the position follows with AND.
 */
export function readPage<Row>(
  database: Database | DatabaseTransaction,
  select: Prisma.Sql,
  { keys, position, limit }: Pick<ListRequest, 'keys' | 'position' | 'limit'>,
): Promise<BoundedRows<Row>> {
  const start = position && 'after' in position ? Prisma.sql`AND ${after(keys, position.after)}` : Prisma.empty;
  const skip = position && 'offset' in position ? Prisma.sql`OFFSET ${position.offset}` : Prisma.empty;
  return readRows(database, Prisma.sql`${select} ${start} ${orderBy(keys)} LIMIT ${limit + 1} ${skip}`);
}

/**
 * Reads what a query finds, in its order, up to as many bytes as one page has; the first row always. PostgreSQL counts
 * them, so that long rows which do not fit never come into this process: taking megabytes apart holds everybody up.
 */
export async function readRows<Row>(
  database: Database | DatabaseTransaction,
  query: Prisma.Sql,
): Promise<BoundedRows<Row>> {
  const read = await database.$queryRaw<(Row & { readonly rowsFound?: number })[]>`
    WITH found_rows AS MATERIALIZED (${query})
    SELECT found_rows.*, (SELECT count(*)::int FROM found_rows) AS "rowsFound" FROM found_rows LIMIT (
      SELECT greatest(1, count(*) FILTER (WHERE bytes <= ${PAGE_BYTES_MAX}::bigint)) FROM (
        SELECT sum(octet_length(found_rows::text)) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM found_rows) AS sizes)`;
  const isCut = read.length < (read[0]?.rowsFound ?? 0);
  return { rows: read.map(({ rowsFound: _, ...row }) => row as unknown as Row), isCut };
}

/**
 * Everything that a query finds, a batch at a time.
 * @param query what finds the next `batch` rows after one, or the first ones.
 */
export async function* readBatches<Row>(
  database: Database | DatabaseTransaction,
  query: (last: Row | undefined) => Prisma.Sql,
  batch: number,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  for (;;) {
    const { rows, isCut } = await readRows<Row>(database, query(last));
    if (rows.length > 0) yield rows;
    if (rows.length < batch && !isCut) return;
    last = rows.at(-1);
  }
}
