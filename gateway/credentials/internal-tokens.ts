import { type Caller, internalTokenSeconds, signInternalToken } from '@perennial/schemas/internal-token.ts';
import { LRUCache } from 'lru-cache';

/** Gives the token by which core learns who calls. One token serves a key for half its life. */
export interface InternalTokens {
  /** The token, when the caller has one that still lives. */
  known(caller: Caller): string | undefined;
  tokenFor(caller: Caller): Promise<string>;
}

const ENTRIES_MAX = 10_000;

/** @param secret `INTERNAL_SECRET`. */
export function createInternalTokens(secret: string): InternalTokens {
  const cache = new LRUCache<string, string>({ max: ENTRIES_MAX, ttl: (internalTokenSeconds * 1000) / 2 });
  const ids = new WeakMap<Caller, string>();
  // A key whose scopes changed is another caller.
  const idOf = (caller: Caller): string => {
    let id = ids.get(caller);
    if (id === undefined) {
      id = `${caller.keyId} ${caller.accountId} ${caller.scopes.join(' ')}`;
      ids.set(caller, id);
    }
    return id;
  };
  return {
    known: (caller) => cache.get(idOf(caller)),
    async tokenFor(caller) {
      const token = await signInternalToken(secret, caller);
      cache.set(idOf(caller), token);
      return token;
    },
  };
}
