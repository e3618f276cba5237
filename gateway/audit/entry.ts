import { hash } from 'node:crypto';
import type { AuditKey, AuditKeys } from './keys.ts';
import { NO_ORIGIN, type Origin } from './origin.ts';

/** One access to patient data, or one act of an operator, before it has its place in the chain. */
export interface Access {
  readonly accountId: string;
  readonly at: Date;
  readonly requestId: string;
  readonly keyId: string;
  readonly operation: string;
  readonly resourceIds: readonly string[];
  /** The HTTP status answered; `BEGUN` before there is one, `LEFT` when the client left before there was one. */
  readonly status: number;
  /** Left out of what the service does by itself. */
  readonly origin?: Origin;
}

/** An access at its place in the chain of its account. */
export interface ChainedAccess {
  readonly accountId: string;
  readonly previousHash: string;
  readonly hash: string;
  /** The canonical form, which says everything else. */
  readonly text: string;
}

/** An entry as it is kept. */
export interface KeptEntry extends Omit<Access, 'origin'>, Origin {
  readonly previousHash: string;
  readonly hash: string;
  /** The id of the key that the hash was made with; null for entries from before there were keys. */
  readonly signingKey: string | null;
}

/** The access was let through and its outcome is not known yet; another entry of the same request tells it. */
export const BEGUN = 0;
/** The client left before an answer began. No status of HTTP says so; this is the one that servers use. */
export const LEFT = 499;
/** What the first entry of an account follows. */
export const GENESIS: string = '0'.repeat(64);

/** The access as the one that follows the given hash. */
export function chained(access: Access, previousHash: string, key: AuditKey): ChainedAccess {
  const text = canonical(access, previousHash, key.id);
  return { accountId: access.accountId, previousHash, hash: key.mac(text), text };
}

/**
 * The hash that a kept entry must have: HMAC-SHA256 in hex of its canonical form, which has the hash that it follows in
 * it. Of an entry from before there were keys it is the plain SHA-256, which anybody can make. Undefined without its key.
 */
export function hashOf(entry: KeptEntry, keys: AuditKeys): string | undefined {
  const { address, client, purpose, signingKey } = entry;
  if (signingKey === null) return hash('sha256', canonicalUnkeyed(entry, entry.previousHash), 'hex');
  const access = { ...entry, origin: { address, client, purpose } };
  return keys.find(signingKey)?.mac(canonical(access, entry.previousHash, signingKey));
}

/**
 * The canonical form: RFC 8785 of a list, so that there is one spelling and no order of members. Changing it breaks
 * every chain that exists; `append.ts` reads its places.
 */
function canonical(access: Access, previousHash: string, keyOfChain: string): string {
  const { accountId, at, requestId, keyId, operation, resourceIds, status, origin = NO_ORIGIN } = access;
  const { address, client, purpose } = origin;
  return JSON.stringify([
    ...[accountId, at, requestId, keyId, operation, resourceIds, status, previousHash],
    ...[keyOfChain, address, client, purpose],
  ]);
}

/** The form that entries had before there were keys. */
function canonicalUnkeyed(access: Omit<Access, 'origin'>, previousHash: string): string {
  const { accountId, at, requestId, keyId, operation, resourceIds, status } = access;
  return JSON.stringify([accountId, at, requestId, keyId, operation, resourceIds, status, previousHash]);
}

/** Where a chain ends. */
export interface Head {
  readonly hash: string;
  /** How many entries the chain has. */
  readonly entries: number;
}

/** What proves that a chain has that many entries and ends there. It is kept beside the entries. */
export function macOfHead(accountId: string, { hash: end, entries }: Head, key: AuditKey): string {
  return key.mac(JSON.stringify(['head', accountId, entries, end]));
}

/** Identifiers as we make them (`newId`), and unique identifiers of DICOM, which have many parts. */
const OURS = /^[a-z]{2,6}_[0-9A-Za-z]{8,64}$/;
const DICOM_UID = /^(?=.{9,64}$)[0-2](?:\.(?:0|[1-9]\d*)){4,}$/;
/** Replaces a path parameter that is not an identifier: it could contain anything. */
const NO_IDENTIFIER = '?';

/** The identifiers among the parameters of a path. A name or a key put there by mistake is not kept. */
export function resourceIdsOf(parameters: Readonly<Record<string, string>>): string[] {
  const ids: string[] = [];
  for (const name in parameters) ids.push(identifier(parameters[name] as string));
  return ids;
}

/** The text if it is an identifier, else the sign for one that is none. Keys begin as identifiers do. */
export function identifier(text: string): string {
  return (OURS.test(text) && !text.startsWith('sk_') && !text.startsWith('hai_')) || DICOM_UID.test(text)
    ? text
    : NO_IDENTIFIER;
}

/** The identifier at the end of a Location header: what was created. */
export function createdId(location: string): string {
  return identifier(location.slice(location.lastIndexOf('/') + 1));
}
