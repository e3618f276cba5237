import Type, { type Static } from 'typebox';
import { oneOf } from '../fields.ts';

/** Other forms in which an interaction check is answered. */
export const checkViews = ['matrix', 'text'] as const;

const number = (description: string): Type.TUnsafe<number | null> =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description });

/** How much is taken, as it was understood. */
export const MedicationDosage = Type.Object(
  {
    dose_mg: number('Milligrams at a time; null when not told or told in another measure.'),
    per_day: number('How often in a day; a seventh for once a week.'),
    daily_mg: number('Milligrams a day on average; with a dose and no frequency, once a day is assumed.'),
    as_needed: Type.Boolean({ description: 'Whether it is taken only when needed.' }),
  },
  { $id: 'MedicationDosage', title: 'MedicationDosage', description: 'How much is taken, as it was understood.' },
);

/** A fact of the patient that was concluded from a code. */
export const ConcludedFact = Type.Object(
  {
    fact: oneOf(['egfr', 'childPugh'], { description: 'The fact, named as in `patientData`.' }),
    code: Type.String({ description: 'The code it was concluded from.', examples: ['N18.4'] }),
  },
  {
    $id: 'ConcludedFact',
    title: 'ConcludedFact',
    description: 'A fact that was concluded from a code of a condition.',
  },
);

/** An interaction check as a table. */
export const InteractionMatrix = Type.Object(
  {
    names: Type.Array(Type.String(), { description: 'Heads of rows and columns, in the order of `medications`.' }),
    severities: Type.Array(
      Type.Array(Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'A severity.' }), {
        description: 'One row.',
      }),
      { description: 'Severity of each pair; null on the diagonal. The table is symmetric.' },
    ),
  },
  { $id: 'InteractionMatrix', title: 'InteractionMatrix', description: 'An interaction check as a table.' },
);
/** An interaction check as a table. */
export type InteractionMatrix = Static<typeof InteractionMatrix>;

/** Every resource of this file. */
export const medicationViewResources = { MedicationDosage, ConcludedFact, InteractionMatrix };
