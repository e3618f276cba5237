import type { RecordId } from '@perennial/schemas/platform/ids.ts';
import type { InteractionPatientData } from '@perennial/schemas/resources/medication.ts';
import { convert, isDecimal, toCanonical, writeLike } from '../records/units.ts';
import { type AllergyInput, understandAllergy } from './allergies.ts';
import { BLOOD_CODES, type FactRow, type PatientRow } from './facts-store.ts';
import type { PatientContext } from './patient.ts';
import type { MedicationInput } from './resolve.ts';
import type { MedicationKnowledge } from './types.ts';

/** A medication that the records call active. */
export interface RecordedMedication {
  readonly recordId: RecordId;
  readonly input: MedicationInput;
}

/** What the records say, in the words of the engine. */
export interface RecordedFacts {
  readonly context: PatientContext;
  /** Active conditions without an ICD-10 code. */
  readonly conditionsNotJudged: readonly string[];
  readonly egfrMeasuredAt: Date | null;
  readonly medications: readonly RecordedMedication[];
}

const ICD10 = /^(https?:\/\/hl7\.org\/fhir\/sid\/icd-10(-[a-z]+)?|urn:oid:2\.16\.840\.1\.113883\.6\.(3|90))$/;
/** Codes under which a pregnancy is recorded while it lasts. */
const PREGNANCY = /^(Z33|Z34|Z3A|O09)/;
const DAY_MS = 86_400_000;
/** Counts and potassium change within weeks: older ones say nothing of today. */
const BLOOD_DAYS = 90;
const BLOOD_UNITS = { neutrophils: '10*9/L', platelets: '10*9/L', potassium: 'mmol/L' } as const;
const YEAR_MS = 365.25 * 86_400_000;
/** Ages below this are told with a fraction, because rules for infants speak of months. */
const WHOLE_YEARS_FROM = 2;

/** Reads the records of a patient. @param now the day on which the age is reckoned. */
export function readFacts(
  knowledge: MedicationKnowledge,
  patient: PatientRow,
  rows: readonly FactRow[],
  now: Date,
): RecordedFacts {
  const conditions: { code: string; display?: string }[] = [];
  const conditionsNotJudged: string[] = [];
  const allergies: AllergyInput[] = [];
  const medications: RecordedMedication[] = [];
  const blood: Pick<PatientContext, keyof typeof BLOOD_UNITS> = {};
  let egfr: number | undefined;
  let egfrMeasuredAt: Date | null = null;
  for (const { id, type, code, content, effectiveAt } of rows) {
    const system = text(code?.['system']);
    const value = text(code?.['code']);
    const display = text(code?.['display']);
    switch (type) {
      case 'condition':
        if (content['verification'] === 'refuted') break;
        if (ICD10.test(system)) conditions.push({ code: value, ...(display ? { display } : {}) });
        else conditionsNotJudged.push(display || value);
        break;
      case 'allergy': {
        const allergy: AllergyInput = {
          text: text(content['substance']) || display || value,
          ...(value ? { code: { system, code: value } } : {}),
        };
        if (concernsMedication(knowledge, text(content['category']), allergy)) allergies.push(allergy);
        break;
      }
      case 'medication': {
        if (isPast(text(content['ended_at']), now)) break;
        const route = text(content['route']);
        medications.push({
          recordId: id,
          input: {
            ...(display ? { name: display } : {}),
            ...(value ? { code: { system, code: value } } : {}),
            ...(route ? { route } : {}),
          },
        });
        break;
      }
      case 'observation': {
        const measured = Object.hasOwn(BLOOD_CODES, value) ? BLOOD_CODES[value] : undefined;
        if (measured !== undefined) {
          if (blood[measured] === undefined && isRecent(effectiveAt, now)) {
            const found = bloodOf(measured, content);
            if (found !== undefined) blood[measured] = found;
          }
          break;
        }
        if (egfr !== undefined) break;
        egfr = egfrOf(system, value, content);
        if (egfr !== undefined) egfrMeasuredAt = effectiveAt;
      }
    }
  }
  const context: PatientContext = { age: ageAt(patient.dob, now), conditions, allergies, ...blood };
  if (patient.sex !== null) context.sex = patient.sex;
  if (conditions.some(({ code }) => PREGNANCY.test(code.toUpperCase()))) context.pregnant = true;
  if (egfr !== undefined) context.egfr = egfr;
  return { context, conditionsNotJudged, egfrMeasuredAt, medications };
}

/** Facts that were sent come before those of the records; lists are joined, so that no allergy is lost. */
export function joinFacts(
  recorded: PatientContext | undefined,
  sent: InteractionPatientData | undefined,
): PatientContext {
  const joined: PatientContext = { ...recorded };
  if (sent) {
    const { conditions, allergies, ...single } = sent;
    Object.assign(joined, single);
    if (conditions)
      joined.conditions = [
        ...(recorded?.conditions ?? []),
        ...conditions.map(({ code, display }) => ({ code, ...(display ? { display } : {}) })),
      ];
    if (allergies)
      joined.allergies = [
        ...(recorded?.allergies ?? []),
        ...allergies.map(({ text: substance, code }) => ({ text: substance, ...(code ? { code } : {}) })),
      ];
  }
  // No rule speaks of these, and a fact that no rule can use is one that is missing.
  if (joined.sex === 'unknown' || joined.sex === 'other') delete joined.sex;
  return joined;
}

/** Pollen and nuts are no medication; egg, which vaccines are grown in, is understood and stays. */
function concernsMedication(knowledge: MedicationKnowledge, category: string, allergy: AllergyInput): boolean {
  if (category !== 'food' && category !== 'environment') return true;
  const { substances, groups } = understandAllergy(knowledge, allergy);
  return substances.length > 0 || groups.length > 0;
}

/** The filtration rate in mL/min/1.73 m². A value "below 15" lies below, so it is taken as a little less. */
function egfrOf(system: string, code: string, content: FactRow['content']): number | undefined {
  const written = text(content['value']);
  const value = Number(toCanonical(system, code, written, text(content['unit']))?.value ?? written);
  if (written === '' || !Number.isFinite(value) || value < 0) return undefined;
  return content['comparator'] === '<' ? Math.max(0, value - 0.01) : value;
}

/** A count in the unit of the rules. A value "below 0.5" lies below, so it is taken as a little less. */
function bloodOf(measured: keyof typeof BLOOD_UNITS, content: FactRow['content']): number | undefined {
  const written = text(content['value']);
  if (!isDecimal(written)) return undefined;
  const converted = convert(Number(written), text(content['unit']), BLOOD_UNITS[measured]);
  if (converted === undefined || converted < 0) return undefined;
  const value = Number(writeLike(written, converted));
  return content['comparator'] === '<' ? Math.max(0, value - 0.01) : value;
}

function isRecent(measuredAt: Date | null, now: Date): boolean {
  return measuredAt !== null && now.getTime() - measuredAt.getTime() <= BLOOD_DAYS * DAY_MS;
}

/** Completed years; below two, years with a fraction. */
function ageAt(dob: Date, now: Date): number {
  const years = now.getUTCFullYear() - dob.getUTCFullYear();
  const before =
    now.getUTCMonth() < dob.getUTCMonth() ||
    (now.getUTCMonth() === dob.getUTCMonth() && now.getUTCDate() < dob.getUTCDate());
  const completed = Math.max(0, before ? years - 1 : years);
  if (completed >= WHOLE_YEARS_FROM) return completed;
  return Math.max(0, Math.round(((now.getTime() - dob.getTime()) / YEAR_MS) * 100) / 100);
}

function isPast(instant: string, now: Date): boolean {
  return instant !== '' && Date.parse(instant) <= now.getTime();
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
