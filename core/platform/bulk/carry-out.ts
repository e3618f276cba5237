import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '@perennial/prisma/client.ts';
import { errorBody, type Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import { isDatabaseUnavailable } from '../database-unavailable.ts';
import { describe, toFault } from '../http/answer-faults.ts';
import type { TableStatistics } from '../table-statistics.ts';
import { together } from '../unit-of-work.ts';
import type { BulkEntry, BulkItemResult } from './store.ts';
import type { BulkActor, BulkSubject } from './subject.ts';

/** An operation of an atomic request failed. Thrown to roll back the others. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack';
  readonly failure: BulkItemResult;

  constructor(failure: BulkItemResult) {
    super('an operation of an atomic request could not be done');
    this.failure = failure;
  }
}

/** Carries out operations of one subject. */
export class CarryOut {
  readonly #database: Database;
  readonly #statistics: TableStatistics;
  readonly #logger: Logger;

  constructor(database: Database, statistics: TableStatistics, logger: Logger) {
    this.#database = database;
    this.#statistics = statistics;
    this.#logger = logger;
  }

  /** Carries out each operation on its own, in order. A failed one is rolled back; the others go on. */
  async independent(
    subject: BulkSubject,
    actor: BulkActor,
    entries: readonly BulkEntry[],
  ): Promise<readonly BulkItemResult[]> {
    const results: BulkItemResult[] = [];
    for (const entry of entries) results.push(await this.#one(subject, actor, entry));
    this.#statistics.written(subject.tables, results.filter(({ status }) => status === 'succeeded').length);
    return results;
  }

  /** All operations in the unit of work under way. @throws RolledBack at the first that cannot be done. */
  async atomic(
    subject: BulkSubject,
    actor: BulkActor,
    entries: readonly BulkEntry[],
  ): Promise<readonly BulkItemResult[]> {
    const results: BulkItemResult[] = [];
    for (const entry of entries) {
      const result = await this.#one(subject, actor, entry);
      if (result.status !== 'succeeded') throw new RolledBack(result);
      results.push(result);
    }
    this.#statistics.written(subject.tables, results.length);
    return results;
  }

  async #one(subject: BulkSubject, actor: BulkActor, entry: BulkEntry): Promise<BulkItemResult> {
    const { index, action, operation, refusal } = entry;
    const failed = (status: 'refused' | 'failed', error: ErrorBody): BulkItemResult => ({
      index,
      action,
      status,
      id: null,
      patientId: null,
      data: null,
      error,
    });
    if (refusal) return failed(refusal.status, refusal.error);
    if (!operation) throw new Error('an operation that was not refused has something to do');
    // Lets other requests run between two operations that only compute.
    await nextTurn();
    try {
      const { id, patientId, data } = await together(this.#database, () => subject.carryOut(actor, operation));
      return { index, action, status: 'succeeded', id, patientId, data, error: null };
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const fault = toFault(error);
      if (fault.status >= 500)
        this.#logger.error('a bulk operation failed', { job: subject.job, code: fault.code, ...describe(error) });
      const { id } = operation;
      return { ...failed('failed', placed(fault, index)), id: typeof id === 'string' ? id : null };
    }
  }
}

/** The error of an operation, with pointers into what was sent. */
function placed(fault: Fault, index: number): ErrorBody {
  const body = errorBody(fault);
  return {
    ...body,
    details: body.details.map((detail) =>
      detail.pointer === undefined ? detail : { ...detail, pointer: `/operations/${index}/data${detail.pointer}` },
    ),
  };
}
