import type { ReleaseExamples } from '../../engine/change.ts';

const result = { suggestions: [] };
const confidence = { estimate: 0.82, interval: { low: 0.74, high: 0.89, level: 0.9 }, uncertainty: [] };

export const examples: ReleaseExamples = {
  'rename-analysis-result': [
    { resource: 'Analysis', older: { analysis_result: result }, newer: { diagnostic_result: result }, ways: 'down' },
  ],
  'restructure-confidence': [
    { resource: 'Suggestion', older: { confidence: 0.82 }, newer: { confidence }, ways: 'down' },
  ],
  'change-api-key-format': [
    { shown: true, older: 'Authorization: Bearer sk_…', newer: 'Authorization: Bearer hai_live_…' },
  ],
  'keep-imaging-results': [
    { operation: 'diagnostics.list', older: 'GET /diagnostics', newer: 'GET /diagnostics?include_imaging=false' },
  ],
};
