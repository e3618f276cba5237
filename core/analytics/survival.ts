import type { AccountId, CohortId } from '@perennial/schemas/platform/ids.ts';
import type { AnalyticsSource } from '@perennial/schemas/resources/analytics.ts';
import type { ConfidenceInterval } from '@perennial/schemas/resources/confidence-interval.ts';
import type { SurvivalAnalysis } from '@perennial/schemas/resources/epidemiology.ts';
import type { Asking } from './asking.ts';
import { sum } from './cells.ts';
import type { Selection } from './criteria.ts';
import type { Rounding } from './disclosure.ts';
import type { FollowUp, OutcomeRow } from './episodes.ts';
import { type Telling, toInterval } from './estimates.ts';
import type { Bounds } from './statistics/interval.ts';
import { logRank, type Step, type SurvivalPoint, survivalCurve } from './statistics/survival.ts';

const DIGITS = 4;
const P_DIGITS = 6;
const outcomes = ['event', 'competing', 'censored'] as const;

/** Which time is asked for. */
export interface SurvivalRequest {
  readonly indexCode: string;
  readonly eventCode: string;
  readonly competingCode: string | null;
  readonly system: string | null;
  readonly cohortId: CohortId | null;
  readonly otherCohortId: CohortId | null;
  readonly months: number;
  readonly followUp: FollowUp;
}

const sources: readonly AnalyticsSource[] = [
  {
    title: 'Nonparametric estimation from incomplete observations',
    publisher: 'Journal of the American Statistical Association 53:457-481',
    year: 1958,
    url: 'https://doi.org/10.1080/01621459.1958.10501452',
  },
  {
    title: 'An empirical transition matrix for non-homogeneous Markov chains based on censored observations',
    publisher: 'Scandinavian Journal of Statistics 5:141-150',
    year: 1978,
    url: 'https://www.jstor.org/stable/4615704',
  },
  {
    title: 'Evaluation of survival data and two new rank order statistics arising in its consideration',
    publisher: 'Cancer Chemotherapy Reports 50:163-170',
    year: 1966,
    url: 'https://pubmed.ncbi.nlm.nih.gov/5910392/',
  },
];

/** Time from one condition to another. The curve is worked out from rounded cells: month by month, how the time ended. */
export class Survival {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** @throws Fault `not_found` when a cohort is. */
  async analysis(accountId: AccountId, request: SurvivalRequest): Promise<SurvivalAnalysis> {
    const { system, indexCode, eventCode, competingCode, followUp, months, cohortId, otherCohortId } = request;
    const rounding = this.#asking.rounding(accountId);
    const ids = [cohortId, ...(otherCohortId === null ? [] : [otherCohortId])];
    const selections: Selection[] = [];
    for (const id of ids) selections.push(await this.#asking.selection(accountId, id));
    const asked = {
      index: { code: indexCode, system },
      event: { code: eventCode, system },
      competing: competingCode === null ? undefined : { code: competingCode, system },
      followUp,
    };
    const found = await this.#asking.ask(async (store) => {
      const groups: (readonly OutcomeRow[])[] = [];
      for (const selection of selections) {
        const { who } = await this.#asking.select(store, accountId, selection);
        groups.push(await store.episodes.outcomes(accountId, asked, who, this.#asking.month()));
      }
      return groups;
    });
    const curves = found.map((rows) => survivalCurve(stepsOf(rounding, rows, months)));
    const isTold = curves.every((curve) => rounding.shown(sum(curve.map(({ events }) => events))) !== null);
    const test = curves[0] && curves[1] && isTold ? logRank(curves[0], curves[1]) : undefined;
    return {
      system,
      index_code: indexCode,
      event_code: eventCode,
      competing_code: competingCode,
      follow_up: followUp,
      definition: `The time of a person begins with the first record of the index condition (its onset, or effective_at) and is counted in whole months; who had the event before is left out. It ends with the first record of the event or of the competing one, or ${followUp === 'until_now' ? 'today' : 'with the last record of the person'}; where both come in one month, the event counts. No death is recorded. Whoever leaves in a month was at risk in it.`,
      sources: [...sources],
      curves: curves.map((curve, at) => curveOf(rounding, curve, ids[at] ?? null)),
      log_rank: test
        ? { chi_squared: rounding.figure(test.chiSquared, DIGITS), p_value: rounding.figure(test.p, P_DIGITS) }
        : null,
      ...this.#asking.answered(),
    };
  }
}

/** Month by month, rounded as one fixed list; whoever is observed beyond the last month is no longer observed after it. */
function stepsOf(rounding: Rounding, rows: readonly OutcomeRow[], months: number): readonly Step[] {
  const cells = Array.from({ length: (months + 1) * outcomes.length }, () => 0);
  for (const { months: time, outcome, people } of rows) {
    const at = time > months ? cells.length - 1 : time * outcomes.length + outcomes.indexOf(outcome);
    cells[at] = (cells[at] ?? 0) + people;
  }
  const rounded = rounding.cells(cells);
  return Array.from({ length: months + 1 }, (_, time) => {
    const [events = 0, competing = 0, censored = 0] = rounded.slice(time * outcomes.length);
    return { time, events, competing, censored };
  });
}

function curveOf(
  rounding: Rounding,
  curve: readonly SurvivalPoint[],
  cohortId: CohortId | null,
): SurvivalAnalysis['curves'][number] {
  const people = curve[0]?.atRisk ?? 0;
  let events = 0;
  const months = curve.map((point) => {
    events += point.events;
    // Before enough people have had the event, the curve would tell of the few.
    const isTold = rounding.shown(point.atRisk) !== null && (events === 0 || rounding.shown(events) !== null);
    const cases = events;
    const figure = (value: number): number | null => (isTold ? rounding.figure(value, DIGITS) : null);
    const interval = (estimate: number, bounds: Bounds, method: Telling['method']): ConfidenceInterval | null =>
      isTold && cases > 0 && Number.isFinite(bounds.low)
        ? toInterval(rounding, { estimate, ...bounds }, { cases, method, digits: DIGITS })
        : null;
    return {
      month: point.time,
      at_risk: rounding.shown(point.atRisk),
      events: rounding.shown(point.events),
      competing_events: rounding.shown(point.competing),
      censored: rounding.shown(point.censored),
      survival: figure(point.survival),
      survival_interval: interval(point.survival, point.survivalBounds, 'greenwood_log_log'),
      cumulative_incidence: figure(point.incidence),
      cumulative_incidence_interval: interval(point.incidence, point.incidenceBounds, 'jackknife_log_log'),
    };
  });
  const isTold = rounding.shown(people) !== null && rounding.shown(events) !== null;
  return {
    cohort_id: cohortId,
    people: rounding.shown(people),
    median_months: isTold ? (curve.find(({ survival }) => survival <= 0.5)?.time ?? null) : null,
    months,
  };
}
