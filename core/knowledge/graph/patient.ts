import type { Graph } from './graph.ts';
import type { Recognition } from './recognise.ts';
import { allTypes, type Edge, type TypeSet, typeSet } from './types.ts';

/** Medications of a patient that are judged with each other: as many as one interaction check takes. */
const MEDICATIONS_MAX = 100;
/** Worked out between the medications of a patient only: with all others they are thousands. */
const statedTypes = allTypes & ~typeSet(['interacts_with']);

/** A part of the graph. */
export interface Subgraph {
  readonly nodes: readonly number[];
  readonly edges: readonly Edge[];
  /** Whether nodes were left out for want of room. */
  readonly isTruncated: boolean;
}

/** What part of the graph lies around records. */
export interface Surroundings {
  readonly types: TypeSet;
  /** 0: only what the records stand for; 1: their neighbours too. */
  readonly depth: number;
  /** Most nodes. */
  readonly limit: number;
}

/**
 * The part of the graph around what records stand for: their own nodes with all that relates these to each other, then
 * neighbours by the types asked for, the first of every node before the second of any, so that no long list crowds
 * out the rest. What somebody is allergic to is not taken: it interacts with nothing.
 */
export function around(graph: Graph, recognised: readonly Recognition[], surroundings: Surroundings): Subgraph {
  const { types, depth, limit } = surroundings;
  const all = new Set(recognised.flatMap(({ items }) => items.map(({ index }) => index)));
  const nodes = new Set([...all].slice(0, limit));
  const taken = new Set(
    recognised
      .filter(({ record }) => record.type === 'medication')
      .flatMap(({ items }) => items.map(({ index }) => index)),
  );
  const edges = own(graph, nodes, taken);
  let isTruncated = all.size > nodes.size || taken.size > MEDICATIONS_MAX;
  if (depth > 0) {
    const rows = [...nodes].map((node) => graph.links(node, types & statedTypes));
    const longest = Math.max(0, ...rows.map(({ length }) => length));
    const seen = new Set(edges.map(keyOf));
    for (let place = 0; place < longest; place++)
      for (const row of rows) {
        const link = row[place];
        if (!link) continue;
        if (!nodes.has(link.other) && nodes.size >= limit) {
          isTruncated = true;
          continue;
        }
        nodes.add(link.other);
        if (seen.has(keyOf(link.edge))) continue;
        seen.add(keyOf(link.edge));
        edges.push(link.edge);
      }
  }
  return { nodes: [...nodes], edges, isTruncated };
}

/** What relates nodes to each other. */
function own(graph: Graph, nodes: ReadonlySet<number>, taken: ReadonlySet<number>): Edge[] {
  const edges: Edge[] = [];
  for (const node of nodes)
    for (const { edge, other } of graph.links(node, statedTypes))
      if (edge.from === node && nodes.has(other) && !isOfNotTaken(graph, edge, taken)) edges.push(edge);
  const medications = [...nodes].filter((node) => taken.has(node)).slice(0, MEDICATIONS_MAX);
  for (const [place, a] of medications.entries())
    for (const b of medications.slice(place + 1)) {
      const edge = graph.interaction(a, b);
      if (edge) edges.push(edge);
    }
  return edges;
}

/** Whether it says that a medication is contraindicated that the patient does not take. */
function isOfNotTaken(graph: Graph, { type, from }: Edge, taken: ReadonlySet<number>): boolean {
  return type === 'contraindicated_in' && graph.item(from).kind === 'medication' && !taken.has(from);
}

function keyOf({ type, from, to }: Edge): string {
  return `${type} ${from} ${to}`;
}
