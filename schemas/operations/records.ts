import type { ErrorCode } from '../errors.ts';
import { defineOperations, type QueryParameter, type SchemaOf } from '../operation.ts';
import { recordTypes } from '../resources/record.ts';
import { filter, listParameters, pathId } from './parameters.ts';

const patientId = pathId('patient_id', 'Patient identifier.');
const recordId = pathId('record_id', 'Record identifier.');
const one = '/patients/{patient_id}/records/{record_id}';

/** A filter whose name is not that of the field it is about. */
function bound<const N extends string>(name: N, description: string): QueryParameter<N, SchemaOf<'string'>> {
  return {
    name,
    in: 'query',
    description,
    schema: { type: 'string', format: 'date-time', maxLength: 40 },
    link: { resource: 'MedicalRecord', role: 'filter', fields: ['effective_at'] },
  };
}

const filters = [
  filter('MedicalRecord', 'type', 'Type of the record.', { type: 'string', enum: [...recordTypes] }),
  filter('MedicalRecord', 'status', 'State of the record.', { type: 'string', minLength: 1, maxLength: 40 }),
  filter('MedicalRecord', 'code.system', 'Code system.', { type: 'string', minLength: 1, maxLength: 200 }),
  filter('MedicalRecord', 'code.code', 'Code, in whichever system unless one is given.', {
    type: 'string',
    minLength: 1,
    maxLength: 64,
  }),
  bound('effective_from', 'Only what was in effect at this instant or later.'),
  bound('effective_to', 'Only what was in effect at this instant or before.'),
] as const;

const sortable = ['created_at', 'updated_at', 'effective_at'];

const writeErrors = [
  'not_found',
  'body_malformed',
  'body_too_large',
  'media_type_unsupported',
  'validation_failed',
  'conflict',
] as const satisfies readonly ErrorCode[];

/** Medical records. */
export const recordOperations = defineOperations([
  {
    id: 'records.list',
    method: 'GET',
    path: '/patients/{patient_id}/records',
    category: 'patients',
    summary: 'List the records of a patient',
    scope: 'patients:read',
    parameters: [patientId, ...listParameters('MedicalRecord', sortable), ...filters],
    response: { status: 200, description: 'A page of records.', ref: 'MedicalRecord.page' },
    errors: ['not_found', 'validation_failed'],
  },
  {
    id: 'records.create',
    method: 'POST',
    path: '/patients/{patient_id}/records',
    category: 'patients',
    summary: 'Add a record to a patient',
    scope: 'patients:write',
    parameters: [patientId],
    body: { ref: 'MedicalRecord.create', mediaType: 'application/json' },
    response: { status: 201, description: 'The record added; Location names it.', ref: 'MedicalRecord' },
    conditional: true,
    errors: [...writeErrors, 'limit_reached'],
  },
  {
    id: 'records.get',
    method: 'GET',
    path: one,
    category: 'patients',
    summary: 'Get a record',
    scope: 'patients:read',
    parameters: [patientId, recordId],
    response: { status: 200, description: 'The record.', ref: 'MedicalRecord' },
    conditional: true,
    errors: ['not_found'],
  },
  {
    id: 'records.replace',
    method: 'PUT',
    path: one,
    category: 'patients',
    summary: 'Correct a record as a whole; what it said before is kept',
    scope: 'patients:write',
    parameters: [patientId, recordId],
    body: { ref: 'MedicalRecord.replace', mediaType: 'application/json' },
    response: { status: 200, description: 'The record as it is now.', ref: 'MedicalRecord' },
    conditional: true,
    update: { read: 'records.get', patch: 'records.update', mode: 'replace' },
    errors: [...writeErrors, 'precondition_failed'],
  },
  {
    id: 'records.update',
    method: 'PATCH',
    path: one,
    category: 'patients',
    summary: 'Correct parts of a record; what it said before is kept',
    scope: 'patients:write',
    parameters: [patientId, recordId],
    body: { ref: 'MedicalRecord.patch', mediaType: 'application/merge-patch+json' },
    response: { status: 200, description: 'The record as it is now.', ref: 'MedicalRecord' },
    conditional: true,
    update: { read: 'records.get', patch: 'records.update', mode: 'patch' },
    errors: [...writeErrors, 'precondition_failed'],
  },
  {
    id: 'records.delete',
    method: 'DELETE',
    path: one,
    category: 'patients',
    summary: 'Delete a record',
    scope: 'patients:write',
    parameters: [patientId, recordId],
    response: { status: 204, description: 'The record is deleted; it can be restored.' },
    conditional: true,
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  {
    id: 'records.restore',
    method: 'POST',
    path: `${one}/restore`,
    category: 'patients',
    summary: 'Restore a deleted record',
    scope: 'patients:write',
    parameters: [patientId, recordId],
    response: {
      status: 200,
      description: 'The record as it is now; the same when it was not deleted.',
      ref: 'MedicalRecord',
    },
    conditional: true,
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  {
    id: 'records.history',
    method: 'GET',
    path: `${one}/history`,
    category: 'patients',
    summary: 'List what a record said before and who corrected it',
    scope: 'patients:read',
    parameters: [patientId, recordId, ...listParameters('RecordVersion', ['revision'])],
    response: { status: 200, description: 'A page of versions, newest first.', ref: 'RecordVersion.page' },
    errors: ['not_found', 'validation_failed'],
  },
  {
    id: 'records.query',
    method: 'GET',
    path: '/records',
    category: 'patients',
    summary: 'List records of all patients',
    scope: 'patients:read',
    parameters: [...listParameters('MedicalRecord', sortable), ...filters],
    response: { status: 200, description: 'A page of records.', ref: 'MedicalRecord.page' },
    errors: ['validation_failed'],
  },
  {
    id: 'records.export',
    method: 'GET',
    path: '/records/export',
    category: 'patients',
    summary: 'Export records of all patients, one a line',
    scope: 'patients:read',
    parameters: filters,
    response: {
      status: 200,
      description: 'Every record in the order of identifiers, one JSON object a line.',
      ref: 'MedicalRecord',
      mediaType: 'application/x-ndjson',
    },
    errors: ['validation_failed'],
  },
  {
    id: 'units.convert',
    method: 'GET',
    path: '/units/convert',
    category: 'patients',
    summary: 'Convert a value between UCUM units',
    scope: 'patients:read',
    parameters: [
      {
        name: 'value',
        in: 'query',
        description: 'The number to convert.',
        required: true,
        schema: { type: 'string', pattern: '^[+-]?\\d{1,15}(\\.\\d{1,15})?([eE][+-]?\\d{1,2})?$' },
      },
      {
        name: 'from',
        in: 'query',
        description: 'UCUM unit it is in.',
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: 64 },
      },
      {
        name: 'to',
        in: 'query',
        description: 'UCUM unit it is wanted in.',
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: 64 },
      },
      {
        name: 'code',
        in: 'query',
        description: 'LOINC code of the substance, where mass is converted to moles.',
        schema: { type: 'string', pattern: '^\\d{1,7}-\\d$' },
      },
    ],
    response: { status: 200, description: 'The value in both units.', ref: 'UnitConversion' },
    errors: ['validation_failed'],
  },
]);
