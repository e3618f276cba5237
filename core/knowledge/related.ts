import { type KnowledgeKind, knowledgeKinds } from '@perennial/schemas/resources/knowledge.ts';
import type { RelationshipType } from '@perennial/schemas/resources/knowledge-graph.ts';
import type { Item } from './catalogue.ts';
import type { Graph } from './graph/graph.ts';
import { type Edge, typeSet } from './graph/types.ts';

/** An entry that has to do with another. */
export interface Related {
  readonly item: Item;
  readonly relation: RelationshipType;
  /** 0 to 1. */
  readonly score: number;
  readonly reason: string;
}

/** How much of an interest each relationship is to who reads the entry; times its likelihood where it has one. */
const WEIGHTS = {
  covers: 0.95,
  treated_by: 0.9,
  differential_of: 1,
  has_finding: 0.85,
  raised_by: 0.8,
  uses: 0.75,
  is_a: 0.7,
  raises: 0.65,
  recommends: 0.6,
  contains: 0.5,
  contraindicated_in: 0.45,
} as const satisfies Partial<Record<RelationshipType, number>>;

const kinds: ReadonlySet<string> = new Set(knowledgeKinds);
const relations = typeSet(Object.keys(WEIGHTS) as RelationshipType[]);

/** Entries beside an item in the graph, each once, by its strongest relationship, closest first. */
export function relatedTo(graph: Graph, item: Item, kind: KnowledgeKind | undefined): Related[] {
  const best = new Map<number, Related>();
  for (const { edge, other } of graph.links(item.index, relations)) {
    const neighbour = graph.item(other);
    if (!kinds.has(neighbour.kind) || (kind !== undefined && neighbour.kind !== kind)) continue;
    const weight = WEIGHTS[edge.type as keyof typeof WEIGHTS];
    const score = Math.round(weight * (edge.likelihood ?? 1) * 1000) / 1000;
    const known = best.get(other);
    if (known && known.score >= score) continue;
    best.set(other, { item: neighbour, relation: edge.type, score, reason: reasonOf(graph, edge) });
  }
  return [...best.values()];
}

function reasonOf(graph: Graph, { type, from, to, likelihood }: Edge): string {
  const first = graph.item(from).name;
  const second = graph.item(to).name;
  const share = `${Math.round((likelihood ?? 0) * 100)} %`;
  switch (type) {
    case 'has_finding':
      return `Present in ${share} of patients with ${first}: ${second}.`;
    case 'raises':
      return `In the history of ${share} of patients with ${second}: ${first}.`;
    case 'treated_by':
      return `Usual treatment of ${first}: ${second}.`;
    case 'uses':
      return `${first} is given as ${second}.`;
    case 'contains':
      return `${first} contains ${second}.`;
    case 'contraindicated_in':
      return `Speaks against ${first}, or asks for great care: ${second}.`;
    case 'covers':
      return `Guideline on ${second}: ${first}.`;
    case 'recommends':
      return `Spoken of in the guideline ${first}: ${second}.`;
    case 'differential_of':
      return `${first} and ${second} look alike.`;
    case 'raised_by':
      return `Can be a sign of danger (${first}): ${second}.`;
    case 'is_a':
      return `${first} is a form of ${second}.`;
    case 'in_class':
    case 'in_category':
      return `${first} belongs to ${second}.`;
    case 'interacts_with':
      return `${first} interacts with ${second}.`;
  }
}
