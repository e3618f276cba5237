import type { ImagingCheck, ImagingFinding, ImagingMeasure } from '@perennial/schemas/resources/imaging-analysis.ts';
import type { Prepared } from './analyzer.ts';
import { confidence, normalCumulative, rounded } from './confidence.ts';
import { polygonRegion } from './frame.ts';
import { measure } from './measure.ts';
import { type Box, cropped, Histogram, quantileOf, type Raster, smoothed } from './raster.ts';

/** What was measured of the picture itself, whatever it shows. */
export interface FilmQuality {
  readonly measures: readonly ImagingMeasure[];
  readonly findings: readonly ImagingFinding[];
  readonly checks: readonly ImagingCheck[];
  /** Standard deviation of the noise as a share of the range that the picture uses. */
  readonly noise: number;
}

const LIMITS = {
  /** Share of pixels at the very end of the range, off the frame, above which detail is lost. */
  clipped: 0.02,
  /** Share of the range between the 5th and 95th percentile below which a picture is flat. */
  contrast: 0.25,
  /** Median tone outside of which most of the picture lies at one end. */
  median: { low: 0.06, high: 0.85 },
  /** Noise against contrast above which faint things drown. */
  noise: 0.06,
  /** How many times as wide the sharpest edges are in one direction as in the other before movement is suspected. */
  directional: 3,
  /** Width of the sharpest edges over the longer side of the picture above which it counts as blurred. */
  edge: 0.03,
  /** Longer side in pixels below which the edges are as wide as the pixels let them be. */
  edgeSide: 400,
} as const;

/**
 * Exposure, clipping, noise, sharpness and borders, of any film. Limits were chosen by looking at what the numbers do
 * to computed films, those of edges also by what they do to films of patients; they say "look at this film again", and
 * nothing about the patient.
 */
export function judgeFilm(prepared: Prepared): FilmQuality {
  const { image, medium, smallScale, content } = prepared;
  const exposed = exposedPart(prepared);
  const inside = cropped(medium, exposed);
  const range = Math.max(image.maximum - image.minimum, Number.MIN_VALUE);
  const histogram = new Histogram(inside.data, image.minimum, image.maximum);
  const [p5, p50, p95] = [histogram.quantile(0.05), histogram.quantile(0.5), histogram.quantile(0.95)];
  const contrast = (p95 - p5) / range;
  const median = (p50 - image.minimum) / range;
  const clipped = clippedShares(prepared);
  const noise = noiseOf(image.pixels, image.width, image.height) / Math.max(p95 - p5, 1e-9);
  const edges = edgeWidths(inside);
  const longer = Math.max(medium.width, medium.height);
  const toImage = { x: image.width / medium.width, y: image.height / medium.height };
  const frameShare = 1 - (content.box.width * content.box.height) / (prepared.small.width * prepared.small.height);
  const method = 'Over the exposed part, the frame left out; as a share of the range of stored values.';
  const measures = [
    measure({ code: 'tone_median', name: 'Median tone', value: median, unit: '1', method }),
    measure({
      code: 'tone_contrast',
      name: 'Contrast between the 5th and 95th percentile',
      value: contrast,
      unit: '1',
      usualLow: LIMITS.contrast,
      method,
    }),
    measure({
      code: 'tone_entropy',
      name: 'Information of the tones',
      value: histogram.entropy(),
      unit: 'bit',
      method,
    }),
    measure({
      code: 'clipped_bright',
      name: 'Share of pixels at the bright end',
      value: clipped.bright,
      unit: '1',
      usualHigh: LIMITS.clipped,
      method: 'Pixels with the largest stored value; the frame is left out.',
    }),
    measure({
      code: 'clipped_dark',
      name: 'Share of pixels at the dark end',
      value: clipped.dark,
      unit: '1',
      method: 'Pixels with the smallest stored value; air beside the body is usually there and means nothing.',
    }),
    measure({
      code: 'noise_share',
      name: 'Noise against contrast',
      value: noise,
      unit: '1',
      deviation: 0.15 * noise,
      usualHigh: LIMITS.noise,
      method:
        'Response to a mask that leaves flat and sloping parts out (Immerkaer 1996), in the calmest fifth of the tiles, over the contrast.',
    }),
    ...(['x', 'y'] as const).map((axis) =>
      measure({
        code: `edge_width_${axis}`,
        name:
          axis === 'x' ? 'Width of the sharpest edges along the rows' : 'Width of the sharpest edges along the columns',
        value: edges[axis] * toImage[axis],
        unit: '[pix]',
        deviation: 0.15 * edges[axis] * toImage[axis],
        usualHigh: rounded(LIMITS.edge * longer * toImage[axis], 1),
        method:
          'Steepest change over a long distance over the steepest from pixel to pixel, after a light smoothing that keeps it above about 3, at most 1024 pixels long.',
      }),
    ),
    measure({
      code: 'frame_share',
      name: 'Share of the picture that is frame',
      value: frameShare,
      unit: '1',
      method: 'Lines at the border that are all but constant: shutters, padding, or air.',
    }),
  ];
  const findings: ImagingFinding[] = [];
  const add = (
    code: string,
    category: 'quality' | 'technique',
    name: string,
    text: string,
    excess: number,
    codes: readonly string[],
    doubts: readonly string[],
    region: ImagingFinding['region'] = null,
  ): void => {
    findings.push({
      code,
      category,
      name,
      text,
      side: null,
      zone: null,
      region,
      confidence: confidence(normalCumulative(excess), { weak_evidence: 0.4, close_alternatives: 0.2 * doubts.length }),
      doubts: [...doubts],
      measures: measures.filter((each) => codes.includes(each.code)),
      conditions: [],
    });
  };
  if (clipped.bright > LIMITS.clipped)
    add(
      'clipped_bright',
      'quality',
      'Bright parts are clipped',
      `${percent(clipped.bright)} of the exposed part has the largest value that is stored: no detail is left there.`,
      (clipped.bright - LIMITS.clipped) / 0.01,
      ['clipped_bright'],
      ['Metal, lettering and shutters are as bright.'],
    );
  if (contrast < LIMITS.contrast)
    add(
      'low_contrast',
      'quality',
      'Low contrast',
      `The middle nine tenths of all tones use only ${percent(contrast)} of the range of stored values.`,
      (LIMITS.contrast - contrast) / 0.05,
      ['tone_contrast'],
      ['A wide range of stored values with a narrow window to match is no fault of the exposure.'],
    );
  if (median > LIMITS.median.high || median < LIMITS.median.low)
    add(
      median > 0.5 ? 'tones_bright' : 'tones_dark',
      'quality',
      median > 0.5 ? 'Most of the picture is very bright' : 'Most of the picture is very dark',
      `Half of the exposed part lies ${median > 0.5 ? 'above' : 'below'} ${percent(median)} of the range, as with too ${median > 0.5 ? 'little' : 'much'} exposure or a shifted tone curve.`,
      (median > 0.5 ? median - LIMITS.median.high : LIMITS.median.low - median) / 0.03,
      ['tone_median'],
      ['The tone curve of the device is not known.'],
    );
  if (noise > LIMITS.noise)
    add(
      'noisy',
      'quality',
      'Noisy picture',
      `The noise is ${percent(noise)} of the contrast: faint opacities cannot be told from it.`,
      (noise - LIMITS.noise) / (0.15 * noise),
      ['noise_share'],
      [],
    );
  const sharpest = Math.min(edges.x, edges.y) / longer;
  const ratio = Math.max(edges.x, edges.y) / Math.max(Math.min(edges.x, edges.y), 1e-9);
  const isFine = longer >= LIMITS.edgeSide;
  if (isFine && sharpest > LIMITS.edge)
    add(
      'blurred',
      'quality',
      'Blurred picture',
      `Even the sharpest edges are ${rounded(100 * sharpest, 1)} % of the picture wide: borders are less sure than usual.`,
      (sharpest - LIMITS.edge) / (0.15 * LIMITS.edge),
      ['edge_width_x', 'edge_width_y'],
      ['A picture that was enlarged, or shows nothing with a sharp edge, is as soft.'],
    );
  if (ratio > LIMITS.directional)
    add(
      'motion_suspected',
      'technique',
      `Movement suspected along the ${edges.x > edges.y ? 'rows' : 'columns'}`,
      `The sharpest edges are ${rounded(ratio, 1)} times as wide in one direction as in the other, as when something moved during the exposure.`,
      (ratio - LIMITS.directional) / (0.2 * LIMITS.directional),
      ['edge_width_x', 'edge_width_y'],
      ['A scanner with unequal resolution, or a body with sharp edges in one direction only, looks the same.'],
    );
  if (content.frame === 'bright')
    add(
      'collimation_border',
      'technique',
      'Shutters or a border are in the picture',
      'Constant bright lines frame the picture; they were left out of every measure.',
      1.5,
      ['frame_share'],
      [],
      polygonRegion(
        corners(content.box).map(([x, y]) => [Math.round(x * smallScale.x), Math.round(y * smallScale.y)] as const),
      ),
    );
  const found = (codes: readonly string[]): 'found' | 'not_found' =>
    findings.some((each) => codes.includes(each.code)) ? 'found' : 'not_found';
  const check = (code: string, name: string, codes: readonly string[]): ImagingCheck => ({
    code,
    name,
    outcome: found(codes),
    reason: null,
  });
  return {
    measures,
    findings,
    noise,
    checks: [
      check('exposure', 'Exposure and contrast', ['low_contrast', 'tones_bright', 'tones_dark']),
      check('clipping', 'Clipped tones', ['clipped_bright']),
      check('noise', 'Noise', ['noisy']),
      isFine
        ? check('sharpness', 'Blur', ['blurred'])
        : {
            code: 'sharpness',
            name: 'Blur',
            outcome: 'cannot_judge',
            reason: `With less than ${LIMITS.edgeSide} pixels on the longer side every edge is soft.`,
          },
      found(['motion_suspected']) === 'found'
        ? check('motion', 'Movement during the exposure', ['motion_suspected'])
        : {
            code: 'motion',
            name: 'Movement during the exposure',
            outcome: 'cannot_judge',
            reason:
              'Only a movement that makes edges more than twice as wide in one direction is noticed; none is. Less cannot be told from the edges that a body happens to have.',
          },
      check('collimation', 'Shutters or borders in the picture', ['collimation_border']),
      {
        code: 'side_markers',
        name: 'Side markers',
        outcome: 'cannot_judge',
        reason: 'Letters on the film are not read: whether left and right are marked, and how, has to be looked at.',
      },
    ],
  };
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}

function corners(box: Box): [number, number][] {
  const { x, y, width, height } = box;
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}

/** The exposed part in pixels of `medium`. */
function exposedPart({ medium, small, content }: Prepared): Box {
  const fx = medium.width / small.width;
  const fy = medium.height / small.height;
  const x = Math.ceil(content.box.x * fx);
  const y = Math.ceil(content.box.y * fy);
  return {
    x,
    y,
    width: Math.max(1, Math.min(medium.width - x, Math.floor(content.box.width * fx))),
    height: Math.max(1, Math.min(medium.height - y, Math.floor(content.box.height * fy))),
  };
}

/** Shares of the stored pixels, off the frame, that have the smallest or largest value. */
function clippedShares({ image, smallScale, content }: Prepared): { readonly bright: number; readonly dark: number } {
  const left = Math.ceil((content.box.x + 1) * smallScale.x);
  const right = Math.floor((content.box.x + content.box.width - 1) * smallScale.x);
  const top = Math.ceil((content.box.y + 1) * smallScale.y);
  const bottom = Math.floor((content.box.y + content.box.height - 1) * smallScale.y);
  // Half a step of 8 bits: what lossy compression does to a clipped part.
  const slack = image.isLossy ? (image.maximum - image.minimum) / 512 : 0;
  let bright = 0;
  let dark = 0;
  for (let y = top; y < bottom; y++)
    for (let at = y * image.width + left; at < y * image.width + right; at++) {
      const value = image.pixels[at]!;
      if (value >= image.maximum - slack) bright += 1;
      else if (value <= image.minimum + slack) dark += 1;
    }
  const total = Math.max(1, (right - left) * (bottom - top));
  return { bright: bright / total, dark: dark / total };
}

const TILE = 32;

/**
 * Standard deviation of the noise of single pixels: J. Immerkaer, Fast noise variance estimation, Computer Vision and
 * Image Understanding 1996, by tiles, of which the calmest fifth counts so that edges and texture do not.
 */
export function noiseOf(pixels: Float32Array, width: number, height: number): number {
  const tiles: number[] = [];
  // A bounded number of tiles, spread evenly.
  const step = Math.max(TILE, Math.floor(Math.sqrt((width * height) / 1600)));
  for (let top = 1; top + TILE < height; top += step)
    for (let left = 1; left + TILE < width; left += step) {
      let sum = 0;
      for (let y = top; y < top + TILE; y++)
        for (let x = left; x < left + TILE; x++) {
          const at = y * width + x;
          sum += Math.abs(
            pixels[at - width - 1]! +
              pixels[at - width + 1]! +
              pixels[at + width - 1]! +
              pixels[at + width + 1]! -
              2 * (pixels[at - width]! + pixels[at + width]! + pixels[at - 1]! + pixels[at + 1]!) +
              4 * pixels[at]!,
          );
        }
      // A tile without any noise is clipped or padded, and says nothing.
      if (sum > 0) tiles.push((Math.sqrt(Math.PI / 2) * sum) / (6 * TILE * TILE));
    }
  return quantileOf(tiles, 0.2);
}

/**
 * Width of the sharpest edges along each axis, in pixels: a step of height h over w pixels changes by h / w from one
 * pixel to the next and by h over any distance beyond w, so that the ratio of the steepest changes over a long and a
 * short distance is the width. Movement along one axis widens the edges of that axis alone.
 */
export function edgeWidths(picture: Raster): { readonly x: number; readonly y: number } {
  const calm = smoothed(picture, 1);
  return { x: edgeWidthAlong(calm, 'x'), y: edgeWidthAlong(calm, 'y') };
}

const LONG = 24;
/** Share of all places that the steepest changes are taken from. */
const STEEPEST = 0.002;

function edgeWidthAlong({ width, height, data }: Raster, axis: 'x' | 'y'): number {
  const step = axis === 'x' ? 1 : width;
  const short: number[] = [];
  const long: number[] = [];
  // Every third line is enough to know the steepest.
  for (let y = axis === 'y' ? LONG : 0; y < height; y += axis === 'x' ? 3 : 1)
    for (let x = axis === 'x' ? LONG : 0; x < width; x += axis === 'y' ? 3 : 1) {
      const at = y * width + x;
      short.push(Math.abs(data[at]! - data[at - step]!));
      long.push(Math.abs(data[at]! - data[at - LONG * step]!));
    }
  const steepest = (values: readonly number[]): number => {
    let highest = 0;
    for (const value of values) if (value > highest) highest = value;
    return new Histogram(values, 0, highest).quantile(1 - STEEPEST);
  };
  return Math.min(LONG, steepest(long) / Math.max(steepest(short), Number.MIN_VALUE));
}
