import { type OperationRequests, send } from './words.ts';

export const diagnosticRequests: readonly OperationRequests[] = [
  {
    operation: 'diagnostics.analyze',
    frozenCore: true,
    requests: () => [
      send('POST', 'with symptoms and vital signs', '/diagnostics/analyze', {
        patientData: {
          age: 58,
          sex: 'male',
          symptoms: ['crushing chest pain', 'sweating', 'no fever', 'xyzzy'],
          vitalSigns: { temperature: 36.8, bloodPressure: { systolic: 150, diastolic: 95 }, heartRate: 104 },
        },
        options: { maxResults: 2 },
      }),
      send('POST', 'without confidence scores', '/diagnostics/analyze', {
        patientData: { symptoms: ['cough', 'fever'] },
        options: { includeConfidenceScores: false, maxResults: 1 },
      }),
      send('POST', 'with too little', '/diagnostics/analyze', { patientData: {} }),
      send('POST', 'with faults', '/diagnostics/analyze', {
        patientData: { age: -1, gender: 'male', symptoms: [''], vitalSigns: { temperature: 'high' } },
        options: { maxResults: 0 },
      }),
      send('POST', 'with a temperature in the wrong unit', '/diagnostics/analyze', {
        patientData: { vitalSigns: { temperature: 98.6 } },
      }),
    ],
  },
];
