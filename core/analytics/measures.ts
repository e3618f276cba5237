import type { QualityMeasure } from '@perennial/schemas/resources/analytics.ts';

/** What fulfils a measure, in the twelve months looked at. */
export type Numerator =
  /** There is an observation with one of these LOINC codes. */
  | { readonly kind: 'measured'; readonly codes: readonly string[] }
  /** The latest HbA1c is above this many percent (NGSP), or there is none. */
  | { readonly kind: 'hba1c_above_or_missing'; readonly codes: readonly string[]; readonly percent: number }
  /** The latest blood pressure is below both, in mmHg. */
  | { readonly kind: 'pressure_below'; readonly systolic: number; readonly diastolic: number }
  /** A medicine whose ATC code begins like one of these was taken. */
  | { readonly kind: 'medication'; readonly atc: readonly string[] };

/** A quality measure and how it is worked out. */
export interface Measure extends QualityMeasure {
  /** Years of age reached in the calendar year in which the period ends. */
  readonly ages: readonly [min: number, max: number];
  /** Beginnings of the ICD-10 codes of which one must be active. */
  readonly conditions: readonly string[];
  /** Beginnings of the ICD-10 codes that leave somebody out. */
  readonly excluded: readonly string[];
  readonly fulfilled: Numerator;
}

const hba1c = ['4548-4', '17856-6', '59261-8'] as const;
const diabetes = ['E10', 'E11', 'E13', 'E14'] as const;
const hedis = 'National Committee for Quality Assurance (NCQA), HEDIS';

/** The measures, by id. Adapted to what the records hold: admissions, claims and enrolment are not known here. */
export const measures: readonly Measure[] = [
  {
    id: 'coronary_disease_statin',
    title: 'Statin therapy for people with coronary heart disease',
    denominator: 'People of 40 to 75 years with active ischaemic heart disease (ICD-10 I20-I25).',
    numerator: 'Took a statin (ATC C10AA or a combination C10BA, C10BX) within the twelve months.',
    exclusions:
      'Pregnancy (O00-O99), end-stage renal disease (N18.5, N18.6, Z99.2), cirrhosis (K70.3, K74), myopathy (G72, M60, M62.8) and palliative care (Z51.5).',
    better: 'higher',
    source: {
      title: 'Statin Therapy for Patients With Cardiovascular Disease (SPC)',
      publisher: hedis,
      year: 2023,
      url: 'https://www.ncqa.org/hedis/measures/statin-therapy-for-patients-with-cardiovascular-disease-and-diabetes/',
    },
    ages: [40, 75],
    conditions: ['I20', 'I21', 'I22', 'I23', 'I24', 'I25'],
    excluded: ['O', 'N18.5', 'N18.6', 'Z99.2', 'K70.3', 'K74', 'G72', 'M60', 'M62.8', 'Z51.5'],
    fulfilled: { kind: 'medication', atc: ['C10AA', 'C10BA', 'C10BX'] },
  },
  {
    id: 'diabetes_hba1c_poor_control',
    title: 'Poor control of blood sugar in people with diabetes',
    denominator: 'People of 18 to 75 years with active diabetes (ICD-10 E10, E11, E13, E14).',
    numerator:
      'The latest HbA1c (LOINC 4548-4, 17856-6, 59261-8) of the twelve months is above 9.0 %, or there is none.',
    exclusions: 'Palliative care (ICD-10 Z51.5).',
    better: 'lower',
    source: {
      title: 'Hemoglobin A1c Control for Patients With Diabetes (HBD): poor control, above 9.0 % (NQF 0059)',
      publisher: hedis,
      year: 2023,
      url: 'https://www.ncqa.org/hedis/measures/glycemic-status-assessment-for-patients-with-diabetes-gsd/',
    },
    ages: [18, 75],
    conditions: diabetes,
    excluded: ['Z51.5'],
    fulfilled: { kind: 'hba1c_above_or_missing', codes: hba1c, percent: 9 },
  },
  {
    id: 'diabetes_hba1c_tested',
    title: 'HbA1c measured in people with diabetes',
    denominator: 'People of 18 to 75 years with active diabetes (ICD-10 E10, E11, E13, E14).',
    numerator: 'HbA1c (LOINC 4548-4, 17856-6, 59261-8) was measured within the twelve months.',
    exclusions: 'Palliative care (ICD-10 Z51.5).',
    better: 'higher',
    source: {
      title: 'Comprehensive Diabetes Care (CDC): Hemoglobin A1c testing (NQF 0057)',
      publisher: hedis,
      year: 2021,
      url: 'https://www.ncqa.org/hedis/measures/comprehensive-diabetes-care/',
    },
    ages: [18, 75],
    conditions: diabetes,
    excluded: ['Z51.5'],
    fulfilled: { kind: 'measured', codes: hba1c },
  },
  {
    id: 'hypertension_controlled',
    title: 'Blood pressure controlled in people with hypertension',
    denominator: 'People of 18 to 85 years with active essential hypertension (ICD-10 I10).',
    numerator: 'The latest blood pressure of the twelve months (LOINC 85354-9) is below 140/90 mmHg.',
    exclusions:
      'Pregnancy (O00-O99), end-stage renal disease, dialysis or kidney transplant (N18.5, N18.6, Z99.2, Z94.0) and palliative care (Z51.5).',
    better: 'higher',
    source: {
      title: 'Controlling High Blood Pressure (CBP, NQF 0018)',
      publisher: hedis,
      year: 2023,
      url: 'https://www.ncqa.org/hedis/measures/controlling-high-blood-pressure/',
    },
    ages: [18, 85],
    conditions: ['I10'],
    excluded: ['O', 'N18.5', 'N18.6', 'Z99.2', 'Z94.0', 'Z51.5'],
    fulfilled: { kind: 'pressure_below', systolic: 140, diastolic: 90 },
  },
];

/** The measure as answered. */
export function toQualityMeasure(measure: Measure): QualityMeasure {
  const { id, title, denominator, numerator, exclusions, better, source } = measure;
  return { id, title, denominator, numerator, exclusions, better, source };
}
