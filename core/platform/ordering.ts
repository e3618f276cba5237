import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { parseSort } from '@perennial/schemas/validation.ts';
import type { AnyContext } from './http/handler.ts';
import type { KeyValue, SortColumn } from './keyset.ts';
import { type Found, type PageRequest, readPageRequest, toPage } from './paging.ts';

/** A field a list can be ordered by: its column, and its value as a cursor carries it. */
export type SortField<Row> = Omit<SortColumn, 'descending'> & { readonly value: (row: Row) => KeyValue };

/** How a list can be ordered. */
export interface Ordering<Row> {
  /** Keyed by field name, as in the contract. */
  readonly fields: Readonly<Record<string, SortField<Row>>>;
  /** Written like the `sort` parameter, for example `-created_at`. */
  readonly byDefault: string;
  /** The field that no two rows share. */
  readonly unique: string;
}

/** The page that a store is asked for. */
export interface ListRequest extends Pick<PageRequest, 'limit' | 'position' | 'includeTotal'> {
  readonly keys: readonly SortColumn[];
}

/**
 * Answers one page of a list in the order asked for. Ties follow the last key's direction: an index serves both.
 * @throws Fault 422 when the cursor was not issued for this list, with these filters and this order.
 */
export async function answerPage<Row, Item>(
  context: AnyContext,
  secret: SharedSecret,
  ordering: Ordering<Row>,
  fetch: (request: ListRequest) => Promise<Found<Row>>,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const { query } = context;
  // Validation let through only the fields that the contract lists.
  const asked = parseSort(typeof query['sort'] === 'string' ? query['sort'] : ordering.byDefault);
  const last = { field: ordering.unique, descending: asked.at(-1)?.descending ?? false };
  const order = asked.some(({ field }) => field === ordering.unique) ? asked : [...asked, last];
  const keys = order.map(({ field, descending }) => ({ ...(ordering.fields[field] as SortField<Row>), descending }));
  const request = readPageRequest(context, secret, keys.length);
  const { limit, position, includeTotal } = request;
  const columns = keys.map(({ value: _, ...column }) => column);
  const found = await fetch({ keys: columns, limit, position, includeTotal });
  return toPage(request, secret, found, toItem, (row) => keys.map(({ value }) => value(row)));
}
