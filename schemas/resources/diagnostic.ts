import Type, { type Static, type TSchema } from 'typebox';
import {
  identifier,
  instant,
  oneOf,
  optionalOneOf,
  optionalText,
  orNull,
  ref,
  reference,
  serverSet,
  stamp,
} from '../fields.ts';
import type { PatientId } from '../platform/ids.ts';
import { AnalysisOptions, ClinicalData, DiagnosticResult, patientReference, Suggestion } from './analysis.ts';
import { Coding } from './coding.ts';
import { DiagnosticImaging } from './diagnostic-imaging.ts';

const closed = { additionalProperties: false } as const;

const modelVersion = (): Type.TString => Type.String({ description: 'Version of the inference engine.' });
const knowledgeVersion = (): Type.TString => Type.String({ description: 'Version of the knowledge base.' });
const disclaimer = (): Type.TString => Type.String({ description: 'What this result is and is not.' });
const optionalNumber = (description: string): Type.TUnsafe<number | null> =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

/* Reading texts. */

/** Words of one of the texts that were sent. */
export const TextSpan = Type.Object(
  {
    field: Type.Unsafe<'symptoms' | 'history' | 'medications' | 'socialHistory' | 'familyHistory'>({
      type: 'string',
      enum: ['symptoms', 'history', 'medications', 'socialHistory', 'familyHistory'],
      'x-field-of': 'ClinicalData',
      description: 'The member of `patientData` that holds the text, in the names of the version asked for.',
    }),
    index: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Position of the text in its list; null where the member is a single text.',
    }),
    start: Type.Integer({ minimum: 0, description: 'Where the words begin, in UTF-16 code units.' }),
    end: Type.Integer({ minimum: 0, description: 'Where they end, in UTF-16 code units; not included.' }),
    text: Type.String({ description: 'The words.' }),
  },
  { $id: 'TextSpan', title: 'TextSpan', description: 'Words of one of the texts that were sent.' },
);
/** Words of one of the texts that were sent. */
export type TextSpan = Static<typeof TextSpan>;

/** What the words say about a finding beside that it is there. */
export const Qualifier = Type.Object(
  {
    kind: oneOf(['duration', 'onset', 'severity', 'course', 'laterality', 'body_site', 'trigger', 'relief'] as const, {
      description: 'What it is about.',
    }),
    value: Type.String({
      description:
        'The value. Onset: sudden, gradual. Severity: mild, moderate, severe. Course: worsening, improving, constant, intermittent, recurrent. Laterality: left, right, both. Duration, body site, trigger and relief: in words.',
    }),
    number: optionalNumber('Duration in hours; severity from 0 to 10 where it was told so; null otherwise.'),
    present: Type.Boolean({ description: 'False when it is denied: "not relieved by rest".' }),
    span: ref(TextSpan),
  },
  { $id: 'Qualifier', title: 'Qualifier', description: 'What the words say about a finding beside that it is there.' },
);
/** What the words say about a finding beside that it is there. */
export type Qualifier = Static<typeof Qualifier>;

/** A finding read in a text. */
export const ParsedFinding = Type.Object(
  {
    finding_id: Type.String({ description: 'Finding in the knowledge base.' }),
    name: Type.String({ description: 'Name of the finding.' }),
    aspect: oneOf(['complaint', 'history', 'habit', 'family_history'] as const, {
      description: 'What the words speak of: what is wrong now, the past, the way of life, or relatives.',
    }),
    present: Type.Boolean({ description: 'False when the text says that it is absent.' }),
    temporality: Type.Optional(
      oneOf(['recent', 'historical', 'past', 'hypothetical'] as const, {
        description: 'Now; on record and perhaps still; formerly; or not there and only feared or to be watched for.',
      }),
    ),
    experiencer: Type.Optional(
      oneOf(['patient', 'other'] as const, { description: 'Who has it: the patient, or somebody else.' }),
    ),
    negation: Type.Unsafe<Static<typeof TextSpan> | null>({
      ...orNull(ref(TextSpan)),
      description: 'The word that denies it; null where nothing does, or the finding is itself put as an absence.',
    }),
    span: ref(TextSpan),
    qualifiers: Type.Array(ref(Qualifier), { description: 'What is said about it, in the order of the text.' }),
  },
  { $id: 'ParsedFinding', title: 'ParsedFinding', description: 'A finding read in a text.' },
);
/** A finding read in a text. */
export type ParsedFinding = Static<typeof ParsedFinding>;

/** A medicine named in a text. */
export const ParsedMedication = Type.Object(
  {
    name: Type.String({ description: 'Name of the medicine: its active substances.' }),
    substance_ids: Type.Array(Type.String(), { description: 'Its active substances.' }),
    present: Type.Boolean({ description: 'False when the text says that it is not taken.' }),
    span: ref(TextSpan),
  },
  { $id: 'ParsedMedication', title: 'ParsedMedication', description: 'A medicine named in a text.' },
);
/** A medicine named in a text. */
export type ParsedMedication = Static<typeof ParsedMedication>;

/** A vital sign written in a text. */
export const ParsedVitalSign = Type.Object(
  {
    sign: oneOf(
      ['temperature', 'systolic', 'diastolic', 'heart_rate', 'respiratory_rate', 'oxygen_saturation'] as const,
      { description: 'What was measured.' },
    ),
    value: Type.Number({ description: 'The value in the unit beside it, whatever the text had.' }),
    unit: Type.String({ description: 'The unit.' }),
    span: ref(TextSpan),
  },
  { $id: 'ParsedVitalSign', title: 'ParsedVitalSign', description: 'A vital sign written in a text.' },
);

/** Texts to read. */
export const ParseRequest = Type.Object(
  { patientData: ref(ClinicalData) },
  {
    $id: 'ParseRequest',
    title: 'ParseRequest',
    description: 'Texts to read: the input of an analysis, with at least one text.',
    ...closed,
  },
);
/** Texts to read. */
export type ParseRequest = Static<typeof ParseRequest>;

/** What was read in texts. */
export const ParsedText = Type.Object(
  {
    findings: Type.Array(ref(ParsedFinding), { description: 'What was recognised, in the order of the texts.' }),
    medications: Type.Array(ref(ParsedMedication), { description: 'Medicines that are named.' }),
    vital_signs: Type.Array(ref(ParsedVitalSign), { description: 'Vital signs that are written in words.' }),
    qualifiers: Type.Array(ref(Qualifier), {
      description: 'What was recognised and belongs to no finding that was.',
    }),
    duration_hours: optionalNumber('How long the complaint has lasted; null where no text says so.'),
    age: optionalNumber('The age a text states, in years.'),
    sex: optionalOneOf(['female', 'male'], { description: 'The sex a text states.' }),
    unrecognized: Type.Array(ref(TextSpan), { description: 'What was not recognised; nothing is dropped.' }),
    coverage: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of the words with a meaning of their own that led to a finding.',
    }),
    model_version: modelVersion(),
    knowledge_version: knowledgeVersion(),
    disclaimer: disclaimer(),
  },
  { $id: 'ParsedText', title: 'ParsedText', description: 'What was read in texts.' },
);
/** What was read in texts. */
export type ParsedText = Static<typeof ParsedText>;

/* Differential diagnosis. */

/** A condition by its id. */
export const ConditionReference = Type.Object(
  {
    condition_id: Type.String({ description: 'Condition in the knowledge base.' }),
    name: Type.String({ description: 'Name of the condition.' }),
  },
  { $id: 'ConditionReference', title: 'ConditionReference', description: 'A condition by its id.' },
);
/** A condition by its id. */
export type ConditionReference = Static<typeof ConditionReference>;

/** Input of a differential diagnosis. */
export const DifferentialRequest = Type.Object(
  {
    patient_id: patientReference,
    patientData: ref(ClinicalData),
    candidates: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 50,
        description:
          'The conditions to compare, each by id, name, synonym or ICD-10 code. Left out or empty: the likeliest of all.',
        examples: [['pulmonary_embolism', 'pneumonia', 'I21']],
      }),
    ),
    options: Type.Optional(ref(AnalysisOptions)),
  },
  {
    $id: 'DifferentialRequest',
    title: 'DifferentialRequest',
    description: 'Input of a differential diagnosis.',
    ...closed,
  },
);
/** Input of a differential diagnosis. */
export type DifferentialRequest = Static<typeof DifferentialRequest>;

/** How a candidate was understood. */
export const Candidate = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Position in the request.' }),
    text: Type.String({ description: 'The candidate as it was sent.' }),
    status: oneOf(['resolved', 'ambiguous', 'unknown'] as const, {
      description: 'Whether it means one condition, several, or none that is known.',
    }),
    conditions: Type.Array(ref(ConditionReference), {
      description: 'What it means. An ambiguous one stands for all of them, and all are compared.',
    }),
    suggestions: Type.Array(ref(ConditionReference), {
      description: 'For an unknown one, the conditions whose names are nearest.',
    }),
  },
  { $id: 'Candidate', title: 'Candidate', description: 'How a candidate was understood.' },
);
/** How a candidate was understood. */
export type Candidate = Static<typeof Candidate>;

/** What one finding does to the distance of two conditions. */
export const ComparedFinding = Type.Object(
  {
    finding_id: Type.String({ description: 'Finding in the knowledge base.' }),
    name: Type.String({ description: 'Name of the finding.' }),
    state: oneOf(['present', 'absent', 'not_mentioned'] as const, { description: 'What is known of it.' }),
    contribution: Type.Number({
      description:
        'By how much it raises the higher condition above the lower: a base-10 logarithm; negative speaks for the lower.',
    }),
    weight_for_higher: Type.Number({ description: 'Its weight for the higher condition alone.' }),
    weight_for_lower: Type.Number({ description: 'Its weight for the lower condition alone.' }),
  },
  {
    $id: 'ComparedFinding',
    title: 'ComparedFinding',
    description: 'What one finding does to the distance of two conditions.',
  },
);
/** What one finding does to the distance of two conditions. */
export type ComparedFinding = Static<typeof ComparedFinding>;

/** Why one condition stands above the next. */
export const Comparison = Type.Object(
  {
    higher: ref(ConditionReference),
    lower: ref(ConditionReference),
    difference: Type.Number({
      minimum: 0,
      description:
        'How far the higher stands above: a base-10 logarithm, the sum of what follows. At most 1 is close, 2 is far.',
    }),
    how_common: Type.Number({
      description: 'The part that comes from how common both are at this age and sex, before any finding.',
    }),
    findings: Type.Array(ref(ComparedFinding), { description: 'The findings, the heaviest first.' }),
    other_findings: Type.Number({ description: 'The part of the findings that are too light to be listed.' }),
    text: Type.String({ description: 'The same in words.' }),
  },
  { $id: 'Comparison', title: 'Comparison', description: 'Why one condition stands above the next.' },
);
/** Why one condition stands above the next. */
export type Comparison = Static<typeof Comparison>;

/** The likeliest conditions after an answer. */
export const Outlook = Type.Object(
  {
    probability: Type.Number({ minimum: 0, maximum: 1, description: 'How likely this answer is.' }),
    leading: Type.Array(ref(ConditionReference), { description: 'The likeliest conditions then, in order.' }),
  },
  { $id: 'Outlook', title: 'Outlook', description: 'What an answer would lead to.' },
);
/** The likeliest conditions after an answer. */
export type Outlook = Static<typeof Outlook>;

/** What to ask, examine or test next. */
export const NextStep = Type.Object(
  {
    finding_id: Type.String({ description: 'Finding in the knowledge base.' }),
    name: Type.String({ description: 'Name of the finding.' }),
    kind: oneOf(['question', 'examination', 'test'] as const, { description: 'How it is found out.' }),
    text: Type.String({ description: 'What to ask or do.' }),
    information_gain: Type.Number({
      minimum: 0,
      description: 'By how many bits the answer is expected to narrow down the conditions compared.',
    }),
    if_present: ref(Outlook),
    if_absent: ref(Outlook),
  },
  { $id: 'NextStep', title: 'NextStep', description: 'What to ask, examine or test next.' },
);
/** What to ask, examine or test next. */
export type NextStep = Static<typeof NextStep>;

/** What a differential diagnosis has beside its ranking. */
export const DifferentialDetail = Type.Object(
  {
    candidates: Type.Array(ref(Candidate), {
      description: 'How each candidate was understood; empty where none was given.',
    }),
    comparisons: Type.Array(ref(Comparison), {
      description: 'For each two neighbours of the ranking, why the one stands above the other.',
    }),
    uncertainty: Type.Number({
      minimum: 0,
      description: 'How undecided it is between the conditions compared: their entropy in bits.',
    }),
    next_steps: Type.Array(ref(NextStep), {
      description: 'What would separate them most, by expected information.',
    }),
  },
  {
    $id: 'DifferentialDetail',
    title: 'DifferentialDetail',
    description: 'What a differential diagnosis has beside its ranking.',
  },
);
/** What a differential diagnosis has beside its ranking. */
export type DifferentialDetail = Static<typeof DifferentialDetail>;

/** `data` of the differential operation. */
export const Differential = Type.Object(
  { diagnostic_result: ref(DiagnosticResult), differential: ref(DifferentialDetail) },
  {
    $id: 'Differential',
    title: 'Differential',
    description:
      'A differential diagnosis: the candidates ranked and explained. Triage and red flags look at every condition.',
  },
);
/** `data` of the differential operation. */
export type Differential = Static<typeof Differential>;

/* Records that are kept. */

/** What a clinician made of a result. */
export const feedbackDecisions = ['accepted', 'overridden'] as const;

/** The clinician's own diagnosis. */
export const ClinicianDiagnosis = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 500, description: 'The diagnosis in words.' }),
    code: Type.Unsafe<Coding | null>({ ...orNull(ref(Coding)), description: 'The diagnosis as a code.' }),
  },
  { $id: 'ClinicianDiagnosis', title: 'ClinicianDiagnosis', description: 'A diagnosis that a clinician made.' },
);
/** The clinician's own diagnosis. */
export type ClinicianDiagnosis = Static<typeof ClinicianDiagnosis>;

/** What a clinician says of a result. */
export const DiagnosticFeedback = Type.Object(
  {
    decision: oneOf(feedbackDecisions, {
      description: 'Whether the clinician went along with the result or decided otherwise.',
    }),
    condition_id: optionalText(100, {
      minLength: 1,
      description:
        'For an accepted result, which of its suggestions; the first unless given. For an accepted result of an image, which of the conditions that its findings link to; none unless given.',
    }),
    reason: optionalText(2000, { minLength: 1, description: 'Why; required where the result was overridden.' }),
    diagnosis: Type.Unsafe<Static<typeof ClinicianDiagnosis> | null>({
      ...orNull(ref(ClinicianDiagnosis)),
      description: 'The clinician’s own diagnosis; required where the result was overridden.',
    }),
    given_by: serverSet(
      Type.Unsafe<string>({
        type: 'string',
        readOnly: true,
        description: 'Identifier of the API key that gave it.',
      }),
    ),
    given_at: stamp('When it was given.'),
  },
  { $id: 'DiagnosticFeedback', title: 'DiagnosticFeedback', description: 'What a clinician says of a result.' },
);
/** What a clinician says of a result. */
export type DiagnosticFeedback = Static<typeof DiagnosticFeedback>;

/** The states of a diagnostic record. */
export const diagnosticStatuses = ['completed', 'accepted', 'overridden'] as const;
/** What a record holds the result of. */
export const diagnosticKinds = ['analysis', 'differential', 'imaging'] as const;

/** What is sent to make a diagnostic record. */
export const DiagnosticRequest = Type.Object(
  {
    patient_id: reference<'pat'>({
      minLength: 1,
      maxLength: 80,
      description: 'The patient it is about; the patient’s record is looked at as in an analysis.',
      examples: ['pat_8fJ2kQ0aZrT5mWxY7bLc'],
    }),
    patientData: ref(ClinicalData),
    options: Type.Optional(ref(AnalysisOptions)),
    note: Type.Optional(optionalText(4000, { description: 'A note of the caller.' })),
  },
  {
    $id: 'DiagnosticRequest',
    title: 'DiagnosticRequest',
    description: 'An analysis whose result is kept.',
    ...closed,
  },
);
/** What is sent to make a diagnostic record. */
export type DiagnosticRequest = Static<typeof DiagnosticRequest>;

const readOnlyRefOrNull = <T extends TSchema>(resource: T, description: string): Type.TUnsafe<Static<T> | null> =>
  serverSet(Type.Unsafe<Static<T> | null>({ ...orNull(ref(resource)), readOnly: true, description }));

/** The result of an analysis that was kept. */
export const DiagnosticRecord = Type.Object(
  {
    id: identifier('diag', 'Identifier of the record and of its result.'),
    patient_id: serverSet(
      Type.Unsafe<PatientId | null>({
        ...identifier('pat', 'The patient it is about; null for an image that nobody has said whom it shows.'),
        type: ['string', 'null'],
      }),
    ),
    kind: serverSet(oneOf(diagnosticKinds, { readOnly: true, description: 'What it is the result of.' })),
    status: serverSet(
      oneOf(diagnosticStatuses, {
        readOnly: true,
        description: 'State: `completed` until a clinician has accepted or overridden the result.',
      }),
    ),
    patientData: readOnlyRefOrNull(ClinicalData, 'What the analysis was given; null for an image.'),
    diagnostic_result: readOnlyRefOrNull(
      DiagnosticResult,
      'The result. It never changes. Null for an image, from which no ranking and no triage are derived.',
    ),
    differential: readOnlyRefOrNull(
      DifferentialDetail,
      'What a differential diagnosis has beside; null for an analysis.',
    ),
    imaging: readOnlyRefOrNull(
      DiagnosticImaging,
      'Which image was looked at, and what was seen; null for what is not the result of an image.',
    ),
    feedback: readOnlyRefOrNull(DiagnosticFeedback, 'What a clinician said of it; null until somebody did.'),
    note: optionalText(4000, { description: 'A note of the caller.', examples: ['Second visit this week.'] }),
    created_by: serverSet(
      Type.Unsafe<string>({
        type: 'string',
        readOnly: true,
        description: 'Identifier of the API key that asked for it.',
      }),
    ),
    created_at: stamp('When the analysis was made.'),
    updated_at: serverSet(
      Type.Unsafe<string>({
        ...instant(),
        readOnly: true,
        description: 'When it was last changed, as by feedback or a note.',
      }),
    ),
  },
  {
    $id: 'DiagnosticRecord',
    title: 'DiagnosticRecord',
    description: 'The result of an analysis that was kept.',
  },
);
/** The result of an analysis that was kept. */
export type DiagnosticRecord = Static<typeof DiagnosticRecord>;

/* The stream. */

/** The first event of a stream. */
export const AnalysisStarted = Type.Object(
  {
    id: identifier('diag', 'Identifier that the result will have.'),
    texts: Type.Integer({ minimum: 0, description: 'How many texts will be read.' }),
    model_version: modelVersion(),
    knowledge_version: knowledgeVersion(),
    disclaimer: disclaimer(),
  },
  {
    $id: 'AnalysisStarted',
    title: 'AnalysisStarted',
    description:
      'The beginning of a streamed analysis. A stream that goes on after Last-Event-ID does not begin with it; one that does begins anew.',
  },
);
/** The first event of a stream. */
export type AnalysisStarted = Static<typeof AnalysisStarted>;

/** How the ranking stands after some of the texts. */
export const AnalysisRanking = Type.Object(
  {
    texts_read: Type.Integer({ minimum: 0, description: 'How many texts it rests on.' }),
    settled: Type.Boolean({ description: 'Whether all have been read: the order is the result’s.' }),
    suggestions: Type.Array(ref(Suggestion), { description: 'The likeliest conditions so far.' }),
  },
  { $id: 'AnalysisRanking', title: 'AnalysisRanking', description: 'How the ranking of a streamed analysis stands.' },
);
/** How the ranking stands after some of the texts. */
export type AnalysisRanking = Static<typeof AnalysisRanking>;

/** Every resource of this file. */
export const diagnosticResources = {
  TextSpan,
  Qualifier,
  ParsedFinding,
  ParsedMedication,
  ParsedVitalSign,
  ParseRequest,
  ParsedText,
  ConditionReference,
  DifferentialRequest,
  Candidate,
  ComparedFinding,
  Comparison,
  Outlook,
  NextStep,
  DifferentialDetail,
  Differential,
  DiagnosticImaging,
  ClinicianDiagnosis,
  DiagnosticFeedback,
  DiagnosticRequest,
  DiagnosticRecord,
  AnalysisStarted,
  AnalysisRanking,
} as const;
