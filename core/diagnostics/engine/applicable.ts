import type { Condition, Finding } from '../../knowledge/types.ts';

/** Findings of a woman's body that conditions of both sexes list, so that the knowledge alone does not tell. */
const FEMALE_ONLY = new Set([
  'heavy_periods',
  'irregular_periods',
  'missed_period',
  'painful_periods',
  'vaginal_bleeding',
  'vaginal_discharge',
  'menopause',
  'oral_contraceptive',
  'iud',
  'reduced_fetal_movement',
  'no_fetal_movement',
]);
const MALE_ONLY = new Set(['testicular_pain', 'testicular_swelling', 'testicular_lump', 'erectile_dysfunction']);
const OF_PREGNANCY = new Set([
  'pregnant',
  'first_half_pregnancy',
  'second_half_pregnancy',
  'postpartum',
  'breastfeeding',
  'stopped_breastfeeding',
  'first_pregnancy',
  'many_births',
  'previous_cesarean',
  'positive_pregnancy_test',
]);
const CHILDBEARING_FROM_YEARS = 9;
const CHILDBEARING_TO_YEARS = 58;
/** Habits and troubles that, told of a small child, are somebody else's, by the age in years from which they count. */
const FROM_YEARS: Readonly<Record<string, number>> = {
  smoking: 9,
  heavy_alcohol: 9,
  drinking_problem: 9,
  sexually_active: 9,
  unprotected_sex: 9,
  anhedonia: 5,
  guilt_worthlessness: 5,
  insomnia: 3,
  menopause: 35,
};
/** What is a sign only in the young, by the age in years up to which it counts. */
const BELOW_YEARS: Readonly<Record<string, number>> = {
  newborn_age: 0.25,
  jaundice_newborn: 0.25,
  cord_stump_red: 0.5,
  newborn_spots: 0.5,
  grunting_newborn: 1,
  excess_crying_evening: 1,
  weak_cry: 2,
  sweating_feeding: 2,
  bulging_fontanelle: 2,
  poor_feeding: 4,
  teething_signs: 4,
  drawing_up_legs: 5,
  failure_to_thrive: 12,
  irritable_child: 12,
};

/** What the conditions that list a finding say of who can have it. */
export interface Bearers {
  female: boolean;
  male: boolean;
}

/** Share of the usual incidence below which a sex does not have a condition. */
const SEX_MIN = 0.02;
const LISTED_MIN = 0.02;
/** So few conditions say nothing of who can have a finding. */
const LISTING_MIN = 3;
const OF_WOMEN = 'gynaecology';

/**
 * Who can have each finding, by the conditions that list it: one that only conditions of women list is no man's.
 * What no condition lists may be anybody's.
 */
export function bearersOf(findings: readonly Finding[], conditions: readonly Condition[]): Map<string, Bearers> {
  const bearers = new Map<string, Bearers>();
  const listing = new Map<string, number>();
  for (const { findings: own, risk_factors, incidence } of conditions) {
    for (const { finding, p } of [...own, ...risk_factors]) {
      if (p < LISTED_MIN) continue;
      const known = bearers.get(finding) ?? { female: false, male: false };
      if (incidence.sex.female > SEX_MIN) known.female = true;
      if (incidence.sex.male > SEX_MIN) known.male = true;
      bearers.set(finding, known);
      listing.set(finding, (listing.get(finding) ?? 0) + 1);
    }
  }
  for (const { id, region } of findings) {
    const isTold = region === OF_WOMEN ? bearers.has(id) : (listing.get(id) ?? 0) >= LISTING_MIN;
    if (!isTold) bearers.set(id, { female: true, male: true });
  }
  for (const id of [...FEMALE_ONLY, ...OF_PREGNANCY]) bearers.set(id, { female: true, male: false });
  for (const id of MALE_ONLY) bearers.set(id, { female: false, male: true });
  return bearers;
}

/**
 * Whether a finding can be the patient's own. In the record of a child the pregnancy is the mother's; in a man's the
 * periods are somebody else's.
 * @param ageYears completed years, or undefined where unknown.
 */
export function isApplicable(
  finding: string,
  bearers: ReadonlyMap<string, Bearers>,
  ageYears: number | undefined,
  sex: 'female' | 'male' | undefined,
): boolean {
  if (sex !== undefined && bearers.get(finding)?.[sex] === false) return false;
  if (ageYears === undefined) return true;
  if (OF_PREGNANCY.has(finding) && (ageYears < CHILDBEARING_FROM_YEARS || ageYears > CHILDBEARING_TO_YEARS)) {
    // Children that were born stay a part of the history.
    return finding === 'many_births' || finding === 'previous_cesarean' ? ageYears >= CHILDBEARING_FROM_YEARS : false;
  }
  return ageYears >= (FROM_YEARS[finding] ?? 0) && ageYears < (BELOW_YEARS[finding] ?? Number.POSITIVE_INFINITY);
}
