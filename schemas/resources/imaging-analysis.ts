import Type, { type Static, type TSchema } from 'typebox';
import { oneOf, optionalOneOf, optionalText, orNull, ref } from '../fields.ts';
import { ConfidenceScore } from './analysis.ts';

/**
 * The result of looking at one image. All places are in pixels of the image as it is stored: x grows to the right
 * from the left edge of the first column, y downwards from the top edge of the first row.
 */

function described<T extends TSchema>(resource: T, description: string): Type.TUnsafe<Static<T>> {
  return Type.Unsafe<Static<T>>({ ...ref(resource), description });
}

function describedOrNull<T extends TSchema>(resource: T, description: string): Type.TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ ...orNull(ref(resource)), description });
}

function optionalNumber(description: string): Type.TUnsafe<number | null> {
  return Type.Unsafe<number | null>({ type: ['number', 'null'], description });
}

const code = (description: string, example: string): Type.TString =>
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', maxLength: 64, description, examples: [example] });

/** Sides of the patient, never of the picture. */
export const bodySides = ['right', 'left', 'both', 'midline'] as const;
/** Thirds of a lung field by height. */
export const lungZones = ['upper', 'mid', 'lower'] as const;

/** A place in the image. */
export const ImagingRegion = Type.Object(
  {
    box: Type.Object(
      {
        x: Type.Number({ description: 'Left edge.' }),
        y: Type.Number({ description: 'Top edge.' }),
        width: Type.Number({ minimum: 0, description: 'Width.' }),
        height: Type.Number({ minimum: 0, description: 'Height.' }),
      },
      { description: 'Upright box around the place, in pixels.' },
    ),
    polygon: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      maxItems: 200,
      description:
        'Outline as [x, y] points in pixels, closed by itself; two points are a line, empty where only the box is known.',
    }),
  },
  {
    $id: 'ImagingRegion',
    title: 'ImagingRegion',
    description: 'A place in the image, in pixels of the image as it is stored.',
    examples: [
      {
        box: { x: 310, y: 402, width: 560, height: 1180 },
        polygon: [
          [310, 640],
          [590, 402],
          [870, 900],
          [840, 1582],
        ],
      },
    ],
  },
);
/** A place in the image. */
export type ImagingRegion = Static<typeof ImagingRegion>;

/** A number that was measured. */
export const ImagingMeasure = Type.Object(
  {
    code: code('Stable name of the measure.', 'cardiothoracic_ratio'),
    name: Type.String({ description: 'Name in words.', examples: ['Cardiothoracic ratio'] }),
    value: Type.Number({ description: 'The value, in the unit.' }),
    unit: Type.String({
      maxLength: 32,
      description:
        'UCUM unit. `1` is a ratio, `[pix]` pixels of the image, `mm` only where the spacing of pixels is known.',
      examples: ['1'],
    }),
    interval: Type.Unsafe<{ low: number; high: number; level: number } | null>({
      ...orNull(
        Type.Object(
          {
            low: Type.Number({ description: 'Lower end.' }),
            high: Type.Number({ description: 'Upper end.' }),
            level: Type.Number({ minimum: 0, maximum: 1, description: 'How often it is meant to hold the truth.' }),
          },
          { description: 'Interval.' },
        ),
      ),
      description: 'Interval around the value; null for a plain count of pixels, which has none.',
    }),
    usual_low: optionalNumber('Below this the value is unusual; null where there is no such limit.'),
    usual_high: optionalNumber('Above this the value is unusual; null where there is no such limit.'),
    interpretation: optionalOneOf(['below', 'usual', 'borderline', 'above'], {
      description: 'The value against the limits; borderline when the interval holds a limit. Null without limits.',
    }),
    side: optionalOneOf(bodySides, { description: 'Side of the patient.' }),
    method: Type.String({ description: 'How it was measured, and what it does not say.' }),
    region: describedOrNull(ImagingRegion, 'Where it was measured, for example the line that was drawn.'),
  },
  {
    $id: 'ImagingMeasure',
    title: 'ImagingMeasure',
    description: 'A number that was measured in the image.',
    examples: [
      {
        code: 'cardiothoracic_ratio',
        name: 'Cardiothoracic ratio',
        value: 0.47,
        unit: '1',
        interval: { low: 0.44, high: 0.5, level: 0.9 },
        usual_low: null,
        usual_high: 0.5,
        interpretation: 'borderline',
        side: null,
        method: 'Widest heart shadow over widest inner thorax.',
        region: null,
      },
    ],
  },
);
/** A number that was measured. */
export type ImagingMeasure = Static<typeof ImagingMeasure>;

/** A part of the body, or of the picture, that was found. */
export const ImagingStructure = Type.Object(
  {
    code: code('Stable name of the structure.', 'right_lung'),
    name: Type.String({ description: 'Name in words.', examples: ['Right lung field'] }),
    side: optionalOneOf(bodySides, { description: 'Side of the patient.' }),
    region: ref(ImagingRegion),
    confidence: described(ConfidenceScore, 'How sure it is that the outline is that of the structure.'),
  },
  { $id: 'ImagingStructure', title: 'ImagingStructure', description: 'A structure that was outlined.' },
);
/** A part of the body, or of the picture, that was found. */
export type ImagingStructure = Static<typeof ImagingStructure>;

/** A condition that an observation can belong to. */
export const ImagingConditionLink = Type.Object(
  {
    condition_id: Type.String({ description: 'Condition in the knowledge base.', examples: ['pleural_effusion'] }),
    name: Type.String({ description: 'Name of the condition.', examples: ['Pleural effusion'] }),
    icd10: Type.Array(Type.String(), { description: 'ICD-10 codes.', examples: [['J90']] }),
    relation: Type.String({ description: 'What the observation has to do with it, in words.' }),
  },
  {
    $id: 'ImagingConditionLink',
    title: 'ImagingConditionLink',
    description: 'A condition that can look like this. The observation supports it and does not establish it.',
  },
);
/** A condition that an observation can belong to. */
export type ImagingConditionLink = Static<typeof ImagingConditionLink>;

/** Something in the image that is unlike what is expected. */
export const ImagingFinding = Type.Object(
  {
    code: code('Stable name of the observation; a later analyser may add others.', 'opacity'),
    category: oneOf(['quality', 'technique', 'lung', 'pleura', 'heart', 'mediastinum', 'other'], {
      'x-open': true,
      description: 'What it is about.',
    }),
    name: Type.String({ description: 'The observation in a few words.', examples: ['Opacity, right lower zone'] }),
    text: Type.String({ description: 'What was seen, by which numbers, and what it was compared with.' }),
    side: optionalOneOf(bodySides, { description: 'Side of the patient.' }),
    zone: optionalOneOf(lungZones, { description: 'Third of the lung field where most of it lies.' }),
    region: describedOrNull(ImagingRegion, 'Where; null when it is about the whole image.'),
    confidence: described(ConfidenceScore, 'How sure it is that the observation is really in the image.'),
    doubts: Type.Array(Type.String(), { description: 'What in this image makes it less sure, in words.' }),
    measures: Type.Array(ref(ImagingMeasure), { description: 'The numbers behind it.' }),
    conditions: Type.Array(ref(ImagingConditionLink), {
      description: 'Conditions that can look like this, in no order of likelihood.',
    }),
  },
  {
    $id: 'ImagingFinding',
    title: 'ImagingFinding',
    description: 'An observation: something in the image that is unlike what is expected. Not a diagnosis.',
  },
);
/** Something in the image that is unlike what is expected. */
export type ImagingFinding = Static<typeof ImagingFinding>;

/** Something that was looked for. */
export const ImagingCheck = Type.Object(
  {
    code: code('Stable name of what was looked for.', 'pneumothorax'),
    name: Type.String({ description: 'Name in words.', examples: ['Pneumothorax'] }),
    outcome: oneOf(['found', 'not_found', 'cannot_judge'], {
      description: 'Not found is not the same as absent: see `limits`.',
    }),
    reason: optionalText(1000, { description: 'Why it could not be judged; null when it was.' }),
  },
  { $id: 'ImagingCheck', title: 'ImagingCheck', description: 'Something that was looked for, and what came of it.' },
);
/** Something that was looked for. */
export type ImagingCheck = Static<typeof ImagingCheck>;

/** What the image was taken for. */
export const ImagingSubject = Type.Object(
  {
    kind: oneOf(['chest_frontal', 'radiograph', 'not_recognized'], {
      'x-open': true,
      description: 'What the image was taken for.',
    }),
    basis: oneOf(['header', 'pixels', 'header_and_pixels'], { description: 'What says so.' }),
    confidence: describedOrNull(ConfidenceScore, 'How sure that is; null where only the header says so.'),
    evidence: Type.Array(Type.String(), { description: 'What speaks for or against it, in words.' }),
  },
  { $id: 'ImagingSubject', title: 'ImagingSubject', description: 'What the image was taken for, and why.' },
);
/** What the image was taken for. */
export type ImagingSubject = Static<typeof ImagingSubject>;

/** How the image lies. */
export const ImagingOrientation = Type.Object(
  {
    rotation: oneOf(['none', 'clockwise_90', 'half_turn', 'counterclockwise_90', 'cannot_judge'], {
      description: 'How the stored picture is turned against upright.',
    }),
    mirrored: oneOf(['no', 'suspected', 'cannot_judge'], { description: 'Whether left and right are exchanged.' }),
    patient_right: oneOf(['image_left', 'image_right', 'image_top', 'image_bottom', 'cannot_judge'], {
      description: 'On which side of the stored picture the right of the patient is taken to be.',
    }),
    text: Type.String({ description: 'What this rests on. Markers on the film are not read.' }),
  },
  {
    $id: 'ImagingOrientation',
    title: 'ImagingOrientation',
    description: 'How the image lies, as far as it can be told.',
  },
);
/** How the image lies. */
export type ImagingOrientation = Static<typeof ImagingOrientation>;

/** Who looked. */
export const ImagingAnalyzer = Type.Object(
  {
    id: Type.String({ description: 'Identifier.', examples: ['chest-frontal'] }),
    name: Type.String({ description: 'Name in words.' }),
    version: Type.String({ description: 'Version of the method, or of the model.', examples: ['1.0.0'] }),
    kind: oneOf(['image_processing', 'trained_model'], { description: 'What kind of method it is.' }),
    sha256: optionalText(64, {
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the file of a trained model, in hexadecimal; null where there is none.',
      examples: ['715a44cf4dd6350e3b7d8ec775c36b8000450e1b5387cf672d1a1dfa82c54cc3'],
    }),
  },
  { $id: 'ImagingAnalyzer', title: 'ImagingAnalyzer', description: 'A method that looked at the image.' },
);
/** Who looked. */
export type ImagingAnalyzer = Static<typeof ImagingAnalyzer>;

/** Reasons for which an image is not analysable. */
export const refusalCodes = [
  'too_small',
  'blank',
  'not_a_radiograph',
  'not_recognized',
  'no_analyzer',
  'unsupported_view',
  'quality_too_low',
] as const;

/** Why there are no findings. */
export const ImagingRefusal = Type.Object(
  {
    code: oneOf(refusalCodes, { 'x-open': true, description: 'Stable code of the reason.' }),
    text: Type.String({ description: 'The reason in words.' }),
  },
  { $id: 'ImagingRefusal', title: 'ImagingRefusal', description: 'Why an image is not analysable.' },
);
/** Why there are no findings. */
export type ImagingRefusal = Static<typeof ImagingRefusal>;

/** The result of looking at one image. */
export const ImagingAnalysis = Type.Object(
  {
    outcome: oneOf(['analyzed', 'not_analyzable'], {
      description:
        'With `not_analyzable` nothing is said of the body; what was measured of the picture itself is still given.',
    }),
    refusal: describedOrNull(ImagingRefusal, 'Why it is not analysable; null when it was analysed.'),
    subject: described(ImagingSubject, 'What the image was taken for.'),
    orientation: described(ImagingOrientation, 'How the image lies.'),
    width: Type.Integer({ minimum: 1, description: 'Width in pixels.' }),
    height: Type.Integer({ minimum: 1, description: 'Height in pixels.' }),
    structures: Type.Array(ref(ImagingStructure), { description: 'What was outlined.' }),
    measures: Type.Array(ref(ImagingMeasure), { description: 'What was measured.' }),
    findings: Type.Array(ref(ImagingFinding), {
      description: 'What is unlike what is expected, surest first. None found does not mean that the patient is well.',
    }),
    checks: Type.Array(ref(ImagingCheck), { description: 'Everything that was looked for or cannot be judged.' }),
    analyzers: Type.Array(ref(ImagingAnalyzer), { description: 'What looked at it.' }),
    limits: Type.Array(Type.String(), { description: 'Within which limits the result is valid.' }),
    model_version: Type.String({ description: 'Version of the analysis as a whole.' }),
    disclaimer: Type.String({ description: 'What this result is and is not.' }),
  },
  {
    $id: 'ImagingAnalysis',
    title: 'ImagingAnalysis',
    description: 'The result of looking at one image: observations with places and numbers, not diagnoses.',
  },
);
/** The result of looking at one image. */
export type ImagingAnalysis = Static<typeof ImagingAnalysis>;

/** Every resource of this file. */
export const imagingAnalysisResources = {
  ImagingRegion,
  ImagingMeasure,
  ImagingStructure,
  ImagingConditionLink,
  ImagingFinding,
  ImagingCheck,
  ImagingSubject,
  ImagingOrientation,
  ImagingAnalyzer,
  ImagingRefusal,
  ImagingAnalysis,
} as const;
