import { invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';
import type {
  IncidencePoint,
  IncidenceSeries,
  PrevalencePoint,
  PrevalenceSeries,
  prevalenceMeasures,
} from '@perennial/schemas/resources/analytics.ts';
import { acuteRule } from './acute.ts';
import type { Asking } from './asking.ts';
import {
  firstDay,
  type Interval,
  lastDay,
  type MonthNumber,
  monthOf,
  monthsOf,
  type Period,
  periodsOf,
} from './calendar.ts';
import type { Rounding } from './disclosure.ts';
import type { EpisodeKind, FollowUp, RiskRow, StateRow } from './episodes.ts';
import { toInterval } from './estimates.ts';
import { type Running, running } from './running.ts';
import { times } from './statistics/interval.ts';
import { wilson } from './statistics/proportions.ts';
import { poisson } from './statistics/rates.ts';
import type { AnalyticsStore, MonthRow } from './store.ts';

/** Most periods of a series. */
export const PERIODS_MAX = 120;
const PER = 1000;
const MONTHS_PER_YEAR = 12;

/** Which series is asked for. */
export interface SeriesRequest {
  readonly code: string;
  readonly system: string | null;
  readonly from: string;
  readonly until: string;
  readonly interval: Interval;
}

/** Which prevalence is asked for. */
export interface PrevalenceRequest extends SeriesRequest {
  readonly measure: (typeof prevalenceMeasures)[number];
}

/** Which incidence is asked for. */
export interface IncidenceRequest extends SeriesRequest {
  readonly episodes: EpisodeKind;
  readonly washout: number;
  readonly followUp: FollowUp;
}

const began =
  'It begins on its onset, or on effective_at where there is none; records that are refuted, entered in error or have no time are left out.';

const prevalenceDefinitions: Readonly<Record<PrevalenceRequest['measure'], string>> = {
  ever: 'A case is a person with a condition record of the code that began (effective_at) by the end of the period, whether or not it has ended since; records that are refuted, entered in error or have no time are left out. People are the patients of today who were born by then.',
  point: `A case is a person in whom the condition is present at the end of the period (point prevalence). ${began} ${acuteRule} People are the patients of today who were born by then.`,
  period: `A case is a person in whom the condition was present at any time in the period, to the month (period prevalence). ${began} ${acuteRule} People are the patients of today who were born by the end of the period.`,
};

const riskDefinition =
  'A new case is a person whose first condition record of the code began (effective_at) in the period; records that are refuted, entered in error or have no time are left out. At risk are the patients of today who were born before the period began and had no such record by then.';

/** How often a condition is there, and how often it comes: Porta, A Dictionary of Epidemiology, 6th ed. 2014. */
export class Occurrence {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async prevalence(accountId: AccountId, request: PrevalenceRequest): Promise<PrevalenceSeries> {
    const periods = this.#periods(request);
    const rounding = this.#asking.rounding(accountId);
    const [births, cases] = await this.#asking.ask(async (store) => [
      running(rounding, atMonth(await store.births(accountId))),
      await casesOf(store, accountId, request, rounding),
    ]);
    return {
      ...seriesHead(request),
      measure: request.measure,
      definition: prevalenceDefinitions[request.measure],
      points: periods.map((period): PrevalencePoint => {
        const people = births(period.last);
        const found = cases(period);
        return {
          ...periodHead(period),
          people: rounding.shown(people),
          cases: rounding.shown(found),
          ...shareOf(rounding, found, people),
        };
      }),
      ...this.#asking.answered(),
    };
  }

  async incidence(accountId: AccountId, request: IncidenceRequest): Promise<IncidenceSeries> {
    const { code, system, episodes, washout, followUp } = request;
    const periods = this.#periods(request);
    const rounding = this.#asking.rounding(accountId);
    const [births, onsets, risk] = await this.#asking.ask(async (store) => [
      running(rounding, atMonth(await store.births(accountId))),
      running(rounding, atMonth(await store.onsets(accountId, code, system))),
      await store.episodes.risk(accountId, { code, system, episodes, washout, followUp }, this.#asking.month()),
    ]);
    const rate = rateOf(rounding, risk);
    return {
      ...seriesHead(request),
      episodes,
      washout_months: washout,
      follow_up: followUp,
      definition: `${riskDefinition} ${observedDefinition(request)}`,
      points: periods.map((period): IncidencePoint => {
        const atRisk = births(period.first - 1) - onsets(period.first - 1);
        const newCases = onsets(period.last) - onsets(period.first - 1);
        return {
          ...periodHead(period),
          at_risk: rounding.shown(atRisk),
          new_cases: rounding.shown(newCases),
          ...shareOf(rounding, newCases, atRisk),
          ...rate(period),
        };
      }),
      ...this.#asking.answered(),
    };
  }

  #periods({ from, until, interval }: SeriesRequest): readonly Period[] {
    const first = monthOf(from);
    const last = monthOf(until);
    if (last < first) throw invalidParameter('until', 'too_small');
    if (last > this.#asking.month()) throw invalidParameter('until', 'in_future');
    const periods = periodsOf(first, last, interval);
    if (periods.length > PERIODS_MAX) throw invalidParameter('until', 'too_large');
    return periods;
  }
}

/** The rounded number of cases of a period. */
async function casesOf(
  store: AnalyticsStore,
  accountId: AccountId,
  request: PrevalenceRequest,
  rounding: Rounding,
): Promise<(period: Period) => number> {
  const { code, system, interval, measure } = request;
  if (measure === 'ever') {
    const onsets = running(rounding, atMonth(await store.onsets(accountId, code, system)));
    return ({ last }) => onsets(last);
  }
  const touches = measure === 'period';
  const length = touches ? monthsOf[interval] : 1;
  const rows = await store.episodes.states(accountId, { code, system }, length, touches);
  const of = (kind: StateRow['kind']): Running =>
    running(
      rounding,
      rows.filter((row) => row.kind === kind),
    );
  const enters = of('enters');
  const leaves = of('leaves');
  return ({ last }) => {
    const at = Math.floor(last / length);
    return enters(at) - leaves(at);
  };
}

type RateMembers = Pick<
  IncidencePoint,
  'observed_cases' | 'person_years' | 'per_1000_person_years' | 'per_1000_person_years_interval'
>;

/**
 * Person-time as life tables count it: whoever comes under observation or leaves it in a month is taken to do so in its
 * middle. It is worked out from rounded totals, as everything that is shown.
 */
function rateOf(rounding: Rounding, rows: readonly RiskRow[]): (period: Period) => RateMembers {
  const of = (kind: RiskRow['kind']): Running => running(rounding, atMonth(rows.filter((row) => row.kind === kind)));
  const begins = of('begins');
  const ends = of('ends');
  const events = of('event');
  const observed = (month: MonthNumber): number => begins(month) - ends(month);
  return ({ first, last }) => {
    let months = 0;
    for (let month = first; month <= last; month += 1) months += (observed(month - 1) + observed(month)) / 2;
    const years = months / MONTHS_PER_YEAR;
    const cases = events(last) - events(first - 1);
    const atATime = months / (last - first + 1);
    const isShown = rounding.shown(cases) !== null && rounding.shown(atATime) !== null && years > 0;
    const estimate = isShown ? (cases / years) * PER : 0;
    return {
      observed_cases: rounding.shown(cases),
      person_years: rounding.shown(atATime) === null ? null : rounding.figure(years, 1),
      per_1000_person_years: isShown ? rounding.figure(estimate, 2) : null,
      per_1000_person_years_interval: isShown
        ? toInterval(
            rounding,
            { estimate, ...times(poisson(cases), PER / years) },
            { cases, method: 'exact_poisson', digits: 2 },
          )
        : null,
    };
  };
}

function observedDefinition({ episodes, washout, followUp }: IncidenceRequest): string {
  const until = followUp === 'until_now' ? 'until today' : 'until their last record';
  const counted =
    episodes === 'first'
      ? 'the first episode of a person'
      : `every episode that begins ${washout} months or more after the one before has ended`;
  return `Person-years: people are observed from their first record, or from when they were entered if that was before, but not before their birth, ${until}; no death is recorded. They are at risk from ${washout} months later on while they are free of the condition${episodes === 'first' ? ' for the first time' : ''}, to the month, months of entry and exit counting half. Observed cases are ${counted} while observed. ${began} ${acuteRule}`;
}

function shareOf(
  rounding: Rounding,
  cases: number,
  people: number,
): Pick<PrevalencePoint, 'per_1000' | 'per_1000_interval'> {
  if (rounding.shown(cases) === null || rounding.shown(people) === null || people === 0)
    return { per_1000: null, per_1000_interval: null };
  const estimate = (cases / people) * PER;
  return {
    per_1000: rounding.figure(estimate, 1),
    // Rounding may leave more cases than people where nearly everybody is one.
    per_1000_interval:
      cases > people
        ? null
        : toInterval(
            rounding,
            { estimate, ...times(wilson(cases, people), PER) },
            { cases, method: 'wilson', digits: 1 },
          ),
  };
}

function atMonth(rows: readonly MonthRow[]): readonly { readonly at: number; readonly people: number }[] {
  return rows.map(({ month, people }) => ({ at: month, people }));
}

function seriesHead({ system, code, interval }: SeriesRequest): Pick<PrevalenceSeries, 'system' | 'code' | 'interval'> {
  return { system, code, interval };
}

function periodHead({ name, first, last }: Period): { period: string; starts_on: string; ends_on: string } {
  return { period: name, starts_on: firstDay(first), ends_on: lastDay(last) };
}
