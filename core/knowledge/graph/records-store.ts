import type { Database } from '@perennial/prisma/client.ts';
import type { AccountId, PatientId, RecordId } from '@perennial/schemas/platform/ids.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';

/** A record as the graph needs it. */
export interface GraphRecord {
  readonly id: RecordId;
  readonly type: 'condition' | 'medication' | 'allergy';
  readonly code: JsonObject | null;
  readonly content: JsonObject;
}

/** Most records that are read; far more than anybody has at one time. */
export const RECORDS_MAX = 500;

/** What is so now of a patient. Every query names the account. */
export class GraphRecordsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Conditions, medications and allergies that are active, newest first: one more than the most that are read, so
   * that it is known when there are more. Undefined when the patient is missing, deleted or another account's.
   */
  async current(accountId: AccountId, patientId: PatientId, now: Date): Promise<readonly GraphRecord[] | undefined> {
    const patients = await this.#database.$queryRaw<unknown[]>`
      SELECT 1 FROM core.patients
      WHERE id = ${patientId} AND account_id = ${accountId} AND deleted_at IS NULL`;
    if (patients.length === 0) return undefined;
    return this.#database.$queryRaw<GraphRecord[]>`
      SELECT id, type, code, content FROM core.medical_records
      WHERE account_id = ${accountId} AND patient_id = ${patientId} AND deleted_at IS NULL
        AND ((type = 'condition' AND status IN ('active', 'recurrence', 'relapse')
              AND coalesce(content->>'verification', '') <> 'refuted')
          OR (type = 'medication' AND status = 'active'
              AND (content->>'ended_at' IS NULL OR (content->>'ended_at')::timestamptz > ${now}))
          OR (type = 'allergy' AND status = 'active'))
      ORDER BY effective_at DESC NULLS LAST, id LIMIT ${RECORDS_MAX + 1}`;
  }
}
