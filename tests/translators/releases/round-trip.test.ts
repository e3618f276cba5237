import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { describeRoundTrips } from '../../support/round-trips.ts';

describe('the shipped releases', () => {
  const translator = createTranslator(head, history, releases);
  it('are all in the history', () => {
    expect(translator.catalogue.releases.map(({ id }) => id)).toEqual(history.releases.map(({ id }) => id).reverse());
  });
  describeRoundTrips(translator);
});
