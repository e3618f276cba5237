import type { Database } from '@perennial/prisma/client.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { type BulkId, newId } from '@perennial/schemas/platform/ids.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { BULK_AT_ONCE_MAX, BULK_ATOMIC_MAX, type BulkMode } from '@perennial/schemas/resources/bulk.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { JobRow } from '../jobs/job.ts';
import type { JobService } from '../jobs/service.ts';
import type { TableStatistics } from '../table-statistics.ts';
import { afterCommit, together } from '../unit-of-work.ts';
import { CarryOut, RolledBack } from './carry-out.ts';
import { type BulkJobInput, bulkKind } from './job-kind.ts';
import { type BulkCounts, type BulkEntry, type BulkItemResult, BulkStore, countsOf } from './store.ts';
import type { BulkActor, BulkSubject } from './subject.ts';

/** Operations stored at a time while a request is arriving. */
const STAGE_BATCH = 200;
/** A request that has been arriving for longer than this is taken for abandoned. */
const ORPHAN_MS = 3_600_000;

/** A bulk request that has arrived. */
export interface BulkArrival {
  readonly actor: BulkActor;
  readonly requestId: string;
  /** The operations, in order, as they arrive. */
  readonly entries: AsyncIterable<BulkEntry>;
  /** The mode; known only after all entries have been read. @throws Fault */
  readonly mode: () => BulkMode;
}

/** What became of a bulk request. */
export interface BulkOutcome extends BulkCounts {
  readonly mode: BulkMode;
  /** The job that carries it out; undefined when it is done. */
  readonly job: JobRow | undefined;
  readonly results: readonly BulkItemResult[];
}

/** Bulk requests, by the rules of the contract. */
export class BulkService {
  readonly #database: Database;
  readonly #jobs: JobService;
  readonly #carryOut: CarryOut;

  /** Registers a kind of job for each subject. @param database joins units of work. */
  constructor(
    database: Database,
    jobs: JobService,
    subjects: readonly BulkSubject[],
    statistics: TableStatistics,
    logger: Logger,
  ) {
    this.#database = database;
    this.#jobs = jobs;
    this.#carryOut = new CarryOut(database, statistics, logger);
    for (const subject of subjects) jobs.kinds.register(bulkKind(subject, database, this.#carryOut, ORPHAN_MS));
  }

  /**
   * Takes a request: few operations are carried out at once, more are kept as they arrive and become a job. A body
   * that breaks off leaves nothing.
   * @throws Fault with what is wrong with the request as a whole.
   */
  async take(subject: BulkSubject, arrival: BulkArrival): Promise<BulkOutcome> {
    const held: BulkEntry[] = [];
    let kept: { readonly id: BulkId; count: number } | undefined;
    // Not in a transaction: a slow sender must not keep a connection of the database.
    const store = new BulkStore(this.#database);
    try {
      for await (const entry of arrival.entries) {
        held.push(entry);
        if (!kept && held.length > BULK_AT_ONCE_MAX) {
          kept = { id: newId('blk'), count: 0 };
          await store.open(kept.id, arrival.actor.caller.accountId);
        }
        if (kept && held.length >= STAGE_BATCH) await keep(store, kept, held);
      }
      const mode = arrival.mode();
      if (!kept) return await this.#atOnce(subject, arrival.actor, mode, held);
      await keep(store, kept, held);
      if (mode === 'atomic' && kept.count > BULK_ATOMIC_MAX) throw tooManyAtomic();
      return await this.#later(subject, arrival, mode, kept.id);
    } catch (error) {
      if (kept) await store.remove(kept.id).catch(() => undefined);
      throw error;
    }
  }

  async #atOnce(
    subject: BulkSubject,
    actor: BulkActor,
    mode: BulkMode,
    entries: readonly BulkEntry[],
  ): Promise<BulkOutcome> {
    const results =
      mode === 'independent'
        ? await this.#carryOut.independent(subject, actor, entries)
        : await this.#allOrNothing(subject, actor, entries);
    const byStatus = new Map<string, number>();
    for (const { status } of results) byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    return { mode, ...countsOf(byStatus), job: undefined, results };
  }

  async #allOrNothing(
    subject: BulkSubject,
    actor: BulkActor,
    entries: readonly BulkEntry[],
  ): Promise<readonly BulkItemResult[]> {
    try {
      // If any operation was refused, none is tried, and every refusal is reported.
      if (entries.every(({ refusal }) => refusal === undefined))
        return await together(this.#database, () => this.#carryOut.atomic(subject, actor, entries));
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
      return entries.map((entry) => (entry.index === error.failure.index ? error.failure : undone(entry)));
    }
    return entries.map(undone);
  }

  async #later(subject: BulkSubject, arrival: BulkArrival, mode: BulkMode, bulkId: BulkId): Promise<BulkOutcome> {
    const {
      actor: { caller, visibility },
      requestId,
    } = arrival;
    const { category, job: kind } = subject;
    const outcome = await this.#database.$transaction(async (transaction) => {
      const store = new BulkStore(transaction);
      const counts = await store.counts(bulkId);
      const { total, failed: done } = counts;
      const input: BulkJobInput = { scopes: caller.scopes, visibility };
      const job = await this.#jobs.create(transaction, caller, { kind, category, requestId, input, total, done });
      await store.assign(bulkId, mode, job.id);
      return { mode, ...counts, job, results: [] };
    });
    afterCommit(() => this.#jobs.wake());
    return outcome;
  }
}

async function keep(store: BulkStore, kept: { readonly id: BulkId; count: number }, held: BulkEntry[]): Promise<void> {
  const entries = held.splice(0);
  kept.count += entries.length;
  if (entries.length > 0) await store.add(kept.id, entries);
}

/** The result of an operation that was never started, or was rolled back. */
function undone({ index, action, refusal }: BulkEntry): BulkItemResult {
  const { status, error } = refusal ?? { status: 'not_done', error: null };
  return { index, action, status, id: null, patientId: null, data: null, error };
}

function tooManyAtomic(): Fault {
  return new Fault('validation_failed', {
    message: `An atomic request may hold ${BULK_ATOMIC_MAX} operations at most. Send fewer, or as independent ones.`,
    details: [faultAt('/operations', 'too_many')],
  });
}
