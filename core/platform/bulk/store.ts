import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, BulkId, JobId, PatientId } from '@perennial/schemas/platform/ids.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { BulkMode, BulkStatus } from '@perennial/schemas/resources/bulk.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import { readBatches, readRows } from '../page-rows.ts';

/** An operation as it was read: what to do, or why it was refused. */
export interface BulkEntry {
  readonly index: number;
  readonly action: string | null;
  /** At head; undefined when it was refused. */
  readonly operation: JsonObject | undefined;
  readonly refusal: { readonly status: 'refused' | 'failed'; readonly error: ErrorBody } | undefined;
}

/** What became of an operation. */
export interface BulkItemResult {
  readonly index: number;
  readonly action: string | null;
  readonly status: BulkStatus;
  readonly id: string | null;
  readonly patientId: PatientId | null;
  readonly data: object | null;
  readonly error: ErrorBody | null;
}

/** Number of operations by outcome. */
export interface BulkCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly not_done: number;
}

/** Operations of bulk requests in the database. */
export class BulkStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  /** Begins a request whose operations are to be kept as they arrive. */
  async open(id: BulkId, accountId: AccountId): Promise<void> {
    await this.#database.bulkRequest.create({ data: { id, accountId, mode: 'independent' }, select: { id: true } });
  }

  /** Adds operations and updates the time at which the request was last heard of. */
  async add(id: BulkId, entries: readonly BulkEntry[]): Promise<void> {
    // One parameter for all of them, and documents as text, so that their members keep their order.
    const rows = JSON.stringify(
      entries.map(({ index, action, operation, refusal }) => ({
        index,
        action,
        status: refusal?.status ?? 'pending',
        input: operation === undefined ? null : JSON.stringify(operation),
        error: refusal === undefined ? null : JSON.stringify(refusal.error),
      })),
    );
    await this.#database.$executeRaw`
      INSERT INTO core.bulk_items (bulk_id, index, action, status, input, error)
      SELECT ${id}, r.index, r.action, r.status, r.input::json, r.error::json
      FROM jsonb_to_recordset(${rows}::text::jsonb) AS r(index int, action text, status text, input text, error text)`;
    await this.#database.$executeRaw`UPDATE core.bulk_requests SET touched_at = now() WHERE id = ${id}`;
  }

  /** Assigns the request to a job. */
  async assign(id: BulkId, mode: BulkMode, jobId: JobId): Promise<void> {
    await this.#database.bulkRequest.update({ where: { id }, data: { mode, jobId }, select: { id: true } });
  }

  /** Removes a request and all that has arrived of it. */
  async remove(id: BulkId): Promise<void> {
    await this.#database.bulkRequest.deleteMany({ where: { id } });
  }

  /** Removes requests that never finished arriving. @returns how many. */
  async removeOrphans(before: Date): Promise<number> {
    const { count } = await this.#database.bulkRequest.deleteMany({
      where: { jobId: null, touchedAt: { lt: before } },
    });
    return count;
  }

  /** Removes everything of a job's request. */
  async removeOf(jobId: JobId): Promise<void> {
    await this.#database.bulkRequest.deleteMany({ where: { jobId } });
  }

  /** The request of a job. */
  async ofJob(jobId: JobId): Promise<{ readonly id: BulkId; readonly mode: BulkMode } | undefined> {
    const row = await this.#database.bulkRequest.findFirst({ where: { jobId }, select: { id: true, mode: true } });
    return row ? { id: row.id as BulkId, mode: row.mode as BulkMode } : undefined;
  }

  /** The next operations that are not done, fewer where they are long, locked until the transaction ends. */
  async takePending(id: BulkId, limit: number, after: number = -1): Promise<readonly BulkEntry[]> {
    const { rows } = await readRows<{ index: number; action: string; input: JsonObject }>(
      this.#database,
      Prisma.sql`
        SELECT index, action, input FROM core.bulk_items
        WHERE bulk_id = ${id} AND status = 'pending' AND index > ${after}::int
        ORDER BY index LIMIT ${limit} FOR UPDATE`,
    );
    return rows.map(({ index, action, input }) => ({ index, action, operation: input, refusal: undefined }));
  }

  /** Stores the results of operations and erases their input. */
  async finish(id: BulkId, results: readonly BulkItemResult[]): Promise<void> {
    if (results.length === 0) return;
    const rows = JSON.stringify(
      results.map(({ index, status, id: objectId, patientId, data, error }) => ({
        index,
        status,
        object_id: objectId,
        patient_id: patientId,
        data: data === null ? null : JSON.stringify(data),
        error: error === null ? null : JSON.stringify(error),
      })),
    );
    await this.#database.$executeRaw`
      UPDATE core.bulk_items AS i
      SET status = r.status, object_id = r.object_id, patient_id = r.patient_id,
        data = r.data::json, error = r.error::json, input = NULL
      FROM jsonb_to_recordset(${rows}::text::jsonb)
        AS r(index int, status text, object_id text, patient_id text, data text, error text)
      WHERE i.bulk_id = ${id} AND i.index = r.index`;
  }

  /** Marks pending operations as not done and erases their input. */
  async abandon(id: BulkId): Promise<void> {
    await this.#database.$executeRaw`UPDATE core.bulk_items SET status = 'not_done', input = NULL
      WHERE bulk_id = ${id} AND status = 'pending'`;
  }

  async counts(id: BulkId): Promise<BulkCounts> {
    const rows = await this.#database.$queryRaw<{ status: string; count: number }[]>`
      SELECT status, count(*)::int AS count FROM core.bulk_items WHERE bulk_id = ${id} GROUP BY status`;
    return countsOf(new Map(rows.map(({ status, count }) => [status, count])));
  }

  /** The first operation that was refused or failed. */
  async firstFailure(id: BulkId): Promise<{ readonly index: number; readonly error: ErrorBody } | undefined> {
    const [row] = await this.#database.$queryRaw<{ index: number; error: ErrorBody }[]>`
      SELECT index, error FROM core.bulk_items
      WHERE bulk_id = ${id} AND status IN ('refused', 'failed') ORDER BY index LIMIT 1`;
    return row;
  }

  /** What became of the operations, in their order. The data of a patient who has been deleted is left out. */
  results(id: BulkId, batch: number): AsyncGenerator<readonly BulkItemResult[]> {
    return readBatches<BulkItemResult>(
      this.#database,
      (last) => Prisma.sql`
        SELECT i.index, i.action, CASE i.status WHEN 'pending' THEN 'not_done' ELSE i.status END AS status,
          i.object_id AS id, i.patient_id AS "patientId", i.error,
          CASE WHEN i.patient_id IS NULL OR p.deleted_at IS NULL THEN i.data END AS data
        FROM core.bulk_items i LEFT JOIN core.patients p ON p.id = i.patient_id
        WHERE i.bulk_id = ${id} AND i.index > ${last?.index ?? -1}::int ORDER BY i.index LIMIT ${batch}`,
      batch,
    );
  }
}

/** Counts by status as they are answered. */
export function countsOf(byStatus: ReadonlyMap<string, number>): BulkCounts {
  const count = (status: string): number => byStatus.get(status) ?? 0;
  const [succeeded, failed] = [count('succeeded'), count('refused') + count('failed')];
  const notDone = count('pending') + count('not_done');
  return { total: succeeded + failed + notDone, succeeded, failed, not_done: notDone };
}
