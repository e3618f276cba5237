import { isObject, type JsonObject, type JsonSchema, nullable } from '@perennial/schemas/platform/json-schema.ts';

/**
 * Schemas of an OpenAPI document (3.0 and 3.1) as the engine reads them: references by name, `nullable` as a type,
 * `allOf` as one object.
 */

/** The document says something that cannot be served. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused';
}

const COMPONENT = /^#\/components\/schemas\/([^/]+)$/;
/** Keywords whose value is data and no schema. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);
const ALL_OF_DEPTH_MAX = 16;

/** The name that changes call a component by: letters, digits, `_` and `-`. */
export function resourceName(component: string): string {
  return component.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** What a `$ref` of the document leads to. @throws {DocumentRefused} where it leads nowhere or out of the document. */
export function deref(document: JsonObject, value: unknown): JsonObject {
  let current = value;
  for (let depth = 0; isObject(current) && typeof current['$ref'] === 'string'; depth += 1) {
    const { $ref: ref } = current as { $ref: string };
    if (!ref.startsWith('#/') || depth > ALL_OF_DEPTH_MAX) throw new DocumentRefused(`${ref} cannot be followed`);
    current = ref
      .slice(2)
      .split('/')
      .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((at, token) => (isObject(at) && Object.hasOwn(at, token) ? at[token] : undefined), document);
    if (current === undefined) throw new DocumentRefused(`${ref} leads nowhere`);
  }
  if (!isObject(current)) throw new DocumentRefused('an object is missing where the document needs one');
  return current;
}

/** One schema. @throws {DocumentRefused} */
export function schemaIn(document: JsonObject, given: unknown, depth = 0): JsonSchema {
  if (given === true || given === undefined) return {};
  if (!isObject(given)) throw new DocumentRefused('a schema is neither an object nor true');
  if (typeof given['$ref'] === 'string') {
    const name = COMPONENT.exec(given['$ref'])?.[1];
    // What is no component has no name, and is written where it is used.
    if (name === undefined) return schemaIn(document, deref(document, given), depth + 1);
    deref(document, given);
    return { $ref: resourceName(decodeURIComponent(name)) };
  }
  if (Array.isArray(given['allOf'])) return schemaIn(document, merged(document, given, depth), depth);
  return finished(document, given, depth);
}

function finished(document: JsonObject, given: JsonObject, depth: number): JsonSchema {
  const inner = (each: unknown): JsonSchema => schemaIn(document, each, depth);
  const schema: JsonObject = {};
  for (const [keyword, value] of Object.entries(given)) {
    if (keyword === 'nullable' || keyword === 'example' || keyword === 'xml' || keyword === 'externalDocs') continue;
    if (keyword === 'properties' && isObject(value))
      schema[keyword] = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]));
    else if (keyword === 'items' || keyword === 'not') schema[keyword] = inner(value);
    else if ((keyword === 'oneOf' || keyword === 'anyOf') && Array.isArray(value)) schema[keyword] = value.map(inner);
    else if (keyword === 'additionalProperties' && isObject(value)) schema[keyword] = inner(value);
    else if (keyword === 'discriminator' && isObject(value)) schema[keyword] = discriminatorIn(given, value);
    else if ((keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum') && typeof value === 'boolean') {
      const bound = keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum';
      if (!value) continue;
      schema[keyword] = given[bound];
      delete schema[bound];
    } else if (DATA.has(keyword) || !hasRef(value)) schema[keyword] ??= value;
    else throw new DocumentRefused(`the keyword ${keyword} is not followed, and refers to another schema`);
  }
  // With a bound that stands aside, its own keyword may have come later.
  if (given['exclusiveMinimum'] === true) delete schema['minimum'];
  if (given['exclusiveMaximum'] === true) delete schema['maximum'];
  if (schema['properties'] !== undefined) schema['type'] ??= 'object';
  return given['nullable'] === true ? nullable(schema as JsonSchema) : (schema as JsonSchema);
}

/** `allOf` of objects as one object: members and what is required add up, and what is said later holds. */
function merged(document: JsonObject, given: JsonObject, depth: number): JsonObject {
  if (depth > ALL_OF_DEPTH_MAX) throw new DocumentRefused('allOf is nested too deeply, or refers to itself');
  const { allOf, ...own } = given;
  const parts = allOf as readonly unknown[];
  const isWrapped = parts.length === 1 && own['properties'] === undefined && own['required'] === undefined;
  // One reference with a description beside it, as 3.0 writes what 3.1 can write directly.
  if (isWrapped && isObject(parts[0]) && typeof parts[0]['$ref'] === 'string')
    return own['nullable'] === true ? { anyOf: [parts[0], { type: 'null' }] } : parts[0];
  let whole: JsonObject = {};
  for (const part of [...parts, own]) {
    const object = deref(document, part);
    const flat = Array.isArray(object['allOf']) ? merged(document, object, depth + 1) : object;
    if (flat['oneOf'] !== undefined || flat['anyOf'] !== undefined)
      throw new DocumentRefused('allOf with oneOf or anyOf inside cannot be written as one object');
    whole = {
      ...whole,
      ...flat,
      ...both(whole['properties'], flat['properties']),
      ...(flat['required'] !== undefined || whole['required'] !== undefined
        ? { required: [...new Set([...listOf(whole['required']), ...listOf(flat['required'])])] }
        : {}),
    };
  }
  delete whole['discriminator'];
  return whole;
}

function both(first: unknown, second: unknown): JsonObject {
  if (!isObject(first) && !isObject(second)) return {};
  return { properties: { ...(first as JsonObject | undefined), ...(second as JsonObject | undefined) } };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Where the document maps no word to a schema, each is called by its own name. */
function discriminatorIn(schema: JsonObject, discriminator: JsonObject): JsonObject {
  const nameOf = (ref: unknown): string => resourceName(String(ref).replace(/^.*\//, ''));
  const given = discriminator['mapping'];
  const refs = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].flatMap((each) =>
    isObject(each) && typeof each['$ref'] === 'string' ? [each['$ref']] : [],
  );
  const mapping = isObject(given)
    ? Object.entries(given).map(([word, ref]) => [word, nameOf(ref)])
    : refs.map((ref) => [ref.replace(/^.*\//, ''), nameOf(ref)]);
  return { propertyName: discriminator['propertyName'], mapping: Object.fromEntries(mapping) };
}

function hasRef(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasRef);
  if (!isObject(value)) return false;
  return typeof value['$ref'] === 'string' || Object.values(value).some(hasRef);
}
