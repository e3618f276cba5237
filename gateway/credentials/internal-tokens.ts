import { type Caller, internalTokenSeconds, signInternalToken } from '@perennial/schemas/internal-token.ts';
import { LRUCache } from 'lru-cache';

/** Gives the token by which core learns who calls. One token serves a key for half its life. */
export interface InternalTokens {
  tokenFor(caller: Caller): Promise<string>;
}

const ENTRIES_MAX = 10_000;

/** @param secret `INTERNAL_SECRET`. */
export function createInternalTokens(secret: string): InternalTokens {
  const cache = new LRUCache<string, string>({ max: ENTRIES_MAX, ttl: (internalTokenSeconds * 1000) / 2 });
  return {
    async tokenFor(caller) {
      // A key whose scopes changed is another caller.
      const id = `${caller.keyId} ${caller.scopes.join(' ')}`;
      const known = cache.get(id);
      if (known !== undefined) return known;
      const token = await signInternalToken(secret, caller);
      cache.set(id, token);
      return token;
    },
  };
}
