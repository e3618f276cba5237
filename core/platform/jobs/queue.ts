import type { DatabaseTransaction } from '@perennial/prisma/client.ts';
import type { JobId } from '@perennial/schemas/platform/ids.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { fromPrisma, PgBoss } from 'pg-boss';
import { describe } from '../http/answer-faults.ts';
import type { Dispatch } from './service.ts';

const QUEUE = 'core.jobs';
/** How soon another process notices a message; this process is woken at once. */
const POLLING_SECONDS = 1;
/** How long a message may be worked on. Whether a job is still being worked on is decided by its lease. */
const EXPIRE_SECONDS = 12 * 3_600;
/** How long finished messages stay in the queue, for inspection. */
const KEPT_SECONDS = 3_600;
const CONNECTIONS_MAX = 2;

interface Message {
  readonly jobId: JobId;
}

/**
 * Carries word of jobs between processes, on pg-boss. A message says no more than that a job is to be looked at: which
 * jobs there are, who has them and how far they are is told by `core.jobs` alone, so that a message that is lost or
 * comes twice changes nothing.
 */
export class JobQueue implements Dispatch {
  readonly #databaseUrl: string;
  readonly #logger: Logger;
  #boss: PgBoss | undefined;
  #workers: string[] = [];

  constructor(databaseUrl: string, logger: Logger) {
    this.#databaseUrl = databaseUrl;
    this.#logger = logger;
  }

  /**
   * Starts to take messages, `concurrency` at a time.
   * @throws when the database is not there; it can be called again.
   */
  async start(concurrency: number, handle: (jobId: JobId) => Promise<void>): Promise<void> {
    const boss = new PgBoss({
      connectionString: this.#databaseUrl,
      application_name: 'perennial-core-jobs',
      max: CONNECTIONS_MAX,
      // Our own migrations make its tables.
      migrate: false,
      createSchema: false,
      schedule: false,
    });
    boss.on('error', (error) => this.#logger.warn('the queue of jobs failed', describe(error)));
    try {
      await boss.start();
      // At most one waiting message for each job.
      await boss.createQueue(QUEUE, {
        policy: 'short',
        retryLimit: 0,
        expireInSeconds: EXPIRE_SECONDS,
        deleteAfterSeconds: KEPT_SECONDS,
      });
      const workers = Array.from({ length: concurrency }, () =>
        boss.work<Message>(QUEUE, { pollingIntervalSeconds: POLLING_SECONDS }, async (messages) => {
          for (const { data } of messages) await handle(data.jobId);
        }),
      );
      this.#workers = await Promise.all(workers);
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined);
      throw error;
    }
    this.#boss = boss;
  }

  /** Says that a job is to be looked at, after a delay. While the queue has not started, the sweep says so later. */
  async send(transaction: DatabaseTransaction, jobId: JobId, delaySeconds: number = 0): Promise<void> {
    await this.#boss?.send(QUEUE, { jobId } satisfies Message, {
      db: fromPrisma(transaction),
      singletonKey: jobId,
      startAfter: delaySeconds,
    });
  }

  wake(): void {
    for (const worker of this.#workers) this.#boss?.notifyWorker(worker);
  }

  /** Takes no more messages. Those that are handled go on. */
  async pause(): Promise<void> {
    this.#workers = [];
    await this.#boss?.offWork(QUEUE, { wait: false });
  }

  /** Closes the queue. Call it after every handler has returned. */
  async stop(): Promise<void> {
    const boss = this.#boss;
    this.#boss = undefined;
    await boss?.stop({ graceful: false }).catch(() => undefined);
  }
}
