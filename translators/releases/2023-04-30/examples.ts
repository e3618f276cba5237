import type { ReleaseExamples } from '../../engine/change.ts';

export const examples: ReleaseExamples = {
  'rename-gender-to-sex': [{ resource: 'Patient', older: { gender: 'female' }, newer: { sex: 'female' } }],
  'add-gender-identity': [{ resource: 'Patient', older: {}, newer: { gender_identity: 'woman' }, ways: 'down' }],
  'restructure-contact': [
    {
      resource: 'Patient',
      older: { contact: { phone: '+44 20 7946 0958' } },
      newer: { contact_info: { phone: '+44 20 7946 0958' } },
    },
    {
      resource: 'Patient',
      older: { contact: {} },
      newer: { contact_info: { preferred_method: 'phone' } },
      ways: 'down',
    },
  ],
  'page-by-cursor': [
    {
      operation: 'patients.list',
      older: 'GET /patients?limit=10&offset=20',
      newer: 'GET /patients?limit=10&cursor=…&include_total=true',
    },
  ],
};
