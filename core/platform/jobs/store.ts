import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, JobId } from '@perennial/schemas/platform/ids.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import type { JobState } from '@perennial/schemas/resources/job.ts';
import type { ListRequest } from '../ordering.ts';
import { readPage } from '../page-rows.ts';
import type { Found } from '../paging.ts';
import type { JobCategory, JobRow } from './job.ts';
import type { JobAdvance, JobEnd } from './kinds.ts';

/** A job to be. */
export type NewJobRow = Pick<
  JobRow,
  | 'id'
  | 'accountId'
  | 'keyId'
  | 'requestId'
  | 'kind'
  | 'category'
  | 'patientId'
  | 'done'
  | 'total'
  | 'headRelease'
  | 'createdAt'
> & { readonly input: unknown };

/** What a list of jobs asks for. */
export interface JobListing extends ListRequest {
  readonly categories: readonly JobCategory[];
  readonly state: JobState | undefined;
  readonly kind: string | undefined;
}

export const jobColumns = Prisma.raw(
  [
    'id, account_id AS "accountId", key_id AS "keyId", request_id AS "requestId", kind, category',
    'patient_id AS "patientId", state, done, total, attempt, stalls, error, head_release AS "headRelease"',
    'created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt", expires_at AS "expiresAt"',
  ].join(', '),
);

/** Jobs in the database. Every query names the account. */
export class JobStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  async insert({ input, ...row }: NewJobRow): Promise<void> {
    await this.#database.job.create({
      data: { ...row, state: 'queued', ...(input === undefined ? {} : { input: input as Prisma.InputJsonValue }) },
      select: { id: true },
    });
  }

  /** The job, or null when it is missing, another account's, or of a category that is not to be seen. */
  async find(accountId: AccountId, id: JobId, categories: readonly JobCategory[]): Promise<JobRow | null> {
    return this.#one(Prisma.sql`SELECT ${jobColumns} FROM core.jobs
      WHERE id = ${id} AND account_id = ${accountId} AND category = ANY(${[...categories]})`);
  }

  async list(accountId: AccountId, listing: JobListing): Promise<Found<JobRow>> {
    const { categories, state, kind, includeTotal } = listing;
    const conditions = [Prisma.sql`account_id = ${accountId}`, Prisma.sql`category = ANY(${[...categories]})`];
    if (state !== undefined) conditions.push(Prisma.sql`state = ${state}`);
    if (kind !== undefined) conditions.push(Prisma.sql`kind = ${kind}`);
    const from = Prisma.sql`FROM core.jobs WHERE ${Prisma.join(conditions, ' AND ')}`;
    const page = await readPage<JobRow>(this.#database, Prisma.sql`SELECT ${jobColumns} ${from}`, listing);
    if (!includeTotal) return { ...page, total: undefined };
    const [counted] = await this.#database.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total ${from}`;
    return { ...page, total: counted?.total ?? 0 };
  }

  /** Makes others wait with adding jobs to the account until this transaction ends, so that the count holds. */
  async lockAccount(accountId: AccountId): Promise<void> {
    await this.#database.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${`jobs:${accountId}`}, 0))`;
  }

  /** Jobs of the account that have not ended. */
  async countOpen(accountId: AccountId): Promise<number> {
    return this.#database.job.count({ where: { accountId, state: { in: ['queued', 'running'] } } });
  }

  /** What the job was created with, as long as it has not ended. */
  async input(accountId: AccountId, id: JobId): Promise<unknown> {
    return (
      (await this.#database.job.findFirst({ where: { id, accountId }, select: { input: true } }))?.input ?? undefined
    );
  }

  /** The one result of a job whose kind keeps none of its own. */
  async result(accountId: AccountId, id: JobId): Promise<unknown> {
    return (
      (await this.#database.job.findFirst({ where: { id, accountId }, select: { result: true } }))?.result ?? undefined
    );
  }

  /** Says that the process is alive. @returns whether the job is still its own. */
  async renew(job: JobRow, leaseMs: number): Promise<boolean> {
    return (
      (await this.#database
        .$executeRaw`UPDATE core.jobs SET leased_until = ${leaseEnd(leaseMs)} WHERE ${held(job)}`) === 1
    );
  }

  /** Makes whoever would take the job away or end it wait until this transaction ends. @returns whether it is held. */
  async hold(job: JobRow): Promise<boolean> {
    const rows = await this.#database.$queryRaw<unknown[]>`SELECT 1 FROM core.jobs WHERE ${held(job)} FOR SHARE`;
    return rows.length === 1;
  }

  /** Writes how far the job has come. @returns whether it is still held. */
  async advance(job: JobRow, { done, total }: JobAdvance): Promise<boolean> {
    const count = await this.#database.$executeRaw`UPDATE core.jobs
      SET done = done + ${done}::int, total = coalesce(${total ?? null}::int, total), stalls = 0 WHERE ${held(job)}`;
    return count === 1;
  }

  /**
   * Gives the job back to the queue: the process stops, or something failed that may not fail again.
   * @param delaySeconds how long nobody is to take it on. @returns whether it was still held.
   */
  async release(job: JobRow, isStall: boolean, delaySeconds: number): Promise<boolean> {
    const count = await this.#database.$executeRaw`UPDATE core.jobs
      SET state = 'queued', leased_until = ${leaseEnd(delaySeconds * 1000)}, stalls = greatest(0, stalls - ${isStall ? 0 : 1}::int)
      WHERE ${held(job)}`;
    return count === 1;
  }

  /** Ends the job for the run that holds it. @returns the job as ended, or null when it is not held any more. */
  async end(
    job: JobRow,
    end: JobEnd,
    outcome: { readonly error?: ErrorBody; readonly result?: unknown },
    expiresAt: Date,
  ): Promise<JobRow | null> {
    return this.#end(held(job), end, outcome, expiresAt);
  }

  /** Ends the job whoever has it, unless it has ended. Waits for a part that is being committed. */
  async cancel(accountId: AccountId, id: JobId, expiresAt: Date): Promise<JobRow | null> {
    const open = Prisma.sql`id = ${id} AND account_id = ${accountId} AND state IN ('queued', 'running')`;
    return this.#end(open, 'cancelled', {}, expiresAt);
  }

  async markExpired(accountId: AccountId, id: JobId): Promise<void> {
    await this.#database.$executeRaw`UPDATE core.jobs SET state = 'expired', result = NULL, error = NULL
      WHERE id = ${id} AND account_id = ${accountId}`;
  }

  async #end(
    which: Prisma.Sql,
    end: JobEnd,
    { error, result }: { readonly error?: ErrorBody; readonly result?: unknown },
    expiresAt: Date,
  ): Promise<JobRow | null> {
    // As text, so that the members keep their order: the result is answered as it was made.
    const [errorText, resultText] = [error, result].map((each) => (each === undefined ? null : JSON.stringify(each)));
    return this.#one(Prisma.sql`UPDATE core.jobs
      SET state = ${end}, input = NULL, leased_until = NULL, finished_at = now(),
        error = ${errorText}::text::jsonb, result = ${resultText}::text::json,
        expires_at = ${expiresAt.toISOString()}::text::timestamptz
      WHERE ${which} RETURNING ${jobColumns}`);
  }

  async #one(sql: Prisma.Sql): Promise<JobRow | null> {
    const [row] = await this.#database.$queryRaw<JobRow[]>`${sql}`;
    return row ?? null;
  }
}

/** The condition that the job is this run's: nobody has taken it over or ended it. */
function held({ id, accountId, attempt }: JobRow): Prisma.Sql {
  return Prisma.sql`id = ${id} AND account_id = ${accountId} AND attempt = ${attempt} AND state = 'running'`;
}

/** By the database's clock alone, so that the clocks of processes need not agree. */
export function leaseEnd(leaseMs: number): Prisma.Sql {
  return Prisma.sql`now() + make_interval(secs => ${leaseMs / 1000}::double precision)`;
}
