import { get, type OperationRequests, send } from './words.ts';

/*
 * Checks and names follow from the knowledge base, so what core answers to them is recorded. Overrides are objects like
 * others, but what they say the pair was judged comes from the knowledge base too, so they are recorded as well.
 */
const path = '/medications/interactions';
const overrides = `${path}/overrides`;
const none = 'iov_00000000000000000000';

export const medicationRequests: readonly OperationRequests[] = [
  {
    operation: 'medications.checkInteractions',
    frozenCore: true,
    requests: () => [
      send('POST', 'by brand, misspelling, code and a name that there is not', path, {
        medications: [
          { name: 'Coumadin 5 mg' },
          { name: 'ibuprofin' },
          { code: { system: 'http://www.whocc.no/atc', code: 'C09AA03' }, route: 'oral' },
          { name: 'xyzzy' },
        ],
        options: { minimumSeverity: 'moderate' },
      }),
      send('POST', 'with facts about the patient', path, {
        medications: [{ name: 'amoxicillin' }, { name: 'metformin' }],
        patientData: { age: 70, sex: 'female', egfr: 20, allergies: [{ text: 'penicillin' }] },
        options: { includeFoodAndAlcohol: false },
      }),
      send('POST', 'with too little', path, {}),
      send('POST', 'with faults in every place', path, {
        medications: [{ name: '' }, { drug: 'x' }],
        patientData: { age: -1, sex: 'f', gender: 'female' },
        options: { minimumSeverity: 'deadly', maxResults: 1 },
      }),
      send('POST', 'of a patient that there is not', path, { patient_id: 'pat_00000000000000000000' }),
    ],
  },
  {
    operation: 'medications.resolve',
    frozenCore: true,
    requests: () => [
      send('POST', 'by name', '/medications/resolve', {
        medications: [{ name: 'warfarine' }, { name: 'Glucophage' }, { name: 'beta blocker' }, { name: 'xyzzy' }],
      }),
      send('POST', 'of nothing', '/medications/resolve', { medications: [] }),
    ],
  },
  {
    operation: 'interactionOverrides.list',
    requests: ({ byCursor }) => [
      get('none yet', `${overrides}?limit=1`),
      ...(byCursor
        ? [get('with the total', `${overrides}?include_total=true`)]
        : [get('a page at an offset', `${overrides}?limit=1&offset=1`)]),
      get('of one patient', `${overrides}?patient_id={patient}&sort=created_at`),
      get('wrong values', `${overrides}?limit=0&sort=severity`),
    ],
  },
  {
    operation: 'interactionOverrides.create',
    requests: () => [
      send('POST', 'of a medication that there is not', overrides, {
        medications: [{ name: 'xyzzy' }, { name: 'warfarin' }],
        reason_code: 'dose_adjusted',
      }),
      send('POST', 'with faults in every place', overrides, {
        medications: [{ name: 'warfarin' }],
        reason_code: 'hurry',
        reason_text: 5,
        severity: 'none_known',
        note: 'x',
      }),
      send('POST', 'for another reason without words', overrides, {
        medications: [{ name: 'warfarin' }, { name: 'ibuprofen' }],
        reason_code: 'other',
      }),
    ],
  },
  {
    operation: 'interactionOverrides.get',
    requests: () => [get('one that there is not', `${overrides}/${none}`)],
  },
];
