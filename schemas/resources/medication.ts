import Type, { type Static, type TSchema } from 'typebox';
import { day, instant, oneOf, optionalReference, optionalText, orNull, ref } from '../fields.ts';
import { InteractionOverrideNote } from './medication-override.ts';
import {
  ConcludedFact,
  checkViews,
  InteractionMatrix,
  MedicationDosage,
  medicationViewResources,
} from './medication-views.ts';
import { sexes } from './patient.ts';

/** How bad a finding is, worst first. `unknown` is never safe: something could not be judged. */
export const severities = ['contraindicated', 'major', 'moderate', 'unknown', 'minor', 'none_known'] as const;
/** How sure the sources are, surest first. */
export const certainties = ['established', 'probable', 'suspected', 'theoretical'] as const;

/** Most entries of one list. */
export const MEDICATIONS_MAX = 100;

const closed = { additionalProperties: false } as const;

function described<T extends TSchema>(resource: T, description: string): Type.TUnsafe<Static<T>> {
  return Type.Unsafe<Static<T>>({ ...ref(resource), description });
}

function describedOrNull<T extends TSchema>(resource: T, description: string): Type.TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ ...orNull(ref(resource)), description });
}

function nullable(type: 'integer' | 'number' | 'boolean', description: string): Type.TSchema {
  return Type.Unsafe<unknown>({ type: [type, 'null'], description });
}

const severity = (description: string): Type.TUnsafe<(typeof severities)[number]> => oneOf(severities, { description });

/** A code of a medication as sent and given back. */
export const MedicationCode = Type.Object(
  {
    system: Type.String({
      minLength: 1,
      maxLength: 200,
      description: '`atc`, `rxnorm`, or the address of either as HL7 FHIR gives it.',
      examples: ['http://www.whocc.no/atc'],
    }),
    code: Type.String({ minLength: 1, maxLength: 64, description: 'The code.', examples: ['B01AA03'] }),
  },
  {
    $id: 'MedicationCode',
    title: 'MedicationCode',
    description: 'A code of a medication by ATC or RxNorm.',
    ...closed,
  },
);

/** One medication as a caller names it. */
export const MedicationInput = Type.Object(
  {
    name: Type.Optional(
      optionalText(200, {
        minLength: 1,
        description: 'Substance, brand, salt or combination, with or without strength and form.',
        examples: ['warfarin 5 mg tablets'],
      }),
    ),
    code: Type.Optional(
      describedOrNull(MedicationCode, 'Code; when name and code mean different medications, neither is believed.'),
    ),
    route: Type.Optional(
      optionalText(100, { minLength: 1, description: 'How it is taken.', examples: ['oral', 'topical'] }),
    ),
    dosage: Type.Optional(
      optionalText(200, {
        minLength: 1,
        description: 'How much and how often, in words. It comes before what the name says.',
        examples: ['75 mg once daily'],
      }),
    ),
    started_on: Type.Optional(day({ description: 'Day on which it was or will be begun.' })),
    stopped_on: Type.Optional(
      day({ description: 'Day of the last dose. What still acts is judged; what is over is not.' }),
    ),
  },
  {
    $id: 'MedicationInput',
    title: 'MedicationInput',
    description: 'One medication: a name, a code, or both.',
    ...closed,
  },
);
/** One medication as a caller names it. */
export type MedicationInput = Static<typeof MedicationInput>;

/** A condition as a fact about a patient. */
export const InteractionCondition = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 64, description: 'ICD-10 code.', examples: ['N18.4'] }),
    display: Type.Optional(optionalText(500, { description: 'The condition in words.' })),
  },
  {
    $id: 'InteractionCondition',
    title: 'InteractionCondition',
    description: 'A condition of the patient, by ICD-10.',
    ...closed,
  },
);

/** An allergy as a fact about a patient. */
export const InteractionAllergy = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Substance, brand or group.',
      examples: ['penicillin'],
    }),
    code: Type.Optional(describedOrNull(MedicationCode, 'Code of the substance.')),
  },
  { $id: 'InteractionAllergy', title: 'InteractionAllergy', description: 'An allergy of the patient.', ...closed },
);

/** What is known of the patient. */
export const InteractionPatientData = Type.Object(
  {
    age: Type.Optional(
      Type.Number({ minimum: 0, maximum: 130, description: 'Age in years; a fraction for an infant.' }),
    ),
    sex: Type.Optional(oneOf(sexes, { description: 'Sex of the patient.' })),
    pregnant: Type.Optional(Type.Boolean({ description: 'Whether the patient is pregnant.' })),
    lactating: Type.Optional(Type.Boolean({ description: 'Whether the patient breastfeeds.' })),
    conditions: Type.Optional(
      Type.Array(ref(InteractionCondition), { maxItems: 200, description: 'Conditions; an empty list says none.' }),
    ),
    allergies: Type.Optional(
      Type.Array(ref(InteractionAllergy), { maxItems: 100, description: 'Allergies; an empty list says none.' }),
    ),
    egfr: Type.Optional(
      Type.Number({ minimum: 0, maximum: 300, description: 'Estimated filtration rate in mL/min/1.73 m².' }),
    ),
    childPugh: Type.Optional(oneOf(['A', 'B', 'C'], { description: 'Child-Pugh class of the liver.' })),
    neutrophils: Type.Optional(Type.Number({ minimum: 0, maximum: 500, description: 'Neutrophils, 10⁹ per litre.' })),
    platelets: Type.Optional(Type.Number({ minimum: 0, maximum: 5000, description: 'Platelets, 10⁹ per litre.' })),
    potassium: Type.Optional(Type.Number({ minimum: 0, maximum: 20, description: 'Potassium of the serum, mmol/L.' })),
  },
  {
    $id: 'InteractionPatientData',
    title: 'InteractionPatientData',
    description: 'Facts about the patient. A missing one means that its rules are not checked.',
    ...closed,
  },
);
/** What is known of the patient. */
export type InteractionPatientData = Static<typeof InteractionPatientData>;

/** Input of an interaction check. */
export const InteractionCheckRequest = Type.Object(
  {
    medications: Type.Optional(
      Type.Array(ref(MedicationInput), {
        maxItems: MEDICATIONS_MAX,
        description: 'The medications; may be left out when `patient_id` is given.',
      }),
    ),
    patient_id: Type.Optional(
      optionalReference<'pat'>({
        maxLength: 80,
        minLength: 1,
        description:
          'A patient whose age, sex, active conditions, allergies, last filtration rate and active medications are ' +
          'taken from the records. The key also needs `patients:read`.',
      }),
    ),
    patientData: Type.Optional(
      described(
        InteractionPatientData,
        'Facts about the patient. With `patient_id` they come before those of the records; lists are joined.',
      ),
    ),
    options: Type.Optional(
      Type.Object(
        {
          includeFoodAndAlcohol: Type.Optional(
            Type.Boolean({ default: true, description: 'Whether food and alcohol are checked.' }),
          ),
          includeRecordedMedications: Type.Optional(
            Type.Boolean({
              default: true,
              description: 'Whether the active medications of the records join the list.',
            }),
          ),
          views: Type.Optional(
            Type.Array(oneOf(checkViews, { description: 'A form.' }), {
              maxItems: 2,
              description: 'Other forms of the answer: `matrix` as a table, `text` as short plain language.',
            }),
          ),
          minimumSeverity: Type.Optional(
            oneOf(severities, {
              default: 'none_known',
              description: 'Least severe pairs listed. Pairs that are `unknown` are always listed and all are counted.',
            }),
          ),
        },
        { ...closed, description: 'Processing options.' },
      ),
    ),
  },
  {
    $id: 'InteractionCheckRequest',
    title: 'InteractionCheckRequest',
    description: 'Input of an interaction check.',
    ...closed,
  },
);
/** Input of an interaction check. */
export type InteractionCheckRequest = Static<typeof InteractionCheckRequest>;

/** Names to resolve. */
export const MedicationResolveRequest = Type.Object(
  {
    medications: Type.Array(ref(MedicationInput), {
      minItems: 1,
      maxItems: MEDICATIONS_MAX,
      description: 'The medications to identify.',
    }),
  },
  {
    $id: 'MedicationResolveRequest',
    title: 'MedicationResolveRequest',
    description: 'Medications to identify.',
    ...closed,
  },
);
/** Names to resolve. */
export type MedicationResolveRequest = Static<typeof MedicationResolveRequest>;

/** An active substance. */
export const MedicationSubstance = Type.Object(
  {
    id: Type.String({ description: 'Substance in the knowledge base.', examples: ['warfarin'] }),
    name: Type.String({ description: 'International nonproprietary name.' }),
    atc: Type.Array(Type.String(), { description: 'ATC codes.' }),
    rxnorm: Type.Array(Type.String(), { description: 'RxNorm codes of the ingredient, where they are known.' }),
  },
  { $id: 'MedicationSubstance', title: 'MedicationSubstance', description: 'An active substance.' },
);

/** A medication that a name could mean. */
export const MedicationSuggestion = Type.Object(
  {
    id: Type.String({ description: 'Substance or combination in the knowledge base.' }),
    name: Type.String({ description: 'Its name.' }),
    matched: Type.String({ description: 'The known name, synonym or brand that comes near.' }),
    distance: Type.Integer({ minimum: 0, description: 'Slips of spelling between what was sent and that name.' }),
  },
  { $id: 'MedicationSuggestion', title: 'MedicationSuggestion', description: 'A medication that a name could mean.' },
);

/** How one medication was understood. */
export const ResolvedMedication = Type.Object(
  {
    name: optionalText(500, { description: 'The name as it was sent or recorded.' }),
    code: describedOrNull(MedicationCode, 'The code as it was sent or recorded.'),
    status: oneOf(['resolved', 'ambiguous', 'unresolved'], {
      description: 'Whether it was identified; pairs with anything else are `unknown`.',
    }),
    match: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['code', 'name', 'synonym', 'brand', 'salt', 'combination', 'spelling', null],
      description: 'How it was identified; `spelling` means that a misspelling was assumed.',
    }),
    substances: Type.Array(ref(MedicationSubstance), { description: 'Its active substances.' }),
    suggestions: Type.Array(ref(MedicationSuggestion), { maxItems: 5, description: 'What could be meant.' }),
    route: optionalText(100, { description: 'How it is taken, as understood.' }),
    known_drug: optionalText(200, {
      description: 'A drug of this name exists and no rule covers it: known, not covered. Null otherwise.',
    }),
    dosage: described(MedicationDosage, 'How much is taken, as understood.'),
  },
  { $id: 'ResolvedMedication', title: 'ResolvedMedication', description: 'How one medication was understood.' },
);

const provenance = {
  knowledge_version: Type.String({ description: 'Version of the knowledge base.' }),
  model_version: Type.String({ description: 'Version of the engine.' }),
  disclaimer: Type.String({ description: 'What this result is and is not.' }),
};

/** Names resolved. */
export const MedicationResolution = Type.Object(
  {
    medications: Type.Array(ref(ResolvedMedication), { description: 'One entry for each medication, in its order.' }),
    ...provenance,
  },
  { $id: 'MedicationResolution', title: 'MedicationResolution', description: 'Medications as they were understood.' },
);
/** Names resolved. */
export type MedicationResolution = Static<typeof MedicationResolution>;

/** One entry of the list that was checked. */
export const CheckedMedication = Type.Object(
  {
    origin: oneOf(['request', 'record'], { description: 'Whether it was sent or taken from the records.' }),
    record_id: optionalReference<'rec'>({
      description: 'The record it was taken from, or that says the same as what was sent.',
    }),
    resolution: described(ResolvedMedication, 'How it was understood.'),
  },
  { $id: 'CheckedMedication', title: 'CheckedMedication', description: 'One entry of the list that was checked.' },
);

/** One entry inside a finding. */
export const MedicationReference = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Position in `medications` of the answer.' }),
    name: Type.String({ description: 'Its name.' }),
    substance: optionalText(200, { description: 'The substance that drives the finding; null when not known.' }),
  },
  { $id: 'MedicationReference', title: 'MedicationReference', description: 'One entry of the list in a finding.' },
);

const explanation = {
  severity: severity('How bad it is; `unknown` is never safe.'),
  certainty: oneOf(certainties, { description: 'How sure the sources are.' }),
  mechanism: Type.String({ description: 'How it comes about.' }),
  effect: Type.String({ description: 'What can happen.' }),
  management: Type.String({ description: 'What to do.' }),
  source_ids: Type.Array(Type.String(), { description: 'Entries of `sources`.' }),
};

/** A finding beside the one that decides a pair. */
export const InteractionFinding = Type.Object(
  { rule_id: Type.String({ description: 'The rule that fired.' }), ...explanation },
  { $id: 'InteractionFinding', title: 'InteractionFinding', description: 'One rule that fired.' },
);

const judgement = {
  ...explanation,
  interruptive: Type.Boolean({ description: 'Whether it is worth stopping the prescriber.' }),
  rule_ids: Type.Array(Type.String(), { description: 'Rules that fired, heaviest first.' }),
};

/** How one pair was judged. */
export const InteractionPair = Type.Object(
  {
    a: described(MedicationReference, 'One medication.'),
    b: described(MedicationReference, 'The other one.'),
    ...judgement,
    also: Type.Array(ref(InteractionFinding), { description: 'Findings beside the one that decides.' }),
    overrides: Type.Array(ref(InteractionOverrideNote), {
      maxItems: 10,
      description: 'Overrides recorded for the patient, newest first. They never change the severity.',
    }),
  },
  { $id: 'InteractionPair', title: 'InteractionPair', description: 'How one pair of medications was judged.' },
);

const several = (description: string): Type.TArray => Type.Array(ref(MedicationReference), { description });

/** A finding of three or more. */
export const InteractionGroup = Type.Object(
  {
    title: Type.String({ description: 'What the combination is called.' }),
    medications: several('The medications that make it up.'),
    ...judgement,
  },
  {
    $id: 'InteractionGroup',
    title: 'InteractionGroup',
    description: 'A finding that needs three or more medications together.',
  },
);

/** Duplicate therapy. */
export const DuplicateTherapy = Type.Object(
  {
    kind: oneOf(['substance', 'class'], { description: 'What they share.' }),
    of: Type.String({ description: 'Name of the substance or class.' }),
    medications: several('The medications that share it.'),
    ...judgement,
  },
  { $id: 'DuplicateTherapy', title: 'DuplicateTherapy', description: 'The same substance or class twice.' },
);

/** Food and alcohol. */
export const FoodInteraction = Type.Object(
  {
    food: Type.String({ description: 'The food or drink.', examples: ['grapefruit'] }),
    medication: described(MedicationReference, 'The medication.'),
    ...judgement,
  },
  { $id: 'FoodInteraction', title: 'FoodInteraction', description: 'A medication with food or alcohol.' },
);

/** What the patient's own facts say against a medication. */
export const PatientWarning = Type.Object(
  {
    kind: oneOf(['allergy', 'condition', 'age', 'pregnancy', 'lactation', 'kidney', 'liver'], {
      description: 'Which fact of the patient it comes from.',
    }),
    medication: described(MedicationReference, 'The medication.'),
    ...judgement,
  },
  { $id: 'PatientWarning', title: 'PatientWarning', description: 'A fact of the patient against a medication.' },
);

/** What was not understood. */
export const UnresolvedEntry = Type.Object(
  {
    kind: oneOf(['medication', 'allergy'], { description: 'What it is.' }),
    index: Type.Integer({
      minimum: 0,
      description: 'Position in `medications`, or in `patient_facts.allergies`, of the answer.',
    }),
    text: Type.String({ description: 'As it was sent or recorded.' }),
    status: oneOf(['ambiguous', 'unresolved'], { description: 'Whether several or none are meant.' }),
    suggestions: Type.Array(ref(MedicationSuggestion), { maxItems: 5, description: 'What could be meant.' }),
  },
  { $id: 'UnresolvedEntry', title: 'UnresolvedEntry', description: 'An entry that was not understood.' },
);

/** Pairs by severity. */
export const SeverityCounts = Type.Object(
  Object.fromEntries(
    severities.map((each) => [each, Type.Integer({ minimum: 0, description: `Pairs that are \`${each}\`.` })]),
  ) as Record<(typeof severities)[number], Type.TInteger>,
  { $id: 'SeverityCounts', title: 'SeverityCounts', description: 'How many pairs have each severity.' },
);

/** The whole list judged. */
export const InteractionSummary = Type.Object(
  {
    by_severity: described(SeverityCounts, 'All pairs, also those that are not listed.'),
    highest: severity('Worst of everything found; `unknown` when something was not judged and nothing worse found.'),
    interruptive: Type.Integer({ minimum: 0, description: 'Findings of any kind worth stopping the prescriber for.' }),
    overridden: Type.Integer({ minimum: 0, description: 'Pairs with an override that still covers their severity.' }),
    complete: Type.Boolean({ description: 'False when anything could not be judged.' }),
  },
  { $id: 'InteractionSummary', title: 'InteractionSummary', description: 'The whole list judged.' },
);

/** What a check knew of the patient. */
export const PatientFacts = Type.Object(
  {
    patient_id: optionalReference<'pat'>({
      description: 'The patient, where one was named.',
    }),
    age: nullable('number', 'Age in years.') as Type.TUnsafe<number | null>,
    sex: Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...sexes, null], description: 'Sex.' }),
    pregnant: nullable('boolean', 'Whether pregnant.') as Type.TUnsafe<boolean | null>,
    lactating: nullable('boolean', 'Whether breastfeeding.') as Type.TUnsafe<boolean | null>,
    conditions: Type.Array(Type.Unsafe<Static<typeof InteractionCondition>>({ $ref: 'PatientFactCondition' }), {
      description: 'Conditions that rules could read.',
    }),
    conditions_not_judged: Type.Array(Type.String(), {
      description: 'Active conditions of the records that have no ICD-10 code, so that no rule could read them.',
    }),
    allergies: Type.Array(Type.String(), { description: 'Allergies, as they were sent or recorded.' }),
    egfr: nullable('number', 'Filtration rate in mL/min/1.73 m².') as Type.TUnsafe<number | null>,
    egfr_measured_at: Type.Unsafe<string | null>({
      ...instant(),
      type: ['string', 'null'],
      description: 'When the filtration rate of the records was measured; null when it was sent.',
    }),
    neutrophils: nullable('number', 'Neutrophils, 10⁹ per litre.') as Type.TUnsafe<number | null>,
    platelets: nullable('number', 'Platelets, 10⁹ per litre.') as Type.TUnsafe<number | null>,
    potassium: nullable('number', 'Potassium of the serum, mmol/L.') as Type.TUnsafe<number | null>,
    concluded: Type.Array(ref(ConcludedFact), {
      description: 'Facts that were concluded from a code of a condition, because nobody gave the measure.',
    }),
    child_pugh: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['A', 'B', 'C', null],
      description: 'Child-Pugh class.',
    }),
    medications_left_out: Type.Integer({
      minimum: 0,
      description: `Active medications of the records beyond the ${MEDICATIONS_MAX} that one check takes; the summary is then not complete.`,
    }),
    missing: Type.Array(
      oneOf(['age', 'sex', 'pregnant', 'lactating', 'conditions', 'allergies', 'egfr', 'childPugh'], {
        description: 'A fact, named as in `patientData`.',
      }),
      { description: 'Facts that rules ask for and nobody gave: their rules were not checked.' },
    ),
    as_of: day({ description: 'Day on which the age was reckoned, UTC.' }),
  },
  { $id: 'PatientFacts', title: 'PatientFacts', description: 'What the check knew of the patient.' },
);

/** A condition that was taken into account. */
export const PatientFactCondition = Type.Object(
  {
    code: Type.String({ description: 'ICD-10 code.' }),
    display: optionalText(500, { description: 'The condition in words.' }),
  },
  {
    $id: 'PatientFactCondition',
    title: 'PatientFactCondition',
    description: 'A condition that was taken into account.',
  },
);

/** Where a finding was published. */
export const InteractionSource = Type.Object(
  {
    id: Type.String({ description: 'Name by which findings refer to it.' }),
    title: Type.String({ description: 'Title.' }),
    publisher: Type.String({ description: 'Authority, journal or organisation.' }),
    year: Type.Integer({ description: 'Year of publication.' }),
    url: optionalText(2000, { description: 'Address.' }),
  },
  { $id: 'InteractionSource', title: 'InteractionSource', description: 'Where a finding was published.' },
);

/** Answer of an interaction check. */
export const InteractionCheck = Type.Object(
  {
    medications: Type.Array(ref(CheckedMedication), {
      description: 'The list that was checked: what was sent, in its order, then what the records add.',
    }),
    summary: described(InteractionSummary, 'The whole list judged.'),
    pairs: Type.Array(ref(InteractionPair), { description: 'Every pair, worst first.' }),
    groups: Type.Array(ref(InteractionGroup), { description: 'Three or more together, worst first.' }),
    duplicates: Type.Array(ref(DuplicateTherapy), { description: 'Duplicate therapy, worst first.' }),
    food: Type.Array(ref(FoodInteraction), { description: 'Food and alcohol, worst first.' }),
    patient_warnings: Type.Array(ref(PatientWarning), {
      description: 'What speaks against a medication, worst first.',
    }),
    patient_facts: describedOrNull(PatientFacts, 'What was known of the patient; null when nothing was given.'),
    unresolved: Type.Array(ref(UnresolvedEntry), { description: 'What was not understood.' }),
    sources: Type.Array(ref(InteractionSource), { description: 'The sources of all findings.' }),
    matrix: describedOrNull(InteractionMatrix, 'The check as a table, where `options.views` asks for it.'),
    text: optionalText(20_000, { description: 'The check in plain language, where `options.views` asks for it.' }),
    ...provenance,
  },
  { $id: 'InteractionCheck', title: 'InteractionCheck', description: 'Answer of an interaction check.' },
);
/** Answer of an interaction check. */
export type InteractionCheck = Static<typeof InteractionCheck>;

/** Every resource of this file. */
export const medicationResources = {
  ...medicationViewResources,
  MedicationCode,
  MedicationInput,
  InteractionCondition,
  InteractionAllergy,
  InteractionPatientData,
  InteractionCheckRequest,
  MedicationResolveRequest,
  MedicationSubstance,
  MedicationSuggestion,
  ResolvedMedication,
  MedicationResolution,
  CheckedMedication,
  MedicationReference,
  InteractionFinding,
  InteractionPair,
  InteractionGroup,
  DuplicateTherapy,
  FoodInteraction,
  PatientWarning,
  UnresolvedEntry,
  SeverityCounts,
  InteractionSummary,
  PatientFacts,
  PatientFactCondition,
  InteractionSource,
  InteractionCheck,
} as const;
