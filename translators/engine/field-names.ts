import { eachFieldLink, type JsonSchema, type JsonValue, mapSchemas } from '@perennial/schemas/json-schema.ts';
import type { Catalogue } from './catalogue.ts';
import { formatPath } from './path.ts';
import { placesOf } from './places.ts';
import { fuse, type Run, schemaAt } from './run.ts';
import { eachNode, identityTree, type Node } from './tree.ts';

/**
 * Values that are the names of fields (`x-field-of`): which fields changed, what a cohort asks for. They follow the
 * fields of the resource that they speak of, wherever they travel.
 */

/** The name in the other version of each name that differs; null for a field that the other version cannot see. */
export type FieldNames = ReadonlyMap<string, string | null>;

/** The names of a resource's fields across a run. For a union, those of all its members. */
export function fieldNames(catalogue: Catalogue, run: Run, resource: string, direction: 'down' | 'up'): FieldNames {
  const level = direction === 'down' ? run.newer : run.older;
  const schema = schemaAt(catalogue, level, resource);
  const members = Object.values(schema.discriminator?.mapping ?? {});
  if (members.length > 0)
    return new Map(members.flatMap((member) => [...fieldNames(catalogue, run, member, direction)]));
  const fused = fuse(catalogue, run, resource);
  return differingNames(identityTree(schema), direction === 'down' ? fused.down : fused.up);
}

function differingNames(source: Node, translated: Node): FieldNames {
  const places = placesOf(translated);
  const names = new Map<string, string | null>();
  eachNode(source, (_node, path) => {
    const name = formatPath(path);
    const place = places.get(name);
    const other = place ? formatPath(place.path) : null;
    if (other !== name) names.set(name, other);
  });
  return names;
}

/** A schema in which the names of a resource's fields are those of the older version. */
export function olderFieldNames(schema: JsonSchema, resource: string, newer: JsonSchema, older: Node): JsonSchema {
  let speaksOfIt = false;
  eachFieldLink(schema, (linked) => {
    speaksOfIt ||= linked === resource;
  });
  if (!speaksOfIt) return schema;
  const names = differingNames(identityTree(newer), older);
  // A field that the older version cannot see keeps its name: what is stored may speak of it, and must be answered.
  const translate = (values: readonly JsonValue[]): readonly JsonValue[] =>
    values.map((value) => (typeof value === 'string' ? names.get(value) : undefined) ?? value);
  return mapSchemas(schema, (each) =>
    each['x-field-of'] !== resource
      ? each
      : {
          ...each,
          ...(each.enum && { enum: translate(each.enum) }),
          ...(each.examples && { examples: translate(each.examples) }),
        },
  );
}
