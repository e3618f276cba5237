import type { Database } from '@perennial/prisma/client.ts';
import { currentOf } from '@perennial/schemas/lifecycle.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { exchangeOf } from '../exchange.ts';
import type { ServiceDate } from './service-date.ts';

/** Accounts whose pin was written moments ago, by this process: their keys are still remembered without it. */
const REMEMBERED_MAX = 10_000;
const REMEMBERED_MS = 60_000;

/** Stores the pin of an account that has none. @throws errors of the database. */
export type WritePin = (accountId: string, release: string) => Promise<void>;

/** One that was given, or written by another gateway, stays. */
export function createWritePin(database: Database): WritePin {
  return async (accountId, release) => {
    await database.account.updateMany({
      where: { id: accountId, pinnedRelease: null },
      data: { pinnedRelease: release },
    });
  };
}

/**
 * Pins an account to the version that is Current when it first calls, whatever version it named: what an account builds on
 * is what it met, and a later release moves nobody. Nobody waits for it; where it cannot be written, the next call tries.
 */
export function pinAtFirstCall(writePin: WritePin, serviceDate: ServiceDate, logger: Logger): RequestHandler {
  const written = new LRUCache<string, true>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS });
  return (_request, response, next) => {
    const { caller, pinnedRelease } = exchangeOf(response);
    const current = currentOf(serviceDate.standings());
    if (caller && pinnedRelease === undefined && current && !written.has(caller.accountId)) {
      const { accountId } = caller;
      written.set(accountId, true);
      writePin(accountId, current.id).then(
        () => logger.info('an account is pinned at its first call', { account: accountId, version: current.id }),
        (error: unknown) => {
          written.delete(accountId);
          logger.warn('an account could not be pinned', { account: accountId, error: (error as Error).name });
        },
      );
    }
    next();
  };
}
