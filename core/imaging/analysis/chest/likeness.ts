import { type Raster, smoothed } from '../raster.ts';
import type { Anatomy } from './anatomy.ts';
import type { LungFields } from './lung-fields.ts';
import { usualTones } from './usual-tones.ts';

/** How far the tones around the lung fields lie as they do on a usual frontal chest film, from -1 to 1. */
export interface Likeness {
  /** Over the whole chest, what surrounds it included. */
  readonly whole: number;
  /** Over what surrounds the lung fields alone: shoulders, walls, air beside the body, what lies beneath. */
  readonly surroundings: number;
  /** Over the half of the chest that is less like a usual one. */
  readonly lesserHalf: number;
  /** Share of that map that lies within the picture. */
  readonly seen: number;
}

/** The chest as a grid: from the midline to beyond both walls, from above the apices to below the domes. */
export const grid = {
  columns: 18,
  rows: 16,
  /** In half widths of the inner thorax. */
  reach: 1.3,
  /** In heights of the lung fields, from their top. */
  from: -0.2,
  to: 1.3,
} as const;

/** How the fields that were found may differ from the whole ones: fluid hides their bases, a dense part their apices. */
const FRAMES = [-0.1, 0, 0.12, 0.25, 0.4].flatMap((below) =>
  [-0.05, 0, 0.08].flatMap((above) => [0.95, 1, 1.06].map((wide) => ({ below, above, wide }))),
);

/** The tones of a picture by the cells of the grid, by rows; not a number beyond the picture. */
export function tonesOver(
  calm: Raster,
  { midline, top, bottom, thorax }: Anatomy,
  { below, above, wide } = { below: 0, above: 0, wide: 1 },
): Float64Array {
  const half = (wide * (thorax.right - thorax.left)) / 2;
  const chest = bottom - top;
  const start = top - above * chest;
  const height = chest * (1 + below + above);
  return Float64Array.from({ length: grid.columns * grid.rows }, (_, cell) => {
    const column = cell % grid.columns;
    const row = (cell - column) / grid.columns;
    const down = grid.from + ((grid.to - grid.from) * (row + 0.5)) / grid.rows;
    const y = Math.floor(start + down * height);
    const x = Math.floor(midline(y) + half * grid.reach * ((2 * (column + 0.5)) / grid.columns - 1));
    const isWithin = x >= 0 && y >= 0 && x < calm.width && y < calm.height;
    return isWithin ? calm.data[y * calm.width + x]! : Number.NaN;
  });
}

/** The tones smoothed so that a cell of the grid is one number. */
export function calmTones({ tone }: LungFields, { thorax }: Anatomy): Raster {
  return smoothed(tone, 0.02 * (thorax.right - thorax.left));
}

/**
 * Correlates the picture with the usual tones (normalised cross-correlation: no matter how bright, and with what
 * contrast), in the frame in which they fit best, as they are or mirrored.
 */
export function likenessOf(fields: LungFields, anatomy: Anatomy): Likeness {
  const calm = calmTones(fields, anatomy);
  let best: Likeness = { whole: -1, surroundings: -1, lesserHalf: -1, seen: 0 };
  for (const frame of FRAMES) {
    const tones = tonesOver(calm, anatomy, frame);
    for (const usual of [usualTones, mirroredTones]) {
      const whole = correlation(tones, usual, () => true);
      if (whole <= best.whole) continue;
      best = {
        whole,
        surroundings: correlation(tones, usual, isSurroundings),
        lesserHalf: Math.min(
          correlation(tones, usual, (cell) => cell % grid.columns < grid.columns / 2),
          correlation(tones, usual, (cell) => cell % grid.columns >= grid.columns / 2),
        ),
        seen: tones.filter((each) => !Number.isNaN(each)).length / tones.length,
      };
    }
  }
  return best;
}

const mirroredTones = usualTones.map((_, cell) => {
  const column = cell % grid.columns;
  return usualTones[cell - column + grid.columns - 1 - column]!;
});

function isSurroundings(cell: number): boolean {
  const column = cell % grid.columns;
  const row = (cell - column) / grid.columns;
  const down = grid.from + ((grid.to - grid.from) * (row + 0.5)) / grid.rows;
  return down < 0 || down > 0.95 || Math.abs((2 * (column + 0.5)) / grid.columns - 1) * grid.reach > 0.98;
}

/** Of the cells that both have; 0 when they are too few, or all alike. */
export function correlation(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  isUsed: (index: number) => boolean = () => true,
): number {
  const used: number[] = [];
  for (let index = 0; index < a.length; index++)
    if (isUsed(index) && !Number.isNaN(a[index]! + b[index]!)) used.push(index);
  if (used.length < 12) return 0;
  const mean = (of: ArrayLike<number>): number => used.reduce((sum, index) => sum + of[index]!, 0) / used.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, ownA, ownB] = [0, 0, 0];
  for (const index of used) {
    const [x, y] = [a[index]! - meanA, b[index]! - meanB];
    both += x * y;
    ownA += x * x;
    ownB += y * y;
  }
  return ownA * ownB < 1e-12 ? 0 : both / Math.sqrt(ownA * ownB);
}
