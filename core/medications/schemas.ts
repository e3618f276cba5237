import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { CERTAINTIES } from './types.ts';

const id = { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' };
const propertyId = { type: 'string', pattern: '^[a-z0-9_]+$' };
const text = { type: 'string', minLength: 1 };
const names = { type: 'array', items: text, uniqueItems: true };
const ids = { type: 'array', items: id, uniqueItems: true };
const severity = { enum: ['contraindicated', 'major', 'moderate', 'minor'] };
const certainty = { enum: [...CERTAINTIES] };
const sources = { type: 'array', items: id, minItems: 1, uniqueItems: true };
const grade = { type: 'array', prefixItems: [text, certainty, id], items: false, minItems: 3 };
const grades = { type: 'object', propertyNames: propertyId, additionalProperties: grade };
const atc = { type: 'string', pattern: '^[A-Z]\\d{2}([A-Z]([A-Z](\\d{2})?)?)?$' };
const rulePropertyId = { type: 'string', pattern: '^[a-z0-9_{}]+$' };
const strengths = { type: 'array', items: text, minItems: 1 };

const object = (required: Record<string, unknown>, optional: Record<string, unknown> = {}): object => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});
const list = (key: string, item: object, extra: Record<string, unknown> = {}): object =>
  object({ [key]: { type: 'array', items: item, minItems: 1 } }, { title: text, ...extra });

const selector = {
  ...object(
    {},
    {
      substances: ids,
      classes: ids,
      properties: { type: 'object', propertyNames: rulePropertyId, additionalProperties: strengths },
      where: { type: 'object', propertyNames: rulePropertyId, additionalProperties: strengths },
      except: object({}, { substances: ids, classes: ids }),
    },
  ),
  anyOf: [{ required: ['substances'] }, { required: ['classes'] }, { required: ['properties'] }],
};
const explanation = { severity, certainty, mechanism: text, effect: text, management: text, sources };
const pairRuleId = { type: 'string', pattern: '^[a-z0-9{}]+(-[a-z0-9{}]+)*$' };
const doseRange = object({}, { above: { type: 'number' }, up_to: { type: 'number' } });
const patientWhen = {
  ...object(
    {},
    {
      conditions: { type: 'array', items: { type: 'string', pattern: '^[A-Z]\\d{2}(\\.\\d{1,2})?$' }, minItems: 1 },
      age_min: { type: 'number' },
      age_below: { type: 'number' },
      sex: names,
      pregnant: { const: true },
      lactating: { const: true },
      egfr_min: { type: 'number' },
      egfr_below: { type: 'number' },
      child_pugh: { type: 'array', items: { enum: ['A', 'B', 'C'] } },
      neutrophils_below: { type: 'number' },
      platelets_below: { type: 'number' },
      potassium_above: { type: 'number' },
      potassium_below: { type: 'number' },
    },
  ),
  minProperties: 1,
};
const pairRule = (words: Record<string, unknown>): object =>
  object(
    { id: pairRuleId, a: selector, b: selector, ...words },
    {
      each: { type: 'object', additionalProperties: strengths, maxProperties: 1 },
      oral_only: { const: true },
      local_routes: { const: true },
      dose: object({}, { a: doseRange, b: doseRange }),
      over: { ...ids, minItems: 1 },
      reason: text,
      worse_with: { type: 'array', items: object({ when: patientWhen, severity, because: text }), minItems: 1 },
    },
  );

/** Shapes of the files under `core/knowledge/medications/`, by kind of file. */
export const FILE_SCHEMAS = {
  version: object({ knowledge_version: text, reviewed: text, disclaimer: text }),
  sources: list('sources', object({ id, title: text, publisher: text, year: { type: 'integer' } }, { url: text })),
  properties: list(
    'properties',
    object({
      id: propertyId,
      title: text,
      strengths,
      default_certainty: { type: 'object', additionalProperties: certainty },
      default_source: id,
    }),
  ),
  classes: list(
    'classes',
    object({ id, name: text, duplicate: { anyOf: [severity, { type: 'null' }] }, properties: grades }),
  ),
  substances: list(
    'substances',
    object(
      {
        id,
        name: text,
        atc: { type: 'array', items: atc, uniqueItems: true },
        classes: ids,
        routes: { ...names, minItems: 1 },
        profiled: { type: 'boolean' },
      },
      {
        rxnorm: { type: 'array', items: { type: 'string', pattern: '^\\d+$' } },
        synonyms: names,
        brands: names,
        systemic_when_local: { const: true },
        properties: grades,
      },
    ),
    { area: text },
  ),
  combinations: list(
    'combinations',
    object(
      { id, name: text, substances: { ...ids, minItems: 2 }, atc: { type: 'array', items: atc } },
      { synonyms: names, brands: names },
    ),
  ),
  pairRules: list('rules', pairRule(explanation)),
  ceilings: list('rules', pairRule({ ...explanation, effect: { type: 'string' }, management: { type: 'string' } })),
  groups: list(
    'groups',
    object(
      { id, title: text, ...explanation },
      {
        members: { type: 'array', items: selector, minItems: 3 },
        count: object({ of: selector, min: { type: 'integer', minimum: 3 } }, { including: selector }),
      },
    ),
  ),
  foods: list('foods', object({ id, food: text, medication: selector, ...explanation })),
  patient: list(
    'patient',
    object({
      id,
      when: patientWhen,
      medication: selector,
      ...explanation,
    }),
  ),
  allergies: list(
    'allergies',
    object({
      id,
      terms: { ...names, minItems: 1 },
      members: selector,
      within: object({ severity, certainty, management: text }),
      crosses: { type: 'array', items: object({ members: selector, severity, certainty, note: text, sources }) },
    }),
  ),
} as const;

export type FileKind = keyof typeof FILE_SCHEMAS;

const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
const compiled = new Map<FileKind, ValidateFunction>();

/**
 * Checks one parsed data file against the schema of its kind.
 * @returns one line per mistake, empty when the file is well formed
 */
export function fileMistakes(kind: FileKind, data: unknown): string[] {
  const validate = compiled.get(kind) ?? ajv.compile(FILE_SCHEMAS[kind]);
  compiled.set(kind, validate);
  if (validate(data)) return [];
  return (validate.errors ?? []).map((e) => `${e.instancePath || '/'} ${e.message ?? 'is malformed'}`);
}
