import { spend } from '../../compute/work.ts';
import type { Graph, Link } from './graph.ts';
import { hasType, TooBroad, type TypeSet } from './types.ts';

/** A way from one node to another. */
export interface Way {
  /** Both ends included. */
  readonly nodes: readonly number[];
  readonly links: readonly Link[];
}

/** What a question about paths asks for. */
export interface PathQuestion {
  readonly from: number;
  readonly to: number;
  readonly types: TypeSet;
  readonly maxLength: number;
}

/** Most ways that are listed. */
export const PATHS_MAX = 1_000;
/** Relationships that one question may follow, counted each time: some tens of milliseconds. */
const STEPS_MAX = 1_000_000;
const FAR = 255;

/** What one question has cost. */
class Work {
  #steps = 0;

  step(): void {
    this.#steps += 1;
    spend(1);
    if (this.#steps > STEPS_MAX) throw new TooBroad();
  }
}

/**
 * A shortest way, or undefined when none is short enough. Of several, the one that begins with the relationship
 * listed first.
 * @throws TooBroad when too much would have to be followed.
 */
export function shortestPath(graph: Graph, question: PathQuestion): Way | undefined {
  const distances = distancesTo(graph, question, new Work());
  const length = distances[question.from] as number;
  if (length > question.maxLength) return undefined;
  const nodes = [question.from];
  const links: Link[] = [];
  for (let left = length; left > 0; left--) {
    const here = nodes.at(-1) as number;
    const next = pathLinks(graph, here, question.types).find(({ other }) => distances[other] === left - 1) as Link;
    nodes.push(next.other);
    links.push(next);
  }
  return { nodes, links };
}

/**
 * Ways without a node twice, up to a length: shorter ones first, among equals in the order of the relationships.
 * @param most how many to find before stopping.
 * @throws TooBroad when too much would have to be followed.
 */
export function allPaths(graph: Graph, question: PathQuestion, most: number): Way[] {
  const { from, to, maxLength, types } = question;
  const work = new Work();
  const distances = distancesTo(graph, question, work);
  const ways: Way[] = [];
  const nodes = [from];
  const links: Link[] = [];
  const linksAt = new Map<number, readonly Link[]>();
  const linksOf = (node: number): readonly Link[] => {
    const known = linksAt.get(node);
    if (known) return known;
    const found = pathLinks(graph, node, types);
    linksAt.set(node, found);
    return found;
  };
  const walk = (here: number, left: number): void => {
    for (const link of linksOf(here)) {
      if (ways.length >= most) return;
      const { other } = link;
      // Too far to arrive in time, there already, or arriving before the length that is looked for.
      if ((distances[other] as number) > left - 1 || nodes.includes(other) || (other === to && left > 1)) continue;
      work.step();
      nodes.push(other);
      links.push(link);
      if (other === to) ways.push({ nodes: [...nodes], links: [...links] });
      else walk(other, left - 1);
      nodes.pop();
      links.pop();
    }
  };
  for (let length = distances[from] as number; length <= maxLength && ways.length < most; length++) {
    if (length === 0) ways.push({ nodes: [from], links: [] });
    else walk(from, length);
  }
  return ways;
}

/** How far every node is from the end that is asked for; `FAR` beyond the longest way. */
function distancesTo(graph: Graph, { to, types, maxLength }: PathQuestion, work: Work): Uint8Array {
  const distances = new Uint8Array(graph.catalogue.items.length).fill(FAR);
  distances[to] = 0;
  let edge = [to];
  for (let distance = 1; distance <= maxLength && edge.length > 0; distance++) {
    const next: number[] = [];
    const reach = (other: number): void => {
      work.step();
      if (distances[other] !== FAR) return;
      distances[other] = distance;
      next.push(other);
    };
    for (const node of edge) {
      graph.eachNeighbour(node, types, reach);
      if (hasType(types, 'interacts_with')) graph.eachSevereInteraction(node, reach);
    }
    edge = next;
  }
  return distances;
}

/** Relationships at a node that paths follow: of interactions only those that are contraindicated or major. */
function pathLinks(graph: Graph, node: number, types: TypeSet): readonly Link[] {
  const links = graph.links(node, types);
  if (!hasType(types, 'interacts_with')) return links;
  return links.filter(
    ({ edge: { type, severity } }) =>
      type !== 'interacts_with' || severity === 'contraindicated' || severity === 'major',
  );
}
