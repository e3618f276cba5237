import { chiSquaredAbove, Z } from './distributions.ts';
import type { Bounds } from './interval.ts';

/** What happened at one time after the start: people who had the event, a competing one, or were no longer observed. */
export interface Step {
  readonly time: number;
  readonly events: number;
  readonly competing: number;
  readonly censored: number;
}

/** The state after a time. */
export interface SurvivalPoint extends Step {
  /** Observed and without any event just before. */
  readonly atRisk: number;
  /** Kaplan-Meier: share without the event, those who had a competing one being no longer observed. */
  readonly survival: number;
  readonly survivalBounds: Bounds;
  /** Aalen-Johansen: share that has had the event, when a competing one makes it impossible. */
  readonly incidence: number;
  readonly incidenceBounds: Bounds;
}

/**
 * Survival and cumulative incidence after a start. Whoever leaves at a time is still at risk at it.
 * Kaplan EL, Meier P. J Am Stat Assoc 1958;53:457-481, with Greenwood's variance and the interval of log(-log S).
 * Aalen OO, Johansen S. Scand J Stat 1978;5:141-150, with the variance of the infinitesimal jackknife, as `survfit` of
 * R's package survival works it out, and the interval of log(-log F) of Marubini and Valsecchi 1995, section 10.2.
 * @param steps in order of time, each time once.
 */
export function survivalCurve(steps: readonly Step[]): readonly SurvivalPoint[] {
  let atRisk = steps.reduce((all, { events, competing, censored }) => all + events + competing + censored, 0);
  let survival = 1;
  let greenwood = 0;
  let free = 1;
  let incidence = 0;
  const influences = new Influences();
  return steps.map((step) => {
    const { events, competing, censored } = step;
    const here = atRisk;
    atRisk -= events + competing + censored;
    if (here > 0) {
      survival *= 1 - events / here;
      greenwood += events === here ? Number.POSITIVE_INFINITY : events / (here * (here - events));
      influences.pass({ atRisk: here, events, competing, censored, free });
      incidence += (free * events) / here;
      free *= 1 - (events + competing) / here;
    }
    return {
      ...step,
      atRisk: here,
      survival,
      survivalBounds: logLog(survival, Math.sqrt(greenwood)),
      incidence,
      incidenceBounds: logLog(incidence, Math.sqrt(influences.variance()) / incidence),
    };
  });
}

/** Interval of a share by log(-log), from the error of its logarithm. A share of nothing or of all has none. */
function logLog(share: number, error: number): Bounds {
  if (share >= 1 || share <= 0) return { low: share, high: share };
  const spread = (Z * error) / Math.log(share);
  const middle = Math.log(-Math.log(share));
  return { low: Math.exp(-Math.exp(middle - spread)), high: Math.exp(-Math.exp(middle + spread)) };
}

/** How much one person moves the two shares; those who left at the same time for the same reason move them alike. */
interface Influence {
  readonly people: number;
  free: number;
  incidence: number;
}

/** Sum of squares of what each person moves a cumulative incidence by. */
class Influences {
  readonly #gone: Influence[] = [];
  /** Of those who are still observed. */
  #stayed = { free: 0, incidence: 0 };
  #left = 0;

  /** @param step `free` is the share without any event just before. */
  pass(step: Omit<Step, 'time'> & { readonly atRisk: number; readonly free: number }): void {
    const { atRisk, events, competing, censored, free } = step;
    const hazard = events / atRisk;
    const any = (events + competing) / atRisk;
    // Whoever has left before moves the shares only by what they had moved.
    for (const each of this.#gone) {
      each.incidence += each.free * hazard;
      each.free *= 1 - any;
    }
    const moved = (hasEvent: number, hasAny: number): { free: number; incidence: number } => ({
      incidence: this.#stayed.incidence + this.#stayed.free * hazard + (free * (hasEvent - hazard)) / atRisk,
      free: this.#stayed.free * (1 - any) - (free * (hasAny - any)) / atRisk,
    });
    this.#gone.push(
      { people: events, ...moved(1, 1) },
      { people: competing, ...moved(0, 1) },
      { people: censored, ...moved(0, 0) },
    );
    this.#stayed = moved(0, 0);
    this.#left = atRisk - events - competing - censored;
  }

  variance(): number {
    const stayed = this.#left * this.#stayed.incidence ** 2;
    return this.#gone.reduce((sum, { people, incidence }) => sum + people * incidence ** 2, stayed);
  }
}

/** Whether two groups survive alike. */
export interface LogRank {
  readonly chiSquared: number;
  readonly p: number;
}

/**
 * The log-rank test of two groups, of weight one at every time.
 * Mantel N. Evaluation of survival data and two new rank order statistics. Cancer Chemother Rep 1966;50:163-170.
 * Competing events end the time at risk. Both curves have the same times.
 * @returns undefined where nothing can differ.
 */
export function logRank(one: readonly SurvivalPoint[], other: readonly SurvivalPoint[]): LogRank | undefined {
  let difference = 0;
  let variance = 0;
  for (const [at, point] of one.entries()) {
    const beside = other[at];
    if (!beside) continue;
    const atRisk = point.atRisk + beside.atRisk;
    const events = point.events + beside.events;
    if (events === 0 || atRisk < 2) continue;
    const share = point.atRisk / atRisk;
    difference += point.events - events * share;
    variance += (events * share * (1 - share) * (atRisk - events)) / (atRisk - 1);
  }
  if (variance === 0) return undefined;
  const chiSquared = (difference * difference) / variance;
  return { chiSquared, p: chiSquaredAbove(chiSquared, 1) };
}
