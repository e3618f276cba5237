import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asAccount } from '@perennial/prisma/scope.ts';
import type { AccountId, CohortId } from '@perennial/schemas/platform/ids.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import {
  drawObserved,
  episodesOf,
  isIllAtEndOf,
  isIllWithin,
  month,
  monthsWithin,
  type Observed,
  outcomeOf,
  riskOf,
  storeObserved,
} from './episodes-population.ts';
import { servicesOn } from './exact-rounding.ts';

/* Before numbers are protected, they are those that counting person by person gives. */

const NOW = new Date('2023-06-15T12:00:00Z');
const ACCOUNT: AccountId = 'acc_test';
const people = drawObserved(400, 7);
const asked = { code: 'J18', system: null, from: '2020-02', until: '2021-12' } as const;

let database: TestDatabase;
let services: ReturnType<typeof servicesOn>;

beforeAll(async () => {
  database = await freshDatabase();
  await storeObserved(database.db, ACCOUNT, people);
  services = servicesOn(database.url, NOW);
});

afterAll(async () => {
  await services.database.$disconnect();
  await database.close();
});

const count = (fits: (person: Observed) => boolean): number => people.filter(fits).length;

describe('prevalence', () => {
  test('at a point counts those who are ill at the end of the period', async () => {
    const request = { ...asked, interval: 'quarter', measure: 'point' } as const;
    const { points, measure } = await asAccount(ACCOUNT, () => services.exact.occurrence.prevalence(ACCOUNT, request));
    expect(measure).toBe('point');
    expect(points.map(({ cases }) => cases)).toEqual(
      points.map(({ ends_on }) => count((person) => isIllAtEndOf(month(ends_on), episodesOf(person, 'J18')))),
    );
    expect(points.some(({ cases }) => (cases ?? 0) > 3)).toBe(true);
  });

  test.each(['month', 'quarter', 'year'] as const)('of a period counts each person once, by %s', async (interval) => {
    const request = { ...asked, interval, measure: 'period' } as const;
    const { points } = await asAccount(ACCOUNT, () => services.exact.occurrence.prevalence(ACCOUNT, request));
    expect(points.map(({ cases }) => cases)).toEqual(
      points.map(({ starts_on, ends_on }) =>
        count((person) => isIllWithin(month(starts_on), month(ends_on), episodesOf(person, 'J18'))),
      ),
    );
  });

  test('tells a pneumonia of years ago from one of now', async () => {
    const request = { ...asked, from: '2023-06', until: '2023-06', interval: 'month' } as const;
    const [point, ever] = await asAccount(ACCOUNT, async () => [
      await services.exact.occurrence.prevalence(ACCOUNT, { ...request, measure: 'point' }),
      await services.exact.occurrence.prevalence(ACCOUNT, { ...request, measure: 'ever' }),
    ]);
    expect(point.points[0]?.cases).toBeLessThan((ever.points[0]?.cases ?? 0) / 2);
    expect(point.definition).toContain('90 days');
  });
});

describe('incidence', () => {
  test.each([
    ['first', 0],
    ['first', 12],
    ['any', 0],
    ['any', 6],
  ] as const)('counts %s episodes and person-time after a washout of %d months', async (episodes, washout) => {
    const risk = { code: 'I21', episodes, washout } as const;
    const request = { ...asked, ...risk, interval: 'year', followUp: 'until_now' } as const;
    const { points } = await asAccount(ACCOUNT, () => services.exact.occurrence.incidence(ACCOUNT, request));
    const truths = people.map((person) => riskOf(person, { ...risk, now: month('2023-06-15') }));
    for (const point of points) {
      const [first, last] = [month(point.starts_on), month(point.ends_on)];
      const events = truths.flatMap((each) => each.events).filter((at) => at >= first && at <= last);
      expect(point.observed_cases).toBe(events.length);
      const months = truths.reduce((sum, each) => sum + monthsWithin(each, first, last), 0);
      expect(point.person_years).toBeCloseTo(months / 12, 9);
    }
  });

  test('ends the time of people who were last seen long ago where that is asked for', async () => {
    const request = { ...asked, code: 'I21', interval: 'year', episodes: 'first', washout: 0 } as const;
    const [longer, shorter] = await asAccount(ACCOUNT, async () => [
      await services.exact.occurrence.incidence(ACCOUNT, { ...request, followUp: 'until_now' }),
      await services.exact.occurrence.incidence(ACCOUNT, { ...request, followUp: 'until_last_record' }),
    ]);
    expect(shorter.points.at(-1)?.person_years).toBeLessThan(longer.points.at(-1)?.person_years ?? 0);
  });
});

describe('groups held against others', () => {
  test('are as they are when the reference is themselves', async () => {
    const own = await asAccount(ACCOUNT, () =>
      services.exact.comparisons.standardised(ACCOUNT, {
        code: 'I10',
        system: null,
        kind: 'ever',
        cohortId: null,
        referenceCohortId: null,
        standard: 'reference',
      }),
    );
    const cases = count((person) => episodesOf(person, 'I10').length > 0);
    expect(own).toMatchObject({ people: people.length, cases, morbidity_ratio: 1 });
    expect(own.expected_cases).toBeCloseTo(cases, 9);
    expect(own.standardised_per_1000).toBeCloseTo(own.crude_per_1000 ?? 0, 9);
    expect(own.by_age_band.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 3);
  });

  test('differ in nothing from others of the same people; a cohort that is missing is named', async () => {
    const criteria = [{ kind: 'patient', field: 'sex', test: 'is', value: 'female' }] as const;
    const save = async (name: string): Promise<CohortId> =>
      (await services.exact.cohorts.create(ACCOUNT, { name, criteria: [...criteria] })).id;
    await asAccount(ACCOUNT, async () => {
      const ids = [await save('One'), await save('Another')];
      const contrast = await services.exact.comparisons.contrast(ACCOUNT, {
        cohort_ids: ids,
        outcome: { code: 'E11' },
      });
      expect(contrast.effects.map(({ value }) => value)).toEqual([0, 1, expect.closeTo(1, 9)]);
      expect(contrast.balance.every(({ standardised_difference }) => standardised_difference === 0)).toBe(true);
      const missing = { cohort_ids: [ids[0] ?? 'coh_', 'coh_missing' as CohortId], outcome: { code: 'E11' } };
      await expect(services.exact.comparisons.contrast(ACCOUNT, missing)).rejects.toMatchObject({
        code: 'not_found',
        details: [{ pointer: '/cohort_ids/1' }],
      });
    });
  });
});

const survival = {
  indexCode: 'E11',
  eventCode: 'I21',
  competingCode: 'C34',
  system: null,
  cohortId: null,
  otherCohortId: null,
  months: 36,
  followUp: 'until_now',
} as const;

describe('time to an event', () => {
  test('is counted from the first index condition of those who had not had the event', async () => {
    const { curves } = await asAccount(ACCOUNT, () => services.exact.survival.analysis(ACCOUNT, survival));
    const truths = people.flatMap(
      (person) => outcomeOf(person, { index: 'E11', event: 'I21', competing: 'C34', now: month('2023-06-15') }) ?? [],
    );
    const at = (time: number, outcome: string): number =>
      truths.filter((each) => each.months === time && each.outcome === outcome).length;
    expect(curves[0]?.people).toBe(truths.length);
    for (const each of curves[0]?.months.slice(0, -1) ?? []) {
      expect(each).toMatchObject({
        at_risk: truths.filter(({ months }) => months >= each.month).length,
        events: at(each.month, 'event'),
        competing_events: at(each.month, 'competing'),
        censored: at(each.month, 'censored'),
      });
    }
  });
});

describe('protected answers', () => {
  test('show no number under ten, and intervals only of what is shown', async () => {
    const [{ points }, { curves }] = await asAccount(ACCOUNT, async () => [
      await services.shown.occurrence.prevalence(ACCOUNT, { ...asked, interval: 'month', measure: 'point' }),
      await services.shown.survival.analysis(ACCOUNT, survival),
    ]);
    const counts = [
      ...points.flatMap(({ people: all, cases }) => [all, cases]),
      ...(curves[0]?.months ?? []).flatMap((each) => [each.at_risk, each.events, each.competing_events, each.censored]),
    ];
    expect(counts.some((each) => each === null)).toBe(true);
    expect(counts.every((each) => each === null || (each >= 10 && each % 5 === 0))).toBe(true);
    for (const point of points) {
      expect(point.per_1000_interval === null).toBe(point.cases === null);
      expect(point.per_1000 === null).toBe(point.cases === null);
    }
    expect(points.some(({ per_1000_interval }) => per_1000_interval !== null)).toBe(true);
  });
});
