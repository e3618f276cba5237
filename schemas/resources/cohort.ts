import Type, { type Static, type TSchema } from 'typebox';
import { day, identifier, oneOf, optionalOneOf, optionalText, ref, reference, stamp } from '../fields.ts';
import { DisclosureControl, month, PopulationSummary, RiskStratification } from './analytics.ts';

/** Fields of a patient that a criterion can name: their paths at head. */
export const criterionFields = [
  'dob',
  'sex',
  'gender_identity',
  'contact_info.email',
  'contact_info.phone',
  'contact_info.preferred_method',
] as const;

/** What a criterion on a patient can say. */
export const patientTests = ['is', 'is_not', 'from', 'before', 'recorded', 'not_recorded'] as const;

const code = (description: string): Type.TUnsafe<string> =>
  Type.Unsafe<string>({
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[0-9A-Za-z][0-9A-Za-z.\\-]*$',
    description,
    examples: ['E11'],
  });

const system = optionalText(200, {
  description: 'Address of the code system; null for any.',
  examples: ['http://hl7.org/fhir/sid/icd-10'],
});

const optionalMonth = (description: string): Type.TUnsafe<string | null> =>
  Type.Unsafe<string | null>({ ...month(description), type: ['string', 'null'] });

/** A criterion on the patient record. */
export const PatientCriterion = Type.Object(
  {
    kind: oneOf(['patient'], { description: 'A criterion on the patient record.' }),
    field: Type.Unsafe<(typeof criterionFields)[number]>({
      type: 'string',
      enum: [...criterionFields],
      'x-field-of': 'Patient',
      description: 'Path of the field, in the names of the version spoken.',
      examples: ['sex'],
    }),
    test: oneOf(patientTests, {
      description:
        '`is` and `is_not` for `sex` and the preferred way of contact, `from` and `before` for the date of birth, `recorded` and `not_recorded` for all but it.',
    }),
    value: optionalText(100, {
      'x-value-of': 'field',
      description:
        'What it is compared with; null for `recorded` and `not_recorded`. A date of birth is 1 January of a year that five divides.',
      examples: ['female'],
    }),
  },
  { $id: 'PatientCriterion', title: 'PatientCriterion', description: 'A criterion on the patient record.' },
);

/** A criterion on whether there is a record. */
export const RecordCriterion = Type.Object(
  {
    kind: oneOf(['record'], { description: 'A criterion on whether there is a medical record.' }),
    type: oneOf(['condition', 'medication', 'allergy', 'observation', 'procedure'], { description: 'Type of record.' }),
    code: code('Code of the record.'),
    system,
    match: optionalOneOf(['starts_with', 'exact'], {
      description: 'Whether longer codes that begin with it count too: `starts_with` (also when null) or `exact`.',
    }),
    from: optionalMonth('Only records from this month on, UTC; null for no limit.'),
    until: optionalMonth('Only records up to this month and including it, UTC; null for no limit.'),
    present: Type.Boolean({ description: 'Whether the patient must have such a record, or must not.' }),
  },
  {
    $id: 'RecordCriterion',
    title: 'RecordCriterion',
    description: 'A criterion on whether the patient has a medical record.',
  },
);

/** A criterion on the latest value of an observation. */
export const MeasurementCriterion = Type.Object(
  {
    kind: oneOf(['measurement'], { description: 'A criterion on the latest value of an observation.' }),
    code: code('Code of the observation.'),
    system,
    test: oneOf(['at_least', 'below'], { description: 'How the latest value must lie to `value`.' }),
    value: Type.Number({
      minimum: -1_000_000,
      maximum: 1_000_000,
      description: 'What the latest value is compared with; at most three significant digits.',
      examples: [7.5],
    }),
    unit: Type.String({ minLength: 1, maxLength: 64, description: 'UCUM unit of `value`.', examples: ['%'] }),
  },
  {
    $id: 'MeasurementCriterion',
    title: 'MeasurementCriterion',
    description: 'A criterion on the latest value of an observation; values in other units are not looked at.',
  },
);

const leaves = { patient: PatientCriterion, record: RecordCriterion, measurement: MeasurementCriterion } as const;

function union<T extends TSchema>(
  $id: string,
  description: string,
  members: Readonly<Record<string, T>>,
): Type.TUnsafe<Static<T>> {
  const ids = Object.entries(members).map(([word, each]) => [word, (each as { $id?: string }).$id as string] as const);
  return Type.Unsafe<Static<T>>({
    $id,
    title: $id,
    description,
    oneOf: ids.map(([, id]) => ({ $ref: id })),
    discriminator: { propertyName: 'kind', mapping: Object.fromEntries(ids) },
  });
}

/** One of several criteria of which one must hold. */
export const AlternativeCriterion = union<(typeof leaves)[keyof typeof leaves]>(
  'AlternativeCriterion',
  'One of several criteria of which at least one must hold; `kind` says which it is.',
  leaves,
);
/** One of several criteria of which one must hold. */
export type AlternativeCriterion = Static<typeof AlternativeCriterion>;

/** Criteria of which at least one must hold. */
export const AnyOfCriterion = Type.Object(
  {
    kind: oneOf(['any_of'], { description: 'Criteria of which at least one must hold.' }),
    criteria: Type.Array(ref(AlternativeCriterion), {
      minItems: 1,
      maxItems: 6,
      description: 'At least one of these must hold.',
    }),
  },
  {
    $id: 'AnyOfCriterion',
    title: 'AnyOfCriterion',
    description: 'Criteria of which at least one must hold.',
  },
);

/** A condition that a patient of a cohort meets. */
export const CohortCriterion = union<(typeof leaves)[keyof typeof leaves] | typeof AnyOfCriterion>(
  'CohortCriterion',
  'A criterion of a cohort; `kind` says which it is.',
  { ...leaves, any_of: AnyOfCriterion },
);
/** A condition that a patient of a cohort meets. */
export type CohortCriterion = Static<typeof CohortCriterion>;

/** A group of patients, by what they have in common. */
export const Cohort = Type.Object(
  {
    id: identifier('coh', 'Cohort identifier.'),
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Name.', examples: ['Women with diabetes'] }),
    description: optionalText(2000, { description: 'What the cohort is for.' }),
    criteria: Type.Array(ref(CohortCriterion), {
      minItems: 1,
      maxItems: 8,
      description: 'What every patient of the cohort meets: all of these, at most ten with those inside `any_of`.',
    }),
    created_at: stamp('When the cohort was created.'),
    updated_at: stamp('When the cohort was last changed.'),
  },
  {
    $id: 'Cohort',
    title: 'Cohort',
    description: 'A saved group of patients. It is defined by criteria and worked out anew for each answer.',
  },
);
/** A group of patients. */
export type Cohort = Static<typeof Cohort>;

/** Which cohorts to compare. */
export const CohortComparisonRequest = Type.Object(
  {
    cohort_ids: Type.Array(reference<'coh'>({ minLength: 1, maxLength: 80 }), {
      minItems: 2,
      maxItems: 4,
      uniqueItems: true,
      description: 'Cohorts to set side by side.',
    }),
  },
  {
    $id: 'CohortComparisonRequest',
    title: 'CohortComparisonRequest',
    description: 'Which cohorts to compare.',
    additionalProperties: false,
  },
);
/** Which cohorts to compare. */
export type CohortComparisonRequest = Static<typeof CohortComparisonRequest>;

/** One cohort of a comparison. */
export const ComparedCohort = Type.Object(
  {
    cohort_id: reference<'coh'>({ description: 'The cohort.' }),
    name: Type.String({ description: 'Its name.' }),
    population: ref(PopulationSummary),
    risk: ref(RiskStratification),
  },
  { $id: 'ComparedCohort', title: 'ComparedCohort', description: 'One cohort of a comparison.' },
);

/** How many people two cohorts share. */
export const CohortOverlap = Type.Object(
  {
    cohort_ids: Type.Array(reference<'coh'>(), { minItems: 2, maxItems: 2, description: 'The two cohorts.' }),
    people: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'People in both. Rounded; null when suppressed.',
    }),
  },
  { $id: 'CohortOverlap', title: 'CohortOverlap', description: 'How many people two cohorts share.' },
);

/** Cohorts side by side. */
export const CohortComparison = Type.Object(
  {
    cohorts: Type.Array(ref(ComparedCohort), { maxItems: 4, description: 'The cohorts, in the order asked for.' }),
    overlaps: Type.Array(ref(CohortOverlap), { maxItems: 6, description: 'Each pair of them.' }),
    as_of: day({ description: 'Day the answer speaks of, UTC.' }),
    time_zone: oneOf(['UTC'], { description: 'Time zone in which days and months begin.' }),
    disclosure_control: ref(DisclosureControl),
  },
  { $id: 'CohortComparison', title: 'CohortComparison', description: 'Cohorts side by side.' },
);
/** Cohorts side by side. */
export type CohortComparison = Static<typeof CohortComparison>;

/** Every resource of this file. */
export const cohortResources = {
  PatientCriterion,
  RecordCriterion,
  MeasurementCriterion,
  AlternativeCriterion,
  AnyOfCriterion,
  CohortCriterion,
  Cohort,
  CohortComparisonRequest,
  ComparedCohort,
  CohortOverlap,
  CohortComparison,
} as const;
