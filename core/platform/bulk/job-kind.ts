import type { Database } from '@perennial/prisma/client.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { BulkId } from '@perennial/schemas/platform/ids.ts';
import { everything, type Visibility } from '../../visibility.ts';
import { recordEvent } from '../events/record-event.ts';
import { mapBatches } from '../http/stream-answers.ts';
import { type JobRow, toJob } from '../jobs/job.ts';
import { JobInterrupted, type JobKind, type JobRun } from '../jobs/kinds.ts';
import { type CarryOut, RolledBack } from './carry-out.ts';
import { toResult } from './result.ts';
import { BulkStore } from './store.ts';
import type { BulkActor, BulkSubject } from './subject.ts';

/** Operations carried out in one transaction of a job. */
const PART = 20;
/** Results read from the database at a time. */
const RESULT_BATCH = 500;

/** Input of a bulk job. Its operations are stored beside it. */
export interface BulkJobInput {
  readonly scopes: readonly string[];
  /** Absent in jobs created before it existed: then everything is visible. */
  readonly visibility?: Visibility;
  /** Its name in jobs that an earlier release of this service has created. */
  readonly sight?: Visibility;
}

/** The kind of job that carries out bulk requests of a subject. */
export function bulkKind(subject: BulkSubject, database: Database, carryOut: CarryOut, orphanMs: number): JobKind {
  return {
    name: subject.job,
    run: async (run) => {
      const request = await new BulkStore(database).ofJob(run.job.id);
      if (!request) throw new Error('a bulk job has no request');
      if (request.mode === 'atomic') await asWhole(run, request.id);
      else await inParts(run, request.id);
    },
    results: (job) => resultsOf(job),
    ended: async (transaction, job) => {
      const store = new BulkStore(transaction);
      const request = await store.ofJob(job.id);
      if (request) await store.abandon(request.id);
      const { id: objectId, accountId } = job;
      await recordEvent(transaction, { accountId, kind: 'bulk.completed', objectId, document: toJob(job) });
    },
    expired: (transaction, job) => new BulkStore(transaction).removeOf(job.id),
    sweep: async () => {
      await new BulkStore(database).removeOrphans(new Date(Date.now() - orphanMs));
    },
  };

  async function inParts(run: JobRun, bulkId: BulkId): Promise<void> {
    const actor = actorOf(run);
    for (let done = PART; done > 0; ) {
      await run.transaction(async (transaction) => {
        const store = new BulkStore(transaction);
        const entries = await store.takePending(bulkId, PART);
        await store.finish(bulkId, await carryOut.independent(subject, actor, entries));
        done = entries.length;
        return { done };
      });
    }
  }

  async function asWhole(run: JobRun, bulkId: BulkId): Promise<void> {
    const actor = actorOf(run);
    const store = new BulkStore(database);
    try {
      // Operations refused on arrival are recorded already.
      if (!(await store.firstFailure(bulkId))) {
        await run.transaction(async (transaction) => {
          const inner = new BulkStore(transaction);
          let done = 0;
          for (let last = -1; ; ) {
            const entries = await inner.takePending(bulkId, PART, last);
            if (entries.length === 0) return { done };
            if (run.signal.aborted) throw new JobInterrupted();
            await inner.finish(bulkId, await carryOut.atomic(subject, actor, entries));
            done += entries.length;
            last = entries.at(-1)?.index as number;
          }
        });
      }
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
      await run.transaction(async (transaction) => {
        await new BulkStore(transaction).finish(bulkId, [error.failure]);
        return { done: 1 };
      });
    }
    const failure = await store.firstFailure(bulkId);
    if (failure) {
      throw new Fault(failure.error.code as Fault['code'], {
        message: `Operation ${failure.index} (from 0) could not be done, and so none was; see the result.`,
      });
    }
  }

  async function* resultsOf(job: JobRow): AsyncGenerator<readonly object[]> {
    const store = new BulkStore(database);
    const request = await store.ofJob(job.id);
    if (request) yield* mapBatches(store.results(request.id, RESULT_BATCH), (item) => toResult(subject, item));
  }
}

/** A job acts for the caller who created it, with the scopes and the visibility of that request. */
function actorOf({ job: { accountId, keyId }, input }: JobRun): BulkActor {
  const { scopes, sight = everything, visibility = sight } = input as BulkJobInput;
  return { caller: { accountId, keyId, scopes }, visibility };
}
