import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import { after, orderBy } from '../keyset.ts';
import type { ListRequest } from '../ordering.ts';
import type { Found } from '../paging.ts';
import type { DiagnosticRow } from './record.ts';

/** Which records a list holds. Instants are RFC 3339 text. */
export interface DiagnosticFilters {
  readonly patientId?: string;
  readonly kind?: string;
  readonly status?: string;
  readonly createdFrom?: string;
  readonly createdTo?: string;
}

/** A record that may have been deleted. */
export type KeptRow = DiagnosticRow & { readonly deletedAt: Date | null };

const columns = Prisma.raw(
  [
    'd.id, d.account_id AS "accountId", d.patient_id AS "patientId", d.kind, d.status',
    'd.head_release AS "headRelease", d.input, d.result, d.differential, d.feedback, d.note, d.key_id AS "keyId"',
    'd.revision, d.created_at AS "createdAt", d.updated_at AS "updatedAt"',
  ].join(', '),
);

/** Diagnostic records in the database. Every query names the account, and none finds what belongs to a deleted patient. */
export class DiagnosticStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  /**
   * Writes a record beside its patient. One of the same id stays as it is.
   * @returns `no-patient` when the account has no such patient, `there` when the id was.
   */
  async insert(row: DiagnosticRow): Promise<'written' | 'there' | 'no-patient'> {
    const written = await this.#database.$executeRaw`
      INSERT INTO core.diagnostic_records (id, account_id, patient_id, kind, status, head_release, input, result,
        differential, feedback, note, key_id, revision, created_at, updated_at)
      SELECT ${row.id}, p.account_id, p.id, ${row.kind}, ${row.status}, ${row.headRelease},
        ${JSON.stringify(row.input)}::text::json, ${JSON.stringify(row.result)}::text::json,
        ${json(row.differential)}, ${json(row.feedback)}, ${row.note}::text, ${row.keyId}, ${row.revision}::int,
        ${instant(row.createdAt)}, ${instant(row.updatedAt)}
      FROM core.patients p
      WHERE p.id = ${row.patientId} AND p.account_id = ${row.accountId} AND p.deleted_at IS NULL
      ON CONFLICT (id) DO NOTHING`;
    if (written === 1) return 'written';
    const known = await this.#database.$queryRaw<unknown[]>`
      SELECT 1 FROM core.diagnostic_records WHERE id = ${row.id} AND account_id = ${row.accountId}`;
    return known.length > 0 ? 'there' : 'no-patient';
  }

  /** The record, deleted or not; undefined when it or its patient is missing or another account's. */
  async find(accountId: string, id: string, lock = false): Promise<KeptRow | undefined> {
    const locking = lock ? Prisma.sql`FOR UPDATE OF d` : Prisma.empty;
    const [row] = await this.#database.$queryRaw<KeptRow[]>`
      SELECT ${columns}, d.deleted_at AS "deletedAt"
      FROM core.diagnostic_records d JOIN core.patients p ON p.id = d.patient_id
      WHERE d.id = ${id} AND d.account_id = ${accountId} AND p.account_id = ${accountId} AND p.deleted_at IS NULL
      ${locking}`;
    return row;
  }

  /** Writes what can change, if the record is still at the revision read. @returns whether it was. */
  async write(read: DiagnosticRow, next: DiagnosticRow, deletedAt: Date | null): Promise<boolean> {
    const written = await this.#database.$executeRaw`
      UPDATE core.diagnostic_records
      SET status = ${next.status}, feedback = ${json(next.feedback)}, note = ${next.note}::text,
        revision = ${next.revision}::int, updated_at = ${instant(next.updatedAt)},
        deleted_at = ${deletedAt === null ? Prisma.sql`NULL` : instant(deletedAt)}
      WHERE id = ${read.id} AND account_id = ${read.accountId} AND revision = ${read.revision}::int`;
    return written === 1;
  }

  /** One page, and one row more when there are more. */
  async list(accountId: string, filters: DiagnosticFilters, request: ListRequest): Promise<Found<DiagnosticRow>> {
    const { keys, limit, position, includeTotal } = request;
    const where = conditions(accountId, filters);
    const start = position && 'after' in position ? Prisma.sql`AND ${after(keys, position.after)}` : Prisma.empty;
    const skipped = position && 'offset' in position ? Prisma.sql`OFFSET ${position.offset}` : Prisma.empty;
    const [rows, counted] = await Promise.all([
      this.#database.$queryRaw<DiagnosticRow[]>`
        SELECT ${columns} FROM core.diagnostic_records d WHERE ${where} ${start}
        ${orderBy(keys)} LIMIT ${limit + 1} ${skipped}`,
      includeTotal
        ? this.#database.$queryRaw<{ total: bigint }[]>`
            SELECT count(*) AS total FROM core.diagnostic_records d WHERE ${where}`
        : undefined,
    ]);
    return { rows, total: counted && Number(counted[0]?.total ?? 0) };
  }
}

function conditions(accountId: string, filters: DiagnosticFilters): Prisma.Sql {
  const { patientId, kind, status, createdFrom, createdTo } = filters;
  const all = [
    Prisma.sql`d.account_id = ${accountId}`,
    Prisma.sql`d.deleted_at IS NULL`,
    Prisma.sql`EXISTS (SELECT 1 FROM core.patients p WHERE p.id = d.patient_id AND p.deleted_at IS NULL)`,
  ];
  if (patientId !== undefined) all.push(Prisma.sql`d.patient_id = ${patientId}`);
  if (kind !== undefined) all.push(Prisma.sql`d.kind = ${kind}`);
  if (status !== undefined) all.push(Prisma.sql`d.status = ${status}`);
  if (createdFrom !== undefined) all.push(Prisma.sql`d.created_at >= ${createdFrom}::text::timestamptz`);
  if (createdTo !== undefined) all.push(Prisma.sql`d.created_at <= ${createdTo}::text::timestamptz`);
  return Prisma.join(all, ' AND ');
}

function json(value: unknown): Prisma.Sql {
  return value === null ? Prisma.sql`NULL` : Prisma.sql`${JSON.stringify(value)}::text::json`;
}

function instant(value: Date): Prisma.Sql {
  return Prisma.sql`${value.toISOString()}::text::timestamptz`;
}
