import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@perennial/prisma/client.ts';
import type { Logger } from '@perennial/schemas/http/logger.ts';
import { type Batch, createAppender } from './append.ts';
import type { Access } from './entry.ts';

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
  /** Writes what is left, for `timeoutMs` at most. */
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
}

interface Waiting {
  readonly access: Access;
  /** `performance.now()` when it was put in the queue. */
  readonly since: number;
  readonly done: (() => void) | undefined;
}

const BATCH_MAX = 500;
/** The least time from one commit to the next that nobody waits for: under load, batches grow instead of commits. */
const PAUSE_MS = 50;
const RETRY_MS = 100;
const RETRY_MS_MAX = 1_000;

/** Group commit: while one batch is being written, the next one gathers. */
export function createAuditTrail(database: Database, limits: AuditLimits, logger: Logger): AuditTrail {
  const append = createAppender(database);
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
      const bound = new AbortController();
      await Promise.race([running, sleep(timeoutMs, undefined, { signal: bound.signal }).catch(() => undefined)]);
      bound.abort();
      givenUp = true;
      if (trail.waiting() > 0) logger.error('entries of the audit trail are lost', { entries: trail.waiting() });
    },
  };
  return trail;
}
