import type { Contract } from '@perennial/schemas/contract.ts';
import { eachRef, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { resolveRef } from '@perennial/schemas/variants.ts';

/** Every schema that the references lead to, variants included, by reference. Sorted, so that documents are stable. */
export function schemasReachedFrom(
  resources: Contract['resources'],
  refs: Iterable<string>,
): ReadonlyMap<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  const pending = [...refs];
  for (let ref = pending.pop(); ref !== undefined; ref = pending.pop()) {
    if (found.has(ref)) continue;
    const schema = resolveRef(resources, ref);
    found.set(ref, schema);
    eachRef(schema, (each) => pending.push(each));
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
