import { change } from '../../engine/change.ts';
import { added } from '../../engine/describe.ts';

export const detailErrors = change({
  id: 'detail-errors',
  sentence:
    'An error has `details` that name each fault with its place, and a `documentation_url`, so that a client can show what to correct.',
  resources: [
    {
      resource: 'ErrorBody',
      edits: [
        added('details'),
        added('documentation_url'),
        added('supported_versions'),
        added('available_from'),
        added('change'),
        added('committed'),
        added('resource_id'),
      ],
    },
  ],
});
