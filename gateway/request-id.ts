import { randomFillSync } from 'node:crypto';
import { BASE62 } from '@perennial/schemas/base62.ts';

const CHARACTERS = 20;
const pool = Buffer.alloc(8_192);
let used = pool.length;

/** A new request id, `req_` and 20 characters of base62. Every request needs one, so random bytes are drawn in bulk. */
export function newRequestId(): string {
  let id = 'req_';
  for (let length = 0; length < CHARACTERS; ) {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const value = (pool[used++] as number) & 63;
    // Two of the 64 values have no character; they are drawn again, so that all characters are equally likely.
    if (value < 62) {
      id += BASE62[value];
      length += 1;
    }
  }
  return id;
}
