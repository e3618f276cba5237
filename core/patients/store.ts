import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId, KeyId, PatientId } from '@perennial/schemas/platform/ids.ts';
import type { ListRequest } from '../platform/ordering.ts';
import { readBatches, readPage } from '../platform/page-rows.ts';
import type { Found } from '../platform/paging.ts';
import type { PatientFields, PatientRow } from './patient.ts';

/** Which patients a list holds. */
export interface PatientFilters {
  readonly id?: PatientId;
  /** Part of the name. */
  readonly name?: string;
  /** `YYYY-MM-DD`. */
  readonly dob?: string;
  readonly sex?: string;
  readonly genderIdentity?: string;
  readonly email?: string;
}

/** What a list asks for. */
export interface PatientListing extends ListRequest {
  readonly filters: PatientFilters;
}

/** What a search asks for: words as `searchWords` gives them, each of which must be found. */
export interface PatientSearch extends PatientListing {
  readonly words: readonly string[];
}

/** A patient that a search found. */
export interface MatchRow extends PatientRow {
  /** From 0 to 1050. */
  readonly score: number;
}

/** A deleted patient. */
export interface DeletedRow extends PatientRow {
  readonly deletedAt: Date;
  readonly deletedBy: string | null;
}

/** What was done to a patient. */
export type PatientAction = 'created' | 'updated' | 'deleted' | 'restored';

/** One entry of the history. */
export interface ChangeRow {
  readonly revision: number;
  readonly action: PatientAction;
  readonly fields: readonly string[];
  readonly keyId: KeyId | null;
  readonly changedAt: Date;
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
  async find(accountId: AccountId, id: PatientId): Promise<PatientRow | null> {
    const row = await this.#database.patient.findFirst({ where: { id, accountId, deletedAt: null } });
    return row && { ...row, id, accountId };
  }

  /** The patient, deleted or not, or null when it is missing or another account's. */
  async findOrDeleted(
    accountId: AccountId,
    id: PatientId,
  ): Promise<(PatientRow & { readonly deletedAt: Date | null }) | null> {
    const row = await this.#database.patient.findFirst({ where: { id, accountId } });
    return row && { ...row, id, accountId };
  }

  /** Makes others wait with writing the patient until this transaction ends. */
  async lock(accountId: AccountId, id: PatientId): Promise<void> {
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

  /** Takes the mark off if the patient is still at the revision read. @returns whether it was. */
  async markRestored(read: PatientRow, updatedAt: Date): Promise<boolean> {
    const { count } = await this.#database.patient.updateMany({
      where: { id: read.id, accountId: read.accountId, revision: read.revision },
      data: { deletedAt: null, updatedAt, revision: read.revision + 1 },
    });
    return count === 1;
  }

  /** Says who led the patient to the revision, when and by which fields. */
  async addChange(
    patient: Pick<PatientRow, 'id' | 'accountId' | 'revision'>,
    change: Omit<ChangeRow, 'revision'> & { readonly keyId: KeyId },
  ): Promise<void> {
    const { id: patientId, accountId, revision } = patient;
    const { action, fields, keyId, changedAt } = change;
    await this.#database.patientChange.create({
      data: { patientId, accountId, revision, action, fields: [...fields], keyId, changedAt },
      select: { revision: true },
    });
  }

  /** A part of the history. The creation of a patient that came with the account's first data is told without a key. */
  async changes(patient: PatientRow, request: ListRequest): Promise<Found<ChangeRow>> {
    const from = Prisma.sql`FROM (
      SELECT revision, action, fields, key_id AS "keyId", changed_at AS "changedAt"
      FROM core.patient_changes WHERE patient_id = ${patient.id} AND account_id = ${patient.accountId}
      UNION ALL
      SELECT 1, 'created', ARRAY[]::text[], NULL, ${patient.createdAt.toISOString()}::text::timestamptz
      WHERE NOT EXISTS (SELECT 1 FROM core.patient_changes WHERE patient_id = ${patient.id} AND revision = 1)
    ) AS changes WHERE TRUE`;
    const [page, total] = await Promise.all([
      readPage<ChangeRow>(this.#database, Prisma.sql`SELECT * ${from}`, request),
      request.includeTotal ? this.#countOf(from) : undefined,
    ]);
    return { ...page, total };
  }

  /** A part of the list of deleted patients. */
  async deleted(accountId: AccountId, request: ListRequest): Promise<Found<DeletedRow>> {
    const from = Prisma.sql`FROM core.patients WHERE account_id = ${accountId} AND deleted_at IS NOT NULL`;
    const [page, total] = await Promise.all([
      readPage<DeletedRow>(
        this.#database,
        Prisma.sql`SELECT ${columns}, deleted_at AS "deletedAt", (
          SELECT c.key_id FROM core.patient_changes c
          WHERE c.patient_id = patients.id AND c.revision = patients.revision) AS "deletedBy" ${from}`,
        request,
      ),
      request.includeTotal ? this.#countOf(from) : undefined,
    ]);
    return { ...page, total };
  }

  /** The words of a text as the index has them: small letters and digits without accents. */
  async searchWords(text: string): Promise<readonly string[]> {
    const [row] = await this.#database.$queryRaw<{ words: string }[]>`
      SELECT core.search_words(${text}::text) AS words`;
    return [...new Set((row?.words ?? '').split(' ').filter((word) => word !== ''))];
  }

  /** A part of what a search finds, ranked. */
  async search(accountId: AccountId, search: PatientSearch): Promise<Found<MatchRow>> {
    const { words } = search;
    const conditions = [where(accountId, search.filters), ...words.map((word) => Prisma.sql`${found(word)}`)];
    if (words.length > 0) {
      // The index finds the candidates; the conditions above see that the parts are of one word.
      const asked = words.join(' ');
      conditions.push(
        Prisma.sql`core.search_grams(account_id, search_text) @> core.search_probe(${accountId}::text, ${asked}::text)`,
      );
    }
    const from = Prisma.sql`FROM core.own_patients WHERE ${Prisma.join(conditions, ' AND ')}`;
    const [page, total] = await Promise.all([
      readPage<MatchRow>(
        this.#database,
        Prisma.sql`SELECT * FROM (SELECT ${columns}, ${scoreOf(words)} AS score ${from}) AS matches WHERE TRUE`,
        search,
      ),
      search.includeTotal ? this.#countOf(from) : undefined,
    ]);
    return { ...page, total };
  }

  /** Every patient of the account that fits, in the order of their ids, `batch` at a time. */
  all(accountId: AccountId, filters: PatientFilters, batch: number): AsyncGenerator<readonly PatientRow[]> {
    return readBatches<PatientRow>(
      this.#database,
      (last) => Prisma.sql`
        SELECT ${columns} FROM core.own_patients
        WHERE ${where(accountId, filters)} AND id > ${last?.id ?? ''} ORDER BY id LIMIT ${batch}`,
      batch,
    );
  }

  /** A part of the list, with one row more than the limit when there are more. */
  async list(accountId: AccountId, listing: PatientListing): Promise<Found<PatientRow>> {
    const from = Prisma.sql`FROM core.own_patients WHERE ${where(accountId, listing.filters)}`;
    const [page, total] = await Promise.all([
      readPage<PatientRow>(this.#database, Prisma.sql`SELECT ${columns} ${from}`, listing),
      listing.includeTotal ? this.#countOf(from) : undefined,
    ]);
    return { ...page, total };
  }

  async #countOf(from: Prisma.Sql): Promise<number> {
    const [row] = await this.#database.$queryRaw<{ total: bigint }[]>`SELECT count(*) AS total ${from}`;
    return Number(row?.total ?? 0);
  }
}

/** Words of one or two characters are beginnings: as parts they would be in nearly every name. */
function found(word: string): Prisma.Sql {
  return Prisma.sql`strpos(search_text, ${word.length < 3 ? ` ${word}` : word}::text) > 0`;
}

/** Whole words of the name before beginnings, parts and contact data; of equals, the name with the least beside. */
function scoreOf(words: readonly string[]): Prisma.Sql {
  if (words.length === 0) return Prisma.sql`1000::double precision`;
  // The name stands before the bar: what is found there first is found in the name.
  const inName = (text: string): Prisma.Sql =>
    Prisma.sql`strpos(search_text, ${text}::text) BETWEEN 1 AND strpos(search_text, '|')`;
  const points = words.map(
    (word) => Prisma.sql`CASE
      WHEN ${inName(` ${word} `)} THEN 1000
      WHEN ${inName(` ${word}`)} THEN 800
      WHEN ${inName(word)} THEN 500
      ELSE 300 END`,
  );
  return Prisma.sql`((${Prisma.join(points, ' + ')}) / ${words.length}::int
    + greatest(0, 51 - strpos(search_text, '|')))::double precision`;
}

function where(accountId: AccountId, filters: PatientFilters): Prisma.Sql {
  const conditions = [Prisma.sql`account_id = ${accountId}`, Prisma.sql`deleted_at IS NULL`];
  const { id, name, dob, sex, genderIdentity, email } = filters;
  if (id !== undefined) conditions.push(Prisma.sql`id = ${id}`);
  if (name !== undefined) {
    // Cheap, and true of everything that the next one is true of.
    conditions.push(Prisma.sql`strpos(search_text, btrim(core.search_words(${name}::text))) > 0`);
    conditions.push(Prisma.sql`strpos(${folded(Prisma.raw('name'))}, ${folded(Prisma.sql`${name}::text`)}) > 0`);
    // The index finds the candidates by what stands between spaces; shorter pieces than it knows are left to the rest.
    if (/[\p{L}\p{N}]{3}/u.test(name)) {
      conditions.push(Prisma.sql`core.search_grams(account_id, search_text) @> core.search_probe(${accountId}::text, (
        SELECT coalesce(string_agg(word, ' '), '')
        FROM regexp_split_to_table(core.search_words(${name}::text), ' ') AS word WHERE length(word) > 2))`);
    }
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
