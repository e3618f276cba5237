import { type Anatomy, type LungSide, pictureSides } from './anatomy.ts';
import type { PictureSide } from './lung-fields.ts';

/** The widest heart shadow, in pixels of the upright picture. */
export interface Heart {
  readonly reach: Readonly<Record<PictureSide, { readonly y: number; readonly distance: number }>>;
  readonly width: number;
  /** Standard deviation of the width. */
  readonly deviation: number;
  /** Sides on which the border is hidden or runs into the base of the lung. */
  readonly hidden: readonly PictureSide[];
}

/**
 * How far the shadow between the lungs reaches from the midline to each side, in the lower half of the chest and
 * above the dome of the diaphragm: the largest transverse diameter of the heart is the sum of both (C. S. Danzer,
 * American Journal of the Medical Sciences 1919). Measured at the borders of the lung fields, like N. Nakamori et
 * al., Medical Physics 1990.
 */
export function measureHeart(anatomy: Anatomy): Heart {
  const reach = { left: reachOf(anatomy, 'left'), right: reachOf(anatomy, 'right') };
  const hidden = pictureSides.filter((side) => isHidden(anatomy, anatomy.sides[side], reach[side]));
  return {
    reach,
    width: reach.left.distance + reach.right.distance,
    // One pixel at each border, and what the midline does not cancel where the two widest rows differ.
    deviation: Math.hypot(1, 1, 0.5 * anatomy.midlineDeviation),
    hidden,
  };
}

function reachOf(anatomy: Anatomy, side: PictureSide): { readonly y: number; readonly distance: number } {
  const { medial, dome, top, bottom } = anatomy.sides[side];
  const from = Math.round(anatomy.top + 0.42 * (anatomy.bottom - anatomy.top));
  // The last rows above the dome belong to its slope towards the heart.
  const to = Math.min(bottom, dome - 0.02 * (anatomy.bottom - anatomy.top));
  let best = { y: Math.max(top, from), distance: 0 };
  const slopesFrom = anatomy.top + 0.8 * (anatomy.bottom - anatomy.top);
  for (let y = from; y <= to; y++) {
    // So low down, a border that runs outwards this fast is the diaphragm's and no longer the heart's.
    if (y > slopesFrom && medial[y + 3]! - medial[y]! > 5) break;
    if (medial[y]! > best.distance) best = { y, distance: medial[y]! };
  }
  return best;
}

/** The border cannot be seen where the lung beside it ends early. */
function isHidden(anatomy: Anatomy, side: LungSide, reach: { readonly y: number; readonly distance: number }): boolean {
  const height = anatomy.bottom - anatomy.top;
  return anatomy.bottom - side.dome > 0.3 * height || reach.distance === 0;
}
