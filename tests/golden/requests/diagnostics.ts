import { get, type OperationRequests, send } from './words.ts';

/*
 * What is answered follows from the knowledge base, so what core answers is recorded. Of a recording, the same request
 * has the same answer however often it is sent: no exchange here looks at a record before and after a change.
 */
const all = '/diagnostics';
const one = '/diagnostics/{created}';
const given = send('POST', 'given: a record', all, {
  patient_id: '{patient}',
  patientData: { symptoms: ['testicle not in the scrotum'] },
  options: { maxResults: 1, includeConfidenceScores: false },
});
const past = { headers: { 'if-match': 'W/"0.x"' } };
const none = '/diagnostics/diag_00000000000000000000';

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
  {
    operation: 'diagnostics.parse',
    frozenCore: true,
    requests: () => [
      send('POST', 'of sentences', '/diagnostics/parse', {
        patientData: {
          symptoms: ['3 days of worsening cough, no fever, worse at night', 'xyzzy'],
          history: 'Takes warfarin.',
          familyHistory: 'Mother had breast cancer.',
          socialHistory: 'Smokes.',
        },
      }),
      send('POST', 'of nothing', '/diagnostics/parse', { patientData: {} }),
      send('POST', 'with faults', '/diagnostics/parse', { patientData: { symptoms: 'cough' }, options: {} }),
    ],
  },
  {
    operation: 'diagnostics.differential',
    frozenCore: true,
    requests: () => [
      send('POST', 'of candidates', '/diagnostics/differential', {
        patientData: { age: 45, sex: 'female', symptoms: ['shortness of breath', 'no fever'] },
        candidates: ['pneumonia', 'I26', 'pneumothrax', 'xyzzy'],
      }),
      send('POST', 'of the likeliest', '/diagnostics/differential', {
        patientData: { symptoms: ['cough', 'fever'] },
        options: { maxResults: 1, includeConfidenceScores: false },
      }),
      send('POST', 'with faults', '/diagnostics/differential', {
        patientData: { symptoms: ['cough'], vitalSigns: { heartRate: 1000 } },
        candidates: [''],
      }),
    ],
  },
  {
    operation: 'diagnostics.stream',
    frozenCore: true,
    requests: () => [
      send('POST', 'of two symptoms', '/diagnostics/stream', {
        patientData: { age: 24, sex: 'female', symptoms: ['sneezing', 'runny nose'] },
        options: { maxResults: 1 },
      }),
      send('POST', 'of nothing', '/diagnostics/stream', { patientData: {} }),
      send('POST', 'with faults', '/diagnostics/stream', { patientData: { age: -1 } }),
    ],
  },
  {
    operation: 'diagnostics.list',
    requests: ({ byCursor }) => [
      get('none yet', '/diagnostics?limit=1'),
      ...(byCursor
        ? [get('with the total', '/diagnostics?include_total=true')]
        : [get('a page at an offset', '/diagnostics?limit=1&offset=1')]),
      get('of one patient', '/diagnostics?patient_id={patient}&sort=created_at&kind=analysis&status=accepted'),
      get('wrong values', '/diagnostics?limit=0&sort=status&kind=guess&created_from=yesterday'),
    ],
  },
  {
    operation: 'diagnostics.create',
    frozenCore: true,
    requests: () => [
      send('POST', 'of a patient', all, given.body),
      send('POST', 'of a patient that there is not', '/diagnostics', {
        patient_id: 'pat_00000000000000000000',
        patientData: { symptoms: ['cough'] },
      }),
      send('POST', 'without a patient', '/diagnostics', { patientData: { symptoms: ['cough'] } }),
      send('POST', 'with faults', '/diagnostics', { patient_id: 5, patientData: {}, status: 'accepted' }),
    ],
  },
  {
    operation: 'diagnostics.get',
    frozenCore: true,
    requests: () => [given, get('the record', one), get('one that there is not', none)],
  },
  {
    operation: 'diagnostics.update',
    frozenCore: true,
    requests: () => [
      given,
      send('PATCH', 'of the note', one, { note: 'Seen with a colleague.' }),
      send('PATCH', 'one that there is not', none, { note: 'x' }),
      send('PATCH', 'with faults', none, { note: 5, colour: 'red' }),
    ],
  },
  {
    operation: 'diagnostics.giveFeedback',
    frozenCore: true,
    requests: () => [
      given,
      send('POST', 'that overrides', `${one}/feedback`, {
        decision: 'overridden',
        reason: 'Koplik spots.',
        diagnosis: { name: 'Measles' },
      }),
      send('POST', 'on one that there is not', `${none}/feedback`, { decision: 'accepted' }),
      send('POST', 'with faults', `${none}/feedback`, { decision: 'perhaps', diagnosis: {} }),
    ],
  },
  {
    operation: 'diagnostics.delete',
    frozenCore: true,
    requests: () => [
      given,
      send('DELETE', 'on condition of a state that is past', one, undefined, past),
      send('DELETE', 'one that there is not', none),
    ],
  },
  {
    operation: 'diagnostics.restore',
    frozenCore: true,
    requests: () => [
      given,
      send('POST', 'of one that is there', `${one}/restore`),
      send('POST', 'one that there is not', `${none}/restore`),
    ],
  },
];
