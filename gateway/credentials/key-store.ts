import type { Database } from '@perennial/prisma/client.ts';
import type { KeyFormat } from '@perennial/schemas/credentials.ts';
import type { Caller } from '@perennial/schemas/internal-token.ts';
import { LRUCache } from 'lru-cache';

/** A key that exists, as the gateway needs it. The key itself is never kept. */
export interface KnownKey {
  readonly caller: Caller;
  readonly format: KeyFormat;
  readonly expiresAt: Date | undefined;
  /** The release pinned to the account. */
  readonly pinnedRelease: string | undefined;
}

/** Finds keys by their hash. */
export interface KeyStore {
  find(hash: string): Promise<KnownKey | undefined>;
  /** The key, when it is known without asking. */
  cached(hash: string): KnownKey | undefined;
  /** Whether the key was found within the last hour. It may have been revoked since. */
  isFamiliar(hash: string): boolean;
}

const ENTRIES_MAX = 10_000;
/** A key that does not exist is remembered shorter: it may be issued any moment. */
const UNKNOWN_MS = 2_000;
const FAMILIAR_MS = 3_600_000;

/**
 * Keys from the database, believed for `cacheMs`: that is how long a revoked key may still work.
 * Concurrent look-ups of one key ask once.
 */
export function createKeyStore(database: Database, cacheMs: number): KeyStore {
  const cache = new LRUCache<string, { readonly key: KnownKey | undefined }>({
    max: ENTRIES_MAX,
    ttl: Math.max(cacheMs, 1),
  });
  const familiar = new LRUCache<string, true>({ max: ENTRIES_MAX, ttl: FAMILIAR_MS });
  const pending = new Map<string, Promise<KnownKey | undefined>>();
  const load = async (hash: string): Promise<KnownKey | undefined> => {
    const row = await database.apiKey.findUnique({ where: { hash }, include: { account: true } });
    if (!row || row.revokedAt !== null) return undefined;
    return {
      caller: { accountId: row.accountId, keyId: row.id, scopes: row.scopes },
      format: row.format === 'legacy' ? 'legacy' : 'current',
      expiresAt: row.expiresAt ?? undefined,
      pinnedRelease: row.account.pinnedRelease ?? undefined,
    };
  };
  return {
    async find(hash) {
      const known = cache.get(hash);
      if (known) return known.key;
      let asked = pending.get(hash);
      if (!asked) {
        asked = load(hash).finally(() => pending.delete(hash));
        pending.set(hash, asked);
      }
      const key = await asked;
      if (key) familiar.set(hash, true);
      if (cacheMs > 0) cache.set(hash, { key }, { ttl: key ? cacheMs : Math.min(cacheMs, UNKNOWN_MS) });
      return key;
    },
    cached: (hash) => cache.get(hash)?.key,
    isFamiliar: (hash) => familiar.has(hash),
  };
}
