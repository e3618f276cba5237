import type { ErrorCode } from '../errors.ts';
import { defineOperations, type QueryParameter, type SchemaOf, type WordOf } from '../operation.ts';
import type { JsonSchema } from '../platform/json-schema.ts';
import { type EntityKind, entityKinds } from '../resources/knowledge.ts';
import { PATH_LENGTH_MAX, relationshipTypes, SUBGRAPH_ENTITIES_MAX } from '../resources/knowledge-graph.ts';
import { severities } from '../resources/medication.ts';
import { listParameters, pageParameters, pathId } from './parameters.ts';

/** The release whose changelog lists the knowledge graph (specification, section 9.4). */
const since = '2023-04-30';
const graph = '/knowledge/graph';

const entityId = pathId('entity_id', 'Kind and identifier of the entity, with a colon between: `condition:asthma`.');

/** A parameter that selects: a cursor is bound to it. */
function about<const N extends string, const S extends JsonSchema>(
  resource: string,
  field: string,
  name: N,
  description: string,
  schema: S,
): QueryParameter<N, S> {
  return { name, in: 'query', description, schema, link: { resource, role: 'filter', fields: [field] } };
}

const kind = (resource: string, field: string): QueryParameter<'kind', WordOf<EntityKind>> =>
  about(resource, field, 'kind', 'Only entities of this kind.', { type: 'string', enum: [...entityKinds] });

/** `types`: several words with commas between, each one of the types. */
function types(resource: string, field: string, description: string): QueryParameter<'types', SchemaOf<'string'>> {
  const one = `(${relationshipTypes.join('|')})`;
  return about(resource, field, 'types', `${description} Several with commas between.`, {
    type: 'string',
    pattern: `^${one}(,${one}){0,${relationshipTypes.length - 1}}$`,
    maxLength: 300,
    examples: ['has_finding,raises'],
  });
}

const ends = [
  {
    ...about('GraphPath', 'entities', 'from', 'Entity to begin at.', {
      type: 'string',
      minLength: 1,
      maxLength: 80,
      examples: ['condition:asthma'],
    }),
    required: true,
  },
  {
    ...about('GraphPath', 'entities', 'to', 'Entity to end at.', {
      type: 'string',
      minLength: 1,
      maxLength: 80,
      examples: ['medication:salbutamol'],
    }),
    required: true,
  },
  types(
    'GraphPath',
    'relationships',
    'Types of relationships that may be followed; all but `interacts_with`, `in_class` and `in_category` unless given. Of interactions, those that are contraindicated or major are followed.',
  ),
] as const;

const maxLength = (byDefault: number): QueryParameter<'max_length', SchemaOf<'integer'>> =>
  about('GraphPath', 'length', 'max_length', 'Most relationships on the way.', {
    type: 'integer',
    minimum: 1,
    maximum: PATH_LENGTH_MAX,
    default: byDefault,
  });

const readErrors = ['not_found', 'validation_failed'] as const satisfies readonly ErrorCode[];

/** The knowledge graph. */
export const knowledgeGraphOperations = defineOperations([
  {
    id: 'knowledgeGraph.get',
    method: 'GET',
    path: graph,
    category: 'knowledge',
    summary: 'Get what the knowledge graph is made of',
    scope: 'knowledge:read',
    since,
    parameters: [],
    response: { status: 200, description: 'Kinds of entities and types of relationships.', ref: 'KnowledgeGraph' },
    conditional: true,
    errors: [],
  },
  {
    id: 'knowledgeGraph.listEntities',
    method: 'GET',
    path: `${graph}/entities`,
    category: 'knowledge',
    summary: 'List entities of the knowledge graph',
    scope: 'knowledge:read',
    since,
    parameters: [
      kind('KnowledgeItem', 'kind'),
      about('KnowledgeItem', 'name', 'name', 'Part of the name, without regard to case and accents.', {
        type: 'string',
        minLength: 1,
        maxLength: 100,
      }),
      ...listParameters('KnowledgeItem', ['name', 'entity_id']),
    ],
    response: { status: 200, description: 'A page of entities.', ref: 'KnowledgeItem.page' },
    conditional: true,
    errors: ['validation_failed'],
  },
  {
    id: 'knowledgeGraph.getEntity',
    method: 'GET',
    path: `${graph}/entities/{entity_id}`,
    category: 'knowledge',
    summary: 'Get an entity and the number of its relationships',
    scope: 'knowledge:read',
    since,
    parameters: [entityId],
    response: { status: 200, description: 'The entity.', ref: 'GraphEntity' },
    conditional: true,
    errors: ['not_found'],
  },
  {
    id: 'knowledgeGraph.listNeighbours',
    method: 'GET',
    path: `${graph}/entities/{entity_id}/neighbours`,
    category: 'knowledge',
    summary: 'List the neighbours of an entity',
    scope: 'knowledge:read',
    since,
    parameters: [
      entityId,
      types('GraphNeighbour', 'relationship', 'Only by relationships of these types.'),
      kind('GraphNeighbour', 'entity.kind'),
      about('GraphNeighbour', 'direction', 'direction', 'Only relationships in this direction.', {
        type: 'string',
        enum: ['out', 'in'],
      }),
      about('GraphNeighbour', 'relationship.likelihood', 'min_likelihood', 'Only relationships at least as likely.', {
        type: 'number',
        minimum: 0,
        maximum: 1,
      }),
      about('GraphNeighbour', 'relationship.severity', 'min_severity', 'Only relationships at least as severe.', {
        type: 'string',
        enum: severities.filter((each) => each !== 'unknown' && each !== 'none_known'),
      }),
      ...pageParameters,
    ],
    response: {
      status: 200,
      description: 'A page of neighbours: by type of relationship, the strongest first.',
      ref: 'GraphNeighbour.page',
    },
    conditional: true,
    errors: readErrors,
  },
  {
    id: 'knowledgeGraph.shortestPath',
    method: 'GET',
    path: `${graph}/shortest-path`,
    category: 'knowledge',
    summary: 'Find a shortest way between two entities',
    scope: 'knowledge:read',
    since,
    parameters: [...ends, maxLength(PATH_LENGTH_MAX)],
    response: { status: 200, description: 'The way, or null when there is none.', ref: 'GraphShortestPath' },
    conditional: true,
    errors: ['validation_failed'],
  },
  {
    id: 'knowledgeGraph.listPaths',
    method: 'GET',
    path: `${graph}/paths`,
    category: 'knowledge',
    summary: 'List all ways between two entities up to a length, shortest first',
    scope: 'knowledge:read',
    since,
    parameters: [...ends, maxLength(3), ...pageParameters],
    response: {
      status: 200,
      description: 'A page of ways. Pages end at the first thousand; what goes further is refused as too broad.',
      ref: 'GraphPath.page',
    },
    conditional: true,
    errors: ['validation_failed'],
  },
  {
    id: 'knowledgeGraph.patient',
    method: 'GET',
    path: `${graph}/patients/{patient_id}`,
    // Of patients, so that the audit trail has every reading.
    category: 'patients',
    summary: 'Get what the knowledge graph knows around a patient’s records',
    scope: 'patients:read',
    since,
    parameters: [
      pathId('patient_id', 'Patient identifier.'),
      types(
        'PatientGraph',
        'relationships',
        'Relationships by which neighbours are added; `covers` and `treated_by` unless given.',
      ),
      {
        name: 'depth',
        in: 'query',
        description: '0: only what the records stand for; 1: their neighbours too.',
        schema: { type: 'integer', minimum: 0, maximum: 1, default: 1 },
      },
      {
        name: 'limit',
        in: 'query',
        description: 'Most entities.',
        schema: { type: 'integer', minimum: 1, maximum: SUBGRAPH_ENTITIES_MAX, default: 100 },
      },
    ],
    response: { status: 200, description: 'The part of the graph.', ref: 'PatientGraph' },
    errors: readErrors,
  },
  {
    id: 'knowledgeGraph.differential',
    method: 'POST',
    path: `${graph}/differential`,
    category: 'knowledge',
    summary: 'Get what conditions share and what separates them',
    scope: 'knowledge:read',
    since,
    parameters: [],
    body: { ref: 'DifferentialGraphRequest', mediaType: 'application/json' },
    response: { status: 200, description: 'The differential as a part of the graph.', ref: 'DifferentialGraph' },
    errors: ['body_malformed', 'body_too_large', 'media_type_unsupported', 'validation_failed'],
  },
]);
