import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { DetailCode } from './errors.ts';
import { details } from './errors.ts';
import { expectation } from './expectations.ts';
import type { Operation, Parameter } from './operation.ts';
import { eachRef, type JsonSchema } from './platform/json-schema.ts';
import type { ErrorDetail } from './resources/error-body.ts';
import { resolveRef } from './variants.ts';

/**
 * Validation against one version's contract. Core uses it at head and the gateway at every other version, so the
 * same fault gives the same code and message wherever it is found, and differs only in the names.
 */
export interface Validator {
  /** Faults of a body that should be what `ref` says; empty when it is. */
  body(ref: string, value: unknown): readonly ErrorDetail[];
  /** Faults of a query, and its values read as their types. Unknown and repeated parameters are faults. */
  query(operation: Operation, query: URLSearchParams): QueryResult;
}

/** A query as its operation understands it. */
export interface QueryResult {
  readonly faults: readonly ErrorDetail[];
  readonly values: Readonly<Record<string, string | number | boolean>>;
}

/** Most faults one answer lists. */
const DETAILS_MAX = 50;
/**
 * Members of a body, at any depth, of which every fault is looked for; of a larger one the first is told. Eighty thousand
 * faults would take a third of a second to gather, to be told fifty of.
 */
const MEMBERS_MAX = 10_000;

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/** Creates a validator; schemas are compiled at first use and kept. */
export function createValidator(resources: ReadonlyMap<string, JsonSchema>): Validator {
  const ajv = createAjv(true);
  const compile = compiler(ajv, resources);
  // Made when a body is so large that all its faults would be too many to gather.
  let compileFirst: ((ref: string) => ValidateFunction) | undefined;

  const parameterChecks = new Map<Parameter, ValidateFunction>();
  const checkOf = (parameter: Parameter): ValidateFunction => {
    let validate = parameterChecks.get(parameter);
    if (!validate) {
      validate = ajv.compile(parameter.schema);
      parameterChecks.set(parameter, validate);
    }
    return validate;
  };

  return {
    body(ref, value) {
      const isLarge = hasMoreMembers(value, MEMBERS_MAX);
      if (isLarge) compileFirst ??= compiler(createAjv(false), resources);
      const validate = (isLarge && compileFirst ? compileFirst : compile)(ref);
      if (validate(value)) return [];
      return toDetails(validate.errors ?? []);
    },
    query(operation, query) {
      const faults: ErrorDetail[] = [];
      const values: Record<string, string | number | boolean> = {};
      const fault = (parameter: string, code: DetailCode, expected?: string): void => {
        faults.push({ code, message: messageOf(code, expected), parameter });
      };
      const known = new Map(
        operation.parameters.filter((each) => each.in === 'query').map((each) => [each.name, each]),
      );
      let others = 0;
      for (const name of new Set(query.keys())) {
        const parameter = known.get(name);
        if (!parameter && isOther(operation, name)) {
          others += 1;
          if (others > (operation.otherParameters?.countMax ?? 0)) fault(name, 'too_many');
          continue;
        }
        if (!parameter) {
          fault(name.slice(0, 100), 'unknown_parameter');
          continue;
        }
        const given = query.getAll(name);
        if (given.length > 1 && parameter.repeatable !== true) {
          fault(name, 'repeated_parameter');
          continue;
        }
        const value = readValue(parameter.schema, given[0] as string);
        if (value === undefined) {
          fault(name, 'wrong_type', expectation('type', parameter.schema));
          continue;
        }
        const sortFault = parameter.link?.role === 'sort' && !isSortable(parameter.link.fields, String(value));
        const validate = checkOf(parameter);
        if (!validate(value)) {
          const [error] = validate.errors as [ErrorObject];
          fault(name, codeOf(error), expectedAt(error));
        } else if (sortFault) fault(name, 'not_allowed_value', sortable(parameter));
        else values[name] = value;
      }
      for (const parameter of known.values())
        if (parameter.required && !query.has(parameter.name)) fault(parameter.name, 'required');
      return { faults: faults.slice(0, DETAILS_MAX), values };
    },
  };
}

function isOther({ otherParameters }: Operation, name: string): boolean {
  return otherParameters !== undefined && new RegExp(otherParameters.pattern).test(name);
}

function createAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({ allErrors, strict: false, ownProperties: true, messages: false, verbose: true });
  addFormats(ajv);
  return ajv;
}

function compiler(ajv: Ajv2020, resources: ReadonlyMap<string, JsonSchema>): (ref: string) => ValidateFunction {
  const compiled = new Map<string, ValidateFunction>();
  return (ref) => {
    let validate = compiled.get(ref);
    if (!validate) {
      registerAll(ref, resources, ajv);
      validate = ajv.getSchema(ref) as ValidateFunction;
      compiled.set(ref, validate);
    }
    return validate;
  };
}

/** Whether a value has more members than this, at any depth. Looks at no more of them than it must. */
function hasMoreMembers(value: unknown, max: number): boolean {
  let left = max;
  const visit = (each: unknown): void => {
    if (typeof each !== 'object' || each === null) return;
    if (Array.isArray(each)) {
      left -= each.length;
      for (let at = 0; at < each.length && left >= 0; at += 1) visit(each[at]);
      return;
    }
    for (const name in each) {
      left -= 1;
      if (left < 0) return;
      visit((each as Readonly<Record<string, unknown>>)[name]);
    }
  };
  visit(value);
  return left < 0;
}

function registerAll(ref: string, resources: ReadonlyMap<string, JsonSchema>, ajv: Ajv2020): void {
  const pending = [ref];
  const seen = new Set<string>();
  while (pending.length > 0) {
    const next = pending.pop() as string;
    if (seen.has(next) || ajv.schemas[next] || ajv.refs[next]) continue;
    seen.add(next);
    const schema = resolveRef(resources, next);
    ajv.addSchema({ ...chosen(schema), $id: next }, next);
    eachRef(schema, (each) => pending.push(each));
  }
}

/**
 * The same schema with every union as a choice by its discriminator: a fault is then reported of the member that was
 * meant, and not of each that was not.
 */
function chosen(schema: JsonSchema): object {
  const { oneOf, discriminator, ...rest } = schema;
  const inner = {
    ...rest,
    ...(rest.properties && {
      properties: Object.fromEntries(Object.entries(rest.properties).map(([name, each]) => [name, chosen(each)])),
    }),
    ...(rest.items && { items: chosen(rest.items) }),
    ...(rest.anyOf && { anyOf: rest.anyOf.map(chosen) }),
    ...(typeof rest.additionalProperties === 'object' && { additionalProperties: chosen(rest.additionalProperties) }),
  };
  if (!oneOf || !discriminator?.mapping) return oneOf ? { ...inner, oneOf: oneOf.map(chosen) } : inner;
  const { propertyName, mapping } = discriminator;
  return {
    ...inner,
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { enum: Object.keys(mapping) } },
    allOf: Object.entries(mapping).map(([word, $ref]) => ({
      if: { properties: { [propertyName]: { const: word } }, required: [propertyName] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { $ref },
    })),
  };
}

/** Splits a `sort` value: `-dob,name` → `[{field: 'dob', descending: true}, {field: 'name', descending: false}]`. */
export function parseSort(sort: string): readonly { readonly field: string; readonly descending: boolean }[] {
  return sort.split(',').map((part) => {
    const descending = part.startsWith('-');
    return { field: descending ? part.slice(1) : part, descending };
  });
}

/** What a list can be ordered by, in the names of the version spoken. */
function sortable({ link }: Parameter): string | undefined {
  return link?.role === 'sort' ? expectation('enum', { enum: link.fields }) : undefined;
}

function isSortable(fields: readonly string[], sort: string): boolean {
  const keys = parseSort(sort).map(({ field }) => field);
  return keys.every((key) => fields.includes(key)) && new Set(keys).size === keys.length;
}

/** Reads a query value as the type its schema asks for; undefined when it cannot be. */
function readValue(schema: JsonSchema, text: string): string | number | boolean | undefined {
  switch (schema.type) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    default:
      return text;
  }
}

const keywordCodes: Readonly<Record<string, DetailCode>> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  type: 'wrong_type',
  enum: 'not_allowed_value',
  const: 'not_allowed_value',
  discriminator: 'not_allowed_value',
  format: 'wrong_format',
  pattern: 'wrong_format',
  multipleOf: 'wrong_format',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
  minItems: 'too_few',
  minProperties: 'too_few',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  uniqueItems: 'duplicate_entry',
};

function codeOf(error: ErrorObject): DetailCode {
  return keywordCodes[error.keyword] ?? 'malformed';
}

/** One token of an RFC 6901 pointer. */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A detail that names a place in the body. @param expected what would have been right, as a sentence. */
export function faultAt(pointer: string, code: DetailCode, expected?: string): ErrorDetail {
  return { code, message: messageOf(code, expected), pointer };
}

function messageOf(code: DetailCode, expected: string | undefined): string {
  return expected === undefined ? details[code] : `${details[code]} ${expected}`;
}

function expectedAt({ keyword, parentSchema }: ErrorObject): string | undefined {
  return parentSchema && expectation(keyword, parentSchema as JsonSchema);
}

/**
 * Turns ajv's errors into details: the registry's words, never ajv's, and a pointer to the member itself where a
 * member is missing or unknown. Unions report the fault of the alternative, not that no alternative fits.
 */
function toDetails(errors: readonly ErrorObject[]): readonly ErrorDetail[] {
  const found = new Map<string, ErrorDetail>();
  const inner = errors.filter((each) => !['anyOf', 'oneOf', 'if', 'not'].includes(each.keyword));
  // `anyOf: [X, null]` complains of the missing null beside the fault inside X: the second is what helps.
  const deepest = inner.filter(
    (each) =>
      !(
        each.keyword === 'type' &&
        each.params['type'] === 'null' &&
        inner.some((other) => other !== each && other.instancePath.startsWith(each.instancePath))
      ),
  );
  for (const error of deepest.length > 0 ? deepest : errors) {
    const member: unknown = error.params['missingProperty'] ?? error.params['additionalProperty'];
    const pointer =
      typeof member === 'string' ? `${error.instancePath}/${escapeToken(member.slice(0, 100))}` : error.instancePath;
    const code = codeOf(error);
    const key = `${code} ${pointer}`;
    if (!found.has(key)) found.set(key, faultAt(pointer, code, expectedAt(error)));
    if (found.size >= DETAILS_MAX) break;
  }
  return [...found.values()];
}
