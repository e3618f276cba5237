import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { disclosureControl, Rounding, SMALL_CELL, shown } from '@perennial/core/analytics/disclosure.ts';
import { type Clauses, holds, prune } from '@perennial/core/analytics/prune.ts';
import type { IncidenceSeries, PopulationSummary, PrevalenceSeries } from '@perennial/schemas/resources/analytics.ts';
import type { Cohort } from '@perennial/schemas/resources/cohort.ts';
import fc from 'fast-check';
import { startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { drawPeople, ICD10, type Person, store } from './population.ts';

describe('what can be worked out of everything that is published', () => {
  const accounts = fc.stringMatching(/^acc_[a-z]{8}$/);
  const counts = fc.array(fc.oneof(fc.nat(6), fc.nat(40)), { minLength: 1, maxLength: 12 });

  /** For each cell the fewest and the most people it can have, given the rounded cells and any offset. */
  function possible(rounded: readonly number[]): readonly (readonly [number, number])[] {
    // Running totals C(i) lie in [R(i) - o, R(i) - o + 4] and never fall; C(0) is 0, o is 0 to 4 and secret.
    const limits = rounded.map(() => [Number.POSITIVE_INFINITY, 0] as [number, number]);
    for (let offset = 0; offset < SMALL_CELL; offset += 1) {
      let total = 0;
      const reach = rounded.map((each) => {
        total += each;
        return [Math.max(0, total - offset), total - offset + SMALL_CELL - 1] as const;
      });
      for (const [at, [low, high]] of reach.entries()) {
        const [beforeLow, beforeHigh] = at === 0 ? [0, 0] : (reach[at - 1] as readonly [number, number]);
        const limit = limits[at] as [number, number];
        limit[0] = Math.min(limit[0], Math.max(0, low - beforeHigh));
        limit[1] = Math.max(limit[1], high - beforeLow);
      }
    }
    return limits;
  }

  test('a cell that is not shown can be of no people as well as of four, or of one as well as of nine', () => {
    fc.assert(
      fc.property(accounts, counts, (account, cells) => {
        const rounded = new Rounding('a secret', `acc_${account}`).cells(cells);
        for (const [at, [low, high]] of possible(rounded).entries()) {
          const value = rounded[at] as number;
          expect(cells[at]).toBeGreaterThanOrEqual(low);
          expect(cells[at]).toBeLessThanOrEqual(high);
          if (shown(value) !== null) continue;
          expect(low).toBeLessThanOrEqual(1);
          expect(high).toBeGreaterThanOrEqual(SMALL_CELL - 1);
          if (value === SMALL_CELL) expect(high).toBe(2 * SMALL_CELL - 1);
          else expect(low).toBe(0);
        }
      }),
    );
  });

  test('no group of fewer than five people is ever shown, and each shown one is within four of the true number', () => {
    fc.assert(
      fc.property(accounts, counts, (account, cells) => {
        for (const [at, rounded] of new Rounding('a secret', `acc_${account}`).cells(cells).entries()) {
          const told = shown(rounded);
          if ((cells[at] as number) < SMALL_CELL) expect(told).toBeNull();
          if (told !== null) expect(Math.abs(told - (cells[at] as number))).toBeLessThan(SMALL_CELL);
          expect(rounded % disclosureControl.rounded_to).toBe(0);
        }
      }),
    );
  });

  test('a total and any run of cells are within four of the true number, however many cells there are', () => {
    fc.assert(
      fc.property(accounts, counts, fc.nat(11), fc.nat(11), (account, cells, a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const sum = (list: readonly number[]): number => list.slice(from, to).reduce((all, each) => all + each, 0);
        const rounded = new Rounding('a secret', `acc_${account}`).cells(cells);
        expect(Math.abs(sum(rounded) - sum(cells))).toBeLessThan(SMALL_CELL);
      }),
    );
  });

  test('accounts have different offsets, so that one account’s cannot be learnt in another', () => {
    const offsets = new Set(
      Array.from({ length: 60 }, (_, at) => {
        const rounding = new Rounding('a secret', `acc_${at}`);
        return [1, 2, 3, 4, 5].findIndex((count) => rounding.total(count) === SMALL_CELL);
      }),
    );
    expect(offsets.size).toBe(SMALL_CELL);
  });
});

describe('a criterion that tells fewer than five people apart', () => {
  const tables = fc.array(fc.record({ mask: fc.nat(15), people: fc.oneof(fc.nat(6), fc.nat(60)) }), { maxLength: 16 });
  const clauses: fc.Arbitrary<Clauses> = fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }), {
    maxLength: 4,
  });

  test('is left out: whatever is left tells at least five apart', () => {
    fc.assert(
      fc.property(tables, clauses, (table, asked) => {
        const kept = prune(asked, table);
        for (const at of kept.keys()) {
          const without = kept.filter((_, index) => index !== at);
          const apart = table.filter(({ mask }) => holds(kept, mask) !== holds(without, mask));
          expect(apart.reduce((sum, { people }) => sum + people, 0)).toBeGreaterThanOrEqual(SMALL_CELL);
        }
      }),
    );
  });

  test('stays when it tells five apart', () => {
    expect(
      prune(
        [[0], [1]],
        [
          { mask: 3, people: 50 },
          { mask: 1, people: 5 },
          { mask: 2, people: 90 },
        ],
      ),
    ).toEqual([[0], [1]]);
    expect(
      prune(
        [[0], [1]],
        [
          { mask: 3, people: 50 },
          { mask: 1, people: 4 },
          { mask: 2, people: 90 },
        ],
      ),
    ).toEqual([[0]]);
  });
});

describe('over the socket', () => {
  let database: TestDatabase;
  let core: TestCore;
  /** Three people of a kind that nobody else is of. */
  const rare: readonly Person[] = drawPeople(3, 11).map((each) => ({
    ...each,
    dob: '1971-06-15',
    sex: 'female',
    records: [
      { type: 'condition', status: 'active', system: ICD10, code: 'G10', at: '2021-05-05T00:00:00Z', content: {} },
      { type: 'condition', status: 'active', system: ICD10, code: 'I10', at: '2020-05-05T00:00:00Z', content: {} },
    ],
  }));
  const others = drawPeople(600, 12);

  beforeAll(async () => {
    database = await freshDatabase();
    core = await startCore(database.url);
    await store(database.db, 'acc_test', [...others, ...rare]);
    await store(
      database.db,
      'acc_without',
      others.map((each) => ({ ...each, id: `${each.id}w` })),
    );
    await database.db.$executeRaw`ANALYZE`;
  });

  afterAll(async () => {
    await core.stop();
    await database.close();
  });

  const get = async <T>(path: string): Promise<T> => (await core.call<T>('GET', `/analytics${path}`)).data;
  const summaryOf = async (criteria: readonly object[]): Promise<PopulationSummary> => {
    const saved = await core.call<Cohort>('POST', '/analytics/cohorts', { body: { name: 'A question', criteria } });
    return get<PopulationSummary>(`/population?cohort_id=${saved.data.id}`);
  };
  const numbersOf = ({ cohort_id: _, ...rest }: PopulationSummary): object => rest;
  const hypertension = { kind: 'record', type: 'condition', code: 'I10', present: true };
  const rareDisease = { kind: 'record', type: 'condition', code: 'G10', present: true };

  test('three people with a rare disease are not shown by any answer', async () => {
    expect((await summaryOf([rareDisease])).people).toBeNull();
    const summary = await get<PopulationSummary>('/population?conditions=100');
    expect(summary.conditions.map(({ code }) => code)).not.toContain('G10');
    const prevalence = await get<PrevalenceSeries>('/prevalence?code=G10&from=2021-01&until=2021-12');
    expect(prevalence.points.every(({ cases, per_1000 }) => cases === null && per_1000 === null)).toBe(true);
    const incidence = await get<IncidenceSeries>('/incidence?code=G10&from=2021-01&until=2021-12&interval=year');
    expect(incidence.points.map(({ new_cases }) => new_cases)).toEqual([null]);
  });

  test('asking with and without them gives the very same answer', async () => {
    const all = numbersOf(await summaryOf([hypertension]));
    expect(numbersOf(await summaryOf([hypertension, { ...rareDisease, present: false }]))).toEqual(all);
    expect(numbersOf(await summaryOf([{ kind: 'any_of', criteria: [hypertension, rareDisease] }]))).toEqual(all);
    const women = { kind: 'patient', field: 'sex', test: 'is', value: 'female' };
    const notTheThree = {
      kind: 'any_of',
      criteria: [
        { ...rareDisease, present: false },
        { ...women, test: 'is_not' },
      ],
    };
    expect(numbersOf(await summaryOf([hypertension, notTheThree]))).toEqual(all);
  });

  test('the same question in other words and another order gives the same answer', async () => {
    const women = { kind: 'patient', field: 'sex', test: 'is', value: 'female' };
    const first = numbersOf(await summaryOf([hypertension, women]));
    expect(numbersOf(await summaryOf([women, { ...hypertension, match: 'starts_with', system: null }]))).toEqual(first);
    expect(numbersOf(await summaryOf([{ kind: 'any_of', criteria: [women] }, hypertension, women]))).toEqual(first);
  });

  test('totals, sexes and bands are sums of the same cells: taking one from the other gives nothing new', async () => {
    for (const summary of [await get<PopulationSummary>('/population'), await summaryOf([hypertension])]) {
      for (const part of [summary.by_age_band, summary.by_sex]) {
        const rest = (summary.people as number) - part.reduce((sum, { people }) => sum + (people ?? 0), 0);
        const hidden = part.filter(({ people }) => people === null).length;
        // What is missing is a multiple of five again, and none of the hidden ones has more than five of it by name.
        expect(rest % 5).toBe(0);
        expect(rest).toBeLessThanOrEqual(hidden * 5);
      }
    }
  });

  test('quarters and years are the sums of the months, wherever a range begins', async () => {
    const ask = async (range: string): Promise<IncidenceSeries> => get(`/incidence?code=I10&${range}`);
    const years = await ask('from=2019-01&until=2022-12&interval=year');
    const quarters = await ask('from=2020-02&until=2021-11&interval=quarter');
    const later = await ask('from=2020-12&until=2021-12&interval=year');
    expect(later.points).toEqual(years.points.slice(1, 3));
    const visible = quarters.points.slice(0, 4).reduce((sum, { new_cases }) => sum + (new_cases ?? 0), 0);
    const gap = (years.points[1]?.new_cases as number) - visible;
    expect(gap % 5).toBe(0);
    expect(gap).toBeLessThanOrEqual(
      5 * quarters.points.slice(0, 4).filter(({ new_cases }) => new_cases === null).length,
    );
  });

  test('limits of birth and of values cannot be moved by a little to single somebody out', async () => {
    const refused = async (criterion: object, pointer: string, code: string): Promise<void> => {
      const reply = await core.call('POST', '/analytics/cohorts', { body: { name: 'x', criteria: [criterion] } });
      expect(reply.status).toBe(422);
      expect(reply.error.details).toMatchObject([{ pointer, code }]);
    };
    const born = { kind: 'patient', field: 'dob', test: 'from' };
    await refused({ ...born, value: '1971-06-15' }, '/criteria/0/value', 'not_allowed_value');
    await refused({ ...born, value: '1971-01-01' }, '/criteria/0/value', 'not_allowed_value');
    await refused(
      { kind: 'measurement', code: '4548-4', test: 'below', value: 7.123, unit: '%' },
      '/criteria/0/value',
      'wrong_format',
    );
    await refused(
      { kind: 'patient', field: 'gender_identity', test: 'is', value: 'woman' },
      '/criteria/0/test',
      'not_allowed_value',
    );
  });
});
