import { decodeCursor, encodeCursor, type ListIdentity, type Position } from '@perennial/schemas/platform/cursor.ts';
import { invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import type { AnyContext } from './http/handler.ts';
import type { KeyValue } from './keyset.ts';

const LIMIT_DEFAULT = 20;

/** The page parameters of a request. */
export type ListContext = Pick<AnyContext, 'caller' | 'operation' | 'params' | 'query' | 'search'>;

/** Where the page begins. */
export interface PageRequest {
  readonly limit: number;
  readonly position: Position | undefined;
  readonly includeTotal: boolean;
  readonly list: ListIdentity;
}

/** What a store found: one row more than the limit when there are more, and fewer where rows are long. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  /** Rows after which the page must end early, because the next row cannot share a page with them. */
  readonly rowsMax?: number;
  /** Whether more follows although no row of it was read, because the page would be too long. */
  readonly isCut?: boolean;
}

/**
 * Reads the parameters every list has.
 * @param keyCount how many values a position after a row has.
 * @throws Fault 422 when the cursor was not issued for this list, with these filters and this order.
 */
export function readPageRequest(context: ListContext, secret: SharedSecret, keyCount: number): PageRequest {
  const { query, search } = context;
  const list = listIdentity(context);
  const cursor = search.get('cursor');
  return {
    limit: typeof query['limit'] === 'number' ? query['limit'] : LIMIT_DEFAULT,
    position: cursor === null ? undefined : readPosition(secret, list, cursor, keyCount),
    includeTotal: query['include_total'] === true,
    list,
  };
}

/** Makes the page. @param keysOf the values of the sort keys of a row, in their order. */
export function toPage<Row, Item>(
  request: PageRequest,
  secret: SharedSecret,
  found: Found<Row>,
  toItem: (row: Row) => Item,
  keysOf: (row: Row) => readonly KeyValue[],
): Page<Item> {
  const limit = Math.min(request.limit, found.rowsMax ?? request.limit);
  const rows = found.rows.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = (found.rows.length > limit || found.isCut === true) && last !== undefined;
  return {
    items: rows.map(toItem),
    next_cursor: hasMore ? encodeCursor(secret.current, request.list, { after: keysOf(last) }) : null,
    has_more: hasMore,
    ...(found.total === undefined ? {} : { total: found.total }),
  };
}

function listIdentity({ caller, operation, params, search }: ListContext): ListIdentity {
  const filters: Record<string, string> = {};
  for (const { name, link } of operation.parameters) {
    const value = link?.role === 'filter' ? search.get(name) : null;
    if (value !== null) filters[name] = value;
  }
  return {
    accountId: caller.accountId,
    operationId: operation.id,
    path: params,
    filters,
    sort: search.get('sort') ?? undefined,
  };
}

function readPosition(secret: SharedSecret, list: ListIdentity, cursor: string, keyCount: number): Position {
  const position = decodeCursor(secret, list, cursor);
  // The signature vouches for the rest, but not that the order still has as many keys as when it was signed.
  const fits = position && ('offset' in position ? isOffset(position.offset) : position.after.length === keyCount);
  if (!fits) throw invalidParameter('cursor', 'cursor_invalid');
  return position;
}

function isOffset(offset: unknown): boolean {
  return Number.isSafeInteger(offset) && (offset as number) >= 0;
}
