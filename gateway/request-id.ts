import { randomFillSync } from 'node:crypto';
import { BASE62 } from '@perennial/schemas/platform/base62.ts';

const CHARACTERS = 20;
const random = Buffer.alloc(16_384);
/** Characters of base62 that no id has yet, and how many of them are used. */
const pool = Buffer.alloc(random.length);
let filled = 0;
let used = 0;

/** A new request id, `req_` and 20 characters of base62. Every request needs one, so they are drawn in bulk. */
export function newRequestId(): string {
  if (used + CHARACTERS > filled) refill();
  const id = pool.toString('latin1', used, used + CHARACTERS);
  used += CHARACTERS;
  return `req_${id}`;
}

function refill(): void {
  randomFillSync(random);
  filled = 0;
  used = 0;
  for (const byte of random) {
    const value = byte & 63;
    // Two of the 64 values have no character; they are left out, so that all characters are equally likely.
    if (value < BASE62.length) pool[filled++] = BASE62.charCodeAt(value);
  }
}
