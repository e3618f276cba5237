import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import type { JobId } from '@perennial/schemas/platform/ids.ts';
import type { JobRow } from './job.ts';
import { jobColumns, leaseEnd } from './store.ts';

/**
 * Jobs of all accounts, for whoever works on them or clears them away: the few queries that name no account. They find
 * something only within `asSystem('jobs')`. The work on a job is its account's.
 */
export class AllJobsStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  /**
   * Takes the job on, unless it has ended, is of a kind that is not known here, waits for another try, or a process
   * that can be trusted to be alive has it.
   */
  async claim(id: JobId, kinds: readonly string[], leaseMs: number): Promise<JobRow | null> {
    const [row] = await this.#database.$queryRaw<JobRow[]>`UPDATE core.jobs
      SET state = 'running', attempt = attempt + 1, stalls = stalls + 1, started_at = coalesce(started_at, now()),
        leased_until = ${leaseEnd(leaseMs)}
      WHERE id = ${id} AND kind = ANY(${[...kinds]}) AND state IN ('queued', 'running')
        AND (leased_until IS NULL OR leased_until <= now())
      RETURNING ${jobColumns}`;
    return row ?? null;
  }

  /** Jobs that nobody works on although somebody should: never dispatched, or their process has died. */
  async abandoned(graceMs: number, limit: number): Promise<readonly JobId[]> {
    const rows = await this.#database.$queryRaw<{ id: JobId }[]>`SELECT id FROM core.jobs
      WHERE (state = 'running' AND leased_until <= now())
        OR (state = 'queued' AND coalesce(leased_until, created_at)
          < now() - make_interval(secs => ${graceMs / 1000}::double precision))
      ORDER BY created_at LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  }

  /** Takes jobs whose results are to be erased, so that no other process erases them at the same time. */
  async takeExpired(limit: number): Promise<readonly JobRow[]> {
    return this.#database.$queryRaw<JobRow[]>`SELECT ${jobColumns} FROM core.jobs
      WHERE state IN ('succeeded', 'failed', 'cancelled') AND expires_at < now()
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  }

  /** Removes what is left of jobs that expired long ago. */
  async removeExpiredBefore(before: Date): Promise<number> {
    const { count } = await this.#database.job.deleteMany({ where: { state: 'expired', expiresAt: { lt: before } } });
    return count;
  }
}
