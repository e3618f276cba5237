import type { Suggestion } from '@perennial/schemas/resources/analysis.ts';
import Type, { type TSchema } from 'typebox';
import { change } from '../../engine/change.ts';
import { added, relate } from '../../engine/describe.ts';
import type { Edit } from '../../engine/edit.ts';

/** What an analysis was before confidence: condition names in order, each with the names of its treatments. */
const BareResult = Type.Array(
  Type.Object({
    condition: Type.String({ description: 'Name of the condition.' }),
    treatments: Type.Array(Type.String(), { description: 'Names of usual treatments.' }),
  }),
  { description: 'Suggested conditions, most likely first.' },
);

/** The part of the newer result that the older one shows. */
interface NewerResult {
  readonly suggestions: readonly Pick<Suggestion, 'condition' | 'treatments'>[];
}

/** The result as the bare list that it was. Clients never write a result, so there is no way up. */
const bareResult = (schema: TSchema): Edit =>
  relate({
    older: [{ path: 'analysis_result', schema }],
    newer: ['analysis_result'],
    down: ([result]) => [
      (result as NewerResult).suggestions.map(({ condition, treatments }) => ({
        condition: condition.name,
        treatments: treatments.map(({ name }) => name),
      })),
    ],
    looksInside: true,
  });

export const reportConfidence = change({
  id: 'report-confidence',
  sentence:
    '`analysis_result` is an object whose `suggestions` carry a confidence, reasons and red flags, where it was a bare list of condition names with treatments.',
  resources: [
    { resource: 'Analysis', edits: [bareResult(BareResult)] },
    // What a differential has beside its ranking came with the ranking's own detail.
    { resource: 'DiagnosticRecord', edits: [bareResult({ ...BareResult, readOnly: true }), added('differential')] },
  ],
});
