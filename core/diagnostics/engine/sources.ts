import type { Section } from './mention.ts';
import type { Source } from './read.ts';
import type { PatientData } from './types.ts';

/** The members of the input that hold text, in the order in which they are read. */
export const TEXT_FIELDS = ['symptoms', 'history', 'medications', 'socialHistory', 'familyHistory'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** A text of the input and where it stands there. */
export interface PlacedText extends Source {
  field: TextField;
  /** Position in the member's list; null where the member is a single text. */
  index: number | null;
}

const SECTIONS: Record<TextField, Section> = {
  symptoms: 'complaint',
  history: 'history',
  medications: 'history',
  socialHistory: 'history',
  familyHistory: 'family',
};

/** Every text of the input, in the order in which it is read. */
export function textsOf(patientData: PatientData): PlacedText[] {
  return TEXT_FIELDS.flatMap((field): PlacedText[] => {
    const value = patientData[field];
    const section = SECTIONS[field];
    if (value === undefined) return [];
    if (typeof value === 'string') return [{ field, index: null, text: value, section }];
    return value.map((text, index) => ({ field, index, text, section }));
  });
}

/** The same input with the first `count` of its texts; everything that is no text stays. */
export function withFirstTexts(patientData: PatientData, count: number): PatientData {
  const partial = { ...patientData };
  let left = count;
  for (const field of TEXT_FIELDS) {
    const value = patientData[field];
    if (value === undefined) continue;
    const length = typeof value === 'string' ? 1 : value.length;
    if (left <= 0) delete partial[field];
    else if (typeof value !== 'string') Object.assign(partial, { [field]: value.slice(0, left) });
    left -= length;
  }
  return partial;
}
