import type { Database } from '@perennial/prisma/client.ts';
import { dayOf } from '@perennial/schemas/platform/calendar.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Request } from 'express';
import type { Exchange } from '../exchange.ts';
import { clientOf, OTHER_CLIENTS } from './client.ts';

/** Counts who uses which version, by day, account, release, operation and client. */
export interface UsageCounters {
  /** Counts a request whose key was accepted. Called when its answer has ended. */
  count(exchange: Exchange, request: Request): void;
  /** Adds what has been counted to the database. Rejects when it cannot; nothing is lost then. */
  flush(): Promise<void>;
  /** Adds what is left, for `timeoutMs` at most. */
  stop(timeoutMs: number): Promise<void>;
}

interface Counter {
  readonly day: string;
  readonly account: string;
  readonly release: string;
  readonly operation: string;
  readonly client: string;
  count: number;
}

/** Requests that reached no operation are use of a version as well. */
export const NO_OPERATION = '(none)';

const DAY_MS = 86_400_000;
/** Names of clients counted apart for one account in one day; a client that makes them up fills no table. */
const CLIENTS_MAX = 100;
/** Counters kept while the database takes none. */
const COUNTERS_MAX = 50_000;
const ROWS_MAX = 1_000;

/** @param flushMs how often counts are added to the database. */
export function createUsageCounters(database: Database, flushMs: number, logger: Logger): UsageCounters {
  let counters = new Map<string, Counter>();
  let clients = new Map<string, Set<string>>();
  let dayNumber = -1;
  let day = '';
  let last = Promise.resolve();

  const startDay = (number: number): void => {
    dayNumber = number;
    day = dayOf(new Date(number * DAY_MS));
    clients = new Map();
  };
  const bounded = (account: string, client: string): string => {
    const known = clients.get(account) ?? new Set<string>();
    if (known.has(client)) return client;
    if (known.size >= CLIENTS_MAX) return OTHER_CLIENTS;
    clients.set(account, known.add(client));
    return client;
  };
  const add = (counter: Counter, key: string): void => {
    const known = counters.get(key);
    if (known) known.count += counter.count;
    else if (counters.size < COUNTERS_MAX) counters.set(key, counter);
  };
  const write = async (): Promise<void> => {
    const taken = counters;
    if (taken.size === 0) return;
    counters = new Map();
    // One order for every gateway, so that two upserts never wait for each other.
    const keys = [...taken.keys()].sort();
    while (keys.length > 0) {
      const rows = keys.slice(0, ROWS_MAX).map((key) => taken.get(key) as Counter);
      try {
        await upsert(database, rows);
      } catch (error) {
        for (const key of keys) add(taken.get(key) as Counter, key);
        throw error;
      }
      keys.splice(0, ROWS_MAX);
    }
  };
  // One after the other: what was counted while a flush was under way is in the next.
  const flush = (): Promise<void> => {
    const flushed = last.then(write);
    last = flushed.catch(() => undefined);
    return flushed;
  };
  const timer = setInterval(() => {
    if (counters.size === 0) return;
    flush().catch((error: unknown) =>
      logger.warn('usage could not be written', { counters: counters.size, error: (error as Error).name }),
    );
  }, flushMs);
  timer.unref();

  return {
    count(exchange, request) {
      const { caller, standing, operation } = exchange;
      if (!caller || !standing) return;
      const number = Math.floor(Date.now() / DAY_MS);
      if (number !== dayNumber) startDay(number);
      const account = caller.accountId;
      const release = standing.release.id;
      const name = operation?.id ?? NO_OPERATION;
      const client = bounded(account, clientOf(request.headers['x-service-client']));
      const key = `${day} ${account} ${release} ${name} ${client}`;
      const known = counters.get(key);
      if (known) known.count += 1;
      else add({ day, account, release, operation: name, client, count: 1 }, key);
    },
    flush,
    async stop(timeoutMs) {
      clearInterval(timer);
      await new Promise(setImmediate);
      let bound: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        bound = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([flush().catch(() => undefined), late]);
      clearTimeout(bound);
      if (counters.size > 0) logger.warn('counts of usage are lost', { counters: counters.size });
    },
  };
}

async function upsert(database: Database, rows: readonly Counter[]): Promise<void> {
  await database.$executeRaw`
    INSERT INTO edge.usage_counters AS counted (day, account_id, release, operation, client, count)
    SELECT day, account, release, operation, client, count
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row
      (day date, account text, release text, operation text, client text, count bigint)
    ON CONFLICT (day, account_id, release, operation, client)
    DO UPDATE SET count = counted.count + excluded.count`;
}
