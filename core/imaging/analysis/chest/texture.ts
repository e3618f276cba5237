import { eroded } from '../mask.ts';
import { median, type Raster, smoothed } from '../raster.ts';
import { type Anatomy, pictureSides } from './anatomy.ts';
import { correlation } from './likeness.ts';
import type { LungFields } from './lung-fields.ts';

/** What ribs and vessels make of the lung fields, and tissue of their borders; drawings and photographs differ. */
export interface Texture {
  /** Standard deviation of what is as fine as ribs are, over the contrast between lung and mediastinum. */
  readonly ribs: number;
  /** Correlation of that with the mirrored other field: ribs lie alike on both sides. */
  readonly mirrored: number;
  /** How steep the borders are: the change over half the width of the chest, in contrasts. Organs are round. */
  readonly steepness: number;
  /** Standard deviation of the steepness along the borders over its mean: wall, heart and domes differ. */
  readonly variation: number;
}

/** @returns all zero for fields without an inside. */
export function textureOf({ tone }: LungFields, anatomy: Anatomy): Texture {
  const { width, height } = tone;
  const half = (anatomy.thorax.right - anatomy.thorax.left) / 2;
  const chest = anatomy.bottom - anatomy.top;
  const margin = Math.max(2, Math.round(0.06 * half));
  const inner = {
    left: eroded(anatomy.sides.left.air, margin).data,
    right: eroded(anatomy.sides.right.air, margin).data,
  };
  const fine = smoothed(tone, 0.012 * chest);
  const coarse = smoothed(tone, 0.055 * chest);
  const contrast = contrastOf(tone, anatomy);
  const [own, other]: [number[], number[]] = [[], []];
  let square = 0;
  let count = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (inner.left[at] === 0 && inner.right[at] === 0) continue;
      const relief = fine.data[at]! - coarse.data[at]!;
      square += relief ** 2;
      count += 1;
      const mirror = at - x + Math.round(2 * anatomy.midline(y + 0.5) - x - 1);
      if (inner.left[at] === 0 || mirror < y * width || mirror >= (y + 1) * width || inner.right[mirror] === 0)
        continue;
      own.push(relief);
      other.push(fine.data[mirror]! - coarse.data[mirror]!);
    }
  const slopes = borderSlopes(fine, anatomy);
  if (count === 0 || slopes.length === 0) return { ribs: 0, mirrored: 0, steepness: 0, variation: 0 };
  const mean = slopes.reduce((sum, each) => sum + each, 0) / slopes.length;
  const variance = slopes.reduce((sum, each) => sum + (each - mean) ** 2, 0) / slopes.length;
  return {
    ribs: Math.sqrt(square / count) / contrast,
    mirrored: correlation(own, other),
    steepness: (mean * half) / contrast,
    variation: mean > 0 ? Math.sqrt(variance) / mean : 0,
  };
}

/** Tone of the middle of the mediastinum less that of the lung fields. */
function contrastOf({ width, data }: Raster, { sides, midline, top, bottom, thorax }: Anatomy): number {
  const lung = median(data.filter((_, at) => sides.left.air.data[at] === 1 || sides.right.air.data[at] === 1));
  const middle: number[] = [];
  const reach = 0.04 * (thorax.right - thorax.left);
  for (let y = Math.ceil(top + 0.25 * (bottom - top)); y < top + 0.7 * (bottom - top); y++)
    for (let x = Math.round(midline(y) - reach); x < midline(y) + reach; x++)
      if (x >= 0 && x < width) middle.push(data[y * width + x]!);
  return Math.max(0.02, median(middle) - lung);
}

/** Sizes of the gradient on the borders of both fields. */
function borderSlopes({ width, height, data }: Raster, { sides }: Anatomy): number[] {
  const slopes: number[] = [];
  for (const side of pictureSides) {
    const air = sides[side].air.data;
    for (let y = 1; y < height - 1; y++)
      for (let x = 1; x < width - 1; x++) {
        const at = y * width + x;
        if (air[at] === 0) continue;
        if (air[at - 1] === 1 && air[at + 1] === 1 && air[at - width] === 1 && air[at + width] === 1) continue;
        slopes.push(Math.hypot(data[at + 1]! - data[at - 1]!, data[at + width]! - data[at - width]!) / 2);
      }
  }
  return slopes;
}
