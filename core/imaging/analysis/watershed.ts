import type { Raster } from './raster.ts';

/** Steps of height that are told apart. */
const LEVELS = 256;

/**
 * Divides a landscape among markers: water rises from each, and a pixel belongs to the one that reaches it first, so
 * that the borders come to lie on the ridges. L. Vincent and P. Soille, PAMI 1991; this is F. Meyer's flooding by an
 * ordered queue.
 * @param heights from 0 to 1.
 * @param markers the label of each marked pixel, 0 for those to be divided. Not changed.
 * @returns the label of every pixel that can be reached.
 */
export function watershed(heights: Raster, markers: Uint8Array): Uint8Array {
  const { width, height, data } = heights;
  const levels = Uint8Array.from(data, (value) => Math.min(LEVELS - 1, Math.max(0, Math.floor(value * LEVELS))));
  const labels = Uint8Array.from(markers);
  const queues: number[][] = Array.from({ length: LEVELS }, () => []);
  for (let index = 0; index < labels.length; index++) if (labels[index] !== 0) queues[levels[index]!]!.push(index);
  const flood = (index: number, label: number, level: number): void => {
    if (labels[index] !== 0) return;
    labels[index] = label;
    queues[Math.max(level, levels[index]!)]!.push(index);
  };
  for (let level = 0; level < LEVELS; level++) {
    const queue = queues[level]!;
    // The queue grows while it is read: what lies lower than the water is flooded at once.
    for (let next = 0; next < queue.length; next++) {
      const index = queue[next]!;
      const label = labels[index]!;
      const x = index % width;
      if (x > 0) flood(index - 1, label, level);
      if (x < width - 1) flood(index + 1, label, level);
      if (index >= width) flood(index - width, label, level);
      if (index < width * (height - 1)) flood(index + width, label, level);
    }
  }
  return labels;
}
