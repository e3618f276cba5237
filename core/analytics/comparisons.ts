import type { AccountId, CohortId } from '@perennial/schemas/platform/ids.ts';
import { type AnalyticsSource, ageBands } from '@perennial/schemas/resources/analytics.ts';
import type {
  CohortContrast,
  CohortContrastRequest,
  StandardisedPrevalence,
  standards,
} from '@perennial/schemas/resources/epidemiology.ts';
import { sexes } from '@perennial/schemas/resources/patient.ts';
import { acuteRule } from './acute.ts';
import type { Asking, Selected } from './asking.ts';
import { addTo, byBand, bySex, emptyCells, sum } from './cells.ts';
import { selectionOf } from './criteria.ts';
import type { Rounding } from './disclosure.ts';
import type { CaseKind, ConditionAsked } from './episodes.ts';
import { type Telling, toInterval } from './estimates.ts';
import { standardPopulations } from './standards.ts';
import {
  mantelHaenszel,
  riskDifference,
  riskRatio,
  standardisedDifference,
  type TwoByTwo,
} from './statistics/comparison.ts';
import { type Estimate, times } from './statistics/interval.ts';
import { wilson } from './statistics/proportions.ts';
import { directlyStandardised, indirectlyStandardised, type Stratum } from './statistics/standardisation.ts';
import type { AnalyticsStore } from './store.ts';

const PER = 1000;
const SHARE_DIGITS = 4;
const RATIO_DIGITS = 3;
/** Conditions, by how often either cohort has them, in which cohorts are set side by side. */
const CONDITIONS_MAX = 20;

/** Which standardised prevalence is asked for. */
export interface StandardisedRequest extends ConditionAsked {
  readonly kind: CaseKind;
  readonly cohortId: CohortId | null;
  readonly referenceCohortId: CohortId | null;
  readonly standard: (typeof standards)[number];
}

/** The people of a group and its cases, in the fixed order of cells, rounded. */
interface Group {
  readonly people: readonly number[];
  readonly cases: readonly number[];
}

/** A group, and how many of it have a condition, by category of ICD-10. */
interface Described extends Group {
  readonly conditions: ReadonlyMap<string, number>;
}

const directSource: AnalyticsSource = {
  title: 'Confidence intervals for directly standardized rates: a method based on the gamma distribution',
  publisher: 'Statistics in Medicine 16:791-801',
  year: 1997,
  url: 'https://pubmed.ncbi.nlm.nih.gov/9131766/',
};
const indirectSource: AnalyticsSource = {
  title: 'Statistical Methods in Cancer Research II: The Design and Analysis of Cohort Studies',
  publisher: 'International Agency for Research on Cancer, Scientific Publications 82',
  year: 1987,
  url: 'https://publications.iarc.who.int/',
};
const contrastSources: readonly AnalyticsSource[] = [
  {
    title: 'Interval estimation for the difference between independent proportions: comparison of eleven methods',
    publisher: 'Statistics in Medicine 17:873-890',
    year: 1998,
    url: 'https://pubmed.ncbi.nlm.nih.gov/9595617/',
  },
  {
    title: 'Estimation of a common effect parameter from sparse follow-up data',
    publisher: 'Biometrics 41:55-68',
    year: 1985,
    url: 'https://doi.org/10.2307/2530643',
  },
  {
    title: 'Balance diagnostics for comparing the distribution of baseline covariates between treatment groups',
    publisher: 'Statistics in Medicine 28:3083-3107',
    year: 2009,
    url: 'https://doi.org/10.1002/sim.3697',
  },
];

const caseDefinitions: Readonly<Record<CaseKind, string>> = {
  present: `A case is a person in whom the condition is present today. It begins on its onset, or on effective_at where there is none; records that are refuted, entered in error or have no time are left out. ${acuteRule}`,
  ever: 'A case is a person with a condition record of the code that began by today, whether or not it has ended since; records that are refuted, entered in error or have no time are left out.',
};

/** Groups held against a standard, and against each other. Everything is worked out from rounded cells. */
export class Comparisons {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** @throws Fault `not_found` when a cohort is. */
  async standardised(accountId: AccountId, request: StandardisedRequest): Promise<StandardisedPrevalence> {
    const { code, system, kind, cohortId, referenceCohortId, standard } = request;
    const rounding = this.#asking.rounding(accountId);
    const selections = [
      await this.#asking.selection(accountId, cohortId),
      await this.#asking.selection(accountId, referenceCohortId),
    ];
    const groups = await this.#asking.ask(async (store) => {
      const found: Group[] = [];
      for (const selection of selections)
        found.push(
          await this.#group(store, accountId, await this.#asking.select(store, accountId, selection), request),
        );
      return found;
    });
    const [own, other] = groups.map(strataOf) as [readonly Stratum[], readonly Stratum[]];
    const published = standard === 'reference' ? undefined : standardPopulations[standard];
    const weights = published?.weights ?? other.map(({ people }) => people);
    const people = sum(own.map((each) => each.people));
    const cases = sum(own.map((each) => each.cases));
    const isShown = rounding.shown(cases) !== null && rounding.shown(people) !== null && people > 0;
    const isReferenceShown = rounding.shown(sum(other.map((each) => each.cases))) !== null;
    const crude = isShown ? { estimate: (cases / people) * PER, ...times(wilson(cases, people), PER) } : undefined;
    const share = isShown ? directlyStandardised(own, weights) : undefined;
    const direct = share && { estimate: share.estimate * PER, ...times(share, PER) };
    const indirect = isShown && isReferenceShown ? indirectlyStandardised(own, other) : undefined;
    const figure = (found: Estimate | undefined, digits: number): number | null =>
      found ? rounding.figure(found.estimate, digits) : null;
    const interval = (
      found: Estimate | undefined,
      method: Telling['method'],
      digits: number,
    ): StandardisedPrevalence['crude_interval'] =>
      found ? toInterval(rounding, found, { cases, method, digits }) : null;
    return {
      system,
      code,
      case: kind,
      cohort_id: cohortId,
      reference_cohort_id: referenceCohortId,
      standard,
      definition: `${caseDefinitions[kind]} Direct standardisation weighs the group’s own rates of ten bands of age by the standard population; where a band of it has nobody, there is none. Indirect standardisation holds the cases against those that the rates of the reference would have given.`,
      sources: [...(published ? [published.source] : []), directSource, indirectSource],
      people: rounding.shown(people),
      cases: rounding.shown(cases),
      crude_per_1000: figure(crude, 2),
      crude_interval: interval(crude, 'wilson', 2),
      standardised_per_1000: figure(direct, 2),
      standardised_interval: interval(direct, 'fay_feuer_gamma', 2),
      expected_cases: indirect ? rounding.figure(indirect.expected, 1) : null,
      morbidity_ratio: figure(indirect, RATIO_DIGITS),
      morbidity_ratio_interval: interval(indirect, 'exact_poisson', RATIO_DIGITS),
      by_age_band: ageBands.map((age_band, band) => ({
        age_band,
        people: rounding.shown(own[band]?.people ?? 0),
        cases: rounding.shown(own[band]?.cases ?? 0),
        per_1000: per1000(rounding, own[band]),
        weight: Number(((weights[band] ?? 0) / (sum(weights) || 1)).toFixed(SHARE_DIGITS)),
        reference_per_1000: per1000(rounding, other[band]),
      })),
      ...this.#asking.answered(),
    };
  }

  /** @throws Fault `not_found` naming the first cohort that is missing. */
  async contrast(accountId: AccountId, { cohort_ids, outcome }: CohortContrastRequest): Promise<CohortContrast> {
    const rows = await this.#asking.cohorts.all(accountId, cohort_ids);
    const rounding = this.#asking.rounding(accountId);
    const asked = { system: outcome.system ?? null, code: outcome.code };
    const [first, second] = await this.#asking.ask(async (store) => {
      const groups: Described[] = [];
      for (const row of rows) {
        const selected = await this.#asking.select(store, accountId, selectionOf(row.criteria));
        groups.push({
          ...(await this.#group(store, accountId, selected, { ...asked, kind: 'ever' })),
          conditions: await this.#conditions(store, accountId, selected),
        });
      }
      return groups as [Described, Described];
    });
    const table = twoByTwo(first, second, [...first.people.keys()]);
    const strata = [...first.people.keys()].map((at) => twoByTwo(first, second, [at]));
    return {
      ...asked,
      definition:
        'The outcome is ever having had the condition. The first cohort is held against the second: difference of risks, ratio of risks, and the ratio of risks within bands of age and sexes (Mantel-Haenszel). People who are in both cohorts count in both; the intervals hold for cohorts that share nobody.',
      sources: [...contrastSources],
      cohorts: rows.map(({ id }, at) => {
        const [cases, people] = at === 0 ? [table.cases, table.people] : [table.otherCases, table.otherPeople];
        const isShown = rounding.shown(cases) !== null && rounding.shown(people) !== null && people > 0;
        const risk = isShown ? { estimate: cases / people, ...wilson(cases, people) } : undefined;
        return {
          cohort_id: id,
          people: rounding.shown(people),
          cases: rounding.shown(cases),
          risk: risk ? rounding.figure(risk.estimate, SHARE_DIGITS) : null,
          risk_interval: risk ? toInterval(rounding, risk, { cases, method: 'wilson', digits: SHARE_DIGITS }) : null,
        };
      }),
      effects: effectsOf(rounding, table, strata),
      balance: balanceOf(rounding, first, second),
      ...this.#asking.answered(),
    };
  }

  async #group(
    store: AnalyticsStore,
    accountId: AccountId,
    { who, cells }: Selected,
    { code, system, kind }: ConditionAsked & { readonly kind: CaseKind },
  ): Promise<Group> {
    const rounding = this.#asking.rounding(accountId);
    const counts = emptyCells();
    for (const row of await store.episodes.cases(accountId, { code, system, kind }, who, this.#asking.today()))
      addTo(counts, row, row.cases);
    const people = rounding.cells(cells);
    // Rounding both may leave a cell with more cases than people.
    return { people, cases: rounding.cells(counts).map((each, at) => Math.min(each, people[at] ?? 0)) };
  }

  /** People of a selection by category of ICD-10, rounded. */
  async #conditions(
    store: AnalyticsStore,
    accountId: AccountId,
    { who }: Selected,
  ): Promise<ReadonlyMap<string, number>> {
    const rounding = this.#asking.rounding(accountId);
    const byCategory = new Map<string, number[]>();
    for (const row of await store.conditions(accountId, who)) {
      const cells = byCategory.get(row.category) ?? emptyCells();
      byCategory.set(row.category, cells);
      addTo(cells, row, row.people);
    }
    return new Map([...byCategory].map(([category, cells]) => [category, sum(rounding.cells(cells))]));
  }
}

function strataOf({ people, cases }: Group): readonly Stratum[] {
  const ofCases = byBand(cases);
  return byBand(people).map((each, band) => ({ people: each, cases: ofCases[band] ?? 0 }));
}

function per1000(rounding: Rounding, stratum: Stratum | undefined): number | null {
  if (!stratum || rounding.shown(stratum.people) === null || rounding.shown(stratum.cases) === null) return null;
  return stratum.people === 0 ? null : rounding.figure((stratum.cases / stratum.people) * PER, 1);
}

function twoByTwo(first: Group, second: Group, cells: readonly number[]): TwoByTwo {
  const of = (numbers: readonly number[]): number => sum(cells.map((at) => numbers[at] ?? 0));
  return {
    cases: of(first.cases),
    people: of(first.people),
    otherCases: of(second.cases),
    otherPeople: of(second.people),
  };
}

function effectsOf(rounding: Rounding, table: TwoByTwo, strata: readonly TwoByTwo[]): CohortContrast['effects'] {
  const isShown = Object.values(table).every((each: number) => rounding.shown(each) !== null);
  const cases = Math.min(table.cases, table.otherCases);
  const effect = (
    measure: CohortContrast['effects'][number]['measure'],
    find: () => Estimate | undefined,
    method: Telling['method'],
    digits: number,
  ): CohortContrast['effects'][number] => {
    const found = isShown && table.people > 0 && table.otherPeople > 0 ? find() : undefined;
    if (!found) return { measure, value: null, interval: null };
    return {
      measure,
      value: rounding.figure(found.estimate, digits),
      interval: toInterval(rounding, found, { cases, method, digits }),
    };
  };
  return [
    effect('risk_difference', () => riskDifference(table), 'newcombe', SHARE_DIGITS),
    effect('risk_ratio', () => riskRatio(table), 'katz_log', RATIO_DIGITS),
    effect('risk_ratio_mantel_haenszel', () => mantelHaenszel(strata), 'greenland_robins', RATIO_DIGITS),
  ];
}

function balanceOf(rounding: Rounding, first: Described, second: Described): CohortContrast['balance'] {
  type Balance = CohortContrast['balance'][number];
  const wholes = [sum(first.people), sum(second.people)] as const;
  const row = (characteristic: Balance['characteristic'], value: string, one: number, other: number): Balance => {
    const isTold = [one, other, ...wholes].every((each) => rounding.shown(each) !== null) && Math.min(...wholes) > 0;
    if (!isTold) return { characteristic, value, shares: [null, null], standardised_difference: null };
    const shares = [Math.min(1, one / wholes[0]), Math.min(1, other / wholes[1])] as const;
    return {
      characteristic,
      value,
      shares: shares.map((each) => rounding.figure(each, SHARE_DIGITS)),
      standardised_difference: rounding.figure(standardisedDifference(...shares), RATIO_DIGITS),
    };
  };
  const bands = [byBand(first.people), byBand(second.people)] as const;
  const ofSex = [bySex(first.people), bySex(second.people)] as const;
  const most = [...new Set([...first.conditions.keys(), ...second.conditions.keys()])]
    .map((category) => [category, first.conditions.get(category) ?? 0, second.conditions.get(category) ?? 0] as const)
    .filter(([, one, other]) => rounding.shown(Math.max(one, other)) !== null)
    .sort((a, b) => Math.max(b[1], b[2]) - Math.max(a[1], a[2]) || (a[0] < b[0] ? -1 : 1))
    .slice(0, CONDITIONS_MAX);
  return [
    ...ageBands.map((value, at) => row('age_band', value, bands[0][at] ?? 0, bands[1][at] ?? 0)),
    ...sexes.map((value, at) => row('sex', value, ofSex[0][at] ?? 0, ofSex[1][at] ?? 0)),
    ...most.map(([category, one, other]) => row('condition', category, one, other)),
  ];
}
