import type { Database } from '@perennial/prisma/client.ts';
import type { KeyFormat } from '@perennial/schemas/platform/credentials.ts';
import type { AccountId, KeyId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import { LRUCache } from 'lru-cache';
import { allowList } from './allow-list.ts';
import { createLookup } from './lookup.ts';

/** A key that exists, as the gateway needs it. The key itself is never kept. */
export interface KnownKey {
  readonly caller: Caller;
  readonly format: KeyFormat;
  readonly expiresAt: Date | undefined;
  /** The release pinned to the account. */
  readonly pinnedRelease: string | undefined;
  /** What metrics tell accounts apart by. */
  readonly tier: string;
  /** Bounds of its own; undefined where it has none. */
  readonly bounds: KeyBounds | undefined;
  /** Whether it may be used from an address; undefined where it may from any. */
  readonly mayCallFrom: ((address: string) => boolean) | undefined;
}

/** How often a key may be used, beside what holds for every key. */
export interface KeyBounds {
  readonly ratePerMinute: number | undefined;
  readonly quotaPerDay: number | undefined;
}

/** Finds keys by their hash. */
export interface KeyStore {
  find(hash: string): Promise<KnownKey | undefined>;
  /** The key, when it is known without asking. */
  cached(hash: string): KnownKey | undefined;
  /** Drops a key from the cache, or all keys. */
  forget(hash: string | 'all'): void;
}

const ENTRIES_MAX = 10_000;
/** A key that does not exist is remembered shorter: it may be issued any moment. */
const UNKNOWN_MS = 2_000;

/**
 * Keys from the database, believed for `cacheMs` or until they are forgotten. What does not exist is remembered apart,
 * so that no number of wrong keys pushes out the right ones.
 */
export function createKeyStore(database: Database, cacheMs: number): KeyStore {
  const keys = new LRUCache<string, KnownKey>({ max: ENTRIES_MAX, ttl: Math.max(cacheMs, 1) });
  const unknown = new LRUCache<string, true>({ max: ENTRIES_MAX, ttl: Math.max(Math.min(cacheMs, UNKNOWN_MS), 1) });
  const lookup = createLookup((hashes) => loadKeys(database, hashes));
  let changes = 0;
  return {
    async find(hash) {
      const known = keys.get(hash);
      if (known || unknown.has(hash)) return known;
      const asOf = changes;
      const key = await lookup.find(hash);
      // A row that was read before a change must not be cached after it.
      if (cacheMs > 0 && asOf === changes) {
        if (key) keys.set(hash, key);
        else unknown.set(hash, true);
      }
      return key;
    },
    cached: (hash) => keys.get(hash),
    forget(hash) {
      changes += 1;
      lookup.renew();
      if (hash === 'all') {
        keys.clear();
        unknown.clear();
      } else {
        keys.delete(hash);
        unknown.delete(hash);
      }
    },
  };
}

async function loadKeys(database: Database, hashes: readonly string[]): Promise<ReadonlyMap<string, KnownKey>> {
  const rows = await database.apiKey.findMany({
    where: { hash: { in: [...hashes] }, revokedAt: null },
    include: { account: true },
  });
  return new Map(
    rows.map((row) => [
      row.hash,
      {
        caller: { accountId: row.accountId as AccountId, keyId: row.id as KeyId, scopes: row.scopes },
        format: row.format === 'legacy' ? 'legacy' : 'current',
        expiresAt: row.expiresAt ?? undefined,
        pinnedRelease: row.account.pinnedRelease ?? undefined,
        tier: row.account.tier,
        bounds:
          row.ratePerMinute === null && row.quotaPerDay === null
            ? undefined
            : { ratePerMinute: row.ratePerMinute ?? undefined, quotaPerDay: row.quotaPerDay ?? undefined },
        mayCallFrom: row.allowedAddresses.length === 0 ? undefined : allowList(row.allowedAddresses),
      },
    ]),
  );
}
