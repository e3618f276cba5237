import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { parseSort } from '@perennial/schemas/validation.ts';
import type { KeyValue } from '../platform/keyset.ts';
import { type Found, type ListContext, readPageRequest, toPage } from '../platform/paging.ts';

/** How a list in memory can be ordered. */
export interface MemoryOrder<Row> {
  /** Values of the fields, by the names of the contract. */
  readonly fields: Readonly<Record<string, (row: Row) => KeyValue>>;
  /** In the form of the `sort` parameter. */
  readonly byDefault: string;
  /** The field that no two rows share. */
  readonly unique: string;
}

/**
 * Answers one page of a list that is in memory. Positions are values, not numbers, so that a cursor that was issued
 * before the knowledge changed goes on after the entry it named.
 * @throws Fault 422 when the cursor was not issued for this list, with these filters and this order.
 */
export function pageOf<Row, Item>(
  context: ListContext,
  secret: SharedSecret,
  rows: readonly Row[],
  order: MemoryOrder<Row>,
  toItem: (row: Row) => Item,
): Page<Item> {
  const asked = parseSort(typeof context.query['sort'] === 'string' ? context.query['sort'] : order.byDefault);
  const last = { field: order.unique, descending: asked.at(-1)?.descending ?? false };
  const keys = (asked.some(({ field }) => field === order.unique) ? asked : [...asked, last]).map((key) => ({
    ...key,
    value: order.fields[key.field] as (row: Row) => KeyValue,
  }));
  const compare = (a: readonly KeyValue[], b: readonly KeyValue[]): number => {
    for (const [index, { descending }] of keys.entries()) {
      const order = compareValues(a[index] ?? null, b[index] ?? null);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
  const sorted = rows
    .map((row) => ({ row, values: keys.map(({ value }) => value(row)) }))
    .sort((a, b) => compare(a.values, b.values));
  const request = readPageRequest(context, secret, keys.length);
  const { position, limit, includeTotal } = request;
  const start = startOf(
    sorted.map(({ values }) => values),
    position,
    compare,
  );
  const found = {
    rows: sorted.slice(start, start + limit + 1),
    total: includeTotal ? rows.length : undefined,
  };
  return toPage(
    request,
    secret,
    found,
    ({ row }) => toItem(row),
    ({ values }) => values,
  );
}

/**
 * Answers one page of a list whose order is its own, such as that of paths: positions are numbers.
 * @param most how many rows to look for; called once the position is known.
 * @throws Fault 422 when the cursor was not issued for this list with these filters.
 */
export function pageByNumber<Row, Item>(
  context: ListContext,
  secret: SharedSecret,
  find: (most: number, includeTotal: boolean) => Found<Row>,
  toItem: (row: Row) => Item,
): Page<Item> {
  const request = readPageRequest(context, secret, 1);
  const { position, limit, includeTotal } = request;
  const start = position === undefined ? 0 : 'offset' in position ? position.offset : Number(position.after[0]) + 1;
  const { rows, total } = find(start + limit + 1, includeTotal);
  const found = { rows: rows.slice(start).map((row, index) => ({ row, number: start + index })), total };
  return toPage(
    request,
    secret,
    found,
    ({ row }) => toItem(row),
    ({ number }) => [number],
  );
}

function startOf(
  values: readonly (readonly KeyValue[])[],
  position: ReturnType<typeof readPageRequest>['position'],
  compare: (a: readonly KeyValue[], b: readonly KeyValue[]) => number,
): number {
  if (position === undefined) return 0;
  if ('offset' in position) return position.offset;
  const at = values.findIndex((each) => compare(each, position.after) > 0);
  return at < 0 ? values.length : at;
}

/** By code units: the same order on every machine, whatever its locale. */
function compareValues(a: KeyValue, b: KeyValue): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
