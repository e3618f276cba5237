import cluster from 'node:cluster';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { RequestHandler } from 'express';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { createSharedRate } from './cluster-rates.ts';
import type { GatewayConfig } from './config.ts';
import type { KeyBounds } from './credentials/key-store.ts';
import { type Exchange, exchangeOf, known } from './exchange.ts';

/** Wrong keys of the last minute. */
export interface RefusalLimit {
  /**
   * Counts a wrong key, by who sent it and by what it begins with.
   * @param prefix undefined for what is not even of a key's form.
   * @returns whether either has sent more than may be in a minute.
   */
  count(sender: string, prefix: string | undefined): boolean;
}

const COUNTED_MAX = 10_000;
const MINUTE_MS = 60_000;

/**
 * Counts refusals in memory: it tells who guesses to stop, and is no quota. Only keys that were looked up and are
 * wrong are counted and refused, so nobody with a right key is shut out by those who share an address with him.
 */
export function createRefusalLimit(perMinute: number): RefusalLimit {
  const limit = { max: COUNTED_MAX, ttl: MINUTE_MS };
  const senders = new LRUCache<string, { count: number }>(limit);
  const prefixes = new LRUCache<string, { count: number }>(limit);
  const add = (counts: LRUCache<string, { count: number }>, name: string): boolean => {
    const entry = counts.get(name) ?? { count: 0 };
    if (entry.count === 0) counts.set(name, entry);
    entry.count += 1;
    return entry.count > perMinute;
  };
  return {
    count(sender, prefix) {
      const isSenderOver = add(senders, sender);
      return (prefix !== undefined && add(prefixes, prefix)) || isSenderOver;
    },
  };
}

/** Counts a request of a key. */
export interface RateCounter {
  /** @throws {RateLimiterRes} when the key has used up its minute. */
  consume(key: string): Promise<RateLeft | undefined>;
}

/** What is left of a key's minute. */
export interface RateLeft {
  readonly remainingPoints: number;
  /** Until the minute is over. */
  readonly msBeforeNext: number;
}

/** Counts a request of a key that has bounds of its own. */
export interface OwnRates {
  /** @throws {RateLimiterRes} when the key has used up its minute or its day. */
  consume(key: string, bounds: KeyBounds): Promise<readonly RateState[]>;
}

/** Requests per key and minute, and how the counts are given back. */
export interface RateLimit {
  readonly limiter: RateCounter;
  readonly own: OwnRates;
  close(): void;
}

/**
 * Counts in memory, for all workers of this machine together, or in Redis for several gateways. While Redis is away
 * each process counts its share: a limit that cannot be counted must not stop the service.
 */
export function createRateLimit(
  { ratePerMinute: points, redisUrl, workers }: Pick<GatewayConfig, 'ratePerMinute' | 'redisUrl' | 'workers'>,
  logger: Logger,
): RateLimit {
  if (redisUrl === undefined) {
    const limiter = cluster.isWorker ? createSharedRate(points) : new RateLimiterMemory({ points, duration: 60 });
    const own = ownRates((points, duration) => {
      // Each worker counts its share.
      return new RateLimiterMemory({ points: Math.ceil(points / workers), duration });
    });
    return { limiter, own, close: () => undefined };
  }
  const share = new RateLimiterMemory({ points: Math.ceil(points / workers), duration: 60 });
  const redis = new Redis(redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1, lazyConnect: false });
  // Logged once for each outage.
  let away = false;
  redis.on('ready', () => {
    away = false;
  });
  redis.on('error', (error: NodeJS.ErrnoException) => {
    if (!away) logger.warn('Redis is away; rates are counted in this process', { error: error.code ?? error.name });
    away = true;
  });
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'perennial:rate',
    points,
    duration: 60,
    insuranceLimiter: share,
  });
  const own = ownRates(
    (points, duration) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `perennial:own:${duration}`,
        points,
        duration,
        insuranceLimiter: new RateLimiterMemory({ points: Math.ceil(points / workers), duration }),
      }),
  );
  return { limiter, own, close: () => redis.disconnect() };
}

const DAY_SECONDS = 86_400;
/** Different bounds that keys have. */
const BOUNDS_MAX = 1_000;

/** A counter for each bound that some key has; they are few, and made when they are first needed. */
function ownRates(make: (points: number, seconds: number) => RateCounter): OwnRates {
  const counters = new LRUCache<string, RateCounter>({ max: BOUNDS_MAX });
  const consume = async (
    name: 'key' | 'day',
    key: string,
    points: number | undefined,
    seconds: number,
  ): Promise<readonly RateState[]> => {
    if (points === undefined) return [];
    const counted = `${points}/${seconds}`;
    const counter = counters.get(counted) ?? make(points, seconds);
    counters.set(counted, counter);
    const left = await counter.consume(key);
    return left ? [stateOf(name, points, seconds, left)] : [];
  };
  return {
    async consume(key, { ratePerMinute, quotaPerDay }) {
      // What the minute refuses is not counted for the day.
      const minute = await consume('key', key, ratePerMinute, 60);
      return [...minute, ...(await consume('day', key, quotaPerDay, DAY_SECONDS))];
    },
  };
}

/** What is left of each bound, as headers tell it; a refusal says of which there is nothing left. */
type RateState = NonNullable<Exchange['rate']>;

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

function stateOf(name: 'minute' | 'key' | 'day', points: number, seconds: number, left: RateLeft): RateState {
  const rest = `"${name}";r=${left.remainingPoints};t=${secondsOf(left.msBeforeNext)}`;
  return { policy: `"${name}";q=${points};w=${seconds}`, state: rest };
}

function joined(states: readonly RateState[]): RateState {
  return { policy: states.map(({ policy }) => policy).join(', '), state: states.map(({ state }) => state).join(', ') };
}

/**
 * 429 with Retry-After once a key has used up its minute, or what it may do in a day. Every answer says what is left of
 * each, as draft-ietf-httpapi-ratelimit-headers-10 has it; where workers share a count, at least that much.
 */
export function limitRate(limiter: RateCounter, own: OwnRates, perMinute: number): RequestHandler {
  return async (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { caller, keyBounds } = exchange;
    const { keyId } = known(caller, 'caller');
    try {
      const left = await limiter.consume(keyId);
      const shared = left && stateOf('minute', perMinute, 60, left);
      const others = keyBounds ? await own.consume(keyId, keyBounds) : undefined;
      if (shared) exchange.rate = others ? joined([shared, ...others]) : shared;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new Fault('rate_limited', { headers: { 'retry-after': String(secondsOf(refusal.msBeforeNext)) } });
    }
    next();
  };
}
