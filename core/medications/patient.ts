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
  if (!when.conditions) return true;
  const codes = (patient.conditions ?? []).map((c) => bareCode(c.code));
  return when.conditions.some((prefix) => codes.some((code) => code.startsWith(bareCode(prefix))));
}

/** Facts that rules ask for and the patient does not give, so that silence is not read as safety. */
export function factsMissing(patient: PatientContext): string[] {
  const facts = ['age', 'sex', 'pregnant', 'lactating', 'conditions', 'allergies', 'egfr', 'childPugh'] as const;
  return facts.filter((fact) => patient[fact] === undefined);
}
