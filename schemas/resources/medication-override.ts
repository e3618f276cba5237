import Type, { type Static } from 'typebox';
import {
  identifier,
  oneOf,
  optionalReference,
  optionalText,
  orNull,
  ref,
  type ServerSet,
  serverSet,
  stamp,
} from '../fields.ts';

/** Why somebody went on in spite of a finding. */
export const overrideReasons = [
  'benefit_outweighs_risk',
  'monitoring_planned',
  'dose_adjusted',
  'tolerated_before',
  'no_alternative',
  'specialist_advice',
  'not_relevant_for_patient',
  'other',
] as const;

const severities = ['contraindicated', 'major', 'moderate', 'unknown', 'minor', 'none_known'] as const;

const reasonCode = (): Type.TUnsafe<(typeof overrideReasons)[number]> =>
  oneOf(overrideReasons, { description: 'Why the finding was overridden; `other` needs `reason_text`.' });
const recordedBy = (): ServerSet<Type.TUnsafe<string>> =>
  serverSet(
    Type.Unsafe<string>({ type: 'string', readOnly: true, description: 'Identifier of the API key that recorded it.' }),
  );

/** A code of a medication in an override. */
export const OverrideMedicationCode = Type.Object(
  {
    system: Type.String({ minLength: 1, maxLength: 200, description: '`atc`, `rxnorm`, or the address of either.' }),
    code: Type.String({ minLength: 1, maxLength: 64, description: 'The code.' }),
  },
  { $id: 'OverrideMedicationCode', title: 'OverrideMedicationCode', description: 'A code by ATC or RxNorm.' },
);

/** One side of the pair. */
export const OverrideMedication = Type.Object(
  {
    name: optionalText(200, { minLength: 1, description: 'Name as it was sent.' }),
    code: Type.Unsafe<Static<typeof OverrideMedicationCode> | null>({
      ...orNull(ref(OverrideMedicationCode)),
      description: 'Code as it was sent.',
    }),
    substance_ids: serverSet(
      Type.Array(Type.String(), {
        readOnly: true,
        description: 'The active substances it means: an override holds for every medication of the same ones.',
      }),
    ),
  },
  { $id: 'OverrideMedication', title: 'OverrideMedication', description: 'One medication of an overridden pair.' },
);
/** One side of the pair. */
export type OverrideMedication = Static<typeof OverrideMedication>;

/** A finding that somebody decided to go on in spite of. */
export const InteractionOverride = Type.Object(
  {
    id: identifier('iov', 'Override identifier.'),
    patient_id: optionalReference<'pat'>({
      maxLength: 80,
      minLength: 1,
      description: 'The patient it holds for; one without a patient is kept for the account and shown in no check.',
    }),
    medications: Type.Array(ref(OverrideMedication), {
      minItems: 2,
      maxItems: 2,
      description: 'The pair; both must be identified without doubt.',
    }),
    reason_code: reasonCode(),
    reason_text: optionalText(1000, { minLength: 1, description: 'The reason in words.' }),
    severity: serverSet(
      oneOf(severities, { readOnly: true, description: 'What the pair was judged when it was recorded.' }),
    ),
    rule_ids: serverSet(
      Type.Array(Type.String(), { readOnly: true, description: 'Rules that had fired, heaviest first.' }),
    ),
    knowledge_version: serverSet(
      Type.Unsafe<string>({
        type: 'string',
        readOnly: true,
        description: 'Version of the knowledge base at that time.',
      }),
    ),
    created_by: recordedBy(),
    created_at: stamp('When it was recorded.'),
  },
  {
    $id: 'InteractionOverride',
    title: 'InteractionOverride',
    description: 'An interaction that was overridden, and why. It is never changed and never lowers a severity.',
  },
);
/** A finding that somebody decided to go on in spite of. */
export type InteractionOverride = Static<typeof InteractionOverride>;

/** An override as a check shows it. */
export const InteractionOverrideNote = Type.Object(
  {
    id: identifier('iov', 'Override identifier.'),
    reason_code: reasonCode(),
    reason_text: optionalText(1000, { description: 'The reason in words.' }),
    severity_then: oneOf(severities, { description: 'What the pair was judged when it was recorded.' }),
    covers_now: Type.Boolean({
      description: 'False when the pair is judged worse now than when it was overridden: decide again.',
    }),
    created_by: recordedBy(),
    created_at: stamp('When it was recorded.'),
  },
  {
    $id: 'InteractionOverrideNote',
    title: 'InteractionOverrideNote',
    description: 'An override that was recorded for a pair.',
  },
);
/** An override as a check shows it. */
export type InteractionOverrideNote = Static<typeof InteractionOverrideNote>;

/** Every resource of this file. */
export const medicationOverrideResources = {
  OverrideMedicationCode,
  OverrideMedication,
  InteractionOverride,
  InteractionOverrideNote,
} as const;
