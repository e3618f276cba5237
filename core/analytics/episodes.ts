import { type DatabaseTransaction, Prisma } from '@perennial/prisma/client.ts';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';
import type { episodeKinds, followUps } from '@perennial/schemas/resources/analytics.ts';
import type { caseKinds } from '@perennial/schemas/resources/epidemiology.ts';
import { ACUTE_DAYS, isAcute } from './acute.ts';
import type { MonthNumber } from './calendar.ts';
import { codeBegins, ownPatients, ownRecords } from './sql.ts';
import { isOneOf, type Who } from './who.ts';

/** Until when people are observed. */
export type FollowUp = (typeof followUps)[number];
/** Which episodes count. */
export type EpisodeKind = (typeof episodeKinds)[number];
/** What makes a case. */
export type CaseKind = (typeof caseKinds)[number];

/** A condition by its code and all that begin with it. */
export interface ConditionAsked {
  readonly code: string;
  readonly system: string | null;
}

/** People who come into a state, and who leave it, at the number of a period. */
export interface StateRow {
  readonly kind: 'enters' | 'leaves';
  readonly at: number;
  readonly people: number;
}

/** People whose time at risk begins or ends in a month, and new episodes. */
export interface RiskRow {
  readonly kind: 'begins' | 'ends' | 'event';
  readonly month: MonthNumber;
  readonly people: number;
}

/** People by how their time after the index event ended. */
export interface OutcomeRow {
  /** Months since the index event. */
  readonly months: number;
  readonly outcome: 'event' | 'competing' | 'censored';
  readonly people: number;
}

/** Cases of one cell. */
export interface CaseRow {
  readonly band: number;
  readonly sex: string;
  readonly cases: number;
}

/** What is asked of person-time. */
export interface RiskRequest extends ConditionAsked {
  readonly episodes: EpisodeKind;
  readonly washout: number;
  readonly followUp: FollowUp;
}

/** What is asked of the time after an index event. */
export interface SurvivalAsked {
  readonly index: ConditionAsked;
  readonly event: ConditionAsked;
  readonly competing: ConditionAsked | undefined;
  readonly followUp: FollowUp;
}

/**
 * Episodes of conditions, and the time in which people were observed. An episode begins on its onset, or when the record
 * says it was; records without either have none. `acute.ts` says when it ends.
 */
export class EpisodeStore {
  readonly #database: DatabaseTransaction;

  constructor(database: DatabaseTransaction) {
    this.#database = database;
  }

  /**
   * When people come into the state of having the condition, and when they leave it, each person once at a time.
   * @param months of one period: numbers are those of periods, counted as months are.
   * @param touch whether a person is in the state in every period that an episode touches, or at the end of periods only.
   */
  async states(
    accountId: AccountId,
    asked: ConditionAsked,
    months: number,
    touch: boolean,
  ): Promise<readonly StateRow[]> {
    const period = (day: string): Prisma.Sql => Prisma.sql`floor(${monthOfDay(day)}::numeric / ${months}::int)::int`;
    // At the end of a period somebody is ill whose episode ends in a later one.
    const after = touch ? Prisma.sql`${period('ended')} + 1` : period('ended');
    return this.#database.$queryRaw<StateRow[]>`
      WITH spans AS (
        SELECT unnest(range_agg(int4range(${period('began')}, ${after}))) AS span
        FROM (${episodes(accountId, asked)}) AS episode GROUP BY patient_id)
      SELECT 'enters' AS kind, lower(span) AS at, count(*)::int AS people FROM spans GROUP BY 2
      UNION ALL
      SELECT 'leaves', upper(span), count(*)::int FROM spans WHERE NOT upper_inf(span) GROUP BY 2`;
  }

  /** When people begin to be at risk of an episode, when they no longer are, and the new episodes of those observed. */
  async risk(accountId: AccountId, asked: RiskRequest, now: MonthNumber): Promise<readonly RiskRow[]> {
    // After a first episode nobody is at risk of a first one again.
    const until =
      asked.episodes === 'first'
        ? Prisma.sql`NULL`
        : Prisma.sql`CASE WHEN ended IS NOT NULL
            THEN greatest(${monthOfDay('ended')} + ${asked.washout}::int, ${monthOfDay('began')} + 1) END`;
    return this.#database.$queryRaw<RiskRow[]>`
      WITH observed AS (${observed(accountId, asked.followUp, now)}),
      ill AS (
        SELECT patient_id, range_agg(int4range(${monthOfDay('began')}, ${until})) AS spans
        FROM (${episodes(accountId, asked)}) AS episode GROUP BY patient_id),
      each AS (
        SELECT entry + ${asked.washout}::int AS start, exit, coalesce(spans, '{}'::int4multirange) AS spans
        FROM observed LEFT JOIN ill USING (patient_id)
        WHERE entry + ${asked.washout}::int <= exit),
      at_risk AS (
        SELECT unnest(int4multirange(int4range(start, exit)) - spans) AS span FROM each),
      events AS (
        SELECT lower(span) AS month FROM (SELECT start, exit, unnest(spans) AS span FROM each) AS ill
        WHERE lower(span) BETWEEN start AND exit)
      SELECT 'begins' AS kind, lower(span) AS month, count(*)::int AS people FROM at_risk GROUP BY 2
      UNION ALL SELECT 'ends', upper(span), count(*)::int FROM at_risk GROUP BY 2
      UNION ALL SELECT 'event', month, count(*)::int FROM events GROUP BY 2`;
  }

  /** How the time after the first index event ended, of those selected who had not had the event before. */
  async outcomes(
    accountId: AccountId,
    { index, event, competing, followUp }: SurvivalAsked,
    who: Who,
    now: MonthNumber,
  ): Promise<readonly OutcomeRow[]> {
    const first = (asked: ConditionAsked): Prisma.Sql => Prisma.sql`
      SELECT patient_id, min(began) AS day FROM (${episodes(accountId, asked)}) AS episode GROUP BY patient_id`;
    const ends = competing
      ? first(competing)
      : Prisma.sql`SELECT NULL::text AS patient_id, NULL::date AS day WHERE FALSE`;
    return this.#database.$queryRaw<OutcomeRow[]>`
      WITH started AS (${first(index)}), happened AS (${first(event)}), competed AS (${ends}),
      observed AS (${observed(accountId, followUp, now)}),
      each AS (
        SELECT ${monthOfDay('started.day')} AS start, ${monthOfDay('happened.day')} AS event,
          CASE WHEN competed.day >= started.day THEN ${monthOfDay('competed.day')} END AS competing,
          greatest(exit, ${monthOfDay('started.day')}) AS exit
        FROM started JOIN ${who.table} who ON who.id = started.patient_id AND ${isOneOf(who)}
        JOIN observed ON observed.patient_id = started.patient_id
        LEFT JOIN happened ON happened.patient_id = started.patient_id
        LEFT JOIN competed ON competed.patient_id = started.patient_id
        WHERE (happened.day IS NULL OR happened.day >= started.day) AND ${monthOfDay('started.day')} <= ${now}::int)
      SELECT least(event, competing, exit) - start AS months,
        CASE WHEN event <= least(competing, exit) THEN 'event' WHEN competing <= exit THEN 'competing'
          ELSE 'censored' END AS outcome,
        count(*)::int AS people
      FROM each GROUP BY 1, 2`;
  }

  /** Those selected who are cases, by age band and sex. @param today as `YYYY-MM-DD`. */
  async cases(
    accountId: AccountId,
    { kind, ...asked }: ConditionAsked & { readonly kind: CaseKind },
    who: Who,
    today: string,
  ): Promise<readonly CaseRow[]> {
    const counts = kind === 'ever' ? Prisma.sql`TRUE` : Prisma.sql`(ended IS NULL OR ended > ${today}::text::date)`;
    return this.#database.$queryRaw<CaseRow[]>`
      SELECT who.band, who.sex, count(*)::int AS cases
      FROM (SELECT DISTINCT patient_id FROM (${episodes(accountId, asked)}) AS episode
            WHERE began <= ${today}::text::date AND ${counts}) AS had
      JOIN ${who.table} who ON who.id = had.patient_id AND ${isOneOf(who)}
      GROUP BY who.band, who.sex`;
  }
}

/** Episodes of the account's patients: `patient_id`, `began` and `ended`, which is null while it lasts. */
function episodes(accountId: AccountId, { code, system }: ConditionAsked): Prisma.Sql {
  const inSystem = system === null ? Prisma.sql`TRUE` : Prisma.sql`r.code->>'system' = ${system}`;
  const utc = (instant: string): Prisma.Sql => Prisma.raw(`(${instant} AT TIME ZONE 'UTC')::date`);
  return Prisma.sql`
    SELECT patient_id, began, CASE WHEN ended IS NOT NULL THEN greatest(began, ended) END AS ended FROM (
      SELECT r.patient_id, began, CASE
          WHEN r.content->>'abatement' IS NOT NULL THEN (r.content->>'abatement')::date
          WHEN r.status IN ('inactive', 'remission', 'resolved') THEN ${utc('r.updated_at')}
          WHEN ${isAcute} THEN began + ${ACUTE_DAYS}::int END AS ended
      FROM core.own_records r
      CROSS JOIN LATERAL (SELECT coalesce((r.content->>'onset')::date, ${utc('r.effective_at')}) AS began) AS beginning
      JOIN core.own_patients p ON p.id = r.patient_id AND ${ownPatients(accountId)}
      WHERE ${ownRecords(accountId, 'condition')} AND ${codeBegins([code])} AND ${inSystem} AND began IS NOT NULL) AS known`;
}

/**
 * The months in which people were observed, first and last: from their first record, or from when they were entered if that
 * was before, but not before they were born.
 */
function observed(accountId: AccountId, followUp: FollowUp, now: MonthNumber): Prisma.Sql {
  const utc = (instant: string): Prisma.Sql => monthOfDay(`(${instant} AT TIME ZONE 'UTC')`);
  const exit =
    followUp === 'until_now'
      ? Prisma.sql`${now}::int`
      : Prisma.sql`least(${now}::int, coalesce(${utc('seen.last')}, ${utc('p.created_at')}))`;
  return Prisma.sql`
    SELECT p.id AS patient_id, greatest(${monthOfDay('p.dob')}, least(${utc('p.created_at')}, ${utc('seen.first')})) AS entry,
      ${exit} AS exit
    FROM core.own_patients p
    LEFT JOIN (
      SELECT r.patient_id, min(r.effective_at) AS first, max(r.effective_at) AS last FROM core.own_records r
      WHERE r.account_id = ${accountId} AND r.deleted_at IS NULL AND r.status <> 'entered_in_error'
        AND r.effective_at IS NOT NULL
      GROUP BY r.patient_id) AS seen ON seen.patient_id = p.id
    WHERE ${ownPatients(accountId)}`;
}

/** The number of a day's month. @param day our own SQL. */
function monthOfDay(day: string): Prisma.Sql {
  return Prisma.raw(`(extract(year FROM ${day}) * 12 + extract(month FROM ${day}) - 1)::int`);
}
