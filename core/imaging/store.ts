import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, InstanceId, PatientId, StudyId } from '@perennial/schemas/platform/ids.ts';
import type { ImagingIdentity } from '@perennial/schemas/resources/imaging.ts';
import { DiagnosticStore } from '../diagnostics/store.ts';
import type { ListRequest } from '../platform/ordering.ts';
import { readPage } from '../platform/page-rows.ts';
import type { Found } from '../platform/paging.ts';
import { outsideUnit } from '../platform/unit-of-work.ts';

/** A study as stored, with what is counted of its files. */
export interface StudyRow {
  readonly id: StudyId;
  readonly accountId: AccountId;
  readonly patientId: PatientId | null;
  readonly description: string | null;
  readonly source: 'dicom' | 'png' | 'jpeg';
  readonly studyUid: string | null;
  readonly copiedFrom: string | null;
  readonly modality: string | null;
  readonly bodyPart: string | null;
  readonly view: string | null;
  readonly laterality: string | null;
  readonly studyDescription: string | null;
  readonly studyDate: string | null;
  readonly studyTime: string | null;
  readonly dicomStudyId: string | null;
  readonly accessionNumber: string | null;
  readonly dicomPatientName: string | null;
  readonly dicomPatientId: string | null;
  readonly patientBirthDate: string | null;
  readonly patientSex: string | null;
  readonly referringPhysician: string | null;
  readonly identity: ImagingIdentity;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly instanceCount: number;
  readonly sizeBytes: number;
}

/** What is written of a study. */
export type NewStudy = Omit<StudyRow, 'instanceCount' | 'sizeBytes'>;

/** One file of a study as stored. */
export interface InstanceRow {
  readonly id: InstanceId;
  readonly accountId: AccountId;
  readonly studyId: StudyId;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly bitsStored: number;
  readonly photometricInterpretation: string | null;
  readonly transferSyntaxUid: string | null;
  readonly isLossy: boolean;
  /** Between rows, then columns. */
  readonly pixelSpacingMm: readonly [number, number] | null;
  readonly window: { readonly center: number; readonly width: number } | null;
  readonly modality: string | null;
  readonly seriesNumber: number | null;
  readonly instanceNumber: number | null;
  readonly seriesUid: string | null;
  readonly instanceUid: string | null;
  readonly sopClassUid: string | null;
  readonly seriesDescription: string | null;
  /** As DICOM writes them: YYYYMMDD and HHMMSS.FFFFFF. */
  readonly seriesDate: string | null;
  readonly seriesTime: string | null;
  /** When the procedure step was begun that the series is of. */
  readonly performedDate: string | null;
  readonly performedTime: string | null;
  readonly createdAt: Date;
}

/** Which studies a list holds. */
export interface StudyFilter {
  readonly patientId?: PatientId | undefined;
  readonly modality?: string | undefined;
}

/** Columns of studies, as `StudyRow`. */
export const studyColumns = Prisma.raw(
  [
    's.id, s.account_id AS "accountId", s.patient_id AS "patientId", s.description, s.source, s.study_uid AS "studyUid"',
    's.copied_from AS "copiedFrom", s.modality, s.body_part AS "bodyPart", s.view, s.laterality',
    's.study_description AS "studyDescription", s.study_date AS "studyDate", s.study_time AS "studyTime"',
    's.dicom_study_id AS "dicomStudyId", s.accession_number AS "accessionNumber"',
    's.dicom_patient_name AS "dicomPatientName", s.dicom_patient_id AS "dicomPatientId"',
    's.patient_birth_date AS "patientBirthDate", s.patient_sex AS "patientSex"',
    's.referring_physician AS "referringPhysician", s.identity, s.revision',
    's.created_at AS "createdAt", s.updated_at AS "updatedAt"',
    'n.count AS "instanceCount", n.size AS "sizeBytes"',
  ].join(', '),
);

/** Studies that can be seen: those of nobody, and those of patients who are not deleted. */
export const visible = Prisma.raw(`
  core.imaging_studies s
  LEFT JOIN core.patients p ON p.id = s.patient_id
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS count, coalesce(sum(i.size_bytes), 0)::float8 AS size
    FROM core.imaging_instances i WHERE i.study_id = s.id
  ) n`);

/** Columns of files, as `InstanceRow`. */
export const instanceColumns = Prisma.raw(
  [
    'i.id, i.account_id AS "accountId", i.study_id AS "studyId", i.media_type AS "mediaType"',
    'i.size_bytes AS "sizeBytes", i.sha256, i.width, i.height, i.frames, i.bits_stored AS "bitsStored"',
    'i.photometric_interpretation AS "photometricInterpretation", i.transfer_syntax_uid AS "transferSyntaxUid"',
    'i.is_lossy AS "isLossy", i.pixel_spacing_mm AS "pixelSpacingMm", i."window", i.modality',
    'i.series_number AS "seriesNumber", i.instance_number AS "instanceNumber", i.series_uid AS "seriesUid"',
    'i.instance_uid AS "instanceUid", i.sop_class_uid AS "sopClassUid"',
    'i.series_description AS "seriesDescription", i.series_date AS "seriesDate", i.series_time AS "seriesTime"',
    'i.performed_date AS "performedDate", i.performed_time AS "performedTime", i.created_at AS "createdAt"',
  ].join(', '),
);

/** Imaging studies in the database. Whoever looks for one has found that the account has it. */
export class ImagingStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  async findStudy(accountId: AccountId, id: StudyId): Promise<StudyRow | undefined> {
    return this.#study(accountId, Prisma.sql`s.id = ${id}`);
  }

  async findStudyByUid(accountId: AccountId, studyUid: string): Promise<StudyRow | undefined> {
    return this.#study(accountId, Prisma.sql`s.study_uid = ${studyUid}`);
  }

  async findCopyOf(accountId: AccountId, studyId: StudyId): Promise<StudyRow | undefined> {
    return this.#study(accountId, Prisma.sql`s.copied_from = ${studyId}`);
  }

  /** Makes others who add to the study, or change it, wait until the transaction ends. */
  async lockStudy(id: StudyId): Promise<void> {
    await this.#database.$queryRaw`SELECT 1 FROM core.imaging_studies WHERE id = ${id} FOR UPDATE`;
  }

  /** Makes others who store images of the account wait: which study a file belongs to is decided by one at a time. */
  async lockAccount(accountId: AccountId): Promise<void> {
    await this.#database
      .$queryRaw`SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended(${`imaging ${accountId}`}, 0))) l`;
  }

  async hasPatient(accountId: AccountId, patientId: PatientId): Promise<boolean> {
    const rows = await this.#database.$queryRaw<unknown[]>`
      SELECT 1 FROM core.patients WHERE id = ${patientId} AND account_id = ${accountId} AND deleted_at IS NULL
      FOR SHARE`;
    return rows.length > 0;
  }

  async listStudies(accountId: AccountId, filter: StudyFilter, request: ListRequest): Promise<Found<StudyRow>> {
    const where = Prisma.sql`s.account_id = ${accountId} AND (s.patient_id IS NULL OR p.deleted_at IS NULL)
      ${filter.patientId === undefined ? Prisma.empty : Prisma.sql`AND s.patient_id = ${filter.patientId}`}
      ${filter.modality === undefined ? Prisma.empty : Prisma.sql`AND s.modality = ${filter.modality}`}`;
    const [page, total] = await Promise.all([
      readPage<StudyRow>(this.#database, Prisma.sql`SELECT ${studyColumns} FROM ${visible} WHERE ${where}`, request),
      request.includeTotal
        ? this.#count(Prisma.sql`SELECT count(*)::int AS count FROM ${visible} WHERE ${where}`)
        : undefined,
    ]);
    return { ...page, total };
  }

  /** How many studies the account has; counting stops at the most that it may have. */
  async countStudies(accountId: AccountId, most: number): Promise<number> {
    return this.#count(Prisma.sql`
      SELECT count(*)::int AS count FROM
        (SELECT 1 FROM core.imaging_studies s WHERE s.account_id = ${accountId} LIMIT ${most}) counted`);
  }

  async insertStudy(row: NewStudy): Promise<void> {
    const identity = row.identity as unknown as Prisma.InputJsonValue;
    await this.#database.imagingStudy.create({ data: { ...row, identity }, select: { id: true } });
  }

  /**
   * Writes what a caller may change if the study is still at the revision read; its results follow it to another
   * patient. Call it in a transaction. @returns whether it was.
   */
  async writeStudy(read: StudyRow, next: Pick<StudyRow, 'patientId' | 'description' | 'updatedAt'>): Promise<boolean> {
    const { patientId, description, updatedAt } = next;
    const { count } = await this.#database.imagingStudy.updateMany({
      where: { id: read.id, revision: read.revision },
      data: { patientId, description, updatedAt, revision: read.revision + 1 },
    });
    if (count === 1 && patientId !== read.patientId)
      await new DiagnosticStore(this.#database).followStudy(read.id, patientId, updatedAt);
    return count === 1;
  }

  /** Says that the study has changed. */
  async touchStudy(id: StudyId, updatedAt: Date): Promise<void> {
    await this.#database.imagingStudy.updateMany({ where: { id }, data: { updatedAt, revision: { increment: 1 } } });
  }

  /** @returns whether the study was still there, at the revision read. */
  async removeStudy(read: StudyRow): Promise<boolean> {
    const { count } = await this.#database.imagingStudy.deleteMany({ where: { id: read.id, revision: read.revision } });
    return count === 1;
  }

  async insertInstance(row: InstanceRow): Promise<void> {
    const { pixelSpacingMm, window, ...rest } = row;
    await this.#database.imagingInstance.create({
      data: {
        ...rest,
        pixelSpacingMm: pixelSpacingMm === null ? Prisma.DbNull : [...pixelSpacingMm],
        window: window === null ? Prisma.DbNull : { ...window },
      },
      select: { id: true },
    });
  }

  async findInstance(studyId: StudyId, id: InstanceId): Promise<InstanceRow | undefined> {
    return this.#instance(Prisma.sql`i.study_id = ${studyId} AND i.id = ${id}`);
  }

  /** The file that a study is looked at by: one with pixels, of the lowest series, with the lowest number. */
  async firstInstance(studyId: StudyId): Promise<InstanceRow | undefined> {
    return this.#instance(
      Prisma.sql`i.study_id = ${studyId} ORDER BY (i.width = 0), i.series_number, i.instance_number, i.created_at, i.id LIMIT 1`,
    );
  }

  async findInstanceByUid(studyId: StudyId, instanceUid: string): Promise<InstanceRow | undefined> {
    return this.#instance(Prisma.sql`i.study_id = ${studyId} AND i.instance_uid = ${instanceUid}`);
  }

  /** Every file of a study in the order of series and numbers. A study has no more than a page can hold. */
  async instancesOf(studyId: StudyId): Promise<readonly InstanceRow[]> {
    return this.#database.$queryRaw<InstanceRow[]>`
      SELECT ${instanceColumns} FROM core.imaging_instances i WHERE i.study_id = ${studyId}
      ORDER BY i.series_number, i.instance_number, i.created_at, i.id`;
  }

  async listInstances(studyId: StudyId, request: ListRequest): Promise<Found<InstanceRow>> {
    const select = Prisma.sql`SELECT ${instanceColumns} FROM core.imaging_instances i WHERE i.study_id = ${studyId}`;
    const [page, total] = await Promise.all([
      readPage<InstanceRow>(this.#database, select, request),
      request.includeTotal ? this.#database.imagingInstance.count({ where: { studyId } }) : undefined,
    ]);
    return { ...page, total };
  }

  /** The key by which UIDs of the account are replaced; the first who asks makes it. */
  async uidKey(accountId: AccountId, fresh: Uint8Array): Promise<Uint8Array> {
    await this.#database.imagingUidKey.createMany({
      data: { accountId, key: Buffer.from(fresh) },
      skipDuplicates: true,
    });
    const { key } = await this.#database.imagingUidKey.findFirstOrThrow({ where: { accountId } });
    return key;
  }

  /** Stores the intent to remove the bytes unless an instance refers to them. */
  async addIntent(key: string): Promise<void> {
    // Committed on its own, before the bytes are written: it must survive a rollback of the request.
    await outsideUnit(async () => this.#database.blobIntent.createMany({ data: { key }, skipDuplicates: true }));
  }

  async removeIntent(key: string): Promise<void> {
    await this.#database.blobIntent.deleteMany({ where: { key } });
  }

  async hasInstance(id: InstanceId): Promise<boolean> {
    return (await this.#database.imagingInstance.findFirst({ where: { id }, select: { id: true } })) !== null;
  }

  async #study(accountId: AccountId, condition: Prisma.Sql): Promise<StudyRow | undefined> {
    const [row] = await this.#database.$queryRaw<StudyRow[]>`
      SELECT ${studyColumns} FROM ${visible}
      WHERE s.account_id = ${accountId} AND (s.patient_id IS NULL OR p.deleted_at IS NULL) AND ${condition}`;
    return row;
  }

  async #instance(condition: Prisma.Sql): Promise<InstanceRow | undefined> {
    const [row] = await this.#database.$queryRaw<InstanceRow[]>`
      SELECT ${instanceColumns} FROM core.imaging_instances i WHERE ${condition}`;
    return row;
  }

  async #count(query: Prisma.Sql): Promise<number> {
    const [row] = await this.#database.$queryRaw<{ count: number }[]>(query);
    return row?.count ?? 0;
  }
}
