import { type Database, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, KeyId, OverrideId, PatientId } from '@perennial/schemas/platform/ids.ts';
import type { InteractionOverride, OverrideMedication } from '@perennial/schemas/resources/medication-override.ts';
import type { ListRequest } from '../platform/ordering.ts';
import { readPage } from '../platform/page-rows.ts';
import type { Found } from '../platform/paging.ts';

/** An override as stored. */
export interface OverrideRow {
  readonly id: OverrideId;
  readonly accountId: AccountId;
  readonly patientId: PatientId | null;
  readonly pairKey: string;
  readonly medications: readonly OverrideMedication[];
  readonly reasonCode: InteractionOverride['reason_code'];
  readonly reasonText: string | null;
  readonly severity: InteractionOverride['severity'];
  readonly ruleIds: readonly string[];
  readonly knowledgeVersion: string;
  readonly keyId: KeyId;
  readonly createdAt: Date;
}

const columns = Prisma.raw(
  [
    'o.id, o.account_id AS "accountId", o.patient_id AS "patientId", o.pair_key AS "pairKey", o.medications',
    'o.reason_code AS "reasonCode", o.reason_text AS "reasonText", o.severity, o.rule_ids AS "ruleIds"',
    'o.knowledge_version AS "knowledgeVersion", o.key_id AS "keyId", o.created_at AS "createdAt"',
  ].join(', '),
);

/** What belongs to a deleted patient is not found, like the patient. */
const visible = Prisma.sql`(o.patient_id IS NULL OR EXISTS (
  SELECT 1 FROM core.patients p WHERE p.id = o.patient_id AND p.account_id = o.account_id AND p.deleted_at IS NULL))`;

/** Most overrides that one check looks through. */
const NEWEST_MAX = 1_000;

/** Overrides in the database. Every query names the account. */
export class OverrideStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns false when the account has no such patient: the row is written only beside one. */
  async insert(row: OverrideRow): Promise<boolean> {
    const written = await this.#database.$executeRaw`
      INSERT INTO core.interaction_overrides (id, account_id, patient_id, pair_key, medications, reason_code,
        reason_text, severity, rule_ids, knowledge_version, key_id, created_at)
      SELECT ${row.id}, ${row.accountId}, ${row.patientId}::text, ${row.pairKey},
        ${JSON.stringify(row.medications)}::jsonb, ${row.reasonCode}, ${row.reasonText}::text, ${row.severity},
        ${[...row.ruleIds]}::text[], ${row.knowledgeVersion}, ${row.keyId}, ${row.createdAt}
      WHERE ${row.patientId}::text IS NULL OR EXISTS (
        SELECT 1 FROM core.patients p
        WHERE p.id = ${row.patientId} AND p.account_id = ${row.accountId} AND p.deleted_at IS NULL)`;
    return written === 1;
  }

  async find(accountId: AccountId, id: OverrideId): Promise<OverrideRow | undefined> {
    const rows = await this.#database.$queryRaw<OverrideRow[]>`
      SELECT ${columns} FROM core.interaction_overrides o
      WHERE o.id = ${id} AND o.account_id = ${accountId} AND ${visible}`;
    return rows[0];
  }

  /** The overrides of one patient, newest first. */
  async ofPatient(accountId: AccountId, patientId: PatientId): Promise<readonly OverrideRow[]> {
    return this.#database.$queryRaw<OverrideRow[]>`
      SELECT ${columns} FROM core.interaction_overrides o
      WHERE o.patient_id = ${patientId} AND o.account_id = ${accountId}
      ORDER BY o.created_at DESC, o.id DESC LIMIT ${NEWEST_MAX}`;
  }

  /** One page, and one row more when there are more. */
  async list(
    accountId: AccountId,
    patientId: PatientId | undefined,
    request: ListRequest,
  ): Promise<Found<OverrideRow>> {
    const belongs = patientId === undefined ? Prisma.empty : Prisma.sql`AND o.patient_id = ${patientId}`;
    const where = Prisma.sql`WHERE o.account_id = ${accountId} AND ${visible} ${belongs}`;
    const select = Prisma.sql`SELECT ${columns} FROM core.interaction_overrides o ${where}`;
    const [page, total] = await Promise.all([
      readPage<OverrideRow>(this.#database, select, request),
      request.includeTotal ? this.#count(where) : undefined,
    ]);
    return { ...page, total };
  }

  async #count(where: Prisma.Sql): Promise<number> {
    const rows = await this.#database.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM core.interaction_overrides o ${where}`;
    return rows[0]?.count ?? 0;
  }
}
