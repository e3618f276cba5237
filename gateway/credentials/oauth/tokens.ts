import { createHash } from 'node:crypto';
import { ALL_SCOPES } from '@perennial/prisma/accounts.ts';
import type { Database } from '@perennial/prisma/client.ts';
import type { AccountId, KeyId } from '@perennial/schemas/platform/ids.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { LRUCache } from 'lru-cache';
import type { KnownKey } from '../key-store.ts';
import { createKeySet, fetchJson } from './jwks.ts';
import { type Claims, TokenRefused, verifyToken } from './token.ts';

/** How access tokens of another issuer are taken. */
export interface OAuthConfig {
  readonly issuer: string;
  readonly audience: string;
  /** Undefined to read it from the issuer's metadata. */
  readonly jwksUrl: string | undefined;
  /** The claim that names the account. */
  readonly accountClaim: string;
  /** What scopes of the issuer mean here; those that are ours mean themselves. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  readonly skewSeconds: number;
}

/** Finds out who calls with a token. */
export interface Tokens {
  /** @throws {TokenRefused} {KeysUnavailable} and what the database says. */
  verify(text: string): Promise<KnownKey>;
  /** Of one that was verified a moment ago. */
  cached(text: string): KnownKey | undefined;
  /** Asks anew whose every token is. */
  forget(): void;
}

const CACHED_MAX = 10_000;
/** What the account is may change meanwhile. */
const CACHED_MS = 10_000;
const OURS: ReadonlySet<string> = new Set(ALL_SCOPES);

export function createTokens(config: OAuthConfig, database: Database, logger: Logger): Tokens {
  const cache = new LRUCache<string, KnownKey>({ max: CACHED_MAX, ttl: CACHED_MS });
  const locate = async (): Promise<string> => {
    if (config.jwksUrl !== undefined) return config.jwksUrl;
    const issuer = config.issuer.replace(/\/$/, '');
    const { issuer: named, jwks_uri: url } = (await fetchJson(`${issuer}/.well-known/openid-configuration`)) as Claims;
    // Whoever answers for the issuer must say that it is the issuer (OpenID Connect Discovery, section 4.3).
    if (named !== config.issuer || typeof url !== 'string') throw new Error('the metadata is of another issuer');
    return url;
  };
  const keys = createKeySet(locate, (error) => logger.warn('the keys of the issuer could not be read', { error }));
  return {
    async verify(text) {
      const claims = await verifyToken(text, keys, config, Date.now());
      const known = await whoIs(claims, config, database);
      const left = (known.expiresAt?.getTime() ?? 0) - Date.now();
      if (left > 0) cache.set(digest(text), known, { ttl: Math.min(CACHED_MS, left) });
      return known;
    },
    cached: (text) => cache.get(digest(text)),
    forget: () => cache.clear(),
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

async function whoIs(claims: Claims, config: OAuthConfig, database: Database): Promise<KnownKey> {
  const accountId = claims[config.accountClaim];
  if (typeof accountId !== 'string' || !/^acc_[0-9A-Za-z]{8,64}$/.test(accountId)) throw new TokenRefused('account');
  const account = await database.account.findFirst({ where: { id: accountId } });
  if (!account) throw new TokenRefused('account');
  return {
    caller: { accountId: account.id as AccountId, keyId: holderOf(claims), scopes: scopesOf(claims, config) },
    format: 'current',
    expiresAt: new Date(((claims['exp'] as number) + config.skewSeconds) * 1_000),
    pinnedRelease: account.pinnedRelease ?? undefined,
    tier: account.tier,
    bounds: undefined,
    mayCallFrom: undefined,
  };
}

/** Who the token was issued to, in place of a key: the same for every token of a client. Its own name may be anything. */
function holderOf({ iss, client_id: client, azp, sub }: Claims): KeyId {
  const holder = [client, azp, sub].find((each) => typeof each === 'string');
  if (holder === undefined) throw new TokenRefused('nobody');
  return `key_oauth${createHash('sha256')
    .update(JSON.stringify([iss, holder]))
    .digest('hex')
    .slice(0, 32)}`;
}

/** `scope` with spaces between (RFC 9068), or a list. `admin` and `operator` are only what a key of ours can be. */
function scopesOf({ scope, scp }: Claims, { scopes }: OAuthConfig): string[] {
  const given = scope ?? scp ?? '';
  const names = Array.isArray(given) ? given : String(given).split(' ');
  const found = names.flatMap((name: unknown) => {
    const text = String(name);
    return scopes.get(text) ?? (OURS.has(text) ? [text] : []);
  });
  return [...new Set(found)];
}
