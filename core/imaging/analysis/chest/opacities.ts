import { componentMask, components, dilated, eroded, type Mask, maskOf, opened } from '../mask.ts';
import { median, quantileOf, type Raster, robustDeviation, smoothed } from '../raster.ts';
import { type Anatomy, hiddenPart, type LungSide, pictureSides } from './anatomy.ts';
import type { PictureSide } from './lung-fields.ts';

export type Zone = 'upper' | 'mid' | 'lower';

/** A part of a lung field that is denser than expected. */
export interface Opacity {
  readonly side: PictureSide;
  readonly zone: Zone;
  readonly mask: Mask;
  /** Over the expected area of its lung field. */
  readonly areaShare: number;
  /** Mean excess of density over the contrast between lung and mediastinum. */
  readonly density: number;
  /** Mean excess over its standard deviation in both fields. */
  readonly significance: number;
  /** Whether no air at all is seen in most of it. */
  readonly isSolid: boolean;
  /** Whether it fills the lowest outer part of the field. */
  readonly isBasal: boolean;
  /** What showed it. */
  readonly by: 'mirrored_side' | 'surroundings' | 'missing_field';
}

/** Density of the fields as a whole. */
export interface FieldDensity {
  /** Median tone of each field over the contrast between lung and mediastinum, from the darker field. */
  readonly difference: number;
  readonly denser: PictureSide;
  /** Tone of the mediastinum less that of the lungs. */
  readonly contrast: number;
  /** Standard deviation of the excess, in tone. */
  readonly spread: number;
}

export interface Densities {
  readonly opacities: readonly Opacity[];
  readonly field: FieldDensity;
}

/** An excess smaller than this share of the contrast between lung and mediastinum is not reported. */
const DENSITY_MIN = 0.18;
/** Nearer to the mediastinum than this, of the way to the wall, air thins out too fast to be judged without a mirror. */
const INNER = 0.3;
/** Nor one below so many standard deviations, */
const SIGNIFICANCE_MIN = 3;
/** nor one of less than this share of its field. */
const AREA_MIN = 0.02;

/**
 * Finds what is denser in the lung fields than it should be, in two ways that must agree: than the same place of the
 * other side, once the sides are aligned and their medians are equal (contralateral subtraction, after S. G. Armato
 * et al., Medical Physics 1993), and than the smooth surface fitted to the field's own tones. Where the air of a field
 * is missing altogether the field as it should be decides. What is alike on both sides is not found.
 */
export function findOpacities(tone: Raster, anatomy: Anatomy): Densities {
  const { width, height } = tone;
  const scale = (anatomy.thorax.right - anatomy.thorax.left) / 2;
  const calm = smoothed(tone, 0.055 * scale);
  const margin = Math.max(1, Math.round(0.035 * scale));
  const inner = {
    left: eroded(anatomy.sides.left.air, margin),
    right: eroded(anatomy.sides.right.air, margin),
  };
  const tones = { left: tonesIn(calm, inner.left), right: tonesIn(calm, inner.right) };
  const medians = { left: median(tones.left), right: median(tones.right) };
  const lung = Math.min(medians.left, medians.right);
  const contrast = Math.max(0.05, mediastinumTone(calm, anatomy) - lung);
  const excess = new Float32Array(width * height).fill(Number.NaN);
  const hasMirror = new Uint8Array(width * height);
  for (const side of pictureSides) {
    const other = side === 'left' ? 'right' : 'left';
    const surface = fitSurface(calm, inner[side], anatomy.sides[side]);
    for (let index = 0; index < excess.length; index++) {
      if (inner[side].data[index] === 0) continue;
      const x = index % width;
      const y = (index - x) / width;
      const own = calm.data[index]! - surface(x, y);
      const column = counterpart(anatomy, side, x, y);
      const at = y * width + column;
      if (column >= 0 && column < width && inner[other].data[at] === 1) {
        excess[index] = Math.min(own, calm.data[index]! - medians[side] - (calm.data[at]! - medians[other]));
        hasMirror[index] = 1;
      } else if (placeIn(anatomy.sides[side], anatomy, x, y)[0] > INNER) excess[index] = own;
    }
  }
  const spread = spreadOf(
    pictureSides.map((side) => excess.filter((value, index) => inner[side].data[index] === 1 && !Number.isNaN(value))),
  );
  const floor = Math.max(DENSITY_MIN * contrast, SIGNIFICANCE_MIN * spread);
  const opacities = pictureSides.flatMap((side) => {
    const field = anatomy.sides[side];
    const hidden = hiddenPart(field, margin);
    const dense = maskOf(
      width,
      height,
      // Without a counterpart half the evidence is missing, and air thins out above the domes: more is asked for.
      (index) => excess[index]! > (hasMirror[index] === 1 && !isNearBase(field, anatomy, index) ? floor : 1.6 * floor),
    );
    const grown = dilated(opened(dense, 1), margin);
    const all = maskOf(
      width,
      height,
      (index) =>
        (hidden.data[index] === 1 || (grown.data[index] === 1 && field.expected.data[index] === 1)) &&
        sideOf(anatomy, index, width) === side,
    );
    return partsOf(all, field, side, {
      tone: calm,
      excess,
      hidden,
      hasMirror,
      contrast,
      spread,
      lung: medians[side],
      anatomy,
    });
  });
  const denser = medians.left > medians.right ? 'left' : 'right';
  return {
    opacities: opacities.sort((a, b) => b.significance * b.areaShare - a.significance * a.areaShare),
    field: { difference: Math.abs(medians.left - medians.right) / contrast, denser, contrast, spread },
  };
}

function isNearBase(field: LungSide, { width, top, bottom }: Anatomy, index: number): boolean {
  const x = index % width;
  return (index - x) / width > field.dome - 0.1 * (bottom - top);
}

/**
 * Standard deviation of the excess where nothing is wrong. A dense part lengthens the upper tail of its own side and,
 * as its mirror image, the lower tail of the other one: the shortest of the four tails is the least disturbed.
 */
function spreadOf(excesses: readonly Float32Array[]): number {
  const tails = excesses.flatMap((values) => {
    const middle = median(values);
    return [quantileOf(values, 0.84) - middle, middle - quantileOf(values, 0.16)];
  });
  return Math.max(0.004, Math.min(...tails));
}

function sideOf(anatomy: Anatomy, index: number, width: number): PictureSide {
  const x = index % width;
  return x < anatomy.midline((index - x) / width) ? 'left' : 'right';
}

function tonesIn(tone: Raster, mask: Mask): Float32Array {
  return tone.data.filter((_, index) => mask.data[index] === 1);
}

function mediastinumTone(tone: Raster, anatomy: Anatomy): number {
  const values: number[] = [];
  for (let y = anatomy.top; y <= anatomy.bottom; y++)
    for (const side of pictureSides) {
      const reach = 0.7 * anatomy.sides[side].medial[y]!;
      for (let distance = 0; distance < reach; distance += 1) {
        const x = Math.floor(anatomy.midline(y) + (side === 'left' ? -distance : distance));
        if (x >= 0 && x < tone.width) values.push(tone.data[y * tone.width + x]!);
      }
    }
  return median(values);
}

/**
 * The column in which a pixel has its like on the other side: in the outer half of its row at the same distance from
 * the chest wall, in the inner half at the same distance from mediastinum or heart, since air thins out towards both
 * and the heart takes more of one side. -1 where there is none.
 */
function counterpart(anatomy: Anatomy, side: PictureSide, x: number, y: number): number {
  const own = anatomy.sides[side];
  const other = anatomy.sides[side === 'left' ? 'right' : 'left'];
  const middle = anatomy.midline(y + 0.5);
  const distance = Math.abs(x + 0.5 - middle);
  const across = (distance - own.medial[y]!) / (own.lateral[y]! - own.medial[y]!);
  const like =
    across > 0.5 ? other.lateral[y]! - (own.lateral[y]! - distance) : other.medial[y]! + (distance - own.medial[y]!);
  if (Number.isNaN(like)) return -1;
  return Math.floor(side === 'left' ? middle + like : middle - like);
}

/** Coordinates of a place in a lung field: 0 to 1 from the mediastinum to the wall, and from apex to base. */
function placeIn(field: LungSide, anatomy: Anatomy, x: number, y: number): readonly [number, number] {
  const distance = Math.abs(x + 0.5 - anatomy.midline(y + 0.5));
  const lateral = Number.isNaN(field.lateral[y]!) ? 1 : field.lateral[y]!;
  const medial = Number.isNaN(field.medial[y]!) ? 0 : field.medial[y]!;
  return [
    (distance - medial) / Math.max(1, lateral - medial),
    (y - anatomy.top) / Math.max(1, anatomy.bottom - anatomy.top),
  ];
}

/**
 * The smooth surface of second order through the tones of a field, fitted three times, each time without what lay
 * well above it: what is dense must not raise what it is compared with.
 */
function fitSurface(tone: Raster, mask: Mask, field: LungSide): (x: number, y: number) => number {
  const { width } = tone;
  const cx = field.expected.width / 2;
  const cy = (field.top + field.bottom) / 2;
  const size = Math.max(1, field.bottom - field.top) / 2;
  const terms = (x: number, y: number): number[] => {
    const u = (x - cx) / size;
    const v = (y - cy) / size;
    return [1, u, v, u * u, u * v, v * v];
  };
  const samples: number[] = [];
  for (let index = 0; index < mask.data.length; index += 3) if (mask.data[index] === 1) samples.push(index);
  let kept = samples;
  let coefficients: readonly number[] = [median(samples.map((index) => tone.data[index]!)), 0, 0, 0, 0, 0];
  const value = (index: number): number => {
    const x = index % width;
    return dot(coefficients, terms(x, (index - x) / width));
  };
  for (let round = 0; round < 3 && kept.length > 30; round++) {
    const solved = leastSquares(
      kept.map((index) => {
        const x = index % width;
        return { terms: terms(x, (index - x) / width), value: tone.data[index]! };
      }),
    );
    if (!solved) break;
    coefficients = solved;
    const residuals = samples.map((index) => tone.data[index]! - value(index));
    const deviation = robustDeviation(residuals);
    kept = samples.filter((_, each) => residuals[each]! < 1.5 * deviation && residuals[each]! > -3 * deviation);
  }
  return (x, y) => dot(coefficients, terms(x, y));
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

/** Normal equations by Gaussian elimination with pivoting; undefined when they have no single solution. */
function leastSquares(
  rows: readonly { readonly terms: readonly number[]; readonly value: number }[],
): readonly number[] | undefined {
  const size = rows[0]!.terms.length;
  const matrix = Array.from({ length: size }, () => new Float64Array(size + 1));
  for (const { terms, value } of rows)
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) matrix[i]![j]! += terms[i]! * terms[j]!;
      matrix[i]![size]! += terms[i]! * value;
    }
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(matrix[row]![column]!) > Math.abs(matrix[pivot]![column]!)) pivot = row;
    if (Math.abs(matrix[pivot]![column]!) < 1e-9) return undefined;
    [matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!];
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = matrix[row]![column]! / matrix[column]![column]!;
      for (let j = column; j <= size; j++) matrix[row]![j]! -= factor * matrix[column]![j]!;
    }
  }
  return matrix.map((row, index) => row[size]! / row[index]!);
}

interface Measured {
  readonly tone: Raster;
  readonly excess: Float32Array;
  readonly hidden: Mask;
  readonly hasMirror: Uint8Array;
  readonly contrast: number;
  readonly spread: number;
  readonly lung: number;
  readonly anatomy: Anatomy;
}

function partsOf(all: Mask, field: LungSide, side: PictureSide, measured: Measured): Opacity[] {
  const { width, height } = all;
  const { tone, excess, hidden, hasMirror, contrast, spread, lung, anatomy } = measured;
  let fieldArea = 0;
  for (const each of field.expected.data) fieldArea += each;
  const { labels, list } = components(all, AREA_MIN * fieldArea);
  return list.flatMap(({ label, area, y: centre }) => {
    let sum = 0;
    let missing = 0;
    let mirrored = 0;
    let corner = 0;
    for (let index = 0; index < labels.length; index++) {
      if (labels[index] !== label) continue;
      const x = index % width;
      const y = (index - x) / width;
      // In a part without air there is no surface: its tone is compared with that of the lung.
      sum += hidden.data[index] === 1 || Number.isNaN(excess[index]!) ? tone.data[index]! - lung : excess[index]!;
      missing += hidden.data[index]!;
      mirrored += hasMirror[index]!;
      const [across, down] = placeIn(field, anatomy, x, y);
      if (across > 0.45 && down > 0.8) corner += 1;
    }
    const density = sum / area / contrast;
    if (density < DENSITY_MIN) return [];
    const down = (centre - anatomy.top) / Math.max(1, anatomy.bottom - anatomy.top);
    const isSolid = missing > 0.5 * area;
    return {
      side,
      zone: down < 1 / 3 ? 'upper' : down < 2 / 3 ? 'mid' : 'lower',
      mask: componentMask(labels, label, width, height),
      areaShare: area / fieldArea,
      density,
      significance: (density * contrast) / spread,
      isSolid,
      isBasal: isSolid && corner > 0.25 * area,
      by: isSolid ? 'missing_field' : mirrored > 0.5 * area ? 'mirrored_side' : 'surroundings',
    } satisfies Opacity;
  });
}

/** Mean tone inside a mask. */
export function meanTone(tone: Raster, mask: Mask): number {
  const values = tonesIn(tone, mask);
  return values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length);
}
