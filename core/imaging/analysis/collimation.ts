import type { Box, Raster } from './raster.ts';

/** The exposed part of a picture and what frames it. */
export interface Content {
  readonly box: Box;
  /** Tone of the frame; undefined when there is none. */
  readonly frame: 'bright' | 'dark' | undefined;
}

/** A line of the frame differs from its own mean by at most this share of the picture's range. */
const FLAT = 0.02;
/** Most of each side that is taken for a frame: what is flat throughout is a blank picture, not a frame. */
const SHARE_MAX = 0.35;

/**
 * Finds the shutters or padding that frame a film: whole lines from the border inwards that are all but constant.
 * Dark air beside the body may be taken for a frame as well, which does no harm: nothing is in it.
 */
export function findContent(picture: Raster, minimum: number, maximum: number): Content {
  const { width, height } = picture;
  const flat = FLAT * Math.max(maximum - minimum, Number.MIN_VALUE);
  const box = { left: 0, right: width, top: 0, bottom: height };
  const tones: number[] = [];
  const strip = (isFlat: (at: number) => number | undefined, from: number, step: number, most: number): number => {
    let count = 0;
    while (count < most) {
      const tone = isFlat(from + count * step);
      if (tone === undefined) break;
      tones.push(tone);
      count += 1;
    }
    return count;
  };
  const row = (y: number): number | undefined =>
    flatTone(picture.data, y * width + box.left, 1, box.right - box.left, flat);
  const column = (x: number): number | undefined =>
    flatTone(picture.data, box.top * width + x, width, box.bottom - box.top, flat);
  box.top += strip(row, 0, 1, Math.floor(SHARE_MAX * height));
  box.bottom -= strip(row, height - 1, -1, Math.floor(SHARE_MAX * height));
  box.left += strip(column, 0, 1, Math.floor(SHARE_MAX * width));
  box.right -= strip(column, width - 1, -1, Math.floor(SHARE_MAX * width));
  // Lines that the side frames crossed are flat only now.
  box.top += strip(row, box.top, 1, Math.floor(SHARE_MAX * height) - box.top);
  box.bottom -= strip(row, box.bottom - 1, -1, Math.floor(SHARE_MAX * height) - (height - box.bottom));
  // The line where the frame ends is a mixture of both.
  if (box.top > 0) box.top += 1;
  if (box.left > 0) box.left += 1;
  if (box.bottom < height) box.bottom -= 1;
  if (box.right < width) box.right -= 1;
  const mean = tones.reduce((sum, each) => sum + each, 0) / Math.max(1, tones.length);
  return {
    box: { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top },
    frame: tones.length === 0 ? undefined : mean > (minimum + maximum) / 2 ? 'bright' : 'dark',
  };
}

/** The mean of a line all of whose values lie near it; undefined when they do not. */
function flatTone(data: Float32Array, start: number, step: number, count: number, flat: number): number | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (let index = 0; index < count; index++) {
    const value = data[start + index * step]!;
    sum += value;
    if (value < low) low = value;
    if (value > high) high = value;
    if (high - low > 2 * flat) return undefined;
  }
  return sum / count;
}
