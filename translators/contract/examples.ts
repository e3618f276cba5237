import type { Contract } from '@perennial/schemas/contract.ts';
import {
  eachRef,
  isNullable,
  type JsonSchema,
  type JsonValue,
  typesOf,
} from '@perennial/schemas/platform/json-schema.ts';
import { resolveRef } from '@perennial/schemas/variants.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { schemasReachedFrom } from './refs.ts';

/**
 * Example values of a version's schemas. A schema's own `examples` are used where they fit; those that were written
 * for a newer shape do not fit an older one, and a value is made instead: always the same one for the same schema.
 */
export interface Examples {
  /** An example of what `ref` means. */
  of(ref: string): JsonValue;
  /** An example of a schema that may refer to others; `name` flavours texts. */
  ofSchema(schema: JsonSchema, name?: string): JsonValue;
  /** Why a value is not what the schema says; empty when it is. */
  faults(schema: JsonSchema, value: unknown): readonly string[];
}

/** No value could be made: the schema needs an example of its own. */
export class ExampleMissing extends Error {
  override readonly name = 'ExampleMissing';
}

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

const byFormat: Readonly<Record<string, string>> = {
  date: '1984-03-07',
  'date-time': '2023-10-15T09:30:00.000Z',
  time: '09:30:00Z',
  email: 'amara@example.org',
  uri: 'https://example.org/resource',
  'uri-reference': '/errors#not_found',
  uuid: '0b6f5f0e-6c1e-4a52-9e0a-3d5f0a6f4b11',
  hostname: 'example.org',
};

/** Texts that fit the patterns that are most common. */
const common = ['1', '37.2', 'a', 'A', 'code', 'CODE', 'en', 'en-GB', 'A00', 'A00.0', '8867-4', '1.0.0', '2023-10-15'];

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false, ownProperties: true });
  addFormats(ajv);
  return ajv;
}

/** Checks of schemas that refer to nothing. Most members are the same in every version, so they are shared. */
const checks = new Map<string, ValidateFunction>();
const shared = createAjv();

function checkOf(schema: JsonSchema): ValidateFunction {
  const { examples: _, description: __, title: ___, ...rest } = schema;
  const key = JSON.stringify(rest);
  let check = checks.get(key);
  if (!check) {
    check = shared.compile(rest);
    checks.set(key, check);
  }
  return check;
}

/** Prepares the examples of one version. */
export function createExamples(resources: Contract['resources']): Examples {
  const ajv = createAjv();
  const registered = new Set<string>();
  const made = new Map<string, JsonValue>();

  const register = (schema: JsonSchema): void => {
    for (const [ref, each] of schemasReachedFrom(resources, refsOf(schema)))
      if (!registered.has(ref)) {
        registered.add(ref);
        ajv.addSchema({ ...each, $id: ref }, ref);
      }
  };

  const compiled = (schema: JsonSchema): ValidateFunction => {
    register(schema);
    return ajv.compile(schema);
  };

  const faults = (schema: JsonSchema, value: unknown): readonly string[] => {
    const { $id: _, ...anonymous } = schema;
    const validate = refsOf(schema).length === 0 ? checkOf(anonymous) : compiled(anonymous);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
  };

  const ofSchema = (schema: JsonSchema, name: string, open: readonly string[]): JsonValue => {
    const given = schema.examples?.[0];
    if (given !== undefined && faults(schema, given).length === 0) return given;
    if (schema.$ref !== undefined) return ofRef(schema.$ref, open);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum.find((value) => value !== null) ?? null;
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives) {
      const present = alternatives.filter(({ type }) => type !== 'null');
      const free = present.find(({ $ref }) => $ref === undefined || !open.includes($ref));
      return free ? ofSchema(free, name, open) : null;
    }
    if (schema.default !== undefined) return schema.default;
    const type = typesOf(schema).find((each) => each !== 'null');
    switch (type) {
      case 'object':
        return ofObject(schema, open);
      case 'array':
        return ofArray(schema, name, open);
      case 'string':
        return ofText(schema, name);
      case 'integer':
      case 'number':
        return ofNumber(schema, type);
      case 'boolean':
        return true;
      default:
        return schema.properties ? ofObject(schema, open) : null;
    }
  };

  const ofRef = (ref: string, open: readonly string[]): JsonValue => {
    const known = made.get(ref);
    if (known !== undefined) return known;
    if (open.includes(ref)) throw new ExampleMissing(`${ref} contains itself without an end; give it an example`);
    const value = ofSchema(resolveRef(resources, ref), ref, [...open, ref]);
    // What was cut off because it lies inside itself is no example elsewhere.
    if (open.length === 0) made.set(ref, value);
    return value;
  };

  const ofObject = (schema: JsonSchema, open: readonly string[]): JsonValue => {
    const value: Record<string, JsonValue> = {};
    const required = new Set(schema.required ?? []);
    const writes = schema.additionalProperties === false;
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      // What is written leaves out what only the service sets.
      if (member.readOnly && writes) continue;
      if (!required.has(name) && leadsTo(member, open)) continue;
      value[name] = leadsTo(member, open) && isNullable(member) ? null : ofSchema(member, name, open);
    }
    const { additionalProperties: rest } = schema;
    if (typeof rest === 'object' && !leadsTo(rest, open)) value['key'] = ofSchema(rest, 'value', open);
    return value;
  };

  const ofArray = (schema: JsonSchema, name: string, open: readonly string[]): JsonValue => {
    const { items, minItems = 0 } = schema;
    if (!items || (minItems === 0 && leadsTo(items, open))) return [];
    const singular = name.replace(/s$/, '');
    const first = ofSchema(items, singular, open);
    return Array.from({ length: Math.max(1, minItems) }, (_, index) =>
      index === 0 ? first : another(items, first, index),
    );
  };

  const ofText = (schema: JsonSchema, name: string): JsonValue => {
    const { format, pattern, minLength = 0, maxLength = Number.MAX_SAFE_INTEGER } = schema;
    const words =
      name
        .replace(/[_.]/g, ' ')
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase() || 'text';
    const given = (format !== undefined && byFormat[format]) || words.padEnd(minLength, '.').slice(0, maxLength);
    if (pattern === undefined) return given;
    const expression = new RegExp(pattern, 'u');
    const text = [given, ...common].find(
      (each) => each.length >= minLength && each.length <= maxLength && expression.test(each),
    );
    if (text === undefined)
      throw new ExampleMissing(`${name}: no text that matches ${pattern} is known; give the schema an example`);
    return text;
  };

  return {
    of: (ref) => ofRef(ref, []),
    ofSchema: (schema, name = '') => ofSchema(schema, name, []),
    faults,
  };
}

/** An entry beside the first, another one where that is easily made. */
function another(items: JsonSchema, first: JsonValue, index: number): JsonValue {
  const { enum: values } = items;
  if (values) return values[index % values.length] as JsonValue;
  if (typeof first === 'number') return first + index;
  if (typeof first !== 'string') return first;
  // Identifiers and words may end otherwise and still be what their pattern asks for.
  return `${first.slice(0, -1)}${first.endsWith(String(index)) ? '0' : index}`;
}

function ofNumber(schema: JsonSchema, type: 'integer' | 'number'): number {
  const { minimum, exclusiveMinimum, maximum, multipleOf } = schema;
  const low = minimum ?? (exclusiveMinimum === undefined ? Math.min(1, maximum ?? 1) : exclusiveMinimum + 1);
  const high = maximum ?? low;
  const middle = type === 'integer' ? Math.floor((low + Math.min(high, low + 100)) / 2) : (low + high) / 2;
  return multipleOf === undefined ? middle : Math.ceil(low / multipleOf) * multipleOf;
}

function refsOf(schema: JsonSchema): readonly string[] {
  const refs = new Set<string>();
  eachRef(schema, (ref) => refs.add(ref));
  return [...refs];
}

/** Whether a member refers to something whose example is being made. */
function leadsTo(schema: JsonSchema, open: readonly string[]): boolean {
  return refsOf(schema).some((ref) => open.includes(ref));
}
