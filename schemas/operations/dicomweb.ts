import { defineOperations, type Operation, type Parameter, type QueryParameter, type SchemaOf } from '../operation.ts';
import type { JsonSchema } from '../platform/json-schema.ts';
import { lookErrors, query, since, uploadErrors } from './imaging.ts';
import { pathId } from './parameters.ts';

const web = '/dicomweb/studies';
const webSeries = `${web}/{study_uid}/series/{series_uid}`;
const webInstance = `${webSeries}/instances/{instance_uid}`;
const webFrames = `${webInstance}/frames/{frames}`;
const studyUid = pathId('study_uid', 'Study Instance UID.');
const seriesUid = pathId('series_uid', 'Series Instance UID.');
const webIds = [studyUid, seriesUid, pathId('instance_uid', 'SOP Instance UID.')] as const;

/** Attributes can be named by keyword, as below, or by tag, as 00100020; of several ones each must match. */
const attributes = {
  pattern: '^([A-Za-z][A-Za-z0-9]{1,63}|[0-9A-Fa-f]{8})(\\.([A-Za-z][A-Za-z0-9]{1,63}|[0-9A-Fa-f]{8})){0,8}$',
  countMax: 60,
} as const;

function uids(name: string): string {
  return `${name}, or several joined by commas.`;
}

const studyUidQuery = query('StudyInstanceUID', uids('This study'), { type: 'string', maxLength: 8000 });
const seriesUidQuery = query('SeriesInstanceUID', uids('This series'), { type: 'string', maxLength: 8000 });

/** Attributes of studies that QIDO-RS matches by (PS3.18, table 10.6.1-5). */
const studyQuery = [
  query('PatientID', 'The patient’s identifier in the file; * and ? are wildcards.', {
    type: 'string',
    maxLength: 64,
  }),
  query('PatientName', 'The patient’s name in the file; * and ? are wildcards, and capitals do not matter.', {
    type: 'string',
    maxLength: 64,
  }),
  query('StudyDate', 'The day, or the first and the last joined by a hyphen: 20231001-20231031.', {
    type: 'string',
    pattern: '^(\\d{8}|\\d{8}-|-\\d{8}|\\d{8}-\\d{8})$',
  }),
  query('AccessionNumber', 'The accession number.', { type: 'string', maxLength: 64 }),
  query('ModalitiesInStudy', 'A modality that the study has, or several: MR,CT.', { type: 'string', maxLength: 200 }),
  query('StudyTime', 'The time, or the first and the last joined by a hyphen: 0800-1200.', {
    type: 'string',
    maxLength: 40,
  }),
  query('StudyDescription', 'What the file calls the study; * and ? are wildcards.', {
    type: 'string',
    maxLength: 256,
  }),
  query('StudyID', 'The number of the study.', { type: 'string', maxLength: 64 }),
  query('ReferringPhysicianName', 'Who asked for it; * and ? are wildcards.', { type: 'string', maxLength: 256 }),
  query('PatientBirthDate', 'The day of birth, or a range.', { type: 'string', maxLength: 17 }),
  query('PatientSex', 'The sex in the file: M, F or O.', { type: 'string', maxLength: 16 }),
] as const;

const seriesQuery = [
  query('Modality', 'The modality of the series, or several: MR,CT.', { type: 'string', maxLength: 200 }),
  query('SeriesDescription', 'What the file calls the series; * and ? are wildcards.', {
    type: 'string',
    maxLength: 256,
  }),
  query('SeriesDate', 'The day of the series, or a range.', { type: 'string', maxLength: 17 }),
  query('PerformedProcedureStepStartDate', 'The day on which it was begun, or a range.', {
    type: 'string',
    maxLength: 17,
  }),
  query('SeriesNumber', 'The number of the series.', {
    type: 'integer',
    minimum: -2_147_483_648,
    maximum: 2_147_483_647,
  }),
] as const;

const instanceQuery = [
  query('SOPInstanceUID', uids('This instance'), { type: 'string', maxLength: 8000 }),
  query('SOPClassUID', uids('Of this SOP class'), { type: 'string', maxLength: 8000 }),
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
    query('limit', `Most ${what} answered; never more than 200, which a Warning tells.`, {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      default: 100,
    }),
    query('offset', 'How many to leave out.', { type: 'integer', minimum: 0, maximum: 100_000, default: 0 }),
    {
      ...query(
        'includefield',
        'Attributes wanted beside the required ones, or all; may be repeated. What is kept of it is answered always.',
        { type: 'string', maxLength: 1000 },
      ),
      repeatable: true,
    },
    query('fuzzymatching', 'Whether words may begin anywhere in a name, and in any order.', {
      type: 'boolean',
      default: false,
    }),
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
    otherParameters: attributes,
    namesPlaces: true,
    response: {
      status: 200,
      description: `The ${what.split(' ', 1)[0]} in the DICOM JSON model, newest study first. Attributes can be named by tag as well, such as 00100020; those that cannot be matched by are ignored, and a Warning header names them.`,
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
    namesPlaces: true,
    response: {
      status: 200,
      description: 'What was stored, in the DICOM JSON model. When all files are refused, the error of the first.',
      also: { 202: 'Some files were refused: the answer says which, and why.' },
      mediaType: '*/*',
    },
    errors: uploadErrors,
  };
}

const quality = query('quality', 'Of a JPEG, from 1 to 100.', {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  default: 90,
});
const annotation = query(
  'annotation',
  'What is written on the picture: patient, technique, or both joined by a comma.',
  {
    type: 'string',
    pattern: '^(patient|technique)(,(patient|technique))?$',
  },
);
const viewport = query(
  'viewport',
  'Width and height that the picture must fit into; then, if wanted, left, top, width and height of the part that is shown. A negative size mirrors it.',
  {
    type: 'string',
    maxLength: 60,
  },
);
const shownAs = [
  query('window', 'Centre, width and function, joined by commas: 40,400,linear.', {
    type: 'string',
    maxLength: 80,
    pattern: '^-?\\d{1,9}(\\.\\d{1,9})?,\\d{1,9}(\\.\\d{1,9})?(,(linear|linear-exact|sigmoid))?$',
  }),
  viewport,
  quality,
  annotation,
] as const;
const framesInPath = {
  name: 'frames',
  in: 'path',
  description: 'Numbers of frames from 1, joined by commas.',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
} as const;
const frameInPath = { ...framesInPath, description: 'The number of one frame, from 1.' } as const;

function look<const I extends string, const P extends readonly Parameter[]>(
  id: I,
  path: string,
  what: string,
  parameters: P,
): Web<I, P> {
  const isSmall = path.endsWith('/thumbnail');
  return {
    id,
    method: 'GET',
    path,
    category: 'imaging',
    summary: `Look at ${what} as ${isSmall ? 'a small picture' : 'PNG or JPEG'} (WADO-RS)`,
    scope: 'imaging:read',
    since,
    parameters,
    response: {
      status: 200,
      description: isSmall
        ? 'The picture, at most 160 pixels wide and high unless a viewport is named: JPEG, or PNG when Accept prefers it.'
        : 'The first frame: JPEG, or PNG when Accept prefers it.',
      mediaType: '*/*',
    },
    errors: lookErrors,
  };
}

/** A parameter of the query that must be there. */
function needed<const N extends string, const S extends JsonSchema>(
  name: N,
  description: string,
  schema: S,
): QueryParameter<N, S, true> {
  return { name, in: 'query', description, schema, required: true };
}

/** Images over DICOMweb (PS3.18). */
export const dicomwebOperations = defineOperations([
  {
    id: 'dicomweb.studies.search',
    method: 'GET',
    path: web,
    category: 'imaging',
    summary: 'Search for studies (QIDO-RS)',
    scope: 'imaging:read',
    since,
    parameters: [studyUidQuery, ...studyQuery, ...searchOptions('studies')],
    otherParameters: attributes,
    namesPlaces: true,
    response: {
      status: 200,
      description:
        'The studies in the DICOM JSON model, newest first. Attributes can be named by tag as well, such as 00100020; those that cannot be matched by are ignored, and a Warning header names them.',
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
    namesPlaces: true,
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
    namesPlaces: true,
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
    namesPlaces: true,
    response: { status: 200, description: 'The data set in the DICOM JSON model.', mediaType: '*/*' },
    errors: ['not_found', 'image_unreadable'],
  },
  look('dicomweb.studies.rendered', `${web}/{study_uid}/rendered`, 'a study', [studyUid, ...shownAs]),
  look('dicomweb.studies.thumbnail', `${web}/{study_uid}/thumbnail`, 'a study', [studyUid, viewport]),
  look('dicomweb.series.rendered', `${webSeries}/rendered`, 'a series', [studyUid, seriesUid, ...shownAs]),
  look('dicomweb.series.thumbnail', `${webSeries}/thumbnail`, 'a series', [studyUid, seriesUid, viewport]),
  look('dicomweb.instances.rendered', `${webInstance}/rendered`, 'an instance', [...webIds, ...shownAs]),
  look('dicomweb.instances.thumbnail', `${webInstance}/thumbnail`, 'an instance', [...webIds, viewport]),
  look('dicomweb.frames.rendered', `${webFrames}/rendered`, 'a frame', [...webIds, frameInPath, ...shownAs]),
  look('dicomweb.frames.thumbnail', `${webFrames}/thumbnail`, 'a frame', [...webIds, frameInPath, viewport]),
  {
    id: 'dicomweb.instances.bulkdata',
    method: 'GET',
    path: `${webInstance}/bulkdata/{path}`,
    category: 'imaging',
    summary: 'Retrieve a value that the metadata point at (WADO-RS)',
    scope: 'imaging:read',
    since,
    parameters: [
      ...webIds,
      {
        name: 'path',
        in: 'path',
        description:
          'Where the value is: its tag, within sequences behind theirs and the number of the item from 0, joined by dots.',
        required: true,
        schema: { type: 'string', minLength: 8, maxLength: 300 },
      },
    ],
    response: {
      status: 200,
      description: 'Parts of multipart/related, or the bytes alone when Accept is application/octet-stream.',
      mediaType: '*/*',
    },
    errors: lookErrors,
  },
  {
    id: 'dicomweb.wado',
    method: 'GET',
    path: '/dicomweb/wado',
    category: 'imaging',
    summary: 'Get an instance, or a picture of it (WADO-URI)',
    scope: 'imaging:read',
    since,
    parameters: [
      needed('requestType', 'Always WADO.', { type: 'string', enum: ['WADO'] }),
      needed('studyUID', 'Study Instance UID.', { type: 'string', minLength: 1, maxLength: 64 }),
      needed('seriesUID', 'Series Instance UID.', { type: 'string', minLength: 1, maxLength: 64 }),
      needed('objectUID', 'SOP Instance UID.', { type: 'string', minLength: 1, maxLength: 64 }),
      query('contentType', 'application/dicom, image/jpeg or image/png.', {
        type: 'string',
        maxLength: 200,
        default: 'image/jpeg',
      }),
      query('frameNumber', 'Which frame, from 1.', { type: 'integer', minimum: 1, maximum: 10_000, default: 1 }),
      query('rows', 'Height that the picture must fit into.', { type: 'integer', minimum: 1, maximum: 32_768 }),
      query('columns', 'Width that the picture must fit into.', { type: 'integer', minimum: 1, maximum: 32_768 }),
      query('windowCenter', 'Value in the middle of the window; with windowWidth.', {
        type: 'number',
        minimum: -1e9,
        maximum: 1e9,
      }),
      query('windowWidth', 'Width of the window; with windowCenter.', { type: 'number', minimum: 1, maximum: 1e9 }),
      query('imageQuality', 'Of a JPEG, from 1 to 100.', { type: 'integer', minimum: 1, maximum: 100, default: 90 }),
      annotation,
      query('charset', 'Taken and without effect: a picture has none, and a file has its own.', {
        type: 'string',
        maxLength: 64,
      }),
      query('transferSyntax', 'In what a file is wanted: * for what it is stored in.', {
        type: 'string',
        enum: ['*'],
      }),
    ],
    response: { status: 200, description: 'The file, or the picture.', mediaType: '*/*' },
    errors: lookErrors,
  },
  {
    id: 'dicomweb.frames.retrieve',
    method: 'GET',
    path: webFrames,
    category: 'imaging',
    summary: 'Retrieve frames as bytes (WADO-RS)',
    scope: 'imaging:read',
    since,
    parameters: [...webIds, framesInPath],
    response: {
      status: 200,
      description: 'Parts of multipart/related: decoded, or as stored when Accept names transfer-syntax=*.',
      mediaType: '*/*',
    },
    errors: lookErrors,
  },
]);
