import type { RelationshipType } from '@perennial/schemas/resources/knowledge-graph.ts';
import { relationshipTypes } from '@perennial/schemas/resources/knowledge-graph.ts';
import { severityRank } from '../../medications/judge.ts';
import { CERTAINTIES, SEVERITIES } from '../../medications/types.ts';
import type { Catalogue, Item } from '../catalogue.ts';
import { Interactions } from './interactions.ts';
import { statementsOf } from './statements.ts';
import { allTypes, type Edge, hasType, type TypeSet, typeRank } from './types.ts';

/** A relationship as seen from one of its ends. */
export interface Link {
  readonly edge: Edge;
  /** The node at the other end. */
  readonly other: number;
}

const CERTAINTY_WORDS = ['high', 'moderate', 'low', ...CERTAINTIES] as const;
/** Stands for null in the columns. */
const NONE = 255;

/**
 * The knowledge graph. Statements are kept as columns of numbers (some 20 bytes each) and the statements at each node
 * as ranges of one list, ordered as neighbours are listed: by type, then the strongest first. Nodes are the
 * catalogue's items. Built once; nothing changes afterwards but what is remembered of interactions.
 */
export class Graph {
  readonly catalogue: Catalogue;
  readonly #interactions: Interactions;
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  readonly #type: Uint8Array;
  readonly #likelihood: Float32Array;
  readonly #certainty: Uint8Array;
  readonly #severity: Uint8Array;
  readonly #rule: ReadonlyMap<number, string>;
  /** Statements at node n: `#at` from `#starts[n]` to `#starts[n + 1]`. */
  readonly #starts: Uint32Array;
  readonly #at: Uint32Array;

  constructor(catalogue: Catalogue) {
    this.catalogue = catalogue;
    this.#interactions = new Interactions(catalogue);
    const edges = ordered(statementsOf(catalogue));
    const { length: count } = edges;
    this.#from = new Uint32Array(count);
    this.#to = new Uint32Array(count);
    this.#type = new Uint8Array(count);
    this.#likelihood = new Float32Array(count).fill(Number.NaN);
    this.#certainty = new Uint8Array(count).fill(NONE);
    this.#severity = new Uint8Array(count).fill(NONE);
    const rules = new Map<number, string>();
    for (let index = 0; index < count; index++) {
      const { from, to, type, likelihood, certainty, severity, rule } = edges[index] as Edge;
      this.#from[index] = from;
      this.#to[index] = to;
      this.#type[index] = typeRank[type];
      if (likelihood !== null) this.#likelihood[index] = likelihood;
      if (certainty !== null) this.#certainty[index] = CERTAINTY_WORDS.indexOf(certainty);
      if (severity !== null) this.#severity[index] = severityRank(severity);
      if (rule !== null) rules.set(index, rule);
    }
    this.#rule = rules;
    const { starts, at } = rangesOf(catalogue.items.length, this.#from, this.#to);
    this.#starts = starts;
    this.#at = at;
  }

  /** The item at a node. */
  item(node: number): Item {
    return this.catalogue.items[node] as Item;
  }

  /** Relationships at a node: by type in the contract's order, the strongest of each first. */
  links(node: number, types: TypeSet = allTypes): Link[] {
    const links: Link[] = [];
    this.eachNeighbour(node, types, (other, statement) => {
      links.push({ edge: this.#edge(statement), other });
    });
    if (hasType(types, 'interacts_with')) links.push(...this.interactionsAt(node));
    return hasType(types, 'interacts_with') ? links.sort((x, y) => rankOf(x.edge) - rankOf(y.edge)) : links;
  }

  /** Calls `visit` with every neighbour by a statement of the types, and the number of the statement. */
  eachNeighbour(node: number, types: TypeSet, visit: (other: number, statement: number) => void): void {
    const end = this.#starts[node + 1] as number;
    for (let at = this.#starts[node] as number; at < end; at++) {
      const statement = this.#at[at] as number;
      if (((types >>> (this.#type[statement] as number)) & 1) === 0) continue;
      const from = this.#from[statement] as number;
      visit(from === node ? (this.#to[statement] as number) : from, statement);
    }
  }

  /** Makes interactions fit for paths; must have ended before `eachSevereInteraction` is called. */
  prepareInteractions(): void {
    this.#interactions.prepareSevere();
  }

  /** Calls `visit` with every medication whose interaction with the one at the node is contraindicated or major. */
  eachSevereInteraction(node: number, visit: (other: number) => void): void {
    for (const other of this.#interactions.severeAt(node)) visit(other);
  }

  /** Interactions of a medication with others, worst first; worked out when first asked for. */
  interactionsAt(node: number): readonly Link[] {
    return this.#interactions.of(this.item(node)).map((edge) => ({ edge, other: edge.to }));
  }

  /** The interaction of two medications, if there is one. */
  interaction(a: number, b: number): Edge | undefined {
    return this.#interactions.between(this.item(a), this.item(b));
  }

  /** What the rules say of an interaction, heaviest first. */
  explainInteraction({ from, to }: Edge): ReturnType<Interactions['explain']> {
    return this.#interactions.explain(this.item(from), this.item(to));
  }

  /** How many statements there are of a type; undefined where they are worked out when asked for. */
  count(type: RelationshipType): number | undefined {
    if (type === 'interacts_with') return undefined;
    const rank = typeRank[type];
    return this.#type.reduce((sum, each) => sum + (each === rank ? 1 : 0), 0);
  }

  #edge(statement: number): Edge {
    const likelihood = this.#likelihood[statement] as number;
    return {
      type: relationshipTypes[this.#type[statement] as number] as RelationshipType,
      from: this.#from[statement] as number,
      to: this.#to[statement] as number,
      // Three decimals were written; single precision keeps more than those.
      likelihood: Number.isNaN(likelihood) ? null : Math.round(likelihood * 10_000) / 10_000,
      certainty: CERTAINTY_WORDS[this.#certainty[statement] as number] ?? null,
      severity: SEVERITIES[this.#severity[statement] as number] ?? null,
      rule: this.#rule.get(statement) ?? null,
    };
  }
}

/** Which statements are at each node: those at node n are `at` from `starts[n]` to `starts[n + 1]`, in their order. */
function rangesOf(nodes: number, from: Uint32Array, to: Uint32Array): { starts: Uint32Array; at: Uint32Array } {
  const starts = new Uint32Array(nodes + 1);
  const ends = [from, to];
  for (const end of ends) for (const node of end) starts[node + 1] = (starts[node + 1] as number) + 1;
  for (let node = 0; node < nodes; node++) starts[node + 1] = (starts[node + 1] as number) + (starts[node] as number);
  const next = starts.slice(0, nodes);
  const at = new Uint32Array(from.length * 2);
  for (let index = 0; index < from.length; index++)
    for (const end of ends) {
      const node = end[index] as number;
      const place = next[node] as number;
      at[place] = index;
      next[node] = place + 1;
    }
  return { starts, at };
}

/** Steps of the likelihood that the order tells apart. */
const STEPS = 16_384;

/** By type in the contract's order, then the worst, then the likeliest: the less, the earlier. */
function rankOf({ type, severity, likelihood }: Edge): number {
  const badness = severity === null ? SEVERITIES.length : severityRank(severity);
  const unlikeliness = Math.round((1 - (likelihood ?? 0)) * (STEPS - 1));
  return (typeRank[type] * (SEVERITIES.length + 1) + badness) * STEPS + unlikeliness;
}

/** The edges by rank, equals as they come. Rank and position are sorted as one number: tens of times faster. */
function ordered(edges: readonly Edge[]): Edge[] {
  const keys = new Float64Array(edges.length);
  for (let index = 0; index < edges.length; index++) keys[index] = rankOf(edges[index] as Edge) * edges.length + index;
  const sorted: Edge[] = [];
  for (const key of keys.sort()) sorted.push(edges[key % edges.length] as Edge);
  return sorted;
}
