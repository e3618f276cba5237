import type { DatabaseTransaction } from '@perennial/prisma/client.ts';
import type { JobRow } from './job.ts';

/** What a job's work is given. */
export interface JobRun {
  readonly job: JobRow;
  /** What the job was created with. */
  readonly input: unknown;
  /**
   * Aborted when the job is cancelled, the process stops, or another process has taken the job over. Pass it to what
   * takes long; `transaction` refuses by itself from then on.
   */
  readonly signal: AbortSignal;
  /**
   * One part of the work, committed with its progress: what the part writes, itself or through services, and that it
   * is done become true together, so that a process killed anywhere leaves parts that are done and parts that are not,
   * and nothing between.
   * @param work returns how many parts of the total it did, or sets `total` where it learns of it.
   * @throws JobInterrupted, with nothing written, once the job is not this run's any more. Let it through.
   */
  transaction(work: (transaction: DatabaseTransaction) => Promise<JobAdvance>): Promise<void>;
}

/** How far a part of the work has brought the job. */
export interface JobAdvance {
  /** Parts done now. */
  readonly done: number;
  readonly total?: number;
}

/** How a job ended. */
export type JobEnd = 'succeeded' | 'failed' | 'cancelled';

/**
 * A kind of job. Its work may be started more than once, one run after the other, because a process can be killed:
 * each run goes on where the parts that are committed end.
 */
export interface JobKind {
  /** `patients.bulk`; never renamed while jobs of it are kept. */
  readonly name: string;
  /**
   * Does the work. What it returns is kept as the one result (JSON), unless the kind keeps results of its own. A
   * `Fault` ends the job as failed, with that error; other exceptions are tried again, and end it in the long run.
   */
  readonly run: (run: JobRun) => Promise<unknown>;
  /** Results of its own, in batches, for a job that has ended; without it, the one result is the only line. */
  readonly results?: (job: JobRow) => AsyncIterable<readonly unknown[]>;
  /** Called in the transaction that ends the job, by whoever ends it: clears what is left, writes events. */
  readonly ended?: (transaction: DatabaseTransaction, job: JobRow, end: JobEnd) => Promise<void>;
  /** Called in the transaction in which the job expires: erases what its results are made of. */
  readonly expired?: (transaction: DatabaseTransaction, job: JobRow) => Promise<void>;
  /** Called now and then: removes what processes have left behind that did not live to create their job. */
  readonly sweep?: () => Promise<void>;
}

/** A run has to end because the job is not its own any more: cancelled, taken over, or the process stops. */
export class JobInterrupted extends Error {
  override readonly name = 'JobInterrupted';
}

/** The kinds there are. Registered when the services are composed. */
export class JobKinds {
  readonly #kinds = new Map<string, JobKind>();

  register(kind: JobKind): void {
    if (this.#kinds.has(kind.name)) throw new Error(`the kind of job ${kind.name} is registered twice`);
    this.#kinds.set(kind.name, kind);
  }

  /** Every kind. */
  get all(): readonly JobKind[] {
    return [...this.#kinds.values()];
  }

  /** What the kinds are called. */
  get names(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  /** The kind, or undefined where this process does not know it: a newer one may have created the job. */
  get(name: string): JobKind | undefined {
    return this.#kinds.get(name);
  }
}
