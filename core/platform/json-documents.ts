import { head } from '@perennial/schemas/contract.ts';
import { isObject, type JsonObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';

/** Reading and completing documents by their schemas, for handlers that do not know each member. */

/** The schema of a resource at head. @throws when there is none. */
export function resourceSchema(id: string): JsonSchema {
  const schema = head.resources.get(id);
  if (!schema) throw new Error(`no resource has the $id ${id}`);
  return schema;
}

/** The writable members of an object in the contract's order: absent ones are null, absent lists empty. */
export function complete(schema: JsonSchema, value: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (member.readOnly !== true) result[name] = completeValue(member, value[name]);
  }
  return result;
}

function completeValue(schema: JsonSchema, value: unknown): unknown {
  if (schema.type === 'array') {
    const entries = Array.isArray(value) ? value : [];
    const { items } = schema;
    return items ? entries.map((entry) => completeValue(items, entry)) : entries;
  }
  if (value === undefined || value === null) return null;
  const target = schema.$ref ?? schema.anyOf?.find((each) => each.$ref !== undefined)?.$ref;
  if (target !== undefined && isObject(value)) return complete(resourceSchema(target), value);
  return schema.properties && isObject(value) ? complete(schema, value) : value;
}

/** JSON Merge Patch (RFC 7396). Returns a new object; neither argument is changed. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  // Entries, so that a member called __proto__ stays a member.
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (isObject(value)) {
      const inner = merged.get(name);
      merged.set(name, mergePatch(isObject(inner) ? inner : {}, value));
    } else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}
