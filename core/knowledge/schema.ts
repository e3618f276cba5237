/** JSON Schemas of the knowledge files. A file that does not fit stops the start and names the file. */

const text = { type: 'string', minLength: 1 } as const;
const id = { type: 'string', pattern: '^[a-z0-9_]+$' } as const;
const ids = { type: 'array', items: id, uniqueItems: true } as const;
/** Ids of the medication knowledge, which are written with hyphens. */
const medicationIds = {
  type: 'array',
  items: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
  uniqueItems: true,
} as const;
const texts = { type: 'array', items: text } as const;
const probability = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 } as const;
const certainty = { enum: ['high', 'moderate', 'low'] } as const;
const nullableNumber = { type: ['number', 'null'] } as const;

/** An object schema in which every property is required unless listed as optional. */
function object(properties: Record<string, object>, optional: string[] = []): object {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

const likelihoods = {
  type: 'array',
  items: object({ finding: id, p: probability, certainty, essential: { type: 'boolean' } }, ['essential']),
};

/** How a treatment is given, in words. */
const careTexts = {
  purpose: text,
  dose: text,
  checks: { ...texts, minItems: 1 },
  never_with: { ...medicationIds, minItems: 1 },
  source: id,
} as const;
const careNames = Object.keys(careTexts);
const careDetails = {
  ...careTexts,
  line: { enum: ['act', 'first_hour', 'first', 'further', 'alongside'] },
  for_whom: text,
  age_min_years: { type: 'number', minimum: 0 },
  age_max_years: { type: 'number', minimum: 0 },
  despite: object({ kind: { enum: ['condition', 'age', 'pregnancy', 'kidney', 'liver'] }, reason: text }),
} as const;

export const conditionSchema: object = object(
  {
    id,
    name: text,
    synonyms: texts,
    icd10: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', pattern: '^[A-Z][0-9][0-9A-Z](\\.[0-9A-Z]{1,4})?$' },
    },
    specialty: id,
    urgency: { enum: ['emergency', 'urgent', 'soon', 'routine', 'self_care'] },
    summary: text,
    incidence: object({
      per_100k_encounters: { type: 'number', exclusiveMinimum: 0 },
      age: {
        type: 'object',
        propertyNames: { enum: ['0', '1-4', '5-11', '12-17', '18-29', '30-44', '45-59', '60-74', '75+'] },
        additionalProperties: { type: 'number', minimum: 0 },
      },
      sex: object({ female: { type: 'number', minimum: 0 }, male: { type: 'number', minimum: 0 } }),
      certainty,
      source: id,
    }),
    findings: { ...likelihoods, minItems: 1 },
    risk_factors: likelihoods,
    treatments: { ...ids, minItems: 1 },
    care: { type: 'object', propertyNames: id, additionalProperties: object(careDetails, Object.keys(careDetails)) },
    sources: { ...ids, minItems: 1 },
  },
  ['care'],
);

export const findingsSchema: object = {
  type: 'array',
  items: object(
    {
      id,
      name: text,
      category: { enum: ['symptom', 'sign', 'test', 'history', 'time', 'vital_sign'] },
      region: id,
      base_rate: probability,
      implies: ids,
      cluster: { type: ['string', 'null'] },
      synonyms: texts,
      absent_synonyms: texts,
      loinc: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[0-9]{1,7}-[0-9]$' } },
    },
    ['loinc'],
  ),
};

export const redFlagsSchema: object = {
  type: 'array',
  items: object({
    id,
    name: text,
    message: text,
    urgency: { enum: ['emergency', 'urgent'] },
    when: { type: 'array', minItems: 1, items: { ...ids, minItems: 1 } },
    unless: ids,
    age_min_years: nullableNumber,
    age_max_years: nullableNumber,
    sex: { enum: ['female', 'male', null] },
    source: id,
  }),
};

export const treatmentsSchema: object = {
  type: 'array',
  items: object(
    {
      id,
      name: text,
      kind: { enum: ['medication', 'procedure', 'lifestyle', 'referral', 'monitoring', 'supportive'] },
      notes: { type: ['string', 'null'] },
      contraindications: ids,
      uses: object({ classes: medicationIds, substances: medicationIds }),
      ...careTexts,
    },
    ['uses', ...careNames],
  ),
};

export const guidelinesSchema: object = {
  type: 'array',
  items: object({
    id,
    title: text,
    specialty: id,
    population: text,
    conditions: ids,
    treatments: ids,
    medications: medicationIds,
    summary: text,
    recommendations: {
      type: 'array',
      minItems: 1,
      items: object(
        {
          text,
          topic: {
            enum: ['recognition', 'diagnosis', 'treatment', 'referral', 'monitoring', 'prevention', 'information'],
          },
          strength: { enum: ['strong', 'conditional', 'good_practice'] },
          source: id,
        },
        ['source'],
      ),
    },
    sources: { ...ids, minItems: 1 },
  }),
};

export const signOffsSchema: object = {
  type: 'array',
  items: object(
    {
      entry: { type: 'string', pattern: '^[a-z_]+:[a-z0-9_]+$' },
      version: { type: 'string', pattern: '^[0-9a-f]{12}$' },
      name: text,
      role: text,
      on: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
      note: text,
    },
    ['note'],
  ),
};

export const sourcesSchema: object = {
  type: 'array',
  items: object(
    {
      id,
      title: text,
      organisation: text,
      identifier: text,
      url: { type: ['string', 'null'] },
      year: { type: ['integer', 'null'] },
    },
    ['organisation', 'identifier'],
  ),
};

const signs = ['temperature', 'systolic', 'diastolic', 'heart_rate', 'respiratory_rate', 'oxygen_saturation'];

/** One entry per vital sign, each of the given shape. */
function perSign(shape: object): object {
  return object(Object.fromEntries(signs.map((sign) => [sign, shape])));
}

export const vitalsSchema: object = object({
  units: perSign(text),
  plausible: perSign({
    type: 'array',
    minItems: 1,
    items: object({ below_years: nullableNumber, min: { type: 'number' }, max: { type: 'number' } }),
  }),
  rules: {
    type: 'array',
    items: object({
      finding: id,
      sign: { enum: signs },
      age_min_years: { type: 'number' },
      age_max_years: { type: 'number' },
      min: nullableNumber,
      max: nullableNumber,
    }),
  },
});

const wordLists = { type: 'object', additionalProperties: texts };

export const wordsSchema: object = object({
  same: wordLists,
  phrases: wordLists,
  sites: texts,
  sensations: texts,
  fillers: texts,
  stops: texts,
});

const assertionKind = {
  enum: ['negated', 'normal', 'resolved', 'historical', 'past', 'hypothetical', 'uncertain', 'other'],
};

export const languageSchema: object = object({
  language: { type: 'string', pattern: '^[a-z]{2,3}(-[A-Z]{2})?$' },
  name: text,
  sources: ids,
  assertion: object({
    contractions: object({ means: text, endings: texts, words: texts }),
    numbers: texts,
    triggers: {
      type: 'array',
      items: object(
        {
          kind: assertionKind,
          direction: { enum: ['forward', 'backward'] },
          reach: { enum: ['own', 'word', 'word3', 'phrase', 'clause', 'list', 'all'] },
          temporality: { const: 'historical' },
          experiencer: { const: 'other' },
          cues: texts,
        },
        ['temporality', 'experiencer'],
      ),
    },
    pseudo: texts,
    ends: {
      type: 'object',
      propertyNames: { enum: [...assertionKind.enum, 'all'] },
      additionalProperties: texts,
    },
    list_joins: texts,
    alternatives: texts,
    subjects: texts,
    verbs: texts,
    seen: texts,
    emphasis: texts,
    light: texts,
    onset: texts,
    relatives: object({ words: texts, pseudo: texts, speaks: texts, suffers: texts, belongs: texts, patients: texts }),
    own: object({ possessives: texts, breaks: texts, complains: texts }),
  }),
  misspellings: { type: 'object', additionalProperties: texts },
  endings: texts,
  signature: texts,
});

export const dangerSchema: object = object({
  language: { type: 'string', pattern: '^[a-z]{2,3}(-[A-Z]{2})?$' },
  classes: wordLists,
  says: { type: 'array', items: object({ finding: id, source: id, says: { ...texts, minItems: 1 } }) },
});

export const otherLanguagesSchema: object = {
  type: 'array',
  items: object({ language: text, name: text, script: { type: ['string', 'null'] }, signature: texts }),
};

export const versionSchema: object = object({ version: { type: 'string', pattern: '^[0-9]{4}\\.[0-9]+\\.[0-9]+$' } });
