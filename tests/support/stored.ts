import {
  isInlineObject,
  isNullable,
  isObject,
  type JsonObject,
  type JsonSchema,
} from '@perennial/schemas/platform/json-schema.ts';

/** What core does with bodies, as far as translations depend on it: a reference for properties. */

/**
 * A body as core answers it after storing it: every member printed, absent ones null, read-only ones from `stored`.
 * @param resources where the schema is a union: of these, the one that the body says it is.
 */
export function printed(
  given: JsonSchema,
  body: JsonObject,
  stored: JsonObject = {},
  resources?: ReadonlyMap<string, JsonSchema>,
): JsonObject {
  const schema = memberOf(given, { ...stored, ...body }, resources);
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const value = body[name];
    if (member.readOnly) result[name] = stored[name];
    else if (isInlineObject(member)) result[name] = printed(member, isObject(value) ? value : {}, {});
    else if (value === undefined) {
      if (isNullable(member)) result[name] = null;
      else if (member.type === 'array') result[name] = [];
    } else result[name] = value === null && member.type === 'array' ? [] : value;
  }
  return result;
}

/** The member of a union that a body says it is; any other schema is what it is. */
function memberOf(
  schema: JsonSchema,
  body: JsonObject,
  resources: ReadonlyMap<string, JsonSchema> | undefined,
): JsonSchema {
  const { propertyName, mapping = {} } = schema.discriminator ?? {};
  const ref = propertyName === undefined ? undefined : mapping[String(body[propertyName])];
  return (ref === undefined ? undefined : resources?.get(ref)) ?? schema;
}

/** Absent, null, an empty list and an object of nothing else are the same: what is left is what a client can tell apart. */
export function meaning(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(meaning);
  if (!isObject(value)) return value;
  const entries = Object.entries(value)
    .map(([name, member]) => [name, meaning(member)] as const)
    .filter(
      ([, member]) =>
        member !== null && member !== undefined && !(isObject(member) && Object.keys(member).length === 0),
    );
  return Object.fromEntries(entries);
}

/** A body without its read-only members. */
export function writableOf(
  given: JsonSchema,
  body: JsonObject,
  resources?: ReadonlyMap<string, JsonSchema>,
): JsonObject {
  const schema = memberOf(given, body, resources);
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(body)) {
    const member = schema.properties?.[name];
    if (member?.readOnly) continue;
    result[name] = member && isInlineObject(member) && isObject(value) ? writableOf(member, value) : value;
  }
  return result;
}

/** JSON as it arrives: members that are undefined are absent. */
export function overTheWire<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
