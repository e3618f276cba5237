import Type, { type Static } from 'typebox';
import { day, identifier, optionalOneOf, optionalText, stamp } from '../fields.ts';

/** Values of `sex`, the same words as `gender` had before 2023-04-30. */
export const sexes = ['female', 'male', 'other', 'unknown'] as const;

/** How a patient wishes to be reached. */
export const contactMethods = ['email', 'phone', 'sms', 'mail', 'none'] as const;

/** The patient record (specification, section 2.3). */
export const Patient = Type.Object(
  {
    id: identifier('pat', 'Patient identifier.'),
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Patient name.', examples: ['Amara Okafor'] }),
    dob: day({ description: 'Date of birth, YYYY-MM-DD; not in the future.', examples: ['1984-03-07'] }),
    sex: optionalOneOf(sexes, { description: 'Sex recorded for clinical use.', examples: ['female'] }),
    gender_identity: optionalText(100, {
      description: 'Gender identity in the patient’s own words.',
      examples: ['woman'],
    }),
    contact_info: Type.Object(
      {
        email: optionalText(254, { format: 'email', description: 'Email address.', examples: ['amara@example.org'] }),
        phone: optionalText(40, { description: 'Telephone number as given.', examples: ['+44 20 7946 0958'] }),
        preferred_method: optionalOneOf(contactMethods, {
          description: 'How the patient wishes to be reached.',
          examples: ['phone'],
        }),
      },
      { description: 'How to reach the patient.' },
    ),
    created_at: stamp('When the record was created.'),
    updated_at: stamp('When the record was last changed.'),
  },
  { $id: 'Patient', title: 'Patient', description: 'A person whose care the account looks after.' },
);

/** A patient as core answers it. */
export type Patient = Static<typeof Patient>;
