import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import {
  day,
  identifier,
  instant,
  oneOf,
  optionalOneOf,
  optionalText,
  orNull,
  ref,
  serverSet,
  stamp,
} from '../fields.ts';
import type { JsonSchema } from '../platform/json-schema.ts';
import { Coding } from './coding.ts';

/** Types of medical records. */
export const recordTypes = ['condition', 'medication', 'allergy', 'observation', 'procedure', 'note'] as const;
/** A type of medical record. */
export type RecordType = (typeof recordTypes)[number];

/** The states each type can be in. */
export const recordStatuses = {
  condition: ['active', 'recurrence', 'relapse', 'inactive', 'remission', 'resolved', 'entered_in_error'],
  medication: ['planned', 'active', 'on_hold', 'completed', 'stopped', 'entered_in_error'],
  allergy: ['active', 'inactive', 'resolved', 'entered_in_error'],
  observation: ['registered', 'preliminary', 'final', 'amended', 'corrected', 'cancelled', 'entered_in_error'],
  procedure: ['planned', 'in_progress', 'completed', 'stopped', 'not_done', 'entered_in_error'],
  note: ['draft', 'final', 'amended', 'entered_in_error'],
} as const satisfies Record<RecordType, readonly string[]>;

/** A number as text: the digits a laboratory prints have a meaning. */
const decimal = '^[+-]?\\d{1,15}(\\.\\d{1,15})?([eE][+-]?\\d{1,2})?$';

function optionalDay(description: string): Type.TUnsafe<string | null> {
  return Type.Unsafe<string | null>({ ...day(), type: ['string', 'null'], description, examples: ['2023-05-17'] });
}

function unit(description: string): Type.TUnsafe<string | null> {
  return optionalText(64, { description, examples: ['mg/dL'] });
}

/** A value in a unit. */
export const Quantity = Type.Object(
  {
    value: Type.String({ pattern: decimal, description: 'The number as text.', examples: ['7.1'] }),
    unit: Type.String({ maxLength: 64, description: 'UCUM unit.', examples: ['mmol/L'] }),
  },
  { $id: 'Quantity', title: 'Quantity', description: 'A value in a unit.' },
);
/** A value in a unit. */
export type Quantity = Static<typeof Quantity>;

const canonical = serverSet(
  Type.Unsafe<Quantity | null>({
    ...orNull(ref(Quantity)),
    readOnly: true,
    description: 'The value in the unit that all values of this code are compared in; null where the code has none.',
  }),
);

/** Between which values a measurement is usual. */
export const ReferenceRange = Type.Object(
  {
    low: optionalText(40, { pattern: decimal, description: 'Lower end, in the unit of the value.', examples: ['4.0'] }),
    high: optionalText(40, {
      pattern: decimal,
      description: 'Upper end, in the unit of the value.',
      examples: ['5.6'],
    }),
  },
  { $id: 'ReferenceRange', title: 'ReferenceRange', description: 'Between which values a measurement is usual.' },
);

/** One of several values that belong together, such as the systolic one of a blood pressure. */
export const ObservationComponent = Type.Object(
  {
    system: optionalText(200, {
      pattern: '^(https?://|urn:)[!-~]+$',
      description: 'Address of the code system; null means that of the observation’s own code.',
      examples: ['http://loinc.org'],
    }),
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[!-~]+( [!-~]+)*$',
      description: 'What was measured.',
      examples: ['8480-6'],
    }),
    display: optionalText(500, {
      description: 'What the code means, in words.',
      examples: ['Systolic blood pressure'],
    }),
    value: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'A number when there is a unit, words otherwise.',
      examples: ['128'],
    }),
    unit: unit('UCUM unit.'),
    canonical,
  },
  {
    $id: 'ObservationComponent',
    title: 'ObservationComponent',
    description: 'One of several values of an observation.',
  },
);
/** One of several values of an observation. */
export type ObservationComponent = Static<typeof ObservationComponent>;

/** Members that every type has, before and after its own. */
function recordOf<T extends RecordType, C extends TSchema, P extends TProperties>(
  type: T,
  $id: string,
  description: string,
  code: C,
  own: P,
) {
  return Type.Object(
    {
      id: identifier('rec', 'Record identifier.'),
      patient_id: identifier('pat', 'The patient it is about.'),
      type: oneOf([type], { description: 'Type of the record; it never changes.' }),
      status: oneOf(recordStatuses[type] as readonly string[], {
        description: 'State. `entered_in_error` says that it should never have been there.',
      }),
      code,
      effective_at: Type.Unsafe<string | null>({
        ...instant(),
        type: ['string', 'null'],
        description: 'When it began, was measured, was done or was written; null when not known.',
        examples: ['2023-05-17T09:30:00.000Z'],
      }),
      author: optionalText(200, { description: 'Who stated it.', examples: ['Dr. N. Achterberg'] }),
      ...own,
      created_at: stamp('When the record was created.'),
      updated_at: stamp('When the record was last changed.'),
    },
    { $id, title: $id, description },
  );
}

const coded = (description: string): Type.TUnsafe<Coding> => Type.Unsafe<Coding>({ ...ref(Coding), description });

/** A disease, an injury or a problem. */
export const ConditionRecord = recordOf(
  'condition',
  'ConditionRecord',
  'A disease, an injury or a problem.',
  coded('What it is, for example by ICD-10 or SNOMED CT.'),
  {
    onset: optionalDay('Day it began.'),
    abatement: optionalDay('Day it ended.'),
    verification: optionalOneOf(['unconfirmed', 'provisional', 'differential', 'confirmed', 'refuted'], {
      description: 'How sure it is.',
    }),
    severity: optionalOneOf(['mild', 'moderate', 'severe'], { description: 'How severe it is.' }),
  },
);

/** A medicine that is or was taken. */
export const MedicationRecord = recordOf(
  'medication',
  'MedicationRecord',
  'A medicine that is or was taken.',
  coded('The medicine, for example by ATC or RxNorm.'),
  {
    dosage: optionalText(500, { description: 'How much and how often, in words.', examples: ['500 mg twice a day'] }),
    route: optionalText(100, { description: 'How it is taken.', examples: ['oral'] }),
    dose_value: optionalText(40, { pattern: decimal, description: 'Amount of one dose.', examples: ['500'] }),
    dose_unit: unit('UCUM unit of the dose.'),
    indication: Type.Unsafe<Coding | null>({ ...orNull(ref(Coding)), description: 'What it is taken for.' }),
    ended_at: Type.Unsafe<string | null>({
      ...instant(),
      type: ['string', 'null'],
      description: 'When it was last taken.',
    }),
  },
);

/** Something that the patient reacts to. */
export const AllergyRecord = recordOf(
  'allergy',
  'AllergyRecord',
  'Something that the patient reacts to.',
  coded('The allergy or the substance.'),
  {
    substance: optionalText(200, { description: 'The substance, in words.', examples: ['Penicillin'] }),
    category: optionalOneOf(['medication', 'food', 'environment', 'biologic'], { description: 'Kind of substance.' }),
    reaction: optionalText(500, { description: 'What happens.', examples: ['Urticaria'] }),
    severity: optionalOneOf(['mild', 'moderate', 'severe'], { description: 'How severe the reaction was.' }),
    criticality: optionalOneOf(['low', 'high', 'unable_to_assess'], {
      description: 'How dangerous the next one may be.',
    }),
  },
);

/** Something measured or seen. */
export const ObservationRecord = recordOf(
  'observation',
  'ObservationRecord',
  'Something measured or seen.',
  coded('What was measured, for example by LOINC.'),
  {
    value: optionalText(1000, {
      description: 'A number when there is a unit, words otherwise; null when the components have the values.',
      examples: ['7.1'],
    }),
    unit: unit('UCUM unit of the value.'),
    comparator: optionalOneOf(['<', '<=', '>=', '>'], { description: 'How the true value relates to `value`.' }),
    canonical,
    interpretation: optionalOneOf(['critical_low', 'low', 'normal', 'high', 'critical_high', 'abnormal'], {
      description: 'What the value means.',
    }),
    reference_range: Type.Unsafe<Static<typeof ReferenceRange> | null>({
      ...orNull(ref(ReferenceRange)),
      description: 'Between which values it is usual.',
    }),
    components: Type.Array(ref(ObservationComponent), {
      maxItems: 50,
      description: 'Values that belong together; empty for a single value.',
    }),
  },
);
/** Something measured or seen. */
export type ObservationRecord = Static<typeof ObservationRecord>;

/** Something done to the patient. */
export const ProcedureRecord = recordOf(
  'procedure',
  'ProcedureRecord',
  'Something done to the patient.',
  coded('What was done.'),
  {
    outcome: optionalText(1000, { description: 'How it went.', examples: ['uncomplicated'] }),
    body_site: Type.Unsafe<Coding | null>({ ...orNull(ref(Coding)), description: 'Where on the body.' }),
    ended_at: Type.Unsafe<string | null>({ ...instant(), type: ['string', 'null'], description: 'When it ended.' }),
  },
);

/** Words of somebody who cares for the patient. */
export const NoteRecord = recordOf(
  'note',
  'NoteRecord',
  'Words of somebody who cares for the patient.',
  Type.Unsafe<Coding | null>({ ...orNull(ref(Coding)), description: 'Kind of note, if it is coded.' }),
  {
    title: optionalText(200, { description: 'Title.', examples: ['Review of medication'] }),
    text: Type.String({ minLength: 1, maxLength: 20_000, description: 'The words.' }),
  },
);

const members = {
  condition: ConditionRecord,
  medication: MedicationRecord,
  allergy: AllergyRecord,
  observation: ObservationRecord,
  procedure: ProcedureRecord,
  note: NoteRecord,
} as const;

/** One entry of a patient's history: which type it is says what else it has. */
export const MedicalRecord = Type.Unsafe<Static<(typeof members)[RecordType]>>({
  $id: 'MedicalRecord',
  title: 'MedicalRecord',
  description: 'One entry of a patient’s history; `type` says what else it has. A patch names the type as well.',
  oneOf: Object.values(members).map((each) => ref(each)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(Object.entries(members).map(([type, each]) => [type, (each as JsonSchema).$id])),
  },
});
/** One entry of a patient's history. */
export type MedicalRecord = Static<typeof MedicalRecord>;

/** A record as it was after one write. */
export const RecordVersion = Type.Object(
  {
    revision: Type.Integer({ minimum: 1, description: 'Number of the state, from 1.' }),
    action: oneOf(['created', 'corrected', 'deleted', 'restored'], { description: 'What was done.' }),
    changed_at: stamp('When it was done.'),
    changed_by: serverSet(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        readOnly: true,
        description: 'Identifier of the API key that did it; null for data that came with the account.',
      }),
    ),
    changed_fields: Type.Array(
      Type.Unsafe<string>({ type: 'string', 'x-field-of': 'MedicalRecord', description: 'Path of a field.' }),
      { description: 'The fields that got another value, in the names of the version asked for.' },
    ),
    record: ref(MedicalRecord),
  },
  { $id: 'RecordVersion', title: 'RecordVersion', description: 'A medical record as it was after one write.' },
);
/** A record as it was after one write. */
export type RecordVersion = Static<typeof RecordVersion>;

/** A value in another unit. */
export const UnitConversion = Type.Object(
  {
    from: ref(Quantity),
    to: ref(Quantity),
    code: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The LOINC code whose molar mass was used; null when none was given.',
    }),
  },
  { $id: 'UnitConversion', title: 'UnitConversion', description: 'A value in another unit.' },
);

/** Every resource of this file. */
export const recordResources = {
  Quantity,
  ReferenceRange,
  ObservationComponent,
  ConditionRecord,
  MedicationRecord,
  AllergyRecord,
  ObservationRecord,
  ProcedureRecord,
  NoteRecord,
  MedicalRecord,
  RecordVersion,
  UnitConversion,
} as const;
