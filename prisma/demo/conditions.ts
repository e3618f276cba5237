/** A measurement that is taken again and again in a condition. */
export type Series =
  | 'hba1c'
  | 'pressure'
  | 'ldl'
  | 'creatinine'
  | 'tsh'
  | 'haemoglobin'
  | 'urate'
  | 'peakFlow'
  | 'phq9'
  | 'psa';

export interface DemoMedication {
  /** WHO ATC code. */
  atc: string;
  name: string;
  dosage: string;
  route?: 'oral' | 'inhaled' | 'subcutaneous' | 'topical' | 'nasal' | 'ophthalmic';
}

export interface DemoCondition {
  /** ICD-10. */
  code: string;
  name: string;
  /** Share of people who have it, as `[from age, share]` steps; before the first, nobody. */
  prevalence: readonly (readonly [number, number])[];
  sex?: 'female' | 'male';
  /** Over within weeks; found as resolved more often than not. */
  acute?: boolean;
  medications: readonly DemoMedication[];
  series?: readonly Series[];
  note?: string;
}

const oral = (atc: string, name: string, dosage: string): DemoMedication => ({ atc, name, dosage, route: 'oral' });

/** Common conditions, who has them, and what is prescribed and measured for them. Shares are rough, for a plausible list. */
export const CONDITIONS: readonly DemoCondition[] = [
  {
    code: 'I10',
    name: 'Essential (primary) hypertension',
    prevalence: [
      [25, 0.04],
      [40, 0.22],
      [55, 0.45],
      [70, 0.62],
    ],
    medications: [
      oral('C08CA01', 'Amlodipine', '5 mg once daily'),
      oral('C09AA05', 'Ramipril', '5 mg once daily'),
      oral('C09CA01', 'Losartan', '50 mg once daily'),
      oral('C03BA11', 'Indapamide', '2.5 mg once daily'),
    ],
    series: ['pressure', 'creatinine'],
    note: 'Home readings discussed. Advised on salt and exercise; tolerates treatment.',
  },
  {
    code: 'E11.9',
    name: 'Type 2 diabetes mellitus without complications',
    prevalence: [
      [30, 0.02],
      [45, 0.09],
      [60, 0.18],
      [75, 0.2],
    ],
    medications: [
      oral('A10BA02', 'Metformin', '500 mg twice daily'),
      oral('A10BB09', 'Gliclazide', '40 mg once daily'),
      oral('A10BK03', 'Empagliflozin', '10 mg once daily'),
    ],
    series: ['hba1c', 'pressure', 'creatinine'],
    note: 'Annual diabetes review. Feet examined, sensation intact. Retinal screening up to date.',
  },
  {
    code: 'E10.9',
    name: 'Type 1 diabetes mellitus without complications',
    prevalence: [
      [6, 0.005],
      [18, 0.008],
      [60, 0.003],
    ],
    medications: [
      { atc: 'A10AE04', name: 'Insulin glargine', dosage: '14 units at night', route: 'subcutaneous' },
      { atc: 'A10AB05', name: 'Insulin aspart', dosage: 'with meals, by carbohydrate count', route: 'subcutaneous' },
    ],
    series: ['hba1c'],
    note: 'Hypoglycaemia awareness good. Sick-day rules gone through.',
  },
  {
    code: 'E78.5',
    name: 'Hyperlipidaemia, unspecified',
    prevalence: [
      [35, 0.08],
      [50, 0.25],
      [65, 0.38],
    ],
    medications: [
      oral('C10AA05', 'Atorvastatin', '20 mg once daily'),
      oral('C10AA01', 'Simvastatin', '40 mg at night'),
    ],
    series: ['ldl'],
  },
  {
    code: 'J45.9',
    name: 'Asthma, unspecified',
    prevalence: [
      [3, 0.09],
      [18, 0.08],
      [65, 0.06],
    ],
    medications: [
      { atc: 'R03AC02', name: 'Salbutamol', dosage: '100 microgram, two puffs as needed', route: 'inhaled' },
      { atc: 'R03BA02', name: 'Budesonide', dosage: '200 microgram twice daily', route: 'inhaled' },
    ],
    series: ['peakFlow'],
    note: 'Inhaler technique checked and corrected. Written action plan given.',
  },
  {
    code: 'J44.9',
    name: 'Chronic obstructive pulmonary disease, unspecified',
    prevalence: [
      [45, 0.03],
      [60, 0.09],
      [75, 0.11],
    ],
    medications: [
      { atc: 'R03BB04', name: 'Tiotropium bromide', dosage: '18 microgram once daily', route: 'inhaled' },
      { atc: 'R03AC02', name: 'Salbutamol', dosage: '100 microgram, two puffs as needed', route: 'inhaled' },
    ],
    series: ['peakFlow'],
    note: 'Breathless on hills only. Offered help to stop smoking; vaccinated against influenza.',
  },
  {
    code: 'F32.1',
    name: 'Moderate depressive episode',
    prevalence: [
      [16, 0.06],
      [25, 0.08],
      [65, 0.05],
    ],
    medications: [oral('N06AB06', 'Sertraline', '50 mg once daily'), oral('N06AB03', 'Fluoxetine', '20 mg once daily')],
    series: ['phq9'],
    note: 'Sleep and appetite improving. No thoughts of self-harm. Continues talking therapy.',
  },
  {
    code: 'F41.1',
    name: 'Generalized anxiety disorder',
    prevalence: [
      [16, 0.05],
      [30, 0.06],
      [65, 0.03],
    ],
    medications: [oral('N06AB04', 'Citalopram', '20 mg once daily')],
  },
  {
    code: 'E03.9',
    name: 'Hypothyroidism, unspecified',
    prevalence: [
      [20, 0.02],
      [40, 0.04],
      [60, 0.07],
    ],
    medications: [oral('H03AA01', 'Levothyroxine sodium', '75 microgram once daily')],
    series: ['tsh'],
  },
  {
    code: 'M17.9',
    name: 'Gonarthrosis, unspecified',
    prevalence: [
      [45, 0.06],
      [60, 0.18],
      [75, 0.28],
    ],
    medications: [
      oral('N02BE01', 'Paracetamol', '1 g up to four times daily'),
      { atc: 'M02AA15', name: 'Diclofenac', dosage: '1% gel three times daily', route: 'topical' },
    ],
    note: 'Knee pain on stairs. Quadriceps exercises shown; physiotherapy arranged.',
  },
  {
    code: 'M81.9',
    name: 'Osteoporosis, unspecified',
    prevalence: [
      [55, 0.08],
      [70, 0.2],
    ],
    sex: 'female',
    medications: [oral('M05BA04', 'Alendronic acid', '70 mg once weekly')],
  },
  {
    code: 'I48.9',
    name: 'Atrial fibrillation and atrial flutter, unspecified',
    prevalence: [
      [55, 0.02],
      [65, 0.06],
      [75, 0.12],
    ],
    medications: [oral('B01AF02', 'Apixaban', '5 mg twice daily'), oral('C07AB07', 'Bisoprolol', '2.5 mg once daily')],
    series: ['pressure', 'creatinine'],
    note: 'Pulse irregular, rate controlled. Stroke and bleeding risk reviewed; no bleeding.',
  },
  {
    code: 'I25.1',
    name: 'Atherosclerotic heart disease',
    prevalence: [
      [50, 0.04],
      [65, 0.11],
      [75, 0.16],
    ],
    medications: [
      oral('B01AC06', 'Acetylsalicylic acid', '75 mg once daily'),
      oral('C10AA05', 'Atorvastatin', '80 mg once daily'),
      oral('C07AB07', 'Bisoprolol', '5 mg once daily'),
    ],
    series: ['ldl', 'pressure'],
    note: 'No chest pain since last visit. Knows when to use the spray and when to call for help.',
  },
  {
    code: 'I50.9',
    name: 'Heart failure, unspecified',
    prevalence: [
      [60, 0.02],
      [75, 0.07],
    ],
    medications: [
      oral('C03CA01', 'Furosemide', '40 mg once daily'),
      oral('C09AA05', 'Ramipril', '5 mg twice daily'),
      oral('C07AB07', 'Bisoprolol', '5 mg once daily'),
    ],
    series: ['creatinine', 'pressure'],
    note: 'Weight stable, ankles not swollen. Daily weighing encouraged.',
  },
  {
    code: 'N18.3',
    name: 'Chronic kidney disease, stage 3',
    prevalence: [
      [55, 0.03],
      [70, 0.12],
    ],
    medications: [oral('C09CA01', 'Losartan', '50 mg once daily')],
    series: ['creatinine', 'pressure'],
  },
  {
    code: 'G43.9',
    name: 'Migraine, unspecified',
    prevalence: [
      [14, 0.1],
      [50, 0.06],
      [65, 0.02],
    ],
    medications: [
      oral('N02CC01', 'Sumatriptan', '50 mg at onset'),
      oral('C07AA05', 'Propranolol', '40 mg twice daily'),
    ],
  },
  {
    code: 'L20.9',
    name: 'Atopic dermatitis, unspecified',
    prevalence: [
      [0, 0.14],
      [12, 0.07],
      [30, 0.03],
    ],
    medications: [{ atc: 'D07AA02', name: 'Hydrocortisone', dosage: '1% cream once daily', route: 'topical' }],
  },
  {
    code: 'J30.4',
    name: 'Allergic rhinitis, unspecified',
    prevalence: [
      [5, 0.12],
      [40, 0.08],
    ],
    medications: [
      oral('R06AE07', 'Cetirizine', '10 mg once daily'),
      { atc: 'R01AD09', name: 'Mometasone', dosage: '50 microgram, two sprays once daily', route: 'nasal' },
    ],
  },
  {
    code: 'K21.9',
    name: 'Gastro-oesophageal reflux disease without oesophagitis',
    prevalence: [
      [25, 0.06],
      [50, 0.13],
    ],
    medications: [oral('A02BC01', 'Omeprazole', '20 mg once daily')],
  },
  {
    code: 'D50.9',
    name: 'Iron deficiency anaemia, unspecified',
    prevalence: [
      [14, 0.08],
      [50, 0.02],
    ],
    sex: 'female',
    medications: [oral('B03AA07', 'Ferrous sulfate', '200 mg once daily')],
    series: ['haemoglobin'],
  },
  {
    code: 'N40',
    name: 'Hyperplasia of prostate',
    prevalence: [
      [55, 0.15],
      [70, 0.3],
    ],
    sex: 'male',
    medications: [
      oral('G04CA02', 'Tamsulosin', '400 microgram once daily'),
      oral('G04CB01', 'Finasteride', '5 mg once daily'),
    ],
    series: ['psa'],
  },
  {
    code: 'C61',
    name: 'Malignant neoplasm of prostate',
    prevalence: [
      [60, 0.03],
      [75, 0.07],
    ],
    sex: 'male',
    medications: [{ atc: 'L02AE03', name: 'Goserelin', dosage: '10.8 mg every 12 weeks', route: 'subcutaneous' }],
    series: ['psa'],
  },
  {
    code: 'C50.9',
    name: 'Malignant neoplasm of breast, unspecified',
    prevalence: [
      [45, 0.02],
      [60, 0.05],
    ],
    sex: 'female',
    medications: [oral('L02BG03', 'Anastrozole', '1 mg once daily')],
    note: 'Oncology letter received; continues treatment, tolerating well.',
  },
  {
    code: 'N80.9',
    name: 'Endometriosis, unspecified',
    prevalence: [
      [18, 0.05],
      [48, 0.01],
    ],
    sex: 'female',
    medications: [oral('G03DB08', 'Dienogest', '2 mg once daily')],
  },
  {
    code: 'E28.2',
    name: 'Polycystic ovarian syndrome',
    prevalence: [
      [16, 0.06],
      [45, 0.01],
    ],
    sex: 'female',
    medications: [oral('A10BA02', 'Metformin', '500 mg twice daily')],
  },
  {
    code: 'G40.9',
    name: 'Epilepsy, unspecified',
    prevalence: [[4, 0.01]],
    medications: [
      oral('N03AX09', 'Lamotrigine', '100 mg twice daily'),
      oral('N03AX14', 'Levetiracetam', '500 mg twice daily'),
    ],
  },
  {
    code: 'M06.9',
    name: 'Rheumatoid arthritis, unspecified',
    prevalence: [
      [30, 0.01],
      [50, 0.02],
    ],
    medications: [
      oral('L04AX03', 'Methotrexate', '15 mg once weekly'),
      oral('B03BB01', 'Folic acid', '5 mg once weekly'),
    ],
    series: ['haemoglobin'],
  },
  {
    code: 'M10.9',
    name: 'Gout, unspecified',
    prevalence: [
      [40, 0.03],
      [60, 0.06],
    ],
    medications: [oral('M04AA01', 'Allopurinol', '100 mg once daily')],
    series: ['urate'],
  },
  {
    code: 'L40.0',
    name: 'Psoriasis vulgaris',
    prevalence: [[18, 0.025]],
    medications: [{ atc: 'D05AX52', name: 'Calcipotriol, combinations', dosage: 'once daily', route: 'topical' }],
  },
  {
    code: 'H40.1',
    name: 'Primary open-angle glaucoma',
    prevalence: [
      [50, 0.02],
      [70, 0.06],
    ],
    medications: [{ atc: 'S01EE01', name: 'Latanoprost', dosage: '1 drop at night', route: 'ophthalmic' }],
  },
  {
    code: 'G30.9',
    name: "Alzheimer's disease, unspecified",
    prevalence: [
      [68, 0.02],
      [80, 0.14],
    ],
    medications: [oral('N06DA02', 'Donepezil', '10 mg at night')],
    note: 'Seen with a family member. Memory slowly declining; carer offered support.',
  },
  {
    code: 'G20',
    name: "Parkinson's disease",
    prevalence: [
      [60, 0.008],
      [75, 0.02],
    ],
    medications: [oral('N04BA02', 'Levodopa and decarboxylase inhibitor', '100/25 mg three times daily')],
  },
  {
    code: 'F90.0',
    name: 'Disturbance of activity and attention',
    prevalence: [
      [7, 0.06],
      [18, 0.025],
      [45, 0],
    ],
    medications: [oral('N06BA04', 'Methylphenidate', '18 mg once daily')],
  },
  {
    code: 'K90.0',
    name: 'Coeliac disease',
    prevalence: [[3, 0.01]],
    medications: [],
    series: ['haemoglobin'],
  },
  {
    code: 'L70.0',
    name: 'Acne vulgaris',
    prevalence: [
      [13, 0.2],
      [22, 0.05],
      [35, 0],
    ],
    medications: [{ atc: 'D10AD03', name: 'Adapalene', dosage: '0.1% gel at night', route: 'topical' }],
  },
  {
    code: 'H66.9',
    name: 'Otitis media, unspecified',
    prevalence: [
      [1, 0.3],
      [8, 0.05],
      [15, 0],
    ],
    acute: true,
    medications: [oral('J01CA04', 'Amoxicillin', '250 mg three times daily for 5 days')],
  },
  {
    code: 'J06.9',
    name: 'Acute upper respiratory infection, unspecified',
    prevalence: [
      [0, 0.28],
      [12, 0.15],
    ],
    acute: true,
    medications: [oral('N02BE01', 'Paracetamol', 'by weight, as needed')],
  },
  {
    code: 'N39.0',
    name: 'Urinary tract infection, site not specified',
    prevalence: [
      [16, 0.12],
      [70, 0.16],
    ],
    sex: 'female',
    acute: true,
    medications: [oral('J01XE01', 'Nitrofurantoin', '100 mg twice daily for 3 days')],
  },
  {
    code: 'M54.5',
    name: 'Low back pain',
    prevalence: [
      [18, 0.14],
      [40, 0.2],
    ],
    acute: true,
    medications: [oral('M01AE02', 'Naproxen', '500 mg twice daily for 7 days')],
  },
];

/** The share of people of this age who have the condition. */
export function prevalenceAt(condition: DemoCondition, age: number): number {
  let share = 0;
  for (const [from, value] of condition.prevalence) if (age >= from) share = value;
  return share;
}
