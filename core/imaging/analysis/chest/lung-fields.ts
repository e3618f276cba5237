import {
  areaOf,
  type Component,
  closed,
  componentMask,
  components,
  dilated,
  eroded,
  filled,
  largestPart,
  type Mask,
  maskOf,
  opened,
} from '../mask.ts';
import { Histogram, mapped, quantileOf, type Raster, smoothed } from '../raster.ts';
import { watershed } from '../watershed.ts';

/** Sides of the picture, not of the patient. */
export type PictureSide = 'left' | 'right';

/** The two dark fields of a frontal film. */
export interface LungFields {
  /** Air as it is seen: closed over ribs and vessels, not over what hides the lung. */
  readonly left: Mask;
  readonly right: Mask;
  /** Mean gradient across each outline, in shares of the picture's range per pixel. */
  readonly edge: Readonly<Record<PictureSide, number>>;
  /** Smoothed lightly, from 0 (darkest percentile) to 1 (brightest). */
  readonly tone: Raster;
}

/** Levels that are tried. */
const LEVELS = 14;
/** Shares of the picture that one lung field can have. */
const AREA = { minimum: 0.015, maximum: 0.33 };

/**
 * Finds the lung fields of an upright picture by the level at which they stand out best: for each of many levels, the
 * dark connected parts that do not reach the border are candidates, and the one whose outline has the steepest edge
 * for its size is kept, on each side. A method of the family of optimal thresholding by edge strength and of
 * maximally stable regions; after J. Matas et al., Image and Vision Computing 2004, and S. Jaeger et al., IEEE
 * Transactions on Medical Imaging 2014, which reviews rule-based lung segmentation.
 * @returns undefined when there is no such pair.
 */
export function findLungFields(picture: Raster): LungFields | undefined {
  const { width, height } = picture;
  const histogram = new Histogram(picture.data, ...rangeOf(picture));
  const low = histogram.quantile(0.01);
  const high = histogram.quantile(0.99);
  if (!(high > low)) return undefined;
  const scaled: Raster = {
    width,
    height,
    data: picture.data.map((value) => Math.min(1, Math.max(0, (value - low) / (high - low)))),
  };
  const tone = smoothed(scaled, 1.2);
  const gradient = gradientOf(tone);
  const found: { left?: Candidate; right?: Candidate } = {};
  for (const evened of evenings(tone))
    for (const threshold of levelsOf(evened)) {
      const dark = maskOf(width, height, (index) => evened.data[index]! < threshold);
      const { labels, list } = components(dark, AREA.minimum * width * height);
      const pair = bestPair(
        list.filter((each) => isPlausible(each, width, height)),
        width,
      );
      if (!pair) continue;
      for (const side of ['left', 'right'] as const) {
        const { label, area } = pair[side];
        const edge = edgeStrength(labels, label, pair[side], gradient);
        const score = edge * area ** 0.35;
        const best = found[side];
        if (!best || score > best.score)
          found[side] = { score, edge, mask: componentMask(labels, label, width, height) };
      }
    }
  const { left, right } = found;
  if (!left || !right) return undefined;
  const rough = { left: tidied(left.mask), right: tidied(right.mask) };
  const fields = refined(rough, tone);
  if (areaOf(fields.left) === 0 || areaOf(fields.right) === 0) return undefined;
  return { ...fields, edge: { left: left.edge, right: right.edge }, tone };
}

/**
 * What is surely lung: the inside of what was found, and what is as dark as that where the other side, mirrored, has
 * lung, as it is or against its surroundings. A rib across the narrow part beside a large heart cuts the lung in two;
 * the lower half is found by this.
 */
function coreOf(own: Mask, other: Mask, tone: Raster, relief: Raster): Mask {
  const { width, height } = own;
  const axis = (middleOf(own) + middleOf(other)) / 2;
  const inner = eroded(own, Math.max(1, Math.round(0.02 * width)));
  const otherInner = eroded(other, Math.round(0.018 * width));
  const inside = (source: Raster): Float32Array => source.data.filter((_, index) => own.data[index] === 1);
  const level = quantileOf(inside(tone), 0.75);
  const depth = quantileOf(inside(relief), 0.6);
  return maskOf(width, height, (index) => {
    if (inner.data[index] === 1) return true;
    const x = index % width;
    const mirror = Math.round(2 * axis - x - 1);
    return (
      mirror >= 0 &&
      mirror < width &&
      otherInner.data[index - x + mirror] === 1 &&
      (tone.data[index]! <= level || relief.data[index]! <= depth)
    );
  });
}

/** Middle between the first and the last column of a mask. */
function middleOf(mask: Mask): number {
  let first = mask.width;
  let last = 0;
  for (let index = 0; index < mask.data.length; index++) {
    if (mask.data[index] === 0) continue;
    const x = index % mask.width;
    if (x < first) first = x;
    if (x > last) last = x;
  }
  return (first + last + 1) / 2;
}

/** Without holes, bridges and the notches that ribs cut. */
function tidied(mask: Mask): Mask {
  const radius = Math.max(1, Math.round(mask.width * 0.012));
  return largestPart(opened(filled(closed(mask, 2 * radius)), radius));
}

type Pair = Readonly<Record<PictureSide, Mask>>;

const ROUNDS = 4;

/**
 * Moves the outlines to where the tone is half way between the lung beside and the tissue beside, both as they are in
 * the neighbourhood: films are unevenly exposed, and one level never fits a whole lung. S. Lankton and A. Tannenbaum,
 * Localizing region-based active contours, IEEE Transactions on Image Processing 2008, without its curvature term.
 */
function refined(pair: Pair, tone: Raster): Pair {
  const { width, height } = tone;
  const sigma = 0.035 * width;
  const background = smoothed(tone, 0.09 * width);
  const relief = mapped(tone, (value, index) => value - background.data[index]!);
  const cores = mapSides((side) => coreOf(pair[side], pair[side === 'left' ? 'right' : 'left'], tone, relief));
  const zones = territories(tone, pair, cores);
  let current = pair;
  for (let round = 0; round < ROUNDS; round++) {
    const isLung = (index: number): boolean => current.left.data[index] === 1 || current.right.data[index] === 1;
    const inside = localMean(tone, (index) => (isLung(index) ? 1 : 0), sigma);
    // Only what is brighter than the lung counts as tissue: beyond the chest wall there is air again.
    const outside = localMean(
      tone,
      (index) =>
        isLung(index) || !(tone.data[index]! > inside[index]!) ? 0 : (tone.data[index]! - inside[index]!) ** 2,
      sigma,
    );
    current = mapSides((side) =>
      attached(
        maskOf(
          width,
          height,
          (index) =>
            zones[side].data[index] === 1 &&
            (cores[side].data[index] === 1 ||
              (Number.isNaN(inside[index]! + outside[index]!)
                ? current[side].data[index] === 1
                : tone.data[index]! < (inside[index]! + outside[index]!) / 2)),
        ),
        cores[side],
      ),
    );
  }
  return mapSides((side) => largeParts(opened(filled(closed(current[side], Math.round(0.02 * width))), 1)));
}

/** Without crumbs: parts of less than a thirtieth of the largest one. */
function largeParts(mask: Mask): Mask {
  const { labels, list } = components(mask);
  const largest = Math.max(0, ...list.map(({ area }) => area));
  const kept = new Set(list.filter(({ area }) => area > largest / 30).map(({ label }) => label));
  return maskOf(mask.width, mask.height, (index) => kept.has(labels[index]!));
}

function mapSides<T>(map: (side: PictureSide) => T): Readonly<Record<PictureSide, T>> {
  return { left: map('left'), right: map('right') };
}

/**
 * How far each lung can reach: to the brightest line between it, the other one and the border of the picture, and not
 * too far from what was found. Beyond the crest of the chest wall the tone falls again, and no level tells that from
 * lung.
 */
function territories(tone: Raster, pair: Pair, cores: Pair): Pair {
  const { width, height } = tone;
  const labels = { left: 1, right: 2, border: 3 };
  const markers = new Uint8Array(width * height);
  for (let index = 0; index < markers.length; index++) {
    const x = index % width;
    if (cores.left.data[index] === 1) markers[index] = labels.left;
    else if (cores.right.data[index] === 1) markers[index] = labels.right;
    else if (x === 0 || x === width - 1 || index < width || index >= width * (height - 1))
      markers[index] = labels.border;
  }
  const owner = watershed(tone, markers);
  return mapSides((side) => {
    const near = dilated(pair[side], Math.round(0.25 * width));
    return maskOf(width, height, (index) => owner[index] === labels[side] && near.data[index] === 1);
  });
}

/** Mean around each pixel with weights; not a number where there is no weight near. */
function localMean(tone: Raster, weightOf: (index: number) => number, sigma: number): Float32Array {
  const weights = mapped(tone, (_, index) => weightOf(index));
  const total = smoothed(weights, sigma).data;
  const sum = smoothed(
    mapped(tone, (value, index) => value * weights.data[index]!),
    sigma,
  ).data;
  return sum.map((value, index) => (total[index]! > 1e-6 ? value / total[index]! : Number.NaN));
}

/** The connected parts that hold a part of the core. */
function attached(mask: Mask, core: Mask): Mask {
  const thin = opened(mask, 1);
  const { labels } = components(thin);
  const kept = new Set<number>();
  for (let index = 0; index < labels.length; index++) if (core.data[index] === 1) kept.add(labels[index]!);
  kept.delete(0);
  return maskOf(mask.width, mask.height, (index) => kept.has(labels[index]!));
}

function evenings(tone: Raster): readonly Raster[] {
  const background = smoothed(tone, 0.16 * tone.width);
  return [0, 0.4, 0.8].map((share) => mapped(tone, (value, index) => value - share * background.data[index]!));
}

function levelsOf(source: Raster): readonly number[] {
  const histogram = new Histogram(source.data, ...rangeOf(source));
  const low = histogram.quantile(0.05);
  const high = histogram.quantile(0.8);
  return Array.from({ length: LEVELS }, (_, each) => low + ((high - low) * (each + 1)) / (LEVELS + 1));
}

interface Candidate {
  readonly score: number;
  readonly edge: number;
  readonly mask: Mask;
}

function rangeOf(picture: Raster): [number, number] {
  let minimum = Number.POSITIVE_INFINITY;
  let maximum = Number.NEGATIVE_INFINITY;
  for (const value of picture.data) {
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  return [minimum, maximum];
}

/** Size of the gradient by central differences. */
export function gradientOf(source: Raster): Raster {
  const { width, height, data } = source;
  const result = new Float32Array(data.length);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      result[at] = Math.hypot(data[at + 1]! - data[at - 1]!, data[at + width]! - data[at - width]!) / 2;
    }
  return { width, height, data: result };
}

function isPlausible(each: Component, width: number, height: number): boolean {
  const { touches, area, box } = each;
  if (touches.left || touches.right || touches.top || touches.bottom) return false;
  if (area > AREA.maximum * width * height) return false;
  return box.height > 0.18 * height && box.width < 0.55 * width && area > 0.28 * box.width * box.height;
}

/** The largest two that lie beside each other. */
function bestPair(list: readonly Component[], width: number): Readonly<Record<PictureSide, Component>> | undefined {
  let best: Record<PictureSide, Component> | undefined;
  let largest = 0;
  for (const left of list)
    for (const right of list) {
      if (right.x - left.x < 0.18 * width) continue;
      const overlap =
        Math.min(left.box.y + left.box.height, right.box.y + right.box.height) - Math.max(left.box.y, right.box.y);
      if (overlap < 0.5 * Math.min(left.box.height, right.box.height)) continue;
      const total = left.area + right.area;
      if (total <= largest) continue;
      largest = total;
      best = { left, right };
    }
  return best;
}

function edgeStrength(labels: Int32Array, label: number, component: Component, gradient: Raster): number {
  const { width } = gradient;
  const { x, y, width: wide, height: high } = component.box;
  let sum = 0;
  let count = 0;
  for (let row = y; row < y + high; row++)
    for (let column = x; column < x + wide; column++) {
      const at = row * width + column;
      if (labels[at] !== label) continue;
      if (
        labels[at - 1] === label &&
        labels[at + 1] === label &&
        labels[at - width] === label &&
        labels[at + width] === label
      )
        continue;
      sum += gradient.data[at]!;
      count += 1;
    }
  return count === 0 ? 0 : sum / count;
}
