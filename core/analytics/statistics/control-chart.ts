/** A proportion of one period. */
export interface Proportion {
  readonly part: number;
  readonly whole: number;
}

/** What is to be noticed of a period. */
export type Signal = 'beyond_limits' | 'shift';

/** The limits of a period, and what is to be noticed. */
export interface ChartPoint {
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly signals: readonly Signal[];
}

/** How far the limits are from the centre line, in standard errors (Shewhart). */
const LIMIT = 3;
/** Points in a row on one side of the centre line that are no chance. */
const RUN = 8;

/**
 * A p chart with limits for each period.
 * Shewhart WA. Economic Control of Quality of Manufactured Product. 1931; runs of eight: Western Electric,
 * Statistical Quality Control Handbook, 1956, rule 4.
 * @param periods in order of time; undefined where nothing can be told.
 */
export function controlChart(periods: readonly (Proportion | undefined)[]): {
  readonly centre: number | undefined;
  readonly points: readonly ChartPoint[];
} {
  const known = periods.filter((each) => each !== undefined && each.whole > 0) as readonly Proportion[];
  const whole = known.reduce((sum, each) => sum + each.whole, 0);
  if (whole === 0) return { centre: undefined, points: periods.map(() => unknown) };
  const centre = known.reduce((sum, each) => sum + each.part, 0) / whole;
  const sides = periods.map((each) => (each && each.whole > 0 ? Math.sign(each.part / each.whole - centre) : 0));
  const points = periods.map((each, at): ChartPoint => {
    if (!each || each.whole === 0) return unknown;
    const reach = LIMIT * Math.sqrt((centre * (1 - centre)) / each.whole);
    const [low, high] = [Math.max(0, centre - reach), Math.min(1, centre + reach)];
    const share = each.part / each.whole;
    const signals: Signal[] = [];
    if (share < low || share > high) signals.push('beyond_limits');
    if (runAround(sides, at) >= RUN) signals.push('shift');
    return { low, high, signals };
  });
  return { centre, points };
}

const unknown: ChartPoint = { low: undefined, high: undefined, signals: [] };

/** How many places in a row around this one lie on its side. */
function runAround(sides: readonly number[], at: number): number {
  const side = sides[at];
  if (side === 0) return 0;
  let first = at;
  while (first > 0 && sides[first - 1] === side) first -= 1;
  let last = at;
  while (last < sides.length - 1 && sides[last + 1] === side) last += 1;
  return last - first + 1;
}
