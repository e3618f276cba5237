import type { Behaviours } from '@perennial/schemas/behaviours.ts';
import { hashApiKey, parseApiKey } from '@perennial/schemas/credentials.ts';
import { Fault } from '@perennial/schemas/http/fault.ts';
import type { Logger } from '@perennial/schemas/http/logger.ts';
import type { Request, RequestHandler } from 'express';
import { type Exchange, exchangeOf, known } from '../exchange.ts';
import type { RefusalLimit } from '../limits.ts';
import type { InternalTokens } from './internal-tokens.ts';
import type { KeyStore, KnownKey } from './key-store.ts';

/** The query parameter that carried the key before 2022-11-15. */
const KEY_PARAMETER = 'api_key';
const BEARER = /^Bearer +([\x21-\x7e]{1,256}) *$/i;
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
  tokens: InternalTokens,
  refusals: RefusalLimit,
  logger: Logger,
): RequestHandler {
  const refuseExpired = (key: KnownKey): void => {
    if (key.expiresAt && key.expiresAt.getTime() <= Date.now())
      throw new Fault('credential_expired', { headers: challenge });
  };
  const admit = (exchange: Exchange, key: KnownKey): string | undefined => {
    refuseExpired(key);
    exchange.caller = key.caller;
    exchange.pinnedRelease = key.pinnedRelease;
    exchange.keyFormat = key.format;
    exchange.internalToken = tokens.known(key.caller);
    return exchange.internalToken;
  };
  const look = async (exchange: Exchange, hash: string | undefined, request: Request): Promise<void> => {
    const key = await verify(keys, hash, request, refusals, logger);
    if (admit(exchange, key) === undefined) exchange.internalToken = await tokens.tokenFor(key.caller);
  };
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const { credential } = exchange;
    if (!credential) throw new Fault('credential_missing', { headers: challenge });
    const hash = parseApiKey(credential.key) ? hashApiKey(credential.key) : undefined;
    // Most requests come with a key and a caller that are known: they wait for nothing.
    const key = hash === undefined ? undefined : keys.cached(hash);
    if (key && admit(exchange, key) !== undefined) {
      next();
      return;
    }
    return look(exchange, hash, request).then(() => next());
  };
}

async function verify(
  keys: KeyStore,
  hash: string | undefined,
  request: Request,
  refusals: RefusalLimit,
  logger: Logger,
): Promise<KnownKey> {
  const address = request.socket.remoteAddress ?? 'unknown';
  // Keys that worked lately are still served: behind one address there may be many clients.
  if (refusals.exhausted(address) && !(hash !== undefined && keys.isFamiliar(hash)))
    throw new Fault('rate_limited', { headers: { 'retry-after': '60' } });
  let key: KnownKey | undefined;
  try {
    key = hash === undefined ? undefined : await keys.find(hash);
  } catch (error) {
    logger.error('the key could not be looked up', { error: (error as Error).name });
    throw new Fault('unavailable', { headers: { 'retry-after': '5' }, cause: error });
  }
  if (!key) {
    refusals.count(address);
    throw new Fault('credential_invalid', { headers: challenge });
  }
  return key;
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
