import type { Anatomy, BasePoint } from './anatomy.ts';
import type { PictureSide } from './lung-fields.ts';

/** The outer lower corner of a lung field. */
export interface CostophrenicAngle {
  readonly degrees: number;
  /** Depth of the corner below the dome over the height of the chest. */
  readonly recess: number;
  readonly corner: readonly [number, number];
  /** Ends of the two lines that were fitted. */
  readonly wall: readonly [number, number];
  readonly diaphragm: readonly [number, number];
}

/**
 * The angle between the chest wall and the diaphragm at the lowest point of the outer lung field: one line is fitted
 * to the border above the corner, one to the border inwards of it. Fluid fills this corner first; on upright films
 * that takes about 200 mL (C. C. Blackmore et al., Academic Radiology 1996).
 * @returns undefined where the lower border is too short to be judged.
 */
export function measureAngle(anatomy: Anatomy, side: PictureSide): CostophrenicAngle | undefined {
  const height = anatomy.bottom - anatomy.top;
  const outer = (anatomy.thorax.right - anatomy.thorax.left) / 2;
  const path = around(anatomy, side, outer);
  const at = cornerOf(path);
  const corner = path[at];
  if (!corner || corner.distance < 0.6 * outer) return undefined;
  const wall: BasePoint[] = [];
  const { lateral } = anatomy.sides[side];
  for (let y = Math.ceil(corner.y - 0.17 * height); y < corner.y - 0.03 * height; y++)
    if (!Number.isNaN(lateral[y]!)) wall.push({ distance: lateral[y]!, y });
  const diaphragm = path
    .slice(at)
    .filter(({ distance }) => corner.distance - distance > 0.03 * outer && corner.distance - distance < 0.3 * outer);
  if (wall.length < 6 || diaphragm.length < 6) return undefined;
  // The wall is all but upright and the diaphragm all but level: each is fitted against its own long axis.
  const wallSlope = slope(wall.map(({ y, distance }) => [y, distance]));
  const diaphragmSlope = slope(diaphragm.map(({ distance, y }) => [distance, y]));
  const up = Math.atan2(1, -wallSlope);
  const inward = Math.atan2(diaphragmSlope, -1);
  let degrees = ((inward - up) * 180) / Math.PI;
  if (degrees < 0) degrees += 360;
  const place = (distance: number, y: number): readonly [number, number] => [
    anatomy.midline(y) + (side === 'left' ? -distance : distance),
    y,
  ];
  const inner = diaphragm.at(-1)!;
  return {
    degrees,
    recess: (corner.y - anatomy.sides[side].dome) / height,
    corner: place(corner.distance, corner.y),
    wall: place(wall[0]!.distance, wall[0]!.y),
    diaphragm: place(inner.distance, inner.y),
  };
}

/** The border from the chest wall above the corner to the dome of the diaphragm. */
function around(anatomy: Anatomy, side: PictureSide, outer: number): BasePoint[] {
  const { base, lateral, bottom } = anatomy.sides[side];
  const height = anatomy.bottom - anatomy.top;
  const first = base[0]?.y ?? bottom;
  const path: BasePoint[] = [];
  for (let y = Math.ceil(first - 0.25 * height); y < first; y++)
    if (lateral[y]! > 0.5 * outer) path.push({ distance: lateral[y]!, y });
  for (const point of base) if (point.distance > 0.45 * outer) path.push(point);
  return path;
}

/** Index of the point farthest outwards from the line between both ends of the path; -1 for a path without a bend. */
function cornerOf(path: readonly BasePoint[]): number {
  const from = path[0];
  const to = path.at(-1);
  if (!from || !to || path.length < 12) return -1;
  let best = -1;
  let farthest = 0;
  for (const [index, point] of path.entries()) {
    const off = (from.distance - to.distance) * (point.y - to.y) - (from.y - to.y) * (point.distance - to.distance);
    if (off > farthest) {
      farthest = off;
      best = index;
    }
  }
  return best;
}

/** Slope of the line of least squares. */
function slope(points: readonly (readonly [number, number])[]): number {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  let above = 0;
  let below = 0;
  for (const [x, y] of points) {
    above += (x - meanX) * (y - meanY);
    below += (x - meanX) ** 2;
  }
  return below === 0 ? 0 : above / below;
}
