import type { AllergyInput } from './allergies.ts';
import type { PatientCondition } from './types.ts';

/** What is known of the patient; a missing fact means its rules are not checked, never that they are met. */
export interface PatientContext {
  /** Years. */
  age?: number;
  sex?: string;
  pregnant?: boolean;
  lactating?: boolean;
  /** ICD-10. */
  conditions?: { code: string; display?: string }[];
  allergies?: AllergyInput[];
  /** mL/min/1.73 m². */
  egfr?: number;
  childPugh?: 'A' | 'B' | 'C';
  /** 10⁹ per litre. */
  neutrophils?: number;
  /** 10⁹ per litre. */
  platelets?: number;
  /** mmol/L. */
  potassium?: number;
}

/** Stages of kidney disease as codes give them, with a filtration rate within each; the longest prefix counts. */
const KIDNEY_STAGES: readonly [prefix: string, egfr: number][] = [
  ['N181', 95],
  ['N182', 75],
  ['N183', 44],
  ['N1831', 50],
  ['N1832', 37],
  ['N184', 22],
  ['N185', 10],
  ['N186', 8],
  ['Z992', 8],
];
/** Liver disease as codes give it. Cirrhosis alone says no class, and is taken for moderate. */
const LIVER_STAGES: readonly [prefix: string, childPugh: 'B' | 'C'][] = [
  ['K703', 'B'],
  ['K743', 'B'],
  ['K744', 'B'],
  ['K745', 'B'],
  ['K746', 'B'],
  ['K766', 'B'],
  ['I85', 'B'],
  ['K704', 'C'],
  ['K711', 'C'],
  ['K72', 'C'],
  ['K767', 'C'],
];

/** What was concluded from a code because nobody gave the measure itself. */
export interface Concluded {
  readonly fact: 'egfr' | 'childPugh';
  readonly code: string;
}

/** The patient with kidney and liver function by code where no measure was given; the worst code counts. */
export function withFunctionByCode(patient: PatientContext): {
  readonly patient: PatientContext;
  readonly concluded: readonly Concluded[];
} {
  const concluded: Concluded[] = [];
  const known = { ...patient };
  if (patient.egfr === undefined) {
    const found = staged(patient, KIDNEY_STAGES).sort((x, y) => x.stage - y.stage)[0];
    if (found) {
      known.egfr = found.stage;
      concluded.push({ fact: 'egfr', code: found.code });
    }
  }
  if (patient.childPugh === undefined) {
    const found = staged(patient, LIVER_STAGES).sort((x, y) => (x.stage < y.stage ? 1 : -1))[0];
    if (found) {
      known.childPugh = found.stage;
      concluded.push({ fact: 'childPugh', code: found.code });
    }
  }
  return { patient: known, concluded };
}

function staged<T>(patient: PatientContext, stages: readonly (readonly [string, T])[]): { stage: T; code: string }[] {
  return (patient.conditions ?? []).flatMap(({ code }) => {
    const matching = stages.filter(([prefix]) => bareCode(code).startsWith(prefix));
    const longest = matching.sort(([x], [y]) => y.length - x.length)[0];
    return longest ? [{ stage: longest[1], code }] : [];
  });
}

const bareCode = (code: string): string => code.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** Whether the patient meets every part of a rule's condition that the rule states. */
export function patientMeets(when: PatientCondition, patient: PatientContext): boolean {
  const { age, egfr } = patient;
  if (when.age_min !== undefined && (age === undefined || age < when.age_min)) return false;
  if (when.age_below !== undefined && (age === undefined || age >= when.age_below)) return false;
  if (when.egfr_min !== undefined && (egfr === undefined || egfr < when.egfr_min)) return false;
  if (when.egfr_below !== undefined && (egfr === undefined || egfr >= when.egfr_below)) return false;
  if (when.sex && !(patient.sex && when.sex.includes(patient.sex))) return false;
  if (when.pregnant && patient.pregnant !== true) return false;
  if (when.lactating && patient.lactating !== true) return false;
  if (when.child_pugh && !(patient.childPugh && when.child_pugh.includes(patient.childPugh))) return false;
  if (outside(patient.neutrophils, undefined, when.neutrophils_below)) return false;
  if (outside(patient.platelets, undefined, when.platelets_below)) return false;
  if (outside(patient.potassium, when.potassium_above, when.potassium_below)) return false;
  if (!when.conditions) return true;
  const codes = (patient.conditions ?? []).map((c) => bareCode(c.code));
  return when.conditions.some((prefix) => codes.some((code) => code.startsWith(bareCode(prefix))));
}

/** Facts that rules ask for and the patient does not give, so that silence is not read as safety. */
export function factsMissing(patient: PatientContext): string[] {
  const facts = ['age', 'sex', 'pregnant', 'lactating', 'conditions', 'allergies', 'egfr', 'childPugh'] as const;
  return facts.filter((fact) => patient[fact] === undefined);
}

/** Whether a rule asks for a measure that is not known or does not lie where it asks. */
function outside(value: number | undefined, above: number | undefined, below: number | undefined): boolean {
  if (above === undefined && below === undefined) return false;
  return value === undefined || (above !== undefined && value <= above) || (below !== undefined && value >= below);
}
