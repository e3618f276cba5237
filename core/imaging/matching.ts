import { type Database, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, StudyId } from '@perennial/schemas/platform/ids.ts';
import { type InstanceRow, instanceColumns, type StudyRow, studyColumns, visible } from './store.ts';

/** One thing that is asked of an attribute. */
export type Condition =
  | { readonly column: Column; readonly kind: 'any'; readonly values: readonly string[] }
  | { readonly column: Column; readonly kind: 'numbers'; readonly values: readonly number[] }
  /** With % and _ as in LIKE. */
  | {
      readonly column: Column;
      readonly kind: 'like';
      readonly patterns: readonly string[];
      readonly ignoreCase: boolean;
    }
  /** Each begins a word of it. */
  | { readonly column: Column; readonly kind: 'words'; readonly words: readonly string[] }
  /** Both ends belong to it; texts of equal length, such as dates. */
  | {
      readonly column: Column;
      readonly kind: 'between';
      readonly from: string | undefined;
      readonly to: string | undefined;
    };

/** What can be matched by: attributes of studies, then of series, then of instances. */
export const columns = {
  studyUid: 's.study_uid',
  patientId: 's.dicom_patient_id',
  patientName: 's.dicom_patient_name',
  patientBirthDate: 's.patient_birth_date',
  patientSex: 's.patient_sex',
  studyDate: 's.study_date',
  studyTime: 's.study_time',
  accessionNumber: 's.accession_number',
  studyDescription: 's.study_description',
  studyId: 's.dicom_study_id',
  referringPhysician: 's.referring_physician',
  modalities: 'm.modalities',
  seriesUid: 'i.series_uid',
  seriesNumber: 'i.series_number',
  modality: 'i.modality',
  seriesDescription: 'i.series_description',
  seriesDate: 'i.series_date',
  seriesTime: 'i.series_time',
  performedDate: 'i.performed_date',
  performedTime: 'i.performed_time',
  instanceUid: 'i.instance_uid',
  instanceNumber: 'i.instance_number',
  sopClassUid: 'i.sop_class_uid',
} as const;
/** The name of a column that can be matched by. */
export type Column = keyof typeof columns;

/** What QIDO-RS asks for. */
export interface Match {
  readonly conditions: readonly Condition[];
  readonly limit: number;
  readonly offset: number;
}

/** A study that QIDO-RS found. */
export type MatchedStudy = StudyRow & { readonly modalities: readonly string[]; readonly seriesCount: number };

/** A series that QIDO-RS found. */
export interface MatchedSeries {
  readonly studyId: StudyId;
  readonly seriesUid: string;
  readonly modality: string | null;
  readonly seriesNumber: number | null;
  readonly seriesDescription: string | null;
  readonly seriesDate: string | null;
  readonly seriesTime: string | null;
  readonly performedDate: string | null;
  readonly performedTime: string | null;
  readonly instanceCount: number;
}

/** Studies that can be seen, with what is gathered of their files. */
const matchable = Prisma.sql`${visible}
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(DISTINCT i.modality) FILTER (WHERE i.modality IS NOT NULL), '{}') AS modalities,
      count(DISTINCT i.series_uid)::int AS series
    FROM core.imaging_instances i WHERE i.study_id = s.id
  ) m`;

const matchedColumns = Prisma.sql`${studyColumns}, m.modalities, m.series AS "seriesCount"`;

/** Finds studies that came as DICOM, and what is in them, by what their files say. */
export class ImagingMatching {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Studies with the modalities and the series that they have, newest first. */
  async studies(accountId: AccountId, match: Match): Promise<readonly MatchedStudy[]> {
    return this.#database.$queryRaw<MatchedStudy[]>`
      SELECT ${matchedColumns} FROM ${matchable} WHERE ${studiesThat(accountId, match)}
      ORDER BY s.created_at DESC, s.id DESC LIMIT ${match.limit} OFFSET ${match.offset}`;
  }

  /** Series of such studies. */
  async series(accountId: AccountId, match: Match): Promise<readonly MatchedSeries[]> {
    return this.#database.$queryRaw<MatchedSeries[]>`
      SELECT s.id AS "studyId", x.* FROM ${matchable}
      CROSS JOIN LATERAL (
        SELECT i.series_uid AS "seriesUid", min(i.modality) AS modality, min(i.series_number) AS "seriesNumber",
          min(i.series_description) AS "seriesDescription", min(i.series_date) AS "seriesDate",
          min(i.series_time) AS "seriesTime", min(i.performed_date) AS "performedDate",
          min(i.performed_time) AS "performedTime", count(*)::int AS "instanceCount"
        FROM core.imaging_instances i
        WHERE i.study_id = s.id AND i.series_uid IS NOT NULL ${conditionsOn(match, 'i.')} GROUP BY i.series_uid
      ) x
      WHERE ${studiesThat(accountId, match)}
      ORDER BY s.created_at DESC, s.id DESC, x."seriesNumber", x."seriesUid"
      LIMIT ${match.limit} OFFSET ${match.offset}`;
  }

  /** Instances of such studies. */
  async instances(accountId: AccountId, match: Match): Promise<readonly InstanceRow[]> {
    return this.#database.$queryRaw<InstanceRow[]>`
      SELECT ${instanceColumns} FROM ${matchable} JOIN core.imaging_instances i ON i.study_id = s.id
      WHERE ${studiesThat(accountId, match)} AND i.instance_uid IS NOT NULL ${conditionsOn(match, 'i.')}
      ORDER BY s.created_at DESC, s.id DESC, i.series_number, i.instance_number, i.created_at, i.id
      LIMIT ${match.limit} OFFSET ${match.offset}`;
  }

  /** Studies that were matched, by their ids. */
  async studiesOf(accountId: AccountId, ids: readonly string[]): Promise<readonly MatchedStudy[]> {
    return this.#database.$queryRaw<MatchedStudy[]>`
      SELECT ${matchedColumns} FROM ${matchable} WHERE s.account_id = ${accountId} AND s.id = ANY (${ids})`;
  }
}

function studiesThat(accountId: AccountId, match: Match): Prisma.Sql {
  return Prisma.sql`
    s.account_id = ${accountId} AND (s.patient_id IS NULL OR p.deleted_at IS NULL) AND s.study_uid IS NOT NULL
    ${conditionsOn(match, 's.')} ${conditionsOn(match, 'm.')}`;
}

/** The conditions on columns of one table. @param table its name with a dot. */
function conditionsOn({ conditions }: Match, table: string): Prisma.Sql {
  const wanted = conditions.filter(({ column }) => columns[column].startsWith(table));
  return wanted.length === 0 ? Prisma.empty : Prisma.sql`AND ${Prisma.join(wanted.map(test), ' AND ')}`;
}

function test(condition: Condition): Prisma.Sql {
  const column = Prisma.raw(columns[condition.column]);
  switch (condition.kind) {
    case 'any':
      return condition.column === 'modalities'
        ? Prisma.sql`${column} && ${[...condition.values]}::text[]`
        : Prisma.sql`${column} = ANY (${[...condition.values]}::text[])`;
    case 'numbers':
      return Prisma.sql`${column} = ANY (${[...condition.values]}::int[])`;
    case 'like':
      return condition.ignoreCase
        ? Prisma.sql`${column} ILIKE ANY (${[...condition.patterns]}::text[])`
        : Prisma.sql`${column} LIKE ANY (${[...condition.patterns]}::text[])`;
    case 'words':
      return Prisma.join(
        condition.words.map((word) => {
          // What separates words of a name: blanks, and the marks between its components and groups.
          const pattern = `(^|[ ^=,.-])${word.replace(/[^\p{L}\p{N}]/gu, '\\$&')}`;
          return Prisma.sql`${column} ~* ${pattern}`;
        }),
        ' AND ',
      );
    case 'between':
      return Prisma.sql`${column} >= ${condition.from ?? ''} ${
        condition.to === undefined ? Prisma.empty : Prisma.sql`AND ${column} <= ${condition.to}`
      }`;
  }
}
