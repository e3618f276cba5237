import { defineOperations } from '../operation.ts';
import { jobStates } from '../resources/job.ts';
import { filter, includeImaging, listParameters, pathId } from './parameters.ts';

const jobId = pathId('job_id', 'Job identifier.');

/** Jobs: what is asked for now and done later. A key sees the jobs of the categories that it may read. */
export const jobOperations = defineOperations([
  {
    id: 'jobs.list',
    method: 'GET',
    path: '/jobs',
    category: 'jobs',
    summary: 'List jobs, newest first',
    scope: 'any',
    since: '2023-04-30',
    parameters: [
      ...listParameters('Job', ['created_at']),
      filter('Job', 'state', 'Where the job stands.', { type: 'string', enum: [...jobStates] }),
      filter('Job', 'kind', 'What is done.', { type: 'string', minLength: 1, maxLength: 60 }),
      includeImaging,
    ],
    response: { status: 200, description: 'A page of jobs.', ref: 'Job.page' },
    errors: ['validation_failed'],
  },
  {
    id: 'jobs.get',
    method: 'GET',
    path: '/jobs/{job_id}',
    category: 'jobs',
    summary: 'Read a job and how far it has come',
    scope: 'any',
    since: '2023-04-30',
    parameters: [jobId, includeImaging],
    response: { status: 200, description: 'The job.', ref: 'Job' },
    errors: ['not_found', 'validation_failed'],
  },
  {
    id: 'jobs.cancel',
    method: 'POST',
    path: '/jobs/{job_id}/cancel',
    category: 'jobs',
    summary: 'Cancel a job; what it has done stays done',
    scope: 'any',
    since: '2023-04-30',
    parameters: [jobId, includeImaging],
    response: { status: 200, description: 'The job, cancelled. Nothing more is done.', ref: 'Job' },
    errors: ['not_found', 'validation_failed', 'job_ended'],
  },
  {
    id: 'jobs.result',
    method: 'GET',
    path: '/jobs/{job_id}/result',
    category: 'jobs',
    summary: 'Read what came out of a job, one result a line',
    scope: 'any',
    since: '2023-04-30',
    parameters: [jobId, includeImaging],
    response: {
      status: 200,
      description: 'Every result in the order of what was sent, one JSON object a line.',
      ref: 'JobResult',
      mediaType: 'application/x-ndjson',
    },
    errors: ['not_found', 'validation_failed', 'job_unfinished', 'result_expired'],
  },
]);
