import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  IncidenceSeries,
  ObservationTrend,
  PopulationSummary,
  PrevalenceSeries,
  QualityMeasureResult,
  QualityMeasureSeries,
  RiskStratification,
} from '@perennial/schemas/resources/analytics.ts';
import type { Cohort, CohortComparison } from '@perennial/schemas/resources/cohort.ts';
import { startCore, TEST_SECRET, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { drawPeople, type Entry, ICD10, LOINC, type Person, store } from './population.ts';

let database: TestDatabase;
let core: TestCore;

const people = drawPeople(900, 1);
/** Deleted, and another account's: never counted. */
const gone = drawPeople(60, 2);
const foreign = drawPeople(200, 3);
const YEAR = new Date().getUTCFullYear();

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url);
  await store(database.db, 'acc_test', people);
  await store(database.db, 'acc_test', gone);
  await database.db.patient.updateMany({
    where: { id: { in: gone.map(({ id }) => id) } },
    data: { deletedAt: new Date() },
  });
  await store(database.db, 'acc_other', foreign);
  // What autovacuum does for a real database.
  await database.db.$executeRaw`ANALYZE`;
});

afterAll(async () => {
  await core.stop();
  await database.close();
});

async function get<T>(path: string): Promise<T> {
  const reply = await core.call<T>('GET', `/analytics${path}`);
  expect([reply.status, reply.text.slice(0, reply.status === 200 ? 0 : 500)]).toEqual([200, '']);
  return reply.data;
}

async function save(criteria: readonly object[]): Promise<string> {
  const reply = await core.call<Cohort>('POST', '/analytics/cohorts', { body: { name: 'Some', criteria } });
  expect(reply.status).toBe(201);
  return reply.data.id;
}

// The published method, written down a second time.
const OFFSET = createHmac('sha256', TEST_SECRET).update('analytics:acc_test').digest().readUInt32BE(0) % 5;
const roundTotal = (count: number): number => Math.floor((count + OFFSET) / 5) * 5;
const show = (rounded: number): number | null => (rounded >= 10 ? rounded : null);

const bandOf = ({ dob }: Person): number => Math.min(9, Math.floor((YEAR - Number(dob.slice(0, 4))) / 10));
const SEXES = ['female', 'male', 'other', 'unknown'];
const bands = ['0-9', '10-19', '20-29', '30-39', '40-49', '50-59', '60-69', '70-79', '80-89', '90+'];

/** The rounded cells of some people: band by band, in each the sexes. */
function cellsOf(some: readonly Person[]): number[] {
  let running = 0;
  return bands.flatMap((_, band) =>
    SEXES.map((sex) => {
      const before = roundTotal(running);
      running += some.filter((each) => bandOf(each) === band && (each.sex ?? 'unknown') === sex).length;
      return roundTotal(running) - before;
    }),
  );
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
const conditions = (person: Person, beginning: string): readonly Entry[] =>
  person.records.filter(
    ({ type, code, status }) => type === 'condition' && code.startsWith(beginning) && status !== 'entered_in_error',
  );
const has = (person: Person, beginning: string): boolean => conditions(person, beginning).length > 0;
const isActive = (person: Person, beginning: string): boolean =>
  conditions(person, beginning).some(({ status }) => status === 'active');

function expectSummary(summary: PopulationSummary, some: readonly Person[]): void {
  const cells = cellsOf(some);
  expect(summary.people).toBe(show(total(cells)));
  expect(summary.groups).toEqual(
    cells.map((people, at) => ({ age_band: bands[Math.floor(at / 4)], sex: SEXES[at % 4], people: show(people) })),
  );
  expect(summary.by_age_band.map(({ people }) => people)).toEqual(
    bands.map((_, band) => show(total(cells.slice(band * 4, band * 4 + 4)))),
  );
  expect(summary.by_sex.map(({ people }) => people)).toEqual(
    SEXES.map((_, sex) => show(total(cells.filter((_each, at) => at % 4 === sex)))),
  );
}

describe('population summary', () => {
  test('counts the account’s own living patients by age band and sex', async () => {
    const summary = await get<PopulationSummary>('/population');
    expectSummary(summary, people);
    expect(Math.abs((summary.people as number) - people.length)).toBeLessThan(5);
    expect(summary).toMatchObject({ cohort_id: null, time_zone: 'UTC', disclosure_control: { suppressed_below: 5 } });
  });

  test('counts each person once for each category of active conditions, most common first', async () => {
    const summary = await get<PopulationSummary>('/population?conditions=100');
    for (const code of ['I10', 'E11', 'J44', 'C61']) {
      const found = summary.conditions.find((each) => each.code === code);
      const cells = cellsOf(people.filter((each) => isActive(each, code)));
      expect(found?.people).toBe(total(cells));
      expect(found?.by_sex.map(({ people: each }) => each)).toEqual(
        SEXES.map((_, sex) => show(total(cells.filter((_each, at) => at % 4 === sex)))),
      );
      expect(found?.share).toBeCloseTo(total(cells) / (summary.people as number), 3);
      expect(found?.display).toMatch(new RegExp(`^display of ${code}`));
    }
    const counts = summary.conditions.map((each) => each.people as number);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect((await get<PopulationSummary>('/population?conditions=2')).conditions).toEqual(
      summary.conditions.slice(0, 2),
    );
  });

  test('of an account without patients says nothing but null', async () => {
    const { data } = await core.call<PopulationSummary>('GET', '/analytics/population', {
      caller: { accountId: 'acc_nobody' },
    });
    expect(data.people).toBeNull();
    expect(data.groups.every((each) => each.people === null)).toBe(true);
    expect(data.conditions).toEqual([]);
  });
});

describe('series', () => {
  const first = (person: Person, code: string): string | undefined =>
    conditions(person, code)
      .map(({ at }) => at)
      .sort()[0];
  const bornBy = (end: string): number => roundTotal(people.filter(({ dob }) => dob < end).length);
  const begunBy = (code: string, end: string): number =>
    roundTotal(people.filter((each) => (first(each, code) ?? '9') < end).length);

  test('prevalence counts people, once each, whose condition had begun by the end of the period', async () => {
    const query = 'code=E11&from=2019-01&until=2022-12&interval=quarter';
    const { points } = await get<PrevalenceSeries>(`/prevalence?${query}`);
    expect(points).toHaveLength(16);
    expect(points[5]).toMatchObject({ period: '2020-Q2', starts_on: '2020-04-01', ends_on: '2020-06-30' });
    for (const { ends_on, people: population, cases, per_1000 } of points) {
      const end = `${ends_on}T99`;
      expect([population, cases]).toEqual([show(bornBy(end)), show(begunBy('E11', end))]);
      if (cases !== null) expect(per_1000).toBeCloseTo((cases / (population as number)) * 1000, 0);
    }
  });

  test('incidence counts first onsets among those who could still have one', async () => {
    const { points } = await get<IncidenceSeries>('/incidence?code=I10&from=2019-01&until=2022-12&interval=year');
    for (const { starts_on, ends_on, at_risk, new_cases } of points) {
      const fresh = begunBy('I10', `${ends_on}T99`) - begunBy('I10', starts_on);
      expect([at_risk, new_cases]).toEqual([show(bornBy(starts_on) - begunBy('I10', starts_on)), show(fresh)]);
    }
    expect(points.map(({ period }) => period)).toEqual(['2019', '2020', '2021', '2022']);
  });

  test('periods begin and end in UTC whatever the time zone of the database', async () => {
    // Sessions begun from here on stand at UTC+14.
    const [{ name }] = (await core.database.$queryRaw`SELECT current_database() AS name`) as [{ name: string }];
    await core.database.$executeRawUnsafe(`ALTER DATABASE "${name}" SET timezone = 'Pacific/Kiritimati'`);
    const edge = drawPeople(40, 9).map((each, at) => ({
      ...each,
      records: [
        {
          type: 'condition',
          status: 'active',
          system: ICD10,
          code: 'Q99.1',
          at: at < 20 ? '2021-01-31T23:59:59Z' : '2021-02-01T00:00:00Z',
          content: {},
        },
      ],
    }));
    await store(database.db, 'acc_edge', edge);
    const other = await startCore(database.url);
    const { data } = await other.call<IncidenceSeries>(
      'GET',
      '/analytics/incidence?code=Q99&from=2020-12&until=2021-03',
      { caller: { accountId: 'acc_edge' } },
    );
    await other.stop();
    await core.database.$executeRawUnsafe(`ALTER DATABASE "${name}" RESET timezone`);
    expect(data.points.map(({ new_cases }) => new_cases)).toEqual([null, 20, 20, null]);
  });

  test('an observation’s months show the mean and quartiles of each person’s mean', async () => {
    const { points, unit } = await get<ObservationTrend>('/observation-trend?code=4548-4&from=2021-01&until=2022-12');
    expect(unit).toBe('%');
    let running = 0;
    for (const { month, people: count, mean, median, p75 } of points) {
      const means = people.flatMap((person) => {
        const values = person.records
          .filter((each) => each.code === '4548-4' && each.at.startsWith(month))
          .map(({ content }) => Number(content.value));
        return values.length === 0 ? [] : [total(values) / values.length];
      });
      const before = roundTotal(running);
      running += means.length;
      expect(count).toBe(show(roundTotal(running) - before));
      if (count === null) continue;
      means.sort((a, b) => a - b);
      const quantile = (share: number): number => {
        const at = (means.length - 1) * share;
        const low = means[Math.floor(at)] as number;
        return low + ((means[Math.ceil(at)] as number) - low) * (at % 1);
      };
      expect(mean).toBeCloseTo(total(means) / means.length, 1);
      expect(median).toBeCloseTo(quantile(0.5), 1);
      expect(p75).toBeCloseTo(quantile(0.75), 1);
    }
  });

  test('a component of an observation has a trend as well', async () => {
    const { points, unit } = await get<ObservationTrend>('/observation-trend?code=8480-6&from=2022-01&until=2022-12');
    expect(unit).toBe('mm[Hg]');
    expect(points.every(({ median }) => median === null || (median > 125 && median < 150))).toBe(true);
    expect(points.some(({ median }) => median !== null)).toBe(true);
  });

  test.each([
    ['/prevalence?code=E11&from=2022-01&until=2021-12', 'until', 'too_small'],
    ['/prevalence?code=E11&from=2000-01&until=2022-12', 'until', 'too_large'],
    ['/incidence?code=E11&from=2022-01&until=2099-12', 'until', 'in_future'],
    ['/incidence?code=%25&from=2022-01&until=2022-12', 'code', 'wrong_format'],
    ['/prevalence?code=E11&from=2022-13&until=2022-12', 'from', 'wrong_format'],
    ['/prevalence?code=E11&until=2022-12', 'from', 'required'],
    [`/observation-trend?code=4548-4&from=2022-01&until=${new Date().toISOString().slice(0, 7)}`, 'until', 'in_future'],
    ['/quality-measures/diabetes_hba1c_tested?month=2099-01', 'month', 'in_future'],
  ])('%s is refused at %s', async (path, parameter, code) => {
    const reply = await core.call('GET', `/analytics${path}`);
    expect([reply.status, reply.error.code]).toEqual([422, 'validation_failed']);
    expect(reply.error.details).toMatchObject([{ parameter, code }]);
  });
});

describe('risk stratification', () => {
  const groups: Readonly<Record<string, readonly [number, RegExp]>> = {
    chf: [1, /^I50/],
    copd: [1, /^J44/],
    renal: [2, /^N18/],
    diabetes: [1, /^E11\.9/],
    complicated: [2, /^E11\.2/],
    cancer: [2, /^C61/],
    metastasis: [6, /^C79/],
    liver: [1, /^K70\.3/],
    severeLiver: [3, /^I85\.0/],
  };
  const scoreOf = (person: Person): number => {
    const found = new Set(
      Object.entries(groups)
        .filter(([, [, pattern]]) => conditions(person, '').some(({ code }) => pattern.test(code)))
        .map(([name]) => name),
    );
    for (const [mild, severe] of [
      ['diabetes', 'complicated'],
      ['cancer', 'metastasis'],
      ['liver', 'severeLiver'],
    ] as const)
      if (found.has(severe)) found.delete(mild);
    return total([...found].map((name) => groups[name]?.[0] ?? 0));
  };

  test('adds up Charlson’s weights over Quan’s codes, severe forms in place of mild ones', async () => {
    const result = await get<RiskStratification>('/risk-stratification');
    const limits = [
      [0, 0],
      [1, 2],
      [3, 4],
      [5, 99],
    ] as const;
    let running = 0;
    const expected = limits.map(([min, max]) =>
      bands.map((_, band) => {
        const before = roundTotal(running);
        running += people.filter((each) => {
          const score = scoreOf(each);
          return bandOf(each) === band && score >= min && score <= max;
        }).length;
        return roundTotal(running) - before;
      }),
    );
    expect(result.groups.map((each) => each.people)).toEqual(expected.map((each) => show(total(each))));
    expect(result.groups.map((each) => each.by_age_band.map(({ people: count }) => count))).toEqual(
      expected.map((each) => each.map(show)),
    );
    expect(result.components).toHaveLength(17);
    expect(result.sources.map(({ year }) => year)).toEqual([1987, 2005]);
    const uncomplicated = people.filter((each) => has(each, 'E11.9') && !has(each, 'E11.2')).length;
    expect(result.components.find(({ id }) => id === 'diabetes_without_complication')?.people).toBe(
      show(roundTotal(uncomplicated)),
    );
  });
});

describe('quality measures', () => {
  const inYear = ({ at }: Entry): boolean => at >= '2021-11-01' && at < '2022-11-01';
  const aged = (person: Person, min: number, max: number): boolean => {
    const age = 2022 - Number(person.dob.slice(0, 4));
    return age >= min && age <= max;
  };
  const diabetics = people.filter(
    (each) => aged(each, 18, 75) && conditions(each, 'E11').some((r) => r.status === 'active' && r.at < '2022-11-01'),
  );
  const latest = (person: Person, code: string): Entry | undefined =>
    person.records.filter((each) => each.code === code && inYear(each)).sort((a, b) => (a.at < b.at ? 1 : -1))[0];

  const expectResult = (result: QualityMeasureResult, denominator: readonly Person[], met: readonly Person[]): void => {
    const missed = roundTotal(denominator.length) - roundTotal(met.length);
    expect([result.numerator, result.denominator]).toEqual([roundTotal(met.length), roundTotal(met.length) + missed]);
    expect(result.rate).toBeCloseTo(roundTotal(met.length) / (roundTotal(met.length) + missed), 3);
  };

  test('HbA1c tested: people with diabetes of 18 to 75 who had one in the twelve months', async () => {
    const result = await get<QualityMeasureResult>('/quality-measures/diabetes_hba1c_tested?month=2022-10');
    expect(result).toMatchObject({ period_starts_on: '2021-11-01', period_ends_on: '2022-10-31' });
    expectResult(
      result,
      diabetics,
      diabetics.filter((each) => latest(each, '4548-4')),
    );
    expect(result.measure.source.url).toMatch(/^https:/);
  });

  test('over time is what it is for each of the periods, with the limits of a control chart', async () => {
    const path = '/quality-measures/diabetes_hba1c_tested';
    const series = await get<QualityMeasureSeries>(`${path}/series?from=2021-01&until=2022-12&interval=year`);
    for (const [at, month] of ['2021-12', '2022-12'].entries()) {
      const { denominator, numerator, rate, rate_interval } = await get<QualityMeasureResult>(`${path}?month=${month}`);
      expect(series.points[at]).toMatchObject({ denominator, numerator, rate, rate_interval });
      expect(rate_interval).toMatchObject({ level: 0.95, method: 'wilson' });
    }
    const [first] = series.points;
    expect(first?.lower_limit).toBeLessThan(series.centre_line ?? 0);
    expect(first?.upper_limit).toBeGreaterThan(series.centre_line ?? 1);
    const late = await core.call('GET', `/analytics${path}/series?from=2021-01&until=${YEAR}-12`);
    expect([late.status, late.error.details[0]?.parameter]).toEqual([422, 'until']);
  });

  test('HbA1c poorly controlled: the latest is above 9 %, or there is none', async () => {
    const result = await get<QualityMeasureResult>('/quality-measures/diabetes_hba1c_poor_control?month=2022-10');
    const poor = diabetics.filter((each) => Number(latest(each, '4548-4')?.content.value ?? 99) > 9);
    expectResult(result, diabetics, poor);
  });

  test('blood pressure controlled: the latest panel is below 140/90, the excluded are left out', async () => {
    const result = await get<QualityMeasureResult>('/quality-measures/hypertension_controlled?month=2022-10');
    const hypertensive = people.filter(
      (each) => aged(each, 18, 85) && conditions(each, 'I10').some((r) => r.status === 'active' && r.at < '2022-11-01'),
    );
    const met = hypertensive.filter((each) => {
      const parts = latest(each, '85354-9')?.content['components'] as { value: string }[] | undefined;
      return parts !== undefined && Number(parts[0]?.value) < 140 && Number(parts[1]?.value) < 90;
    });
    expectResult(result, hypertensive, met);
  });

  test('are listed with numerator, denominator, exclusions and source, by cursor', async () => {
    const whole = await get<{ items: { id: string }[] }>('/quality-measures?limit=100');
    expect(whole.items.map(({ id }) => id)).toContain('diabetes_hba1c_tested');
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { id: string }[]; next_cursor: string | null } = await get(
        `/quality-measures?limit=1&sort=-title${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(new Set(ids)).toEqual(new Set(whole.items.map(({ id }) => id)));
    expect((await core.call('GET', '/analytics/quality-measures/no_such')).status).toBe(404);
  });
});

describe('cohorts select', () => {
  const diabetes = { kind: 'record', type: 'condition', code: 'E11', present: true };
  const women = { kind: 'patient', field: 'sex', test: 'is', value: 'female' };
  const latestValue = (person: Person): number | undefined => {
    const values = person.records.filter(({ code }) => code === '4548-4').sort((a, b) => (a.at < b.at ? 1 : -1));
    return values[0] && Number(values[0].content.value);
  };
  const cases: readonly (readonly [string, readonly object[], (person: Person) => boolean])[] = [
    ['by a field of the patient', [women], ({ sex }) => sex === 'female'],
    [
      'by what is recorded',
      [{ kind: 'patient', field: 'contact_info.email', test: 'recorded' }],
      ({ email }) => email !== null,
    ],
    ['by birth', [{ kind: 'patient', field: 'dob', test: 'before', value: '1960-01-01' }], ({ dob }) => dob < '1960'],
    ['by a record', [diabetes], (each) => has(each, 'E11')],
    ['by a record that is not there', [{ ...diabetes, present: false }], (each) => !has(each, 'E11')],
    ['by an exact code', [{ ...diabetes, code: 'E11.2', match: 'exact', system: ICD10 }], (each) => has(each, 'E11.2')],
    [
      'by the time of a record',
      [{ ...diabetes, from: '2020-03', until: '2021-06' }],
      (each) => conditions(each, 'E11').some(({ at }) => at >= '2020-03' && at < '2021-07'),
    ],
    [
      'by the latest value',
      [{ kind: 'measurement', code: '4548-4', system: LOINC, test: 'at_least', value: 8.5, unit: '%' }],
      (each) => (latestValue(each) ?? 0) >= 8.5,
    ],
    ['by all of several', [women, diabetes], (each) => each.sex === 'female' && has(each, 'E11')],
    [
      'by any of several',
      [
        { kind: 'any_of', criteria: [diabetes, { ...diabetes, code: 'J44' }] },
        { ...women, test: 'is_not' },
      ],
      (each) => (has(each, 'E11') || has(each, 'J44')) && each.sex !== 'female',
    ],
  ];

  test.each(cases)('%s', async (_name, criteria, meets) => {
    const some = people.filter(meets);
    expect(some.length).toBeGreaterThan(20);
    expectSummary(await get<PopulationSummary>(`/population?cohort_id=${await save(criteria)}`), some);
  });

  test('and are compared: each with its summary and risk, and how many people two share', async () => {
    const ids = [await save([women]), await save([diabetes])];
    const { status, data } = await core.call<CohortComparison>('POST', '/analytics/cohorts/compare', {
      body: { cohort_ids: ids },
    });
    expect(status).toBe(200);
    const sets = [(each: Person) => each.sex === 'female', (each: Person) => has(each, 'E11')] as const;
    for (const [at, meets] of sets.entries()) {
      const compared = data.cohorts[at];
      expect(compared?.cohort_id).toBe(ids[at]);
      expectSummary(compared?.population as PopulationSummary, people.filter(meets));
      expect(compared?.risk.groups).toHaveLength(4);
    }
    const both = people.filter((each) => sets.every((meets) => meets(each)));
    expect(data.overlaps).toEqual([{ cohort_ids: ids, people: total(cellsOf(both)) }]);
  });

  test('and limit quality measures and risk to their people', async () => {
    const id = await save([women]);
    const result = await get<QualityMeasureResult>(
      `/quality-measures/diabetes_hba1c_tested?month=2022-10&cohort_id=${id}`,
    );
    const whole = await get<QualityMeasureResult>('/quality-measures/diabetes_hba1c_tested?month=2022-10');
    expect(result.denominator as number).toBeLessThan(whole.denominator as number);
    expect((await get<RiskStratification>(`/risk-stratification?cohort_id=${id}`)).people).toBe(
      roundTotal(people.filter(({ sex }) => sex === 'female').length),
    );
  });
});
