import type { ImagingRegion } from '@perennial/schemas/resources/imaging-analysis.ts';
import { rounded } from './confidence.ts';
import { type Mask, outline } from './mask.ts';
import type { Box } from './raster.ts';

/** Where the upright picture that was computed with lies in the picture as it is stored. */
export interface Frame {
  /** Of the picture as it is stored. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the stored picture for one of the small one, before turning. */
  readonly scale: { readonly x: number; readonly y: number };
  /** The part of the small picture, before turning, that was looked at. */
  readonly crop: Box;
  /** Quarter turns clockwise that made it upright. */
  readonly quarterTurns: 0 | 1 | 2 | 3;
}

/** A point of the upright picture in pixels of the stored one. */
export function toStored(frame: Frame, x: number, y: number): [number, number] {
  const { crop, scale } = frame;
  const [cx, cy] = (
    [
      [x, y],
      [y, crop.height - x],
      [crop.width - x, crop.height - y],
      [crop.width - y, x],
    ] as const
  )[frame.quarterTurns];
  return [
    rounded(Math.min(frame.width, Math.max(0, (crop.x + cx) * scale.x)), 1),
    rounded(Math.min(frame.height, Math.max(0, (crop.y + cy) * scale.y)), 1),
  ];
}

/** How many pixels of the stored picture a horizontal pixel of the upright one is wide. */
export function pixelsPerColumn(frame: Frame): number {
  return frame.quarterTurns % 2 === 0 ? frame.scale.x : frame.scale.y;
}

/** Millimetres of a horizontal pixel of the upright picture; undefined where the file does not say. */
export function millimetresPerColumn(frame: Frame, spacing: readonly [number, number] | undefined): number | undefined {
  if (!spacing) return undefined;
  return pixelsPerColumn(frame) * (frame.quarterTurns % 2 === 0 ? spacing[1] : spacing[0]);
}

/** The outline of a mask in pixels of the stored picture. */
export function regionOf(frame: Frame, mask: Mask): ImagingRegion {
  return polygonRegion(outline(mask, 1).map(([x, y]) => toStored(frame, x, y)));
}

/** A line between two points of the upright picture. */
export function lineRegion(
  frame: Frame,
  from: readonly [number, number],
  to: readonly [number, number],
): ImagingRegion {
  return polygonRegion([toStored(frame, ...from), toStored(frame, ...to)]);
}

/** At most as many points as the contract allows: every second one is dropped until they fit. */
export function polygonRegion(points: readonly (readonly [number, number])[]): ImagingRegion {
  let polygon = points.map(([x, y]) => [x, y]);
  while (polygon.length > 200) polygon = polygon.filter((_, index) => index % 2 === 0);
  const xs = polygon.map(([x]) => x!);
  const ys = polygon.map(([, y]) => y!);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return {
    box: {
      x: left,
      y: top,
      width: rounded(Math.max(...xs) - left, 1),
      height: rounded(Math.max(...ys) - top, 1),
    },
    polygon,
  };
}
