import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, AttachmentId, PatientId, RecordId } from '@perennial/schemas/platform/ids.ts';
import type { ListRequest } from '../platform/ordering.ts';
import { readPage } from '../platform/page-rows.ts';
import type { Found } from '../platform/paging.ts';
import { outsideUnit } from '../platform/unit-of-work.ts';

/** An attachment as stored. */
export interface AttachmentRow {
  readonly id: AttachmentId;
  readonly accountId: AccountId;
  readonly patientId: PatientId;
  readonly recordId: RecordId;
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly description: string | null;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Where attachments are: all identifiers come from the path. */
export interface RecordPlace {
  readonly patientId: PatientId;
  readonly recordId: RecordId;
}

const columns = Prisma.raw(
  [
    'a.id, a.account_id AS "accountId", a.patient_id AS "patientId", a.record_id AS "recordId"',
    'a.file_name AS "fileName", a.media_type AS "mediaType", a.size_bytes AS "sizeBytes", a.sha256, a.description',
    'a.revision, a.created_at AS "createdAt", a.updated_at AS "updatedAt"',
  ].join(', '),
);

/** Attachments in the database. None is found whose record or patient is deleted. */
export class AttachmentStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  /** Whether the account has the record. @param lock makes others who add to it wait until the transaction ends. */
  async hasRecord(accountId: AccountId, place: RecordPlace, lock: boolean): Promise<boolean> {
    const rows = await this.#database.$queryRaw<unknown[]>`
      SELECT 1 FROM core.medical_records r JOIN core.patients p ON p.id = r.patient_id
      WHERE r.id = ${place.recordId} AND r.patient_id = ${place.patientId} AND r.account_id = ${accountId}
        AND p.account_id = ${accountId} AND r.deleted_at IS NULL AND p.deleted_at IS NULL
        ${lock ? Prisma.sql`FOR UPDATE OF r` : Prisma.empty}`;
    return rows.length > 0;
  }

  async find(accountId: AccountId, place: RecordPlace, id: AttachmentId): Promise<AttachmentRow | undefined> {
    const [row] = await this.#database.$queryRaw<AttachmentRow[]>`
      SELECT ${columns} FROM core.attachments a
        JOIN core.medical_records r ON r.id = a.record_id JOIN core.patients p ON p.id = r.patient_id
      WHERE a.id = ${id} AND a.account_id = ${accountId} AND a.record_id = ${place.recordId}
        AND r.patient_id = ${place.patientId} AND r.account_id = ${accountId} AND p.account_id = ${accountId}
        AND r.deleted_at IS NULL AND p.deleted_at IS NULL`;
    return row;
  }

  async countOf(recordId: RecordId): Promise<number> {
    return this.#database.attachment.count({ where: { recordId } });
  }

  async list(recordId: RecordId, request: ListRequest): Promise<Found<AttachmentRow>> {
    const select = Prisma.sql`SELECT ${columns} FROM core.attachments a WHERE a.record_id = ${recordId}`;
    const [page, total] = await Promise.all([
      readPage<AttachmentRow>(this.#database, select, request),
      request.includeTotal ? this.countOf(recordId) : undefined,
    ]);
    return { ...page, total };
  }

  async insert(row: AttachmentRow): Promise<void> {
    await this.#database.attachment.create({ data: { ...row }, select: { id: true } });
  }

  /** Writes name and description if the attachment is still at the revision read. @returns whether it was. */
  async write(read: AttachmentRow, next: AttachmentRow): Promise<boolean> {
    const { fileName, description, updatedAt, revision } = next;
    const { count } = await this.#database.attachment.updateMany({
      where: { id: read.id, revision: read.revision },
      data: { fileName, description, updatedAt, revision },
    });
    return count === 1;
  }

  /** @returns whether the attachment was still there, at the revision read. */
  async remove(read: AttachmentRow): Promise<boolean> {
    const { count } = await this.#database.attachment.deleteMany({ where: { id: read.id, revision: read.revision } });
    return count === 1;
  }

  /** Stores the intent to remove the bytes unless a row refers to them. */
  async addIntent(key: string): Promise<void> {
    // Committed on its own, before the bytes are written: it must survive a rollback of the request.
    await outsideUnit(async () => this.#database.blobIntent.createMany({ data: { key }, skipDuplicates: true }));
  }

  async removeIntent(key: string): Promise<void> {
    await this.#database.blobIntent.deleteMany({ where: { key } });
  }

  /** Intents from before the instant, with whether an attachment or an image has the bytes. */
  async intents(before: Date): Promise<readonly { readonly key: string; readonly isKept: boolean }[]> {
    return this.#database.$queryRaw<{ key: string; isKept: boolean }[]>`
      SELECT i.key, (
          EXISTS (SELECT 1 FROM core.attachments a WHERE a.id = i.key)
          OR EXISTS (SELECT 1 FROM core.imaging_instances n WHERE n.id = i.key)
        ) AS "isKept"
      FROM core.blob_intents i WHERE i.created_at < ${before.toISOString()}::text::timestamptz
      ORDER BY i.created_at LIMIT 10000`;
  }
}
