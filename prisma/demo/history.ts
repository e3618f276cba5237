import type { Prisma } from '../client.ts';
import { CONDITIONS, type DemoCondition, prevalenceAt, type Series } from './conditions.ts';
import type { Random } from './random.ts';

/** The day on which the demo world stands still: the date the service itself is pinned to. */
export const DEMO_TODAY = new Date('2023-11-01T00:00:00Z');

const DAY_MS = 86_400_000;

/** Code systems, named by the addresses that HL7 gives them. */
const ICD10 = 'http://hl7.org/fhir/sid/icd-10';
const ICD10_CM = 'http://hl7.org/fhir/sid/icd-10-cm';
const ICD10_PCS = 'http://www.cms.gov/Medicare/Coding/ICD10';
const ATC = 'http://www.whocc.no/atc';
const LOINC = 'http://loinc.org';

/** An entry of a patient's history before it has an identifier. */
export interface DemoRecord {
  type: 'condition' | 'medication' | 'allergy' | 'observation' | 'procedure' | 'note';
  status: string;
  code: Prisma.InputJsonObject | null;
  content: Prisma.InputJsonObject;
  effectiveAt: Date;
  author: string;
}

interface Person {
  dob: Date;
  sex: string;
  /** Conditions the person certainly has, by ICD-10 code. */
  sure?: readonly string[];
}

const AUTHORS = [
  'Dr. N. Achterberg',
  'Dr. R. Solano',
  'Dr. H. Iwasaki',
  'Dr. P. Okonjo',
  'Nurse T. Lindgren',
  'Nurse A. Rahimi',
];

/** What each series measures. Values are text, because the digits a laboratory prints have a meaning. */
const MEASURES: Record<
  Exclude<Series, 'pressure'>,
  { loinc: string; name: string; unit: string; digits: number; start: number; settled: number; spread: number }
> = {
  hba1c: {
    loinc: '4548-4',
    name: 'Hemoglobin A1c/Hemoglobin.total in Blood',
    unit: '%',
    digits: 1,
    start: 8.6,
    settled: 7,
    spread: 0.35,
  },
  ldl: {
    loinc: '13457-7',
    name: 'Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation',
    unit: 'mg/dL',
    digits: 0,
    start: 164,
    settled: 96,
    spread: 11,
  },
  creatinine: {
    loinc: '2160-0',
    name: 'Creatinine [Mass/volume] in Serum or Plasma',
    unit: 'mg/dL',
    digits: 2,
    start: 0.95,
    settled: 1.02,
    spread: 0.14,
  },
  tsh: {
    loinc: '3016-3',
    name: 'Thyrotropin [Units/volume] in Serum or Plasma',
    unit: 'm[IU]/L',
    digits: 2,
    start: 9.4,
    settled: 2.3,
    spread: 0.7,
  },
  haemoglobin: {
    loinc: '718-7',
    name: 'Hemoglobin [Mass/volume] in Blood',
    unit: 'g/dL',
    digits: 1,
    start: 10.3,
    settled: 12.8,
    spread: 0.5,
  },
  urate: {
    loinc: '3084-1',
    name: 'Urate [Mass/volume] in Serum or Plasma',
    unit: 'mg/dL',
    digits: 1,
    start: 8.9,
    settled: 5.7,
    spread: 0.5,
  },
  peakFlow: {
    loinc: '33452-4',
    name: 'Maximum expiratory gas flow Respiratory system airway by Peak flow meter',
    unit: 'L/min',
    digits: 0,
    start: 310,
    settled: 390,
    spread: 25,
  },
  phq9: {
    loinc: '44261-6',
    name: 'Patient Health Questionnaire 9 item (PHQ-9) total score',
    unit: '{score}',
    digits: 0,
    start: 16,
    settled: 6,
    spread: 2,
  },
  psa: {
    loinc: '2857-1',
    name: 'Prostate specific Ag [Mass/volume] in Serum or Plasma',
    unit: 'ng/mL',
    digits: 1,
    start: 4.8,
    settled: 3.1,
    spread: 0.8,
  },
};

const ALLERGIES = [
  { code: 'Z88.0', name: 'Allergy status to penicillin', substance: 'Penicillin', reaction: 'Urticaria', drug: true },
  { code: 'Z88.2', name: 'Allergy status to sulfonamides', substance: 'Sulfonamides', reaction: 'Rash', drug: true },
  {
    code: 'Z88.6',
    name: 'Allergy status to analgesic agent',
    substance: 'Ibuprofen',
    reaction: 'Angioedema',
    drug: true,
  },
  { code: 'Z91.010', name: 'Allergy to peanuts', substance: 'Peanut', reaction: 'Anaphylaxis', drug: false },
  { code: 'Z91.012', name: 'Allergy to eggs', substance: 'Egg', reaction: 'Vomiting', drug: false },
  { code: 'Z91.013', name: 'Allergy to seafood', substance: 'Shellfish', reaction: 'Urticaria', drug: false },
  { code: 'Z91.030', name: 'Bee allergy status', substance: 'Bee venom', reaction: 'Local swelling', drug: false },
  { code: 'Z91.040', name: 'Latex allergy status', substance: 'Latex', reaction: 'Contact dermatitis', drug: false },
] as const;

const PROCEDURES: readonly { code: string; name: string; from: number; share: number; sex?: string; needs?: string }[] =
  [
    { code: '0DTJ4ZZ', name: 'Resection of Appendix, Percutaneous Endoscopic Approach', from: 10, share: 0.05 },
    { code: '0CTPXZZ', name: 'Resection of Tonsils, External Approach', from: 6, share: 0.05 },
    { code: '0FT44ZZ', name: 'Resection of Gallbladder, Percutaneous Endoscopic Approach', from: 35, share: 0.06 },
    {
      code: '10D00Z1',
      name: 'Extraction of Products of Conception, Low, Open Approach',
      from: 22,
      share: 0.1,
      sex: 'female',
    },
    {
      code: '0DJD8ZZ',
      name: 'Inspection of Lower Intestinal Tract, Via Natural or Artificial Opening Endoscopic',
      from: 50,
      share: 0.25,
    },
    {
      code: '08RJ3JZ',
      name: 'Replacement of Right Lens with Synthetic Substitute, Percutaneous Approach',
      from: 65,
      share: 0.2,
    },
    {
      code: '0SRC0J9',
      name: 'Replacement of Right Knee Joint with Synthetic Substitute, Cemented, Open Approach',
      from: 60,
      share: 0.35,
      needs: 'M17.9',
    },
    {
      code: '027034Z',
      name: 'Dilation of Coronary Artery, One Artery with Drug-eluting Intraluminal Device, Percutaneous Approach',
      from: 50,
      share: 0.55,
      needs: 'I25.1',
    },
    { code: '0HTT0ZZ', name: 'Resection of Right Breast, Open Approach', from: 40, share: 0.5, needs: 'C50.9' },
  ];

/** A person's medical history: what age and sex make likely, each piece following from the ones before it. */
export function drawHistory(random: Random, person: Person): DemoRecord[] {
  const age = ageAt(person.dob, DEMO_TODAY);
  const records: DemoRecord[] = [];
  const author = random.pick(AUTHORS);
  const avoided = drawAllergies(random, person, author, records);
  const conditions = CONDITIONS.filter((condition) => has(random, condition, person, age));
  const series = new Map<Series, Date>();
  const prescribed = new Set<string>();
  for (const condition of conditions) {
    const onset = drawOnset(random, condition, person, age);
    const resolved = condition.acute === true && onset.getTime() < DEMO_TODAY.getTime() - 30 * DAY_MS;
    records.push({
      type: 'condition',
      status: resolved ? 'resolved' : 'active',
      code: { system: ICD10, code: condition.code, display: condition.name },
      content: { onset: dayOf(onset), verification: 'confirmed' },
      effectiveAt: onset,
      author,
    });
    const count = condition.acute === true ? 1 : random.between(1, Math.max(1, condition.medications.length));
    for (const [index, medication] of condition.medications.slice(0, count).entries()) {
      const group = drugGroup(medication.atc);
      if (prescribed.has(group) || avoided.some((prefix) => medication.atc.startsWith(prefix))) continue;
      prescribed.add(group);
      // The second drug is added when the first was not enough.
      const began = earlier(addDays(onset, index * random.between(60, 400)), addDays(DEMO_TODAY, -1));
      records.push({
        type: 'medication',
        status: resolved ? 'completed' : 'active',
        code: { system: ATC, code: medication.atc, display: medication.name },
        content: {
          dosage: medication.dosage,
          route: medication.route ?? 'oral',
          indication: { system: ICD10, code: condition.code, display: condition.name },
        },
        effectiveAt: began,
        author,
      });
    }
    for (const each of condition.series ?? []) {
      const known = series.get(each);
      if (known === undefined || onset < known) series.set(each, onset);
    }
    if (condition.note !== undefined && random.chance(0.7)) {
      records.push({
        type: 'note',
        status: 'final',
        code: null,
        content: { text: condition.note },
        effectiveAt: between(random, onset, DEMO_TODAY),
        author: random.pick(AUTHORS),
      });
    }
  }
  drawBody(random, person, age, author, records);
  for (const [each, since] of series) drawSeries(random, each, since, author, records);
  drawProcedures(random, person, age, new Set(conditions.map(({ code }) => code)), author, records);
  return records.sort((one, other) => one.effectiveAt.getTime() - other.effectiveAt.getTime());
}

/** Full years between two days. */
export function ageAt(dob: Date, day: Date): number {
  const years = day.getUTCFullYear() - dob.getUTCFullYear();
  const before =
    day.getUTCMonth() < dob.getUTCMonth() ||
    (day.getUTCMonth() === dob.getUTCMonth() && day.getUTCDate() < dob.getUTCDate());
  return before ? years - 1 : years;
}

function has(random: Random, condition: DemoCondition, person: Person, age: number): boolean {
  // Drawn first, so that a person's later draws do not hang on which conditions were certain.
  const drawn = random.chance(prevalenceAt(condition, age));
  if (condition.sex !== undefined && condition.sex !== person.sex) return false;
  // One kind of diabetes is enough.
  if (condition.code === 'E10.9' && age >= 40) return false;
  return drawn || person.sure?.includes(condition.code) === true;
}

function drawOnset(random: Random, condition: DemoCondition, person: Person, age: number): Date {
  const first = condition.prevalence.find(([, share]) => share > 0)?.[0] ?? 0;
  const years =
    condition.acute === true ? random.next() * 1.5 : random.next() * Math.min(12, Math.max(0.3, age - first));
  return later(addDays(DEMO_TODAY, -Math.round(years * 365) - 1), addDays(person.dob, 30));
}

/** Drugs of one group are not taken together: two statins, or an ACE inhibitor beside a sartan. */
function drugGroup(atc: string): string {
  return atc.startsWith('C09') ? 'C09' : atc.slice(0, 5);
}

/** Returns the ATC groups that must be avoided. */
function drawAllergies(random: Random, person: Person, author: string, records: DemoRecord[]): string[] {
  const avoided: string[] = [];
  for (const allergy of ALLERGIES) {
    if (!random.chance(allergy.code === 'Z88.0' ? 0.08 : 0.02)) continue;
    if (allergy.code === 'Z88.0') avoided.push('J01C');
    if (allergy.code === 'Z88.6') avoided.push('M01A', 'M02A');
    records.push({
      type: 'allergy',
      status: 'active',
      code: { system: ICD10_CM, code: allergy.code, display: allergy.name },
      content: {
        substance: allergy.substance,
        category: allergy.drug ? 'medication' : allergy.code.startsWith('Z91.01') ? 'food' : 'environment',
        reaction: allergy.reaction,
        severity: allergy.reaction === 'Anaphylaxis' ? 'severe' : random.pick(['mild', 'moderate']),
      },
      effectiveAt: between(random, person.dob, DEMO_TODAY),
      author,
    });
  }
  return avoided;
}

/** Height and weight, as every practice measures them. */
function drawBody(random: Random, person: Person, age: number, author: string, records: DemoRecord[]): void {
  const adult = person.sex === 'male' ? 176 : person.sex === 'female' ? 163 : 169;
  const share = age >= 18 ? 1 : 0.3 + 0.7 * Math.sqrt(age / 18);
  const heightCm = (adult + random.normal(0, 6)) * share;
  const index = age >= 18 ? random.normal(26, 4) : 15.5 + age * 0.3 + random.normal(0, 1.2);
  const weightKg = Math.max(3, index * (heightCm / 100) ** 2);
  const at = between(random, later(addDays(DEMO_TODAY, -500), person.dob), DEMO_TODAY);
  records.push(
    observation('8302-2', 'Body height', { value: heightCm.toFixed(1), unit: 'cm' }, at, author),
    observation('29463-7', 'Body weight', { value: weightKg.toFixed(1), unit: 'kg' }, at, author),
  );
}

/** Measurements from the diagnosis on, moving from the untreated level to the treated one. */
function drawSeries(random: Random, series: Series, since: Date, author: string, records: DemoRecord[]): void {
  const count = random.between(3, 5);
  const from = later(since, addDays(DEMO_TODAY, -900));
  const stepDays = Math.floor((DEMO_TODAY.getTime() - from.getTime()) / DAY_MS / count);
  const shift = random.normal(0, 1);
  for (let index = 0; index < count; index += 1) {
    const settled = Math.min(1, index / 2);
    const at = addDays(from, index * stepDays, random.between(8, 17), random.between(0, 59));
    if (series === 'pressure') {
      const systolic = Math.round(152 - 20 * settled + shift * 5 + random.normal(0, 4));
      const diastolic = Math.round(94 - 13 * settled + shift * 3 + random.normal(0, 3));
      const parts = [
        { code: '8480-6', display: 'Systolic blood pressure', value: String(systolic), unit: 'mm[Hg]' },
        {
          code: '8462-4',
          display: 'Diastolic blood pressure',
          value: String(Math.min(diastolic, systolic - 20)),
          unit: 'mm[Hg]',
        },
      ];
      records.push(
        observation('85354-9', 'Blood pressure panel with all children optional', { components: parts }, at, author),
      );
      continue;
    }
    const measure = MEASURES[series];
    const level = measure.start + (measure.settled - measure.start) * settled;
    const value = Math.max(measure.spread, level + (shift + random.normal(0, 0.6)) * measure.spread);
    records.push(
      observation(
        measure.loinc,
        measure.name,
        { value: value.toFixed(measure.digits), unit: measure.unit },
        at,
        author,
      ),
    );
  }
}

function drawProcedures(
  random: Random,
  person: Person,
  age: number,
  conditions: ReadonlySet<string>,
  author: string,
  records: DemoRecord[],
): void {
  for (const procedure of PROCEDURES) {
    if (!random.chance(procedure.share) || age < procedure.from + 1) continue;
    if (procedure.sex !== undefined && procedure.sex !== person.sex) continue;
    if (procedure.needs !== undefined && !conditions.has(procedure.needs)) continue;
    const cause = records.find((record) => record.type === 'condition' && record.code?.['code'] === procedure.needs);
    const from = cause?.effectiveAt ?? addDays(person.dob, Math.round(procedure.from * 365.25));
    records.push({
      type: 'procedure',
      status: 'completed',
      code: { system: ICD10_PCS, code: procedure.code, display: procedure.name },
      content: { outcome: 'uncomplicated' },
      effectiveAt: between(random, from, DEMO_TODAY),
      author,
    });
  }
}

function observation(
  loinc: string,
  display: string,
  content: Prisma.InputJsonObject,
  effectiveAt: Date,
  author: string,
): DemoRecord {
  const code = { system: LOINC, code: loinc, display };
  return { type: 'observation', status: 'final', code, content, effectiveAt, author };
}

function between(random: Random, from: Date, to: Date): Date {
  const days = Math.max(0, Math.floor((to.getTime() - from.getTime()) / DAY_MS) - 1);
  return earlier(addDays(from, random.below(days + 1), random.between(8, 17), 5 * random.below(12)), addDays(to, -1));
}

function addDays(day: Date, days: number, hours = 0, minutes = 0): Date {
  return new Date(day.getTime() + days * DAY_MS + hours * 3_600_000 + minutes * 60_000);
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
