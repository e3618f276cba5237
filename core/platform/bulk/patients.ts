import type { PatientOperation } from '@perennial/schemas/resources/bulk.ts';
import { type PatientPatch, type PatientWrite, toPatient } from '../../patients/patient.ts';
import type { PatientService } from '../../patients/service.ts';
import { inState } from './in-state.ts';
import type { BulkSubject } from './subject.ts';

/** Patients in bulk: create, update, delete. */
export function patientSubject(patients: PatientService): BulkSubject {
  return {
    category: 'patients',
    job: 'patients.bulk',
    resultOf: () => 'patient',
    tables: ['patients', 'patient_changes', 'events'],
    actions: ['create', 'update', 'delete'],
    carryOut: async ({ caller }, operation) => {
      const asked = operation as unknown as PatientOperation;
      switch (asked.action) {
        case 'create': {
          const row = await patients.create(caller, asked.data as PatientWrite);
          return { id: row.id, patientId: row.id, data: toPatient(row) };
        }
        case 'update': {
          const { id, data, if_match } = asked;
          const row = await inState(if_match, (conditions) =>
            patients.update(caller, id, data as PatientPatch, conditions),
          );
          return { id, patientId: id, data: toPatient(row) };
        }
        case 'delete': {
          const { id, if_match } = asked;
          await inState(if_match, (conditions) => patients.remove(caller, id, conditions));
          return { id, patientId: id, data: null };
        }
      }
    },
  };
}
