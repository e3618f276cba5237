import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { standardPopulations } from '@perennial/core/analytics/standards.ts';
import { asAccount } from '@perennial/prisma/scope.ts';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';
import { ageBands } from '@perennial/schemas/resources/analytics.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { describeWith } from '../../support/debian.ts';
import {
  drawObserved,
  episodesOf,
  firstDayOf,
  isIllAtEndOf,
  month,
  monthsWithin,
  type Observed,
  outcomeOf,
  riskOf,
  storeObserved,
} from './episodes-population.ts';
import { servicesOn } from './exact-rounding.ts';

/*
 * Parts that nobody here wrote: R with survival, epitools and epiR works on the people themselves, who are counted here without
 * the database. Before numbers are protected, every answer of the service is theirs to nine digits.
 */

const NOW = new Date('2023-06-15T12:00:00Z');
const TODAY = '2023-06-15';
const YEAR = 2023;
const ACCOUNT: AccountId = 'acc_test';
const people = drawObserved(5000, 11);
const bandOf = ({ dob }: Observed): number => Math.min(9, Math.floor((YEAR - Number(dob.slice(0, 4))) / 10));
const sexOf = ({ sex }: Observed): string => sex ?? 'unknown';
const isCase = (person: Observed, code: string): boolean => (firstDayOf(person, code) ?? '9') <= TODAY;

let database: TestDatabase;
let services: ReturnType<typeof servicesOn>;
let folder: string;

beforeAll(async () => {
  database = await freshDatabase();
  await storeObserved(database.db, ACCOUNT, people);
  await database.db.$executeRaw`ANALYZE`;
  services = servicesOn(database.url, NOW);
  folder = await mkdtemp(path.join(tmpdir(), 'reference-'));
});

afterAll(async () => {
  await services.database.$disconnect();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

type Row = Readonly<Record<string, number | string>>;

async function csv(name: string, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names.join(','), ...rows.map((row) => names.map((each) => row[each]).join(','))];
  await writeFile(path.join(folder, name), `${lines.join('\n')}\n`);
}

function reference(): ReadonlyMap<string, number> {
  const script = path.join(import.meta.dirname, 'reference.R');
  const said = execFileSync('/usr/bin/Rscript', [script, folder], { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  return new Map(
    said
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' '))
      .map(([name = '', value]) => [name, Number(value)]),
  );
}

describeWith(['r-base-core', 'r-cran-survival', 'r-cran-epitools', 'r-cran-epir'], 'the figures of R', () => {
  test('are those of every answer, on five thousand people', async () => {
    const strata = ageBands.map((_, band) => {
      const all = people.filter((person) => bandOf(person) === band);
      const own = all.filter((person) => sexOf(person) === 'female');
      return {
        people: own.length,
        cases: own.filter((person) => isCase(person, 'I10')).length,
        reference_people: all.length,
        reference_cases: all.filter((person) => isCase(person, 'I10')).length,
        weight: standardPopulations.european_2013.weights[band] ?? 0,
      };
    });
    // The eldest are too few to have people of every band; R takes no rate of nobody.
    await csv(
      'strata.csv',
      strata.filter((each) => each.people > 0),
    );
    const inCells = ageBands.flatMap((_, band) =>
      ['female', 'male', 'unknown'].map((sex) => people.filter((each) => bandOf(each) === band && sexOf(each) === sex)),
    );
    const [diabetic, hypertensive] = ['E11', 'I10'].map((code) =>
      inCells.map((cell) => cell.filter((person) => episodesOf(person, code).length > 0)),
    ) as [Observed[][], Observed[][]];
    const infarcts = (cell: readonly Observed[] | undefined): number =>
      cell?.filter((person) => isCase(person, 'I21')).length ?? 0;
    await csv(
      'contrast.csv',
      inCells.map((_, at) => ({
        people: diabetic[at]?.length ?? 0,
        cases: infarcts(diabetic[at]),
        other_people: hypertensive[at]?.length ?? 0,
        other_cases: infarcts(hypertensive[at]),
      })),
    );
    const now = month(TODAY);
    const years = [2019, 2020, 2021, 2022];
    const risks = people.map((person) => riskOf(person, { code: 'I21', episodes: 'any', washout: 3, now }));
    await csv(
      'rates.csv',
      years.map((year) => ({
        events: risks.flatMap(({ events }) => events).filter((at) => Math.floor(at / 12) === year).length,
        years: risks.reduce((sum, each) => sum + monthsWithin(each, year * 12, year * 12 + 11), 0) / 12,
      })),
    );
    const quarters = Array.from({ length: 8 }, (_, at) => 2020 * 12 + 2 + at * 3);
    await csv(
      'shares.csv',
      quarters.map((at) => ({
        people: people.filter(({ dob }) => month(dob) <= at).length,
        cases: people.filter((person) => isIllAtEndOf(at, episodesOf(person, 'J18'))).length,
      })),
    );
    await csv(
      'survival.csv',
      people.flatMap((person) => {
        const found = outcomeOf(person, { index: 'E11', event: 'I21', competing: 'C34', now });
        const group = person.sex === 'female' ? 1 : person.sex === 'male' ? 2 : undefined;
        if (!found || group === undefined) return [];
        return found.months > 36 ? [{ group, months: 36, outcome: 'censored' }] : [{ group, ...found }];
      }),
    );

    const answers = await asAccount(ACCOUNT, () => asked());
    const theirs = reference();
    const differing = answers.filter(([name, value]) => {
      const other = theirs.get(name);
      return other === undefined || !(Math.abs(value - other) <= 1e-9 * Math.max(1, Math.abs(other)));
    });
    expect(differing.map(([name, value]) => [name, value, theirs.get(name)])).toEqual([]);
    expect(answers.length).toBeGreaterThan(200);
  });
});

/** What the service answers, by the names that the script gives the same figures. */
async function asked(): Promise<readonly (readonly [string, number])[]> {
  const { occurrence, comparisons, survival, cohorts } = services.exact;
  const save = async (name: string, criteria: readonly object[]) =>
    (await cohorts.create(ACCOUNT, { name, criteria: criteria as never })).id;
  const ofSex = (value: string): object => ({ kind: 'patient', field: 'sex', test: 'is', value });
  const withCode = (code: string): object => ({ kind: 'record', type: 'condition', code, present: true });
  const [women, men] = [await save('Women', [ofSex('female')]), await save('Men', [ofSex('male')])];
  const [diabetic, hypertensive] = [await save('E11', [withCode('E11')]), await save('I10', [withCode('I10')])];

  const answers: [string, number][] = [];
  const say = (name: string, value: number | null | undefined): void => {
    if (value !== null && value !== undefined) answers.push([name, value]);
  };
  const say3 = (name: string, bounds: { low: number; high: number } | null, factor: number): void => {
    say(`${name}.low`, bounds && bounds.low / factor);
    say(`${name}.high`, bounds && bounds.high / factor);
  };

  const series = { system: null, from: '2020-01', until: '2021-12' } as const;
  const prevalence = await occurrence.prevalence(ACCOUNT, {
    ...series,
    code: 'J18',
    interval: 'quarter',
    measure: 'point',
  });
  for (const [at, point] of prevalence.points.entries()) say3(`share.${at + 1}`, point.per_1000_interval, 1000);
  const incidence = await occurrence.incidence(ACCOUNT, {
    ...series,
    from: '2019-01',
    until: '2022-12',
    code: 'I21',
    interval: 'year',
    episodes: 'any',
    washout: 3,
    followUp: 'until_now',
  });
  for (const [at, point] of incidence.points.entries()) {
    say(`rate.${at + 1}.estimate`, (point.per_1000_person_years ?? 0) / 1000);
    say3(`rate.${at + 1}`, point.per_1000_person_years_interval, 1000);
  }
  const standardised = await comparisons.standardised(ACCOUNT, {
    code: 'I10',
    system: null,
    kind: 'ever',
    cohortId: women,
    referenceCohortId: null,
    standard: 'european_2013',
  });
  say('direct.crude.rate', (standardised.crude_per_1000 ?? 0) / 1000);
  say('direct.adj.rate', (standardised.standardised_per_1000 ?? 0) / 1000);
  say('direct.lci', (standardised.standardised_interval?.low ?? 0) / 1000);
  say('direct.uci', (standardised.standardised_interval?.high ?? 0) / 1000);
  say('indirect.expected', standardised.expected_cases);
  say('indirect.estimate', standardised.morbidity_ratio);
  say3('indirect', standardised.morbidity_ratio_interval, 1);
  const contrast = await comparisons.contrast(ACCOUNT, {
    cohort_ids: [diabetic, hypertensive],
    outcome: { code: 'I21' },
  });
  const [, ratio, haenszel] = contrast.effects;
  say('contrast.ratio', ratio?.value);
  say3('contrast.ratio', ratio?.interval ?? null, 1);
  say('contrast.haenszel', haenszel?.value);
  say3('contrast.haenszel', haenszel?.interval ?? null, 1);
  const analysis = await survival.analysis(ACCOUNT, {
    indexCode: 'E11',
    eventCode: 'I21',
    competingCode: 'C34',
    system: null,
    cohortId: women,
    otherCohortId: men,
    months: 36,
    followUp: 'until_now',
  });
  for (const each of analysis.curves[0]?.months ?? []) {
    say(`survival.${each.month}`, each.survival);
    say(`incidence.${each.month}`, each.cumulative_incidence);
    if (each.survival_interval) say3(`survival.${each.month}`, each.survival_interval, 1);
    if (each.cumulative_incidence_interval) say3(`incidence.${each.month}`, each.cumulative_incidence_interval, 1);
  }
  say('logrank.chi', analysis.log_rank?.chi_squared);
  say('logrank.p', analysis.log_rank?.p_value);
  return answers;
}
