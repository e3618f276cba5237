import { type Database, type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';
import { firstDay, type MonthNumber } from './calendar.ts';
import { comorbidityCodes } from './charlson.ts';
import type { Selection } from './criteria.ts';
import { EpisodeStore } from './episodes.ts';
import type { Measure } from './measures.ts';
import {
  ATC,
  ageBandIn,
  codeBegins,
  codeIs,
  isActive,
  isIcd10,
  LOINC,
  maskOf,
  monthStart,
  numeric,
  ownPatients,
  ownRecords,
  sexOf,
  valuesOf,
} from './sql.ts';
import { isOneOf, type Who } from './who.ts';

/** People of one cell, by the criteria that hold for them. */
export interface CellRow {
  readonly mask: number;
  readonly band: number;
  readonly sex: string;
  readonly people: number;
}

/** What a look at everybody has noted. */
export interface Look {
  readonly table: Prisma.Sql;
  readonly rows: readonly CellRow[];
}

/** People of one cell who have a condition. */
export interface ConditionRow {
  readonly category: string;
  readonly band: number;
  readonly sex: string;
  readonly people: number;
}

/** People of one band with the same comorbidities. */
export interface ComorbidityRow {
  readonly bits: number;
  readonly band: number;
  readonly people: number;
}

/** People counted in a month. */
export interface MonthRow {
  readonly month: MonthNumber;
  readonly people: number;
}

/** The values of a month in one unit, one for each person: the mean of what was measured. */
export interface TrendRow extends MonthRow {
  readonly unit: string;
  /** How many values there are. */
  readonly measured: number;
  readonly mean: number;
  readonly quartiles: readonly number[];
}

/** No query of an answer runs longer. */
export const STATEMENT_TIMEOUT_MS = 8_000;
/** Nor do all queries of an answer together. */
const ANSWER_TIMEOUT_MS = 25_000;
/** What a code is called is decided by this many of its records. */
const DISPLAY_SAMPLE = 500;

/**
 * Asks the questions of one answer on one snapshot of the data, each for a limited time.
 * @param timeoutMs for tests.
 */
export async function ask<T>(
  database: Database,
  use: (store: AnalyticsStore) => Promise<T>,
  timeoutMs: number = STATEMENT_TIMEOUT_MS,
): Promise<T> {
  return database.$transaction(
    async (transaction) => {
      // Answers read a whole account. Where the planner takes hundreds of thousands for one, a loop runs for minutes;
      // hashing is never far from the best.
      await transaction.$queryRaw`SELECT
        set_config('statement_timeout', ${String(timeoutMs)}, true),
        set_config('TimeZone', 'UTC', true), set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
        set_config('enable_nestloop', 'off', true)`;
      return use(new AnalyticsStore(transaction));
    },
    { isolationLevel: 'RepeatableRead', timeout: ANSWER_TIMEOUT_MS, maxWait: 5_000 },
  );
}

/** Counts in the database. Every query names the account: there is no way to ask across accounts. */
export class AnalyticsStore {
  readonly episodes: EpisodeStore;
  readonly #database: DatabaseTransaction;
  #looks = 0;

  constructor(database: DatabaseTransaction) {
    this.#database = database;
    this.episodes = new EpisodeStore(database);
  }

  /**
   * Looks at everybody once and notes which criteria hold for whom, for the questions that follow in this answer.
   * The note is a table that only this transaction sees and that ends with it.
   */
  async look(accountId: AccountId, selection: Selection, year: number): Promise<Look> {
    this.#looks += 1;
    const table = Prisma.raw(`pg_temp.looked_${this.#looks}`);
    await this.#database.$executeRaw`
      CREATE TEMP TABLE ${Prisma.raw(`looked_${this.#looks}`)} ON COMMIT DROP AS
      SELECT p.id, ${ageBandIn(year)} AS band, ${sexOf} AS sex, ${maskOf(accountId, selection)} AS mask
      FROM core.own_patients p WHERE ${ownPatients(accountId)}`;
    const rows = await this.#database.$queryRaw<CellRow[]>`
      SELECT mask, band, sex, count(*)::int AS people FROM ${table} GROUP BY mask, band, sex`;
    return { table, rows };
  }

  /** Everybody by age band, sex and the criteria of two looks: those of the second are the higher bits. */
  async both(one: Look, other: Look, shift: number): Promise<readonly CellRow[]> {
    return this.#database.$queryRaw<CellRow[]>`
      SELECT one.mask | (other.mask << ${shift}::int) AS mask, one.band, one.sex, count(*)::int AS people
      FROM ${one.table} one JOIN ${other.table} other ON other.id = one.id
      GROUP BY 1, 2, 3`;
  }

  /** Those selected who have an active condition, by category of ICD-10, age band and sex. */
  async conditions(accountId: AccountId, who: Who): Promise<readonly ConditionRow[]> {
    return this.#database.$queryRaw<ConditionRow[]>`
      SELECT category, who.band, who.sex, count(*)::int AS people
      FROM (SELECT DISTINCT r.patient_id, left(r.code->>'code', 3) AS category
            FROM core.own_records r
            WHERE ${ownRecords(accountId, 'condition')} AND ${isActive} AND ${isIcd10}) AS had
      JOIN ${who.table} who ON who.id = had.patient_id AND ${isOneOf(who)}
      GROUP BY category, who.band, who.sex`;
  }

  /** What the records call categories of ICD-10: the words that most of a sample and at least `least` people have. */
  async displays(
    accountId: AccountId,
    categories: readonly string[],
    least: number,
  ): Promise<ReadonlyMap<string, string>> {
    if (categories.length === 0) return new Map();
    // One sample for each, so that the beginning of the code is a constant and the index is read from there.
    const samples = categories.map(
      (category) => Prisma.sql`(SELECT ${category} AS category, r.code->>'display' AS display, r.patient_id
        FROM core.own_records r
        WHERE ${ownRecords(accountId, 'condition')} AND ${isIcd10} AND ${codeBegins([category])} LIMIT ${DISPLAY_SAMPLE})`,
    );
    const rows = await this.#database.$queryRaw<{ category: string; display: string }[]>`
      SELECT DISTINCT ON (category) category, display FROM (${Prisma.join(samples, ' UNION ALL ')}) AS sample
      WHERE display IS NOT NULL GROUP BY category, display HAVING count(DISTINCT patient_id) >= ${least}
      ORDER BY category, count(*) DESC, display`;
    return new Map(rows.map(({ category, display }) => [category, display]));
  }

  /** In which month a condition was first there, for all who ever had it. */
  async onsets(accountId: AccountId, code: string, system: string | null): Promise<readonly MonthRow[]> {
    const inSystem = system === null ? Prisma.sql`TRUE` : Prisma.sql`r.code->>'system' = ${system}`;
    return this.#database.$queryRaw<MonthRow[]>`
      SELECT ${monthOfInstant(Prisma.sql`began`)} AS month, count(*)::int AS people
      FROM (SELECT r.patient_id, min(r.effective_at) AS began FROM core.own_records r
            JOIN core.own_patients p ON p.id = r.patient_id AND ${ownPatients(accountId)}
            WHERE ${ownRecords(accountId, 'condition')} AND ${codeBegins([code])} AND ${inSystem}
              AND r.effective_at IS NOT NULL
            GROUP BY r.patient_id) AS first
      GROUP BY 1`;
  }

  /** In which month people were born. */
  async births(accountId: AccountId): Promise<readonly MonthRow[]> {
    return this.#database.$queryRaw<MonthRow[]>`
      SELECT (extract(year FROM p.dob) * 12 + extract(month FROM p.dob) - 1)::int AS month, count(*)::int AS people
      FROM core.own_patients p WHERE ${ownPatients(accountId)} GROUP BY 1`;
  }

  /** Those selected, by age band and the comorbidities that their records show. */
  async comorbidities(accountId: AccountId, who: Who): Promise<readonly ComorbidityRow[]> {
    const codes = Prisma.raw(comorbidityCodes.map(([code, bits]) => `('${code}', ${bits})`).join(', '));
    return this.#database.$queryRaw<ComorbidityRow[]>`
      WITH codes (beginning, bits) AS (VALUES ${codes}),
      found AS (
        SELECT patient_id, bit_or(bits)::int AS bits FROM (
          SELECT had.patient_id, codes.bits
          FROM (SELECT r.patient_id, upper(replace(r.code->>'code', '.', '')) AS code FROM core.own_records r
                WHERE ${ownRecords(accountId, 'condition')} AND ${isIcd10}) AS had
          CROSS JOIN LATERAL (VALUES (left(had.code, 3)), (left(had.code, 4))) AS known (beginning)
          JOIN codes ON codes.beginning = known.beginning
        ) AS matched GROUP BY patient_id)
      SELECT coalesce(found.bits, 0) AS bits, who.band, count(*)::int AS people
      FROM ${who.table} who LEFT JOIN found ON found.patient_id = who.id
      WHERE ${isOneOf(who)}
      GROUP BY 1, 2`;
  }

  /** People a measure looks at: left out, fulfilling it, and not. */
  async measure(
    accountId: AccountId,
    measure: Measure,
    who: Who,
    from: MonthNumber,
    until: MonthNumber,
  ): Promise<{ readonly excluded: number; readonly fulfilled: number; readonly missed: number }> {
    const after = monthStart(until + 1);
    const age = Prisma.sql`${Math.floor(until / 12)}::int - extract(year FROM p.dob)::int`;
    const known = Prisma.sql`(r.effective_at < ${after} OR r.effective_at IS NULL)`;
    const [row] = await this.#database.$queryRaw<{ excluded: number; fulfilled: number; missed: number }[]>`
      SELECT count(*) FILTER (WHERE excluded)::int AS excluded,
        count(*) FILTER (WHERE NOT excluded AND fulfilled)::int AS fulfilled,
        count(*) FILTER (WHERE NOT excluded AND NOT fulfilled)::int AS missed
      FROM (
        SELECT p.id IN (
            SELECT r.patient_id FROM core.own_records r
            WHERE ${ownRecords(accountId, 'condition')} AND ${isIcd10} AND ${codeBegins(measure.excluded)} AND ${known}) AS excluded,
          ${fulfils(accountId, measure, from, until)} AS fulfilled
        FROM core.own_patients p JOIN ${who.table} who ON who.id = p.id AND ${isOneOf(who)}
        WHERE ${ownPatients(accountId)} AND ${age} BETWEEN ${measure.ages[0]}::int AND ${measure.ages[1]}::int
          AND p.id IN (
            SELECT r.patient_id FROM core.own_records r
            WHERE ${ownRecords(accountId, 'condition')} AND ${isActive} AND ${isIcd10} AND ${codeBegins(measure.conditions)} AND ${known})) AS each`;
    return row ?? { excluded: 0, fulfilled: 0, missed: 0 };
  }

  /** The values of an observation by unit and month, up to a month. */
  async trend(accountId: AccountId, code: string, system: string, until: MonthNumber): Promise<readonly TrendRow[]> {
    return this.#database.$queryRaw<TrendRow[]>`
      SELECT unit, ${monthOfInstant(Prisma.sql`starts`)} AS month, count(*)::int AS people, sum(measured)::int AS measured,
        avg(value) AS mean, percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY value) AS quartiles
      FROM (SELECT v.patient_id, v.unit, date_trunc('month', v.at, 'UTC') AS starts, avg(v.value) AS value,
              count(*) AS measured
            FROM (SELECT *, ${numeric(Prisma.sql`text`)} AS value
                  FROM (${valuesOf(accountId, code, system)}) AS each) AS v
            JOIN core.own_patients p ON p.id = v.patient_id AND ${ownPatients(accountId)}
            WHERE v.unit IS NOT NULL AND v.value IS NOT NULL AND v.at < ${monthStart(until + 1)}
            GROUP BY v.patient_id, v.unit, starts) AS each
      GROUP BY unit, starts ORDER BY unit, starts`;
  }
}

function monthOfInstant(instant: Prisma.Sql): Prisma.Sql {
  const utc = Prisma.sql`(${instant} AT TIME ZONE 'UTC')`;
  return Prisma.sql`(extract(year FROM ${utc}) * 12 + extract(month FROM ${utc}) - 1)::int`;
}

function fulfils(accountId: AccountId, { fulfilled }: Measure, first: MonthNumber, last: MonthNumber): Prisma.Sql {
  const from = monthStart(first);
  const after = monthStart(last + 1);
  const observed = Prisma.sql`${ownRecords(accountId, 'observation')} AND r.code->>'system' = ${LOINC}
    AND r.effective_at >= ${from} AND r.effective_at < ${after}`;
  switch (fulfilled.kind) {
    case 'measured':
      return Prisma.sql`p.id IN (
        SELECT r.patient_id FROM core.own_records r WHERE ${observed} AND ${codeIs(fulfilled.codes)})`;
    case 'hba1c_above_or_missing': {
      const value = numeric(Prisma.sql`r.content->>'value'`);
      // IFCC to NGSP: the master equation of Hoelzel et al., Clin Chem 2004;50:166-174.
      return Prisma.sql`p.id NOT IN (SELECT patient_id FROM (
        SELECT DISTINCT ON (r.patient_id) r.patient_id,
          CASE r.content->>'unit' WHEN '%' THEN ${value} WHEN 'mmol/mol' THEN 0.09148 * ${value} + 2.152 END AS percent
        FROM core.own_records r WHERE ${observed} AND ${codeIs(fulfilled.codes)}
        ORDER BY r.patient_id, r.effective_at DESC, r.id DESC) AS latest
        WHERE percent <= ${fulfilled.percent}::double precision)`;
    }
    case 'pressure_below': {
      const part = (code: string): Prisma.Sql => Prisma.sql`(
        SELECT ${numeric(Prisma.sql`part->>'value'`)} FROM jsonb_array_elements(
          CASE WHEN jsonb_typeof(r.content->'components') = 'array' THEN r.content->'components' ELSE '[]'::jsonb END) AS part
        WHERE part->>'code' = ${code} LIMIT 1)`;
      return Prisma.sql`p.id IN (SELECT patient_id FROM (
        SELECT DISTINCT ON (r.patient_id) r.patient_id, ${part('8480-6')} AS systolic, ${part('8462-4')} AS diastolic
        FROM core.own_records r WHERE ${observed} AND ${codeIs(['85354-9'])}
        ORDER BY r.patient_id, r.effective_at DESC, r.id DESC) AS latest
        WHERE systolic < ${fulfilled.systolic}::double precision AND diastolic < ${fulfilled.diastolic}::double precision)`;
    }
    case 'medication':
      return Prisma.sql`p.id IN (
        SELECT r.patient_id FROM core.own_records r
        WHERE ${ownRecords(accountId, 'medication')} AND r.code->>'system' = ${ATC} AND ${codeBegins(fulfilled.atc)}
          AND (r.effective_at < ${after} OR r.effective_at IS NULL)
          AND (r.status IN ('active', 'on_hold') OR r.effective_at >= ${from} OR r.content->>'ended_at' >= ${firstDay(first)}))`;
  }
}
