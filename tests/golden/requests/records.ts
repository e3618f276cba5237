import { get, type OperationRequests, send } from './words.ts';

const records = '/patients/{patient}/records';
const none = 'rec_00000000000000000000';
const loinc = 'http://loinc.org';
const icd10 = 'http://hl7.org/fhir/sid/icd-10';

const glucose = {
  type: 'observation',
  status: 'final',
  code: { system: loinc, code: '2345-7', display: 'Glucose' },
  effective_at: '2023-05-17T09:30:00.000Z',
  author: 'Dr. N. Achterberg',
  value: '100',
  unit: 'mg/dL',
  reference_range: { low: '70', high: null },
};
const note = {
  type: 'note',
  status: 'final',
  code: null,
  effective_at: '2023-01-02T03:04:05.000Z',
  text: 'Feels well.',
};
const allergy = {
  type: 'allergy',
  status: 'active',
  code: { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'Z88.0', display: null },
  substance: 'Penicillin',
  criticality: 'high',
};

const given = send('POST', 'given: a note', records, note);
const past = { headers: { 'if-match': 'W/"0.x"' } };

export const recordRequests: readonly OperationRequests[] = [
  {
    operation: 'records.list',
    requests: ({ byCursor }) => [
      get('the newest', `${records}?limit=2&sort=-effective_at`),
      ...(byCursor
        ? [get('the page after a cursor', `${records}?limit=1&sort=-effective_at&cursor={cursor}`)]
        : [get('a page at an offset', `${records}?limit=1&offset=2&sort=-effective_at`)]),
      get('filtered by type and code', `${records}?type=condition&code.system=${icd10}&code.code=I10`),
      get('filtered by a time', `${records}?type=note&effective_from=2023-01-01T00:00:00Z&limit=1`),
      get('wrong values', `${records}?type=rumour&sort=author&effective_to=yesterday`),
      get('of a patient that there is not', '/patients/pat_00000000000000000000/records'),
    ],
  },
  {
    operation: 'records.query',
    requests: ({ byCursor }) => [
      get('the newest', '/records?limit=1&type=procedure&sort=-effective_at'),
      ...(byCursor ? [] : [get('a page at an offset', '/records?limit=1&offset=5&type=procedure&sort=effective_at')]),
      get('wrong values', '/records?limit=101&include=all'),
    ],
  },
  {
    operation: 'records.export',
    requests: () => [
      get('a few lines', '/records/export?type=procedure&effective_from=2023-09-15T00:00:00Z'),
      get('wrong values', '/records/export?type=rumour'),
    ],
  },
  {
    operation: 'records.create',
    requests: () => [
      send('POST', 'an observation', records, glucose),
      send('POST', 'a note', records, note),
      send('POST', 'an allergy', records, allergy),
      send('POST', 'of no type that there is', records, { ...note, type: 'rumour' }),
      send('POST', 'with faults in every place', records, {
        ...glucose,
        value: null,
        code: { system: 'x' },
        text: 'x',
      }),
      send('POST', 'to a patient that there is not', '/patients/pat_00000000000000000000/records', note),
    ],
  },
  {
    operation: 'records.get',
    requests: () => [
      given,
      get('the note', `${records}/{created}`),
      get('the same, not changed since', `${records}/{created}`, { headers: { 'if-none-match': '{etag}' } }),
      get('a record that there is not', `${records}/${none}`),
    ],
  },
  {
    operation: 'records.replace',
    requests: () => [
      given,
      send('PUT', 'as a whole', `${records}/{created}`, { ...note, title: 'Visit', text: 'Feels better.' }),
      send('PUT', 'on condition of a state that is past', `${records}/{created}`, note, past),
      send('PUT', 'by another type', `${records}/{created}`, allergy),
      send('PUT', 'of a record that there is not', `${records}/${none}`, note),
    ],
  },
  {
    operation: 'records.update',
    requests: () => [
      given,
      send('PATCH', 'of one field', `${records}/{created}`, { type: 'note', text: 'Feels better.' }),
      send('PATCH', 'that clears a field', `${records}/{created}`, { type: 'note', effective_at: null }),
      send('PATCH', 'on condition of a state that is past', `${records}/{created}`, { type: 'note', text: 'x' }, past),
      send('PATCH', 'of a field of another type', `${records}/{created}`, { type: 'note', value: '1' }),
      send('PATCH', 'of a record that there is not', `${records}/${none}`, { type: 'note', text: 'x' }),
    ],
  },
  {
    operation: 'records.delete',
    requests: () => [
      given,
      send('DELETE', 'of the note', `${records}/{created}`),
      get('it is no longer there', `${records}/{created}`),
      send('DELETE', 'of a record that there is not', `${records}/${none}`),
    ],
  },
  {
    operation: 'records.restore',
    requests: () => [
      given,
      send('DELETE', 'given: it is deleted', `${records}/{created}`),
      send('POST', 'of the note', `${records}/{created}/restore`),
      get('it is there again', `${records}/{created}`),
      send('POST', 'of a record that there is not', `${records}/${none}/restore`),
    ],
  },
  {
    operation: 'records.history',
    requests: ({ byCursor }) => [
      given,
      send('PATCH', 'given: it is corrected', `${records}/{created}`, { type: 'note', text: 'Feels better.' }),
      get('what it said', `${records}/{created}/history`),
      ...(byCursor ? [] : [get('a page at an offset', `${records}/{created}/history?limit=1&offset=1`)]),
      get('of a record that there is not', `${records}/${none}/history`),
    ],
  },
  {
    operation: 'units.convert',
    requests: () => [
      get('a mass to an amount of substance', '/units/convert?value=100&from=mg/dL&to=mmol/L&code=2345-7'),
      get('units that do not fit', '/units/convert?value=1&from=kg&to=m'),
      get('too little', '/units/convert?value=abc'),
    ],
  },
];
