/** Findings of a woman's body. */
const FEMALE_ONLY = new Set([
  'heavy_periods',
  'irregular_periods',
  'missed_period',
  'painful_periods',
  'vaginal_bleeding',
  'vaginal_discharge',
  'menopause',
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
/** Habits that, told of a small child, are somebody else's. */
const OF_ADULTS = new Set(['smoking', 'heavy_alcohol', 'drinking_problem', 'sexually_active']);
const CHILDBEARING_FROM_YEARS = 9;
const ADULT_HABITS_FROM_YEARS = 9;

/**
 * Whether a finding can be the patient's own. In the record of a child the pregnancy is the mother's; in a man's the
 * periods are somebody else's.
 * @param ageYears completed years, or undefined where unknown.
 */
export function isApplicable(
  finding: string,
  ageYears: number | undefined,
  sex: 'female' | 'male' | undefined,
): boolean {
  if (sex === 'male' && (FEMALE_ONLY.has(finding) || OF_PREGNANCY.has(finding))) return false;
  if (sex === 'female' && MALE_ONLY.has(finding)) return false;
  if (ageYears === undefined) return true;
  if (ageYears < CHILDBEARING_FROM_YEARS && OF_PREGNANCY.has(finding)) return false;
  return !(ageYears < ADULT_HABITS_FROM_YEARS && OF_ADULTS.has(finding));
}
