import { hash } from 'node:crypto';
import { parseApiKey } from '@perennial/schemas/credentials.ts';

/** One access to patient data, before it has its place in the chain. */
export interface Access {
  readonly accountId: string;
  readonly at: Date;
  readonly requestId: string;
  readonly keyId: string;
  readonly operation: string;
  readonly resourceIds: readonly string[];
  /** The HTTP status answered; `BEGUN` before there is one, `LEFT` when the client left before there was one. */
  readonly status: number;
}

/** An access at its place in the chain of its account. */
export interface ChainedAccess {
  readonly accountId: string;
  readonly previousHash: string;
  readonly hash: string;
  /** The canonical form, which says everything else. */
  readonly text: string;
}

/** The access was let through and its outcome is not known yet; another entry of the same request tells it. */
export const BEGUN = 0;
/** The client left before an answer began. No status of HTTP says so; this is the one that servers use. */
export const LEFT = 499;
/** What the first entry of an account follows. */
export const GENESIS: string = '0'.repeat(64);

/** The access as the one that follows the given hash. */
export function chained(access: Access, previousHash: string): ChainedAccess {
  const text = canonical(access, previousHash);
  return { accountId: access.accountId, previousHash, hash: digest(text), text };
}

/** SHA-256 in hex of the canonical form of an entry and the hash that it follows. */
export function hashOf(access: Access, previousHash: string): string {
  return digest(canonical(access, previousHash));
}

function digest(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * The canonical form: RFC 8785 of a list, so that there is one spelling and no order of members. Changing it breaks
 * every chain that exists; `append.ts` reads its places.
 */
function canonical(access: Access, previousHash: string): string {
  const { accountId, at, requestId, keyId, operation, resourceIds, status } = access;
  return JSON.stringify([accountId, at, requestId, keyId, operation, resourceIds, status, previousHash]);
}

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/;
/** Stands for a path parameter that is no identifier: whatever was written there may be anything. */
const NO_IDENTIFIER = '?';

/** The identifiers among the parameters of a path. A name or a key put there by mistake is not kept. */
export function resourceIdsOf(parameters: Readonly<Record<string, string>>): string[] {
  const ids: string[] = [];
  for (const name in parameters) ids.push(identifier(parameters[name] as string));
  return ids;
}

/** The text if it is an identifier, else the sign for one that is none. */
function identifier(text: string): string {
  return IDENTIFIER.test(text) && !((text.startsWith('sk_') || text.startsWith('hai_')) && parseApiKey(text))
    ? text
    : NO_IDENTIFIER;
}

/** The identifier at the end of a Location header: what was created. */
export function createdId(location: string): string {
  return identifier(location.slice(location.lastIndexOf('/') + 1));
}
