import type { Catalogue, Item } from '../catalogue.ts';
import type { Certainty, Condition } from '../types.ts';

/** What a finding says about which of several conditions it is. */
export interface Separation {
  readonly finding: Item;
  /** Whether every one of the conditions has it. */
  readonly isShared: boolean;
  readonly bits: number;
  /** In the order of the conditions. */
  readonly likelihoods: readonly { readonly p: number; readonly certainty: Certainty | null }[];
}

/**
 * Every finding and risk factor that any of the conditions has, the most telling first. What a finding tells is the
 * mutual information between it and the condition when all are equally likely before: the entropy of its average
 * likelihood less the average of its entropies. Where a condition's file does not name a finding, its rate among all
 * patients stands in, as it does in the engine.
 */
export function separationsOf(catalogue: Catalogue, conditions: readonly Condition[]): Separation[] {
  const stated = conditions.map(
    ({ findings, risk_factors }) => new Map([...findings, ...risk_factors].map((each) => [each.finding, each])),
  );
  const ids = new Set(stated.flatMap((each) => [...each.keys()]));
  return [...ids]
    .map((id): Separation => {
      const base = catalogue.findings.get(id)?.base_rate ?? 0;
      const likelihoods = stated.map((each) => {
        const likelihood = each.get(id);
        return likelihood ? { p: likelihood.p, certainty: likelihood.certainty } : { p: base, certainty: null };
      });
      return {
        finding: catalogue.item('finding', id) as Item,
        isShared: stated.every((each) => each.has(id)),
        bits: Math.round(informationOf(likelihoods.map(({ p }) => p)) * 10_000) / 10_000,
        likelihoods,
      };
    })
    .sort((a, b) => b.bits - a.bits || (a.finding.id < b.finding.id ? -1 : 1));
}

/** Bits that presence or absence tells about which of equally likely causes it is, given its chance under each. */
function informationOf(chances: readonly number[]): number {
  const mean = chances.reduce((sum, p) => sum + p, 0) / chances.length;
  const after = chances.reduce((sum, p) => sum + entropy(p), 0) / chances.length;
  return Math.max(0, entropy(mean) - after);
}

function entropy(p: number): number {
  if (p <= 0 || p >= 1) return 0;
  return -p * Math.log2(p) - (1 - p) * Math.log2(1 - p);
}
