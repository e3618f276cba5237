import { randomInt } from 'node:crypto';

/** Digits, then capitals, then small letters: the value of a character is its place. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` characters of base62, each drawn evenly by `draw`; by default from the system's secure random source. */
export function randomBase62(length: number, draw: (below: number) => number = randomInt): string {
  let text = '';
  for (let index = 0; index < length; index += 1) text += BASE62[draw(BASE62.length)];
  return text;
}

/** A whole number from 0 in base62, filled with zeros on the left to `width`. */
export function toBase62(value: number, width: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = `${BASE62[rest % 62]}${text}`;
  return text.padStart(width, '0');
}
