import type { KnowledgeSource } from '@perennial/schemas/resources/knowledge.ts';
import type { GraphNeighbour, GraphPath, GraphRelationship } from '@perennial/schemas/resources/knowledge-graph.ts';
import type { Catalogue } from '../catalogue.ts';
import { toItem } from '../entries.ts';
import type { Graph, Link } from './graph.ts';
import type { Way } from './paths.ts';
import { sayOfPatientRule } from './statements.ts';
import type { Edge } from './types.ts';

/** The editors of the knowledge base, who state what no publication needs to say. */
const EDITORS = 'editors';

/** A relationship in the shape of the contract. */
export function toRelationship(graph: Graph, edge: Edge): GraphRelationship {
  const { type, from, to, likelihood, certainty, severity } = edge;
  const { explanation, sources } = saidOf(graph, edge);
  return {
    type,
    from: graph.item(from).entity_id,
    to: graph.item(to).entity_id,
    likelihood,
    certainty,
    severity,
    explanation,
    derived: type === 'differential_of',
    sources,
  };
}

export function toNeighbour(graph: Graph, node: number, { edge, other }: Link): GraphNeighbour {
  return {
    entity: toItem(graph.item(other)),
    direction: edge.from === node ? 'out' : 'in',
    relationship: toRelationship(graph, edge),
  };
}

export function toPath(graph: Graph, { nodes, links }: Way): GraphPath {
  return {
    length: links.length,
    entities: nodes.map((node) => toItem(graph.item(node))),
    relationships: links.map(({ edge }) => toRelationship(graph, edge)),
  };
}

interface Said {
  readonly explanation: string | null;
  readonly sources: KnowledgeSource[];
}

/** Why a relationship is stated, and by whom. */
function saidOf(graph: Graph, edge: Edge): Said {
  const { catalogue } = graph;
  const from = graph.item(edge.from);
  const to = graph.item(edge.to);
  const by = (ids: readonly string[], explanation: string | null = null): Said => ({
    explanation,
    sources: ids.map((id) => catalogue.source(id)),
  });
  switch (edge.type) {
    case 'has_finding':
    case 'treated_by':
      return by(catalogue.conditions.get(from.id)?.sources ?? []);
    case 'raises':
      return by(catalogue.conditions.get(to.id)?.sources ?? []);
    case 'covers':
    case 'recommends':
      return by(catalogue.guidelines.get(from.id)?.sources ?? []);
    case 'raised_by': {
      const flag = catalogue.redFlags.get(from.id);
      return by(flag ? [flag.source] : [], flag?.message);
    }
    case 'contraindicated_in': {
      if (edge.rule === null) return by([EDITORS], catalogue.treatments.get(from.id)?.notes ?? null);
      const explanation = sayOfPatientRule(catalogue, edge.rule, from.name);
      return { explanation, sources: sourcesOfPatientRule(catalogue, edge.rule) };
    }
    case 'interacts_with': {
      const findings = graph.explainInteraction(edge);
      const [top] = findings;
      const ids = [...new Set(findings.flatMap(({ sources }) => sources))];
      return {
        explanation: top ? `${top.mechanism} ${top.effect} ${top.management}` : null,
        sources: ids.flatMap((id) => catalogue.medicationSource(id) ?? []),
      };
    }
    case 'differential_of':
      return by([], 'Much of what is found in the one is found in the other.');
    case 'in_category':
    case 'in_class':
    case 'is_a':
    case 'contains':
    case 'uses':
      return by([EDITORS]);
  }
}

function sourcesOfPatientRule(catalogue: Catalogue, id: string): KnowledgeSource[] {
  const found = catalogue.medicationKnowledge.patientRules.find(({ rule }) => rule.id === id);
  return (found?.rule.sources ?? []).flatMap((source) => catalogue.medicationSource(source) ?? []);
}
