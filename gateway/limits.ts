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
import { exchangeOf, known } from './exchange.ts';

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
  consume(key: string): Promise<unknown>;
}

/** Counts a request of a key that has bounds of its own. */
export interface OwnRates {
  /** @throws {RateLimiterRes} when the key has used up its minute or its day. */
  consume(key: string, bounds: KeyBounds): Promise<void>;
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
  const consume = (key: string, points: number | undefined, seconds: number): Promise<unknown> | undefined => {
    if (points === undefined) return undefined;
    const name = `${points}/${seconds}`;
    const counter = counters.get(name) ?? make(points, seconds);
    counters.set(name, counter);
    return counter.consume(key);
  };
  return {
    async consume(key, { ratePerMinute, quotaPerDay }) {
      // What the minute refuses is not counted for the day.
      await consume(key, ratePerMinute, 60);
      await consume(key, quotaPerDay, DAY_SECONDS);
    },
  };
}

/** 429 with Retry-After once a key has used up its minute, or what it may do in a day. */
export function limitRate(limiter: RateCounter, own: OwnRates): RequestHandler {
  const refuse = (refusal: unknown): never => {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new Fault('rate_limited', { headers: { 'retry-after': String(seconds) } });
  };
  return (_request, response, next) => {
    const { caller, keyBounds } = exchangeOf(response);
    const { keyId } = known(caller, 'caller');
    const counted = limiter.consume(keyId);
    return (keyBounds ? counted.then(() => own.consume(keyId, keyBounds)) : counted).then(() => next(), refuse);
  };
}
