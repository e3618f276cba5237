import { defineOperations, type Operation, type Parameter, type QueryParameter, type SchemaOf } from '../operation.ts';
import type { JsonSchema } from '../platform/json-schema.ts';
import { filter, listParameters, partOfBytes, pathId } from './parameters.ts';

const since = '2023-10-15';
const studies = '/imaging/studies';
const study = `${studies}/{study_id}`;
const studyId = pathId('study_id', 'Study identifier.');
const instanceId = pathId('instance_id', 'Instance identifier.');

const web = '/dicomweb/studies';
const webSeries = `${web}/{study_uid}/series/{series_uid}`;
const webInstance = `${webSeries}/instances/{instance_uid}`;
const studyUid = pathId('study_uid', 'Study Instance UID.');
const seriesUid = pathId('series_uid', 'Series Instance UID.');
const webIds = [studyUid, seriesUid, pathId('instance_uid', 'SOP Instance UID.')] as const;
const uploadErrors = [
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
const lookErrors = [
  'not_found',
  'validation_failed',
  // An object without pixels.
  'media_type_unsupported',
  'image_unreadable',
  'image_too_large',
] as const;

function query<const N extends string, const S extends JsonSchema>(
  name: N,
  description: string,
  schema: S,
): QueryParameter<N, S> {
  return { name, in: 'query', description, schema };
}

const shown = [
  query('instance_id', 'Which file; the first one unless it is named.', {
    type: 'string',
    minLength: 1,
    maxLength: 80,
  }),
  query('frame', 'Which frame, from 1.', { type: 'integer', minimum: 1, maximum: 10_000, default: 1 }),
] as const;

const studyUidQuery = query('StudyInstanceUID', 'This study.', { type: 'string', maxLength: 64 });
const seriesUidQuery = query('SeriesInstanceUID', 'This series.', { type: 'string', maxLength: 64 });

/** Attributes of studies that QIDO-RS matches by (PS3.18, table 10.6.1-5). */
const studyQuery = [
  query('PatientID', 'The patient’s identifier in the file, exactly.', { type: 'string', maxLength: 64 }),
  query('PatientName', 'The patient’s name in the file; * stands for any characters.', {
    type: 'string',
    maxLength: 64,
  }),
  query('StudyDate', 'The day, or the first and the last joined by a hyphen: 20231001-20231031.', {
    type: 'string',
    pattern: '^(\\d{8}|\\d{8}-|-\\d{8}|\\d{8}-\\d{8})$',
  }),
  query('AccessionNumber', 'The accession number, exactly.', { type: 'string', maxLength: 16 }),
  query('ModalitiesInStudy', 'A modality that the study has.', { type: 'string', maxLength: 16 }),
] as const;

const seriesQuery = [
  query('Modality', 'The modality of the series.', { type: 'string', maxLength: 16 }),
  query('SeriesNumber', 'The number of the series.', {
    type: 'integer',
    minimum: -2_147_483_648,
    maximum: 2_147_483_647,
  }),
] as const;

const instanceQuery = [
  query('SOPInstanceUID', 'This instance.', { type: 'string', maxLength: 64 }),
  query('SOPClassUID', 'Of this SOP class.', { type: 'string', maxLength: 64 }),
  query('InstanceNumber', 'The number of the instance.', {
    type: 'integer',
    minimum: -2_147_483_648,
    maximum: 2_147_483_647,
  }),
] as const;

/** The parameters of every search. */
type SearchOptions = readonly [
  QueryParameter<'limit', SchemaOf<'integer'>>,
  QueryParameter<'offset', SchemaOf<'integer'>>,
  QueryParameter<'includefield', SchemaOf<'string'>>,
  QueryParameter<'fuzzymatching', SchemaOf<'boolean'>>,
];

/** An operation of DICOMweb. It answers bytes: neither DICOM JSON nor parts of multipart/related are an envelope. */
interface Web<I extends string, P extends readonly Parameter[]> extends Operation {
  readonly id: I;
  readonly parameters: P;
  readonly response: Operation['response'] & { readonly status: 200; readonly mediaType: '*/*' };
}

function searchOptions(what: string): SearchOptions {
  return [
    query('limit', `Most ${what} answered.`, { type: 'integer', minimum: 1, maximum: 200, default: 100 }),
    query('offset', 'How many to leave out.', { type: 'integer', minimum: 0, maximum: 100_000, default: 0 }),
    query(
      'includefield',
      'Attributes wanted beside the required ones, or all; whatever is kept of it is answered always.',
      {
        type: 'string',
        maxLength: 1000,
      },
    ),
    query(
      'fuzzymatching',
      'Whether names may sound alike: not supported, answered by literal matching and a Warning.',
      {
        type: 'boolean',
        default: false,
      },
    ),
  ];
}

function search<const I extends string, const P extends readonly Parameter[]>(
  id: I,
  path: string,
  what: string,
  parameters: P,
): Web<I, P> {
  return {
    id,
    method: 'GET',
    path,
    category: 'imaging',
    summary: `Search for ${what} (QIDO-RS)`,
    scope: 'imaging:read',
    since,
    parameters,
    response: {
      status: 200,
      description: `The ${what.split(' ', 1)[0]} in the DICOM JSON model, newest study first.`,
      also: { 204: 'There are none.' },
      mediaType: '*/*',
    },
    errors: ['validation_failed'],
  };
}

function retrieve<const I extends string, const P extends readonly Parameter[]>(
  id: I,
  path: string,
  what: string,
  parameters: P,
): Web<I, P> {
  return {
    id,
    method: 'GET',
    path,
    category: 'imaging',
    summary: `Retrieve the DICOM files of a ${what} (WADO-RS)`,
    scope: 'imaging:read',
    since,
    parameters,
    response: {
      status: 200,
      description: 'The files as they were stored, as parts of multipart/related.',
      mediaType: '*/*',
    },
    errors: ['not_found'],
  };
}

function store<const I extends string, const P extends readonly Parameter[]>(
  id: I,
  path: string,
  summary: string,
  parameters: P,
): Web<I, P> & { readonly body: { readonly ref: 'DicomInstances'; readonly mediaType: 'multipart/related' } } {
  return {
    id,
    method: 'POST',
    path,
    category: 'imaging',
    summary,
    scope: 'imaging:write',
    since,
    parameters,
    body: { ref: 'DicomInstances', mediaType: 'multipart/related' },
    response: {
      status: 200,
      description: 'What was stored, in the DICOM JSON model. When all files are refused, the error of the first.',
      also: { 202: 'Some files were refused: the answer says which, and why.' },
      mediaType: '*/*',
    },
    errors: uploadErrors,
  };
}

/** Images: files in, pictures and results out; beside them the same over DICOMweb (PS3.18). */
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
    parameters: [studyId],
    response: {
      status: 201,
      description: 'The copy, bound to no patient: PS3.15 Basic Profile, UIDs replaced, pixels untouched.',
      also: { 200: 'The copy that was made before.' },
      ref: 'ImagingStudy',
    },
    errors: [
      'not_found',
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
  {
    id: 'dicomweb.studies.search',
    method: 'GET',
    path: web,
    category: 'imaging',
    summary: 'Search for studies (QIDO-RS)',
    scope: 'imaging:read',
    since,
    parameters: [studyUidQuery, ...studyQuery, ...searchOptions('studies')],
    response: {
      status: 200,
      description: 'The studies in the DICOM JSON model, newest first.',
      also: { 204: 'There are none.' },
      mediaType: '*/*',
    },
    errors: ['validation_failed'],
  },
  search('dicomweb.series.search', '/dicomweb/series', 'series', [
    studyUidQuery,
    ...studyQuery,
    seriesUidQuery,
    ...seriesQuery,
    ...searchOptions('series'),
  ]),
  search('dicomweb.studies.series.search', `${web}/{study_uid}/series`, 'series of a study', [
    studyUid,
    seriesUidQuery,
    ...seriesQuery,
    ...searchOptions('series'),
  ]),
  search('dicomweb.instances.search', '/dicomweb/instances', 'instances', [
    studyUidQuery,
    ...studyQuery,
    seriesUidQuery,
    ...seriesQuery,
    ...instanceQuery,
    ...searchOptions('instances'),
  ]),
  search('dicomweb.studies.instances.search', `${web}/{study_uid}/instances`, 'instances of a study', [
    studyUid,
    seriesUidQuery,
    ...seriesQuery,
    ...instanceQuery,
    ...searchOptions('instances'),
  ]),
  search('dicomweb.series.instances.search', `${webSeries}/instances`, 'instances of a series', [
    studyUid,
    seriesUid,
    ...instanceQuery,
    ...searchOptions('instances'),
  ]),
  retrieve('dicomweb.studies.retrieve', `${web}/{study_uid}`, 'study', [studyUid]),
  retrieve('dicomweb.series.retrieve', webSeries, 'series', [studyUid, seriesUid]),
  {
    id: 'dicomweb.series.metadata',
    method: 'GET',
    path: `${webSeries}/metadata`,
    category: 'imaging',
    summary: 'Get the data sets of a series without pixels (WADO-RS)',
    scope: 'imaging:read',
    since,
    parameters: [studyUid, seriesUid],
    response: { status: 200, description: 'The data sets in the DICOM JSON model.', mediaType: '*/*' },
    errors: ['not_found', 'image_unreadable'],
  },
  store('dicomweb.studies.store', web, 'Store DICOM files (STOW-RS)', []),
  store('dicomweb.studies.store_into', `${web}/{study_uid}`, 'Store DICOM files of one study (STOW-RS)', [studyUid]),
  {
    id: 'dicomweb.studies.metadata',
    method: 'GET',
    path: `${web}/{study_uid}/metadata`,
    category: 'imaging',
    summary: 'Get the data sets of a study without pixels (WADO-RS)',
    scope: 'imaging:read',
    since,
    parameters: [studyUid],
    response: { status: 200, description: 'The data sets in the DICOM JSON model.', mediaType: '*/*' },
    errors: ['not_found', 'image_unreadable'],
  },
  {
    id: 'dicomweb.instances.retrieve',
    method: 'GET',
    path: webInstance,
    category: 'imaging',
    summary: 'Retrieve a DICOM file (WADO-RS)',
    scope: 'imaging:read',
    since,
    parameters: webIds,
    response: {
      status: 200,
      description: 'The file as it was stored, as the one part of multipart/related.',
      mediaType: '*/*',
    },
    errors: ['not_found'],
  },
  {
    id: 'dicomweb.instances.metadata',
    method: 'GET',
    path: `${webInstance}/metadata`,
    category: 'imaging',
    summary: 'Get the data set of an instance without pixels (WADO-RS)',
    scope: 'imaging:read',
    since,
    parameters: webIds,
    response: { status: 200, description: 'The data set in the DICOM JSON model.', mediaType: '*/*' },
    errors: ['not_found', 'image_unreadable'],
  },
  {
    id: 'dicomweb.instances.rendered',
    method: 'GET',
    path: `${webInstance}/rendered`,
    category: 'imaging',
    summary: 'Look at an instance as PNG or JPEG (WADO-RS)',
    scope: 'imaging:read',
    since,
    parameters: [
      ...webIds,
      query('window', 'Centre, width and function, joined by commas: 40,400,linear.', {
        type: 'string',
        maxLength: 80,
        pattern: '^-?\\d{1,9}(\\.\\d{1,9})?,\\d{1,9}(\\.\\d{1,9})?(,(linear|linear-exact|sigmoid))?$',
      }),
      query('viewport', 'Width and height that the picture must fit into, joined by a comma.', {
        type: 'string',
        maxLength: 20,
        pattern: '^\\d{1,5},\\d{1,5}$',
      }),
    ],
    response: { status: 200, description: 'The first frame: JPEG, or PNG when Accept prefers it.', mediaType: '*/*' },
    errors: lookErrors,
  },
  {
    id: 'dicomweb.frames.retrieve',
    method: 'GET',
    path: `${webInstance}/frames/{frames}`,
    category: 'imaging',
    summary: 'Retrieve frames as bytes (WADO-RS)',
    scope: 'imaging:read',
    since,
    parameters: [
      ...webIds,
      {
        name: 'frames',
        in: 'path',
        description: 'Numbers of frames from 1, joined by commas.',
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: 200 },
      },
    ],
    response: {
      status: 200,
      description: 'Parts of multipart/related: decoded, or as stored when Accept names transfer-syntax=*.',
      mediaType: '*/*',
    },
    errors: lookErrors,
  },
]);
