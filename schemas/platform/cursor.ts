import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { SharedSecret } from './internal-token.ts';

/**
 * Cursors: opaque, authenticated, and bound to the list they were issued for (account, operation, filters and order),
 * so that one cannot be used on another list. They are encrypted too (AES-256-GCM): the sort values in them can be a
 * name or a date of birth, and addresses are written to logs. Core issues them after a row; the gateway issues them at a position for
 * versions whose lists are by offset.
 */

/** Where a page begins: after the row with these sort values, or after this many rows. */
export type Position = { readonly after: readonly (string | number | null)[] } | { readonly offset: number };

/** The list a cursor belongs to. */
export interface ListIdentity {
  readonly accountId: string;
  readonly operationId: string;
  /** Path parameters by name: the list of one object's parts is not that of another's. */
  readonly path?: Readonly<Record<string, string>>;
  /** Filters by head name, as sent. */
  readonly filters: Readonly<Record<string, string>>;
  /** The `sort` parameter at head, or undefined for the default order. */
  readonly sort: string | undefined;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Issues a cursor. @param secret the secret that core and gateway share. */
export function encodeCursor(secret: string, list: ListIdentity, position: Position): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), nonce, { authTagLength: TAG_BYTES }).setAAD(identityOf(list));
  const text = Buffer.concat([cipher.update(JSON.stringify(position), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** The position a cursor names, or undefined when it was not issued for this list. Never throws. */
export function decodeCursor(secret: SharedSecret, list: ListIdentity, cursor: string): Position | undefined {
  const { current, previous } = secret;
  return decode(current, list, cursor) ?? (previous === undefined ? undefined : decode(previous, list, cursor));
}

function decode(secret: string, list: ListIdentity, cursor: string): Position | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secret), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(identityOf(list))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as Position;
  } catch {
    return undefined;
  }
}

function keyOf(secret: string): Buffer {
  return createHash('sha256').update(`cursor:${secret}`).digest();
}

function identityOf(list: ListIdentity): Buffer {
  const sorted = (values: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
    Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  const { accountId, operationId, filters, path = {}, sort = null } = list;
  return Buffer.from(JSON.stringify([accountId, operationId, sorted(path), sorted(filters), sort]), 'utf8');
}
