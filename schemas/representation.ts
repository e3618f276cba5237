import { createHash } from 'node:crypto';
import { eachRef, type JsonSchema } from './platform/json-schema.ts';
import { resolveRef } from './variants.ts';

/**
 * Names the shape of a resource at head: eight characters of a hash of its schema and of every schema it refers to. The
 * second half of an entity tag, in core and in the gateway.
 */
export function representationOf(resources: ReadonlyMap<string, JsonSchema>, ref: string): string {
  const hash = createHash('sha256');
  const pending = [ref];
  const seen = new Set(pending);
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const schema = resolveRef(resources, next);
    hash.update(JSON.stringify(schema));
    eachRef(schema, (each) => {
      if (seen.has(each)) return;
      seen.add(each);
      pending.push(each);
    });
  }
  return hash.digest('base64url').slice(0, 8);
}
