import Type, { type Static } from 'typebox';
import { optionalText } from '../fields.ts';

/** A code of a published code system, as FHIR names the systems. */
export const Coding = Type.Object(
  {
    system: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^(https?://|urn:)[!-~]+$',
      description: 'Address of the code system, as HL7 FHIR gives it.',
      examples: ['http://loinc.org'],
    }),
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[!-~]+( [!-~]+)*$',
      description: 'The code. Codes of LOINC, SNOMED CT, ICD-10, ATC and RxNorm are checked for their form.',
      examples: ['4548-4'],
    }),
    display: optionalText(500, { description: 'What the code means, in words.', examples: ['Hemoglobin A1c'] }),
  },
  { $id: 'Coding', title: 'Coding', description: 'A code of a published code system.' },
);

/** A code as core answers it. */
export type Coding = Static<typeof Coding>;
