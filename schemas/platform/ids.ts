import { randomBase62 } from '@perennial/schemas/platform/base62.ts';

/** A new identifier such as `pat_4fG…`: the prefix, an underscore and 20 characters (119 bits), so two never meet. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBase62(20)}`;
}
