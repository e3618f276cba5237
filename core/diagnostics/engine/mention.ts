import type { VitalSign } from '../../knowledge/types.ts';
import type { Place } from './assertion/scopes.ts';
import type { Duration } from './time.ts';

export type Section = 'complaint' | 'history' | 'family';

/** When what is mentioned was there: now; on record, and perhaps still; formerly; only feared or to be watched for. */
export type Temporality = 'recent' | 'historical' | 'past' | 'hypothetical';

/** A finding stated or denied somewhere in the client's text. */
export interface Mention extends Place {
  finding: string;
  present: boolean;
  temporality: Temporality;
  experiencer: 'patient' | 'other';
  /** True where it is said to have gone since. */
  resolved: boolean;
  /** The words that deny it, set it in another time or give it to somebody else; null where it is simply stated. */
  cue: Place | null;
  section: Section;
  /** Which of the texts, and where in it, end exclusive. */
  text_index: number;
  text: string;
}

/** Text that led to no finding. */
export interface Unrecognized extends Place {
  text_index: number;
  text: string;
}

export interface Reading {
  mentions: Mention[];
  unrecognized: Unrecognized[];
  /** Duration of the complaint in hours, or null where none is stated. */
  duration_hours: number | null;
  durations: (Duration & { text_index: number })[];
  /** Vital signs written in the text: °C, mmHg, per minute, percent. */
  readings: Partial<Record<VitalSign, number>>;
  /** Age in years and sex where the text states them. */
  stated_age: number | null;
  stated_sex: 'female' | 'male' | null;
  /** Share of content words that led to a finding, 0 to 1. */
  coverage: number;
}

/** Whether a mention is evidence: of the patient, and neither feared nor of a time long past. */
export function counts({ experiencer, temporality }: Mention): boolean {
  return experiencer === 'patient' && (temporality === 'recent' || temporality === 'historical');
}
