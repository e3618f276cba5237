import type { Behaviours } from '@perennial/schemas/behaviours.ts';
import { apiKeyPrefix, hashApiKey, parseApiKey } from '@perennial/schemas/platform/credentials.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { RequestHandler } from 'express';
import { senderOf } from '../client-address.ts';
import { type Exchange, exchangeOf, known } from '../exchange.ts';
import type { RefusalLimit } from '../limits.ts';
import type { KeyStore, KnownKey } from './key-store.ts';
import { looksLikeToken, TokenRefused } from './oauth/token.ts';
import type { Tokens } from './oauth/tokens.ts';

/** The query parameter that carried the key before 2022-11-15. */
const KEY_PARAMETER = 'api_key';
/** A key, or a token of another issuer, which has a few thousand characters. */
const BEARER = /^Bearer +([\x21-\x7e]{1,8192}) *$/i;
/** The parameter's name, or anything encoded, which may be its name. */
const MAY_HOLD_KEY = /api_key|%/;
const KEY_CHARACTERS_MAX = 256;

/**
 * Takes the key out of the request, wherever it is, so that nothing behind here can log or forward it. The header
 * beats the query.
 */
export function takeCredential(): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    // A page of the portal calls with its session.
    if (exchange.credential) {
      request.headers.authorization = undefined;
      next();
      return;
    }
    const fromQuery = MAY_HOLD_KEY.test(exchange.search) ? takeFromQuery(exchange) : undefined;
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      // Not deleted: that would make every later look-up among the headers a slow one.
      request.headers.authorization = undefined;
      // What cannot be read is refused where keys are verified: a sunset version is 410 whatever was sent with it.
      exchange.credential = { key: BEARER.exec(authorization)?.[1] ?? '', place: 'header' };
    } else if (fromQuery !== undefined) exchange.credential = { key: fromQuery, place: 'query' };
    next();
  };
}

const challenge = { 'www-authenticate': 'Bearer' } as const;
/** RFC 6750, section 3.1. */
const invalidToken = { 'www-authenticate': 'Bearer error="invalid_token"' } as const;

function takeFromQuery(exchange: Exchange): string | undefined {
  const query = new URLSearchParams(exchange.search);
  const key = query.get(KEY_PARAMETER);
  if (key === null) return undefined;
  query.delete(KEY_PARAMETER);
  exchange.search = query.toString();
  return key.slice(0, KEY_CHARACTERS_MAX);
}

/** Verifies the key. Every refusal of a key that does not exist reads the same. */
export function authenticate(
  keys: KeyStore,
  refusals: RefusalLimit,
  logger: Logger,
  noteUse: (keyId: string) => void = () => undefined,
  tokens?: Tokens | undefined,
): RequestHandler {
  const admit = (exchange: Exchange, key: KnownKey): void => {
    if (key.mayCallFrom && !key.mayCallFrom(exchange.address)) {
      // The same answer as for a key that does not exist: this one may have been stolen.
      logger.warn('a key was used from an address that is not allowed to', {
        requestId: exchange.requestId,
        keyId: key.caller.keyId,
      });
      throw new Fault('credential_invalid', { headers: challenge });
    }
    if (key.expiresAt && key.expiresAt.getTime() <= Date.now())
      throw new Fault('credential_expired', { headers: challenge });
    exchange.caller = key.caller;
    exchange.pinnedRelease = key.pinnedRelease;
    exchange.keyFormat = key.format;
    exchange.keyBounds = key.bounds;
    exchange.tier = key.tier;
    noteUse(key.caller.keyId);
  };
  const look = async (exchange: Exchange, sent: string, hash: string | undefined): Promise<void> => {
    admit(exchange, await verify(keys, sent, hash, senderOf(exchange.address), refusals, logger));
  };
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { credential } = exchange;
    if (!credential) throw new Fault('credential_missing', { headers: challenge });
    if (tokens && credential.place === 'header' && looksLikeToken(credential.key)) {
      const holder = tokens.cached(credential.key);
      if (!holder)
        return verifyHolder(tokens, credential.key, senderOf(exchange.address), refusals, logger).then((found) => {
          admit(exchange, found);
          next();
        });
      admit(exchange, holder);
      next();
      return;
    }
    const hash = credential.hash ?? (parseApiKey(credential.key) ? hashApiKey(credential.key) : undefined);
    // Most requests have a cached key and do not wait.
    const key = hash === undefined ? undefined : keys.cached(hash);
    if (key) {
      admit(exchange, key);
      next();
      return;
    }
    return look(exchange, credential.key, hash).then(() => next());
  };
}

/** @throws Fault 401 for a token that is not taken, 503 while nobody can say whether it is genuine. */
async function verifyHolder(
  tokens: Tokens,
  text: string,
  sender: string,
  refusals: RefusalLimit,
  logger: Logger,
): Promise<KnownKey> {
  try {
    return await tokens.verify(text);
  } catch (error) {
    if (!(error instanceof TokenRefused)) {
      logger.error('a token could not be verified', { error: (error as Error).name });
      throw new Fault('unavailable', { headers: { 'retry-after': '5' }, cause: error });
    }
    logger.info('a token was refused', { why: error.message });
    if (error.isExpired) throw new Fault('credential_expired', { headers: invalidToken });
    if (refusals.count(sender, undefined)) throw new Fault('rate_limited', { headers: { 'retry-after': '60' } });
    throw new Fault('credential_invalid', { headers: invalidToken });
  }
}

async function verify(
  keys: KeyStore,
  sent: string,
  hash: string | undefined,
  sender: string,
  refusals: RefusalLimit,
  logger: Logger,
): Promise<KnownKey> {
  let key: KnownKey | undefined;
  try {
    key = hash === undefined ? undefined : await keys.find(hash);
  } catch (error) {
    logger.error('the key could not be looked up', { error: (error as Error).name });
    throw new Fault('unavailable', { headers: { 'retry-after': '5' }, cause: error });
  }
  if (key) return key;
  // Others behind the same address may have valid keys, so each key is looked up before it is refused.
  if (refusals.count(sender, hash === undefined ? undefined : apiKeyPrefix(sent)))
    throw new Fault('rate_limited', { headers: { 'retry-after': '60' } });
  throw new Fault('credential_invalid', { headers: challenge });
}

/** Whether the version served takes keys from this place and of this format. Asked of the history by name. */
export function admitCredential(behavioursOf: (release: string) => Behaviours): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { place } = known(exchange.credential, 'credential');
    exchange.credential = undefined;
    const behaviours = behavioursOf(known(exchange.standing, 'version').release.id);
    if (!behaviours['credential.places'].includes(place))
      throw new Fault('credential_place_retired', { headers: challenge });
    if (!behaviours['credential.formats'].includes(known(exchange.keyFormat, 'key format')))
      throw new Fault('credential_format_retired', { headers: challenge });
    next();
  };
}
