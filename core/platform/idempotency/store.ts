import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';

/** An answer that is kept. */
export interface KeptAnswer {
  readonly method: string;
  readonly path: string;
  readonly payloadHash: string;
  /** The release whose shape `data` has. */
  readonly headRelease: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly revision: number | null;
  /** What stood under `data`; undefined when nothing did. */
  readonly data: unknown;
  /** When the answer was erased with the patient it told of. */
  readonly erasedAt: Date | null;
}

/** An answer to keep, and whom it tells of. */
export type AnswerToKeep = Omit<KeptAnswer, 'erasedAt'> & {
  readonly patientIds: readonly string[];
  readonly expiresAt: Date;
};

/** Whose key it is. */
export interface KeyOwner {
  readonly accountId: AccountId;
  readonly key: string;
}

const SWEEP_BATCH = 5_000;

/** Answers in the database. Every query but the sweep names the account. */
export class IdempotencyStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  /**
   * Takes the key until the transaction ends, however it ends: a process that dies gives it back with its connection.
   * @param wait for whoever has it; otherwise the answer says whether it could be had at once.
   */
  async lock({ accountId, key }: KeyOwner, wait: boolean): Promise<boolean> {
    const name = `idempotency ${accountId} ${key}`;
    if (wait) {
      await this.#database.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`;
      return true;
    }
    const [row] = await this.#database.$queryRaw<{ locked: boolean }[]>`
      SELECT pg_try_advisory_xact_lock(hashtextextended(${name}::text, 0)) AS locked`;
    return row?.locked === true;
  }

  /** The answer kept under the key, unless it has expired. */
  async find({ accountId, key }: KeyOwner, now: Date): Promise<KeptAnswer | undefined> {
    const row = await this.#database.idempotencyRecord.findFirst({ where: { accountId, key } });
    if (!row || row.expiresAt <= now) return undefined;
    const { method, path, bodyHash: payloadHash, headRelease, status, headers, revision, response, erasedAt } = row;
    return {
      method,
      path,
      payloadHash,
      headRelease,
      status,
      headers: headers as Readonly<Record<string, string>>,
      revision,
      data: response ?? undefined,
      erasedAt,
    };
  }

  /** Keeps the answer, in place of one that has expired. The key must have been taken. */
  async keep({ accountId, key }: KeyOwner, answer: AnswerToKeep, now: Date): Promise<void> {
    const { method, path, payloadHash, headRelease, status, headers, revision, data, patientIds, expiresAt } = answer;
    const columns = {
      method,
      path,
      bodyHash: payloadHash,
      headRelease,
      status,
      headers: { ...headers },
      revision,
      // As it is answered: members that are undefined are absent.
      response: data === undefined ? Prisma.DbNull : (JSON.parse(JSON.stringify(data)) as Prisma.InputJsonValue),
      patientIds: [...patientIds],
      createdAt: now,
      expiresAt,
      erasedAt: null,
    };
    await this.#database.idempotencyRecord.upsert({
      where: { accountId_key: { accountId, key } },
      create: { accountId, key, ...columns },
      update: columns,
      select: { key: true },
    });
  }

  /** Removes what has expired. @returns how many answers that were. */
  async removeExpired(now: Date): Promise<number> {
    let removed = 0;
    for (;;) {
      const batch = await this.#database.$executeRaw`
        DELETE FROM core.idempotency_records WHERE (account_id, key) IN (
          SELECT account_id, key FROM core.idempotency_records
          WHERE expires_at <= ${now.toISOString()}::text::timestamptz LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED)`;
      removed += batch;
      if (batch < SWEEP_BATCH) return removed;
    }
  }

  /**
   * Erases what a trigger could not see: answers that were written while the patient they tell of was being deleted.
   * @returns how many there were.
   */
  async eraseLeftOver(): Promise<number> {
    const [row] = await this.#database.$queryRaw<{ erased: number }[]>`
      SELECT coalesce(sum(core.erase_idempotent_answers(gone.account_id, gone.id)), 0)::int AS erased FROM (
        SELECT DISTINCT p.account_id, p.id
        FROM core.idempotency_records r, unnest(r.patient_ids) AS named(id), core.patients p
        WHERE p.id = named.id AND p.account_id = r.account_id AND p.deleted_at IS NOT NULL) AS gone`;
    return row?.erased ?? 0;
  }
}
