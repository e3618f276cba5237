import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { Position } from '@perennial/schemas/platform/cursor.ts';
import type { AccountId, KeyId, PatientId, RecordId } from '@perennial/schemas/platform/ids.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { SortColumn } from '../platform/keyset.ts';
import { readBatches, readPage } from '../platform/page-rows.ts';
import type { Found } from '../platform/paging.ts';
import { type RecordFields, type RecordRow, toDocument } from './record.ts';

/** Which records a list holds. Instants are RFC 3339 text. */
export interface RecordFilters {
  readonly patientId?: PatientId;
  readonly type?: string;
  readonly status?: string;
  readonly codeSystem?: string;
  readonly code?: string;
  readonly effectiveFrom?: string;
  readonly effectiveTo?: string;
}

/** What a list asks for. */
export interface Listing {
  readonly keys: readonly SortColumn[];
  readonly position: Position | undefined;
  readonly limit: number;
  readonly includeTotal: boolean;
}

/** What was done to a record. */
export type RecordAction = 'created' | 'corrected' | 'deleted' | 'restored';

/** One version as stored. */
export interface VersionRow {
  readonly revision: number;
  readonly action: RecordAction;
  readonly fields: readonly string[];
  /** What a caller could have written to get it. */
  readonly snapshot: JsonObject;
  readonly keyId: KeyId | null;
  readonly changedAt: Date;
}

const columns = Prisma.raw(
  [
    'r.id, r.account_id AS "accountId", r.patient_id AS "patientId", r.type, r.status, r.code, r.content',
    'r.effective_at AS "effectiveAt", r.author, r.revision, r.created_at AS "createdAt", r.updated_at AS "updatedAt"',
  ].join(', '),
);

/** Records in the database. Every query names the account, and none finds what belongs to a deleted patient. */
export class RecordStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  /** Whether the account has the patient. */
  async hasPatient(accountId: AccountId, patientId: PatientId): Promise<boolean> {
    const rows = await this.#database.$queryRaw<unknown[]>`
      SELECT 1 FROM core.patients WHERE id = ${patientId} AND account_id = ${accountId} AND deleted_at IS NULL`;
    return rows.length > 0;
  }

  /** The record, or undefined when it or its patient is missing, deleted or another account's. */
  async find(
    accountId: AccountId,
    patientId: PatientId,
    id: RecordId,
    options: { readonly lock?: boolean; readonly orDeleted?: boolean } = {},
  ): Promise<(RecordRow & { readonly deletedAt: Date | null }) | undefined> {
    const kept = options.orDeleted ? Prisma.empty : Prisma.sql`AND r.deleted_at IS NULL`;
    const lock = options.lock ? Prisma.sql`FOR UPDATE OF r` : Prisma.empty;
    const [row] = await this.#database.$queryRaw<(RecordRow & { deletedAt: Date | null })[]>`
      SELECT ${columns}, r.deleted_at AS "deletedAt"
      FROM core.medical_records r JOIN core.patients p ON p.id = r.patient_id
      WHERE r.id = ${id} AND r.account_id = ${accountId} AND r.patient_id = ${patientId} ${kept}
        AND p.account_id = ${accountId} AND p.deleted_at IS NULL ${lock}`;
    return row;
  }

  /** How many records the patient has, counted no further than `most`. */
  async countOf(patientId: PatientId, most: number): Promise<number> {
    const [row] = await this.#database.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) AS count FROM (
        SELECT 1 FROM core.medical_records WHERE patient_id = ${patientId} LIMIT ${most}) AS counted`;
    return Number(row?.count ?? 0);
  }

  async insert(row: RecordRow, keyId: KeyId): Promise<void> {
    const { code, content, ...rest } = row;
    await this.#database.medicalRecord.create({
      data: { ...rest, code: jsonOrNull(code), content: content as Prisma.InputJsonObject },
      select: { id: true },
    });
    await this.addVersion(row, 'created', Object.keys(toDocument(row)), keyId);
  }

  /** Writes the fields if the record is still at the revision read. @returns whether it was. */
  async write(read: RecordRow, fields: RecordFields, updatedAt: Date, deletedAt: Date | null): Promise<boolean> {
    const { count } = await this.#database.medicalRecord.updateMany({
      where: { id: read.id, accountId: read.accountId, revision: read.revision },
      data: {
        status: fields.status,
        code: jsonOrNull(fields.code),
        content: fields.content as Prisma.InputJsonObject,
        effectiveAt: fields.effectiveAt,
        author: fields.author,
        updatedAt,
        deletedAt,
        revision: read.revision + 1,
      },
    });
    return count === 1;
  }

  /** Keeps what a record says at its revision. */
  async addVersion(
    row: RecordRow,
    action: RecordAction,
    fields: readonly string[],
    keyId: KeyId | null,
  ): Promise<void> {
    await this.#database.recordVersion.createMany({
      data: {
        recordId: row.id,
        revision: row.revision,
        accountId: row.accountId,
        action,
        fields: [...fields],
        snapshot: toDocument(row) as Prisma.InputJsonObject,
        keyId,
        changedAt: row.updatedAt,
      },
      // A record that came with the account's first data has no version of its own until it is first corrected.
      skipDuplicates: true,
    });
  }

  /** A part of the list, with one row more than the limit when there are more. */
  async list(accountId: AccountId, filters: RecordFilters, listing: Listing): Promise<Found<RecordRow>> {
    const from = Prisma.sql`FROM core.own_records r WHERE ${where(accountId, filters)}`;
    const [page, total] = await Promise.all([
      readPage<RecordRow>(this.#database, Prisma.sql`SELECT ${columns} ${from}`, listing),
      listing.includeTotal ? this.#count(from) : undefined,
    ]);
    return { ...page, total };
  }

  /** A part of what the record has said, now included. */
  async versions(record: RecordRow, listing: Listing): Promise<Found<VersionRow>> {
    const from = Prisma.sql`FROM core.record_versions v WHERE v.record_id = ${record.id}`;
    const [page, total, [current]] = await Promise.all([
      readPage<VersionRow>(
        this.#database,
        Prisma.sql`SELECT v.revision, v.action, v.fields, v.snapshot, v.key_id AS "keyId", v.changed_at AS "changedAt"
          ${from}`,
        listing,
      ),
      listing.includeTotal ? this.#count(from) : undefined,
      this.#database.$queryRaw<unknown[]>`SELECT 1 ${from} AND v.revision = ${record.revision}`,
    ]);
    if (current !== undefined) return { ...page, total };
    // Never corrected since it came: what it says now is all there is.
    const only: VersionRow = {
      revision: record.revision,
      action: 'created',
      fields: [],
      snapshot: toDocument(record),
      keyId: null,
      changedAt: record.updatedAt,
    };
    return { rows: listing.position === undefined ? [only] : [], total: total === undefined ? undefined : 1 };
  }

  /** Every record of the account in the order of their ids, `batch` at a time. */
  all(accountId: AccountId, filters: RecordFilters, batch: number): AsyncGenerator<readonly RecordRow[]> {
    return readBatches<RecordRow>(
      this.#database,
      (last) => Prisma.sql`
        SELECT ${columns} FROM core.own_records r
        WHERE ${where(accountId, filters)} AND r.id > ${last?.id ?? ''} ORDER BY r.id LIMIT ${batch}`,
      batch,
    );
  }

  async #count(from: Prisma.Sql): Promise<number> {
    const [row] = await this.#database.$queryRaw<{ total: bigint }[]>`SELECT count(*) AS total ${from}`;
    return Number(row?.total ?? 0);
  }
}

function where(accountId: AccountId, filters: RecordFilters): Prisma.Sql {
  const conditions = [
    Prisma.sql`r.account_id = ${accountId}`,
    Prisma.sql`r.deleted_at IS NULL`,
    Prisma.sql`EXISTS (SELECT 1 FROM core.own_patients p WHERE p.id = r.patient_id AND p.deleted_at IS NULL)`,
  ];
  const { patientId, type, status, codeSystem, code, effectiveFrom, effectiveTo } = filters;
  if (patientId !== undefined) conditions.push(Prisma.sql`r.patient_id = ${patientId}`);
  if (type !== undefined) conditions.push(Prisma.sql`r.type = ${type}`);
  if (status !== undefined) conditions.push(Prisma.sql`r.status = ${status}`);
  if (codeSystem !== undefined) conditions.push(Prisma.sql`r.code->>'system' = ${codeSystem}`);
  if (code !== undefined) conditions.push(Prisma.sql`r.code->>'code' = ${code}`);
  if (effectiveFrom !== undefined) conditions.push(Prisma.sql`r.effective_at >= ${effectiveFrom}::text::timestamptz`);
  if (effectiveTo !== undefined) conditions.push(Prisma.sql`r.effective_at <= ${effectiveTo}::text::timestamptz`);
  return Prisma.join(conditions, ' AND ');
}

function jsonOrNull(value: JsonObject | null): Prisma.InputJsonObject | typeof Prisma.DbNull {
  return value === null ? Prisma.DbNull : (value as Prisma.InputJsonObject);
}
