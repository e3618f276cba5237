import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, typesOf } from '@perennial/schemas/platform/json-schema.ts';
import type { OpenApiContent, OpenApiDocument, OpenApiResponse } from '../document.ts';

/*
 * Names for what a document writes in place. Generators call what has no name by where it stands
 * (`ListPatients200ResponseDataContactType1`), and by another name as soon as it stands elsewhere.
 */

/** The components of a document while names are given. */
export interface Names {
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /** Gives a schema a name, or finds the one that it has. */
  add(name: string, schema: JsonSchema): JsonSchema;
}

/** Names every object inside the document's schemas. */
export function nameSchemas(schemas: OpenApiDocument['components']['schemas']): Names {
  const named = new Map<string, JsonSchema>(Object.entries(schemas));
  const add = (name: string, schema: JsonSchema): JsonSchema => {
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? name : `${name}${count}`;
      const known = named.get(free);
      if (known === undefined) named.set(free, schema);
      else if (!isDeepStrictEqual(known, schema)) continue;
      return { $ref: `#/components/schemas/${free}` };
    }
  };
  const inside = (name: string, schema: JsonSchema): JsonSchema => ({
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([key, each]) => [key, outer(`${name}${pascal(key)}`, each)]),
      ),
    }),
    ...(schema.items && { items: outer(`${name}Item`, schema.items) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: outer(`${name}Value`, schema.additionalProperties),
    }),
    ...(schema.anyOf && { anyOf: alternatives(name, schema.anyOf) }),
    ...(schema.oneOf && { oneOf: alternatives(name, schema.oneOf) }),
  });
  const alternatives = (name: string, all: readonly JsonSchema[]): readonly JsonSchema[] => {
    const present = all.filter(({ type }) => type !== 'null');
    return all.map((each, at) =>
      outer(present.length === 1 ? name : `${name}${pascal(each.title ?? String(at + 1))}`, each),
    );
  };
  const outer = (name: string, schema: JsonSchema): JsonSchema => {
    const inner = inside(name, schema);
    if (inner.properties === undefined || Object.keys(inner.properties).length === 0) return inner;
    const { description, readOnly, deprecated, type: _, examples: __, ...rest } = inner;
    const isNullable = typesOf(schema).includes('null');
    const ref = add(name, { title: name, ...(description ? { description } : {}), type: 'object', ...rest });
    return {
      ...(description ? { description } : {}),
      ...(readOnly ? { readOnly } : {}),
      ...(deprecated ? { deprecated } : {}),
      ...(isNullable ? { anyOf: [ref, { type: 'null' }] } : ref),
    };
  };
  for (const [name, schema] of Object.entries(schemas)) named.set(name, inside(name, schema));
  return { schemas: named, add };
}

/** The response with its envelope, or the events of its stream, by name. */
export function withNames(names: Names, operationId: string, response: OpenApiResponse): OpenApiResponse {
  if (!response.content) return response;
  const content: OpenApiContent = Object.fromEntries(
    Object.entries(response.content).map(([type, entry]) => [
      type,
      { ...entry, schema: nameOf(names, operationId, entry.schema) },
    ]),
  );
  return { ...response, content };
}

function nameOf(names: Names, operationId: string, schema: JsonSchema): JsonSchema {
  const data = schema.properties?.['data']?.$ref?.split('/').at(-1);
  if (data !== undefined && schema.properties?.['meta'] !== undefined) {
    const title = `${data}Envelope`;
    return names.add(title, { title, description: `An answer whose \`data\` is a \`${data}\`.`, ...schema });
  }
  if (!schema.oneOf) return schema;
  const members = schema.oneOf.map((each) => {
    const title = `${pascal(operationId)}${pascal(each.title ?? 'event')}`;
    return names.add(title, { ...each, title, description: `The event \`${each.title}\` of the stream.` });
  });
  const title = `${pascal(operationId)}Event`;
  return names.add(title, { title, ...schema, oneOf: members });
}

/** `patients.list`, `red_flag` → `PatientsList`, `RedFlag`. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
