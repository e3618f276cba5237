import type { Raster } from './raster.ts';

/** A place to draw, in pixels of the image as stored. */
export interface Outline {
  /** Closed by itself when it has more than two points. */
  readonly points: readonly (readonly [number, number])[];
  readonly kind: 'finding' | 'structure' | 'measure';
}

/** Colours that differ for every common kind of colour vision (Okabe and Ito). */
const colors = { finding: [230, 159, 0], structure: [86, 180, 233], measure: [0, 158, 115] } as const;

/** The picture in colour with the outlines drawn on it. */
export function drawOutlines(raster: Raster, outlines: readonly Outline[]): Raster {
  const { width, height } = raster;
  const data = raster.channels === 3 ? Uint8Array.from(raster.data) : inColor(raster.data);
  const thickness = Math.max(1, Math.round(Math.max(width, height) / 500));
  for (const { points, kind } of outlines) {
    const ends = points.length > 2 ? [...points.slice(1), points[0] as readonly [number, number]] : points.slice(1);
    for (const [index, end] of ends.entries()) {
      drawLine(data, width, height, points[index] as readonly [number, number], end, thickness, colors[kind]);
    }
  }
  return { width, height, channels: 3, data };
}

function inColor(gray: Uint8Array): Uint8Array {
  const rgb = new Uint8Array(gray.length * 3);
  for (let at = 0; at < gray.length; at += 1) rgb.fill(gray[at] as number, 3 * at, 3 * at + 3);
  return rgb;
}

/** A line of squares, one for each step of the longer direction. Points outside the picture are left out. */
function drawLine(
  data: Uint8Array,
  width: number,
  height: number,
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  thickness: number,
  color: readonly number[],
): void {
  // No line is longer than twice the picture, wherever its ends are said to be.
  const steps = Math.min(
    2 * (width + height),
    Math.max(1, Math.ceil(Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY)))),
  );
  for (let step = 0; step <= steps; step += 1) {
    const left = Math.round(fromX + ((toX - fromX) * step) / steps - thickness / 2);
    const top = Math.round(fromY + ((toY - fromY) * step) / steps - thickness / 2);
    for (let y = Math.max(0, top); y < Math.min(height, top + thickness); y += 1) {
      for (let x = Math.max(0, left); x < Math.min(width, left + thickness); x += 1)
        data.set(color, 3 * (y * width + x));
    }
  }
}
