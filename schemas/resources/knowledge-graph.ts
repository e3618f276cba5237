import Type, { type Static } from 'typebox';
import { oneOf, optionalOneOf, optionalText, orNull, ref, reference } from '../fields.ts';
import { entityKinds, KnowledgeItem, KnowledgeSource, knowledgeCertainties } from './knowledge.ts';
import { severities } from './medication.ts';

/** Types of relationships, as a verb between the first entity and the second. */
export const relationshipTypes = [
  'has_finding',
  'raises',
  'treated_by',
  'uses',
  'contains',
  'contraindicated_in',
  'interacts_with',
  'covers',
  'recommends',
  'differential_of',
  'raised_by',
  'is_a',
  'in_class',
  'in_category',
] as const;
/** A type of relationship. */
export type RelationshipType = (typeof relationshipTypes)[number];

/** Most conditions of one differential. */
export const DIFFERENTIAL_CONDITIONS_MAX = 10;
/** Longest path that is looked for. */
export const PATH_LENGTH_MAX = 5;
/** Most entities of one subgraph. */
export const SUBGRAPH_ENTITIES_MAX = 500;

const probabilityOrNull = (description: string): Type.TUnsafe<number | null> =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 1, description });
const entityId = (description: string): Type.TString => Type.String({ description, examples: ['condition:asthma'] });
const provenance = {
  knowledge_version: Type.String({ description: 'Version of the knowledge base.' }),
  disclaimer: Type.String({ description: 'What this answer is and is not.' }),
};

/** How two entities are related. */
export const GraphRelationship = Type.Object(
  {
    type: oneOf(relationshipTypes, {
      'x-open': true,
      description: 'How the first is related to the second, as a verb between them.',
    }),
    from: entityId('The first entity.'),
    to: entityId('The second entity.'),
    likelihood: probabilityOrNull(
      'How often it holds: of a finding in a condition, or how alike two conditions look; null where it is no matter of degree.',
    ),
    certainty: optionalOneOf([...knowledgeCertainties, 'established', 'probable', 'suspected', 'theoretical'], {
      'x-open': true,
      description: 'How sure it is; null where that is not judged.',
    }),
    severity: optionalOneOf(severities, {
      'x-open': true,
      description: 'How bad it is; null where nothing bad is stated.',
    }),
    explanation: optionalText(4000, { description: 'Why, or what to do; null where the type says it all.' }),
    derived: Type.Boolean({ description: 'Whether it was worked out from other statements and is nobody’s own.' }),
    sources: Type.Array(ref(KnowledgeSource), { description: 'Where it was published; empty where it was derived.' }),
  },
  { $id: 'GraphRelationship', title: 'GraphRelationship', description: 'How two entities are related.' },
);
/** How two entities are related. */
export type GraphRelationship = Static<typeof GraphRelationship>;

/** How many relationships of one type an entity has. */
export const GraphDegree = Type.Object(
  {
    type: oneOf(relationshipTypes, { 'x-open': true, description: 'Type of relationship.' }),
    direction: oneOf(['out', 'in'], { description: '`out`: the entity is the first; `in`: it is the second.' }),
    count: Type.Integer({ minimum: 1, description: 'How many.' }),
  },
  { $id: 'GraphDegree', title: 'GraphDegree', description: 'How many relationships of one type an entity has.' },
);

/** An entity with the number of its relationships. */
export const GraphEntity = Type.Object(
  {
    item: ref(KnowledgeItem),
    degrees: Type.Array(ref(GraphDegree), { description: 'What relationships it has.' }),
  },
  { $id: 'GraphEntity', title: 'GraphEntity', description: 'An entity of the knowledge graph.' },
);
/** An entity with the number of its relationships. */
export type GraphEntity = Static<typeof GraphEntity>;

/** An entity beside another. */
export const GraphNeighbour = Type.Object(
  {
    entity: ref(KnowledgeItem),
    direction: oneOf(['out', 'in'], { description: '`out`: the neighbour is the second of the relationship.' }),
    relationship: ref(GraphRelationship),
  },
  { $id: 'GraphNeighbour', title: 'GraphNeighbour', description: 'An entity beside another, and how.' },
);
/** An entity beside another. */
export type GraphNeighbour = Static<typeof GraphNeighbour>;

/** A way from one entity to another. */
export const GraphPath = Type.Object(
  {
    length: Type.Integer({ minimum: 0, description: 'How many relationships it has.' }),
    entities: Type.Array(ref(KnowledgeItem), { description: 'The entities on the way, both ends included.' }),
    relationships: Type.Array(ref(GraphRelationship), {
      description: 'What leads from each to the next; followed in either direction.',
    }),
  },
  { $id: 'GraphPath', title: 'GraphPath', description: 'A way from one entity to another.' },
);
/** A way from one entity to another. */
export type GraphPath = Static<typeof GraphPath>;

/** The shortest way, if there is one. */
export const GraphShortestPath = Type.Object(
  {
    path: Type.Unsafe<GraphPath | null>({
      ...orNull(ref(GraphPath)),
      description: 'A shortest way; null when none is short enough.',
    }),
    max_length: Type.Integer({ minimum: 1, description: 'How far was looked.' }),
    knowledge_version: provenance.knowledge_version,
  },
  { $id: 'GraphShortestPath', title: 'GraphShortestPath', description: 'The shortest way between two entities.' },
);
/** The shortest way, if there is one. */
export type GraphShortestPath = Static<typeof GraphShortestPath>;

/** A record of a patient that the graph knows. */
export const GraphRecognized = Type.Object(
  {
    record_id: reference<'rec'>({ description: 'The record.' }),
    type: oneOf(['condition', 'medication', 'allergy'], { 'x-open': true, description: 'Type of the record.' }),
    entity_ids: Type.Array(entityId('An entity.'), { description: 'What it stands for.' }),
    matched_by: oneOf(['code', 'code_category', 'name'], {
      description:
        '`code`: its code, or a code above or below it; `code_category`: another code of the same three characters; `name`: its words.',
    }),
  },
  { $id: 'GraphRecognized', title: 'GraphRecognized', description: 'A record of a patient that the graph knows.' },
);
/** A record of a patient that the graph knows. */
export type GraphRecognized = Static<typeof GraphRecognized>;

/** A record of a patient that the graph does not know. */
export const GraphUnrecognized = Type.Object(
  {
    record_id: reference<'rec'>({ description: 'The record.' }),
    type: oneOf(['condition', 'medication', 'allergy'], { 'x-open': true, description: 'Type of the record.' }),
  },
  {
    $id: 'GraphUnrecognized',
    title: 'GraphUnrecognized',
    description: 'A record of a patient that the graph does not know.',
  },
);

/** What the graph knows around the records of a patient. */
export const PatientGraph = Type.Object(
  {
    patient_id: reference<'pat'>({ description: 'The patient.' }),
    recognized: Type.Array(ref(GraphRecognized), { description: 'Records that stand for entities.' }),
    unrecognized: Type.Array(ref(GraphUnrecognized), {
      description: 'Records that could not be matched: nothing below speaks of them.',
    }),
    entities: Type.Array(ref(KnowledgeItem), {
      maxItems: SUBGRAPH_ENTITIES_MAX,
      description: 'The patient’s own entities first, then what lies beside them.',
    }),
    relationships: Type.Array(ref(GraphRelationship), { description: 'What relates the entities to each other.' }),
    truncated: Type.Boolean({
      description: 'Whether something was left out because of `limit` or the number of records.',
    }),
    ...provenance,
  },
  { $id: 'PatientGraph', title: 'PatientGraph', description: 'What the graph knows around a patient’s records.' },
);
/** What the graph knows around the records of a patient. */
export type PatientGraph = Static<typeof PatientGraph>;

/** Which conditions to tell apart. */
export const DifferentialGraphRequest = Type.Object(
  {
    condition_ids: Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
      minItems: 2,
      maxItems: DIFFERENTIAL_CONDITIONS_MAX,
      uniqueItems: true,
      description: 'Identifiers of conditions.',
      examples: [['asthma', 'copd']],
    }),
    options: Type.Optional(
      Type.Object(
        {
          maxFindings: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Most findings answered.' }),
          ),
        },
        { additionalProperties: false, description: 'Options.' },
      ),
    ),
  },
  {
    $id: 'DifferentialGraphRequest',
    title: 'DifferentialGraphRequest',
    description: 'Which conditions to tell apart.',
    additionalProperties: false,
  },
);
/** Which conditions to tell apart. */
export type DifferentialGraphRequest = Static<typeof DifferentialGraphRequest>;

/** What a finding says about which of the conditions it is. */
export const DifferentialFinding = Type.Object(
  {
    finding: ref(KnowledgeItem),
    shared: Type.Boolean({ description: 'Whether every one of the conditions has it.' }),
    information_bits: Type.Number({
      minimum: 0,
      description:
        'How much knowing whether it is present tells on average, all the conditions being equally likely before, in bits.',
    }),
    likelihoods: Type.Array(
      Type.Object({
        condition_id: Type.String({ description: 'Condition.' }),
        likelihood: Type.Number({ minimum: 0, maximum: 1, description: 'How often the finding is present in it.' }),
        certainty: optionalOneOf(knowledgeCertainties, {
          description: 'How sure that is; null where the rate among all patients stands in.',
        }),
      }),
      { description: 'In the order in which the conditions were asked for.' },
    ),
  },
  {
    $id: 'DifferentialFinding',
    title: 'DifferentialFinding',
    description: 'What a finding says about which of several conditions it is.',
  },
);
/** What a finding says about which of the conditions it is. */
export type DifferentialFinding = Static<typeof DifferentialFinding>;

/** A differential as a part of the graph. */
export const DifferentialGraph = Type.Object(
  {
    conditions: Type.Array(ref(KnowledgeItem), { description: 'The conditions, in the order asked for.' }),
    findings: Type.Array(ref(DifferentialFinding), {
      maxItems: 100,
      description: 'Findings and risk factors: those that separate most come first.',
    }),
    relationships: Type.Array(ref(GraphRelationship), {
      description: 'What relates the conditions to the findings and to each other.',
    }),
    shared_total: Type.Integer({ minimum: 0, description: 'Findings that all the conditions have.' }),
    findings_total: Type.Integer({ minimum: 0, description: 'Findings that any of the conditions has.' }),
    truncated: Type.Boolean({ description: 'Whether there are more findings than were asked for.' }),
    ...provenance,
  },
  { $id: 'DifferentialGraph', title: 'DifferentialGraph', description: 'A differential as a part of the graph.' },
);
/** A differential as a part of the graph. */
export type DifferentialGraph = Static<typeof DifferentialGraph>;

/** What the graph is made of. */
export const KnowledgeGraph = Type.Object(
  {
    entity_kinds: Type.Array(
      Type.Object({
        kind: oneOf(entityKinds, { 'x-open': true, description: 'Kind of entity.' }),
        count: Type.Integer({ minimum: 0, description: 'How many there are.' }),
      }),
      { description: 'Kinds of entities.' },
    ),
    relationship_types: Type.Array(
      Type.Object({
        type: oneOf(relationshipTypes, { 'x-open': true, description: 'Type of relationship.' }),
        meaning: Type.String({ description: 'What it says.' }),
        from_kinds: Type.Array(Type.String(), { description: 'Kinds of the first entity.' }),
        to_kinds: Type.Array(Type.String(), { description: 'Kinds of the second entity.' }),
        count: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description: 'How many there are; null where they are worked out when they are asked for.',
        }),
        in_paths: Type.Boolean({ description: 'Whether paths follow it unless types are named.' }),
      }),
      { description: 'Types of relationships.' },
    ),
    ...provenance,
  },
  { $id: 'KnowledgeGraph', title: 'KnowledgeGraph', description: 'What the knowledge graph is made of.' },
);
/** What the graph is made of. */
export type KnowledgeGraph = Static<typeof KnowledgeGraph>;

/** Every resource of this file. */
export const knowledgeGraphResources = {
  GraphRelationship,
  GraphDegree,
  GraphEntity,
  GraphNeighbour,
  GraphPath,
  GraphShortestPath,
  GraphRecognized,
  GraphUnrecognized,
  PatientGraph,
  DifferentialGraphRequest,
  DifferentialFinding,
  DifferentialGraph,
  KnowledgeGraph,
} as const;
