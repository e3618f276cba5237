import type { ErrorCode } from '../errors.ts';
import { defineOperations, type QueryParameter, type SchemaOf } from '../operation.ts';
import { diagnosticKinds, diagnosticStatuses } from '../resources/diagnostic.ts';
import { filter, includeImaging, listParameters, pathId } from './parameters.ts';

const diagnosticId = pathId('diagnostic_id', 'Identifier of the diagnostic record.');
const all = '/diagnostics';
const one = '/diagnostics/{diagnostic_id}';
const bodyErrors = [
  'body_malformed',
  'body_too_large',
  'media_type_unsupported',
  'validation_failed',
] as const satisfies readonly ErrorCode[];

/** A filter whose name is not that of the field it is about. */
function bound<const N extends string>(name: N, description: string): QueryParameter<N, SchemaOf<'string'>> {
  return {
    name,
    in: 'query',
    description,
    schema: { type: 'string', format: 'date-time', maxLength: 40 },
    link: { resource: 'DiagnosticRecord', role: 'filter', fields: ['created_at'] },
  };
}

/** Diagnostics. */
export const diagnosticOperations = defineOperations([
  {
    id: 'diagnostics.analyze',
    method: 'POST',
    path: '/diagnostics/analyze',
    category: 'diagnostics',
    summary: 'Analyze symptoms and vital signs',
    scope: 'diagnostics:write',
    parameters: [],
    body: { ref: 'AnalysisRequest', mediaType: 'application/json' },
    response: { status: 200, description: 'The analysis; Location names the record, if it is kept.', ref: 'Analysis' },
    errors: [...bodyErrors, 'not_found'],
  },
  {
    id: 'diagnostics.parse',
    method: 'POST',
    path: '/diagnostics/parse',
    category: 'diagnostics',
    summary: 'Read texts: what was recognised, where, and what was not',
    scope: 'diagnostics:write',
    parameters: [],
    body: { ref: 'ParseRequest', mediaType: 'application/json' },
    response: { status: 200, description: 'What was read.', ref: 'ParsedText' },
    errors: bodyErrors,
  },
  {
    id: 'diagnostics.differential',
    method: 'POST',
    path: '/diagnostics/differential',
    category: 'diagnostics',
    summary: 'Compare conditions, and say what would separate them',
    scope: 'diagnostics:write',
    // Section 9.4 of the specification lists differential diagnosis there.
    since: '2022-11-15',
    parameters: [],
    body: { ref: 'DifferentialRequest', mediaType: 'application/json' },
    response: {
      status: 200,
      description: 'The candidates ranked and compared; Location names the record, if it is kept.',
      ref: 'Differential',
    },
    errors: [...bodyErrors, 'not_found'],
  },
  {
    id: 'diagnostics.stream',
    method: 'POST',
    path: '/diagnostics/stream',
    category: 'diagnostics',
    summary: 'Analyze, and tell each stage as it is completed',
    scope: 'diagnostics:write',
    // Section 9.4 of the specification lists real-time diagnostic streaming there.
    since: '2023-10-15',
    parameters: [],
    body: { ref: 'AnalysisRequest', mediaType: 'application/json' },
    response: {
      status: 200,
      description:
        'Events: `started`, each `finding` and `red_flag` as it is recognised, the `ranking` as it settles, and the `result`, or else an `error`. The same body with Last-Event-ID goes on behind that event.',
      mediaType: 'text/event-stream',
      events: {
        started: 'AnalysisStarted',
        finding: 'RecognizedFinding',
        red_flag: 'RedFlag',
        ranking: 'AnalysisRanking',
        result: 'Analysis',
        error: 'ErrorBody',
      },
    },
    errors: [...bodyErrors, 'not_found'],
  },
  {
    id: 'diagnostics.create',
    method: 'POST',
    path: all,
    category: 'diagnostics',
    summary: 'Analyze, and keep the result as a diagnostic record',
    scope: 'diagnostics:write',
    parameters: [],
    body: { ref: 'DiagnosticRequest', mediaType: 'application/json' },
    response: { status: 201, description: 'The record; Location names it.', ref: 'DiagnosticRecord' },
    conditional: true,
    errors: [...bodyErrors, 'not_found'],
  },
  {
    id: 'diagnostics.list',
    method: 'GET',
    path: all,
    category: 'diagnostics',
    summary: 'List diagnostic records',
    scope: 'diagnostics:read',
    parameters: [
      ...listParameters('DiagnosticRecord', ['created_at', 'updated_at']),
      filter('DiagnosticRecord', 'patient_id', 'Patient they are about.', {
        type: 'string',
        minLength: 1,
        maxLength: 80,
      }),
      filter('DiagnosticRecord', 'kind', 'What they are the result of.', {
        type: 'string',
        enum: [...diagnosticKinds],
      }),
      filter('DiagnosticRecord', 'status', 'State of the record.', {
        type: 'string',
        enum: [...diagnosticStatuses],
      }),
      bound('created_from', 'Only what was made at this instant or later.'),
      bound('created_to', 'Only what was made at this instant or before.'),
      includeImaging,
    ],
    response: { status: 200, description: 'A page of records.', ref: 'DiagnosticRecord.page' },
    errors: ['validation_failed'],
  },
  {
    id: 'diagnostics.get',
    method: 'GET',
    path: one,
    category: 'diagnostics',
    summary: 'Get a diagnostic record',
    scope: 'diagnostics:read',
    parameters: [diagnosticId, includeImaging],
    response: { status: 200, description: 'The record.', ref: 'DiagnosticRecord' },
    conditional: true,
    errors: ['not_found', 'validation_failed'],
  },
  {
    id: 'diagnostics.update',
    method: 'PATCH',
    path: one,
    category: 'diagnostics',
    summary: 'Change the note of a diagnostic record; its result never changes',
    scope: 'diagnostics:write',
    parameters: [diagnosticId, includeImaging],
    body: { ref: 'DiagnosticRecord.patch', mediaType: 'application/merge-patch+json' },
    response: { status: 200, description: 'The record as it is now.', ref: 'DiagnosticRecord' },
    conditional: true,
    update: { read: 'diagnostics.get', patch: 'diagnostics.update', mode: 'patch' },
    errors: [...bodyErrors, 'not_found', 'conflict', 'precondition_failed'],
  },
  {
    id: 'diagnostics.giveFeedback',
    method: 'POST',
    path: `${one}/feedback`,
    category: 'diagnostics',
    summary: 'Accept a result, or override it with a diagnosis of your own',
    scope: 'diagnostics:write',
    parameters: [diagnosticId, includeImaging],
    body: { ref: 'DiagnosticFeedback.create', mediaType: 'application/json' },
    response: { status: 200, description: 'The record as it is now.', ref: 'DiagnosticRecord' },
    conditional: true,
    errors: [...bodyErrors, 'not_found', 'conflict', 'precondition_failed'],
  },
  {
    id: 'diagnostics.delete',
    method: 'DELETE',
    path: one,
    category: 'diagnostics',
    summary: 'Delete a diagnostic record',
    scope: 'diagnostics:write',
    parameters: [diagnosticId, includeImaging],
    response: { status: 204, description: 'The record is deleted; it can be restored.' },
    conditional: true,
    errors: ['not_found', 'validation_failed', 'conflict', 'precondition_failed'],
  },
  {
    id: 'diagnostics.restore',
    method: 'POST',
    path: `${one}/restore`,
    category: 'diagnostics',
    summary: 'Restore a deleted diagnostic record',
    scope: 'diagnostics:write',
    parameters: [diagnosticId, includeImaging],
    response: {
      status: 200,
      description: 'The record as it is now; the same when it was not deleted.',
      ref: 'DiagnosticRecord',
    },
    conditional: true,
    errors: ['not_found', 'validation_failed', 'conflict', 'precondition_failed'],
  },
]);
