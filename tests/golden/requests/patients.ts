import { get, type OperationRequests, send } from './words.ts';

const seenByCurrent = get('what Current sees of it now', '/v{current}/patients/{patient}');

export const patientRequests: readonly OperationRequests[] = [
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
    operation: 'patients.search',
    requests: ({ sex, notSex, byCursor }) => [
      get('by parts of words', '/patients/search?query=wamb&limit=1'),
      get('filtered', `/patients/search?query=a&${sex}=female&limit=1`),
      ...(byCursor ? [] : [get('a page at an offset', '/patients/search?query=wamb&limit=1&offset=1')]),
      get('wrong values', `/patients/search?query=&${notSex}=male`),
    ],
  },
  {
    operation: 'patients.export',
    requests: ({ sex, notSex, contact }) => [
      get('one line', `/patients/export?${contact}.email=tingting.zhang14@example.org`),
      get('more than one', `/patients/export?name=wamb&${sex}=male`),
      get('wrong values', `/patients/export?${notSex}=male`),
    ],
  },
  {
    operation: 'patients.history',
    // To come, when `changed_fields` are told in the version's own names: a change of sex and of the contact.
    requests: ({ byCursor }) => [
      send('POST', 'given: a patient', '/patients', { name: 'Has Changed', dob: '1950-05-05' }),
      send('PATCH', 'given: it is changed', '/patients/{created}', { name: 'Has Changed Again' }),
      get('what was changed', '/patients/{created}/history'),
      ...(byCursor ? [] : [get('a page at an offset', '/patients/{created}/history?limit=1&offset=1')]),
      get('of a patient that there is not', '/patients/pat_00000000000000000000/history'),
    ],
  },
  {
    operation: 'patients.restore',
    requests: () => [
      send('POST', 'given: a patient', '/patients', { name: 'Back Again', dob: '1950-05-05' }),
      send('DELETE', 'given: it is deleted', '/patients/{created}'),
      send('POST', 'of the patient', '/patients/{created}/restore'),
      get('it is there again', '/patients/{created}'),
      send('POST', 'of a patient that there is not', '/patients/pat_00000000000000000000/restore'),
    ],
  },
  {
    operation: 'patients.listDeleted',
    requests: ({ byCursor }) => [
      send('POST', 'given: a patient', '/patients', { name: 'Lost', dob: '1950-05-05' }),
      send('DELETE', 'given: it is deleted', '/patients/{created}'),
      get('the last', '/patients/deleted?limit=1&sort=-deleted_at'),
      ...(byCursor ? [] : [get('a page past the end', '/patients/deleted?offset=1000')]),
      get('wrong values', '/patients/deleted?sort=name'),
    ],
  },
];
