import { eachFieldLink, type JsonSchema, type JsonValue, mapSchemas } from '@perennial/schemas/platform/json-schema.ts';
import type { Catalogue } from './catalogue.ts';
import { formatPath } from './path.ts';
import { placesOf } from './places.ts';
import { fuse, type Run, schemaAt } from './run.ts';
import { eachNode, identityTree, type Node } from './tree.ts';

/**
 * Values that are the names of fields (`x-field-of`): which fields changed, what a cohort asks for. They follow the
 * fields of the resource that they speak of, wherever they travel.
 */

/** What a field is called in the other version. */
export interface FieldName {
  readonly name: string;
  /** Whether the other version has such a field. */
  readonly isSeen: boolean;
}

/** Every name that is another one in the other version, or that means nothing there. */
export type FieldNames = ReadonlyMap<string, FieldName>;

/**
 * The names of a resource's fields across a run, step by step as the contract is derived: a field that an older version
 * cannot see keeps the name that it had where it was last seen. For a union, the names of all its members.
 */
export function fieldNames(catalogue: Catalogue, run: Run, resource: string, direction: 'down' | 'up'): FieldNames {
  const schema = schemaAt(catalogue, direction === 'down' ? run.newer : run.older, resource);
  const members = Object.values(schema.discriminator?.mapping ?? {});
  if (members.length > 0)
    return new Map(members.flatMap((member) => [...fieldNames(catalogue, run, member, direction)]));
  const down = namesDown(catalogue, run, resource);
  const names = direction === 'down' ? down : reversed(down, identityTree(schema));
  return new Map([...names].filter(([from, { name, isSeen }]) => from !== name || !isSeen));
}

/** Where several newer fields stand for one older, the first is what it is called. */
function reversed(down: FieldNames, older: Node): FieldNames {
  const names = new Map<string, FieldName>();
  for (const seen of [true, false])
    for (const [newer, { name, isSeen }] of down)
      if (isSeen === seen && !names.has(name)) names.set(name, { name: newer, isSeen: true });
  eachNode(older, (_node, path) => {
    const name = formatPath(path);
    if (!names.has(name)) names.set(name, { name, isSeen: false });
  });
  return names;
}

/** What each name at the newer end is called at the older one, and whether it is still a field there. */
function namesDown(catalogue: Catalogue, run: Run, resource: string): FieldNames {
  const names = new Map<string, { name: string; isSeen: boolean }>();
  eachNode(identityTree(schemaAt(catalogue, run.newer, resource)), (_node, path) =>
    names.set(formatPath(path), { name: formatPath(path), isSeen: true }),
  );
  for (let at = run.newer - 1; at >= run.older; at--) {
    if (!catalogue.steps[at]?.edits.has(resource)) continue;
    const step = { older: at, newer: at + 1 };
    const differing = differingNames(
      identityTree(schemaAt(catalogue, at + 1, resource)),
      fuse(catalogue, step, resource).down,
    );
    for (const each of names.values()) {
      if (!each.isSeen) continue;
      const other = differing.get(each.name);
      if (other === null) each.isSeen = false;
      else if (other !== undefined) each.name = other;
    }
  }
  return names;
}

/** The name at the other side of one step of each name that differs; null for a field that is not there. */
function differingNames(source: Node, translated: Node): ReadonlyMap<string, string | null> {
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
