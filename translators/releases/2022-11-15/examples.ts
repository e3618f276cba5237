import type { ReleaseExamples } from '../../engine/change.ts';

export const examples: ReleaseExamples = {
  'move-api-key-to-header': [
    { shown: true, older: 'GET /patients?api_key=$KEY', newer: 'GET /patients with Authorization: Bearer $KEY' },
  ],
  'detail-errors': [
    {
      resource: 'ErrorBody',
      older: { code: 'not_found', message: 'There is no such object.' },
      newer: {
        code: 'not_found',
        message: 'There is no such object.',
        details: [],
        documentation_url: '/errors#not_found',
      },
      ways: 'down',
    },
  ],
  'report-confidence': [
    {
      resource: 'Analysis',
      older: { analysis_result: [{ condition: 'Influenza', treatments: ['Rest'] }] },
      newer: {
        analysis_result: {
          suggestions: [{ condition: { name: 'Influenza' }, treatments: [{ name: 'Rest' }], confidence: 0.82 }],
        },
      },
      ways: 'down',
    },
  ],
};
