import Type, { type Static } from 'typebox';
import { identifier, oneOf, optionalOneOf, optionalText, orNull, ref, reference } from '../fields.ts';
import { sexes } from './patient.ts';

/** Triage levels, most urgent first. */
export const triageLevels = ['emergency', 'urgent', 'soon', 'routine', 'self_care'] as const;

const closed = { additionalProperties: false } as const;

/** A text of the client's own; the words of one are read together. */
const ownWords = (description: string): Type.TString => Type.String({ maxLength: 4000, description });

/** Clinical data of a patient (specification, section 2.2): age in years, temperature in °C, pressure in mmHg. */
export const ClinicalData = Type.Object(
  {
    age: Type.Optional(Type.Integer({ minimum: 0, maximum: 130, description: 'Age in completed years.' })),
    sex: Type.Optional(oneOf(sexes, { description: 'Sex of the patient.' })),
    symptoms: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
        maxItems: 200,
        description: 'Symptoms: words, clinical terms or sentences; "no fever" says that fever is absent.',
        examples: [['crushing chest pain', 'sweating', 'no fever']],
      }),
    ),
    history: Type.Optional(ownWords('Past illness, operations, medicines and allergies, in words.')),
    familyHistory: Type.Optional(ownWords('Illness in the family, in words.')),
    socialHistory: Type.Optional(ownWords('Habits, work, travel and way of life, in words.')),
    medications: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 50,
        description: 'Medicines taken now, one an entry; treatments are checked against them.',
        examples: [['warfarin 5 mg', 'metformin']],
      }),
    ),
    vitalSigns: Type.Optional(
      Type.Object(
        {
          temperature: Type.Optional(Type.Number({ description: 'Body temperature in °C.' })),
          bloodPressure: Type.Optional(
            Type.Object(
              {
                systolic: Type.Optional(Type.Integer({ description: 'Systolic pressure in mmHg.' })),
                diastolic: Type.Optional(Type.Integer({ description: 'Diastolic pressure in mmHg.' })),
              },
              { ...closed, description: 'Blood pressure.' },
            ),
          ),
          heartRate: Type.Optional(Type.Integer({ description: 'Heart rate per minute.' })),
          respiratoryRate: Type.Optional(Type.Integer({ description: 'Breaths per minute.' })),
          oxygenSaturation: Type.Optional(Type.Number({ description: 'Oxygen saturation in percent.' })),
        },
        {
          ...closed,
          description: 'Vital signs. What nobody of that age can have is refused: it means another unit.',
        },
      ),
    ),
  },
  {
    $id: 'ClinicalData',
    title: 'ClinicalData',
    description: 'Clinical data of the patient; at least one symptom or vital sign.',
    ...closed,
  },
);
/** Clinical data of a patient. */
export type ClinicalData = Static<typeof ClinicalData>;

/** How an analysis is made. */
export const AnalysisOptions = Type.Object(
  {
    includeConfidenceScores: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether confidence scores are returned.' }),
    ),
    maxResults: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, default: 5, description: 'Most suggestions returned.' }),
    ),
    save: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether the result is kept as a diagnostic record of the patient that `patient_id` names.',
      }),
    ),
  },
  { $id: 'AnalysisOptions', title: 'AnalysisOptions', description: 'Processing options.', ...closed },
);
/** How an analysis is made. */
export type AnalysisOptions = Static<typeof AnalysisOptions>;

/** The patient whose record is looked at. */
export const patientReference = Type.Optional(
  reference<'pat'>({
    minLength: 1,
    maxLength: 80,
    description:
      'A patient: age and sex are taken from there unless they are sent, active conditions count as history, and treatments are checked against allergies, conditions, pregnancy, kidney function and medicines on record. Needs the scope patients:read.',
    examples: ['pat_8fJ2kQ0aZrT5mWxY7bLc'],
  }),
);

/** What the analysis works on. */
export const AnalysisRequest = Type.Object(
  {
    patient_id: patientReference,
    patientData: ref(ClinicalData),
    options: Type.Optional(ref(AnalysisOptions)),
  },
  { $id: 'AnalysisRequest', title: 'AnalysisRequest', description: 'Input of a diagnostic analysis.', ...closed },
);
/** Input of a diagnostic analysis. */
export type AnalysisRequest = Static<typeof AnalysisRequest>;

const probability = (description: string): Type.TNumber => Type.Number({ minimum: 0, maximum: 1, description });

/** How sure the engine is of one suggestion, and why not surer. */
export const ConfidenceScore = Type.Object(
  {
    estimate: probability('Point estimate of the probability that the suggestion is right.'),
    interval: Type.Object(
      {
        low: probability('Lower end.'),
        high: probability('Upper end.'),
        level: probability('How often the interval is meant to hold the truth.'),
      },
      { description: 'Interval around the estimate.' },
    ),
    uncertainty: Type.Array(
      Type.Object({
        source: oneOf(
          [
            'sparse_findings',
            'weak_evidence',
            'close_alternatives',
            'unrecognized_input',
            'missing_vital_signs',
            'missing_demographics',
          ],
          { description: 'What the uncertainty comes from.' },
        ),
        contribution: probability('Its share of the whole uncertainty.'),
      }),
      { description: 'What the uncertainty comes from, largest first.' },
    ),
  },
  { $id: 'ConfidenceScore', title: 'ConfidenceScore', description: 'Confidence with interval and sources of doubt.' },
);
/** How sure the engine is of one suggestion. */
export type ConfidenceScore = Static<typeof ConfidenceScore>;

/** A finding that speaks for or against a suggestion. */
export const Reason = Type.Object(
  {
    finding_id: Type.String({ description: 'Finding in the knowledge base.' }),
    name: Type.String({ description: 'Name of the finding.' }),
    weight: Type.Number({ description: 'Base-10 logarithm of the likelihood ratio; positive speaks for.' }),
    text: Type.String({ description: 'The reason in words.' }),
  },
  { $id: 'Reason', title: 'Reason', description: 'A finding that speaks for or against a suggestion.' },
);

/** Something known of the patient that speaks against a treatment. */
export const Contraindication = Type.Object(
  {
    kind: oneOf(
      ['finding', 'allergy', 'condition', 'age', 'pregnancy', 'lactation', 'kidney', 'liver', 'interaction'],
      {
        description:
          'What speaks against it: a finding of this analysis, something on the record, or a medicine that is taken.',
      },
    ),
    severity: optionalOneOf(['contraindicated', 'major', 'moderate', 'minor'], {
      description: 'How much it matters; null where the knowledge does not grade it.',
    }),
    text: Type.String({ description: 'The reason in words.' }),
    management: optionalText(2000, { description: 'What to do about it.' }),
    substances: Type.Array(Type.String(), {
      description: 'The substances of the treatment that it holds for; empty where it holds for the treatment itself.',
    }),
  },
  {
    $id: 'Contraindication',
    title: 'Contraindication',
    description: 'Something known of the patient that speaks against a treatment.',
  },
);
/** Something known of the patient that speaks against a treatment. */
export type Contraindication = Static<typeof Contraindication>;

/** A document, by all that is needed to find it. */
export const EvidenceCitation = Type.Object(
  {
    title: Type.String({ description: 'Title.' }),
    publisher: Type.String({ description: 'Who published it.' }),
    year: Type.Integer({ description: 'Year of publication.' }),
    identifier: Type.String({ description: 'Its number, DOI or ISBN.', examples: ['NG128'] }),
    url: optionalText(2000, { description: 'Address.' }),
  },
  { $id: 'EvidenceCitation', title: 'EvidenceCitation', description: 'A document, by all that is needed to find it.' },
);
/** A document, by all that is needed to find it. */
export type EvidenceCitation = Static<typeof EvidenceCitation>;

/** What a statement of the knowledge base rests on. */
export const Evidence = Type.Object(
  {
    grade: oneOf(['published', 'estimate'], {
      'x-open': true,
      description:
        'Published: the document below says so. Estimate: written from general medical knowledge, and no document is cited.',
    }),
    citation: orNull(ref(EvidenceCitation)),
    sign_offs: Type.Integer({
      minimum: 0,
      maximum: 2,
      description: 'How many clinicians have signed what it rests on, as it stands now. Zero: nobody has reviewed it.',
    }),
  },
  { $id: 'Evidence', title: 'Evidence', description: 'What a statement of the knowledge base rests on.' },
);
/** What a statement of the knowledge base rests on. */
export type Evidence = Static<typeof Evidence>;

/** A treatment that is usual for a condition. */
export const Treatment = Type.Object(
  {
    id: Type.String({ description: 'Treatment in the knowledge base.' }),
    name: Type.String({ description: 'Name of the treatment.' }),
    kind: oneOf(['medication', 'procedure', 'lifestyle', 'referral', 'monitoring', 'supportive'], {
      description: 'Kind of treatment.',
    }),
    notes: optionalText(2000, { description: 'When and how.' }),
    line: Type.Optional(
      oneOf(['act', 'first_hour', 'first', 'further', 'alongside'], {
        'x-open': true,
        description:
          'Its place: the act that saves, the first hour, the first choice, what follows where that does not do, what goes beside.',
      }),
    ),
    for_whom: Type.Optional(
      optionalText(2000, { description: 'Form of the condition that it is for; null for every one.' }),
    ),
    purpose: Type.Optional(optionalText(2000, { description: 'What it is for.' })),
    dose: Type.Optional(
      optionalText(2000, {
        description: 'Usual dose, or that it goes by local protocol; null for what is not given in doses.',
      }),
    ),
    checks: Type.Optional(Type.Array(Type.String(), { description: 'What is checked before.' })),
    never_with: Type.Optional(
      Type.Array(Type.String(), { description: 'Medicines and classes of them that are never given with it.' }),
    ),
    evidence: Type.Optional(ref(Evidence)),
    contraindications: Type.Array(ref(Contraindication), {
      description: 'What is known of the patient and speaks against it, worst first.',
    }),
    record_checked: Type.Boolean({
      description:
        'Whether it was checked against what is on record and what is taken; false without `patient_id`, and for treatments that are no definite medicine. No entry above is then no all-clear.',
    }),
  },
  { $id: 'Treatment', title: 'Treatment', description: 'A treatment that is usual for a condition.' },
);
/** A treatment that is usual for a condition. */
export type Treatment = Static<typeof Treatment>;

/** One suggested condition. */
export const Suggestion = Type.Object(
  {
    condition: Type.Object(
      {
        id: Type.String({ description: 'Condition in the knowledge base.' }),
        name: Type.String({ description: 'Name of the condition.' }),
        icd10: Type.Array(Type.String(), { description: 'ICD-10 codes.' }),
      },
      { description: 'The condition suggested.' },
    ),
    rank: Type.Integer({ minimum: 1, description: 'Place in the ranking, from 1.' }),
    confidence: orNull(ref(ConfidenceScore)),
    urgency: oneOf(triageLevels, { description: 'How soon this condition would have to be seen.' }),
    supporting: Type.Array(ref(Reason), { description: 'What speaks for it, strongest first.' }),
    conflicting: Type.Array(ref(Reason), { description: 'What speaks against it, strongest first.' }),
    missing: Type.Array(
      Type.Object({
        finding_id: Type.String({ description: 'Finding in the knowledge base.' }),
        name: Type.String({ description: 'Name of the finding.' }),
      }),
      { description: 'What would be most useful to ask next.' },
    ),
    treatments: Type.Array(ref(Treatment), { description: 'Usual treatments.' }),
    sources: Type.Array(
      Type.Object({
        title: Type.String({ description: 'Title.' }),
        url: optionalText(2000, { description: 'Address.' }),
        year: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Year of publication.' }),
      }),
      { description: 'Where the knowledge comes from.' },
    ),
    evidence: Type.Optional(ref(Evidence)),
  },
  { $id: 'Suggestion', title: 'Suggestion', description: 'One suggested condition.' },
);
/** One suggested condition. */
export type Suggestion = Static<typeof Suggestion>;

/** A danger sign that a rule found. */
export const RedFlag = Type.Object(
  {
    id: Type.String({ description: 'Rule in the knowledge base.' }),
    name: Type.String({ description: 'Name of the danger.' }),
    message: Type.String({ description: 'What to do.' }),
    urgency: oneOf(['emergency', 'urgent'], { description: 'How soon.' }),
    finding_ids: Type.Array(Type.String(), { description: 'The findings that raised it.' }),
    words: Type.Optional(
      Type.Array(Type.String(), { description: 'The words that raised it; none where measurements did.' }),
    ),
    evidence: Type.Optional(ref(Evidence)),
  },
  { $id: 'RedFlag', title: 'RedFlag', description: 'A danger sign that a rule found.' },
);

/** A finding read from what was sent. */
export const RecognizedFinding = Type.Object(
  {
    finding_id: Type.String({ description: 'Finding in the knowledge base.' }),
    name: Type.String({ description: 'Name of the finding.' }),
    present: Type.Boolean({ description: 'False when the text says that it is absent.' }),
    text: optionalText(2000, { description: 'The words that led to it; null for a vital sign.' }),
    source: oneOf(['symptom', 'vital_sign', 'history'], { description: 'Where it was read.' }),
  },
  { $id: 'RecognizedFinding', title: 'RecognizedFinding', description: 'A finding read from what was sent.' },
);

/** A language that texts were sent in. */
export const TextLanguage = Type.Object(
  {
    language: Type.String({ description: 'Language tag (RFC 5646).' }),
    name: Type.String({ description: 'English name of the language.' }),
    is_read: Type.Boolean({ description: 'Whether texts in it are understood.' }),
  },
  { $id: 'TextLanguage', title: 'TextLanguage', description: 'A language that texts were sent in.' },
);

/** The result of an analysis. */
export const DiagnosticResult = Type.Object(
  {
    id: identifier('diag', 'Identifier of this result.'),
    suggestions: Type.Array(ref(Suggestion), { description: 'Suggested conditions, most likely first.' }),
    red_flags: Type.Array(ref(RedFlag), { description: 'Danger signs; they hold whatever the ranking says.' }),
    triage: Type.Object(
      {
        level: oneOf(triageLevels, { description: 'How soon the patient should be seen.' }),
        reasons: Type.Array(Type.String(), { description: 'Why.' }),
        weighed: Type.Optional(
          Type.Array(
            Type.Object({
              condition_id: Type.String({ description: 'Condition in the knowledge base.' }),
              name: Type.String({ description: 'Name of the condition.' }),
              urgency: oneOf(triageLevels, { description: 'How soon it would have to be seen.' }),
              probability: probability('How likely it is.'),
            }),
            {
              description: 'The worst conditions that are not unlikely and made the level what it is, likeliest first.',
            },
          ),
        ),
      },
      { description: 'How soon the patient should be seen.' },
    ),
    recognized_findings: Type.Array(ref(RecognizedFinding), { description: 'What was understood.' }),
    unrecognized: Type.Array(Type.String(), { description: 'What was not understood, as it was sent.' }),
    understood: Type.Optional(
      Type.Boolean({
        description:
          'False where nothing that was sent was understood: then there is no suggestion, and the level is never milder than soon.',
      }),
    ),
    languages: Type.Optional(
      Type.Array(ref(TextLanguage), { description: 'The languages of the texts, where they could be told.' }),
    ),
    model_version: Type.String({ description: 'Version of the inference engine.' }),
    knowledge_version: Type.String({ description: 'Version of the knowledge base.' }),
    disclaimer: Type.String({ description: 'What this result is and is not.' }),
  },
  { $id: 'DiagnosticResult', title: 'DiagnosticResult', description: 'The result of a diagnostic analysis.' },
);
/** The result of an analysis. */
export type DiagnosticResult = Static<typeof DiagnosticResult>;

/** `data` of the analyze operation. */
export const Analysis = Type.Object(
  {
    diagnostic_result: ref(DiagnosticResult),
    understood: Type.Optional(
      Type.Boolean({
        description: 'False where nothing that was sent was understood; no suggestion is then no all-clear.',
      }),
    ),
  },
  { $id: 'Analysis', title: 'Analysis', description: 'Answer of a diagnostic analysis.' },
);
/** `data` of the analyze operation. */
export type Analysis = Static<typeof Analysis>;

/** Every resource of this file. */
export const analysisResources = {
  ClinicalData,
  AnalysisOptions,
  AnalysisRequest,
  Analysis,
  DiagnosticResult,
  Suggestion,
  ConfidenceScore,
  Reason,
  Contraindication,
  EvidenceCitation,
  Evidence,
  Treatment,
  RedFlag,
  RecognizedFinding,
  TextLanguage,
} as const;
