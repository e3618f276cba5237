import { areaOf, largestPart, type Mask } from '../mask.ts';
import { median, quantileOf } from '../raster.ts';
import type { LungFields, PictureSide } from './lung-fields.ts';

export const pictureSides = ['left', 'right'] as const;

/**
 * What the outlines of the two lung fields say of the chest, in pixels of the upright picture. Distances are taken
 * from the midline, sideways positive towards each side, so that both sides can be compared.
 */
export interface Anatomy {
  readonly width: number;
  readonly height: number;
  /** Where the midline is in a row. */
  readonly midline: (y: number) => number;
  /** Standard deviation of the midline. */
  readonly midlineDeviation: number;
  /** First and last row of the lung fields, both sides together. */
  readonly top: number;
  readonly bottom: number;
  readonly sides: Readonly<Record<PictureSide, LungSide>>;
  /** Widest inner thorax: the row and both ends. */
  readonly thorax: { readonly y: number; readonly left: number; readonly right: number; readonly isCompleted: boolean };
}

export interface LungSide {
  /** Air that is seen. */
  readonly air: Mask;
  /** The field as it should be: what is seen, completed by the other side. */
  readonly expected: Mask;
  readonly top: number;
  readonly bottom: number;
  /** The lower border from the chest wall to the heart. */
  readonly base: readonly BasePoint[];
  /** Row of its highest point. */
  readonly dome: number;
  /** Distance of the inner and outer border from the midline by row; not a number outside the field. */
  readonly medial: Float64Array;
  readonly lateral: Float64Array;
}

/** How much less than the other side each side is expected to have, in shares of the height or width of the chest. */
const ALLOWANCE = { lateral: 0.04, base: 0.07, apex: 0.04, medial: 0.05 } as const;

export function measureAnatomy(fields: LungFields): Anatomy {
  const { width, height } = fields.left;
  const spans = { left: spansOf(fields.left), right: spansOf(fields.right) };
  const { at: midline, deviation } = fitMidline(spans);
  const own = {
    left: borders(spans.left, midline, 'left'),
    right: borders(spans.right, midline, 'right'),
  };
  const top = Math.min(own.left.top, own.right.top);
  const bottom = Math.max(own.left.bottom, own.right.bottom);
  const side = (name: PictureSide): LungSide => {
    const other = name === 'left' ? 'right' : 'left';
    const expected = complete(fields[name], own[name], own[other], name, midline, bottom - top);
    const base = lowerBorder(fields[name], own[name], name, midline);
    const dome = domeOf(base, own[name]);
    return { air: fields[name], expected, ...own[name], base, dome };
  };
  const sides = { left: side('left'), right: side('right') };
  return {
    width,
    height,
    midline,
    midlineDeviation: deviation,
    top,
    bottom,
    sides,
    thorax: widest(sides, midline, top, bottom),
  };
}

interface Spans {
  /** First and last column by row; not a number where there is none. */
  readonly from: Float64Array;
  readonly to: Float64Array;
}

function spansOf(mask: Mask): Spans {
  const from = new Float64Array(mask.height).fill(Number.NaN);
  const to = new Float64Array(mask.height).fill(Number.NaN);
  for (let y = 0; y < mask.height; y++)
    for (let x = 0; x < mask.width; x++) {
      if (mask.data[y * mask.width + x] === 0) continue;
      if (Number.isNaN(from[y]!)) from[y] = x;
      to[y] = x + 1;
    }
  return { from, to };
}

/**
 * The line half way between the outer borders, fitted so that single rows with a hidden border do not matter
 * (Theil-Sen), over the middle of the height that both lungs have.
 */
function fitMidline(spans: Readonly<Record<PictureSide, Spans>>): {
  readonly at: (y: number) => number;
  readonly deviation: number;
} {
  const rows: number[] = [];
  for (let y = 0; y < spans.left.from.length; y++)
    if (!Number.isNaN(spans.left.from[y]!) && !Number.isNaN(spans.right.to[y]!)) rows.push(y);
  const used = rows.slice(Math.floor(rows.length * 0.15), Math.ceil(rows.length * 0.9));
  const middles = used.map((y) => (spans.left.from[y]! + spans.right.to[y]!) / 2);
  const slopes: number[] = [];
  const stride = Math.max(1, Math.floor(used.length / 40));
  for (let a = 0; a < used.length; a += stride)
    for (let b = a + Math.ceil(used.length / 3); b < used.length; b += stride)
      slopes.push((middles[b]! - middles[a]!) / (used[b]! - used[a]!));
  const slope = Math.min(0.12, Math.max(-0.12, median(slopes)));
  const offsets = middles.map((x, index) => x - slope * used[index]!);
  const offset = median(offsets);
  const deviation = Math.max(
    0.5,
    quantileOf(
      offsets.map((each) => Math.abs(each - offset)),
      0.6827,
    ),
  );
  return { at: (y) => offset + slope * y, deviation };
}

type Borders = Pick<LungSide, 'top' | 'bottom' | 'medial' | 'lateral'>;

function borders(spans: Spans, midline: (y: number) => number, side: PictureSide): Borders {
  const { from, to } = spans;
  const count = from.length;
  const medial = new Float64Array(count).fill(Number.NaN);
  const lateral = new Float64Array(count).fill(Number.NaN);
  let top = -1;
  let bottom = -1;
  for (let y = 0; y < count; y++) {
    if (Number.isNaN(from[y]!)) continue;
    if (top < 0) top = y;
    bottom = y;
    const middle = midline(y + 0.5);
    medial[y] = side === 'left' ? middle - to[y]! : from[y]! - middle;
    lateral[y] = side === 'left' ? middle - from[y]! : to[y]! - middle;
  }
  return { top, bottom, medial, lateral };
}

/** The field as it should be: what is seen, and what the mirrored other side has beyond the usual differences. */
function complete(
  air: Mask,
  own: Borders,
  other: Borders,
  side: PictureSide,
  midline: (y: number) => number,
  chestHeight: number,
): Mask {
  const { width, height } = air;
  const data = Uint8Array.from(air.data);
  const apex = Math.round(ALLOWANCE.apex * chestHeight);
  const base = Math.round(ALLOWANCE.base * chestHeight);
  const reach = Math.max(...Array.from(other.lateral).filter((each) => !Number.isNaN(each)));
  // Below this the heart makes the sides differ; above it the mediastinum is about as wide on both.
  const heartFrom = other.top + 0.45 * (other.bottom - other.top);
  const ownHeart = quantileOf(
    own.medial
      .subarray(
        own.top + Math.round(0.45 * (own.bottom - own.top)),
        own.top + Math.round(0.85 * (own.bottom - own.top)),
      )
      .filter((each) => !Number.isNaN(each)),
    0.97,
  );
  for (let y = 0; y < height; y++) {
    // The other side is lowered at the apex and raised at the base by what healthy sides differ.
    const above = y - apex;
    const below = y + base;
    if (above < other.top || below > other.bottom) continue;
    const outer = Math.min(other.lateral[above]!, other.lateral[y] ?? Number.NaN) - ALLOWANCE.lateral * reach;
    const lowered = Math.max(other.medial[y]!, other.medial[Math.min(below, other.bottom)]!) + ALLOWANCE.medial * reach;
    const inner = y < heartFrom ? lowered : Math.max(lowered, ownHeart);
    const ownLimit = Number.isNaN(own.medial[y]!) ? inner : y < heartFrom ? inner : Math.min(inner, own.medial[y]!);
    if (!(outer > ownLimit)) continue;
    const middle = midline(y + 0.5);
    const [from, to] = side === 'left' ? [middle - outer, middle - ownLimit] : [middle + ownLimit, middle + outer];
    for (let x = Math.max(0, Math.ceil(from)); x < Math.min(width, to); x++) data[y * width + x] = 1;
  }
  return largestPart({ width, height, data });
}

/**
 * The lower border, walked from the chest wall inwards until it turns up the heart: distances from the midline and
 * rows. Empty for an empty field.
 */
export function lowerBorder(air: Mask, side: Borders, name: PictureSide, midline: (y: number) => number): BasePoint[] {
  const { width } = air;
  const { top, bottom } = side;
  const outer = Math.max(0, ...Array.from(side.lateral).filter((each) => !Number.isNaN(each)));
  const steep = 0.04 * (bottom - top);
  const border: BasePoint[] = [];
  for (let distance = Math.floor(outer); distance > 0.15 * outer; distance -= 1) {
    let lowest = -1;
    for (let y = bottom; y >= top && lowest < 0; y--) {
      const x = Math.floor(name === 'left' ? midline(y) - distance : midline(y) + distance);
      if (x >= 0 && x < width && air.data[y * width + x] === 1) lowest = y + 1;
    }
    if (lowest < 0) continue;
    const last = border.at(-1);
    // The outermost columns are the wall itself, and steep as well.
    if (last && distance <= 0.85 * outer && Math.abs(lowest - last.y) > steep) break;
    border.push({ distance, y: lowest });
  }
  return border;
}

/** The highest row of the lower border, its outer end left out, which climbs the chest wall. */
function domeOf(base: readonly BasePoint[], side: Borders): number {
  const outer = base[0]?.distance ?? 0;
  return base.reduce(
    (highest, { distance, y }) => (distance < 0.85 * outer ? Math.min(highest, y) : highest),
    side.bottom,
  );
}

export interface BasePoint {
  /** From the midline. */
  readonly distance: number;
  readonly y: number;
}

/**
 * The widest inner thorax. Where one border is hidden in the lower chest, its distance is taken from the other side.
 */
function widest(
  sides: Readonly<Record<PictureSide, LungSide>>,
  midline: (y: number) => number,
  top: number,
  bottom: number,
): Anatomy['thorax'] {
  let best = { y: top, left: 0, right: 0, isCompleted: false };
  let most = -1;
  for (let y = top; y <= bottom; y++) {
    const left = sides.left.lateral[y]!;
    const right = sides.right.lateral[y]!;
    if (Number.isNaN(left) || Number.isNaN(right)) continue;
    if (left + right <= most) continue;
    most = left + right;
    best = { y, left: midline(y + 0.5) - left, right: midline(y + 0.5) + right, isCompleted: false };
  }
  const reach = (side: LungSide): { y: number; distance: number } => {
    let found = { y: top, distance: 0 };
    for (let y = side.top; y <= side.bottom; y++)
      if (side.lateral[y]! > found.distance) found = { y, distance: side.lateral[y]! };
    return found;
  };
  const left = reach(sides.left);
  const right = reach(sides.right);
  const longer = left.distance > right.distance ? left : right;
  const shorter = left.distance > right.distance ? right : left;
  // One side ends much higher: its chest wall lower down is not seen.
  if (longer.y - shorter.y > 0.12 * (bottom - top) && longer.distance > 1.03 * shorter.distance) {
    const middle = midline(longer.y + 0.5);
    return { y: longer.y, left: middle - longer.distance, right: middle + longer.distance, isCompleted: true };
  }
  return best;
}

/** Share of the expected field that is seen as air. */
export function seenShare(side: LungSide): number {
  return areaOf(side.air) / Math.max(1, areaOf(side.expected));
}
