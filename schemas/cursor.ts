import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Cursors: opaque, signed, and bound to the list they were issued for (account, operation, filters and order), so
 * that one cannot be used on another list. Core issues them after a row; the gateway issues them at a position for
 * versions whose lists are by offset.
 */

/** Where a page begins: after the row with these sort values, or after this many rows. */
export type Position = { readonly after: readonly (string | number | null)[] } | { readonly offset: number };

/** The list a cursor belongs to. */
export interface ListIdentity {
  readonly accountId: string;
  readonly operationId: string;
  /** Filters by head name, as sent. */
  readonly filters: Readonly<Record<string, string>>;
  /** The `sort` parameter at head, or undefined for the default order. */
  readonly sort: string | undefined;
}

const SIGNATURE_BYTES = 16;

/** Issues a cursor. @param secret the secret that core and gateway share. */
export function encodeCursor(secret: string, list: ListIdentity, position: Position): string {
  const payload = Buffer.from(JSON.stringify(position), 'utf8').toString('base64url');
  return `${payload}.${sign(secret, list, payload)}`;
}

/** The position a cursor names, or undefined when it was not issued for this list. Never throws. */
export function decodeCursor(secret: string, list: ListIdentity, cursor: string): Position | undefined {
  const dot = cursor.indexOf('.');
  if (dot <= 0) return undefined;
  const payload = cursor.slice(0, dot);
  const expected = Buffer.from(sign(secret, list, payload));
  const given = Buffer.from(cursor.slice(dot + 1));
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Position;
}

function sign(secret: string, list: ListIdentity, payload: string): string {
  const filters = Object.entries(list.filters).sort(([a], [b]) => (a < b ? -1 : 1));
  const identity = createHash('sha256')
    .update(JSON.stringify([list.accountId, list.operationId, filters, list.sort ?? null]))
    .digest('hex');
  return createHmac('sha256', secret)
    .update(`cursor:${identity}:${payload}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES)
    .toString('base64url');
}
