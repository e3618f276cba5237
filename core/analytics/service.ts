import type { Database } from '@perennial/prisma/client.ts';
import { Fault, invalidAt, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { AccountId, CohortId } from '@perennial/schemas/platform/ids.ts';
import {
  ageBands,
  type ConditionCount,
  type IncidenceSeries,
  type ObservationTrend,
  type PopulationSummary,
  type PrevalenceSeries,
  type QualityMeasureResult,
  type RiskStratification,
} from '@perennial/schemas/resources/analytics.ts';
import type { CohortComparison } from '@perennial/schemas/resources/cohort.ts';
import { sexes } from '@perennial/schemas/resources/patient.ts';
import {
  firstDay,
  type Interval,
  lastDay,
  type MonthNumber,
  monthAt,
  monthName,
  monthOf,
  type Period,
  periodsOf,
} from './calendar.ts';
import { charlsonScore, charlsonSources, comorbidities, countingComorbidities, scoreGroups } from './charlson.ts';
import { CohortService } from './cohort-service.ts';
import type { CohortRow } from './cohort-store.ts';
import { everybody, type Selection, selectionOf } from './criteria.ts';
import { disclosureControl, Rounding, ratio, SMALL_CELL, shown } from './disclosure.ts';
import { Gate } from './gate.ts';
import { measures, toQualityMeasure } from './measures.ts';
import { holds, prune } from './prune.ts';
import { ICD10_SYSTEMS } from './sql.ts';
import { isStatementTimeout } from './statement-timeout.ts';
import {
  type AnalyticsStore,
  ask,
  type CellRow,
  type Look,
  type MonthRow,
  STATEMENT_TIMEOUT_MS,
  type TrendRow,
  type Who,
} from './store.ts';

/** Answers that are worked out at a time: each may keep a processor of the database busy. */
const AT_ONCE_MAX = 3;
const WAITING_MAX = 50;
const PERIODS_MAX = 120;
const MONTHS_PER_YEAR = 12;
const RETRY_AFTER_SECONDS = '5';
const STATISTIC_DIGITS = 3;
const CONDITIONS_COMPARED = 10;

/** Which series is asked for. */
export interface SeriesRequest {
  readonly code: string;
  readonly system: string | null;
  readonly from: string;
  readonly until: string;
  readonly interval: Interval;
}

/** Which trend is asked for. */
export interface TrendRequest {
  readonly code: string;
  readonly system: string;
  readonly unit: string | null;
  readonly from: string;
  readonly until: string;
}

/** Settings that only tests change. */
export interface AnalyticsOptions {
  readonly statementTimeoutMs?: number;
  readonly now?: () => Date;
}

/** A selection whose criteria all matter, and its people by cell: band by band, in each the sexes. */
interface Selected {
  readonly asked: Selection;
  readonly look: Look;
  readonly who: Who;
  readonly cells: readonly number[];
}

/** Numbers of people, protected as `disclosure.ts` says. */
export class AnalyticsService {
  readonly cohorts: CohortService;
  readonly #database: Database;
  readonly #secret: string;
  readonly #gate = new Gate(AT_ONCE_MAX, WAITING_MAX);
  readonly #statementTimeoutMs: number;
  readonly #now: () => Date;

  constructor(database: Database, secret: string, options: AnalyticsOptions = {}) {
    this.#database = database;
    this.#secret = secret;
    this.cohorts = new CohortService(database);
    this.#statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
    this.#now = options.now ?? (() => new Date());
  }

  /** @throws Fault `not_found` when the cohort is. */
  async population(accountId: AccountId, cohortId: CohortId | null, conditions: number): Promise<PopulationSummary> {
    const selection = await this.#selection(accountId, cohortId);
    return this.#ask(async (store) =>
      this.#population(store, accountId, cohortId, await this.#select(store, accountId, selection), conditions),
    );
  }

  async prevalence(accountId: AccountId, request: SeriesRequest): Promise<PrevalenceSeries> {
    const periods = this.#periods(request);
    const [births, onsets] = await this.#series(accountId, request);
    return {
      ...seriesHead(request),
      definition:
        'A case is a person with a condition record of the code that began (effective_at) by the end of the period, whether or not it has ended since; records that are refuted, entered in error or have no time are left out. People are the patients of today who were born by then.',
      points: periods.map((period) => {
        const people = births(period.last);
        const cases = onsets(period.last);
        return {
          ...periodHead(period),
          people: shown(people),
          cases: shown(cases),
          per_1000: ratio(cases, people, 1000, 1),
        };
      }),
      ...this.#common(),
    };
  }

  async incidence(accountId: AccountId, request: SeriesRequest): Promise<IncidenceSeries> {
    const periods = this.#periods(request);
    const [births, onsets] = await this.#series(accountId, request);
    return {
      ...seriesHead(request),
      definition:
        'A new case is a person whose first condition record of the code began (effective_at) in the period; records that are refuted, entered in error or have no time are left out. At risk are the patients of today who were born before the period began and had no such record by then.',
      points: periods.map((period) => {
        const atRisk = births(period.first - 1) - onsets(period.first - 1);
        const newCases = onsets(period.last) - onsets(period.first - 1);
        return {
          ...periodHead(period),
          at_risk: shown(atRisk),
          new_cases: shown(newCases),
          per_1000: ratio(newCases, atRisk, 1000, 1),
        };
      }),
      ...this.#common(),
    };
  }

  async risk(accountId: AccountId, cohortId: CohortId | null): Promise<RiskStratification> {
    const selection = await this.#selection(accountId, cohortId);
    return this.#ask(async (store) =>
      this.#risk(store, accountId, cohortId, await this.#select(store, accountId, selection)),
    );
  }

  /** @param month the last of the twelve looked at; the current one when undefined. */
  async measure(
    accountId: AccountId,
    measureId: string,
    cohortId: CohortId | null,
    month: string | undefined,
  ): Promise<QualityMeasureResult> {
    const measure = measures.find(({ id }) => id === measureId);
    if (!measure) throw new Fault('not_found');
    const last = month === undefined ? monthAt(this.#now()) : monthOf(month);
    if (last > monthAt(this.#now())) throw invalidParameter('month', 'in_future');
    const first = last - MONTHS_PER_YEAR + 1;
    const selection = await this.#selection(accountId, cohortId);
    const counts = await this.#ask(async (store) => {
      const { who } = await this.#select(store, accountId, selection);
      return store.measure(accountId, measure, who, first, last);
    });
    const rounding = this.#rounding(accountId);
    const [fulfilled = 0, missed = 0, excluded = 0] = rounding.cells([
      counts.fulfilled,
      counts.missed,
      counts.excluded,
    ]);
    // A share of all or of none would tell that the other side is empty or nearly so.
    const isTellable = shown(fulfilled) !== null && shown(missed) !== null;
    return {
      measure: toQualityMeasure(measure),
      cohort_id: cohortId,
      period_starts_on: firstDay(first),
      period_ends_on: lastDay(last),
      denominator: shown(fulfilled + missed),
      numerator: isTellable ? fulfilled : null,
      excluded: shown(excluded),
      rate: isTellable ? ratio(fulfilled, fulfilled + missed) : null,
      ...this.#common(),
    };
  }

  async trend(accountId: AccountId, request: TrendRequest): Promise<ObservationTrend> {
    const { code, system } = request;
    const first = monthOf(request.from);
    const last = monthOf(request.until);
    if (last < first) throw invalidParameter('until', 'too_small');
    if (last - first >= PERIODS_MAX) throw invalidParameter('until', 'too_large');
    // A month that is not over would show each new value as it comes in.
    if (last >= monthAt(this.#now())) throw invalidParameter('until', 'in_future');
    const found = await this.#ask((store) => store.trend(accountId, code, system, monthAt(this.#now()) - 1));
    const unit = request.unit ?? this.#commonUnit(accountId, found);
    const rows = found.filter((row) => row.unit === unit);
    const running = this.#running(accountId, rows);
    const byMonth = new Map(rows.map((row) => [row.month, row]));
    const points = Array.from({ length: last - first + 1 }, (_, at) => {
      const month = first + at;
      const people = shown(running(month) - running(month - 1));
      const row = byMonth.get(month);
      const told = (value: number | undefined): number | null =>
        people === null || value === undefined ? null : Number(value.toPrecision(STATISTIC_DIGITS));
      return {
        month: monthName(month),
        people,
        mean: told(row?.mean),
        p25: told(row?.quartiles[0]),
        median: told(row?.quartiles[1]),
        p75: told(row?.quartiles[2]),
      };
    });
    return { system, code, unit, points, ...this.#common() };
  }

  /** The unit of most values among those of which some month can be shown: that there are others is not told. */
  #commonUnit(accountId: AccountId, rows: readonly TrendRow[]): string | null {
    const units = [...new Set(rows.map(({ unit }) => unit))].map((unit) => {
      const own = rows.filter((row) => row.unit === unit);
      const running = this.#running(accountId, own);
      const isShown = own.some(({ month }) => shown(running(month) - running(month - 1)) !== null);
      return { unit, isShown, measured: sum(own.map(({ measured }) => measured)) };
    });
    const [first] = units.filter(({ isShown }) => isShown).sort((a, b) => b.measured - a.measured);
    return first?.unit ?? null;
  }

  /** @throws Fault `not_found` naming the first cohort that is missing. */
  async compare(accountId: AccountId, ids: readonly CohortId[]): Promise<CohortComparison> {
    const rows: CohortRow[] = [];
    for (const [at, id] of ids.entries()) {
      rows.push(
        await this.cohorts.get(accountId, id).catch((error: unknown) => {
          if (error instanceof Fault && error.code === 'not_found') {
            throw new Fault('not_found', { details: invalidAt(`/cohort_ids/${at}`, 'not_allowed_value').details });
          }
          throw error;
        }),
      );
    }
    return this.#ask(async (store) => {
      const cohorts: CohortComparison['cohorts'] = [];
      const overlaps: CohortComparison['overlaps'] = [];
      const sets: Selected[] = [];
      for (const row of rows) {
        const selected = await this.#select(store, accountId, selectionOf(row.criteria));
        sets.push(selected);
        cohorts.push({
          cohort_id: row.id,
          name: row.name,
          population: await this.#population(store, accountId, row.id, selected, CONDITIONS_COMPARED),
          risk: await this.#risk(store, accountId, row.id, selected),
        });
      }
      for (const [at, one] of sets.entries()) {
        for (const [after, other] of sets.slice(at + 1).entries()) {
          const cells = await this.#both(store, one, other);
          overlaps.push({
            cohort_ids: [rows[at], rows[at + 1 + after]].map((row) => (row as CohortRow).id),
            people: shown(sum(this.#rounding(accountId).cells(cells))),
          });
        }
      }
      return { cohorts, overlaps, ...this.#common() };
    });
  }

  async #population(
    store: AnalyticsStore,
    accountId: AccountId,
    cohortId: CohortId | null,
    { who, cells }: Selected,
    conditions: number,
  ): Promise<PopulationSummary> {
    const rounding = this.#rounding(accountId);
    const rounded = rounding.cells(cells);
    const people = sum(rounded);
    return {
      cohort_id: cohortId,
      people: shown(people),
      ...byBandAndSex(rounded),
      groups: rounded.map((each, at) => ({ ...cellName(at), people: shown(each) })),
      conditions: conditions === 0 ? [] : await this.#conditions(store, accountId, who, people, conditions),
      ...this.#common(),
    };
  }

  async #conditions(
    store: AnalyticsStore,
    accountId: AccountId,
    who: Who,
    people: number,
    count: number,
  ): Promise<ConditionCount[]> {
    const rounding = this.#rounding(accountId);
    const byCategory = new Map<string, number[]>();
    for (const row of await store.conditions(accountId, who)) {
      const cells = byCategory.get(row.category) ?? emptyCells();
      byCategory.set(row.category, cells);
      add(cells, row);
    }
    const listed = [...byCategory]
      .map(([code, cells]) => ({ code, rounded: rounding.cells(cells) }))
      .map((each) => ({ ...each, total: sum(each.rounded) }))
      .filter(({ total }) => shown(total) !== null)
      .sort((a, b) => b.total - a.total || (a.code < b.code ? -1 : 1))
      .slice(0, count);
    const displays = await store.displays(
      accountId,
      listed.map(({ code }) => code),
      SMALL_CELL,
    );
    return listed.map(({ code, rounded, total }) => ({
      system: ICD10_SYSTEMS[0] as string,
      code,
      display: displays.get(code) ?? code,
      people: shown(total),
      share: ratio(total, people),
      ...byBandAndSex(rounded),
    }));
  }

  async #risk(
    store: AnalyticsStore,
    accountId: AccountId,
    cohortId: CohortId | null,
    { who }: Selected,
  ): Promise<RiskStratification> {
    const rounding = this.#rounding(accountId);
    const rows = await store.comorbidities(accountId, who);
    // Group by group, in each the bands: the sum of a group is one step of the running total.
    const cells = scoreGroups.map(() => ageBands.map(() => 0));
    const byDisease = new Map<string, number>();
    for (const { bits, band, people } of rows) {
      const score = charlsonScore(bits);
      const group = cells[scoreGroups.findIndex(({ min, max }) => score >= min && score <= (max ?? score))];
      if (group) group[band] = (group[band] ?? 0) + people;
      for (const { id } of countingComorbidities(bits)) byDisease.set(id, (byDisease.get(id) ?? 0) + people);
    }
    const rounded = rounding.cells(cells.flat());
    const total = sum(rounded);
    return {
      cohort_id: cohortId,
      score: 'charlson_comorbidity_index',
      definition:
        'The weights of Charlson 1987 for the disease groups by the ICD-10 codes of Quan 2005, over every condition record that is not refuted or entered in error. Of mild and severe forms of a disease only the severe one counts. Age is not part of the score.',
      sources: [...charlsonSources],
      people: shown(total),
      groups: scoreGroups.map(({ group, min, max }, at) => {
        const bands = rounded.slice(at * ageBands.length, (at + 1) * ageBands.length);
        const people = sum(bands);
        return {
          group,
          score_min: min,
          score_max: max,
          people: shown(people),
          share: ratio(people, total),
          by_age_band: bands.map((each, band) => ({ age_band: bandName(band), people: shown(each) })),
        };
      }),
      components: comorbidities.map(({ id, title, weight }) => ({
        id,
        title,
        weight,
        people: shown(rounding.total(byDisease.get(id) ?? 0)),
      })),
      ...this.#common(),
    };
  }

  /** Leaves out the criteria that tell hardly anybody apart, and counts the people that remain selected. */
  async #select(store: AnalyticsStore, accountId: AccountId, asked: Selection): Promise<Selected> {
    const look = await store.look(accountId, asked, this.#now().getUTCFullYear());
    const clauses = prune(asked.clauses, byMask(look.rows));
    const selected = look.rows.filter(({ mask }) => holds(clauses, mask));
    return { asked, look, who: { table: look.table, masks: masksOf(selected) }, cells: cellsOf(selected) };
  }

  /** The people whom two cohorts share, selected like those of one cohort with the criteria of both. */
  async #both(store: AnalyticsStore, one: Selected, other: Selected): Promise<readonly number[]> {
    const shift = one.asked.criteria.length;
    const rows = await store.both(one.look, other.look, shift);
    const shifted = other.asked.clauses.map((clause) => clause.map((criterion) => criterion + shift));
    const clauses = prune([...one.asked.clauses, ...shifted], byMask(rows));
    return cellsOf(rows.filter(({ mask }) => holds(clauses, mask)));
  }

  async #selection(accountId: AccountId, cohortId: CohortId | null): Promise<Selection> {
    if (cohortId === null) return everybody;
    return selectionOf((await this.cohorts.get(accountId, cohortId)).criteria);
  }

  /** Rounded running totals of births and first onsets at the end of a month. */
  async #series(accountId: AccountId, { code, system }: SeriesRequest): Promise<readonly [Running, Running]> {
    const [births, onsets] = await this.#ask(async (store) => [
      await store.births(accountId),
      await store.onsets(accountId, code, system),
    ]);
    return [this.#running(accountId, births), this.#running(accountId, onsets)];
  }

  #running(accountId: AccountId, rows: readonly MonthRow[]): Running {
    const rounding = this.#rounding(accountId);
    const sorted = [...rows].sort((a, b) => a.month - b.month);
    return (month) => rounding.total(sum(sorted.filter((row) => row.month <= month).map(({ people }) => people)));
  }

  #periods({ from, until, interval }: SeriesRequest): readonly Period[] {
    const first = monthOf(from);
    const last = monthOf(until);
    if (last < first) throw invalidParameter('until', 'too_small');
    if (last > monthAt(this.#now())) throw invalidParameter('until', 'in_future');
    const periods = periodsOf(first, last, interval);
    if (periods.length > PERIODS_MAX) throw invalidParameter('until', 'too_large');
    return periods;
  }

  async #ask<T>(use: (store: AnalyticsStore) => Promise<T>): Promise<T> {
    return this.#gate.run(() =>
      ask(this.#database, use, this.#statementTimeoutMs).catch((error: unknown) => {
        if (!isStatementTimeout(error)) throw error;
        throw new Fault('unavailable', {
          message: 'The answer took longer to work out than is allowed. Ask for less, or try again later.',
          headers: { 'retry-after': RETRY_AFTER_SECONDS },
          cause: error,
        });
      }),
    );
  }

  #rounding(accountId: AccountId): Rounding {
    return new Rounding(this.#secret, accountId);
  }

  #common(): Pick<PopulationSummary, 'as_of' | 'time_zone' | 'disclosure_control'> {
    return { as_of: this.#now().toISOString().slice(0, 10), time_zone: 'UTC', disclosure_control: disclosureControl };
  }
}

/** A rounded running total at the end of a month. */
type Running = (month: MonthNumber) => number;

function byMask(rows: readonly CellRow[]): readonly { readonly mask: number; readonly people: number }[] {
  const people = new Map<number, number>();
  for (const row of rows) people.set(row.mask, (people.get(row.mask) ?? 0) + row.people);
  return [...people].map(([mask, count]) => ({ mask, people: count }));
}

function masksOf(rows: readonly CellRow[]): readonly number[] {
  return [...new Set(rows.map(({ mask }) => mask))];
}

function cellsOf(rows: readonly CellRow[]): readonly number[] {
  const cells = emptyCells();
  for (const row of rows) add(cells, row);
  return cells;
}

function emptyCells(): number[] {
  return ageBands.flatMap(() => sexes.map(() => 0));
}

function add(cells: number[], row: { readonly band: number; readonly sex: string; readonly people: number }): void {
  const sex = (sexes as readonly string[]).indexOf(row.sex);
  const at = row.band * sexes.length + sex;
  cells[at] = (cells[at] ?? 0) + row.people;
}

function byBandAndSex(rounded: readonly number[]): Pick<PopulationSummary, 'by_age_band' | 'by_sex'> {
  return {
    by_age_band: ageBands.map((age_band, band) => ({
      age_band,
      people: shown(sum(rounded.slice(band * sexes.length, (band + 1) * sexes.length))),
    })),
    by_sex: sexes.map((sex, place) => ({
      sex,
      people: shown(sum(rounded.filter((_, at) => at % sexes.length === place))),
    })),
  };
}

function cellName(at: number): Pick<PopulationSummary['groups'][number], 'age_band' | 'sex'> {
  return {
    age_band: bandName(Math.floor(at / sexes.length)),
    sex: sexes[at % sexes.length] as (typeof sexes)[number],
  };
}

function bandName(band: number): (typeof ageBands)[number] {
  return ageBands[band] as (typeof ageBands)[number];
}

function seriesHead({ system, code, interval }: SeriesRequest): Pick<PrevalenceSeries, 'system' | 'code' | 'interval'> {
  return { system, code, interval };
}

function periodHead({ name, first, last }: Period): { period: string; starts_on: string; ends_on: string } {
  return { period: name, starts_on: firstDay(first), ends_on: lastDay(last) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
