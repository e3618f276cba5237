import type { Evidence } from '@perennial/schemas/resources/analysis.ts';
import type { CareLine, TreatmentKind, Urgency } from '../../knowledge/types.ts';
import type { TextLanguage } from './language.ts';

/** The body of the analyze operation. Text fields may hold words, clinical terms or whole sentences. */
export interface AnalysisInput {
  patientData: PatientData;
  options?: AnalysisOptions;
}

export interface PatientData {
  /** Completed years; fractions are allowed for infants. */
  age?: number;
  /** female, male, other or unknown; anything else counts as unknown. */
  sex?: string;
  symptoms?: string[];
  vitalSigns?: VitalSigns;
  /** Past illness, medicines and habits, family illness and way of life: each a text or a list of texts. */
  history?: string | string[];
  familyHistory?: string | string[];
  socialHistory?: string | string[];
  medications?: string | string[];
  /** Findings that are known to be present from elsewhere, such as the patient's record. */
  known?: KnownFinding[];
}

/** A finding known from elsewhere, and the words it was known by. */
export interface KnownFinding {
  finding_id: string;
  text: string;
}

export interface VitalSigns {
  /** °C */
  temperature?: number;
  /** mmHg */
  bloodPressure?: { systolic?: number; diastolic?: number };
  /** per minute */
  heartRate?: number;
  /** per minute */
  respiratoryRate?: number;
  /** percent */
  oxygenSaturation?: number;
}

export interface AnalysisOptions {
  includeConfidenceScores?: boolean;
  maxResults?: number;
}

export interface Analysis {
  diagnostic_result: DiagnosticResult;
}

/** The caller adds `id`, which the engine, having no store, cannot know. */
export interface DiagnosticResult {
  suggestions: Suggestion[];
  red_flags: RaisedFlag[];
  triage: Triage;
  recognized_findings: RecognizedFinding[];
  unrecognized: string[];
  /** False where nothing that was told was understood. */
  understood: boolean;
  languages: TextLanguage[];
  model_version: string;
  knowledge_version: string;
  disclaimer: string;
}

export interface Suggestion {
  condition: { id: string; name: string; icd10: string[] };
  rank: number;
  confidence: ConfidenceScore | null;
  urgency: Urgency;
  supporting: Reason[];
  conflicting: Reason[];
  missing: { finding_id: string; name: string }[];
  treatments: SuggestedTreatment[];
  sources: { title: string; url: string | null; year: number | null }[];
  evidence: Evidence;
}

export interface SuggestedTreatment {
  id: string;
  name: string;
  kind: TreatmentKind;
  notes: string | null;
  line: CareLine;
  for_whom: string | null;
  purpose: string | null;
  dose: string | null;
  checks: string[];
  /** Ids of classes and substances until the medication knowledge names them. */
  never_with: string[];
  evidence: Evidence;
  /** What is known of the patient and speaks against it. */
  contraindications: Contraindication[];
  /** Whether the patient's record was looked at for this treatment; the engine knows no records. */
  record_checked: boolean;
}

export interface Contraindication {
  kind: ContraindicationKind;
  severity: 'contraindicated' | 'major' | 'moderate' | 'minor' | null;
  text: string;
  management: string | null;
  /** The substances it holds for; empty where it holds for the treatment as a whole. */
  substances: string[];
}

export type ContraindicationKind =
  | 'finding'
  | 'allergy'
  | 'condition'
  | 'age'
  | 'pregnancy'
  | 'lactation'
  | 'kidney'
  | 'liver'
  | 'interaction';

export interface ConfidenceScore {
  /** Calibrated posterior probability, 0 to 1. */
  estimate: number;
  interval: { low: number; high: number; level: number };
  uncertainty: { source: UncertaintySource; contribution: number }[];
}

export type UncertaintySource =
  | 'sparse_findings'
  | 'weak_evidence'
  | 'close_alternatives'
  | 'unrecognized_input'
  | 'missing_vital_signs'
  | 'missing_demographics';

export interface Reason {
  finding_id: string;
  name: string;
  /** log10 of the likelihood ratio against the general population. */
  weight: number;
  text: string;
}

export interface RaisedFlag {
  id: string;
  name: string;
  message: string;
  urgency: 'emergency' | 'urgent';
  finding_ids: string[];
  /** The client's words that raised it. */
  words: string[];
  evidence: Evidence;
}

export interface WeighedCondition {
  condition_id: string;
  name: string;
  urgency: Urgency;
  probability: number;
}

export interface Triage {
  level: Urgency;
  reasons: string[];
  /** The worst conditions that are not unlikely and made the level what it is, likeliest first. */
  weighed: WeighedCondition[];
}

export interface RecognizedFinding {
  finding_id: string;
  name: string;
  present: boolean;
  /** The client's words, or null for a vital sign. */
  text: string | null;
  source: 'symptom' | 'vital_sign' | 'history';
}
