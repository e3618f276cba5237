import Type, { type Static } from 'typebox';
import { oneOf, ref, serverSet, stamp } from '../fields.ts';
import { Patient } from './patient.ts';

/** One write to a patient: who, when and which fields. Values are not kept: the record is the only copy of them. */
export const PatientChange = Type.Object(
  {
    revision: Type.Integer({ minimum: 1, description: 'Number of the state that the write led to, from 1.' }),
    action: oneOf(['created', 'updated', 'deleted', 'restored'], { description: 'What was done.' }),
    changed_at: stamp('When it was done.'),
    changed_by: serverSet(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        readOnly: true,
        description: 'Identifier of the API key that did it; null for data that came with the account.',
      }),
    ),
    changed_fields: Type.Array(
      Type.Unsafe<string>({
        type: 'string',
        'x-field-of': 'Patient',
        description: 'Path of a field.',
        examples: ['contact_info.email'],
      }),
      { description: 'The fields that got another value, in the names of the version asked for.' },
    ),
  },
  { $id: 'PatientChange', title: 'PatientChange', description: 'One write to a patient.' },
);
/** One write to a patient. */
export type PatientChange = Static<typeof PatientChange>;

/** A patient that a search found. */
export const PatientMatch = Type.Object(
  {
    patient: ref(Patient),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How well it fits: whole words of the name before beginnings, parts of words and contact data.',
    }),
  },
  { $id: 'PatientMatch', title: 'PatientMatch', description: 'A patient that a search found.' },
);
/** A patient that a search found. */
export type PatientMatch = Static<typeof PatientMatch>;

/** A patient that was deleted and can be restored. */
export const DeletedPatient = Type.Object(
  {
    patient: ref(Patient),
    deleted_at: stamp('When it was deleted.'),
    deleted_by: serverSet(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        readOnly: true,
        description: 'Identifier of the API key that deleted it; null when that is not known.',
      }),
    ),
  },
  { $id: 'DeletedPatient', title: 'DeletedPatient', description: 'A patient that was deleted and can be restored.' },
);
/** A patient that was deleted and can be restored. */
export type DeletedPatient = Static<typeof DeletedPatient>;

/** Every resource of this file. */
export const patientResources = { Patient, PatientChange, PatientMatch, DeletedPatient } as const;
