import type { Catalogue } from '../catalogue.ts';

/** Two conditions that look alike. */
export interface Likeness {
  readonly a: string;
  readonly b: string;
  /** 0 to 1. */
  readonly score: number;
}

/** Conditions that look most like one are its differential; more than these are no help. */
const NEAREST = 12;
const SCORE_MIN = 0.1;
/** How far a rounded score can lie above the true one. */
const ROUNDING = 0.0005;

/**
 * Pairs of conditions that are told apart with difficulty: each condition with those nearest to it. Likeness is the
 * weighted Jaccard index of what is found in them: the sum over findings of the smaller likelihood over that of the larger,
 * each weighted by how few conditions have the finding (inverse document frequency). How long it has lasted says
 * too little about what it is to count.
 */
export function likenesses({ knowledge, findings }: Catalogue): Likeness[] {
  const { conditions } = knowledge;
  const having = new Map<string, { readonly index: number; readonly p: number }[]>();
  for (const [index, condition] of conditions.entries())
    for (const { finding, p } of condition.findings) {
      if (findings.get(finding)?.category === 'time') continue;
      const list = having.get(finding);
      if (list) list.push({ index, p });
      else having.set(finding, [{ index, p }]);
    }
  const sums = new Float64Array(conditions.length);
  for (const list of having.values()) {
    const weight = weightOf(list.length, conditions.length);
    for (const { index, p } of list) sums[index] = (sums[index] as number) + p * weight;
  }
  const pairs = new Map<number, Likeness>();
  const shared = new Float64Array(conditions.length);
  for (const [index, condition] of conditions.entries()) {
    shared.fill(0);
    for (const { finding, p } of condition.findings) {
      const list = having.get(finding);
      if (!list) continue;
      const weight = weightOf(list.length, conditions.length);
      for (const other of list) shared[other.index] = (shared[other.index] as number) + Math.min(p, other.p) * weight;
    }
    for (const { other, score } of nearest(index, shared, sums)) {
      const [low, high] = index < other ? [index, other] : [other, index];
      const a = conditions[low]?.id as string;
      const b = conditions[high]?.id as string;
      pairs.set(low * conditions.length + high, { a, b, score });
    }
  }
  return [...pairs.values()];
}

/** What knowing a finding is worth when so many conditions have it. */
function weightOf(count: number, all: number): number {
  return Math.log(1 + all / count);
}

function nearest(index: number, shared: Float64Array, sums: Float64Array): { other: number; score: number }[] {
  const found: { other: number; score: number }[] = [];
  let least = SCORE_MIN;
  for (let other = 0; other < shared.length; other++) {
    const common = shared[other] as number;
    if (other === index || common === 0) continue;
    const score = common / ((sums[index] as number) + (sums[other] as number) - common);
    if (score < least) continue;
    found.push({ other, score: Math.round(score * 1000) / 1000 });
    if (found.length <= NEAREST) continue;
    // Nearly all pairs fall to the bar once it is up, so that the list is rarely sorted.
    found.sort((x, y) => y.score - x.score || x.other - y.other).pop();
    least = Math.max(SCORE_MIN, (found.at(-1)?.score ?? 0) - ROUNDING);
  }
  return found;
}
