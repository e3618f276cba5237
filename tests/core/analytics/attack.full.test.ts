import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SMALL_CELL } from '@perennial/core/analytics/disclosure.ts';
import { asAccount } from '@perennial/prisma/scope.ts';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';
import type { PopulationSummary } from '@perennial/schemas/resources/analytics.ts';
import type { CohortCriterion } from '@perennial/schemas/resources/cohort.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { drawObserved, month, type Observed, storeObserved } from './episodes-population.ts';
import { servicesOn } from './exact-rounding.ts';

/*
 * A program that attacks: it asks for every pair of some hundred overlapping cohorts, codes and their parents, neighbouring months
 * and limits of birth, and for the account with a person left out, and subtracts. It wins where what it has read can only mean
 * a group of one to four people.
 */

const NOW = new Date('2023-06-15T12:00:00Z');
const ACCOUNT: AccountId = 'acc_test';
const people = drawObserved(160, 23);
const PAIRS = 10_000;

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

/** A question, and who is meant by it. */
interface Question {
  readonly criteria: readonly CohortCriterion[];
  readonly meant: ReadonlySet<string>;
}

type Fits = (person: Observed) => boolean;

const codes = ['E', 'E1', 'E11', 'E11.9', 'I', 'I1', 'I10', 'I2', 'I21', 'I21.4', 'J18', 'C', 'C34', 'C34.1'];
const months = ['2018-06', '2019-06', '2020-01', '2020-02', '2020-03', '2021-01', '2021-02', '2022-06'];

function withCode(code: string, until: string | null, present: boolean): readonly [CohortCriterion, Fits] {
  const criterion = {
    kind: 'record',
    type: 'condition',
    code,
    system: null,
    match: 'starts_with',
    from: null,
    until,
    present,
  } as const;
  const has: Fits = ({ conditions }) =>
    conditions.some(
      (each) =>
        each.code.startsWith(code) &&
        each.status !== 'entered_in_error' &&
        (until === null || month(each.effective) <= month(`${until}-01`)),
    );
  return [criterion, (person) => has(person) === present];
}

function bornBefore(year: number): readonly [CohortCriterion, Fits] {
  const value = `${year}-01-01`;
  return [{ kind: 'patient', field: 'dob', test: 'before', value }, ({ dob }) => dob < value];
}

function questions(): readonly Question[] {
  const single = [
    ...codes.flatMap((code) => [withCode(code, null, true), withCode(code, null, false)]),
    ...['E11', 'I21', 'J18', 'C34'].flatMap((code) => months.map((until) => withCode(code, until, true))),
    ...[1940, 1950, 1960, 1970, 1980, 1990, 2000, 2010].map(bornBefore),
  ];
  const both = [1950, 1980].flatMap((year) => codes.map((code) => [bornBefore(year), withCode(code, null, true)]));
  const asked = [[], ...single.map((each) => [each]), ...both];
  return asked.map((parts) => ({
    criteria: parts.map(([criterion]) => criterion),
    meant: new Set(people.filter((person) => parts.every(([, fits]) => fits(person))).map(({ id }) => id)),
  }));
}

/** Every number of people in an answer, by its place. */
function numbersOf(summary: PopulationSummary): ReadonlyMap<string, number | null> {
  return new Map([
    ['people', summary.people],
    ...summary.by_age_band.map((each) => [each.age_band, each.people] as const),
    ...summary.groups.map((each) => [`${each.age_band} ${each.sex}`, each.people] as const),
  ]);
}

describe('ten thousand pairs of questions', () => {
  test('never tell of a group of one to four people', async () => {
    const asked = questions();
    const answers: ReadonlyMap<string, number | null>[] = [];
    await asAccount(ACCOUNT, async () => {
      for (const [at, { criteria }] of asked.entries()) {
        const [id] = criteria.length === 0 ? [null] : [await save(at, criteria)];
        answers.push(numbersOf(await services.shown.population(ACCOUNT, id, 0)));
      }
    });
    let pairs = 0;
    const won: string[] = [];
    for (const [one, first] of asked.entries()) {
      for (const [other, second] of asked.entries()) {
        if (one === other || ![...first.meant].every((id) => second.meant.has(id))) continue;
        const between = second.meant.size - first.meant.size;
        for (const [place, inside] of answers[one] ?? []) {
          pairs += 1;
          const outside = answers[other]?.get(place);
          if (inside === null || outside === null || outside === undefined) continue;
          // A total lies within four of the true one by the same hidden offset; so does a single group, by two of them.
          const told = outside - inside;
          const reach = (place === 'people' ? 1 : 2) * (SMALL_CELL - 1);
          const [least, most] = [Math.max(0, told - reach), told + reach];
          if (least >= 1 && most < SMALL_CELL) won.push(`${one} ${other} ${place}`);
          // What cannot be would tell that somebody was left out of the question.
          if (most < 0) won.push(`${one} ${other} ${place}: ${told} of ${between}`);
        }
      }
    }
    expect(pairs).toBeGreaterThan(PAIRS);
    expect(won).toEqual([]);
    // The few are there to be found: the attack would win if numbers were shown as they are.
    const few = asked.filter(({ meant }) => meant.size > 0 && meant.size < SMALL_CELL).length;
    const neighbours = asked.some((first) =>
      asked.some((second) => {
        const size = second.meant.size - first.meant.size;
        return size > 0 && size < SMALL_CELL && [...first.meant].every((id) => second.meant.has(id));
      }),
    );
    expect([few > 0, neighbours]).toEqual([true, true]);
  }, 300_000);

  test('each person left out in turn changes no shown number by more than five', async () => {
    const whole = await asAccount(ACCOUNT, () => services.shown.population(ACCOUNT, null, 0));
    const before = numbersOf(whole);
    for (const { id } of people.slice(0, 60)) {
      await database.db.patient.updateMany({ where: { id }, data: { deletedAt: NOW } });
      const after = numbersOf(await asAccount(ACCOUNT, () => services.shown.population(ACCOUNT, null, 0)));
      await database.db.patient.updateMany({ where: { id }, data: { deletedAt: null } });
      for (const [place, number] of before) {
        const without = after.get(place);
        if (number === null || without === null || without === undefined) continue;
        const changes = place === 'people' ? [0, 5] : [-5, 0, 5];
        expect([place, changes.includes(number - without)]).toEqual([place, true]);
      }
    }
  }, 300_000);
});

async function save(at: number, criteria: readonly CohortCriterion[]) {
  return (await services.shown.cohorts.create(ACCOUNT, { name: `Q${at}`, criteria: [...criteria] })).id;
}
