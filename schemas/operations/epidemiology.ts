import { defineOperations } from '../operation.ts';
import { caseKinds, standards } from '../resources/epidemiology.ts';
import { codeSchema, cohortSchema, followUp, inCohort, query, required, system, writeErrors } from './analytics.ts';

/** Comparisons and survival: what an epidemiologist asks beyond counting. */
export const epidemiologyOperations = defineOperations([
  {
    id: 'analytics.standardisedPrevalence',
    method: 'GET',
    path: '/analytics/standardised-prevalence',
    category: 'analytics',
    summary: 'Prevalence of a condition, crude and standardised by age',
    scope: 'analytics:read',
    parameters: [
      required('code', 'Code of the condition; codes that begin with it count as well.', codeSchema),
      system,
      query('case', 'Who counts as a case: whoever has it now (`present`) or had it `ever`.', {
        type: 'string',
        enum: [...caseKinds],
        default: 'present',
      }),
      inCohort,
      query('reference_cohort_id', 'The cohort it is held against; all patients unless given.', cohortSchema),
      query('standard', 'The standard population.', {
        type: 'string',
        enum: [...standards],
        default: 'who_world_2000',
      }),
    ],
    response: { status: 200, description: 'The figures side by side.', ref: 'StandardisedPrevalence' },
    errors: ['validation_failed', 'not_found'],
  },
  {
    id: 'analytics.survival',
    method: 'GET',
    path: '/analytics/survival',
    category: 'analytics',
    summary: 'Time from one condition to another: survival and cumulative incidence',
    scope: 'analytics:read',
    parameters: [
      required(
        'index_code',
        'Condition whose first record begins the time; codes that begin with it count as well.',
        codeSchema,
      ),
      required('event_code', 'Condition that is waited for; codes that begin with it count as well.', codeSchema),
      query('competing_code', 'Condition after which the event is no longer waited for.', codeSchema),
      system,
      inCohort,
      query('other_cohort_id', 'A second cohort, for a second curve and the log-rank test.', cohortSchema),
      query('months', 'How many months after the index event are looked at.', {
        type: 'integer',
        minimum: 1,
        maximum: 120,
        default: 60,
      }),
      followUp,
    ],
    response: { status: 200, description: 'The curves.', ref: 'SurvivalAnalysis' },
    errors: ['validation_failed', 'not_found'],
  },
  {
    id: 'cohorts.contrast',
    method: 'POST',
    path: '/analytics/cohorts/contrast',
    category: 'analytics',
    summary: 'Hold one cohort against another in an outcome',
    scope: 'analytics:read',
    parameters: [],
    body: { ref: 'CohortContrastRequest', mediaType: 'application/json' },
    response: { status: 200, description: 'Effects, and how alike the cohorts are.', ref: 'CohortContrast' },
    errors: [...writeErrors, 'not_found'],
  },
]);
