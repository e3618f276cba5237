import { Fault, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { AccountId, CohortId } from '@perennial/schemas/platform/ids.ts';
import type { QualityMeasureResult, QualityMeasureSeries } from '@perennial/schemas/resources/analytics.ts';
import type { Asking } from './asking.ts';
import { firstDay, type Interval, lastDay, type MonthNumber, monthOf, periodsOf } from './calendar.ts';
import type { Rounding } from './disclosure.ts';
import { shareInterval } from './estimates.ts';
import { type Measure, measures, toQualityMeasure } from './measures.ts';
import { controlChart } from './statistics/control-chart.ts';

const MONTHS_PER_YEAR = 12;
/** Each period of a series is a query of its own. */
const POINTS_MAX = 36;
const DIGITS = 3;

/** Which series of a measure is asked for. */
export interface QualityRequest {
  readonly measureId: string;
  readonly cohortId: CohortId | null;
  readonly from: string;
  readonly until: string;
  readonly interval: Interval;
}

interface Counts {
  readonly fulfilled: number;
  readonly missed: number;
  readonly excluded: number;
}

/** Published measures of the quality of care, over a period and over time. */
export class Quality {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** @param month the last of the twelve looked at; the current one when undefined. */
  async measure(
    accountId: AccountId,
    measureId: string,
    cohortId: CohortId | null,
    month: string | undefined,
  ): Promise<QualityMeasureResult> {
    const measure = measureOf(measureId);
    const last = month === undefined ? this.#asking.month() : monthOf(month);
    if (last > this.#asking.month()) throw invalidParameter('month', 'in_future');
    const first = last - MONTHS_PER_YEAR + 1;
    const [counts] = await this.#counts(accountId, measure, cohortId, [{ first, last }]);
    return {
      measure: toQualityMeasure(measure),
      cohort_id: cohortId,
      period_starts_on: firstDay(first),
      period_ends_on: lastDay(last),
      ...told(this.#asking.rounding(accountId), counts as Counts),
      ...this.#asking.answered(),
    };
  }

  /** Period after period, each with as many months as the interval has, as a control chart. */
  async series(accountId: AccountId, request: QualityRequest): Promise<QualityMeasureSeries> {
    const { measureId, cohortId, from, until, interval } = request;
    const measure = measureOf(measureId);
    const [first, last] = [monthOf(from), monthOf(until)];
    if (last < first) throw invalidParameter('until', 'too_small');
    const periods = periodsOf(first, last, interval);
    // A period that is not over would show each new record as it comes in.
    if ((periods.at(-1)?.last ?? last) >= this.#asking.month()) throw invalidParameter('until', 'in_future');
    if (periods.length > POINTS_MAX) throw invalidParameter('until', 'too_large');
    const rounding = this.#asking.rounding(accountId);
    const found = (await this.#counts(accountId, measure, cohortId, periods)).map((each) => told(rounding, each));
    const chart = controlChart(
      found.map(({ numerator, denominator }) =>
        numerator === null || denominator === null ? undefined : { part: numerator, whole: denominator },
      ),
    );
    const figure = (value: number | undefined): number | null =>
      value === undefined ? null : rounding.figure(value, DIGITS);
    return {
      measure: toQualityMeasure(measure),
      cohort_id: cohortId,
      interval,
      centre_line: figure(chart.centre),
      definition:
        'Each period is looked at as the measure says, with the months of the period in place of twelve. The centre line is the rate of all periods together; the control limits lie three standard errors of each period from it (p chart). `beyond_limits` is a period outside of them, `shift` one of eight or more in a row on the same side of the centre line.',
      points: periods.map((period, at) => {
        const point = chart.points[at];
        return {
          period: period.name,
          starts_on: firstDay(period.first),
          ends_on: lastDay(period.last),
          ...(found[at] as ReturnType<typeof told>),
          lower_limit: figure(point?.low),
          upper_limit: figure(point?.high),
          signals: [...(point?.signals ?? [])],
        };
      }),
      ...this.#asking.answered(),
    };
  }

  async #counts(
    accountId: AccountId,
    measure: Measure,
    cohortId: CohortId | null,
    periods: readonly { readonly first: MonthNumber; readonly last: MonthNumber }[],
  ): Promise<readonly Counts[]> {
    const selection = await this.#asking.selection(accountId, cohortId);
    return this.#asking.ask(async (store) => {
      const { who } = await this.#asking.select(store, accountId, selection);
      const counts: Counts[] = [];
      for (const { first, last } of periods) counts.push(await store.measure(accountId, measure, who, first, last));
      return counts;
    });
  }
}

function measureOf(id: string): Measure {
  const measure = measures.find((each) => each.id === id);
  if (!measure) throw new Fault('not_found');
  return measure;
}

function told(
  rounding: Rounding,
  counts: Counts,
): Pick<QualityMeasureResult, 'denominator' | 'numerator' | 'excluded' | 'rate' | 'rate_interval'> {
  const [fulfilled = 0, missed = 0, excluded = 0] = rounding.cells([counts.fulfilled, counts.missed, counts.excluded]);
  // A share of all or of none would tell that the other side is empty or nearly so.
  const isTellable = rounding.shown(fulfilled) !== null && rounding.shown(missed) !== null && fulfilled + missed > 0;
  return {
    denominator: rounding.shown(fulfilled + missed),
    numerator: isTellable ? fulfilled : null,
    excluded: rounding.shown(excluded),
    rate: isTellable ? rounding.figure(fulfilled / (fulfilled + missed), DIGITS) : null,
    rate_interval: isTellable ? shareInterval(rounding, fulfilled, fulfilled + missed) : null,
  };
}
