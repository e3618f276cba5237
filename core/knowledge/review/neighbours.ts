import { type CompiledCondition, modelOf } from '../../diagnostics/engine/model.ts';
import { neighboursOf } from '../../diagnostics/engine/neighbours.ts';
import type { Finding, Knowledge } from '../types.ts';

const NEIGHBOURS = 10;
const SEPARATORS_MAX = 5;
/** Natural log of the ratio of two likelihoods from which a finding tells two conditions apart: about seven to one. */
const TELLING = 2;
const P_MIN = 0.003;

/** A condition that is much like another, and what tells the two apart. */
export interface ComparedNeighbour {
  readonly id: string;
  readonly name: string;
  /** 0 to 1. */
  readonly likeness: number;
  /** The findings that tell them apart, the most telling first. */
  readonly separators: readonly Separator[];
}

export interface Separator {
  readonly finding: string;
  readonly name: string;
  /** Likelihood in the condition and in the neighbour. */
  readonly p: readonly [number, number];
}

/** A condition, how much is listed of it, and its ten nearest neighbours. */
export interface Neighbourhood {
  readonly id: string;
  readonly name: string;
  readonly listed: number;
  readonly neighbours: readonly ComparedNeighbour[];
}

/**
 * For each condition its ten nearest neighbours and the findings that tell them apart. A finding that one of them does
 * not list has the likelihood that it has in anybody.
 */
export function neighbourhoods(knowledge: Knowledge): Neighbourhood[] {
  const { conditions, findings } = modelOf(knowledge);
  const near = neighboursOf(conditions, findings, NEIGHBOURS);
  return conditions.map((own, at) => ({
    id: own.condition.id,
    name: own.condition.name,
    listed: own.condition.findings.filter(({ finding }) => findings.get(finding)?.category !== 'time').length,
    neighbours: near[at]!.map((neighbour) => {
      const other = conditions[neighbour.at]!;
      return {
        id: other.condition.id,
        name: other.condition.name,
        likeness: Math.round(neighbour.likeness * 1000) / 1000,
        separators: separatorsOf(own, other, findings),
      };
    }),
  }));
}

function separatorsOf(
  own: CompiledCondition,
  other: CompiledCondition,
  findings: ReadonlyMap<string, Finding>,
): Separator[] {
  const ids = new Set([...own.likelihoods.keys(), ...other.likelihoods.keys()]);
  const found: { separator: Separator; weight: number }[] = [];
  for (const id of ids) {
    const finding = findings.get(id)!;
    if (finding.category === 'time') continue;
    const here = own.likelihoods.get(id)?.p ?? finding.base_rate;
    const there = other.likelihoods.get(id)?.p ?? finding.base_rate;
    const ratio = Math.abs(Math.log(Math.max(P_MIN, here) / Math.max(P_MIN, there)));
    if (ratio < TELLING) continue;
    found.push({
      separator: { finding: id, name: finding.name, p: [here, there] },
      weight: ratio * Math.max(here, there),
    });
  }
  found.sort((a, b) => b.weight - a.weight || (a.separator.finding < b.separator.finding ? -1 : 1));
  return found.slice(0, SEPARATORS_MAX).map(({ separator }) => separator);
}
