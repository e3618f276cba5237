import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, DiagnosticId, PatientId, StudyId } from '@perennial/schemas/platform/ids.ts';
import type { ListRequest } from '../platform/ordering.ts';
import { readPage } from '../platform/page-rows.ts';
import type { Found } from '../platform/paging.ts';
import type { Visibility } from '../visibility.ts';
import type { ClinicalRow, DiagnosticRow, ImagingRow } from './record.ts';

/** Which records a list holds. Instants are RFC 3339 text. */
export interface DiagnosticFilters {
  readonly patientId?: PatientId;
  readonly kind?: string;
  readonly status?: string;
  readonly createdFrom?: string;
  readonly createdTo?: string;
  /** Those of images of the study. */
  readonly studyId?: StudyId;
}

/** A record that may have been deleted. */
export type KeptRow = DiagnosticRow & { readonly deletedAt: Date | null };

const columns = Prisma.raw(
  [
    'd.id, d.account_id AS "accountId", d.patient_id AS "patientId", d.kind, d.status',
    'd.head_release AS "headRelease", d.input, d.result, d.differential, d.feedback, d.note, d.key_id AS "keyId"',
    // As answered: `DiagnosticImaging`, its members in the contract's order.
    `CASE WHEN d.imaging IS NOT NULL THEN json_build_object('study_id', d.study_id, 'instance_id', d.instance_id,
      'frame', d.frame, 'analysis', d.imaging, 'knowledge_version', d.knowledge_version) END AS imaging`,
    'd.revision, d.created_at AS "createdAt", d.updated_at AS "updatedAt"',
  ].join(', '),
);

/** Records that can be seen unless they are deleted: of patients who are not deleted, and of nobody. */
const visible = Prisma.raw('core.diagnostic_records d LEFT JOIN core.patients p ON p.id = d.patient_id');

/** Diagnostic records in the database. Every query of a caller names the account, and none finds what belongs to a deleted patient. */
export class DiagnosticStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  /**
   * Writes the result of what was told of a patient beside the patient. A record of the same id stays as it is.
   * @returns `no-patient` when the account has no such patient, `there` when the id was.
   */
  async insert(row: ClinicalRow): Promise<'written' | 'there' | 'no-patient'> {
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

  /** Writes the result of an image of a study that is there, and locked. */
  async insertImaging(row: ImagingRow): Promise<void> {
    const { study_id, instance_id, frame, analysis, knowledge_version } = row.imaging;
    await this.#database.$executeRaw`
      INSERT INTO core.diagnostic_records (id, account_id, patient_id, kind, status, head_release, study_id,
        instance_id, frame, imaging, knowledge_version, feedback, note, key_id, revision, created_at, updated_at)
      VALUES (${row.id}, ${row.accountId}, ${row.patientId}, ${row.kind}, ${row.status}, ${row.headRelease},
        ${study_id}, ${instance_id}, ${frame}::int, ${json(analysis)}, ${knowledge_version}, ${json(row.feedback)},
        ${row.note}::text, ${row.keyId}, ${row.revision}::int, ${instant(row.createdAt)}, ${instant(row.updatedAt)})`;
  }

  /** Results of images of the study, deleted ones too. */
  async countOfStudy(studyId: StudyId): Promise<number> {
    return this.#database.diagnosticRecord.count({ where: { studyId } });
  }

  /** Makes the patient whom a study is bound to now that of its results, deleted ones too, which is a new state of them. */
  async followStudy(studyId: StudyId, patientId: PatientId | null, updatedAt: Date): Promise<void> {
    await this.#database.diagnosticRecord.updateMany({
      where: { studyId },
      data: { patientId, updatedAt, revision: { increment: 1 } },
    });
  }

  /** The record, deleted or not; undefined when it or its patient is missing, another account's, or not to be seen. */
  async find(
    accountId: AccountId,
    id: DiagnosticId,
    visibility: Visibility,
    lock = false,
  ): Promise<KeptRow | undefined> {
    const locking = lock ? Prisma.sql`FOR UPDATE OF d` : Prisma.empty;
    const [row] = await this.#database.$queryRaw<KeptRow[]>`
      SELECT ${columns}, d.deleted_at AS "deletedAt" FROM ${visible}
      WHERE d.id = ${id} AND d.account_id = ${accountId} AND p.deleted_at IS NULL ${onlyVisible(visibility)}
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
  async list(
    accountId: AccountId,
    filters: DiagnosticFilters,
    visibility: Visibility,
    request: ListRequest,
  ): Promise<Found<DiagnosticRow>> {
    const where = Prisma.sql`${conditions(accountId, filters)} ${onlyVisible(visibility)}`;
    const [page, counted] = await Promise.all([
      readPage<DiagnosticRow>(this.#database, Prisma.sql`SELECT ${columns} FROM ${visible} WHERE ${where}`, request),
      request.includeTotal
        ? this.#database.$queryRaw<{ total: bigint }[]>`
            SELECT count(*) AS total FROM ${visible} WHERE ${where}`
        : undefined,
    ]);
    return { ...page, total: counted && Number(counted[0]?.total ?? 0) };
  }
}

function conditions(accountId: AccountId, filters: DiagnosticFilters): Prisma.Sql {
  const { patientId, kind, status, createdFrom, createdTo, studyId } = filters;
  const all = [
    Prisma.sql`d.account_id = ${accountId}`,
    Prisma.sql`d.deleted_at IS NULL`,
    Prisma.sql`p.deleted_at IS NULL`,
  ];
  if (patientId !== undefined) all.push(Prisma.sql`d.patient_id = ${patientId}`);
  if (kind !== undefined) all.push(Prisma.sql`d.kind = ${kind}`);
  if (status !== undefined) all.push(Prisma.sql`d.status = ${status}`);
  if (createdFrom !== undefined) all.push(Prisma.sql`d.created_at >= ${createdFrom}::text::timestamptz`);
  if (createdTo !== undefined) all.push(Prisma.sql`d.created_at <= ${createdTo}::text::timestamptz`);
  if (studyId !== undefined) all.push(Prisma.sql`d.study_id = ${studyId}`);
  return Prisma.join(all, ' AND ');
}

/** The further condition that the record is of a kind that can be seen. */
function onlyVisible({ imaging }: Visibility): Prisma.Sql {
  return imaging ? Prisma.empty : Prisma.sql`AND d.kind <> 'imaging'`;
}

function json(value: unknown): Prisma.Sql {
  return value === null ? Prisma.sql`NULL` : Prisma.sql`${JSON.stringify(value)}::text::json`;
}

function instant(value: Date): Prisma.Sql {
  return Prisma.sql`${value.toISOString()}::text::timestamptz`;
}
