import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@perennial/prisma/client.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { type Batch, createAppender } from './append.ts';
import type { Access } from './entry.ts';
import type { AuditKeys } from './keys.ts';
import type { Spool } from './spool.ts';

/*
 * What can be lost. Entries wait in memory until their batch is committed: a gateway that is killed (SIGKILL, power)
 * loses the accesses that ended within the last PAUSE_MS and one commit: less than a tenth of a second. While the database
 * does not take entries that grows, up to `delayMaxMs`; then nothing more is served. Writes and streams lose nothing:
 * their `BEGUN` entry is committed before core is asked (see `middleware.ts`).
 */

/** The audit trail of one gateway. Entries reach the database in the order in which they were recorded. */
export interface AuditTrail {
  /** Puts an entry in the queue. It is on its way to the database at once. */
  record(access: Access): void;
  /**
   * Resolves when the entry is in the database.
   * @throws {AuditBehind} when that took longer than an entry may wait; it stays in the queue.
   */
  commit(access: Access): Promise<void>;
  /** Whether entries have waited too long, or too many wait: then patient data must not be served. */
  isBehind(): boolean;
  /** Entries that are not in the database yet. */
  waiting(): number;
  /** Writes the remaining entries, for `timeoutMs` at most. */
  stop(timeoutMs: number): Promise<void>;
}

/** The database does not take entries. */
export class AuditBehind extends Error {
  override readonly name = 'AuditBehind';
}

/** How long an entry may wait, and how many may. */
export interface AuditLimits {
  readonly delayMaxMs: number;
  readonly queueMax: number;
  /** Takes what the database does not take before a stop; without one it is lost. */
  readonly spool?: Pick<Spool, 'keep'> | undefined;
}

interface Waiting {
  readonly access: Access;
  /** `performance.now()` when it was put in the queue. */
  readonly since: number;
  readonly done: (() => void) | undefined;
}

const BATCH_MAX = 500;
/** Shortest time between two commits that no request waits for: under load batches grow, not the number of commits. */
const PAUSE_MS = 50;
const RETRY_MS = 100;
const RETRY_MS_MAX = 1_000;
/** How long a stop waits for the database before it writes the rest to a file. */
const SPOOL_AFTER_MS = 3_000;

/** Group commit: while one batch is being written, the next one gathers. */
export function createAuditTrail(database: Database, keys: AuditKeys, limits: AuditLimits, logger: Logger): AuditTrail {
  const append = createAppender(database, keys, (account) =>
    logger.error('a chain of the audit trail does not end where it was left; run audit:verify', { account }),
  );
  let queue: Waiting[] = [];
  /** The batch being written. */
  let current: readonly Waiting[] = [];
  let running: Promise<void> | undefined;
  let stopping = false;
  let givenUp = false;
  /** Ends the pause between two commits. */
  let hurry: (() => void) | undefined;
  let awaited = 0;

  const write = async (items: readonly Waiting[]): Promise<void> => {
    const batch: Batch = { accesses: items.map(({ access }) => access) };
    for (let waitMs = RETRY_MS; !givenUp; waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)) {
      try {
        await append(batch);
        break;
      } catch (error) {
        logger.error('the audit trail could not be written', {
          entries: items.length + queue.length,
          error: (error as Error).name,
          code: (error as { code?: string }).code,
        });
        await sleep(waitMs);
      }
    }
  };
  const run = async (): Promise<void> => {
    while (queue.length > 0 && !givenUp) {
      current = queue.slice(0, BATCH_MAX);
      queue = queue.slice(BATCH_MAX);
      await write(current);
      if (givenUp) break;
      for (const { done } of current) done?.();
      current = [];
      if (awaited === 0 && !stopping && queue.length < BATCH_MAX) await pause();
    }
    running = undefined;
  };
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS);
      hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const put = (access: Access, done: (() => void) | undefined): void => {
    queue.push({ access, since: performance.now(), done });
    running ??= run();
    if (done || queue.length >= BATCH_MAX) hurry?.();
  };
  const oldest = (): Waiting | undefined => current[0] ?? queue[0];
  /** Whether entries need not reach the database from here: what is committed all the same is found there later. */
  let unkept = true;
  const kept = async (accesses: readonly Access[]): Promise<boolean> => {
    try {
      if (!limits.spool) throw new Error('there is nowhere to keep them');
      await limits.spool.keep(accesses);
      unkept = false;
      logger.warn('entries of the audit trail are kept in a file for the next start', { entries: accesses.length });
      return true;
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException;
      logger.error('entries of the audit trail could not be kept in a file', {
        entries: accesses.length,
        error: name,
        code,
      });
      return false;
    }
  };
  const trail: AuditTrail = {
    record: (access) => put(access, undefined),
    async commit(access) {
      awaited += 1;
      try {
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(() => reject(new AuditBehind()), limits.delayMaxMs);
          put(access, () => {
            clearTimeout(timer);
            resolve();
          });
        });
      } finally {
        awaited -= 1;
      }
    },
    isBehind() {
      const first = oldest();
      if (first === undefined) return false;
      return trail.waiting() >= limits.queueMax || performance.now() - first.since > limits.delayMaxMs;
    },
    waiting: () => current.length + queue.length,
    async stop(timeoutMs) {
      // The answers that were broken off record their accesses as they close.
      await new Promise(setImmediate);
      stopping = true;
      hurry?.();
      const left = (): Access[] => [...current, ...queue].map(({ access }) => access);
      const settle = async (ms: number): Promise<void> => {
        const bound = new AbortController();
        await Promise.race([running, sleep(ms, undefined, { signal: bound.signal }).catch(() => undefined)]);
        bound.abort();
      };
      // Nothing can be lost, so there is no need to wait for a database that may be unreachable.
      const boundMs = limits.spool ? Math.min(timeoutMs, SPOOL_AFTER_MS) : timeoutMs;
      await settle(boundMs);
      if (left().length > 0 && !(await kept(left()))) await settle(timeoutMs - boundMs);
      givenUp = true;
      // The last place that is left. An entry holds identifiers and codes, as a line of the log does.
      for (const access of unkept ? left() : [])
        logger.error('an entry of the audit trail is lost but for this line', { entry: access });
    },
  };
  return trail;
}
