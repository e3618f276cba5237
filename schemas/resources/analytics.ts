import Type, { type Static } from 'typebox';
import { day, oneOf, optionalReference, orNull, ref } from '../fields.ts';
import { ConfidenceInterval } from './confidence-interval.ts';
import { sexes } from './patient.ts';

/** Age bands, youngest first. Fixed: bands that a caller could shift would give away who lies between two of them. */
export const ageBands = ['0-9', '10-19', '20-29', '30-39', '40-49', '50-59', '60-69', '70-79', '80-89', '90+'] as const;

/** Which prevalence is asked for. */
export const prevalenceMeasures = ['ever', 'point', 'period'] as const;
/** Which new cases count. */
export const episodeKinds = ['first', 'any'] as const;
/** Until when people are observed. */
export const followUps = ['until_now', 'until_last_record'] as const;

/** Lengths of the periods of a series. */
export const intervals = ['month', 'quarter', 'year'] as const;

/** A number of people. */
export function people(description: string): Type.TUnsafe<number | null> {
  return Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 0,
    description: `${description} Rounded; null when suppressed.`,
    examples: [1240],
  });
}

/** A share or a rate. */
export function rate(description: string): Type.TUnsafe<number | null> {
  return Type.Unsafe<number | null>({
    type: ['number', 'null'],
    minimum: 0,
    description: `${description} Worked out from the rounded numbers; null when one of them is suppressed.`,
  });
}

function interval(description: string): Type.TUnsafe<ConfidenceInterval | null> {
  return Type.Unsafe<ConfidenceInterval | null>({ ...orNull(ref(ConfidenceInterval)), description });
}

/** A calendar month as `YYYY-MM`. */
export function month(description: string): Type.TUnsafe<string> {
  return Type.Unsafe<string>({
    type: 'string',
    pattern: '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$',
    description,
    examples: ['2023-10'],
  });
}

/** Name of an age band. */
export const ageBand = (): Type.TUnsafe<(typeof ageBands)[number]> =>
  oneOf(ageBands, { description: 'Years of age reached in the calendar year of `as_of`.' });

/** How the numbers of an answer are kept from telling of single people. */
export const DisclosureControl = Type.Object(
  {
    method: oneOf(['cumulative_rounding'], { description: 'Name of the method.' }),
    suppressed_below: Type.Integer({ description: 'Groups of fewer people than this are never shown.' }),
    rounded_to: Type.Integer({ description: 'Every number of people is a multiple of this.' }),
    shown_from: Type.Integer({ description: 'The smallest number of people that is ever shown.' }),
    explanation: Type.String({ description: 'What that means for reading the numbers.' }),
  },
  {
    $id: 'DisclosureControl',
    title: 'DisclosureControl',
    description: 'How the numbers of an answer are kept from telling of single people.',
  },
);
/** How the numbers of an answer are protected. */
export type DisclosureControl = Static<typeof DisclosureControl>;

/** Where a definition was published. */
export const AnalyticsSource = Type.Object(
  {
    title: Type.String({ description: 'Title.' }),
    publisher: Type.String({ description: 'Journal or organisation.' }),
    year: Type.Integer({ description: 'Year of publication.' }),
    url: Type.String({ maxLength: 2000, description: 'Address.' }),
  },
  { $id: 'AnalyticsSource', title: 'AnalyticsSource', description: 'Where a definition was published.' },
);
/** Where a definition was published. */
export type AnalyticsSource = Static<typeof AnalyticsSource>;

/** People of one age band. */
export const AgeBandCount = Type.Object(
  { age_band: ageBand(), people: people('People in the band.') },
  { $id: 'AgeBandCount', title: 'AgeBandCount', description: 'People of one age band.' },
);
/** People of one sex. */
export const SexCount = Type.Object(
  {
    sex: oneOf(sexes, { description: 'Recorded sex; `unknown` also where none is recorded.' }),
    people: people('People of the sex.'),
  },
  { $id: 'SexCount', title: 'SexCount', description: 'People of one recorded sex.' },
);
/** People of one age band and sex. */
export const PopulationGroup = Type.Object(
  {
    age_band: ageBand(),
    sex: oneOf(sexes, { description: 'Recorded sex; `unknown` also where none is recorded.' }),
    people: people('People in the group.'),
  },
  { $id: 'PopulationGroup', title: 'PopulationGroup', description: 'People of one age band and sex.' },
);
/** How many have a condition. */
export const ConditionCount = Type.Object(
  {
    system: Type.String({ description: 'Address of the code system.', examples: ['http://hl7.org/fhir/sid/icd-10'] }),
    code: Type.String({ description: 'Category of ICD-10: three characters.', examples: ['E11'] }),
    display: Type.String({ description: 'What the records call it most often.' }),
    people: people('People in whom it is active.'),
    share: rate('Part of all people of the summary, from 0 to 1.'),
    share_interval: interval('Its 95 % interval (Wilson).'),
    by_age_band: Type.Array(ref(AgeBandCount), { maxItems: 10, description: 'The same by age band, youngest first.' }),
    by_sex: Type.Array(ref(SexCount), { maxItems: 4, description: 'The same by sex.' }),
  },
  { $id: 'ConditionCount', title: 'ConditionCount', description: 'How many people have a condition.' },
);
/** How many have a condition. */
export type ConditionCount = Static<typeof ConditionCount>;

/** What every answer says of itself. */
export const answered = {
  as_of: day({ description: 'Day the answer speaks of, UTC.' }),
  time_zone: oneOf(['UTC'], { description: 'Time zone in which days and months begin.' }),
  disclosure_control: ref(DisclosureControl),
};

/** The cohort an answer is limited to. */
export const cohortId = optionalReference<'coh'>({
  description: 'The cohort it is limited to; null for all patients of the account.',
});

/** Who the patients are. */
export const PopulationSummary = Type.Object(
  {
    cohort_id: cohortId,
    people: people('All people.'),
    by_age_band: Type.Array(ref(AgeBandCount), { maxItems: 10, description: 'By age band, youngest first.' }),
    by_sex: Type.Array(ref(SexCount), { maxItems: 4, description: 'By sex.' }),
    groups: Type.Array(ref(PopulationGroup), { maxItems: 40, description: 'By age band and sex.' }),
    conditions: Type.Array(ref(ConditionCount), {
      maxItems: 100,
      description: 'Active conditions, most common first.',
    }),
    ...answered,
  },
  {
    $id: 'PopulationSummary',
    title: 'PopulationSummary',
    description: 'The patients of an account or a cohort by age band, sex and condition.',
  },
);
/** Who the patients are. */
export type PopulationSummary = Static<typeof PopulationSummary>;

const period = {
  period: Type.String({ description: 'The period: `2023`, `2023-Q4` or `2023-10`.', examples: ['2023-10'] }),
  starts_on: day({ description: 'First day, UTC.' }),
  ends_on: day({ description: 'Last day, UTC.' }),
};

/** How many had a condition by the end of a period. */
export const PrevalencePoint = Type.Object(
  {
    ...period,
    people: people('People born by the end of the period.'),
    cases: people('Those of them who are cases by the measure that was asked for.'),
    per_1000: rate('Cases per 1,000 people.'),
    per_1000_interval: interval('Its 95 % interval (Wilson).'),
  },
  { $id: 'PrevalencePoint', title: 'PrevalencePoint', description: 'Prevalence at the end of a period.' },
);
/** How many had a condition by the end of a period. */
export type PrevalencePoint = Static<typeof PrevalencePoint>;

/** How many got a condition in a period. */
export const IncidencePoint = Type.Object(
  {
    ...period,
    at_risk: people('People born before the period began who had not had the condition.'),
    new_cases: people('People in whom it began, for the first time, in the period.'),
    per_1000: rate('New cases per 1,000 people at risk.'),
    per_1000_interval: interval('Its 95 % interval (Wilson).'),
    observed_cases: people('New cases while the people were observed, as the episodes asked for are counted.'),
    person_years: rate('Years that people were observed and at risk in the period.'),
    per_1000_person_years: rate('Observed new cases per 1,000 person-years.'),
    per_1000_person_years_interval: interval('Its 95 % interval (exact Poisson).'),
  },
  { $id: 'IncidencePoint', title: 'IncidencePoint', description: 'Incidence in a period.' },
);
/** How many got a condition in a period. */
export type IncidencePoint = Static<typeof IncidencePoint>;

const series = {
  system: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Address of the code system; null where the code was looked for in every one.',
  }),
  code: Type.String({ description: 'The code asked for; codes that begin with it count as well.', examples: ['E11'] }),
  interval: oneOf(intervals, { description: 'Length of a period.' }),
};

/** Prevalence over time. */
export const PrevalenceSeries = Type.Object(
  {
    ...series,
    measure: oneOf(prevalenceMeasures, {
      description: '`ever` had it by the end of the period, has it at its end (`point`), or had it at any time in it.',
    }),
    definition: Type.String({ description: 'What counts as a case.' }),
    points: Type.Array(ref(PrevalencePoint), { maxItems: 120, description: 'Periods, oldest first.' }),
    ...answered,
  },
  { $id: 'PrevalenceSeries', title: 'PrevalenceSeries', description: 'Prevalence of a condition over time.' },
);
/** Prevalence over time. */
export type PrevalenceSeries = Static<typeof PrevalenceSeries>;

/** Incidence over time. */
export const IncidenceSeries = Type.Object(
  {
    ...series,
    episodes: oneOf(episodeKinds, { description: 'Whether only the first episode of a person counts, or each.' }),
    washout_months: Type.Integer({ minimum: 0, description: 'Months without the condition before an episode is new.' }),
    follow_up: oneOf(followUps, { description: 'Until when people are observed.' }),
    definition: Type.String({ description: 'What counts as a new case.' }),
    points: Type.Array(ref(IncidencePoint), { maxItems: 120, description: 'Periods, oldest first.' }),
    ...answered,
  },
  { $id: 'IncidenceSeries', title: 'IncidenceSeries', description: 'Incidence of a condition over time.' },
);
/** Incidence over time. */
export type IncidenceSeries = Static<typeof IncidenceSeries>;

/** People with scores in one range. */
export const RiskGroup = Type.Object(
  {
    group: Type.String({ description: 'Range of the score.', examples: ['1-2'] }),
    score_min: Type.Integer({ minimum: 0, description: 'Lowest score of the group.' }),
    score_max: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Highest score of the group; null when it has no upper end.',
    }),
    people: people('People with such a score.'),
    share: rate('Part of all people, from 0 to 1.'),
    share_interval: interval('Its 95 % interval (Wilson).'),
    by_age_band: Type.Array(ref(AgeBandCount), { maxItems: 10, description: 'The same by age band, youngest first.' }),
  },
  { $id: 'RiskGroup', title: 'RiskGroup', description: 'People whose risk score lies in one range.' },
);
/** People with scores in one range. */
export type RiskGroup = Static<typeof RiskGroup>;

/** A disease that the score counts. */
export const RiskComponent = Type.Object(
  {
    id: Type.String({ description: 'Name of the disease group.', examples: ['congestive_heart_failure'] }),
    title: Type.String({ description: 'The disease group in words.' }),
    weight: Type.Integer({ minimum: 1, description: 'Points it gives.' }),
    people: people('People in whom it counts.'),
  },
  { $id: 'RiskComponent', title: 'RiskComponent', description: 'A disease group that a risk score counts.' },
);

/** How ill the patients are. */
export const RiskStratification = Type.Object(
  {
    cohort_id: cohortId,
    score: oneOf(['charlson_comorbidity_index'], { description: 'The score.' }),
    definition: Type.String({ description: 'How the score is worked out from the records.' }),
    sources: Type.Array(ref(AnalyticsSource), { description: 'Where the score was published.' }),
    people: people('All people.'),
    groups: Type.Array(ref(RiskGroup), { description: 'Ranges of the score, lowest first.' }),
    components: Type.Array(ref(RiskComponent), { description: 'The disease groups that the score counts.' }),
    ...answered,
  },
  { $id: 'RiskStratification', title: 'RiskStratification', description: 'Patients by a published score of risk.' },
);
/** How ill the patients are. */
export type RiskStratification = Static<typeof RiskStratification>;

/** What a quality measure asks. */
export const QualityMeasure = Type.Object(
  {
    id: Type.String({ description: 'Name of the measure.', examples: ['diabetes_hba1c_tested'] }),
    title: Type.String({ description: 'The measure in words.' }),
    denominator: Type.String({ description: 'Who is looked at.' }),
    numerator: Type.String({ description: 'Who of them fulfils the measure.' }),
    exclusions: Type.String({ description: 'Who is left out.' }),
    better: oneOf(['higher', 'lower'], { description: 'Which way is better.' }),
    source: ref(AnalyticsSource),
  },
  { $id: 'QualityMeasure', title: 'QualityMeasure', description: 'A published measure of the quality of care.' },
);
/** What a quality measure asks. */
export type QualityMeasure = Static<typeof QualityMeasure>;

/** What a quality measure found. */
export const QualityMeasureResult = Type.Object(
  {
    measure: ref(QualityMeasure),
    cohort_id: cohortId,
    period_starts_on: day({ description: 'First day of the twelve months looked at, UTC.' }),
    period_ends_on: day({ description: 'Last day of the twelve months looked at, UTC.' }),
    denominator: people('People looked at, without those left out.'),
    numerator: people('Those of them who fulfil the measure.'),
    excluded: people('People left out.'),
    rate: rate('Numerator by denominator, from 0 to 1.'),
    rate_interval: interval('Its 95 % interval (Wilson).'),
    ...answered,
  },
  { $id: 'QualityMeasureResult', title: 'QualityMeasureResult', description: 'What a quality measure found.' },
);
/** What a quality measure found. */
export type QualityMeasureResult = Static<typeof QualityMeasureResult>;

/** A quality measure in one period. */
export const QualityMeasurePoint = Type.Object(
  {
    ...period,
    denominator: people('People looked at, without those left out.'),
    numerator: people('Those of them who fulfil the measure.'),
    excluded: people('People left out.'),
    rate: rate('Numerator by denominator, from 0 to 1.'),
    rate_interval: interval('Its 95 % interval (Wilson).'),
    lower_limit: rate('Lower control limit of the period.'),
    upper_limit: rate('Upper control limit of the period.'),
    signals: Type.Array(oneOf(['beyond_limits', 'shift'], { description: 'What is hardly chance.' }), {
      maxItems: 2,
      description: 'What is to be noticed; empty where nothing is.',
    }),
  },
  { $id: 'QualityMeasurePoint', title: 'QualityMeasurePoint', description: 'A quality measure in one period.' },
);

/** A quality measure over time. */
export const QualityMeasureSeries = Type.Object(
  {
    measure: ref(QualityMeasure),
    cohort_id: cohortId,
    interval: oneOf(intervals, { description: 'Length of a period.' }),
    centre_line: rate('Rate of all periods together.'),
    definition: Type.String({ description: 'How the figures are worked out.' }),
    points: Type.Array(ref(QualityMeasurePoint), { maxItems: 36, description: 'Periods, oldest first.' }),
    ...answered,
  },
  { $id: 'QualityMeasureSeries', title: 'QualityMeasureSeries', description: 'A quality measure over time.' },
);
/** A quality measure over time. */
export type QualityMeasureSeries = Static<typeof QualityMeasureSeries>;

function statistic(description: string): Type.TUnsafe<number | null> {
  return Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: `${description} Three significant digits; null when the month is suppressed.`,
  });
}

/** The values of one month. */
export const TrendPoint = Type.Object(
  {
    month: month('The month, UTC.'),
    people: people('People of whom a value was measured.'),
    mean: statistic('Mean of each person’s mean.'),
    p25: statistic('A quarter of the people lie below.'),
    median: statistic('Half of the people lie below.'),
    p75: statistic('Three quarters of the people lie below.'),
  },
  { $id: 'TrendPoint', title: 'TrendPoint', description: 'The values of an observation in one month.' },
);

/** An observation over time. */
export const ObservationTrend = Type.Object(
  {
    system: Type.String({ description: 'Address of the code system.', examples: ['http://loinc.org'] }),
    code: Type.String({ description: 'The observation.', examples: ['4548-4'] }),
    unit: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'UCUM unit of the values; values in other units are left out. Null when there are no values.',
    }),
    points: Type.Array(ref(TrendPoint), { maxItems: 120, description: 'Months, oldest first.' }),
    ...answered,
  },
  { $id: 'ObservationTrend', title: 'ObservationTrend', description: 'The values of an observation by month.' },
);
/** An observation over time. */
export type ObservationTrend = Static<typeof ObservationTrend>;

/** Every resource of this file. */
export const analyticsResources = {
  ConfidenceInterval,
  DisclosureControl,
  AnalyticsSource,
  AgeBandCount,
  SexCount,
  PopulationGroup,
  ConditionCount,
  PopulationSummary,
  PrevalencePoint,
  IncidencePoint,
  PrevalenceSeries,
  IncidenceSeries,
  RiskGroup,
  RiskComponent,
  RiskStratification,
  QualityMeasure,
  QualityMeasureResult,
  QualityMeasurePoint,
  QualityMeasureSeries,
  TrendPoint,
  ObservationTrend,
} as const;
