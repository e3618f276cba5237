import type { ErrorCode } from '../errors.ts';
import { defineOperations, type QueryParameter } from '../operation.ts';
import type { JsonSchema } from '../platform/json-schema.ts';
import { episodeKinds, followUps, intervals, prevalenceMeasures } from '../resources/analytics.ts';
import { filter, listParameters, pathId } from './parameters.ts';

const cohortId = pathId('cohort_id', 'Cohort identifier.');
const monthSchema = { type: 'string', pattern: '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$' } as const;

/** A parameter that may be left out. */
export function query<const N extends string, const S extends JsonSchema>(
  name: N,
  description: string,
  schema: S,
): QueryParameter<N, S> {
  return { name, in: 'query', description, schema };
}

/** A parameter that must be there. */
export function required<const N extends string, const S extends JsonSchema>(
  name: N,
  description: string,
  schema: S,
): QueryParameter<N, S, true> {
  return { name, in: 'query', description, schema, required: true };
}

/** A cohort's identifier. */
export const cohortSchema = { type: 'string', minLength: 1, maxLength: 80 } as const;
/** Limits an answer to a cohort. */
export const inCohort = query('cohort_id', 'Only patients of this cohort.', cohortSchema);
/** A code of a record. */
export const codeSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  pattern: '^[0-9A-Za-z][0-9A-Za-z.\\-]*$',
} as const;
/** Limits codes to a system. */
export const system = query('system', 'Address of the code system; all of them unless given.', {
  type: 'string',
  minLength: 1,
  maxLength: 200,
});
/** Until when people are observed. */
export const followUp = query(
  'follow_up',
  'Until when a person is observed: `until_now`, or `until_last_record` for people who may have gone elsewhere.',
  { type: 'string', enum: [...followUps], default: 'until_now' },
);
const months = [
  required('from', 'First month, UTC.', monthSchema),
  required('until', 'Last month, UTC; at most 120 periods after the first.', monthSchema),
] as const;
const series = [
  required('code', 'Code of the condition; codes that begin with it count as well.', codeSchema),
  system,
  ...months,
  query('interval', 'Length of a period.', { type: 'string', enum: [...intervals], default: 'month' }),
] as const;
/** Errors of a body. */
export const writeErrors = [
  'body_malformed',
  'body_too_large',
  'media_type_unsupported',
  'validation_failed',
] as const satisfies readonly ErrorCode[];

/** Healthcare analytics: numbers of people, never people. */
export const analyticsOperations = defineOperations([
  {
    id: 'analytics.population',
    method: 'GET',
    path: '/analytics/population',
    category: 'analytics',
    summary: 'Summarise the population by age band, sex and condition',
    scope: 'analytics:read',
    parameters: [
      inCohort,
      query('conditions', 'How many of the most common conditions to list.', {
        type: 'integer',
        minimum: 0,
        maximum: 100,
        default: 20,
      }),
    ],
    response: { status: 200, description: 'The summary.', ref: 'PopulationSummary' },
    errors: ['validation_failed', 'not_found'],
  },
  {
    id: 'analytics.prevalence',
    method: 'GET',
    path: '/analytics/prevalence',
    category: 'analytics',
    summary: 'Prevalence of a condition over time',
    scope: 'analytics:read',
    parameters: [
      ...series,
      query(
        'measure',
        'Which prevalence: had it `ever` by the end of the period, has it at its end (`point`), or had it at any time in it (`period`).',
        { type: 'string', enum: [...prevalenceMeasures], default: 'ever' },
      ),
    ],
    response: { status: 200, description: 'The series.', ref: 'PrevalenceSeries' },
    errors: ['validation_failed'],
  },
  {
    id: 'analytics.incidence',
    method: 'GET',
    path: '/analytics/incidence',
    category: 'analytics',
    summary: 'Incidence of a condition over time',
    scope: 'analytics:read',
    parameters: [
      ...series,
      query('episodes', 'Which episodes `observed_cases` counts: the `first` of a person, or `any`.', {
        type: 'string',
        enum: [...episodeKinds],
        default: 'first',
      }),
      query(
        'washout_months',
        'Months a person must have been observed without the condition before an episode counts as new.',
        { type: 'integer', minimum: 0, maximum: 120, default: 0 },
      ),
      followUp,
    ],
    response: { status: 200, description: 'The series.', ref: 'IncidenceSeries' },
    errors: ['validation_failed'],
  },
  {
    id: 'analytics.riskStratification',
    method: 'GET',
    path: '/analytics/risk-stratification',
    category: 'analytics',
    summary: 'Stratify patients by the Charlson comorbidity index',
    scope: 'analytics:read',
    parameters: [inCohort],
    response: { status: 200, description: 'The distribution of the score.', ref: 'RiskStratification' },
    errors: ['validation_failed', 'not_found'],
  },
  {
    id: 'analytics.observationTrend',
    method: 'GET',
    path: '/analytics/observation-trend',
    category: 'analytics',
    summary: 'Values of an observation by month',
    scope: 'analytics:read',
    parameters: [
      required('code', 'Code of the observation, or of one of its components.', codeSchema),
      query('system', 'Address of the code system; LOINC unless given.', {
        type: 'string',
        minLength: 1,
        maxLength: 200,
      }),
      query('unit', 'UCUM unit; the most frequent one unless given.', { type: 'string', minLength: 1, maxLength: 64 }),
      ...months,
    ],
    response: { status: 200, description: 'The trend.', ref: 'ObservationTrend' },
    errors: ['validation_failed'],
  },
  {
    id: 'qualityMeasures.list',
    method: 'GET',
    path: '/analytics/quality-measures',
    category: 'analytics',
    summary: 'List the quality measures',
    scope: 'analytics:read',
    parameters: listParameters('QualityMeasure', ['id', 'title']),
    response: { status: 200, description: 'A page of measures.', ref: 'QualityMeasure.page' },
    errors: ['validation_failed'],
  },
  {
    id: 'qualityMeasures.evaluate',
    method: 'GET',
    path: '/analytics/quality-measures/{measure_id}',
    category: 'analytics',
    summary: 'Evaluate a quality measure',
    scope: 'analytics:read',
    parameters: [
      pathId('measure_id', 'Name of the measure.'),
      inCohort,
      query('month', 'Last of the twelve months looked at, UTC; the current one unless given.', monthSchema),
    ],
    response: { status: 200, description: 'What the measure found.', ref: 'QualityMeasureResult' },
    errors: ['validation_failed', 'not_found'],
  },
  {
    id: 'qualityMeasures.series',
    method: 'GET',
    path: '/analytics/quality-measures/{measure_id}/series',
    category: 'analytics',
    summary: 'A quality measure over time, as a control chart',
    scope: 'analytics:read',
    parameters: [
      pathId('measure_id', 'Name of the measure.'),
      inCohort,
      required('from', 'First month, UTC.', monthSchema),
      required('until', 'Last month, UTC: one that is over, at most 36 periods after the first.', monthSchema),
      query('interval', 'Length of a period.', { type: 'string', enum: [...intervals], default: 'month' }),
    ],
    response: { status: 200, description: 'The measure, period by period.', ref: 'QualityMeasureSeries' },
    errors: ['validation_failed', 'not_found'],
  },
  {
    id: 'cohorts.list',
    method: 'GET',
    path: '/analytics/cohorts',
    category: 'analytics',
    summary: 'List cohorts',
    scope: 'analytics:read',
    parameters: [
      ...listParameters('Cohort', ['created_at', 'updated_at', 'name']),
      filter('Cohort', 'name', 'Part of the name, upper and lower case alike.', {
        type: 'string',
        minLength: 1,
        maxLength: 200,
      }),
    ],
    response: { status: 200, description: 'A page of cohorts.', ref: 'Cohort.page' },
    errors: ['validation_failed'],
  },
  {
    id: 'cohorts.create',
    method: 'POST',
    path: '/analytics/cohorts',
    category: 'analytics',
    summary: 'Save a cohort',
    scope: 'analytics:write',
    parameters: [],
    body: { ref: 'Cohort.create', mediaType: 'application/json' },
    response: { status: 201, description: 'The cohort created; Location names it.', ref: 'Cohort' },
    conditional: true,
    errors: writeErrors,
  },
  {
    id: 'cohorts.compare',
    method: 'POST',
    path: '/analytics/cohorts/compare',
    category: 'analytics',
    summary: 'Compare cohorts',
    scope: 'analytics:read',
    parameters: [],
    body: { ref: 'CohortComparisonRequest', mediaType: 'application/json' },
    response: { status: 200, description: 'The cohorts side by side.', ref: 'CohortComparison' },
    errors: [...writeErrors, 'not_found'],
  },
  {
    id: 'cohorts.get',
    method: 'GET',
    path: '/analytics/cohorts/{cohort_id}',
    category: 'analytics',
    summary: 'Get a cohort',
    scope: 'analytics:read',
    parameters: [cohortId],
    response: { status: 200, description: 'The cohort.', ref: 'Cohort' },
    conditional: true,
    errors: ['not_found', 'precondition_failed'],
  },
  {
    id: 'cohorts.replace',
    method: 'PUT',
    path: '/analytics/cohorts/{cohort_id}',
    category: 'analytics',
    summary: 'Replace a cohort',
    scope: 'analytics:write',
    parameters: [cohortId],
    body: { ref: 'Cohort.replace', mediaType: 'application/json' },
    response: { status: 200, description: 'The cohort as it is now.', ref: 'Cohort' },
    conditional: true,
    update: { read: 'cohorts.get', patch: 'cohorts.update', mode: 'replace' },
    errors: ['not_found', ...writeErrors, 'conflict', 'precondition_failed'],
  },
  {
    id: 'cohorts.update',
    method: 'PATCH',
    path: '/analytics/cohorts/{cohort_id}',
    category: 'analytics',
    summary: 'Update parts of a cohort',
    scope: 'analytics:write',
    parameters: [cohortId],
    body: { ref: 'Cohort.patch', mediaType: 'application/merge-patch+json' },
    response: { status: 200, description: 'The cohort as it is now.', ref: 'Cohort' },
    conditional: true,
    update: { read: 'cohorts.get', patch: 'cohorts.update', mode: 'patch' },
    errors: ['not_found', ...writeErrors, 'conflict', 'precondition_failed'],
  },
  {
    id: 'cohorts.delete',
    method: 'DELETE',
    path: '/analytics/cohorts/{cohort_id}',
    category: 'analytics',
    summary: 'Delete a cohort',
    scope: 'analytics:write',
    parameters: [cohortId],
    response: { status: 204, description: 'The cohort is deleted.' },
    conditional: true,
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
]);
