import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { Position } from '@perennial/schemas/platform/cursor.ts';
import type { AccountId, CohortId } from '@perennial/schemas/platform/ids.ts';
import type { Cohort, CohortCriterion } from '@perennial/schemas/resources/cohort.ts';
import type { SortColumn } from '../platform/keyset.ts';
import { readPage } from '../platform/page-rows.ts';
import type { Found } from '../platform/paging.ts';

/** A cohort as stored. */
export interface CohortRow extends CohortFields {
  readonly id: CohortId;
  readonly accountId: AccountId;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a caller can write. */
export interface CohortFields {
  readonly name: string;
  readonly description: string | null;
  readonly criteria: readonly CohortCriterion[];
}

/** What a list of cohorts asks for. */
export interface CohortListing {
  /** Part of the name. */
  readonly name: string | undefined;
  readonly keys: readonly SortColumn[];
  readonly position: Position | undefined;
  readonly limit: number;
  readonly includeTotal: boolean;
}

/** The cohort as answered. Every key is there, in the contract's order. */
export function toCohort(row: CohortRow): Cohort {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    criteria: [...row.criteria],
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Cohorts in the database. Every query names the account. */
export class CohortStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  /** The cohort, or null when it is missing or another account's. */
  async find(accountId: AccountId, id: CohortId): Promise<CohortRow | null> {
    const row = await this.#database.cohort.findFirst({ where: { id, accountId } });
    return row && fromDatabase({ ...row, id, accountId });
  }

  async count(accountId: AccountId): Promise<number> {
    return this.#database.cohort.count({ where: { accountId } });
  }

  /** Makes others wait with adding cohorts to the account until this transaction ends, so that the count holds. */
  async lockAccount(accountId: AccountId): Promise<void> {
    await this.#database.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${`cohorts:${accountId}`}, 0))`;
  }

  async insert(row: CohortRow): Promise<void> {
    await this.#database.cohort.create({ data: { ...row, criteria: toJson(row.criteria) }, select: { id: true } });
  }

  /** Writes the fields if the cohort is still at the revision read. @returns whether it was. */
  async write(read: CohortRow, fields: CohortFields, updatedAt: Date): Promise<boolean> {
    const { count } = await this.#database.cohort.updateMany({
      where: { id: read.id, accountId: read.accountId, revision: read.revision },
      data: { ...fields, criteria: toJson(fields.criteria), updatedAt, revision: read.revision + 1 },
    });
    return count === 1;
  }

  /** Deletes the cohort if it is still at the revision read. @returns whether it was. */
  async remove(read: CohortRow): Promise<boolean> {
    const { count } = await this.#database.cohort.deleteMany({
      where: { id: read.id, accountId: read.accountId, revision: read.revision },
    });
    return count === 1;
  }

  /** A part of the list, with one row more than the limit when there are more. */
  async list(accountId: AccountId, listing: CohortListing): Promise<Found<CohortRow>> {
    const { name, includeTotal } = listing;
    const conditions = [Prisma.sql`account_id = ${accountId}`];
    if (name !== undefined) conditions.push(Prisma.sql`strpos(lower(name), lower(${name}::text)) > 0`);
    const selected = Prisma.join(conditions, ' AND ');
    const select = Prisma.sql`
      SELECT id, account_id AS "accountId", name, description, criteria, revision,
        created_at AS "createdAt", updated_at AS "updatedAt"
      FROM core.cohorts WHERE ${selected}`;
    const { rows, isCut } = await readPage<DatabaseRow>(this.#database, select, listing);
    const total = includeTotal ? await this.#total(selected) : undefined;
    return { rows: rows.map(fromDatabase), isCut, total };
  }

  async #total(selected: Prisma.Sql): Promise<number> {
    const [row] = await this.#database.$queryRaw<{ total: number }[]>`
      SELECT count(*)::int AS total FROM core.cohorts WHERE ${selected}`;
    return row?.total ?? 0;
  }
}

type DatabaseRow = Omit<CohortRow, 'criteria'> & { readonly criteria: Prisma.JsonValue };

function fromDatabase(row: DatabaseRow): CohortRow {
  // The column holds only what validation let through.
  return { ...row, criteria: row.criteria as unknown as readonly CohortCriterion[] };
}

function toJson(criteria: readonly CohortCriterion[]): Prisma.InputJsonValue {
  return criteria as unknown as Prisma.InputJsonValue;
}
