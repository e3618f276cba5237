import type { AnalyticsSource } from '@perennial/schemas/resources/analytics.ts';

/*
 * The Charlson comorbidity index: the weights of Charlson 1987, the ICD-10 codes of Quan 2005, table 1. A code of three
 * or four characters stands for all longer ones that begin with it.
 */

/** A disease group of the index. */
export interface Comorbidity {
  readonly id: string;
  readonly title: string;
  readonly weight: number;
  /** Beginnings of ICD-10 codes, without the dot. `I60-I69` is a range of categories, `I425-I429` one of subcategories. */
  readonly codes: readonly string[];
  /** Does not count beside this one, of which it is the milder form. */
  readonly unless?: string;
}

const diabetes = (digits: readonly number[]): readonly string[] =>
  ['E10', 'E11', 'E12', 'E13', 'E14'].flatMap((category) => digits.map((digit) => `${category}${digit}`));

/** The seventeen disease groups. */
export const comorbidities: readonly Comorbidity[] = [
  { id: 'myocardial_infarction', title: 'Myocardial infarction', weight: 1, codes: ['I21', 'I22', 'I252'] },
  {
    id: 'congestive_heart_failure',
    title: 'Congestive heart failure',
    weight: 1,
    codes: ['I099', 'I110', 'I130', 'I132', 'I255', 'I420', 'I425-I429', 'I43', 'I50', 'P290'],
  },
  {
    id: 'peripheral_vascular_disease',
    title: 'Peripheral vascular disease',
    weight: 1,
    codes: ['I70', 'I71', 'I731', 'I738', 'I739', 'I771', 'I790', 'I792', 'K551', 'K558', 'K559', 'Z958', 'Z959'],
  },
  {
    id: 'cerebrovascular_disease',
    title: 'Cerebrovascular disease',
    weight: 1,
    codes: ['G45', 'G46', 'H340', 'I60-I69'],
  },
  { id: 'dementia', title: 'Dementia', weight: 1, codes: ['F00-F03', 'F051', 'G30', 'G311'] },
  {
    id: 'chronic_pulmonary_disease',
    title: 'Chronic pulmonary disease',
    weight: 1,
    codes: ['I278', 'I279', 'J40-J47', 'J60-J67', 'J684', 'J701', 'J703'],
  },
  {
    id: 'rheumatic_disease',
    title: 'Rheumatic disease',
    weight: 1,
    codes: ['M05', 'M06', 'M315', 'M32-M34', 'M351', 'M353', 'M360'],
  },
  { id: 'peptic_ulcer_disease', title: 'Peptic ulcer disease', weight: 1, codes: ['K25-K28'] },
  {
    id: 'mild_liver_disease',
    title: 'Mild liver disease',
    weight: 1,
    unless: 'moderate_or_severe_liver_disease',
    codes: ['B18', 'K700-K703', 'K709', 'K713-K715', 'K717', 'K73', 'K74', 'K760', 'K762-K764', 'K768', 'K769', 'Z944'],
  },
  {
    id: 'diabetes_without_complication',
    title: 'Diabetes without chronic complication',
    weight: 1,
    unless: 'diabetes_with_complication',
    codes: diabetes([0, 1, 6, 8, 9]),
  },
  {
    id: 'diabetes_with_complication',
    title: 'Diabetes with chronic complication',
    weight: 2,
    codes: diabetes([2, 3, 4, 5, 7]),
  },
  {
    id: 'hemiplegia_or_paraplegia',
    title: 'Hemiplegia or paraplegia',
    weight: 2,
    codes: ['G041', 'G114', 'G801', 'G802', 'G81', 'G82', 'G830-G834', 'G839'],
  },
  {
    id: 'renal_disease',
    title: 'Renal disease',
    weight: 2,
    codes: ['I120', 'I131', 'N032-N037', 'N052-N057', 'N18', 'N19', 'N250', 'Z490-Z492', 'Z940', 'Z992'],
  },
  {
    id: 'malignancy',
    title: 'Any malignancy, including lymphoma and leukemia, except malignant neoplasm of skin',
    weight: 2,
    unless: 'metastatic_solid_tumor',
    codes: ['C00-C26', 'C30-C34', 'C37-C41', 'C43', 'C45-C58', 'C60-C76', 'C81-C85', 'C88', 'C90-C97'],
  },
  {
    id: 'moderate_or_severe_liver_disease',
    title: 'Moderate or severe liver disease',
    weight: 3,
    codes: ['I850', 'I859', 'I864', 'I982', 'K704', 'K711', 'K721', 'K729', 'K765-K767'],
  },
  { id: 'metastatic_solid_tumor', title: 'Metastatic solid tumor', weight: 6, codes: ['C77-C80'] },
  { id: 'aids_hiv', title: 'AIDS/HIV', weight: 6, codes: ['B20-B22', 'B24'] },
];

/** Groups of the score, lowest first. */
export const scoreGroups: readonly { readonly group: string; readonly min: number; readonly max: number | null }[] = [
  { group: '0', min: 0, max: 0 },
  { group: '1-2', min: 1, max: 2 },
  { group: '3-4', min: 3, max: 4 },
  { group: '5+', min: 5, max: null },
];

/** Where the index was published. */
export const charlsonSources: readonly AnalyticsSource[] = [
  {
    title: 'A new method of classifying prognostic comorbidity in longitudinal studies: development and validation',
    publisher: 'Charlson ME, Pompei P, Ales KL, MacKenzie CR. J Chronic Dis 40(5):373-383',
    year: 1987,
    url: 'https://doi.org/10.1016/0021-9681(87)90171-8',
  },
  {
    title: 'Coding algorithms for defining comorbidities in ICD-9-CM and ICD-10 administrative data',
    publisher: 'Quan H, Sundararajan V, Halfon P, et al. Med Care 43(11):1130-1139',
    year: 2005,
    url: 'https://doi.org/10.1097/01.mlr.0000182534.19832.83',
  },
];

/** Every beginning of a code with the bits of the groups it belongs to. */
export const comorbidityCodes: readonly (readonly [code: string, bits: number])[] = codeBits();

/** The groups that count in somebody of whose records these bits are the sum. */
export function countingComorbidities(bits: number): readonly Comorbidity[] {
  const found = comorbidities.filter((_, at) => (bits & (1 << at)) !== 0);
  return found.filter(({ unless }) => unless === undefined || !found.some(({ id }) => id === unless));
}

/** The score of somebody of whose records these bits are the sum. */
export function charlsonScore(bits: number): number {
  return countingComorbidities(bits).reduce((sum, { weight }) => sum + weight, 0);
}

function codeBits(): readonly (readonly [string, number])[] {
  const bits = new Map<string, number>();
  for (const [at, { codes }] of comorbidities.entries())
    for (const code of codes.flatMap(expand)) bits.set(code, (bits.get(code) ?? 0) | (1 << at));
  return [...bits];
}

function expand(range: string): readonly string[] {
  const [first, last] = range.split('-') as [string, string | undefined];
  if (last === undefined) return [first];
  const digits = first.length - 1;
  const from = Number(first.slice(1));
  return Array.from(
    { length: Number(last.slice(1)) - from + 1 },
    (_, at) => `${first[0]}${String(from + at).padStart(digits, '0')}`,
  );
}
