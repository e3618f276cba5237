import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { type AccountId, type JobId, newId, type PatientId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { JobResult } from '@perennial/schemas/resources/job.ts';
import { headRelease } from '../../head-release.ts';
import type { Visibility } from '../../visibility.ts';
import type { Found } from '../paging.ts';
import { AllJobsStore } from './all-jobs-store.ts';
import { hasEnded, type JobCategory, type JobRow } from './job.ts';
import type { JobKinds } from './kinds.ts';
import { type JobListing, JobStore } from './store.ts';

/** How long results are kept. Copies of patient data outside the record may stay 30 days at most. */
export const RESULT_DAYS = 7;
/** How long it can be read that there was a job. */
const JOB_DAYS = 30;
/** Jobs of one account that have not ended. */
export const OPEN_JOBS_MAX = 100;
const DAY_MS = 86_400_000;
const SWEEP_BATCH = 100;

/** What a job is created from. */
export interface NewJob {
  /** Name of a registered kind. */
  readonly kind: string;
  readonly category: JobCategory;
  /** Of the request that asks for it. */
  readonly requestId: string;
  /** JSON that the work needs; erased when the job ends. */
  readonly input?: unknown;
  /** Where the job is about one patient: it is erased with them. */
  readonly patientId?: PatientId;
  /** Parts in all, where that is known; and those that are done already. */
  readonly total?: number;
  readonly done?: number;
}

/** Tells whoever works on jobs that there is one; in the transaction that creates it. */
export interface Dispatch {
  send(transaction: DatabaseTransaction, jobId: JobId): Promise<void>;
  /** Wakes a worker of this process, now that the transaction is committed. */
  wake(): void;
}

/** Jobs, by the rules of the contract. */
export class JobService {
  readonly #database: Database;
  readonly #store: JobStore;
  readonly kinds: JobKinds;
  readonly #dispatch: Dispatch;

  constructor(database: Database, kinds: JobKinds, dispatch: Dispatch) {
    this.#database = database;
    this.#store = new JobStore(database);
    this.kinds = kinds;
    this.#dispatch = dispatch;
  }

  /**
   * Creates a job in the caller's transaction: the job exists if and only if what else is written there does. Give
   * `wake` to `afterCommit`, or call it after the commit; a job that nobody is woken for begins within seconds.
   * @throws Fault `limit_reached` when too many jobs of the account have not ended.
   */
  async create(transaction: DatabaseTransaction, caller: Caller, job: NewJob): Promise<JobRow> {
    if (!this.kinds.get(job.kind)) throw new Error(`there is no kind of job ${job.kind}`);
    const store = new JobStore(transaction);
    await store.lockAccount(caller.accountId);
    if ((await store.countOpen(caller.accountId)) >= OPEN_JOBS_MAX) {
      throw new Fault('limit_reached', {
        message: `An account can have ${OPEN_JOBS_MAX} jobs that have not ended. Wait for one, or cancel one.`,
      });
    }
    const row = {
      id: newId('job'),
      accountId: caller.accountId,
      keyId: caller.keyId,
      requestId: job.requestId,
      kind: job.kind,
      category: job.category,
      patientId: job.patientId ?? null,
      done: job.done ?? 0,
      total: job.total ?? null,
      headRelease,
      createdAt: new Date(),
    };
    await store.insert({ ...row, input: job.input });
    await this.#dispatch.send(transaction, row.id);
    const fresh = { attempt: 0, stalls: 0, error: null, startedAt: null, finishedAt: null, expiresAt: null };
    return { ...row, ...fresh, state: 'queued' };
  }

  /** Lets this process begin at once with what was created. */
  wake(): void {
    this.#dispatch.wake();
  }

  /** @throws Fault `not_found` */
  async get(caller: Caller, id: JobId, visibility: Visibility): Promise<JobRow> {
    const job = await this.#store.find(caller.accountId, id, readable(caller, visibility));
    if (!job) throw new Fault('not_found');
    return job;
  }

  async list(caller: Caller, visibility: Visibility, listing: Omit<JobListing, 'categories'>): Promise<Found<JobRow>> {
    return this.#store.list(caller.accountId, { ...listing, categories: readable(caller, visibility) });
  }

  /**
   * Ends the job: what is done stays done, and nothing more is done from the moment of the answer.
   * @throws Fault `not_found`, `scope_missing`, or `job_ended` when it ended otherwise.
   */
  async cancel(caller: Caller, id: JobId, visibility: Visibility): Promise<JobRow> {
    const job = await this.get(caller, id, visibility);
    if (!mayWrite(caller, job.category)) throw new Fault('scope_missing');
    const cancelled = await this.#database.$transaction(async (transaction) => {
      const ended = await new JobStore(transaction).cancel(caller.accountId, id, resultEnd());
      if (ended) await this.kinds.get(ended.kind)?.ended?.(transaction, ended, 'cancelled');
      return ended;
    });
    if (cancelled) return cancelled;
    const ended = await this.get(caller, id, visibility);
    if (ended.state !== 'cancelled') throw new Fault('job_ended');
    return ended;
  }

  /** What came out, in batches. @throws Fault `not_found`, `job_unfinished` or `result_expired`. */
  async results(caller: Caller, id: JobId, visibility: Visibility): Promise<AsyncIterable<readonly JobResult[]>> {
    const job = await this.get(caller, id, visibility);
    if (job.state === 'expired') throw new Fault('result_expired');
    if (!hasEnded(job.state)) throw new Fault('job_unfinished');
    // Each kind keeps what the contract says of its results.
    return (this.kinds.get(job.kind)?.results?.(job) ?? this.#oneResult(caller.accountId, id)) as AsyncIterable<
      readonly JobResult[]
    >;
  }

  /** Erases the results whose time is over. @returns how many jobs expired. */
  async sweep(): Promise<number> {
    let expired = 0;
    for (;;) {
      const taken = await this.#database.$transaction(async (transaction) => {
        const jobs = await new AllJobsStore(transaction).takeExpired(SWEEP_BATCH);
        for (const job of jobs) await this.#expire(transaction, job);
        return jobs.length;
      });
      expired += taken;
      if (taken < SWEEP_BATCH) break;
    }
    for (const kind of this.kinds.all) await kind.sweep?.();
    await new AllJobsStore(this.#database).removeExpiredBefore(
      new Date(Date.now() - (JOB_DAYS - RESULT_DAYS) * DAY_MS),
    );
    return expired;
  }

  async #expire(transaction: DatabaseTransaction, job: JobRow): Promise<void> {
    await this.kinds.get(job.kind)?.expired?.(transaction, job);
    await new JobStore(transaction).markExpired(job.accountId, job.id);
  }

  async *#oneResult(accountId: AccountId, id: JobId): AsyncGenerator<readonly unknown[]> {
    const result = await this.#store.result(accountId, id);
    if (result !== undefined) yield [result];
  }
}

/** When the result of a job that ends now is erased. */
export function resultEnd(): Date {
  return new Date(Date.now() + RESULT_DAYS * DAY_MS);
}

const categories: readonly JobCategory[] = ['patients', 'diagnostics', 'imaging'];

function readable(caller: Caller, visibility: Visibility): readonly JobCategory[] {
  return categories.filter(
    (each) =>
      (visibility.imaging || each !== 'imaging') &&
      (caller.scopes.includes('admin') || caller.scopes.includes(`${each}:read`) || mayWrite(caller, each)),
  );
}

function mayWrite({ scopes }: Caller, category: JobCategory): boolean {
  return scopes.includes('admin') || scopes.includes(`${category}:write`);
}
