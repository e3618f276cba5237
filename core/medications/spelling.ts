import { spend } from '../compute/work.ts';
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
/** Longest text worth comparing; anything longer is no medication name. */
const LENGTH_MAX = 127;
// Three rows of the distance table, reused: allocating them for thousands of candidates was most of the cost.
const rows = [new Uint8Array(LENGTH_MAX + 2), new Uint8Array(LENGTH_MAX + 2), new Uint8Array(LENGTH_MAX + 2)] as const;

/**
 * Edit distance with swaps of neighbours (optimal string alignment), computed only in the band that can matter.
 * @returns the distance, or `max + 1` when it is larger than `max`
 */
export function editDistance(a: string, b: string, max: number): number {
  const far = max + 1;
  if (Math.abs(a.length - b.length) > max || a.length > LENGTH_MAX || b.length > LENGTH_MAX) return far;
  let [before, previous, row] = rows as unknown as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) previous[j] = Math.min(j, far);
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - max);
    const to = Math.min(b.length, i + max);
    row[from - 1] = from === 1 ? Math.min(i, far) : far;
    let least = row[from - 1] ?? far;
    const letter = a.charCodeAt(i - 1);
    const letterBefore = i > 1 ? a.charCodeAt(i - 2) : -1;
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1);
      const above = j <= i - 1 + max ? (previous[j] ?? far) : far;
      let cost = Math.min(above + 1, (row[j - 1] ?? far) + 1, (previous[j - 1] ?? far) + (letter === other ? 0 : 1));
      if (j > 1 && letterBefore === other && letter === b.charCodeAt(j - 2))
        cost = Math.min(cost, (before[j - 2] ?? far) + 1);
      row[j] = Math.min(cost, far);
      if (cost < least) least = cost;
    }
    if (least > max) return far;
    [before, previous, row] = [previous, row, before];
  }
  return Math.min(previous[b.length] ?? far, far);
}

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
