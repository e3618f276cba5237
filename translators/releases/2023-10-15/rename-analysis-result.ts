import { change } from '../../engine/change.ts';
import { rename } from '../../engine/describe.ts';

export const renameAnalysisResult = change({
  id: 'rename-analysis-result',
  sentence: '`analysis_result` is called `diagnostic_result`, as it is in every other place that speaks of it.',
  resources: ['Analysis', 'Differential', 'DiagnosticRecord'].map((resource) => ({
    resource,
    edits: [rename('analysis_result', 'diagnostic_result')],
  })),
});
