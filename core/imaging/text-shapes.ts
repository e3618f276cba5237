import type { Raster } from './raster.ts';

/*
 * Shapes that may be characters: what stands out from its surroundings, by as much as there are differences there, and
 * has a step for an edge.
 */

/** Pixels between this place and that one, both included. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A connected shape that may be a character, or several that touch. */
export interface Shape extends Box {
  /** How many characters it may be. */
  readonly characters: number;
  /** How far it is from what is around it, of 255. */
  readonly contrast: number;
  /** Its own tone. */
  readonly tone: number;
  /** Which part of the contrast lies within three pixels across its upright edges: 1 where they are steps. */
  readonly sharpness: number;
  /** Between the quarters of the tones around it. */
  readonly unrest: number;
}

/** A picture in gray. */
export interface Gray {
  readonly width: number;
  readonly height: number;
  readonly gray: Uint8Array;
}

/** Mean and spread of the square around each pixel. */
export interface Surroundings {
  readonly radius: number;
  readonly mean: Float32Array;
  readonly deviation: Float32Array;
}

/** A character is at least this high. */
const HEIGHT_MIN = 4;
/** A character is at most this part of the picture's height. */
const HEIGHT_PART_MAX = 0.1;
/** Letters that touch count as one shape up to this width, in heights. */
const WIDE_MAX = 4;
/** A character is so wide, in heights, in the middle of fonts. */
const WIDE_USUAL = 0.8;
/** How far above its surroundings a pixel is: in steps of gray, and in spreads. */
const ABOVE_MIN = 2.5;
const ABOVE_DEVIATIONS = 0.3;
const CONTRAST_MIN = 5;

/** The picture in gray, each pixel the mean of a square of `step`. */
export function grayOfRaster({ width, height, channels, data }: Raster, step: number): Gray {
  const [wide, tall] = [Math.floor(width / step), Math.floor(height / step)];
  const gray = new Uint8Array(wide * tall);
  for (let y = 0; y < tall; y += 1)
    for (let x = 0; x < wide; x += 1) {
      let sum = 0;
      for (let row = y * step; row < (y + 1) * step; row += 1)
        for (let column = x * step; column < (x + 1) * step; column += 1) {
          const at = channels * (row * width + column);
          sum +=
            channels === 1
              ? (data[at] as number)
              : ((data[at] as number) * 299 + (data[at + 1] as number) * 587 + (data[at + 2] as number) * 114) / 1000;
        }
      gray[y * wide + x] = Math.round(sum / (step * step));
    }
  return { width: wide, height: tall, gray };
}

/** Twice as wide and high, with tones between the pixels: small letters fall apart less. */
export function doubled({ width, height, gray }: Gray): Gray {
  const wide = width * 2;
  const out = new Uint8Array(wide * height * 2);
  for (let y = 0; y < height * 2; y += 1) {
    const [above, below, down] = between(y, height);
    for (let x = 0; x < wide; x += 1) {
      const [before, after, right] = between(x, width);
      const upper =
        (gray[above * width + before] as number) * (1 - right) + (gray[above * width + after] as number) * right;
      const lower =
        (gray[below * width + before] as number) * (1 - right) + (gray[below * width + after] as number) * right;
      out[y * wide + x] = Math.round(upper * (1 - down) + lower * down);
    }
  }
  return { width: wide, height: height * 2, gray: out };
}

function between(at: number, count: number): readonly [before: number, after: number, part: number] {
  const place = Math.max(0, (at - 0.5) / 2);
  const before = Math.floor(place);
  return [before, Math.min(count - 1, before + 1), place - before];
}

/** Sums of all pixels above and left of each, and of their squares: what any square holds is four of them. */
export function createSurroundings({ width, height, gray }: Gray): (radius: number) => Surroundings {
  const stride = width + 1;
  const sums = new Float64Array(stride * (height + 1));
  const squares = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let [sum, square] = [0, 0];
    for (let x = 0; x < width; x += 1) {
      const value = gray[y * width + x] as number;
      sum += value;
      square += value * value;
      const at = (y + 1) * stride + x + 1;
      sums[at] = (sums[at - stride] as number) + sum;
      squares[at] = (squares[at - stride] as number) + square;
    }
  }
  const within = (table: Float64Array, top: number, bottom: number, left: number, right: number): number =>
    (table[bottom + right] as number) -
    (table[bottom + left] as number) -
    (table[top + right] as number) +
    (table[top + left] as number);
  return (radius) => {
    const mean = new Float32Array(width * height);
    const deviation = new Float32Array(width * height);
    for (let y = 0; y < height; y += 1) {
      const top = Math.max(0, y - radius) * stride;
      const bottom = Math.min(height, y + radius + 1) * stride;
      for (let x = 0; x < width; x += 1) {
        const left = Math.max(0, x - radius);
        const right = Math.min(width, x + radius + 1);
        const count = ((right - left) * (bottom - top)) / stride;
        const average = within(sums, top, bottom, left, right) / count;
        mean[y * width + x] = average;
        const variance = within(squares, top, bottom, left, right) / count - average * average;
        deviation[y * width + x] = Math.sqrt(Math.max(0, variance));
      }
    }
    return { radius, mean, deviation };
  };
}

/** Shapes that are brighter, or darker, than what is around them. */
export function shapesIn(image: Gray, around: Surroundings, isBright: boolean): readonly Shape[] {
  const { width, height, gray } = image;
  const { radius, mean, deviation } = around;
  const mask = new Uint8Array(gray.length);
  for (let at = 0; at < mask.length; at += 1) {
    const difference = (gray[at] as number) - (mean[at] as number);
    const above = isBright ? difference : -difference;
    if (above >= ABOVE_MIN && above >= ABOVE_DEVIATIONS * (deviation[at] as number)) mask[at] = 1;
  }
  const tallMin = Math.max(HEIGHT_MIN, radius / 2);
  const tallMax = Math.min(radius * 3, height * HEIGHT_PART_MAX);
  const shapes: Shape[] = [];
  const stack = new Int32Array(mask.length);
  for (let start = 0; start < mask.length; start += 1) {
    if (mask[start] !== 1) continue;
    const { pixels, ...box } = connected(mask, width, height, start, stack);
    const tall = box.bottom - box.top + 1;
    const wide = box.right - box.left + 1;
    if (tall < tallMin || tall > tallMax || wide > tall * WIDE_MAX || wide < tall * 0.08) continue;
    const fill = pixels / (tall * wide);
    // Too thin, or a bar and no letter.
    if (fill < 0.15 || fill > 0.98 || (fill > 0.75 && wide > tall / 2)) continue;
    const look = lookAt(image, mask, box, isBright);
    if (look) shapes.push({ ...box, ...look, characters: Math.max(1, Math.round(wide / (WIDE_USUAL * tall))) });
  }
  return shapes;
}

/** What is connected with a pixel of the mask (four neighbours), which becomes 2 there. */
function connected(
  mask: Uint8Array,
  width: number,
  height: number,
  start: number,
  stack: Int32Array,
): Box & { readonly pixels: number } {
  let [left, right, top, bottom, pixels, waiting] = [width, 0, height, 0, 0, 0];
  const take = (at: number): void => {
    mask[at] = 2;
    stack[waiting] = at;
    waiting += 1;
  };
  take(start);
  while (waiting > 0) {
    waiting -= 1;
    const at = stack[waiting] as number;
    const x = at % width;
    const y = (at - x) / width;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
    pixels += 1;
    if (x > 0 && mask[at - 1] === 1) take(at - 1);
    if (x < width - 1 && mask[at + 1] === 1) take(at + 1);
    if (y > 0 && mask[at - width] === 1) take(at - width);
    if (y < height - 1 && mask[at + width] === 1) take(at + width);
  }
  return { left, right, top, bottom, pixels };
}

type Look = Pick<Shape, 'contrast' | 'tone' | 'sharpness' | 'unrest'>;

/** What is inside, what is around it, and how steep the way from one to the other is. */
function lookAt({ width, height, gray }: Gray, mask: Uint8Array, box: Box, isBright: boolean): Look | undefined {
  const { left, right, top, bottom } = box;
  const inside: number[] = [];
  const ring: number[] = [];
  let [steps, edges] = [0, 0];
  for (let y = Math.max(0, top - 1); y <= Math.min(height - 1, bottom + 1); y += 1) {
    const row = y * width;
    const isRow = y >= top && y <= bottom;
    for (let x = Math.max(0, left - 2); x <= Math.min(width - 1, right + 2); x += 1) {
      const at = row + x;
      if (!mask[at]) {
        ring.push(gray[at] as number);
        continue;
      }
      if (!isRow || x < left || x > right) continue;
      inside.push(gray[at] as number);
      if (x >= 2 && !mask[at - 1]) {
        edges += 1;
        steps += Math.abs((gray[Math.min(at + 1, row + width - 1)] as number) - (gray[at - 2] as number));
      }
      if (x <= width - 3 && !mask[at + 1]) {
        edges += 1;
        steps += Math.abs((gray[Math.max(at - 1, row)] as number) - (gray[at + 2] as number));
      }
    }
  }
  if (ring.length < 4 || inside.length < 4 || edges === 0) return undefined;
  inside.sort((a, b) => a - b);
  ring.sort((a, b) => a - b);
  const part = (values: readonly number[], share: number): number =>
    values[Math.floor(values.length * share)] as number;
  const tone = part(inside, isBright ? 0.8 : 0.2);
  const contrast = (tone - part(ring, 0.5)) * (isBright ? 1 : -1);
  if (contrast < CONTRAST_MIN) return undefined;
  return { tone, contrast, sharpness: steps / edges / contrast, unrest: part(ring, 0.75) - part(ring, 0.25) };
}
