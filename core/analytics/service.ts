import type { Database } from '@perennial/prisma/client.ts';
import { invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { AccountId, CohortId } from '@perennial/schemas/platform/ids.ts';
import {
  ageBands,
  type ConditionCount,
  type ObservationTrend,
  type PopulationSummary,
  type RiskStratification,
} from '@perennial/schemas/resources/analytics.ts';
import type { CohortComparison } from '@perennial/schemas/resources/cohort.ts';
import { sexes } from '@perennial/schemas/resources/patient.ts';
import { type AnalyticsOptions, Asking, type Selected } from './asking.ts';
import { monthName, monthOf } from './calendar.ts';
import { addTo, byMask, cellsOf, emptyCells, sum } from './cells.ts';
import { charlsonScore, charlsonSources, comorbidities, countingComorbidities, scoreGroups } from './charlson.ts';
import type { CohortService } from './cohort-service.ts';
import type { CohortRow } from './cohort-store.ts';
import { Comparisons } from './comparisons.ts';
import { selectionOf } from './criteria.ts';
import { ratio, SMALL_CELL, shown } from './disclosure.ts';
import { shareInterval } from './estimates.ts';
import { Occurrence, PERIODS_MAX } from './occurrence.ts';
import { holds, prune } from './prune.ts';
import { Quality } from './quality.ts';
import { type Running, running } from './running.ts';
import { ICD10_SYSTEMS } from './sql.ts';
import type { AnalyticsStore, MonthRow, TrendRow } from './store.ts';
import { Survival } from './survival.ts';
import type { Who } from './who.ts';

const STATISTIC_DIGITS = 3;
const CONDITIONS_COMPARED = 10;

/** Which trend is asked for. */
export interface TrendRequest {
  readonly code: string;
  readonly system: string;
  readonly unit: string | null;
  readonly from: string;
  readonly until: string;
}

/** Numbers of people, protected as `disclosure.ts` says. */
export class AnalyticsService {
  readonly cohorts: CohortService;
  readonly occurrence: Occurrence;
  readonly comparisons: Comparisons;
  readonly survival: Survival;
  readonly quality: Quality;
  readonly #asking: Asking;

  constructor(database: Database, secret: string, options: AnalyticsOptions = {}) {
    this.#asking = new Asking(database, secret, options);
    this.cohorts = this.#asking.cohorts;
    this.occurrence = new Occurrence(this.#asking);
    this.comparisons = new Comparisons(this.#asking);
    this.survival = new Survival(this.#asking);
    this.quality = new Quality(this.#asking);
  }

  /** @throws Fault `not_found` when the cohort is. */
  async population(accountId: AccountId, cohortId: CohortId | null, conditions: number): Promise<PopulationSummary> {
    const selection = await this.#asking.selection(accountId, cohortId);
    return this.#asking.ask(async (store) =>
      this.#population(store, accountId, cohortId, await this.#asking.select(store, accountId, selection), conditions),
    );
  }

  async risk(accountId: AccountId, cohortId: CohortId | null): Promise<RiskStratification> {
    const selection = await this.#asking.selection(accountId, cohortId);
    return this.#asking.ask(async (store) =>
      this.#risk(store, accountId, cohortId, await this.#asking.select(store, accountId, selection)),
    );
  }

  async trend(accountId: AccountId, request: TrendRequest): Promise<ObservationTrend> {
    const { code, system } = request;
    const first = monthOf(request.from);
    const last = monthOf(request.until);
    if (last < first) throw invalidParameter('until', 'too_small');
    if (last - first >= PERIODS_MAX) throw invalidParameter('until', 'too_large');
    // A month that is not over would show each new value as it comes in.
    if (last >= this.#asking.month()) throw invalidParameter('until', 'in_future');
    const found = await this.#asking.ask((store) => store.trend(accountId, code, system, this.#asking.month() - 1));
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
    return { system, code, unit, points, ...this.#asking.answered() };
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
    const rows = await this.cohorts.all(accountId, ids);
    return this.#asking.ask(async (store) => {
      const cohorts: CohortComparison['cohorts'] = [];
      const overlaps: CohortComparison['overlaps'] = [];
      const sets: Selected[] = [];
      for (const row of rows) {
        const selected = await this.#asking.select(store, accountId, selectionOf(row.criteria));
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
            people: shown(sum(this.#asking.rounding(accountId).cells(cells))),
          });
        }
      }
      return { cohorts, overlaps, ...this.#asking.answered() };
    });
  }

  async #population(
    store: AnalyticsStore,
    accountId: AccountId,
    cohortId: CohortId | null,
    { who, cells }: Selected,
    conditions: number,
  ): Promise<PopulationSummary> {
    const rounding = this.#asking.rounding(accountId);
    const rounded = rounding.cells(cells);
    const people = sum(rounded);
    return {
      cohort_id: cohortId,
      people: shown(people),
      ...byBandAndSex(rounded),
      groups: rounded.map((each, at) => ({ ...cellName(at), people: shown(each) })),
      conditions: conditions === 0 ? [] : await this.#conditions(store, accountId, who, people, conditions),
      ...this.#asking.answered(),
    };
  }

  async #conditions(
    store: AnalyticsStore,
    accountId: AccountId,
    who: Who,
    people: number,
    count: number,
  ): Promise<ConditionCount[]> {
    const rounding = this.#asking.rounding(accountId);
    const byCategory = new Map<string, number[]>();
    for (const row of await store.conditions(accountId, who)) {
      const cells = byCategory.get(row.category) ?? emptyCells();
      byCategory.set(row.category, cells);
      addTo(cells, row, row.people);
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
      share_interval: shareInterval(rounding, total, people),
      ...byBandAndSex(rounded),
    }));
  }

  async #risk(
    store: AnalyticsStore,
    accountId: AccountId,
    cohortId: CohortId | null,
    { who }: Selected,
  ): Promise<RiskStratification> {
    const rounding = this.#asking.rounding(accountId);
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
          share_interval: shareInterval(rounding, people, total),
          by_age_band: bands.map((each, band) => ({ age_band: bandName(band), people: shown(each) })),
        };
      }),
      components: comorbidities.map(({ id, title, weight }) => ({
        id,
        title,
        weight,
        people: shown(rounding.total(byDisease.get(id) ?? 0)),
      })),
      ...this.#asking.answered(),
    };
  }

  /** The people whom two cohorts share, selected like those of one cohort with the criteria of both. */
  async #both(store: AnalyticsStore, one: Selected, other: Selected): Promise<readonly number[]> {
    const shift = one.asked.criteria.length;
    const rows = await store.both(one.look, other.look, shift);
    const shifted = other.asked.clauses.map((clause) => clause.map((criterion) => criterion + shift));
    const clauses = prune([...one.asked.clauses, ...shifted], byMask(rows));
    return cellsOf(rows.filter(({ mask }) => holds(clauses, mask)));
  }

  #running(accountId: AccountId, rows: readonly MonthRow[]): Running {
    return running(
      this.#asking.rounding(accountId),
      rows.map(({ month, people }) => ({ at: month, people })),
    );
  }
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
