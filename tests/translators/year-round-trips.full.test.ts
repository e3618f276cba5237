import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { headAfterAYear } from '../fixtures/year/head.ts';
import { historyOfTheYear, yearOfReleases } from '../fixtures/year/releases.ts';
import { describeRoundTrips } from '../support/round-trips.ts';

// Every property of every change of the year, and of the chain from each of its versions.
describeRoundTrips(createTranslator(headAfterAYear, historyOfTheYear, yearOfReleases));
