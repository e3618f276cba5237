import { randomInt } from 'node:crypto';

/** Digits, then capitals, then small letters: the order base62 numbers are written in here. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` characters of base62, each drawn evenly by `draw`; by default from the system's secure random source. */
export function base62(length: number, draw: (below: number) => number = randomInt): string {
  let text = '';
  for (let index = 0; index < length; index += 1) text += BASE62[draw(BASE62.length)];
  return text;
}

/** A new identifier such as `pat_4fG…`: the prefix, an underscore and 20 characters (119 bits), so two never meet. */
export function newId(prefix: string): string {
  return `${prefix}_${base62(20)}`;
}
