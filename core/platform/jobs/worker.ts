import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import { asAccount, asSystem } from '@perennial/prisma/scope.ts';
import { errorBody, Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { JobId } from '@perennial/schemas/platform/ids.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Tracing } from '@perennial/schemas/platform/telemetry/tracing.ts';
import { isDatabaseUnavailable } from '../database-unavailable.ts';
import { describe } from '../http/answer-faults.ts';
import { asUnit } from '../unit-of-work.ts';
import { AllJobsStore } from './all-jobs-store.ts';
import type { JobRow } from './job.ts';
import { type JobAdvance, type JobEnd, JobInterrupted, type JobKind, type JobRun } from './kinds.ts';
import type { JobQueue } from './queue.ts';
import { type JobService, resultEnd } from './service.ts';
import { JobStore } from './store.ts';

/** How often a job is taken on without coming forward, before it is given up: what it does may end processes. */
const STALLS_MAX = 6;
/** Parts of a lease after which it is renewed. */
const RENEWALS = 3;
const RETRY_START_MS = 1_000;
const BACKOFF_SECONDS_MAX = 60;
const SWEEP_EVERY_MS = 60_000;
const ABANDONED_BATCH = 100;

/** What a worker can be told. */
export interface JobWorkerOptions {
  /** Jobs worked on at a time. */
  readonly concurrency: number;
  /** How long after its last sign of life a process is taken for dead, and its jobs for abandoned. */
  readonly leaseMs: number;
}

/** Works on jobs: takes them on, sees that nobody else does, and ends them. */
export class JobWorker {
  readonly #database: Database;
  readonly #jobs: JobService;
  readonly #queue: JobQueue;
  readonly #logger: Logger;
  readonly #options: JobWorkerOptions;
  readonly #stopping = new AbortController();
  readonly #runs = new Set<Promise<void>>();
  #tracing: Tracing | undefined;
  #background: Promise<unknown> = Promise.resolve();

  constructor(database: Database, jobs: JobService, queue: JobQueue, logger: Logger, options: JobWorkerOptions) {
    this.#database = database;
    this.#jobs = jobs;
    this.#queue = queue;
    this.#logger = logger;
    this.#options = options;
  }

  /** Has each job measured from now on. */
  trace(tracing: Tracing): void {
    this.#tracing = tracing;
  }

  /** Begins, in the background: the database need not be there yet. */
  start(): void {
    this.#background = asSystem('jobs', () => Promise.all([this.#open().then(() => this.#recover()), this.#sweep()]));
  }

  /** Takes no more jobs, lets those under way end their part, gives them back, and closes the queue. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#background;
    await this.#queue.pause();
    await Promise.all(this.#runs);
    await this.#queue.stop();
  }

  async #open(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#queue.start(this.#options.concurrency, (jobId) => this.#handle(jobId));
        return;
      } catch (error) {
        this.#logger.warn('the queue of jobs could not be opened', describe(error));
        await this.#pause(RETRY_START_MS);
      }
    }
  }

  /** Queues jobs again that no process is working on although they should be running. */
  async #recover(): Promise<void> {
    // Jobs created before the queue was open were never queued: the first round waits for nothing.
    let graceMs = 0;
    while (!this.#stopping.signal.aborted) {
      try {
        const store = new AllJobsStore(this.#database);
        for (const id of await store.abandoned(graceMs, ABANDONED_BATCH)) {
          await this.#database.$transaction((transaction) => this.#queue.send(transaction, id));
          this.#queue.wake();
        }
        graceMs = this.#options.leaseMs;
      } catch (error) {
        this.#logger.warn('abandoned jobs could not be looked for', describe(error));
      }
      await this.#pause(this.#options.leaseMs / 2);
    }
  }

  async #sweep(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        const expired = await this.#jobs.sweep();
        if (expired > 0) this.#logger.info('results of jobs were erased', { expired });
      } catch (error) {
        this.#logger.warn('results of jobs could not be erased', describe(error));
      }
      await this.#pause(SWEEP_EVERY_MS);
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  async #handle(jobId: JobId): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const run = asSystem('jobs', () => this.#take(jobId)).catch((error: unknown) => {
      this.#logger.warn('a job was not taken on', { job: jobId, ...describe(error) });
    });
    this.#runs.add(run);
    await run;
    this.#runs.delete(run);
  }

  async #take(jobId: JobId): Promise<void> {
    const job = await new AllJobsStore(this.#database).claim(jobId, this.#jobs.kinds.names, this.#options.leaseMs);
    if (!job) return;
    const kind = this.#jobs.kinds.get(job.kind);
    if (!kind) throw new Error(`a job of the unknown kind ${job.kind} was taken on`);
    // From here on it is the account's work.
    await asAccount(job.accountId, () => this.#measured(job, () => this.#carryOut(kind, job)));
  }

  /** A trace of its own: the request that asked for the job, whose id it carries, has long been answered. */
  async #measured(job: JobRow, work: () => Promise<void>): Promise<void> {
    const tracing = this.#tracing;
    if (!tracing) return work();
    const attributes = {
      'perennial.job_id': job.id,
      'perennial.request_id': job.requestId,
      'perennial.attempt': job.attempt,
      'messaging.system': 'pg-boss',
    };
    const span = tracing.start(`job ${job.kind}`, 'consumer', { attributes });
    try {
      await tracing.within(span, work);
      span.end();
    } catch (error) {
      span.end({ error: (error as Error).name });
      throw error;
    }
  }

  async #carryOut(kind: JobKind, job: JobRow): Promise<void> {
    if (job.stalls > STALLS_MAX) {
      await this.#end(kind, job, 'failed', { error: errorBody(new Fault('internal_error')) });
      return;
    }
    const lost = new AbortController();
    const renewals = this.#keepAlive(new JobStore(this.#database), job, lost);
    try {
      await this.#work(kind, job, AbortSignal.any([this.#stopping.signal, lost.signal]));
    } finally {
      clearInterval(renewals);
    }
  }

  async #work(kind: JobKind, job: JobRow, signal: AbortSignal): Promise<void> {
    try {
      const input = await new JobStore(this.#database).input(job.accountId, job.id);
      const result = await kind.run(this.#runOf(job, input, signal));
      await this.#end(kind, job, 'succeeded', { result });
    } catch (error) {
      if (error instanceof Fault && error.status < 500) {
        await this.#end(kind, job, 'failed', { error: errorBody(error) });
        return;
      }
      if (error instanceof JobInterrupted || signal.aborted) {
        if (this.#stopping.signal.aborted) await this.#giveBack(job, false);
        return;
      }
      this.#logger.error('a job failed', { job: job.id, kind: job.kind, stalls: job.stalls, ...describe(error) });
      // While there is no database nothing can be said; the lease runs out, and the job is found.
      if (isDatabaseUnavailable(error)) return;
      if (job.stalls < STALLS_MAX) await this.#giveBack(job, true);
      else await this.#end(kind, job, 'failed', { error: errorBody(new Fault('internal_error')) });
    }
  }

  #runOf(job: JobRow, input: unknown, signal: AbortSignal): JobRun {
    return {
      job,
      input,
      signal,
      transaction: async (work) => {
        if (signal.aborted) throw new JobInterrupted();
        let advance: JobAdvance = { done: 0 };
        const bounds = {
          opens: 'early',
          begin: async (transaction: DatabaseTransaction) => {
            if (!(await new JobStore(transaction).hold(job))) throw new JobInterrupted();
          },
          end: async (transaction: DatabaseTransaction) => {
            if (!(await new JobStore(transaction).advance(job, advance))) throw new JobInterrupted();
          },
        } as const;
        await asUnit(this.#database, bounds, async () => {
          advance = await this.#database.$transaction(work);
        });
      },
    };
  }

  /** Renews the lease until it cannot: then somebody else has the job, or has ended it. */
  #keepAlive(store: JobStore, job: JobRow, lost: AbortController): NodeJS.Timeout {
    const { leaseMs } = this.#options;
    let leaseEndsAt = performance.now() + leaseMs;
    const renew = async (): Promise<void> => {
      const asked = performance.now();
      try {
        if (await store.renew(job, leaseMs)) leaseEndsAt = asked + leaseMs;
        else lost.abort();
      } catch (error) {
        this.#logger.warn('the lease of a job could not be renewed', { job: job.id, ...describe(error) });
        if (performance.now() > leaseEndsAt) lost.abort();
      }
    };
    return setInterval(() => void renew(), leaseMs / RENEWALS);
  }

  async #end(kind: JobKind, job: JobRow, end: JobEnd, outcome: Parameters<JobStore['end']>[2]): Promise<void> {
    await this.#database.$transaction(async (transaction) => {
      const ended = await new JobStore(transaction).end(job, end, outcome, resultEnd());
      if (ended) await kind.ended?.(transaction, ended, end);
    });
  }

  async #giveBack(job: JobRow, isStall: boolean): Promise<void> {
    const delaySeconds = isStall ? Math.min(BACKOFF_SECONDS_MAX, 2 ** job.stalls) : 0;
    await this.#database.$transaction(async (transaction) => {
      if (await new JobStore(transaction).release(job, isStall, delaySeconds))
        await this.#queue.send(transaction, job.id, delaySeconds);
    });
  }
}
