/**
 * The part of JSON Schema 2020-12 that the contract uses, as a type. Derivation rewrites these documents, so they
 * are plain JSON: no functions, no symbols.
 */
export interface JsonSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: { readonly [value: string]: string } };
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly readOnly?: boolean;
  readonly deprecated?: boolean;
  /** The value is the name (or dotted path) of a field of this resource, and follows its renames. */
  readonly 'x-field-of'?: string;
  /** The value is one of the field that the member of this name beside it names, and follows that field's conversions. */
  readonly 'x-value-of'?: string;
  /** The values are those of other members, `Patient.id` for instance, and follow what becomes of those. */
  readonly 'x-same-as'?: readonly string[];
  /**
   * The value is an error whose pointers lead into what was sent as this resource, and follow its renames; except
   * where the member beside it says that they are kept as they were sent.
   */
  readonly 'x-pointers'?: {
    readonly into: string;
    readonly asSent: { readonly member: string; readonly value: string };
  };
  /** The list of values may grow without a new version: clients must expect values that they do not know. */
  readonly 'x-open'?: boolean;
  /** Free-form JSON that belongs to the client: never entered by a translator. */
  readonly 'x-opaque'?: boolean;
}

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object whose members are read by name. */
export type JsonObject = { [key: string]: unknown };

/** Whether the value is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The types a schema allows, as a list. */
export function typesOf(schema: JsonSchema): readonly string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** Whether the schema itself (not what it refers to) allows null. */
export function isNullable(schema: JsonSchema): boolean {
  return typesOf(schema).includes('null') || (schema.anyOf ?? schema.oneOf ?? []).some(isNullable);
}

/** The same schema, allowing null as well. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (isNullable(schema)) return schema;
  const types = typesOf(schema);
  if (types.length === 0) {
    const { description, ...rest } = schema;
    return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: 'null' }] };
  }
  return { ...schema, type: [...types, 'null'], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) };
}

/** The same schema without null: the reverse of `nullable`. */
export function notNull(schema: JsonSchema): JsonSchema {
  const { anyOf, oneOf, ...rest } = schema;
  const types = typesOf(schema).filter((type) => type !== 'null');
  const [only] = types;
  const plain: JsonSchema = {
    ...rest,
    ...(only !== undefined && { type: types.length === 1 ? only : types }),
    ...(schema.enum && { enum: schema.enum.filter((value) => value !== null) }),
  };
  const alternatives = (anyOf ?? oneOf)?.filter((each) => each.type !== 'null').map(notNull);
  if (!alternatives) return plain;
  const [single] = alternatives;
  if (alternatives.length === 1 && single) return { ...single, ...plain };
  return { ...plain, ...(anyOf ? { anyOf: alternatives } : { oneOf: alternatives }) };
}

/** Whether the schema is an object with named members of its own, not a reference, union or dictionary. */
export function isInlineObject(schema: JsonSchema): boolean {
  return schema.$ref === undefined && schema.properties !== undefined;
}

/** Calls `visit` with every `$ref` below the schema. */
export function eachRef(schema: JsonSchema, visit: (ref: string) => void): void {
  if (schema.$ref !== undefined) visit(schema.$ref);
  for (const member of membersOf(schema)) eachRef(member, visit);
}

/** Calls `visit` with every resource whose field names are values below the schema (`x-field-of`). */
export function eachFieldLink(schema: JsonSchema, visit: (resource: string) => void): void {
  if (schema['x-field-of'] !== undefined) visit(schema['x-field-of']);
  for (const member of membersOf(schema)) eachFieldLink(member, visit);
}

/** Calls `visit` with every resource that pointers below the schema lead into (`x-pointers`). */
export function eachPointerLink(schema: JsonSchema, visit: (resource: string) => void): void {
  if (schema['x-pointers'] !== undefined) visit(schema['x-pointers'].into);
  for (const member of membersOf(schema)) eachPointerLink(member, visit);
}

/** The schemas directly below a schema. */
export function membersOf(schema: JsonSchema): readonly JsonSchema[] {
  return [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
}

/** The schema with every schema below it, and itself last, replaced by `map`. */
export function mapSchemas(schema: JsonSchema, map: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (each: JsonSchema): JsonSchema => mapSchemas(each, map);
  return map({
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, each]) => [name, inner(each)])),
    }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(inner) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(inner) }),
    ...(schema.items && { items: inner(schema.items) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: inner(schema.additionalProperties),
    }),
  });
}

/** The schema with every `$ref` below it replaced by `map(ref)`. */
export function mapRefs(schema: JsonSchema, map: (ref: string) => string): JsonSchema {
  return mapSchemas(schema, (each) => (each.$ref === undefined ? each : { ...each, $ref: map(each.$ref) }));
}
