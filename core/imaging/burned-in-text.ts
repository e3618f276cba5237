import type { Raster } from './raster.ts';

/*
 * Looks for text that is part of the picture: rows of small shapes of the same height with sharp edges, all much
 * brighter, or all much darker, than what is around them. It finds print; handwriting and faint marks it does not.
 */

/** A character is at least this high. */
const HEIGHT_MIN = 6;
/** A character is at most this part of the picture's height. */
const HEIGHT_PART_MAX = 0.08;
/**
 * How far above its surroundings a character is, of 255, and how many of them make a line: the less they stand out, the
 * more there must be, for a film has edges of its own.
 */
const LOOKS = [
  { contrast: 90, characters: 4, edgeMax: 2_048 },
  { contrast: 45, characters: 7, edgeMax: 1_024 },
  { contrast: 24, characters: 9, edgeMax: 1_024 },
] as const;
type Look = (typeof LOOKS)[number];
/** Shapes that are looked at; a picture with more is noise. */
const SHAPES_MAX = 200_000;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Shape extends Box {
  pixels: number;
}

/** A line of print: where it is, in pixels of the picture. */
export interface TextLine {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Lines of print that the picture seems to have. */
export function findTextLines(raster: Raster): readonly TextLine[] {
  const found: Box[] = [];
  const images = new Map<number, Gray>();
  for (const look of LOOKS) {
    // Larger pictures are looked at with every second pixel, or every third.
    const step = Math.max(1, Math.ceil(Math.max(raster.width, raster.height) / look.edgeMax));
    const image = images.get(step) ?? reduced(raster, step);
    images.set(step, image);
    for (const isBright of [true, false])
      for (const { left, right, top, bottom } of linesOf(image, isBright, look))
        found.push({
          left: left * step,
          right: (right + 1) * step - 1,
          top: top * step,
          bottom: (bottom + 1) * step - 1,
        });
  }
  return merged(found).map(({ left, top, right, bottom }) => ({
    x: left,
    y: top,
    width: Math.min(raster.width, right + 1) - left,
    height: Math.min(raster.height, bottom + 1) - top,
  }));
}

/** One box for each line, however often it was found. */
function merged(boxes: readonly Box[]): readonly Box[] {
  const lines: Box[] = [];
  for (const box of boxes) {
    const same = lines.find(
      (line) => line.left <= box.right && box.left <= line.right && line.top <= box.bottom && box.top <= line.bottom,
    );
    if (!same) lines.push({ ...box });
    else {
      same.left = Math.min(same.left, box.left);
      same.right = Math.max(same.right, box.right);
      same.top = Math.min(same.top, box.top);
      same.bottom = Math.max(same.bottom, box.bottom);
    }
  }
  return lines;
}

/** The picture in gray, and no larger than it takes to see print: print on large pictures is large. */
function reduced({ width, height, channels, data }: Raster, step: number): Gray {
  const [wide, tall] = [Math.floor(width / step), Math.floor(height / step)];
  const gray = new Uint8Array(wide * tall);
  for (let y = 0; y < tall; y += 1) {
    for (let x = 0; x < wide; x += 1) {
      const at = channels * (y * step * width + x * step);
      gray[y * wide + x] =
        channels === 1
          ? (data[at] as number)
          : ((data[at] as number) * 299 + (data[at + 1] as number) * 587 + (data[at + 2] as number) * 114) / 1000;
    }
  }
  const around = localMean(gray, wide, tall, Math.max(8, Math.round(tall * HEIGHT_PART_MAX * 0.5)));
  return { width: wide, height: tall, gray, around };
}

interface Gray {
  readonly width: number;
  readonly height: number;
  readonly gray: Uint8Array;
  /** The mean around each pixel. */
  readonly around: Uint8Array;
}

function linesOf(
  { width, height, gray, around }: Gray,
  isBright: boolean,
  { contrast, characters }: Look,
): readonly Box[] {
  const mask = new Uint8Array(gray.length);
  for (let at = 0; at < mask.length; at += 1) {
    const above = (gray[at] as number) - (around[at] as number);
    mask[at] = (isBright ? above : -above) >= contrast * 0.6 ? 1 : 0;
  }
  const shapes = shapesOf(mask, width, height).filter(
    (shape) => isCharacter(shape, height) && isSharp(shape, gray, width, height, contrast),
  );
  return rowsOf(shapes, characters);
}

function isCharacter({ left, right, top, bottom, pixels }: Shape, height: number): boolean {
  const tall = bottom - top + 1;
  const wide = right - left + 1;
  if (tall < HEIGHT_MIN || tall > Math.max(HEIGHT_MIN * 4, height * HEIGHT_PART_MAX)) return false;
  const fill = pixels / (tall * wide);
  return wide <= tall * 1.6 && wide >= tall * 0.08 && fill >= 0.12 && fill <= 0.97;
}

/** Whether what the shape is made of differs much from the ring around it: print has edges of a pixel or two. */
function isSharp(
  { left, right, top, bottom }: Shape,
  gray: Uint8Array,
  width: number,
  height: number,
  contrast: number,
): boolean {
  const ring: number[] = [];
  const inside: number[] = [];
  for (let y = Math.max(0, top - 2); y <= Math.min(height - 1, bottom + 2); y += 1) {
    for (let x = Math.max(0, left - 2); x <= Math.min(width - 1, right + 2); x += 1) {
      const value = gray[y * width + x] as number;
      const isRing = x < left - 1 || x > right + 1 || y < top - 1 || y > bottom + 1;
      if (isRing) ring.push(value);
      else inside.push(value);
    }
  }
  if (ring.length === 0) return false;
  ring.sort((a, b) => a - b);
  inside.sort((a, b) => a - b);
  const middle = ring[ring.length >> 1] as number;
  const low = inside[Math.floor(inside.length * 0.1)] as number;
  const high = inside[Math.floor(inside.length * 0.9)] as number;
  return Math.max(Math.abs(high - middle), Math.abs(low - middle)) >= contrast;
}

/** Rows of shapes that stand side by side, of like height, close to each other. */
function rowsOf(shapes: readonly Shape[], charactersMin: number): readonly Box[] {
  const sorted = [...shapes].sort((a, b) => a.left - b.left);
  const rows: { last: Shape; count: number; box: Box }[] = [];
  for (const shape of sorted) {
    const row = rows.find(({ last }) => stand(last, shape));
    const { left, right, top, bottom } = shape;
    if (row) {
      row.last = shape;
      row.count += 1;
      row.box = {
        left: row.box.left,
        right: Math.max(row.box.right, right),
        top: Math.min(row.box.top, top),
        bottom: Math.max(row.box.bottom, bottom),
      };
    } else if (rows.length < 5_000) rows.push({ last: shape, count: 1, box: { left, right, top, bottom } });
  }
  return rows.filter(({ count }) => count >= charactersMin).map(({ box }) => box);
}

function stand(last: Shape, next: Shape): boolean {
  const tall = last.bottom - last.top + 1;
  const nextTall = next.bottom - next.top + 1;
  const gap = next.left - last.right;
  return (
    gap >= 0 &&
    gap <= 1.5 * Math.max(tall, nextTall) &&
    Math.abs(last.bottom - next.bottom) <= 0.35 * Math.max(tall, nextTall) &&
    Math.min(tall, nextTall) >= 0.55 * Math.max(tall, nextTall)
  );
}

function visited(mask: Uint8Array, at: number): number {
  mask[at] = 2;
  return at;
}

/** Connected shapes of the mask (four neighbours). */
function shapesOf(mask: Uint8Array, width: number, height: number): readonly Shape[] {
  const shapes: Shape[] = [];
  const stack: number[] = [];
  for (let start = 0; start < mask.length && shapes.length < SHAPES_MAX; start += 1) {
    if (mask[start] !== 1) continue;
    const shape: Shape = { left: width, right: 0, top: height, bottom: 0, pixels: 0 };
    mask[start] = 2;
    stack.push(start);
    while (stack.length > 0) {
      const at = stack.pop() as number;
      const x = at % width;
      const y = (at - x) / width;
      shape.left = Math.min(shape.left, x);
      shape.right = Math.max(shape.right, x);
      shape.top = Math.min(shape.top, y);
      shape.bottom = Math.max(shape.bottom, y);
      shape.pixels += 1;
      if (x > 0 && mask[at - 1] === 1) stack.push(visited(mask, at - 1));
      if (x < width - 1 && mask[at + 1] === 1) stack.push(visited(mask, at + 1));
      if (at >= width && mask[at - width] === 1) stack.push(visited(mask, at - width));
      if (at + width < mask.length && mask[at + width] === 1) stack.push(visited(mask, at + width));
    }
    shapes.push(shape);
  }
  return shapes;
}

/** Mean of the square around each pixel, by sums of columns that move down and a sum that moves right. */
function localMean(gray: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const mean = new Uint8Array(gray.length);
  const columns = new Float64Array(width);
  let rows = 0;
  const addRow = (y: number, sign: number): void => {
    if (y < 0 || y >= height) return;
    rows += sign;
    for (let x = 0; x < width; x += 1) columns[x] = (columns[x] as number) + sign * (gray[y * width + x] as number);
  };
  for (let y = 0; y < radius; y += 1) addRow(y, 1);
  for (let y = 0; y < height; y += 1) {
    addRow(y + radius, 1);
    addRow(y - radius - 1, -1);
    let sum = 0;
    let count = 0;
    for (let x = 0; x < Math.min(radius, width); x += 1) {
      sum += columns[x] as number;
      count += 1;
    }
    for (let x = 0; x < width; x += 1) {
      if (x + radius < width) {
        sum += columns[x + radius] as number;
        count += 1;
      }
      if (x - radius - 1 >= 0) {
        sum -= columns[x - radius - 1] as number;
        count -= 1;
      }
      mean[y * width + x] = sum / (count * rows);
    }
  }
  return mean;
}
