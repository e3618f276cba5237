import type { JsonSchema } from '../json-schema.ts';
import type { Operation, Parameter } from '../operation.ts';
import { triageLevels } from '../resources/analysis.ts';
import { findingCategories, knowledgeKinds, treatmentKinds } from '../resources/knowledge.ts';
import { filter, listParameters, pathId } from './parameters.ts';

const text = (maxLength: number): JsonSchema => ({ type: 'string', minLength: 1, maxLength });
const word = text(80);

/** A filter whose name is not that of the field it is about. */
function about(resource: string, field: string, name: string, description: string, schema: JsonSchema): Parameter {
  return { name, in: 'query', description, schema, link: { resource, role: 'filter', fields: [field] } };
}

/** Pages of what has an order of its own. */
function pageParameters(resource: string): readonly Parameter[] {
  return listParameters(resource, []).filter(({ name }) => name !== 'sort');
}

interface Kind {
  readonly resource: string;
  /** Name of the category in operation ids. */
  readonly id: string;
  readonly path: string;
  readonly parameter: string;
  readonly one: string;
  readonly many: string;
  readonly sortable: readonly string[];
  readonly filters: readonly Parameter[];
}

const name = (resource: string, field = 'name'): Parameter =>
  filter(resource, field, 'Part of it, without regard to case and accents.', text(100));

const kinds: readonly Kind[] = [
  {
    resource: 'KnowledgeCondition',
    id: 'knowledgeConditions',
    path: '/knowledge/conditions',
    parameter: 'condition_id',
    one: 'condition',
    many: 'conditions',
    sortable: ['name', 'id'],
    filters: [
      name('KnowledgeCondition'),
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
  },
  {
    resource: 'KnowledgeFinding',
    id: 'knowledgeFindings',
    path: '/knowledge/findings',
    parameter: 'finding_id',
    one: 'finding',
    many: 'findings',
    sortable: ['name', 'id'],
    filters: [
      name('KnowledgeFinding'),
      filter('KnowledgeFinding', 'category', 'What it is.', { type: 'string', enum: [...findingCategories] }),
      filter('KnowledgeFinding', 'region', 'Region of the body, or group.', word),
    ],
  },
  {
    resource: 'KnowledgeTreatment',
    id: 'knowledgeTreatments',
    path: '/knowledge/treatments',
    parameter: 'treatment_id',
    one: 'treatment',
    many: 'treatments',
    sortable: ['name', 'id'],
    filters: [
      name('KnowledgeTreatment'),
      filter('KnowledgeTreatment', 'kind', 'Kind of treatment.', { type: 'string', enum: [...treatmentKinds] }),
      about('KnowledgeTreatment', 'conditions', 'condition_id', 'Condition that it is usual for.', word),
    ],
  },
  {
    resource: 'KnowledgeMedication',
    id: 'knowledgeMedications',
    path: '/knowledge/medications',
    parameter: 'medication_id',
    one: 'medication',
    many: 'medications',
    sortable: ['name', 'id'],
    filters: [
      name('KnowledgeMedication'),
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
  },
  {
    resource: 'KnowledgeGuideline',
    id: 'knowledgeGuidelines',
    path: '/knowledge/guidelines',
    parameter: 'guideline_id',
    one: 'guideline',
    many: 'guidelines',
    sortable: ['title', 'id'],
    filters: [
      name('KnowledgeGuideline', 'title'),
      filter('KnowledgeGuideline', 'specialty', 'Specialty.', word),
      about('KnowledgeGuideline', 'conditions', 'condition_id', 'Condition that it covers.', word),
    ],
  },
  {
    resource: 'KnowledgeRedFlag',
    id: 'knowledgeRedFlags',
    path: '/knowledge/red-flags',
    parameter: 'red_flag_id',
    one: 'red-flag rule',
    many: 'red-flag rules',
    sortable: ['name', 'id'],
    filters: [
      name('KnowledgeRedFlag'),
      filter('KnowledgeRedFlag', 'urgency', 'How soon.', { type: 'string', enum: ['emergency', 'urgent'] }),
      about('KnowledgeRedFlag', 'when', 'finding_id', 'Finding that can raise it.', word),
    ],
  },
];

const reads: readonly Operation[] = kinds.flatMap(
  ({ resource, id, path, parameter, one, many, sortable, filters }): readonly Operation[] => [
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
  ],
);

/** The knowledge base. ETags name its version: an answer stays fresh until the knowledge changes. */
export const knowledgeOperations: readonly Operation[] = [
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
      ...pageParameters('KnowledgeMatch'),
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
      ...pageParameters('KnowledgeRelated'),
    ],
    response: { status: 200, description: 'A page of related entries.', ref: 'KnowledgeRelated.page' },
    conditional: true,
    errors: ['not_found', 'validation_failed'],
  },
];
