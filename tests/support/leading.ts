import { type JsonSchema, typesOf } from '@perennial/schemas/platform/json-schema.ts';
import { parseRef, resolveRef } from '@perennial/schemas/variants.ts';

/** How many references a way may follow: more than any contract needs. */
const REFERENCES_MAX = 8;

/**
 * The schema of `ref`, narrowed so that every value of it holds the resource with all its members; by the shortest
 * way. Random values of something that is nested in unions and in lists that may be empty rarely do.
 * @returns undefined where no way leads there.
 */
export function leadingTo(
  resources: ReadonlyMap<string, JsonSchema>,
  ref: string,
  resource: string,
): JsonSchema | undefined {
  for (let references = 0; references <= REFERENCES_MAX; references++) {
    const deadEnds = new Set<string>();
    const found = narrowed({ $ref: ref }, references);
    if (found) return found;

    function narrowed(schema: JsonSchema, left: number): JsonSchema | undefined {
      const inside = (each: JsonSchema): JsonSchema | undefined => narrowed(each, left);
      if (schema.$ref === undefined) return throughUnion(schema, inside) ?? throughMembers(schema, inside);
      const target = resolveRef(resources, schema.$ref);
      if (isOf(schema.$ref, resource)) return whole(target);
      const key = `${schema.$ref} ${left}`;
      if (left === 0 || deadEnds.has(key)) return undefined;
      const way = narrowed(target, left - 1);
      if (!way) deadEnds.add(key);
      return way;
    }
  }
  return undefined;
}

/** Whether the reference means the resource itself. A page is a `Page`, whatever it is a page of. */
function isOf(ref: string, resource: string): boolean {
  const parsed = parseRef(ref);
  return (parsed.variant === 'page' ? 'Page' : parsed.resource) === resource;
}

function throughUnion(
  schema: JsonSchema,
  inside: (each: JsonSchema) => JsonSchema | undefined,
): JsonSchema | undefined {
  for (const alternative of schema.oneOf ?? schema.anyOf ?? []) {
    const way = inside(alternative);
    if (way) return way;
  }
  return undefined;
}

function throughMembers(
  schema: JsonSchema,
  inside: (each: JsonSchema) => JsonSchema | undefined,
): JsonSchema | undefined {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const way = inside(member);
    if (way) return withMember(schema, name, way);
  }
  const items = schema.items && inside(schema.items);
  if (items) return { ...schema, type: 'array', items, minItems: Math.max(schema.minItems ?? 0, 1) };
  const entry = typeof schema.additionalProperties === 'object' ? inside(schema.additionalProperties) : undefined;
  return entry && { type: 'object', properties: { entry }, required: ['entry'] };
}

/** The schema, narrowed so that no member is left out, nor an object null. */
function whole(schema: JsonSchema): JsonSchema {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    const { oneOf: _, anyOf: __, ...rest } = schema;
    return { ...rest, anyOf: alternatives.filter((each) => each.type !== 'null').map(whole) };
  }
  if (!schema.properties) return schema;
  return Object.entries(schema.properties).reduce(
    (narrower, [name, member]) => withMember(narrower, name, whole(member)),
    schema,
  );
}

function withMember(schema: JsonSchema, name: string, member: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(typesOf(schema).length > 0 && { type: 'object' }),
    properties: { ...schema.properties, [name]: member },
    required: [...new Set([...(schema.required ?? []), name])],
  };
}
