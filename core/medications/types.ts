/** How bad a finding is, worst first. `unknown` is never safe: something could not be judged. */
export const SEVERITIES = ['contraindicated', 'major', 'moderate', 'unknown', 'minor', 'none_known'] as const;
export type Severity = (typeof SEVERITIES)[number];
/** What a rule may say; `unknown` and `none_known` are conclusions of the engine, never of a rule. */
export type RuleSeverity = Exclude<Severity, 'unknown' | 'none_known'>;

/** How sure the sources are, surest first. */
export const CERTAINTIES = ['established', 'probable', 'suspected', 'theoretical'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** Strength, certainty and source id of one property; strength `none` cancels what a class would pass on. */
export type Grade = readonly [strength: string, certainty: Certainty, source: string];

export interface PropertyDefinition {
  id: string;
  title: string;
  /** Allowed strengths, strongest first. */
  strengths: string[];
  default_certainty: Record<string, Certainty>;
  default_source: string;
}

export interface SubstanceClass {
  id: string;
  name: string;
  /** Severity of taking two different members, or null where that is usual. */
  duplicate: RuleSeverity | null;
  properties: Record<string, Grade>;
}

/** One active substance as the data files hold it. */
export interface SubstanceRecord {
  id: string;
  /** International nonproprietary name, lower case. */
  name: string;
  atc: string[];
  rxnorm?: string[];
  synonyms?: string[];
  brands?: string[];
  classes: string[];
  routes: string[];
  /** False while nobody has gone through the interaction properties: pairs with it stay `unknown`. */
  profiled: boolean;
  /** True when eye drops, sprays or creams of it reach the circulation in amounts that matter. */
  systemic_when_local?: boolean;
  /** Routes besides the local ones from which next to nothing is absorbed, such as vancomycin by mouth. */
  unabsorbed?: string[];
  properties?: Record<string, Grade>;
}

export interface Substance extends SubstanceRecord {
  /** Position in `MedicationKnowledge.substances`. */
  index: number;
  /** Own properties over those of its classes, cancelled ones removed. */
  grades: ReadonlyMap<string, Grade>;
}

export interface Combination {
  id: string;
  name: string;
  substances: string[];
  synonyms?: string[];
  brands?: string[];
  atc: string[];
}

/** Which substances one side of a rule means: any of the lists, then every `where`, minus `except`. */
export interface Selector {
  substances?: string[];
  classes?: string[];
  properties?: Record<string, string[]>;
  where?: Record<string, string[]>;
  except?: { substances?: string[]; classes?: string[] };
}

/** What every rule tells the reader. `{a}` and `{b}` stand for the names of the two sides. */
export interface Explanation {
  severity: RuleSeverity;
  certainty: Certainty;
  mechanism: string;
  effect: string;
  management: string;
  sources: string[];
}

export interface PairRule extends Explanation {
  id: string;
  a: Selector;
  b: Selector;
  /** Writes the rule once per value, for example per enzyme: `{enzyme}` in ids and `{ENZYME}` in text. */
  each?: Record<string, string[]>;
  /** True when the rule holds only if both are swallowed. */
  oral_only?: boolean;
  /** True when the rule holds for sprays, drops and creams as well. */
  local_routes?: boolean;
  /** Milligrams a day of a side that the rule asks for; without a known dose it does not hold. */
  dose?: { a?: DoseRange; b?: DoseRange };
  /** Rules of the same mechanism that say less exactly what this one says; where it holds they are silent. */
  over?: string[];
  /** Why this rule speaks and the ones in `over` do not. */
  reason?: string;
  /** Facts about the patient that make it worse; the worst that is met counts. */
  worse_with?: { when: PatientCondition; severity: RuleSeverity; because: string }[];
}

export interface DoseRange {
  /** Milligrams a day, exclusive. */
  above?: number;
  /** Milligrams a day, inclusive. */
  up_to?: number;
}

export interface GroupRule extends Explanation {
  id: string;
  title: string;
  /** One different medication per selector. */
  members?: Selector[];
  /** At least `min` medications of one kind, one of them also matching `including`. */
  count?: { of: Selector; min: number; including?: Selector };
}

export interface FoodRule extends Explanation {
  id: string;
  food: string;
  medication: Selector;
}

export interface PatientCondition {
  /** ICD-10 prefixes, any of them. */
  conditions?: string[];
  /** Years, inclusive. */
  age_min?: number;
  /** Years, exclusive. */
  age_below?: number;
  sex?: string[];
  pregnant?: boolean;
  lactating?: boolean;
  /** mL/min/1.73 m², inclusive. */
  egfr_min?: number;
  /** mL/min/1.73 m², exclusive. */
  egfr_below?: number;
  child_pugh?: string[];
  /** 10⁹ per litre, exclusive. */
  neutrophils_below?: number;
  /** 10⁹ per litre, exclusive. */
  platelets_below?: number;
  /** mmol/L, exclusive. */
  potassium_above?: number;
  /** mmol/L, exclusive. */
  potassium_below?: number;
}

export interface PatientRule extends Explanation {
  id: string;
  when: PatientCondition;
  medication: Selector;
}

export interface AllergyGroup {
  id: string;
  terms: string[];
  members: Selector;
  within: { severity: RuleSeverity; certainty: Certainty; management: string };
  crosses: { members: Selector; severity: RuleSeverity; certainty: Certainty; note: string; sources: string[] }[];
}

export interface Source {
  id: string;
  title: string;
  publisher: string;
  year: number;
  url?: string;
}

/** A set of substances by index. */
export type SubstanceSet = ReadonlySet<number>;

export interface CompiledRule<T> {
  rule: T;
  a: SubstanceSet;
  b: SubstanceSet;
}

/** For each substance, one bit per rule it matches on each side, so a pair costs a few ANDs. */
export interface RuleTable {
  rules: readonly CompiledRule<PairRule>[];
  /** Pairs of substances a rule can mean, by rule id: of two equal findings the narrower rule speaks. */
  reach: ReadonlyMap<string, number>;
  a: readonly Uint32Array[];
  b: readonly Uint32Array[];
}

/** A name, brand, synonym or combination that text can mean. */
export interface NameEntry {
  kind: 'name' | 'synonym' | 'brand';
  /** Id of the substance or combination. */
  target: string;
  substances: readonly Substance[];
}

export interface NameKey {
  key: string;
  /** One bit per letter, to skip keys too different before measuring distance. */
  mask: number;
}

export interface NameIndex {
  byName: ReadonlyMap<string, readonly NameEntry[]>;
  /** Keyed `atc:C09AA03` or `rxnorm:29046`. */
  byCode: ReadonlyMap<string, readonly NameEntry[]>;
  /** Names and ids of classes, singular: a class is not a drug, its members are what may be meant. */
  byClass: ReadonlyMap<string, readonly NameEntry[]>;
  /** Keys by length, for spelling search. */
  byLength: ReadonlyMap<number, readonly NameKey[]>;
  /** Names and synonyms by what all languages write alike; a key of two drugs is left out. */
  byVariant: ReadonlyMap<string, NameEntry>;
  /** Names of drugs that exist and that no rule covers, as normalised, with the name as written. */
  uncovered: ReadonlyMap<string, string>;
  uncoveredByLength: ReadonlyMap<number, readonly NameKey[]>;
}

/** How long a substance acts after the last dose. */
export interface Lasting {
  days: number;
  /** In words, where it is more than five half-lives. */
  because: string | null;
}

export interface MedicationKnowledge {
  version: string;
  reviewed: string;
  disclaimer: string;
  properties: ReadonlyMap<string, PropertyDefinition>;
  classes: ReadonlyMap<string, SubstanceClass>;
  sources: ReadonlyMap<string, Source>;
  substances: readonly Substance[];
  byId: ReadonlyMap<string, Substance>;
  combinations: readonly Combination[];
  names: NameIndex;
  /** By substance id; one that is not listed is taken to act still. */
  lasting: ReadonlyMap<string, Lasting>;
  /** Mechanism rules, named pairs and the high-priority list. */
  rules: RuleTable;
  /** Ids of the rules that are the high-priority list. */
  highPriority: ReadonlySet<string>;
  /** The non-interruptive list: severity here is the ceiling. */
  ceilings: RuleTable;
  groups: readonly {
    rule: GroupRule;
    members: readonly SubstanceSet[];
    of: SubstanceSet;
    including: SubstanceSet | null;
  }[];
  foods: readonly { rule: FoodRule; medication: SubstanceSet }[];
  patientRules: readonly { rule: PatientRule; medication: SubstanceSet }[];
  allergies: readonly {
    group: AllergyGroup;
    /** Terms in the form in which names are compared. */
    terms: ReadonlySet<string>;
    members: SubstanceSet;
    crosses: readonly SubstanceSet[];
  }[];
}
