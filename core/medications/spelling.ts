import { spend } from '../compute/work.ts';
import { editDistance } from '../platform/edit-distance.ts';
import type { NameKey } from './types.ts';

/** One bit per letter or digit that occurs; two texts within distance d differ in at most 2·d bits. */
export function letterMask(text: string): number {
  let mask = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c >= 97 && c <= 122) mask |= 1 << (c - 97);
    else if (c >= 48 && c <= 57) mask |= 1 << 26;
  }
  return mask;
}

/** Keys by length, for the search of near names. */
export function keysByLength(keys: Iterable<string>): ReadonlyMap<number, readonly NameKey[]> {
  const byLength = new Map<number, NameKey[]>();
  for (const key of keys) {
    const held = byLength.get(key.length) ?? [];
    held.push({ key, mask: letterMask(key) });
    byLength.set(key.length, held);
  }
  return byLength;
}

function bitCount(bits: number): number {
  let n = bits >>> 0;
  n -= (n >>> 1) & 0x55555555;
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Work of one edit distance. */
const COMPARISON_UNITS = 50;
/** How many slips are forgiven by length. Drug names are built from shared stems, so short ones are too close to guess. */
export function slipsForgiven(length: number): number {
  if (length < 5) return 0;
  if (length < 10) return 1;
  return length < 15 ? 2 : 3;
}

export interface NearName {
  key: string;
  distance: number;
}

/**
 * Known names near the text, nearest first, then by name: all that lie within one slip of the nearest,
 * so that a rival too close to choose between is always among them.
 * @param max slips beyond which nothing is looked for
 */
export function nearNames(byLength: ReadonlyMap<number, readonly NameKey[]>, text: string, max: number): NearName[] {
  for (let reach = 1; reach <= max; reach++) {
    const found = namesWithin(byLength, text, reach);
    if (found.length === 0) continue;
    const wider = reach < max && found[0]?.distance === reach ? namesWithin(byLength, text, reach + 1) : found;
    return wider.sort((x, y) => x.distance - y.distance || (x.key < y.key ? -1 : 1));
  }
  return [];
}

function namesWithin(byLength: ReadonlyMap<number, readonly NameKey[]>, text: string, max: number): NearName[] {
  const mask = letterMask(text);
  const found: NearName[] = [];
  for (let length = text.length - max; length <= text.length + max; length++) {
    const candidates = byLength.get(length) ?? ([] as readonly NameKey[]);
    spend(candidates.length);
    for (const candidate of candidates) {
      if (bitCount(mask ^ candidate.mask) > 2 * max) continue;
      spend(COMPARISON_UNITS);
      const distance = editDistance(text, candidate.key, max);
      if (distance <= max) found.push({ key: candidate.key, distance });
    }
  }
  return found;
}
