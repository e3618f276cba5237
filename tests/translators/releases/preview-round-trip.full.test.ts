import { describe } from '@jest/globals';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';
import { describeRoundTrips } from '../../support/round-trips.ts';

describe('a release in preview', () => {
  describeRoundTrips(
    createTranslator(headOf20240401, historyWithPreview, releasesWithPreview),
    ({ release }) => release === '2024-04-01',
  );
});
