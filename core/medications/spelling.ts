import type { NameIndex, NameKey } from './types.ts';

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

function bitCount(bits: number): number {
  let n = bits >>> 0;
  n -= (n >>> 1) & 0x55555555;
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/**
 * Edit distance with swaps of neighbours (optimal string alignment).
 * @returns the distance, or `max + 1` as soon as it must be larger than `max`
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > max) return max + 1;
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? max + 1;
}

/** How many slips are forgiven by length: short names are too close to each other to guess. */
export function slipsForgiven(length: number): number {
  if (length < 5) return 0;
  if (length < 8) return 1;
  return length < 13 ? 2 : 3;
}

/** Known names within `max` slips of the text, nearest first, then by name. */
export function nearNames(index: NameIndex, text: string, max: number): { key: string; distance: number }[] {
  const mask = letterMask(text);
  const found: { key: string; distance: number }[] = [];
  for (let length = text.length - max; length <= text.length + max; length++) {
    for (const candidate of index.byLength.get(length) ?? ([] as readonly NameKey[])) {
      if (bitCount(mask ^ candidate.mask) > 2 * max) continue;
      const distance = editDistance(text, candidate.key, max);
      if (distance <= max) found.push({ key: candidate.key, distance });
    }
  }
  return found.sort((x, y) => x.distance - y.distance || (x.key < y.key ? -1 : 1));
}
