import type { ReleaseChanges } from '../../engine/change.ts';
import { detailErrors } from './detail-errors.ts';
import { examples } from './examples.ts';
import { moveApiKeyToHeader } from './move-api-key-to-header.ts';
import { reportConfidence } from './report-confidence.ts';

/** Differential diagnosis, drug interactions, attachments; errors in detail, keys in the header, confidence. */
export const release20221115: ReleaseChanges = {
  id: '2022-11-15',
  changes: [moveApiKeyToHeader, detailErrors, reportConfidence],
  examples,
};
