import { median, type Raster, robustDeviation, smoothed } from '../raster.ts';
import type { Anatomy } from './anatomy.ts';

/** The upper mediastinum, in pixels of the upright picture. */
export interface Mediastinum {
  readonly y: number;
  readonly left: number;
  readonly right: number;
  /** Inner thorax at the same rows. */
  readonly thoraxWidth: number;
}

/**
 * The shadow between the lungs at the height of the aortic arch, a fifth to a third of the way down: the median over
 * rows, so that a single vessel does not decide. @returns undefined when a lung does not reach there.
 */
export function measureMediastinum(anatomy: Anatomy): Mediastinum | undefined {
  const { sides, top, bottom, midline } = anatomy;
  const rows: { y: number; width: number; thorax: number }[] = [];
  for (let y = Math.round(top + 0.2 * (bottom - top)); y <= top + 0.33 * (bottom - top); y++) {
    const width = sides.left.medial[y]! + sides.right.medial[y]!;
    const thorax = sides.left.lateral[y]! + sides.right.lateral[y]!;
    if (!Number.isNaN(width)) rows.push({ y, width, thorax });
  }
  if (rows.length < 5) return undefined;
  const width = median(rows.map((each) => each.width));
  const row = rows.reduce((best, each) => (Math.abs(each.width - width) < Math.abs(best.width - width) ? each : best));
  return {
    y: row.y,
    left: midline(row.y) - sides.left.medial[row.y]!,
    right: midline(row.y) + sides.right.medial[row.y]!,
    thoraxWidth: median(rows.map((each) => each.thorax)),
  };
}

/** How much darker than both flanks the column must be, as a share of the picture's range. */
const DEPTH_MIN = 0.007;

/** The column of air in the upper mediastinum. */
export interface Trachea {
  /** Distance from the midline; positive towards the right of the picture. */
  readonly offset: number;
  readonly deviation: number;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/**
 * Follows the dark column between the apices and the arch: in each row the darkest place near the midline against
 * both flanks. Judged only when most rows show it and agree. @returns undefined otherwise.
 */
export function findTrachea(tone: Raster, anatomy: Anatomy): Trachea | undefined {
  const { width, data } = tone;
  const half = (anatomy.thorax.right - anatomy.thorax.left) / 2;
  const height = anatomy.bottom - anatomy.top;
  const calm = smoothed({ width, height: tone.height, data }, 0.012 * half * 2);
  const first = Math.max(0, Math.round(anatomy.top - 0.06 * height));
  const last = Math.round(anatomy.top + 0.17 * height);
  const flank = 0.13 * half;
  const reach = 0.22 * half;
  const seen: { y: number; offset: number }[] = [];
  let rows = 0;
  for (let y = first; y <= last; y++) {
    rows += 1;
    const middle = anatomy.midline(y + 0.5);
    let best = 0;
    let offset = 0;
    for (let distance = -reach; distance <= reach; distance += 0.5) {
      const at = (x: number): number => calm.data[y * width + Math.min(width - 1, Math.max(0, Math.round(x)))]!;
      const centre = at(middle + distance);
      const depth = Math.min(at(middle + distance - flank), at(middle + distance + flank)) - centre;
      if (depth > best) {
        best = depth;
        offset = distance;
      }
    }
    if (best > DEPTH_MIN) seen.push({ y, offset });
  }
  const offsets = seen.map((each) => each.offset);
  const offset = median(offsets);
  const deviation = robustDeviation(offsets, offset);
  // At the edge of the search it is something else that is dark.
  if (seen.length < 0.7 * rows || deviation > 0.05 * half || Math.abs(offset) > 0.9 * reach) return undefined;
  return {
    offset,
    deviation: Math.hypot(deviation / 2, anatomy.midlineDeviation, 0.5),
    from: [anatomy.midline(first) + offset, first],
    to: [anatomy.midline(last) + offset, last],
  };
}
