import { ConfidenceScore } from '@perennial/schemas/resources/analysis.ts';
import Type from 'typebox';
import { change } from '../../engine/change.ts';
import { converted } from '../../engine/describe.ts';

export const restructureConfidence = change({
  id: 'restructure-confidence',
  sentence:
    '`confidence` is an object with the point estimate, its interval and what the uncertainty comes from, where it was the estimate alone.',
  resources: [
    {
      resource: 'Suggestion',
      edits: [
        converted('confidence', {
          older: Type.Number({ minimum: 0, maximum: 1, description: 'Probability that the suggestion is right.' }),
          newer: ConfidenceScore,
          down: (confidence) => confidence.estimate,
        }),
      ],
    },
  ],
});
