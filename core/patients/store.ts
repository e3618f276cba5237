import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { Position } from '@perennial/schemas/cursor.ts';
import { after, orderBy, type SortColumn } from '../keyset.ts';
import type { Found } from '../paging.ts';
import type { PatientFields, PatientRow } from './patient.ts';

/** Which patients a list holds. */
export interface PatientFilters {
  /** Part of the name. */
  readonly name?: string;
  /** `YYYY-MM-DD`. */
  readonly dob?: string;
  readonly sex?: string;
  readonly genderIdentity?: string;
  readonly email?: string;
}

/** What a list asks for. */
export interface PatientListing {
  readonly filters: PatientFilters;
  readonly keys: readonly SortColumn[];
  readonly position: Position | undefined;
  readonly limit: number;
  readonly includeTotal: boolean;
}

const columns = Prisma.raw(
  [
    'id, account_id AS "accountId", name, dob, sex, gender_identity AS "genderIdentity", email, phone',
    'preferred_method AS "preferredMethod", revision, created_at AS "createdAt", updated_at AS "updatedAt"',
  ].join(', '),
);

/** Patients in the database. Every query names the account: there is no way to ask across accounts. */
export class PatientStore {
  readonly #database: Database | DatabaseTransaction;

  constructor(database: Database | DatabaseTransaction) {
    this.#database = database;
  }

  /** The patient, or null when it is missing, deleted or another account's. */
  async find(accountId: string, id: string): Promise<PatientRow | null> {
    return this.#database.patient.findFirst({ where: { id, accountId, deletedAt: null } });
  }

  /** Makes others wait with writing the patient until this transaction ends. */
  async lock(accountId: string, id: string): Promise<void> {
    await this.#database
      .$queryRaw`SELECT 1 FROM core.patients WHERE id = ${id} AND account_id = ${accountId} FOR UPDATE`;
  }

  /** Adds a patient. */
  async insert(row: PatientRow): Promise<void> {
    await this.#database.patient.create({ data: { ...row }, select: { id: true } });
  }

  /** Writes the fields if the patient is still at the revision read. @returns whether it was. */
  async write(read: PatientRow, fields: PatientFields, updatedAt: Date): Promise<boolean> {
    const { count } = await this.#database.patient.updateMany({
      where: { id: read.id, accountId: read.accountId, revision: read.revision, deletedAt: null },
      data: { ...fields, updatedAt, revision: read.revision + 1 },
    });
    return count === 1;
  }

  /** Marks the patient deleted if it is still at the revision read. @returns whether it was. */
  async markDeleted(read: PatientRow, deletedAt: Date): Promise<boolean> {
    const { count } = await this.#database.patient.updateMany({
      where: { id: read.id, accountId: read.accountId, revision: read.revision, deletedAt: null },
      data: { deletedAt, revision: read.revision + 1 },
    });
    return count === 1;
  }

  /** A part of the list, with one row more than the limit when there are more. */
  async list(accountId: string, listing: PatientListing): Promise<Found<PatientRow>> {
    const selected = where(accountId, listing.filters);
    const [rows, total] = await Promise.all([
      this.#page(selected, listing),
      listing.includeTotal ? this.#count(selected) : undefined,
    ]);
    return { rows, total };
  }

  async #page(selected: Prisma.Sql, { keys, position, limit }: PatientListing): Promise<PatientRow[]> {
    const start = position && 'after' in position ? Prisma.sql` AND ${after(keys, position.after)}` : Prisma.empty;
    const skip = position && 'offset' in position ? Prisma.sql`OFFSET ${position.offset}` : Prisma.empty;
    return this.#database.$queryRaw<PatientRow[]>`
      SELECT ${columns} FROM core.patients WHERE ${selected}${start} ${orderBy(keys)} LIMIT ${limit + 1} ${skip}`;
  }

  async #count(selected: Prisma.Sql): Promise<number> {
    const [row] = await this.#database.$queryRaw<{ total: bigint }[]>`
      SELECT count(*) AS total FROM core.patients WHERE ${selected}`;
    return Number(row?.total ?? 0);
  }
}

function where(accountId: string, filters: PatientFilters): Prisma.Sql {
  const conditions = [Prisma.sql`account_id = ${accountId}`, Prisma.sql`deleted_at IS NULL`];
  const { name, dob, sex, genderIdentity, email } = filters;
  if (name !== undefined) {
    conditions.push(Prisma.sql`strpos(${folded(Prisma.raw('name'))}, ${folded(Prisma.sql`${name}::text`)}) > 0`);
  }
  // PostgreSQL has no year 0, and refuses to read one.
  if (dob?.startsWith('0000')) conditions.push(Prisma.sql`FALSE`);
  else if (dob !== undefined) conditions.push(Prisma.sql`dob = ${dob}::text::date`);
  if (sex !== undefined) conditions.push(Prisma.sql`sex = ${sex}`);
  if (genderIdentity !== undefined) conditions.push(Prisma.sql`gender_identity = ${genderIdentity}`);
  if (email !== undefined) conditions.push(Prisma.sql`lower(email) = lower(${email}::text)`);
  return Prisma.join(conditions, ' AND ');
}

/** Small letters without accents: "Zoë" and "zoe" are found by either. */
function folded(text: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'))`;
}
