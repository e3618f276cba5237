import { type OperationRequests, send } from './words.ts';

const patients = '/patients/bulk';
const diagnostics = '/diagnostics/bulk';
const nobody = 'pat_00000000000000000000';
const noRecord = 'diag_00000000000000000000';
const lines = { headers: { 'content-type': 'application/x-ndjson' } };
const person = { name: 'Amara Okafor', dob: '1984-03-07' };
const patientData = { symptoms: ['testicle not in the scrotum'] };
const line = (each: object): string => `${JSON.stringify(each)}\n`;

export const bulkRequests: readonly OperationRequests[] = [
  {
    operation: 'patients.bulk',
    requests: ({ contact, sex, notSex }) => [
      send('POST', 'given: a patient', '/patients', { ...person, name: 'Before' }),
      send('POST', 'of every action', patients, {
        operations: [
          { action: 'create', data: { ...person, [sex]: 'female', [contact]: { email: 'amara@example.org' } } },
          { action: 'update', id: '{created}', data: { [contact]: { phone: '+44 20 7946 0958' } } },
          { action: 'delete', id: '{created}' },
          { action: 'delete', id: nobody },
          { action: 'create', data: { name: '', [notSex]: 'female', [contact]: { email: 'none' } } },
          { action: 'forget', id: nobody },
        ],
      }),
      send(
        'POST',
        'in lines, together or not at all',
        `${patients}?mode=atomic`,
        line({ action: 'create', data: person }) + line({ action: 'update', id: nobody, data: { name: 'x' } }),
        lines,
      ),
      send('POST', 'of nothing', patients, { operations: [] }),
      send('POST', 'with faults', `${patients}?mode=x`, { operations: [{ action: 'delete', id: nobody }], wait: true }),
      send('POST', 'of lines that break off', patients, '{"action":"delete"', lines),
    ],
  },
  {
    operation: 'diagnostics.bulk',
    // Analyses follow from the knowledge base.
    frozenCore: true,
    requests: () => [
      send('POST', 'of every action', diagnostics, {
        operations: [
          { action: 'analyze', data: { patientData, options: { maxResults: 1 } } },
          { action: 'create', data: { patient_id: '{patient}', patientData, options: { maxResults: 1 } } },
          { action: 'update', id: noRecord, data: { note: 'x' } },
          { action: 'delete', id: noRecord },
          { action: 'analyze', data: { patientData: { age: 'old', gender: 'x', symptoms: [''] } } },
          { action: 'analyze', data: { patientData: { age: 30 } } },
        ],
      }),
      send('POST', 'of nothing', diagnostics, { operations: [] }),
      send('POST', 'with faults', diagnostics, { mode: 'sometimes', operations: [{}], colour: 'red' }),
    ],
  },
];
