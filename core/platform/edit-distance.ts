/** Longest text worth comparing; anything longer is no name and no word. */
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
