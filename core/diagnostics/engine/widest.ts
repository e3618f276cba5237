/** A stretch of text, end exclusive. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Those that lie within no other of their group: of two at the same place, the one that comes first. Takes time by the
 * number of them, times its logarithm, however they lie.
 * @param groupOf two are compared only where this is the same.
 */
export function widestOf<T extends Stretch>(all: readonly T[], groupOf: (one: T) => string): T[] {
  const groups = new Map<string, number[]>();
  all.forEach((one, at) => {
    const key = groupOf(one);
    const group = groups.get(key);
    if (group) group.push(at);
    else groups.set(key, [at]);
  });
  const inner = new Set<number>();
  for (const group of groups.values()) {
    group.sort((a, b) => all[a]!.start - all[b]!.start || all[b]!.end - all[a]!.end || a - b);
    // Whatever could hold the next one stands before it: it holds it when it ends no earlier.
    let reach = Number.NEGATIVE_INFINITY;
    for (const at of group) {
      const { end } = all[at]!;
      if (end <= reach) inner.add(at);
      else reach = end;
    }
  }
  return inner.size === 0 ? [...all] : all.filter((_, at) => !inner.has(at));
}

/** Position of the first of a rising list that is not below the value; the list's length where all are. */
export function firstFrom(rising: readonly number[], value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Tells whether a stretch lies within one of these. */
export function coverOf(all: readonly Stretch[]): (one: Stretch) => boolean {
  const sorted = [...all].sort((a, b) => a.start - b.start);
  const starts = sorted.map(({ start }) => start);
  let reach = Number.NEGATIVE_INFINITY;
  const reaches = sorted.map(({ end }) => {
    reach = Math.max(reach, end);
    return reach;
  });
  return ({ start, end }) => {
    const before = firstFrom(starts, start + 1);
    return before > 0 && reaches[before - 1]! >= end;
  };
}
