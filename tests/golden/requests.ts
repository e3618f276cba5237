import type { GoldenRequest } from './exchange.ts';

/*
 * What is asked of every operation at every release, in the words of that release. Written by hand: requests made by
 * the translators would agree with them whatever they do.
 *
 * To add an operation: write its requests here, the errors too, and run `npm run golden -- record`. Places in braces
 * are filled in: `{patient}` is the demo patient, `{created}` what the last 201 made, `{etag}` and `{cursor}` what
 * the last answer gave, `{current}` the Current release of the day.
 */

/** How a release calls things. */
interface Words {
  readonly release: string;
  readonly sex: string;
  readonly contact: string;
  /** A name that an older or a newer release has for `sex`, and this one has not. */
  readonly notSex: string;
  readonly byCursor: boolean;
  readonly preferredMethod: boolean;
  readonly genderIdentity: boolean;
}

const before2023 = {
  sex: 'gender',
  notSex: 'sex',
  contact: 'contact',
  byCursor: false,
  preferredMethod: false,
  genderIdentity: false,
} as const;
const since2023 = {
  sex: 'sex',
  notSex: 'gender',
  contact: 'contact_info',
  byCursor: true,
  preferredMethod: true,
  genderIdentity: true,
} as const;

/** A release that is not here has no golden exchanges, and the completeness test says so. */
const words: readonly Words[] = [
  { release: '2022-05-01', ...before2023 },
  { release: '2022-11-15', ...before2023 },
  { release: '2023-04-30', ...since2023 },
  { release: '2023-10-15', ...since2023 },
];

/** The requests of one operation. */
export interface OperationRequests {
  readonly operation: string;
  /** Core's answers follow from the knowledge base: they are recorded too, and given again in replays. */
  readonly frozenCore?: boolean;
  requests(words: Words): readonly GoldenRequest[];
}

const get = (name: string, path: string, more: Partial<GoldenRequest> = {}): GoldenRequest => ({
  name,
  method: 'GET',
  path,
  ...more,
});
const send = (
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  name: string,
  path: string,
  body?: unknown,
  more: Partial<GoldenRequest> = {},
): GoldenRequest => ({ name, method, path, ...(body === undefined ? {} : { body }), ...more });

const seenByCurrent = get('what Current sees of it now', '/v{current}/patients/{patient}');

/** In the order in which they are sent: lists first, while nothing has been added. */
export const operationRequests: readonly OperationRequests[] = [
  {
    operation: 'patients.list',
    requests: ({ sex, notSex, contact, byCursor, genderIdentity }) => [
      get('the first page', '/patients?limit=2'),
      ...(byCursor
        ? [
            get('the page after a cursor', '/patients?limit=2&cursor={cursor}'),
            get('with the total', '/patients?limit=1&include_total=true'),
            get('an offset, which older versions had', '/patients?offset=2'),
            get('a cursor of another order', '/patients?limit=2&sort=name&cursor={cursor}'),
          ]
        : [
            get('a page at an offset', '/patients?limit=2&offset=3'),
            get('a page past the end', '/patients?offset=100000'),
            get('a filtered page at an offset', `/patients?${sex}=female&limit=1&offset=2&sort=-dob`),
            get('a cursor, which newer versions have', '/patients?cursor=abc'),
            get('the total, which is always there', '/patients?include_total=true'),
            get('an offset below zero', '/patients?offset=-1'),
          ]),
      get('ordered by two fields', '/patients?limit=3&sort=-dob,name'),
      get('filtered by sex', `/patients?limit=2&${sex}=male`),
      get('filtered by sex under the name of another version', `/patients?limit=2&${notSex}=male`),
      get('filtered by an email address', `/patients?${contact}.email=amara.okafor@example.com`),
      get('filtered by part of a name', '/patients?name=okafor&limit=1'),
      ...(genderIdentity
        ? [get('filtered by gender identity', '/patients?gender_identity=woman&limit=1')]
        : [get('filtered by gender identity, which it does not have', '/patients?gender_identity=woman')]),
      get('wrong values', `/patients?limit=0&sort=${notSex}&${sex}=none`),
      get('a parameter twice', '/patients?limit=1&limit=2'),
      get('without a key', '/patients', { key: 'none' }),
      get('with a key in the query', '/patients?limit=1', { key: 'query' }),
      get('with a key of the old format', '/patients?limit=1', { key: 'legacy' }),
      get('in a media type that there is not', '/patients', { headers: { accept: 'text/csv' } }),
    ],
  },
  {
    operation: 'patients.get',
    requests: () => [
      get('a patient of whom every field is set', '/patients/{patient}'),
      get('the same, not changed since', '/patients/{patient}', { headers: { 'if-none-match': '{etag}' } }),
      { ...get('its headers alone', '/patients/{patient}'), method: 'HEAD' },
      get('a patient that there is not', '/patients/pat_00000000000000000000'),
      get('a text that is no identifier', '/patients/banana'),
    ],
  },
  {
    operation: 'patients.create',
    requests: ({ sex, notSex, contact, preferredMethod, genderIdentity }) => [
      send('POST', 'with every field', '/patients', {
        name: 'Zoë Ångström',
        dob: '1984-02-29',
        [sex]: 'other',
        ...(genderIdentity ? { gender_identity: 'agender' } : {}),
        [contact]: {
          email: 'zoe@example.com',
          phone: '+44 7700 900123',
          ...(preferredMethod ? { preferred_method: 'email' } : {}),
        },
      }),
      get('what Current sees of it', '/v{current}/patients/{created}'),
      send('POST', 'with as little as may be', '/patients', { name: 'Bo', dob: '2001-01-01' }),
      send('POST', 'with nulls, and fields that only the service sets', '/patients', {
        id: 'mine',
        name: 'Cy',
        dob: '1999-12-31',
        [sex]: null,
        [contact]: null,
        created_at: 'yesterday',
      }),
      send('POST', 'with a field of another version', '/patients', {
        name: 'Di',
        dob: '1970-01-01',
        [notSex]: 'female',
      }),
      send('POST', 'with faults in every place', '/patients', {
        name: '',
        dob: '2001-02-30',
        [sex]: 'f',
        [contact]: { email: 'nobody', phone: 5, fax: '1' },
      }),
      send('POST', 'born in the future', '/patients', { name: 'Fu', dob: '2999-01-01' }),
      send('POST', 'without a body', '/patients'),
      send('POST', 'that is not JSON', '/patients', '{"name":'),
      send('POST', 'that is a list', '/patients', []),
      send('POST', 'in another media type', '/patients', 'name=Bo', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ],
  },
  {
    operation: 'patients.replace',
    requests: ({ sex, contact }) => [
      send('PUT', 'by what its version can say', '/patients/{patient}', {
        name: 'Amara Okafor',
        dob: '1961-03-08',
        [sex]: 'unknown',
        [contact]: { email: 'amara@example.com' },
      }),
      seenByCurrent,
      send('PUT', 'by the fields that must be there', '/patients/{patient}', { name: 'Amara', dob: '1961-03-08' }),
      { ...seenByCurrent, name: 'what Current sees of it then' },
      send(
        'PUT',
        'on condition of a state that is past',
        '/patients/{patient}',
        { name: 'A', dob: '1961-03-08' },
        {
          headers: { 'if-match': 'W/"0.x"' },
        },
      ),
      send('PUT', 'without a field that must be there', '/patients/{patient}', { [sex]: 'female' }),
      send('PUT', 'of a patient that there is not', '/patients/pat_00000000000000000000', {
        name: 'A',
        dob: '1961-03-08',
      }),
    ],
  },
  {
    operation: 'patients.update',
    requests: ({ sex, notSex, contact }) => [
      send('PATCH', 'of one field', '/patients/{patient}', { [sex]: 'female' }),
      send('PATCH', 'inside an object', '/patients/{patient}', { [contact]: { phone: '+44 7700 900999' } }),
      seenByCurrent,
      send('PATCH', 'that clears an object', '/patients/{patient}', { [contact]: null, [sex]: null }),
      { ...seenByCurrent, name: 'what Current sees of it then' },
      send(
        'PATCH',
        'on condition of the state that is there',
        '/patients/{patient}',
        { name: 'Amara O.' },
        {
          headers: { 'if-match': '{etag}' },
        },
      ),
      send(
        'PATCH',
        'on condition of a state that is past',
        '/patients/{patient}',
        { name: 'Amara P.' },
        {
          headers: { 'if-match': 'W/"0.x"' },
        },
      ),
      send('PATCH', 'of nothing', '/patients/{patient}', {}),
      send('PATCH', 'of a field of another version', '/patients/{patient}', { [notSex]: 'female' }),
      send('PATCH', 'that clears what must be there', '/patients/{patient}', { name: null, dob: 'soon' }),
      send('PATCH', 'of a patient that there is not', '/patients/pat_00000000000000000000', { [sex]: 'female' }),
    ],
  },
  {
    operation: 'patients.delete',
    requests: () => [
      send('POST', 'given: a patient', '/patients', { name: 'Gone Soon', dob: '1950-05-05' }),
      send('DELETE', 'on condition of a state that is past', '/patients/{created}', undefined, {
        headers: { 'if-match': 'W/"0.x"' },
      }),
      send('DELETE', 'of the patient', '/patients/{created}'),
      get('it is no longer there', '/patients/{created}'),
      send('DELETE', 'a second time', '/patients/{created}'),
      send('PATCH', 'a method that the path has not', '/patients', {}),
    ],
  },
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

/** The words of a release, or undefined where nobody has written them yet. */
export function wordsOf(release: string): Words | undefined {
  return words.find((each) => each.release === release);
}
