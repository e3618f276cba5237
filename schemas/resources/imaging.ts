import Type, { type Static } from 'typebox';
import {
  identifier,
  oneOf,
  optionalOneOf,
  optionalReference,
  optionalText,
  orNull,
  ref,
  reference,
  type ServerSet,
  serverSet,
  stamp,
} from '../fields.ts';
import { DiagnosticRecord } from './diagnostic.ts';
import { Job } from './job.ts';

const closed = { additionalProperties: false } as const;

/** In what a study came. */
export const imagingSources = ['dicom', 'png', 'jpeg'] as const;

function readOnlyText(description: string, example: string): ServerSet<Type.TUnsafe<string | null>> {
  return serverSet(optionalText(256, { readOnly: true, description, examples: [example] }));
}

function readOnlyUid(description: string): ServerSet<Type.TUnsafe<string | null>> {
  return serverSet(
    optionalText(64, { readOnly: true, description, examples: ['1.2.840.113619.2.55.3.604688119.971'] }),
  );
}

function count(description: string, example: number): ServerSet<Type.TUnsafe<number>> {
  return serverSet(
    Type.Unsafe<number>({ type: 'integer', minimum: 0, readOnly: true, description, examples: [example] }),
  );
}

/** A value of a file that tells who somebody is. */
export const ImagingTag = Type.Object(
  {
    tag: Type.String({ pattern: '^[0-9A-F]{8}$', description: 'The attribute’s tag.', examples: ['00100010'] }),
    keyword: Type.String({ description: 'Its keyword in the data dictionary.', examples: ['PatientName'] }),
    value: Type.String({ maxLength: 256, description: 'Its value in the file.', examples: ['DOE^JANE'] }),
  },
  { $id: 'ImagingTag', title: 'ImagingTag', description: 'A value of a DICOM file that tells who somebody is.' },
);
/** A value of a file that tells who somebody is. */
export type ImagingTag = Static<typeof ImagingTag>;

/** What is known of text in the picture. */
export const BurnedInText = Type.Object(
  {
    suspected: Type.Boolean({
      description:
        'Whether the picture may show text, which can tell who the patient is. De-identification blanks it only when it is asked to. False does not mean that there is none.',
    }),
    declared: optionalOneOf(['yes', 'no'], {
      description: 'What the file says of itself; null where it says nothing.',
    }),
    text_lines: Type.Integer({ minimum: 0, description: 'Lines that look like print, in the first frame.' }),
    reasons: Type.Array(oneOf(['tag', 'modality', 'text_found'], {}), {
      description: 'Why it is suspected: the file says so, its device writes into pictures, print was found.',
    }),
    cleaned: Type.Boolean({
      description:
        'Whether lines of print were looked for in every frame that has its own, and blanked where they were found.',
    }),
  },
  { $id: 'BurnedInText', title: 'BurnedInText', description: 'What is known of text that is part of the picture.' },
);
/** What is known of text in the picture. */
export type BurnedInText = Static<typeof BurnedInText>;

/** Who a study says that it is of. */
export const ImagingIdentity = Type.Object(
  {
    patient_tags: Type.Array(ref(ImagingTag), {
      maxItems: 50,
      description:
        'What the first file says of the patient and of those who treated them. Never used to find a patient.',
    }),
    identity_removed: Type.Boolean({ description: 'Whether the file says that the identity was removed from it.' }),
    burned_in_text: ref(BurnedInText),
  },
  { $id: 'ImagingIdentity', title: 'ImagingIdentity', description: 'Who a study says that it is of.' },
);
/** Who a study says that it is of. */
export type ImagingIdentity = Static<typeof ImagingIdentity>;

/** Images of one examination. */
export const ImagingStudy = Type.Object(
  {
    id: identifier('img', 'Study identifier.'),
    patient_id: optionalReference<'pat'>({
      maxLength: 80,
      description: 'The patient it is of: only what a caller has said, never what the file says.',
      examples: ['pat_8fJ2kQ0aZrT5mWxY7bLc'],
    }),
    description: optionalText(1000, { description: 'What the caller calls it.', examples: ['Chest, follow-up'] }),
    source: serverSet(oneOf(imagingSources, { readOnly: true, description: 'In what it came.' })),
    modality: readOnlyText('DICOM modality.', 'DX'),
    body_part: readOnlyText('Body part examined, as the file says.', 'CHEST'),
    view: readOnlyText('View position, as the file says.', 'PA'),
    laterality: readOnlyText('Side, as the file says.', 'L'),
    study_description: readOnlyText('What the file calls the study.', 'Chest PA'),
    study_date: readOnlyText('Day of the examination, as the file says: YYYY-MM-DD.', '2023-10-15'),
    study_instance_uid: readOnlyUid('Study Instance UID; null where the file has none, and for PNG and JPEG.'),
    instance_count: count('How many files it has.', 1),
    size: count('Size of all files in bytes.', 15_049_212),
    identity: serverSet(
      Type.Unsafe<ImagingIdentity>({
        ...ref(ImagingIdentity),
        readOnly: true,
        description: 'Who the file says that it is of, and whether the picture may say so too.',
      }),
    ),
    created_at: stamp('When it was stored.'),
    updated_at: stamp('When it was last changed.'),
  },
  { $id: 'ImagingStudy', title: 'ImagingStudy', description: 'Images of one examination.' },
);
/** Images of one examination. */
export type ImagingStudy = Static<typeof ImagingStudy>;

/** Which values are shown from black to white. */
export const ImagingWindow = Type.Object(
  {
    center: Type.Number({
      description: 'Value shown in the middle between black and white, after rescale.',
      examples: [40],
    }),
    width: Type.Number({
      minimum: 0,
      description: 'How many values lie between black and white.',
      examples: [400],
    }),
  },
  { $id: 'ImagingWindow', title: 'ImagingWindow', description: 'Which values are shown from black to white.' },
);
/** Which values are shown from black to white. */
export type ImagingWindow = Static<typeof ImagingWindow>;

/** How far pixels are from each other. */
export const PixelSpacing = Type.Object(
  {
    row: Type.Number({ minimum: 0, description: 'Between rows.', examples: [0.143] }),
    column: Type.Number({ minimum: 0, description: 'Between columns.', examples: [0.143] }),
  },
  {
    $id: 'PixelSpacing',
    title: 'PixelSpacing',
    description: 'Distance between the centres of pixels, in millimetres.',
  },
);
/** How far pixels are from each other. */
export type PixelSpacing = Static<typeof PixelSpacing>;

/** One file of a study. */
export const ImagingInstance = Type.Object(
  {
    id: identifier('imi', 'Instance identifier.'),
    study_id: reference<'img'>({ description: 'The study it belongs to.', examples: ['img_8fJ2kQ0aZrT5mWxY7bLc'] }),
    media_type: Type.String({
      description: 'Media type, found out from the content.',
      examples: ['application/dicom'],
    }),
    size: count('Size in bytes.', 15_049_212),
    sha256: serverSet(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        readOnly: true,
        description: 'SHA-256 of the content, in hexadecimal.',
        examples: ['715a44cf4dd6350e3b7d8ec775c36b8000450e1b5387cf672d1a1dfa82c54cc3'],
      }),
    ),
    width: Type.Integer({
      minimum: 0,
      description: 'Width in pixels; 0 for an object without pixels, such as a report.',
      examples: [2500],
    }),
    height: Type.Integer({ minimum: 0, description: 'Height in pixels; 0 without pixels.', examples: [3000] }),
    frames: Type.Integer({ minimum: 0, description: 'How many frames it has; 0 without pixels.', examples: [1] }),
    bits_stored: Type.Integer({ minimum: 0, description: 'Bits of one value; 0 without pixels.', examples: [12] }),
    photometric_interpretation: readOnlyText('How samples make a colour; null for PNG and JPEG.', 'MONOCHROME2'),
    transfer_syntax_uid: readOnlyUid('How the file is written; null for PNG and JPEG.'),
    lossy: Type.Boolean({ description: 'Whether a compression that loses details was used at any time.' }),
    pixel_spacing_mm: Type.Unsafe<PixelSpacing | null>({
      ...orNull(ref(PixelSpacing)),
      description: 'Distance of pixels in millimetres; null where the file does not say.',
    }),
    window: Type.Unsafe<ImagingWindow | null>({
      ...orNull(ref(ImagingWindow)),
      description: 'The window that the file asks for; null where it asks for none.',
    }),
    modality: readOnlyText('DICOM modality.', 'DX'),
    series_number: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Number of its series.' }),
    instance_number: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Its number in the series.',
    }),
    series_instance_uid: readOnlyUid('Series Instance UID.'),
    sop_instance_uid: readOnlyUid('SOP Instance UID.'),
    sop_class_uid: readOnlyUid('SOP Class UID.'),
    created_at: stamp('When it was stored.'),
  },
  { $id: 'ImagingInstance', title: 'ImagingInstance', description: 'One file of a study.' },
);
/** One file of a study. */
export type ImagingInstance = Static<typeof ImagingInstance>;

/** The parts of an upload (multipart/form-data). */
export const ImagingUpload = Type.Object(
  {
    patient_id: Type.Optional(
      reference<'pat'>({ maxLength: 80, description: 'The patient it is of. Comes before the file.' }),
    ),
    description: Type.Optional(optionalText(1000, { description: 'What to call it. Comes before the file.' })),
    deidentify: Type.Optional(
      oneOf(['true', 'false'], {
        description:
          'Whether the identity is removed before anything is kept (DICOM files only; PS3.15 Basic Profile). Comes before the file.',
      }),
    ),
    file: Type.String({ format: 'binary', description: 'The DICOM, PNG or JPEG file; the last part.' }),
  },
  {
    $id: 'ImagingUpload',
    title: 'ImagingUpload',
    description:
      'The parts of an upload. The body can also be the file itself, as application/dicom, image/png, image/jpeg or application/octet-stream, with the other parts as query parameters.',
    ...closed,
  },
);

/** A body of DICOM files (multipart/related). */
export const DicomInstances = Type.Object(
  {
    instance: Type.String({ format: 'binary', description: 'A DICOM file; every part is one.' }),
  },
  { $id: 'DicomInstances', title: 'DicomInstances', description: 'DICOM files, each a part.', ...closed },
);

/** What the caller knows of an image better than the file. */
export const ImagingContext = Type.Object(
  {
    modality: Type.Optional(
      Type.String({ pattern: '^[A-Z0-9]{1,16}$', maxLength: 16, description: 'DICOM modality.', examples: ['DX'] }),
    ),
    bodyPart: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9_ ]{1,16}$',
        maxLength: 16,
        description: 'Body part examined.',
        examples: ['CHEST'],
      }),
    ),
    view: Type.Optional(oneOf(['PA', 'AP', 'LL', 'RL'], { description: 'View position.' })),
    laterality: Type.Optional(oneOf(['L', 'R', 'B', 'U'], { description: 'Side.' })),
    patientAge: Type.Optional(Type.Integer({ minimum: 0, maximum: 130, description: 'Age in completed years.' })),
  },
  { $id: 'ImagingContext', title: 'ImagingContext', description: 'What the caller knows of an image.', ...closed },
);
/** What the caller knows of an image better than the file. */
export type ImagingContext = Static<typeof ImagingContext>;

/** What is sent to have an image analysed. */
export const ImagingAnalysisRequest = Type.Object(
  {
    instance_id: Type.Optional(
      reference<'imi'>({ minLength: 1, maxLength: 80, description: 'Which file; the first one unless it is named.' }),
    ),
    frame: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 1, description: 'Which frame, from 1.' }),
    ),
    context: Type.Optional(ref(ImagingContext)),
    background: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to answer with a job at once, whatever the size; large images always do.',
      }),
    ),
  },
  {
    $id: 'ImagingAnalysisRequest',
    title: 'ImagingAnalysisRequest',
    description: 'Which image of a study is analysed, and what is known of it.',
    ...closed,
  },
);
/** What is sent to have an image analysed. */
export type ImagingAnalysisRequest = Static<typeof ImagingAnalysisRequest>;

/** `data` of the analyze operation. */
export const ImagingAnalysisAnswer = Type.Object(
  {
    result: Type.Unsafe<DiagnosticRecord | null>({
      ...orNull(ref(DiagnosticRecord)),
      description: 'The result, a diagnostic record of kind imaging; null where it is still to come.',
    }),
    job: Type.Unsafe<Job | null>({
      ...orNull(ref(Job)),
      description: 'The job that makes the result; null where the result is here.',
    }),
  },
  {
    $id: 'ImagingAnalysisAnswer',
    title: 'ImagingAnalysisAnswer',
    description: 'The result of an analysis, or its job.',
  },
);
/** `data` of the analyze operation. */
export type ImagingAnalysisAnswer = Static<typeof ImagingAnalysisAnswer>;

/** Every resource of this file. */
export const imagingResources = {
  ImagingTag,
  BurnedInText,
  ImagingIdentity,
  ImagingStudy,
  ImagingWindow,
  PixelSpacing,
  ImagingInstance,
  ImagingUpload,
  DicomInstances,
  ImagingContext,
  ImagingAnalysisRequest,
  ImagingAnalysisAnswer,
} as const;
