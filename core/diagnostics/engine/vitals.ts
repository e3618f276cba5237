import type { PlausibleBand, VitalSign, Vitals } from '../../knowledge/types.ts';
import type { AnalysisInput, VitalSigns } from './types.ts';

/** Age taken for bounds when the age is not known: an adult. */
const AGE_UNKNOWN_YEARS = 40;

const POINTERS: Record<VitalSign, string> = {
  temperature: '/patientData/vitalSigns/temperature',
  systolic: '/patientData/vitalSigns/bloodPressure/systolic',
  diastolic: '/patientData/vitalSigns/bloodPressure/diastolic',
  heart_rate: '/patientData/vitalSigns/heartRate',
  respiratory_rate: '/patientData/vitalSigns/respiratoryRate',
  oxygen_saturation: '/patientData/vitalSigns/oxygenSaturation',
};

/** The readings by sign: °C, mmHg, per minute, percent. */
export function readings(signs: VitalSigns | undefined): Partial<Record<VitalSign, number>> {
  const values: Partial<Record<VitalSign, number | undefined>> = {
    temperature: signs?.temperature,
    systolic: signs?.bloodPressure?.systolic,
    diastolic: signs?.bloodPressure?.diastolic,
    heart_rate: signs?.heartRate,
    respiratory_rate: signs?.respiratoryRate,
    oxygen_saturation: signs?.oxygenSaturation,
  };
  const measured: Partial<Record<VitalSign, number>> = {};
  for (const [sign, value] of Object.entries(values)) {
    if (typeof value === 'number' && Number.isFinite(value)) measured[sign as VitalSign] = value;
  }
  return measured;
}

/** What measured signs say: each rule's finding is present or, having been measured, absent. */
export function vitalFindings(
  vitals: Vitals,
  measured: Partial<Record<VitalSign, number>>,
  ageYears: number | undefined,
): Map<string, boolean> {
  const age = ageYears ?? AGE_UNKNOWN_YEARS;
  const findings = new Map<string, boolean>();
  for (const rule of vitals.rules) {
    const value = measured[rule.sign];
    if (value === undefined || age < rule.age_min_years || age >= rule.age_max_years) continue;
    const present = (rule.min === null || value >= rule.min) && (rule.max === null || value < rule.max);
    findings.set(rule.finding, present || findings.get(rule.finding) === true);
  }
  return findings;
}

/**
 * Readings no living patient of that age has, which mean a wrong unit or a slip of the hand. Where the age is not
 * known, whatever some age allows is taken.
 * @returns one entry per fault: an RFC 6901 pointer into the request and a stable code.
 */
export function implausibleReadings(vitals: Vitals, input: AnalysisInput): { pointer: string; code: string }[] {
  const measured = readings(input.patientData.vitalSigns);
  const faults: { pointer: string; code: string }[] = [];
  for (const sign of Object.keys(POINTERS) as VitalSign[]) {
    const value = measured[sign];
    const isPossible = bandsOf(vitals, sign, input.patientData.age).some(({ min, max }) => {
      return value === undefined || (value >= min && value <= max);
    });
    if (!isPossible) {
      faults.push({ pointer: POINTERS[sign], code: 'implausible_value' });
    }
  }
  const { systolic, diastolic } = measured;
  if (systolic !== undefined && diastolic !== undefined && diastolic >= systolic) {
    faults.push({ pointer: POINTERS.diastolic, code: 'diastolic_not_below_systolic' });
  }
  return faults;
}

function bandsOf(vitals: Vitals, sign: VitalSign, ageYears: number | undefined): readonly PlausibleBand[] {
  const bands = vitals.plausible[sign];
  if (ageYears === undefined) return bands;
  const band = bands.find(({ below_years: below }) => below === null || ageYears < below);
  return band === undefined ? [] : [band];
}

const TEXT_READINGS: { sign: VitalSign; pattern: RegExp }[] = [
  { sign: 'systolic', pattern: /\b(?:bp|blood pressure)\D{0,20}(\d{2,3})\s*(?:\/|over)\s*\d{2,3}/i },
  { sign: 'diastolic', pattern: /\b(?:bp|blood pressure)\D{0,20}\d{2,3}\s*(?:\/|over)\s*(\d{2,3})/i },
  { sign: 'systolic', pattern: /\bsystolic\D{0,20}(\d{2,3})/i },
  {
    sign: 'heart_rate',
    pattern: /\b(?:hr|heart rate|pulse(?: rate)?)\s*(?:is|was|of|:|=)?\s*(?:about\s*)?(\d{2,3})\b/i,
  },
  {
    sign: 'respiratory_rate',
    pattern: /\b(?:rr|respiratory rate|respirations?)\s*(?:is|was|of|:|=|are)?\s*(\d{2})\b/i,
  },
  {
    sign: 'oxygen_saturation',
    pattern:
      /\b(?:spo2|sao2|o2 sat\w*|oxygen (?:saturation|level)|saturations?|sats?|o2)\b\D{0,15}(\d{2,3})(?!\d)\s*%?(?!\s*l\b)/i,
  },
];
const TEXT_TEMPERATURE =
  /\b(?:(?:temp(?:erature)?|fever(?:ish)?)[^\d.,;:!?\n]{0,25}?[:=,]?\s?|t\s?[:=]?\s?)(\d{2,3}(?:\.\d+)?)(?![\d.]*\d)\s*°?\s*(c|f|celsius|fahrenheit)?\b(?!\s*-?(?:years?|yrs?|y\/?o|months?|weeks?|days?|hours?|hrs?|minutes?|mins?|times|tablets?|tabs?|pills?|capsules?|mg|mcg|ml|g|kg|lbs?|%|\/|bpm|beats))|(?<![\d.])(\d{2,3}(?:\.\d+)?)\s*(?:°\s*|degrees?\s*)?(c|f|celsius|fahrenheit)\b/i;

/** A vital sign written inside text: °C, mmHg, per minute or percent. */
export interface TextReading {
  sign: VitalSign;
  value: number;
  start: number;
  end: number;
}

/** Vital signs written inside text with their places: "BP 88/60", "temperature of 101 F". Fahrenheit becomes °C. */
export function readingsWithPlaces(text: string): TextReading[] {
  const found: TextReading[] = [];
  for (const { sign, pattern } of TEXT_READINGS) {
    const match = pattern.exec(text);
    if (match?.[1] === undefined || found.some((one) => one.sign === sign)) continue;
    found.push({ sign, value: Number(match[1]), start: match.index, end: match.index + match[0].length });
  }
  const match = TEXT_TEMPERATURE.exec(text);
  if (match === null) return found;
  const written = Number(match[1] ?? match[3] ?? Number.NaN);
  const place = { sign: 'temperature' as const, start: match.index, end: match.index + match[0].length };
  if (written >= 93 && written <= 110) found.push({ ...place, value: ((written - 32) * 5) / 9 });
  else if (written >= 30 && written <= 43) found.push({ ...place, value: written });
  return found;
}

/** Vital signs written inside text, by sign. */
export function readingsInText(text: string): Partial<Record<VitalSign, number>> {
  return Object.fromEntries(readingsWithPlaces(text).map(({ sign, value }) => [sign, value]));
}
