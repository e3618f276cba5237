import type { SignOff } from './review/signed.ts';

/**
 * The shapes of the knowledge base. Everything clinical is data in the JSON files beside this one;
 * the engine in `core/diagnostics/engine` reads nothing else.
 */

/** How far a likelihood can be trusted. It becomes the width of the confidence interval. */
export type Certainty = 'high' | 'moderate' | 'low';

/** From "call an ambulance" to "manage at home". */
export type Urgency = 'emergency' | 'urgent' | 'soon' | 'routine' | 'self_care';

/** Age bands in years, upper bound exclusive in the next band's start. */
export type AgeBand = '0' | '1-4' | '5-11' | '12-17' | '18-29' | '30-44' | '45-59' | '60-74' | '75+';

export type FindingCategory = 'symptom' | 'sign' | 'test' | 'history' | 'time' | 'vital_sign';

/** A finding is anything that can be present or absent in a patient. */
export interface Finding {
  id: string;
  name: string;
  category: FindingCategory;
  /** Body region, for grouping and for questions. */
  region: string;
  /** P(finding) in a mixed primary-care and emergency population, 0 to 1. */
  base_rate: number;
  /** More general findings this one implies: crushing chest pain is chest pain. */
  implies: string[];
  /** Findings with the same cluster share a cause and are damped together. */
  cluster: string | null;
  /** Every wording that states the finding, its name included where it is one. Word order and inflection do not matter. */
  synonyms: string[];
  /** Wordings that state the absence of the finding: "afebrile". */
  absent_synonyms: string[];
  /** LOINC codes of the measurement that it is read from. */
  loinc?: string[];
}

export interface Likelihood {
  finding: string;
  /** P(finding | condition), 0 to 1. */
  p: number;
  certainty: Certainty;
  /** True where the condition cannot exist without the finding: placental abruption without pregnancy. */
  essential?: boolean;
}

export interface Condition {
  id: string;
  name: string;
  synonyms: string[];
  icd10: string[];
  specialty: string;
  urgency: Urgency;
  summary: string;
  incidence: {
    /** Encounters per 100 000 in mixed primary and emergency care in which this is the cause. */
    per_100k_encounters: number;
    /** Multiplier per age band; absent bands count as 1. */
    age: Partial<Record<AgeBand, number>>;
    sex: { female: number; male: number };
    certainty: Certainty;
    source: string;
  };
  findings: Likelihood[];
  risk_factors: Likelihood[];
  treatments: string[];
  /** What differs for this condition from what the treatment says of itself, by treatment. */
  care?: Record<string, CareDetails>;
  sources: string[];
}

/**
 * When a treatment has its place: the act that saves, the first hour, the first choice, what follows where that does
 * not do, or what goes beside.
 */
export type CareLine = 'act' | 'first_hour' | 'first' | 'further' | 'alongside';

/** How a treatment is given, in words. */
export interface CareTexts {
  /** What it is for. */
  purpose?: string;
  /** Usual dose, or that it is given by local protocol. */
  dose?: string;
  /** What is checked before. */
  checks?: string[];
  /** Classes and substances that are never given with it; ids of the medication knowledge. */
  never_with?: string[];
  /** The document that says so; without one it is an estimate. */
  source?: string;
}

/** How a treatment is given for one condition. */
export interface CareDetails extends CareTexts {
  line?: CareLine;
  /** For which form of it: age group, pregnancy, severity, agent. */
  for_whom?: string;
  /** Ages of that form in years: from, and up to, exclusive. */
  age_min_years?: number;
  age_max_years?: number;
  /** Why it is given although a rule speaks against it in those whom the condition concerns. */
  despite?: { kind: DespiteKind; reason: string };
}

/** What kind of rule speaks against it. */
export type DespiteKind = 'condition' | 'age' | 'pregnancy' | 'kidney' | 'liver';

export interface RedFlag {
  id: string;
  name: string;
  message: string;
  urgency: 'emergency' | 'urgent';
  /** Every inner list must have at least one finding present. */
  when: string[][];
  /** None of these may be present. */
  unless: string[];
  age_min_years: number | null;
  age_max_years: number | null;
  sex: 'female' | 'male' | null;
  source: string;
}

export type TreatmentKind = 'medication' | 'procedure' | 'lifestyle' | 'referral' | 'monitoring' | 'supportive';

export interface Treatment extends CareTexts {
  id: string;
  name: string;
  kind: TreatmentKind;
  notes: string | null;
  /** History findings that speak against it. */
  contraindications: string[];
  /** What it is given as: whole classes, and the substances that are usual. Ids of the medication knowledge. */
  uses?: { classes: string[]; substances: string[] };
}

/** How strongly something is recommended: for nearly everybody, for some, or agreed by experts without trials. */
export type RecommendationStrength = 'strong' | 'conditional' | 'good_practice';

export type RecommendationTopic =
  | 'recognition'
  | 'diagnosis'
  | 'treatment'
  | 'referral'
  | 'monitoring'
  | 'prevention'
  | 'information';

export interface Recommendation {
  text: string;
  topic: RecommendationTopic;
  strength: RecommendationStrength;
  /** One of the guideline's sources; the first where none is named. */
  source?: string;
}

/** Published guidance in our own words. */
export interface Guideline {
  id: string;
  title: string;
  specialty: string;
  /** Whom it is for. */
  population: string;
  conditions: string[];
  treatments: string[];
  /** Substances it names; ids of the medication knowledge. */
  medications: string[];
  summary: string;
  recommendations: Recommendation[];
  sources: string[];
}

export interface Source {
  id: string;
  title: string;
  /** Who published it. */
  organisation?: string;
  /** What names the document for good: a number, a DOI or an ISBN. */
  identifier?: string;
  url: string | null;
  year: number | null;
}

/** A vital sign rule: the finding holds while min <= value < max (a missing bound is open). */
export interface VitalRule {
  finding: string;
  sign: VitalSign;
  age_min_years: number;
  age_max_years: number;
  min: number | null;
  max: number | null;
}

export type VitalSign =
  | 'temperature'
  | 'systolic'
  | 'diastolic'
  | 'heart_rate'
  | 'respiratory_rate'
  | 'oxygen_saturation';

/** Bounds up to an age in years, exclusive; null for everybody older. In the order of ages. */
export interface PlausibleBand {
  below_years: number | null;
  min: number;
  max: number;
}

export interface Vitals {
  units: Record<VitalSign, string>;
  /** Outside these a reading is refused: no living patient of that age has it, or the unit is wrong. */
  plausible: Record<VitalSign, PlausibleBand[]>;
  rules: VitalRule[];
}

/** Word-level knowledge of the reader. */
export interface Words {
  /** Canonical word to the words that mean the same when reading a complaint. */
  same: Record<string, string[]>;
  /** Multi-word expressions to a canonical word. */
  phrases: Record<string, string[]>;
  /** Canonical words that name a place on the body. */
  sites: string[];
  /** Canonical words that name a sensation or change, to which a place belongs. */
  sensations: string[];
  /** Words of narrative, matched only as part of a wording and never reported as unrecognised. */
  fillers: string[];
  /** Words of grammar, never matched. */
  stops: string[];
}

/** What a trigger says about the words in its reach; historical: on record, past: over. */
export type AssertionKind =
  | 'negated'
  | 'normal'
  | 'resolved'
  | 'historical'
  | 'past'
  | 'hypothetical'
  | 'uncertain'
  | 'other';

export interface Trigger {
  kind: AssertionKind;
  direction: 'forward' | 'backward';
  /**
   * How far: one word, three, a phrase (up to a comma or "and"), a clause, a list, or a list that nothing but a new
   * clause ends.
   */
  reach: 'own' | 'word' | 'word3' | 'phrase' | 'clause' | 'list' | 'all';
  temporality?: 'historical';
  experiencer?: 'other';
  /** Wordings; `#` stands for a number, `####` for a year. */
  cues: string[];
}

/** How a language says that something is denied, past, feared or somebody else's. */
export interface Assertions {
  contractions: { means: string; endings: string[]; words: string[] };
  /** Words that are numbers. */
  numbers: string[];
  triggers: Trigger[];
  /** Wordings that hold a trigger's words and are none. */
  pseudo: string[];
  /** Words that end scopes, of every kind or of one. */
  ends: Partial<Record<AssertionKind | 'all', string[]>>;
  list_joins: string[];
  alternatives: string[];
  subjects: string[];
  verbs: string[];
  seen: string[];
  emphasis: string[];
  light: string[];
  /** What began long ago is not over. */
  onset: string[];
  relatives: {
    words: string[];
    pseudo: string[];
    speaks: string[];
    suffers: string[];
    belongs: string[];
    /** Those for whom somebody else asks. */
    patients: string[];
  };
  /** How somebody speaks of themselves: what is theirs, what ends it, and that they complain. */
  own: { possessives: string[]; breaks: string[]; complains: string[] };
}

/** What the reader knows of a language. */
export interface Language {
  /** RFC 5646 tag. */
  language: string;
  name: string;
  sources: string[];
  assertion: Assertions;
  /** Spellings that are far from the word meant, by that word. */
  misspellings: Record<string, string[]>;
  /** Endings by which forms of a word differ, longest first. */
  endings: string[];
  /** Common words by which a text in this language is known. */
  signature: string[];
}

/** A language that is recognised and not read: by its script, or by its commonest words. */
export interface OtherLanguage {
  language: string;
  name: string;
  /** A Unicode script, where it tells the language. */
  script: string | null;
  signature: string[];
}

/**
 * How people say that something dangerous is there, in one language. A saying is words in their order: `(a|b c)` for
 * one of several, `(a)?` for one that may be missing, `<name>` for a class, `~3` for up to three words between, `#10` for a number
 * from ten on,
 * `!(nose|mouth)` at its end for words that must not follow soon. Words
 * are compared by their stems, after spelling; "can't" and its like are `not`.
 */
export interface DangerWords {
  language: string;
  classes: Record<string, string[]>;
  says: { finding: string; source: string; says: string[] }[];
}

export interface Knowledge {
  version: string;
  conditions: Condition[];
  findings: Finding[];
  red_flags: RedFlag[];
  treatments: Treatment[];
  guidelines: Guideline[];
  sources: Source[];
  vitals: Vitals;
  words: Words;
  languages: Language[];
  danger: DangerWords[];
  other_languages: OtherLanguage[];
  /** Who has signed which entry, in which version. */
  sign_offs: SignOff[];
}
