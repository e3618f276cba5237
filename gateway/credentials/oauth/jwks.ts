import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isAlgorithmOf } from './algorithms.ts';

/** A key that the issuer signs with. */
export interface IssuerKey {
  readonly id: string | undefined;
  /** Undefined where the issuer does not bind it to one. */
  readonly algorithm: string | undefined;
  readonly key: KeyObject;
}

/** The keys of an issuer, by their address. */
export interface KeySet {
  /**
   * The keys that may have signed a token.
   * @throws {KeysUnavailable} while none have ever been read.
   */
  find(id: string | undefined, algorithm: string): Promise<readonly IssuerKey[]>;
}

/** The issuer's keys could not be read. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

const FRESH_MS = 600_000;
/** A token with an unknown key has the keys read anew, but not more often: anybody can make such tokens. */
const AGAIN_MS = 30_000;
/** While there are none at all. */
const RETRY_MS = 2_000;
const TIMEOUT_MS = 5_000;
const BYTES_MAX = 262_144;
const KEYS_MAX = 100;

/**
 * Reads the keys when they are first needed and keeps them; while the issuer is away, those that were read last hold.
 * @param locate where the keys are; asked each time that they are read.
 */
export function createKeySet(
  locate: () => Promise<string>,
  trouble: (why: string) => void,
  now: () => number = Date.now,
): KeySet {
  let keys: readonly IssuerKey[] | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    readAt = now();
    try {
      keys = keysOf(await fetchJson(await locate()));
    } catch (error) {
      trouble((error as Error).name);
    }
  };
  const renew = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return {
    async find(id, algorithm) {
      const since = now() - readAt;
      const fitting = (): IssuerKey[] => (keys ?? []).filter((each) => fits(each, id, algorithm));
      const notBefore = keys === undefined ? RETRY_MS : fitting().length === 0 ? AGAIN_MS : FRESH_MS;
      if (since >= notBefore) await renew();
      else if (reading !== undefined) await Promise.resolve(reading);
      if (keys === undefined) throw new KeysUnavailable();
      return fitting();
    },
  };
}

function fits(key: IssuerKey, id: string | undefined, algorithm: string): boolean {
  if (id !== undefined && key.id !== undefined && key.id !== id) return false;
  return (key.algorithm === undefined || key.algorithm === algorithm) && isAlgorithmOf(algorithm, key.key);
}

/** A JSON document of an address that is configured. A redirect could lead anywhere, and is not followed. */
export async function fetchJson(url: string): Promise<unknown> {
  const answer = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok || !answer.body) throw new KeysUnavailable();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.length;
    if (size > BYTES_MAX) throw new KeysUnavailable();
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** The keys of a document that can be used; others may be for purposes of their own. */
function keysOf(document: unknown): readonly IssuerKey[] {
  const listed = (document as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(listed)) throw new KeysUnavailable();
  return listed.slice(0, KEYS_MAX).flatMap((each: JsonWebKey & { kid?: unknown; alg?: unknown; use?: unknown }) => {
    // A secret that is listed in public is none.
    if (each?.kty === 'oct' || (each?.use !== undefined && each.use !== 'sig')) return [];
    try {
      return [
        {
          id: typeof each.kid === 'string' ? each.kid : undefined,
          algorithm: typeof each.alg === 'string' ? each.alg : undefined,
          key: createPublicKey({ key: each, format: 'jwk' }),
        },
      ];
    } catch {
      return [];
    }
  });
}
