import type { Finding } from '../../knowledge/types.ts';
import type { CompiledCondition } from './model.ts';
import { DURATION_FINDINGS } from './time.ts';

/** Mean likelihood of a finding in the conditions most alike, by the finding; only what the condition itself lacks. */
export type Borrowed = ReadonlyMap<string, number>;

/** A condition and how much it is like another, 0 to 1. */
export interface Neighbour {
  at: number;
  likeness: number;
}

const NEIGHBOURS_MAX = 15;
/** Natural log of the ratio from which a finding says something of a condition. */
const TELLING_MIN = 0.7;
const P_MIN = 0.003;
const BASE_MIN = 0.001;
const TIMES = new Set(DURATION_FINDINGS);

/**
 * The conditions most like each, nearest first: the cosine of what their findings say (the log of each likelihood
 * ratio times the likelihood), so that two that share what is rare elsewhere are near.
 */
export function neighboursOf(
  conditions: readonly CompiledCondition[],
  findings: ReadonlyMap<string, Finding>,
  most: number = NEIGHBOURS_MAX,
): Neighbour[][] {
  const tellings = conditions.map((one) => tellingOf(one, findings));
  const norms = tellings.map((telling) => Math.hypot(...telling.values()));
  const bearing = new Map<string, { at: number; weight: number }[]>();
  for (const [at, telling] of tellings.entries()) {
    for (const [finding, weight] of telling) {
      const known = bearing.get(finding);
      if (known === undefined) bearing.set(finding, [{ at, weight }]);
      else known.push({ at, weight });
    }
  }
  return tellings.map((telling, own) => {
    const likeness = new Float64Array(conditions.length);
    for (const [finding, weight] of telling) {
      for (const other of bearing.get(finding)!) likeness[other.at]! += weight * other.weight;
    }
    const near: Neighbour[] = [];
    for (const [at, product] of likeness.entries()) {
      if (at !== own && product > 0) near.push({ at, likeness: product / (norms[own]! * norms[at]!) });
    }
    return near.sort((a, b) => b.likeness - a.likeness || a.at - b.at).slice(0, most);
  });
}

/** What conditions alike say of the findings that a condition does not list, by its id. */
export function borrowedFromNeighbours(
  conditions: readonly CompiledCondition[],
  findings: ReadonlyMap<string, Finding>,
): Map<string, Borrowed> {
  const near = neighboursOf(conditions, findings);
  return new Map(
    conditions.map(({ condition, likelihoods }, own) => {
      const borrowed = new Map<string, number>();
      const all = near[own]!.reduce((sum, { likeness }) => sum + likeness, 0);
      for (const { at, likeness } of near[own]!) {
        for (const [finding, { p }] of conditions[at]!.likelihoods) {
          if (likelihoods.has(finding) || TIMES.has(finding)) continue;
          borrowed.set(finding, (borrowed.get(finding) ?? 0) + (likeness / all) * p);
        }
      }
      return [condition.id, borrowed];
    }),
  );
}

function tellingOf({ likelihoods }: CompiledCondition, findings: ReadonlyMap<string, Finding>): Map<string, number> {
  const telling = new Map<string, number>();
  for (const [finding, { p }] of likelihoods) {
    if (TIMES.has(finding)) continue;
    const ratio = Math.log(Math.max(P_MIN, p) / Math.max(BASE_MIN, findings.get(finding)!.base_rate));
    if (ratio > TELLING_MIN) telling.set(finding, ratio * p);
  }
  return telling;
}
