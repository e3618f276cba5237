import { isObject } from '@perennial/schemas/platform/json-schema.ts';

/** RFC 7396, written anew: what judges the engine is not the engine's own. */
export function patched(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, patched(members.get(name), value));
  }
  return Object.fromEntries(members);
}
