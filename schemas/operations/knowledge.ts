import {
  defineOperations,
  type Operation,
  type Parameter,
  type PathParameter,
  type QueryParameter,
  type SchemaOf,
} from '../operation.ts';
import type { JsonSchema } from '../platform/json-schema.ts';
import { triageLevels } from '../resources/analysis.ts';
import { findingCategories, knowledgeKinds, treatmentKinds } from '../resources/knowledge.ts';
import { filter, type ListParameters, listParameters, pageParameters, pathId } from './parameters.ts';

const text = (maxLength: number): SchemaOf<'string'> => ({ type: 'string', minLength: 1, maxLength });
const word = text(80);

/** A filter whose name is not that of the field it is about. */
function about<const N extends string, const S extends JsonSchema>(
  resource: string,
  field: string,
  name: N,
  description: string,
  schema: S,
): QueryParameter<N, S> {
  return { name, in: 'query', description, schema, link: { resource, role: 'filter', fields: [field] } };
}

/** A kind of entries that can be listed and read. */
interface Kind {
  readonly resource: string;
  /** Name of the category in operation ids. */
  readonly id: string;
  readonly path: string;
  readonly parameter: string;
  readonly one: string;
  readonly many: string;
  readonly sortable: readonly string[];
}

function named<const N extends string>(resource: string, field: N): QueryParameter<N, SchemaOf<'string'>> {
  return filter(resource, field, 'Part of it, without regard to case and accents.', text(100));
}

/** The list of one kind, and one entry of it. */
type Reads<K extends Kind, F extends readonly Parameter[]> = readonly [
  Operation & {
    readonly id: `${K['id']}.list`;
    readonly parameters: readonly [...ListParameters, ...F];
    readonly response: { readonly status: 200; readonly description: string; readonly ref: `${K['resource']}.page` };
    readonly conditional: true;
    readonly errors: readonly ['validation_failed'];
  },
  Operation & {
    readonly id: `${K['id']}.get`;
    readonly parameters: readonly [PathParameter<K['parameter']>];
    readonly response: { readonly status: 200; readonly description: string; readonly ref: K['resource'] };
    readonly conditional: true;
    readonly errors: readonly ['not_found'];
  },
];

function readsOf<const K extends Kind, const F extends readonly Parameter[]>(
  { resource, id, path, parameter, one, many, sortable }: K,
  filters: F,
): Reads<K, F> {
  return [
    {
      id: `${id}.list`,
      method: 'GET',
      path,
      category: 'knowledge',
      summary: `List ${many}`,
      scope: 'knowledge:read',
      parameters: [...listParameters(resource, sortable), ...filters],
      response: { status: 200, description: `A page of ${many}.`, ref: `${resource}.page` },
      conditional: true,
      errors: ['validation_failed'],
    },
    {
      id: `${id}.get`,
      method: 'GET',
      path: `${path}/{${parameter}}`,
      category: 'knowledge',
      summary: `Get a ${one}`,
      scope: 'knowledge:read',
      parameters: [pathId(parameter, `Identifier of the ${one}.`)],
      response: { status: 200, description: `The ${one}.`, ref: resource },
      conditional: true,
      errors: ['not_found'],
    },
  ];
}
/** Every kind of entries. */
const reads = [
  ...readsOf(
    {
      resource: 'KnowledgeCondition',
      id: 'knowledgeConditions',
      path: '/knowledge/conditions',
      parameter: 'condition_id',
      one: 'condition',
      many: 'conditions',
      sortable: ['name', 'id'],
    },
    [
      named('KnowledgeCondition', 'name'),
      filter('KnowledgeCondition', 'specialty', 'Specialty.', word),
      filter('KnowledgeCondition', 'urgency', 'How soon it should be seen.', {
        type: 'string',
        enum: [...triageLevels],
      }),
      filter('KnowledgeCondition', 'icd10', 'Beginning of an ICD-10 code.', {
        type: 'string',
        pattern: '^[A-Za-z][0-9][0-9A-Za-z]?(\\.[0-9A-Za-z]{0,4})?$',
        maxLength: 8,
        examples: ['J45'],
      }),
      about('KnowledgeCondition', 'findings', 'finding_id', 'Finding or risk factor that it has.', word),
      about('KnowledgeCondition', 'treatments', 'treatment_id', 'Treatment that is usual for it.', word),
    ],
  ),
  ...readsOf(
    {
      resource: 'KnowledgeFinding',
      id: 'knowledgeFindings',
      path: '/knowledge/findings',
      parameter: 'finding_id',
      one: 'finding',
      many: 'findings',
      sortable: ['name', 'id'],
    },
    [
      named('KnowledgeFinding', 'name'),
      filter('KnowledgeFinding', 'category', 'What it is.', { type: 'string', enum: [...findingCategories] }),
      filter('KnowledgeFinding', 'region', 'Region of the body, or group.', word),
    ],
  ),
  ...readsOf(
    {
      resource: 'KnowledgeTreatment',
      id: 'knowledgeTreatments',
      path: '/knowledge/treatments',
      parameter: 'treatment_id',
      one: 'treatment',
      many: 'treatments',
      sortable: ['name', 'id'],
    },
    [
      named('KnowledgeTreatment', 'name'),
      filter('KnowledgeTreatment', 'kind', 'Kind of treatment.', { type: 'string', enum: [...treatmentKinds] }),
      about('KnowledgeTreatment', 'conditions', 'condition_id', 'Condition that it is usual for.', word),
    ],
  ),
  ...readsOf(
    {
      resource: 'KnowledgeMedication',
      id: 'knowledgeMedications',
      path: '/knowledge/medications',
      parameter: 'medication_id',
      one: 'medication',
      many: 'medications',
      sortable: ['name', 'id'],
    },
    [
      named('KnowledgeMedication', 'name'),
      filter('KnowledgeMedication', 'atc', 'Beginning of an ATC code.', {
        type: 'string',
        pattern: '^[A-Za-z]([0-9]{1,2}([A-Za-z]([A-Za-z]([0-9]{1,2})?)?)?)?$',
        maxLength: 7,
        examples: ['C09'],
      }),
      filter('KnowledgeMedication', 'rxnorm', 'RxNorm concept identifier.', {
        type: 'string',
        pattern: '^[1-9][0-9]{0,7}$',
        maxLength: 8,
        examples: ['3407'],
      }),
      about('KnowledgeMedication', 'classes', 'class_id', 'Class that it belongs to.', word),
    ],
  ),
  ...readsOf(
    {
      resource: 'KnowledgeGuideline',
      id: 'knowledgeGuidelines',
      path: '/knowledge/guidelines',
      parameter: 'guideline_id',
      one: 'guideline',
      many: 'guidelines',
      sortable: ['title', 'id'],
    },
    [
      named('KnowledgeGuideline', 'title'),
      filter('KnowledgeGuideline', 'specialty', 'Specialty.', word),
      about('KnowledgeGuideline', 'conditions', 'condition_id', 'Condition that it covers.', word),
    ],
  ),
  ...readsOf(
    {
      resource: 'KnowledgeRedFlag',
      id: 'knowledgeRedFlags',
      path: '/knowledge/red-flags',
      parameter: 'red_flag_id',
      one: 'red-flag rule',
      many: 'red-flag rules',
      sortable: ['name', 'id'],
    },
    [
      named('KnowledgeRedFlag', 'name'),
      filter('KnowledgeRedFlag', 'urgency', 'How soon.', { type: 'string', enum: ['emergency', 'urgent'] }),
      about('KnowledgeRedFlag', 'when', 'finding_id', 'Finding that can raise it.', word),
    ],
  ),
] as const;

/** The knowledge base. ETags name its version: an answer stays fresh until the knowledge changes. */
export const knowledgeOperations = defineOperations([
  {
    id: 'knowledge.get',
    method: 'GET',
    path: '/knowledge',
    category: 'knowledge',
    summary: 'Get what the knowledge base holds, and its version',
    scope: 'knowledge:read',
    parameters: [],
    response: { status: 200, description: 'The knowledge base as a whole.', ref: 'KnowledgeBase' },
    conditional: true,
    errors: [],
  },
  {
    id: 'knowledge.search',
    method: 'GET',
    path: '/knowledge/search',
    category: 'knowledge',
    summary: 'Search everything, best matches first',
    scope: 'knowledge:read',
    parameters: [
      {
        ...about(
          'KnowledgeMatch',
          'item',
          'query',
          'Words or codes. Accents do not matter, words may be cut short, and slips of spelling are forgiven. Entries with all ' +
            'the words are found; where no entry has them all, entries with some. Of more than 16 words the first 16 count.',
          text(200),
        ),
        required: true,
      },
      about('KnowledgeMatch', 'item.kind', 'kind', 'Only entries of this kind.', {
        type: 'string',
        enum: [...knowledgeKinds],
      }),
      ...pageParameters,
    ],
    response: {
      status: 200,
      description: 'A page of matches, in the order of their score.',
      ref: 'KnowledgeMatch.page',
    },
    conditional: true,
    errors: ['validation_failed'],
  },
  ...reads,
  {
    id: 'knowledge.related',
    method: 'GET',
    path: '/knowledge/items/{entity_id}/related',
    category: 'knowledge',
    summary: 'List what has to do with an entry, closest first',
    scope: 'knowledge:read',
    parameters: [
      pathId('entity_id', 'Kind and identifier of the entry, with a colon between: `condition:asthma`.'),
      about('KnowledgeRelated', 'item.kind', 'kind', 'Only entries of this kind.', {
        type: 'string',
        enum: [...knowledgeKinds],
      }),
      ...pageParameters,
    ],
    response: { status: 200, description: 'A page of related entries.', ref: 'KnowledgeRelated.page' },
    conditional: true,
    errors: ['not_found', 'validation_failed'],
  },
]);
