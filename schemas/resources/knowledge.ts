import Type, { type Static } from 'typebox';
import { oneOf, optionalOneOf, optionalText, ref } from '../fields.ts';
import { Evidence, triageLevels } from './analysis.ts';

/** Kinds of entries of the knowledge base that can be read in full. */
export const knowledgeKinds = ['condition', 'finding', 'treatment', 'medication', 'guideline', 'red_flag'] as const;
/** A kind of entry of the knowledge base. */
export type KnowledgeKind = (typeof knowledgeKinds)[number];

/** Everything the knowledge graph has: the entries, and what groups them. */
export const entityKinds = [...knowledgeKinds, 'medication_class', 'category'] as const;
/** A kind of entity of the knowledge graph. */
export type EntityKind = (typeof entityKinds)[number];

/** How sure a figure is. */
export const knowledgeCertainties = ['high', 'moderate', 'low'] as const;
/** How strongly a guideline recommends. */
export const recommendationStrengths = ['strong', 'conditional', 'good_practice'] as const;
/** What a recommendation is about. */
export const recommendationTopics = [
  'recognition',
  'diagnosis',
  'treatment',
  'referral',
  'monitoring',
  'prevention',
  'information',
] as const;
/** Categories of findings. */
export const findingCategories = ['symptom', 'sign', 'test', 'history', 'time', 'vital_sign'] as const;
/** Kinds of treatments. */
export const treatmentKinds = ['medication', 'procedure', 'lifestyle', 'referral', 'monitoring', 'supportive'] as const;
/** Vital signs that findings can be read from. */
export const vitalSigns = [
  'temperature',
  'systolic',
  'diastolic',
  'heart_rate',
  'respiratory_rate',
  'oxygen_saturation',
] as const;

const entryId = (what: string): Type.TString => Type.String({ description: `Identifier of the ${what}.` });
const texts = (description: string): Type.TArray<Type.TString> => Type.Array(Type.String(), { description });
const probability = (description: string): Type.TNumber => Type.Number({ minimum: 0, maximum: 1, description });
const nullable = <T extends 'integer' | 'number'>(type: T, description: string): Type.TUnsafe<number | null> =>
  Type.Unsafe<number | null>({ type: [type, 'null'], description });
const version = Type.String({ description: 'Version of the knowledge base.', examples: ['2026.3.0'] });

/** Where a statement was published. */
export const KnowledgeSource = Type.Object(
  {
    id: entryId('source'),
    title: Type.String({ description: 'Title.' }),
    organisation: optionalText(200, { description: 'Who published it; null where the title says so.' }),
    year: nullable('integer', 'Year of publication; null for a work that is updated continually.'),
    url: optionalText(2000, { description: 'Address.' }),
    identifier: Type.Optional(optionalText(200, { description: 'Its number, DOI or ISBN; null where it has none.' })),
  },
  { $id: 'KnowledgeSource', title: 'KnowledgeSource', description: 'Where a statement was published.' },
);
/** Where a statement was published. */
export type KnowledgeSource = Static<typeof KnowledgeSource>;

/** Another entry, by name. */
export const KnowledgeReference = Type.Object(
  {
    kind: oneOf(entityKinds, { 'x-open': true, description: 'Kind of the entry.' }),
    id: entryId('entry'),
    name: Type.String({ description: 'Name of the entry.' }),
  },
  { $id: 'KnowledgeReference', title: 'KnowledgeReference', description: 'Another entry of the knowledge base.' },
);
/** Another entry, by name. */
export type KnowledgeReference = Static<typeof KnowledgeReference>;

const references = (description: string): Type.TArray<Type.TUnsafe<KnowledgeReference>> =>
  Type.Array(ref(KnowledgeReference), { description });
const sources = (description: string): Type.TArray<Type.TUnsafe<KnowledgeSource>> =>
  Type.Array(ref(KnowledgeSource), { description });

/** How often a finding is present in a condition. */
export const KnowledgeLikelihood = Type.Object(
  {
    finding_id: entryId('finding'),
    name: Type.String({ description: 'Name of the finding.' }),
    likelihood: probability('How often the finding is present in patients with the condition.'),
    certainty: oneOf(knowledgeCertainties, { description: 'How sure the figure is.' }),
    essential: Type.Boolean({ description: 'Whether the condition cannot exist without the finding.' }),
  },
  {
    $id: 'KnowledgeLikelihood',
    title: 'KnowledgeLikelihood',
    description: 'How often a finding is present in a condition.',
  },
);

/** How often a condition is the cause of an encounter, and in whom. */
export const KnowledgeIncidence = Type.Object(
  {
    per_100k_encounters: Type.Number({
      minimum: 0,
      description: 'Encounters per 100 000, in primary and emergency care together, that it is the cause of.',
    }),
    by_age: Type.Array(
      Type.Object({
        band: Type.String({ description: 'Age band in years.', examples: ['18-29'] }),
        factor: Type.Number({ minimum: 0, description: 'How many times as often as the figure for all.' }),
      }),
      { description: 'Age bands that differ from the figure for all.' },
    ),
    by_sex: Type.Object(
      {
        female: Type.Number({ minimum: 0, description: 'Factor for females.' }),
        male: Type.Number({ minimum: 0, description: 'Factor for males.' }),
      },
      { description: 'How many times as often as the figure for all.' },
    ),
    certainty: oneOf(knowledgeCertainties, { description: 'How sure the figures are.' }),
    source: ref(KnowledgeSource),
  },
  { $id: 'KnowledgeIncidence', title: 'KnowledgeIncidence', description: 'How often a condition is met, and in whom.' },
);

/** How a treatment is given. */
export const KnowledgeCare = Type.Object(
  {
    treatment_id: entryId('treatment'),
    line: oneOf(['act', 'first_hour', 'first', 'further', 'alongside'], {
      'x-open': true,
      description:
        'Its place: the act that saves, the first hour, the first choice, what follows where that does not do, what goes beside.',
    }),
    for_whom: optionalText(2000, { description: 'Form of the condition that it is for; null for every one.' }),
    purpose: optionalText(2000, { description: 'What it is for.' }),
    dose: optionalText(2000, { description: 'Usual dose, or that it goes by local protocol.' }),
    checks: texts('What is checked before.'),
    never_with: texts('Medicines and classes of them that are never given with it.'),
    evidence: ref(Evidence),
  },
  { $id: 'KnowledgeCare', title: 'KnowledgeCare', description: 'How a treatment is given for a condition.' },
);
/** How a treatment is given. */
export type KnowledgeCare = Static<typeof KnowledgeCare>;

/** A disease, an injury or a problem. */
export const KnowledgeCondition = Type.Object(
  {
    id: entryId('condition'),
    name: Type.String({ description: 'Name.' }),
    synonyms: texts('Other names.'),
    icd10: texts('ICD-10 codes.'),
    specialty: Type.String({ description: 'Specialty it belongs to.', examples: ['cardiology'] }),
    urgency: oneOf(triageLevels, { description: 'How soon a patient who has it should be seen.' }),
    summary: Type.String({ description: 'In a sentence.' }),
    incidence: ref(KnowledgeIncidence),
    findings: Type.Array(ref(KnowledgeLikelihood), { description: 'What is found in it, as the file lists it.' }),
    risk_factors: Type.Array(ref(KnowledgeLikelihood), { description: 'History that makes it likelier.' }),
    treatments: references('Usual treatments.'),
    care: Type.Optional(Type.Array(ref(KnowledgeCare), { description: 'How each of the treatments is given.' })),
    evidence: Type.Optional(ref(Evidence)),
    guidelines: references('Guidelines that cover it.'),
    sources: sources('Where the knowledge comes from.'),
    knowledge_version: version,
  },
  { $id: 'KnowledgeCondition', title: 'KnowledgeCondition', description: 'A disease, an injury or a problem.' },
);
/** A disease, an injury or a problem. */
export type KnowledgeCondition = Static<typeof KnowledgeCondition>;

/** Between which values of a vital sign a finding holds. */
export const KnowledgeMeasurement = Type.Object(
  {
    sign: oneOf(vitalSigns, { description: 'Vital sign.' }),
    unit: Type.String({ description: 'Unit of the bounds.', examples: ['mmHg'] }),
    age_min_years: Type.Number({ minimum: 0, description: 'From this age on.' }),
    age_max_years: Type.Number({ minimum: 0, description: 'Up to this age, exclusive.' }),
    min: nullable('number', 'Least value; null for no limit.'),
    max: nullable('number', 'Largest value, exclusive; null for no limit.'),
  },
  {
    $id: 'KnowledgeMeasurement',
    title: 'KnowledgeMeasurement',
    description: 'Between which values of a vital sign a finding holds.',
  },
);

/** Something that can be present or absent in a patient. */
export const KnowledgeFinding = Type.Object(
  {
    id: entryId('finding'),
    name: Type.String({ description: 'Name.' }),
    category: oneOf(findingCategories, { description: 'What it is.' }),
    region: Type.String({ description: 'Region of the body, or group.', examples: ['chest'] }),
    base_rate: probability('How often it is present in patients of primary and emergency care.'),
    implies: references('More general findings that it implies.'),
    synonyms: texts('Wordings that state it; order and inflection of words do not matter.'),
    absent_synonyms: texts('Wordings that state its absence.'),
    loinc: Type.Optional(texts('LOINC codes of the measurement that it is read from.')),
    measurements: Type.Array(ref(KnowledgeMeasurement), { description: 'Vital signs from which it is read.' }),
    knowledge_version: version,
  },
  { $id: 'KnowledgeFinding', title: 'KnowledgeFinding', description: 'What can be present or absent in a patient.' },
);
/** Something that can be present or absent in a patient. */
export type KnowledgeFinding = Static<typeof KnowledgeFinding>;

/** Something that is done about conditions. */
export const KnowledgeTreatment = Type.Object(
  {
    id: entryId('treatment'),
    name: Type.String({ description: 'Name.' }),
    kind: oneOf(treatmentKinds, { description: 'Kind of treatment.' }),
    notes: optionalText(2000, { description: 'When and how.' }),
    contraindications: references('Findings that speak against it.'),
    uses: references('Medications and classes of them that it is given as; examples, where a class is large.'),
    conditions: references('Conditions that it is usual for.'),
    knowledge_version: version,
  },
  { $id: 'KnowledgeTreatment', title: 'KnowledgeTreatment', description: 'What is done about conditions.' },
);
/** Something that is done about conditions. */
export type KnowledgeTreatment = Static<typeof KnowledgeTreatment>;

/** An active substance, or a product that combines several. */
export const KnowledgeMedication = Type.Object(
  {
    id: entryId('medication'),
    name: Type.String({ description: 'International nonproprietary name.' }),
    synonyms: texts('Other names and salts.'),
    brands: texts('Trade names.'),
    atc: texts('ATC codes.'),
    rxnorm: texts('RxNorm concept identifiers.'),
    routes: texts('How it is taken.'),
    classes: references('Classes that it belongs to.'),
    substances: references('What a combination consists of; empty for a single substance.'),
    interactions_profiled: Type.Boolean({
      description: 'Whether its interactions were gone through; if not, what is not listed is not known.',
    }),
    knowledge_version: Type.String({
      description: 'Version of the medication knowledge, which is kept apart from the rest.',
    }),
  },
  {
    $id: 'KnowledgeMedication',
    title: 'KnowledgeMedication',
    description: 'An active substance, or a product that combines several.',
  },
);
/** An active substance, or a product that combines several. */
export type KnowledgeMedication = Static<typeof KnowledgeMedication>;

/** One thing that a guideline says should be done. */
export const KnowledgeRecommendation = Type.Object(
  {
    text: Type.String({ description: 'What should be done, in our own words.' }),
    topic: oneOf(recommendationTopics, { description: 'What it is about.' }),
    strength: oneOf(recommendationStrengths, {
      description:
        '`strong`: nearly everybody should have it; `conditional`: it depends on the patient; `good_practice`: agreed by experts.',
    }),
    source: ref(KnowledgeSource),
  },
  {
    $id: 'KnowledgeRecommendation',
    title: 'KnowledgeRecommendation',
    description: 'One thing that a guideline says should be done.',
  },
);

/** Published guidance, summarised. */
export const KnowledgeGuideline = Type.Object(
  {
    id: entryId('guideline'),
    title: Type.String({ description: 'Title of the summary.' }),
    specialty: Type.String({ description: 'Specialty it belongs to.', examples: ['cardiology'] }),
    population: Type.String({ description: 'Whom it is for.' }),
    summary: Type.String({ description: 'In a few sentences, in our own words.' }),
    recommendations: Type.Array(ref(KnowledgeRecommendation), { description: 'What should be done.' }),
    conditions: references('Conditions that it covers.'),
    treatments: references('Treatments that it speaks of.'),
    medications: references('Medications that it names.'),
    sources: sources('What it summarises.'),
    knowledge_version: version,
  },
  { $id: 'KnowledgeGuideline', title: 'KnowledgeGuideline', description: 'Published guidance, summarised.' },
);
/** Published guidance, summarised. */
export type KnowledgeGuideline = Static<typeof KnowledgeGuideline>;

/** A rule that finds danger whatever is likely. */
export const KnowledgeRedFlag = Type.Object(
  {
    id: entryId('rule'),
    name: Type.String({ description: 'Name of the danger.' }),
    message: Type.String({ description: 'What to do.' }),
    urgency: oneOf(['emergency', 'urgent'], { description: 'How soon.' }),
    when: Type.Array(references('Findings of which one must be present.'), {
      description: 'Groups of findings; one of every group must be present.',
    }),
    unless: references('Findings that must not be present.'),
    age_min_years: nullable('number', 'From this age on; null for any.'),
    age_max_years: nullable('number', 'Up to this age; null for any.'),
    sex: optionalOneOf(['female', 'male'], { description: 'Only for this sex; null for all.' }),
    source: ref(KnowledgeSource),
    evidence: Type.Optional(ref(Evidence)),
    knowledge_version: version,
  },
  { $id: 'KnowledgeRedFlag', title: 'KnowledgeRedFlag', description: 'A rule that finds danger whatever is likely.' },
);
/** A rule that finds danger whatever is likely. */
export type KnowledgeRedFlag = Static<typeof KnowledgeRedFlag>;

/** A code of a published code system. */
export const KnowledgeCode = Type.Object(
  {
    system: oneOf(['icd10', 'atc', 'rxnorm'], { 'x-open': true, description: 'Code system.' }),
    code: Type.String({ description: 'Code.', examples: ['I10'] }),
  },
  { $id: 'KnowledgeCode', title: 'KnowledgeCode', description: 'A code of a published code system.' },
);

/** Any entry or group, in short. */
export const KnowledgeItem = Type.Object(
  {
    entity_id: Type.String({
      description: 'Identifier among all kinds: the kind, a colon, and the entry’s own.',
      examples: ['condition:asthma'],
    }),
    kind: oneOf(entityKinds, { 'x-open': true, description: 'Kind.' }),
    id: entryId('entry among its kind'),
    name: Type.String({ description: 'Name.' }),
    summary: optionalText(2000, { description: 'In a sentence.' }),
    codes: Type.Array(ref(KnowledgeCode), { description: 'Codes.' }),
  },
  { $id: 'KnowledgeItem', title: 'KnowledgeItem', description: 'Any entry of the knowledge base, in short.' },
);
/** Any entry or group, in short. */
export type KnowledgeItem = Static<typeof KnowledgeItem>;

/** Where the words of a search stand in an entry. */
export const KnowledgeHighlight = Type.Object(
  {
    field: oneOf(['name', 'synonyms', 'brands', 'codes', 'summary', 'recommendations'], {
      'x-open': true,
      description: 'Part of the entry.',
    }),
    text: Type.String({ description: 'The text, shortened around the words where it is long.' }),
    spans: Type.Array(
      Type.Object({
        start: Type.Integer({ minimum: 0, description: 'First UTF-16 code unit.' }),
        end: Type.Integer({ minimum: 1, description: 'The code unit after the last.' }),
      }),
      { description: 'Where the words stand in `text`, from left to right.' },
    ),
  },
  { $id: 'KnowledgeHighlight', title: 'KnowledgeHighlight', description: 'Where the words of a search stand.' },
);
/** Where the words of a search stand in an entry. */
export type KnowledgeHighlight = Static<typeof KnowledgeHighlight>;

/** An entry that a search found. */
export const KnowledgeMatch = Type.Object(
  {
    item: ref(KnowledgeItem),
    score: Type.Number({ minimum: 0, description: 'How well it fits; comparable within one search only.' }),
    highlights: Type.Array(ref(KnowledgeHighlight), { description: 'Where the words stand, best place first.' }),
  },
  { $id: 'KnowledgeMatch', title: 'KnowledgeMatch', description: 'An entry that a search found.' },
);
/** An entry that a search found. */
export type KnowledgeMatch = Static<typeof KnowledgeMatch>;

/** An entry that has to do with another. */
export const KnowledgeRelated = Type.Object(
  {
    item: ref(KnowledgeItem),
    relation: Type.String({ description: 'How it is related, as a word of the knowledge graph.' }),
    score: probability('How closely.'),
    reason: Type.String({ description: 'Why, in words.' }),
  },
  { $id: 'KnowledgeRelated', title: 'KnowledgeRelated', description: 'An entry that has to do with another.' },
);
/** An entry that has to do with another. */
export type KnowledgeRelated = Static<typeof KnowledgeRelated>;

/** The knowledge base as a whole. */
export const KnowledgeBase = Type.Object(
  {
    knowledge_version: version,
    medication_knowledge_version: Type.String({ description: 'Version of the medication knowledge.' }),
    kinds: Type.Array(
      Type.Object({
        kind: oneOf(knowledgeKinds, { 'x-open': true, description: 'Kind of entry.' }),
        count: Type.Integer({ minimum: 0, description: 'How many entries there are.' }),
        path: Type.String({ description: 'Where they are listed, below the version.' }),
      }),
      { description: 'What it holds.' },
    ),
    disclaimer: Type.String({ description: 'What the knowledge base is and is not.' }),
  },
  { $id: 'KnowledgeBase', title: 'KnowledgeBase', description: 'The knowledge base as a whole.' },
);
/** The knowledge base as a whole. */
export type KnowledgeBase = Static<typeof KnowledgeBase>;

/** Every resource of this file. */
export const knowledgeResources = {
  KnowledgeSource,
  KnowledgeReference,
  KnowledgeLikelihood,
  KnowledgeIncidence,
  KnowledgeCare,
  KnowledgeCondition,
  KnowledgeMeasurement,
  KnowledgeFinding,
  KnowledgeTreatment,
  KnowledgeMedication,
  KnowledgeRecommendation,
  KnowledgeGuideline,
  KnowledgeRedFlag,
  KnowledgeCode,
  KnowledgeItem,
  KnowledgeHighlight,
  KnowledgeMatch,
  KnowledgeRelated,
  KnowledgeBase,
} as const;
