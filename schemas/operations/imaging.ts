import { defineOperations, type QueryParameter } from '../operation.ts';
import type { JsonSchema } from '../platform/json-schema.ts';
import { filter, listParameters, partOfBytes, pathId } from './parameters.ts';

/** The release that brought imaging. */
export const since = '2023-10-15';
const studies = '/imaging/studies';
const study = `${studies}/{study_id}`;
const studyId = pathId('study_id', 'Study identifier.');
const instanceId = pathId('instance_id', 'Instance identifier.');

/** What can be wrong with a file that is stored. */
export const uploadErrors = [
  'body_malformed',
  'body_too_large',
  'media_type_unsupported',
  'validation_failed',
  'image_unreadable',
  'image_too_large',
  'instance_exists',
  'limit_reached',
  'storage_full',
] as const;
/** What can be wrong with a picture of a file. */
export const lookErrors = [
  'not_found',
  'validation_failed',
  // An object without pixels.
  'media_type_unsupported',
  'image_unreadable',
  'image_too_large',
] as const;

/** A parameter of the query. */
export function query<const N extends string, const S extends JsonSchema>(
  name: N,
  description: string,
  schema: S,
): QueryParameter<N, S> {
  return { name, in: 'query', description, schema };
}

/** Options of the profile of PS3.15, annex E. */
const deidentifyOptions = [
  query('dates', 'What becomes of dates when the identity is removed: all of a patient are shifted alike.', {
    type: 'string',
    enum: ['remove', 'shift', 'retain'],
    default: 'remove',
  }),
  query('retain_characteristics', 'Whether age, sex, size and weight stay when the identity is removed.', {
    type: 'boolean',
    default: false,
  }),
  query('retain_device', 'Whether it stays which device made it when the identity is removed.', {
    type: 'boolean',
    default: false,
  }),
  query('retain_institution', 'Whether it stays where it was made when the identity is removed.', {
    type: 'boolean',
    default: false,
  }),
  query(
    'clean_descriptions',
    'Whether descriptions keep the words of radiology, and no others, in place of being removed.',
    {
      type: 'boolean',
      default: false,
    },
  ),
  query('clean_pixels', 'Whether lines of print in the picture are blanked when the identity is removed.', {
    type: 'boolean',
    default: false,
  }),
] as const;

const shown = [
  query('instance_id', 'Which file; the first one unless it is named.', {
    type: 'string',
    minLength: 1,
    maxLength: 80,
  }),
  query('frame', 'Which frame, from 1.', { type: 'integer', minimum: 1, maximum: 10_000, default: 1 }),
] as const;

/** Images: files in, pictures and results out. */
export const imagingOperations = defineOperations([
  {
    id: 'imaging.studies.list',
    method: 'GET',
    path: studies,
    category: 'imaging',
    summary: 'List imaging studies',
    scope: 'imaging:read',
    since,
    parameters: [
      ...listParameters('ImagingStudy', ['created_at', 'updated_at', 'study_date']),
      filter('ImagingStudy', 'patient_id', 'Of this patient.', { type: 'string', minLength: 1, maxLength: 80 }),
      filter('ImagingStudy', 'modality', 'Of this modality.', { type: 'string', minLength: 1, maxLength: 16 }),
    ],
    response: { status: 200, description: 'A page of studies.', ref: 'ImagingStudy.page' },
    errors: ['validation_failed'],
  },
  {
    id: 'imaging.studies.create',
    method: 'POST',
    path: studies,
    category: 'imaging',
    summary: 'Upload a DICOM, PNG or JPEG file',
    scope: 'imaging:write',
    since,
    parameters: [
      query('patient_id', 'The patient it is of, where no field of a form says so.', {
        type: 'string',
        minLength: 1,
        maxLength: 80,
      }),
      query('description', 'What to call it, where no field of a form says so.', { type: 'string', maxLength: 1000 }),
      query('deidentify', 'Whether the identity is removed first, where no field of a form says so.', {
        type: 'boolean',
        default: false,
      }),
      ...deidentifyOptions,
      query('retain_uids', 'Whether UIDs stay when the identity is removed.', { type: 'boolean', default: false }),
    ],
    body: { ref: 'ImagingUpload', mediaType: 'multipart/form-data' },
    response: {
      status: 201,
      description: 'The study; Location names it. A file that belongs to a study which is there is added to it.',
      also: { 200: 'The study has the file already.' },
      ref: 'ImagingStudy',
    },
    conditional: true,
    errors: uploadErrors,
  },
  {
    id: 'imaging.studies.get',
    method: 'GET',
    path: study,
    category: 'imaging',
    summary: 'Get an imaging study',
    scope: 'imaging:read',
    since,
    parameters: [studyId],
    response: { status: 200, description: 'The study.', ref: 'ImagingStudy' },
    conditional: true,
    errors: ['not_found'],
  },
  {
    id: 'imaging.studies.update',
    method: 'PATCH',
    path: study,
    category: 'imaging',
    summary: 'Say of whom a study is, or what it is called',
    scope: 'imaging:write',
    since,
    parameters: [studyId],
    body: { ref: 'ImagingStudy.patch', mediaType: 'application/merge-patch+json' },
    response: { status: 200, description: 'The study as it is now.', ref: 'ImagingStudy' },
    conditional: true,
    update: { read: 'imaging.studies.get', patch: 'imaging.studies.update', mode: 'patch' },
    errors: [
      'not_found',
      'body_malformed',
      'body_too_large',
      'media_type_unsupported',
      'validation_failed',
      'conflict',
      'precondition_failed',
    ],
  },
  {
    id: 'imaging.studies.delete',
    method: 'DELETE',
    path: study,
    category: 'imaging',
    summary: 'Delete a study, its files and its results for good',
    scope: 'imaging:write',
    since,
    parameters: [studyId],
    response: { status: 204, description: 'The study is deleted.' },
    conditional: true,
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  {
    id: 'imaging.studies.deidentify',
    method: 'POST',
    path: `${study}/deidentify`,
    category: 'imaging',
    summary: 'Make a copy of a study without what tells who it is of',
    scope: 'imaging:write',
    since,
    parameters: [studyId, ...deidentifyOptions],
    response: {
      status: 201,
      description:
        'The copy, bound to no patient: PS3.15 Basic Profile with the options asked for, UIDs replaced. Its identity_removed is false where text in the picture is suspected and was not blanked. A copy made with other options must be deleted first.',
      also: { 200: 'The copy that was made before.' },
      ref: 'ImagingStudy',
    },
    errors: [
      'not_found',
      'validation_failed',
      'instance_exists',
      'media_type_unsupported',
      'image_unreadable',
      'image_too_large',
      'limit_reached',
      'storage_full',
    ],
  },
  {
    id: 'imaging.studies.preview',
    method: 'GET',
    path: `${study}/preview`,
    category: 'imaging',
    summary: 'Look at a study as a PNG',
    scope: 'imaging:read',
    since,
    parameters: [
      studyId,
      ...shown,
      query('window_center', 'Value in the middle of the window; with window_width.', {
        type: 'number',
        minimum: -1e9,
        maximum: 1e9,
      }),
      query('window_width', 'Width of the window, at least 1; with window_center.', {
        type: 'number',
        minimum: 1,
        maximum: 1e9,
      }),
      query('window_function', 'How the window maps values (PS3.3, C.11.2.1.3).', {
        type: 'string',
        enum: ['linear', 'linear_exact', 'sigmoid'],
        default: 'linear',
      }),
      query('invert', 'Whether black and white are exchanged.', { type: 'boolean', default: false }),
      query('size', 'Longest edge in pixels; a picture is never made larger than it is.', {
        type: 'integer',
        minimum: 16,
        maximum: 8192,
        default: 1024,
      }),
      query('result_id', 'A result of this study whose findings are drawn on it.', {
        type: 'string',
        minLength: 1,
        maxLength: 80,
      }),
    ],
    response: {
      status: 200,
      description: 'The picture, in the window asked for, else in that of the file, else with every value visible.',
      mediaType: 'image/png',
    },
    conditional: true,
    errors: lookErrors,
  },
  {
    id: 'imaging.studies.thumbnail',
    method: 'GET',
    path: `${study}/thumbnail`,
    category: 'imaging',
    summary: 'Look at a study as a small PNG',
    scope: 'imaging:read',
    since,
    parameters: [studyId, ...shown],
    response: { status: 200, description: 'The picture, at most 160 pixels wide and high.', mediaType: 'image/png' },
    conditional: true,
    errors: lookErrors,
  },
  {
    id: 'imaging.studies.analyze',
    method: 'POST',
    path: `${study}/analyze`,
    category: 'imaging',
    summary: 'Analyse an image of a study',
    scope: 'imaging:write',
    since,
    parameters: [studyId],
    body: { ref: 'ImagingAnalysisRequest', mediaType: 'application/json' },
    response: {
      status: 200,
      description: 'The result.',
      also: { 202: 'It takes long: a job does it. Content-Location says where to ask for it.' },
      ref: 'ImagingAnalysisAnswer',
    },
    errors: [
      'not_found',
      'body_malformed',
      'body_too_large',
      'media_type_unsupported',
      'validation_failed',
      'image_unreadable',
      'image_too_large',
      'limit_reached',
    ],
  },
  {
    id: 'imaging.instances.list',
    method: 'GET',
    path: `${study}/instances`,
    category: 'imaging',
    summary: 'List the files of a study',
    scope: 'imaging:read',
    since,
    parameters: [studyId, ...listParameters('ImagingInstance', ['created_at', 'instance_number'])],
    response: { status: 200, description: 'A page of instances.', ref: 'ImagingInstance.page' },
    errors: ['not_found', 'validation_failed'],
  },
  {
    id: 'imaging.instances.download',
    method: 'GET',
    path: `${study}/instances/{instance_id}/content`,
    category: 'imaging',
    summary: 'Download a file of a study, whole or in part',
    scope: 'imaging:read',
    since,
    parameters: [studyId, instanceId],
    response: {
      status: 200,
      description: 'The bytes. The ETag is strong: it names the content.',
      also: partOfBytes,
      mediaType: '*/*',
    },
    conditional: true,
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
  },
  {
    id: 'imaging.results.list',
    method: 'GET',
    path: `${study}/results`,
    category: 'imaging',
    summary: 'List what analyses of a study have seen',
    scope: 'imaging:read',
    since,
    parameters: [studyId, ...listParameters('DiagnosticRecord', ['created_at', 'updated_at'])],
    response: {
      status: 200,
      description: 'A page of diagnostic records of kind imaging.',
      ref: 'DiagnosticRecord.page',
    },
    errors: ['not_found', 'validation_failed'],
  },
  {
    id: 'imaging.results.get',
    method: 'GET',
    path: `${study}/results/{result_id}`,
    category: 'imaging',
    summary: 'Get what an analysis of a study has seen',
    scope: 'imaging:read',
    since,
    parameters: [studyId, pathId('result_id', 'Result identifier.')],
    response: { status: 200, description: 'The diagnostic record.', ref: 'DiagnosticRecord' },
    conditional: true,
    errors: ['not_found'],
  },
  {
    id: 'imaging.results.picture',
    method: 'GET',
    path: `${study}/results/{result_id}/picture`,
    category: 'imaging',
    summary: 'Look at an image with the places of what was found drawn on it',
    scope: 'imaging:read',
    since,
    parameters: [
      studyId,
      pathId('result_id', 'Result identifier.'),
      query('size', 'Longest edge in pixels; a picture is never made larger than it is.', {
        type: 'integer',
        minimum: 16,
        maximum: 8192,
        default: 1024,
      }),
    ],
    response: {
      status: 200,
      description: 'The frame that was analysed, with the outlines of the findings that have a place.',
      mediaType: 'image/png',
    },
    conditional: true,
    errors: lookErrors,
  },
]);
