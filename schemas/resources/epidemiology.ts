import Type, { type Static } from 'typebox';
import { oneOf, optionalReference, orNull, ref, reference } from '../fields.ts';
import { AnalyticsSource, ageBand, answered, cohortId, followUps, people, rate } from './analytics.ts';
import { ConfidenceInterval } from './confidence-interval.ts';

/** Standard populations that rates can be standardised to. */
export const standards = ['who_world_2000', 'european_2013', 'reference'] as const;
/** What counts as a case of a standardised prevalence. */
export const caseKinds = ['present', 'ever'] as const;

function interval(description: string): Type.TUnsafe<ConfidenceInterval | null> {
  return Type.Unsafe<ConfidenceInterval | null>({ ...orNull(ref(ConfidenceInterval)), description });
}

function number(description: string): Type.TUnsafe<number | null> {
  return Type.Unsafe<number | null>({ type: ['number', 'null'], description });
}

const code = {
  system: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Address of the code system; null where the code was looked for in every one.',
  }),
  code: Type.String({ description: 'The code asked for; codes that begin with it count as well.', examples: ['E11'] }),
};

/** An estimate that can be compared. */
export const EffectEstimate = Type.Object(
  {
    measure: oneOf(['risk_difference', 'risk_ratio', 'risk_ratio_mantel_haenszel'], {
      description: 'What is estimated.',
    }),
    value: number('The estimate, of the first cohort against the second; null when it cannot be told.'),
    interval: interval('Its 95 % interval.'),
  },
  { $id: 'EffectEstimate', title: 'EffectEstimate', description: 'How much two cohorts differ in an outcome.' },
);

/** One age band of a standardised prevalence. */
export const StandardisedStratum = Type.Object(
  {
    age_band: ageBand(),
    people: people('People in the band.'),
    cases: people('Cases in the band.'),
    per_1000: rate('Cases per 1,000 people.'),
    weight: Type.Number({ minimum: 0, description: 'Share of the standard population in the band, from 0 to 1.' }),
    reference_per_1000: rate('The same in the reference.'),
  },
  {
    $id: 'StandardisedStratum',
    title: 'StandardisedStratum',
    description: 'One age band of a standardised prevalence.',
  },
);

/** A prevalence made comparable between populations of different age. */
export const StandardisedPrevalence = Type.Object(
  {
    ...code,
    case: oneOf(caseKinds, { description: 'What counts as a case.' }),
    cohort_id: cohortId,
    reference_cohort_id: optionalReference<'coh'>({
      description: 'The cohort it is held against; null for all patients of the account.',
    }),
    standard: oneOf(standards, { description: 'The standard population; `reference` is the reference itself.' }),
    definition: Type.String({ description: 'How the figures are worked out.' }),
    sources: Type.Array(ref(AnalyticsSource), { description: 'Where the standard and the methods were published.' }),
    people: people('All people.'),
    cases: people('All cases.'),
    crude_per_1000: rate('Cases per 1,000 people as they are.'),
    crude_interval: interval('Its 95 % interval (Wilson).'),
    standardised_per_1000: rate('Cases per 1,000 that the standard population would have.'),
    standardised_interval: interval('Its 95 % interval (Fay and Feuer).'),
    expected_cases: rate('Cases that the rates of the reference would have given.'),
    morbidity_ratio: rate('Observed by expected cases (indirect standardisation).'),
    morbidity_ratio_interval: interval('Its 95 % interval (exact Poisson).'),
    by_age_band: Type.Array(ref(StandardisedStratum), { maxItems: 10, description: 'The bands, youngest first.' }),
    ...answered,
  },
  {
    $id: 'StandardisedPrevalence',
    title: 'StandardisedPrevalence',
    description: 'Prevalence of a condition, crude and standardised by age, side by side.',
  },
);
/** A prevalence made comparable between populations of different age. */
export type StandardisedPrevalence = Static<typeof StandardisedPrevalence>;

/** How far two cohorts are apart in one characteristic. */
export const CohortBalance = Type.Object(
  {
    characteristic: oneOf(['age_band', 'sex', 'condition'], { description: 'Kind of the characteristic.' }),
    value: Type.String({
      description: 'The age band, the sex, or the category of ICD-10.',
      examples: ['60-69', 'female', 'E11'],
    }),
    shares: Type.Array(rate('Share of a cohort that has it, from 0 to 1.'), {
      minItems: 2,
      maxItems: 2,
      description: 'In the first cohort and in the second.',
    }),
    standardised_difference: number(
      'Difference of the shares in standard deviations (Austin 2009); beyond 0.1 either way is taken for imbalance.',
    ),
  },
  { $id: 'CohortBalance', title: 'CohortBalance', description: 'How far two cohorts are apart in a characteristic.' },
);

/** The condition in which cohorts are held against each other. */
export const ContrastOutcome = Type.Object(
  {
    system: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        minLength: 1,
        maxLength: 200,
        description: 'Address of the code system; all of them when null or left out.',
      }),
    ),
    code: Type.Unsafe<string>({
      type: 'string',
      minLength: 1,
      maxLength: 64,
      pattern: '^[0-9A-Za-z][0-9A-Za-z.\\-]*$',
      description: 'Code of a condition; codes that begin with it count as well.',
      examples: ['I21'],
    }),
  },
  {
    $id: 'ContrastOutcome',
    title: 'ContrastOutcome',
    description: 'The condition in which cohorts are held against each other.',
    additionalProperties: false,
  },
);

/** Which cohorts to hold against each other, and in what. */
export const CohortContrastRequest = Type.Object(
  {
    cohort_ids: Type.Array(reference<'coh'>({ minLength: 1, maxLength: 80 }), {
      minItems: 2,
      maxItems: 2,
      uniqueItems: true,
      description: 'The cohort, and the one it is held against.',
    }),
    outcome: ref(ContrastOutcome),
  },
  {
    $id: 'CohortContrastRequest',
    title: 'CohortContrastRequest',
    description: 'Two cohorts, and the outcome they are compared in.',
    additionalProperties: false,
  },
);
/** Which cohorts to hold against each other, and in what. */
export type CohortContrastRequest = Static<typeof CohortContrastRequest>;

/** One of two cohorts and its outcome. */
export const ContrastedCohort = Type.Object(
  {
    cohort_id: reference<'coh'>({ description: 'The cohort.' }),
    people: people('Its people.'),
    cases: people('Those of them who ever had the condition.'),
    risk: rate('Cases by people, from 0 to 1.'),
    risk_interval: interval('Its 95 % interval (Wilson).'),
  },
  { $id: 'ContrastedCohort', title: 'ContrastedCohort', description: 'One of two cohorts and its outcome.' },
);

/** Two cohorts held against each other. */
export const CohortContrast = Type.Object(
  {
    ...code,
    definition: Type.String({ description: 'How the figures are worked out.' }),
    sources: Type.Array(ref(AnalyticsSource), { description: 'Where the methods were published.' }),
    cohorts: Type.Array(ref(ContrastedCohort), { minItems: 2, maxItems: 2, description: 'In the order asked for.' }),
    effects: Type.Array(ref(EffectEstimate), { description: 'How much they differ in the outcome.' }),
    balance: Type.Array(ref(CohortBalance), { description: 'How much they differ in who they are.' }),
    ...answered,
  },
  { $id: 'CohortContrast', title: 'CohortContrast', description: 'How two cohorts differ, and by how much.' },
);
/** Two cohorts held against each other. */
export type CohortContrast = Static<typeof CohortContrast>;

/** The state some time after the index event. */
export const SurvivalMonth = Type.Object(
  {
    month: Type.Integer({ minimum: 0, description: 'Months since the index event.' }),
    at_risk: people('People observed and without any event until then.'),
    events: people('People in whom the event came in this month.'),
    competing_events: people('People in whom the competing event came in this month.'),
    censored: people('People who were no longer observed after this month.'),
    survival: rate('Share without the event (Kaplan-Meier), from 0 to 1.'),
    survival_interval: interval('Its 95 % interval (Greenwood, log-log).'),
    cumulative_incidence: rate('Share that has had the event (Aalen-Johansen), from 0 to 1.'),
    cumulative_incidence_interval: interval('Its 95 % interval (infinitesimal jackknife, log-log).'),
  },
  { $id: 'SurvivalMonth', title: 'SurvivalMonth', description: 'The state some months after the index event.' },
);

/** What became of one group after the index event. */
export const SurvivalCurve = Type.Object(
  {
    cohort_id: cohortId,
    people: people('People with the index event who had not had the event before.'),
    median_months: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'First month by which half of them have had the event; null when that was not reached.',
    }),
    months: Type.Array(ref(SurvivalMonth), { maxItems: 121, description: 'Month by month from the index event on.' }),
  },
  { $id: 'SurvivalCurve', title: 'SurvivalCurve', description: 'What became of one group after the index event.' },
);

/** Whether two curves differ. */
export const LogRankTest = Type.Object(
  {
    chi_squared: Type.Number({ minimum: 0, description: 'The statistic, of one degree of freedom.' }),
    p_value: Type.Number({ minimum: 0, maximum: 1, description: 'How likely so large a difference is by chance.' }),
  },
  { $id: 'LogRankTest', title: 'LogRankTest', description: 'Whether two survival curves differ (log-rank).' },
);

/** Time to an event after another. */
export const SurvivalAnalysis = Type.Object(
  {
    system: code.system,
    index_code: Type.String({ description: 'Condition that begins the time; codes that begin with it count as well.' }),
    event_code: Type.String({ description: 'Condition that is waited for.' }),
    competing_code: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Condition after which the event is no longer waited for.',
    }),
    follow_up: oneOf(followUps, { description: 'Until when a person without the event is observed.' }),
    definition: Type.String({ description: 'How the figures are worked out.' }),
    sources: Type.Array(ref(AnalyticsSource), { description: 'Where the methods were published.' }),
    curves: Type.Array(ref(SurvivalCurve), { minItems: 1, maxItems: 2, description: 'Each group.' }),
    log_rank: Type.Unsafe<Static<typeof LogRankTest> | null>({
      ...orNull(ref(LogRankTest)),
      description: 'Whether the curves of two cohorts differ; null for one, and where too few had the event.',
    }),
    ...answered,
  },
  { $id: 'SurvivalAnalysis', title: 'SurvivalAnalysis', description: 'Time from one event to another.' },
);
/** Time to an event after another. */
export type SurvivalAnalysis = Static<typeof SurvivalAnalysis>;

/** Every resource of this file. */
export const epidemiologyResources = {
  EffectEstimate,
  StandardisedStratum,
  StandardisedPrevalence,
  CohortBalance,
  ContrastOutcome,
  CohortContrastRequest,
  ContrastedCohort,
  CohortContrast,
  SurvivalMonth,
  SurvivalCurve,
  LogRankTest,
  SurvivalAnalysis,
} as const;
