import { Fault } from '@perennial/schemas/http/fault.ts';
import type { Logger } from '@perennial/schemas/http/logger.ts';
import type { RequestHandler } from 'express';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { exchangeOf, known } from './exchange.ts';

/** Addresses that sent too many wrong keys. */
export interface RefusalLimit {
  exhausted(address: string): boolean;
  count(address: string): void;
}

/** Bounds guessing of keys by address, in memory: it protects this process, not a quota. */
export function createRefusalLimit(perMinute: number): RefusalLimit {
  const counts = new LRUCache<string, { count: number }>({ max: 10_000, ttl: 60_000 });
  return {
    exhausted: (address) => (counts.get(address)?.count ?? 0) >= perMinute,
    count(address) {
      const entry = counts.get(address);
      if (entry) entry.count += 1;
      else counts.set(address, { count: 1 });
    },
  };
}

/** Requests per key and minute, and how the counts are given back. */
export interface RateLimit {
  readonly limiter: RateLimiterAbstract;
  close(): void;
}

/**
 * Counts in memory, or in Redis for several gateways together. While Redis is away each process counts for itself:
 * a limit that cannot be counted must not stop the service.
 */
export function createRateLimit(perMinute: number, redisUrl: string | undefined, logger: Logger): RateLimit {
  const memory = new RateLimiterMemory({ points: perMinute, duration: 60 });
  if (redisUrl === undefined) return { limiter: memory, close: () => undefined };
  const redis = new Redis(redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1, lazyConnect: false });
  // Said once for each outage, however often the connection is tried.
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
    points: perMinute,
    duration: 60,
    insuranceLimiter: memory,
  });
  return { limiter, close: () => redis.disconnect() };
}

/** 429 with Retry-After once a key has used up its minute. */
export function limitRate(limiter: RateLimiterAbstract): RequestHandler {
  const refuse = (refusal: unknown): never => {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new Fault('rate_limited', { headers: { 'retry-after': String(seconds) } });
  };
  return (_request, response, next) =>
    limiter.consume(known(exchangeOf(response).caller, 'caller').keyId).then(() => next(), refuse);
}
