import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { describeRoundTrips } from '../../support/round-trips.ts';

describe('the shipped releases', () => {
  const translator = createTranslator(head, history, releases);
  it('are all in the history', () => {
    expect(translator.catalogue.releases.map(({ id }) => id)).toEqual([
      '2022-05-01',
      '2022-11-15',
      '2023-04-30',
      '2023-10-15',
    ]);
  });
  describeRoundTrips(translator);
});
