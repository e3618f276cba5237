import { defineOperations } from '../operation.ts';
import { BULK_OPERATION_BYTES_MAX, BULK_OPERATIONS_MAX, bulkModes } from '../resources/bulk.ts';
import { includeImaging } from './parameters.ts';

const mode = {
  name: 'mode',
  in: 'query',
  description: 'Whether the operations stand and fall together, for a body of lines; a JSON body says it itself.',
  schema: { type: 'string', enum: [...bulkModes], default: 'independent' },
} as const;

const elements = { member: 'operations', countMax: BULK_OPERATIONS_MAX, bytesMax: BULK_OPERATION_BYTES_MAX } as const;

const common = {
  method: 'POST',
  since: '2023-04-30',
  parameters: [mode],
  errors: ['body_malformed', 'body_too_large', 'media_type_unsupported', 'validation_failed', 'limit_reached'],
} as const;

const also = {
  202: 'There are many operations: a job carries them out. Content-Location says where to ask for it.',
} as const;

/** Many operations in one request. */
export const bulkOperations = defineOperations([
  {
    ...common,
    id: 'patients.bulk',
    path: '/patients/bulk',
    category: 'patients',
    summary: 'Create, update and delete many patients',
    scope: 'patients:write',
    body: {
      ref: 'PatientBulkRequest',
      mediaType: 'application/json',
      elements: {
        ...elements,
        ref: 'PatientOperation',
        prior: { read: 'patients.get', parameter: 'patient_id', id: 'id', condition: 'if_match' },
      },
    },
    response: { status: 200, description: 'What became of each operation.', ref: 'PatientBulk', also },
  },
  {
    ...common,
    id: 'diagnostics.bulk',
    path: '/diagnostics/bulk',
    category: 'diagnostics',
    summary: 'Analyze many patients; create, update and delete many diagnostic records',
    scope: 'diagnostics:write',
    parameters: [...common.parameters, includeImaging],
    body: {
      ref: 'DiagnosticBulkRequest',
      mediaType: 'application/json',
      elements: {
        ...elements,
        ref: 'DiagnosticOperation',
        prior: { read: 'diagnostics.get', parameter: 'diagnostic_id', id: 'id', condition: 'if_match' },
      },
    },
    response: { status: 200, description: 'What became of each operation.', ref: 'DiagnosticBulk', also },
  },
]);
