import { type Database, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, PatientId, RecordId } from '@perennial/schemas/platform/ids.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';

/** A patient as a check needs them. */
export interface PatientRow {
  readonly dob: Date;
  readonly sex: string | null;
}

/** A record as a check needs it. */
export interface FactRow {
  readonly id: RecordId;
  readonly type: 'condition' | 'medication' | 'allergy' | 'observation';
  readonly code: JsonObject | null;
  readonly content: JsonObject;
  readonly effectiveAt: Date | null;
}

/** Estimated glomerular filtration rate per 1.73 m², by the equations in use. */
const EGFR_CODES = ['33914-3', '62238-1', '98979-8', '88293-6', '88294-4', '48642-3', '48643-1', '69405-9', '50044-7'];
/** Blood counts and potassium that rules speak of, by LOINC code. */
export const BLOOD_CODES: Readonly<Record<string, 'neutrophils' | 'platelets' | 'potassium'>> = {
  '751-8': 'neutrophils',
  '753-4': 'neutrophils',
  '26499-4': 'neutrophils',
  '777-3': 'platelets',
  '778-1': 'platelets',
  '26515-7': 'platelets',
  '2823-3': 'potassium',
  '6298-4': 'potassium',
};
const LOINC = 'http://loinc.org';
/** Most conditions, medications and allergies that are read; far more than anybody has at one time. */
const RECORDS_MAX = 2_000;
/** Measurements that are looked through for one that is a number. */
const EGFR_MAX = 10;
const BLOOD_MAX = 60;

/** What the records say about a patient. Every query names the account. */
export class FactsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The patient, or undefined when missing, deleted or another account's. */
  async patient(accountId: AccountId, patientId: PatientId): Promise<PatientRow | undefined> {
    const rows = await this.#database.$queryRaw<PatientRow[]>`
      SELECT dob, sex FROM core.patients
      WHERE id = ${patientId} AND account_id = ${accountId} AND deleted_at IS NULL`;
    return rows[0];
  }

  /** What is so now: active conditions, medications and allergies, newest first, and the last filtration rates and counts. */
  async current(accountId: AccountId, patientId: PatientId): Promise<readonly FactRow[]> {
    const columns = Prisma.sql`id, type, code, content, effective_at AS "effectiveAt"`;
    const own = Prisma.sql`account_id = ${accountId} AND patient_id = ${patientId} AND deleted_at IS NULL`;
    return this.#database.$queryRaw<FactRow[]>`
      (SELECT ${columns} FROM core.medical_records
       WHERE ${own} AND (
         (type = 'condition' AND status IN ('active', 'recurrence', 'relapse'))
         OR (type IN ('medication', 'allergy') AND status = 'active'))
       ORDER BY effective_at DESC NULLS LAST, id LIMIT ${RECORDS_MAX})
      UNION ALL
      (SELECT ${columns} FROM core.medical_records
       WHERE ${own} AND type = 'observation' AND status IN ('final', 'amended', 'corrected')
         AND code->>'system' = ${LOINC} AND code->>'code' IN (${Prisma.join(EGFR_CODES)})
       ORDER BY effective_at DESC NULLS LAST, id LIMIT ${EGFR_MAX})
      UNION ALL
      (SELECT ${columns} FROM core.medical_records
       WHERE ${own} AND type = 'observation' AND status IN ('final', 'amended', 'corrected')
         AND code->>'system' = ${LOINC} AND code->>'code' IN (${Prisma.join(Object.keys(BLOOD_CODES))})
       ORDER BY effective_at DESC NULLS LAST, id LIMIT ${BLOOD_MAX})`;
  }
}
