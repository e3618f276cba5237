import { areaOf } from '../mask.ts';
import { Histogram, median, type Raster } from '../raster.ts';
import { type Anatomy, pictureSides } from './anatomy.ts';
import { type Likeness, likenessOf } from './likeness.ts';
import type { LungFields } from './lung-fields.ts';
import { type Texture, textureOf } from './texture.ts';

/** One thing that a frontal chest film shows and other pictures seldom do. */
export interface Evidence {
  readonly text: string;
  /** From 0, which speaks against it, to 1, which speaks for it. */
  readonly score: number;
  /** Without it a picture is no chest film, whatever else speaks for one. */
  readonly isRequired?: boolean;
}

export interface Recognition {
  /** How far the picture looks like a frontal chest film, 0 to 1. */
  readonly probability: number;
  readonly evidence: readonly Evidence[];
}

/** Rises from 0 at `low` to 1 at `high`; falls when they are exchanged. */
function ramp(value: number, low: number, high: number): number {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** 1 between the inner limits, 0 beyond the outer ones. */
function within(value: number, limits: readonly [number, number, number, number]): number {
  return Math.min(ramp(value, limits[0], limits[1]), ramp(value, limits[3], limits[2]));
}

/** What is asked of a picture without which it is no chest film; from computed films and pictures that look like one. */
const REQUIRED = {
  /** Correlation with the usual tones, over the whole chest and over what surrounds the lung fields. */
  whole: 0.8,
  surroundings: 0.65,
  /** Over the half that is less like a usual one. */
  lesserHalf: 0.79,
  /** Share of the chest and its surroundings that the picture must show. */
  seen: 0.62,
  ribs: { minimum: 0.03, maximum: 0.19 },
  mirrored: 0.08,
  steepness: 8,
  variation: 0.25,
  /** Between the chest and the sides of the picture, in half widths; between its lowest point and the lower end, in heights. */
  margin: { side: 0.02, below: 0.05 },
} as const;

/** The most probability that is left to a picture without one of them: too little even when the header says chest. */
const WITHOUT_REQUIRED = 0.2;

/**
 * Holds what was found against what every frontal chest film has in common: two dark fields of like size on both
 * sides of a bright band, narrow above and wide below, walled in, with bright tissue beneath them; tones that lie as
 * they do on a usual film; ribs on both sides; borders that are soft here and sharp there.
 */
export function recognizeChest(picture: Raster, fields: LungFields, anatomy: Anatomy): Recognition {
  const { width, height } = picture;
  const { tone } = fields;
  const { left, right } = anatomy.sides;
  const areas = [areaOf(left.air), areaOf(right.air)] as const;
  const lungTone = median(tone.data.filter((_, index) => left.air.data[index] === 1 || right.air.data[index] === 1));
  const between = toneOf(tone, anatomy, (side, y) => [0, 0.6 * Math.max(0, anatomy.sides[side].medial[y]!)]);
  const wall = crestTone(tone, anatomy);
  const below = bandTone(tone, anatomy, anatomy.bottom + 0.06 * height, anatomy.bottom + 0.2 * height);
  const chestHeight = anatomy.bottom - anatomy.top;
  const chestWidth = anatomy.thorax.right - anatomy.thorax.left;
  const middle = anatomy.midline((anatomy.top + anatomy.bottom) / 2) / width;
  const edge = Math.min(fields.edge.left, fields.edge.right);
  const evidence: Evidence[] = [
    {
      text: `two dark fields cover ${share((areas[0] + areas[1]) / (width * height))} of the picture`,
      score: within((areas[0] + areas[1]) / (width * height), [0.08, 0.14, 0.5, 0.62]),
    },
    {
      text: `the smaller field has ${share(Math.min(...areas) / Math.max(...areas))} of the area of the larger`,
      score: ramp(Math.min(...areas) / Math.max(...areas), 0.2, 0.5),
    },
    {
      text: `together they are ${ratio(chestHeight / chestWidth)} times as high as wide`,
      score: within(chestHeight / chestWidth, [0.5, 0.68, 1.3, 1.6]),
    },
    {
      text: `the band between them is ${share(between - lungTone)} of the range brighter`,
      score: ramp(between - lungTone, 0.1, 0.25),
    },
    { text: `the walls outside are ${share(wall - lungTone)} brighter`, score: ramp(wall - lungTone, 0.03, 0.1) },
    { text: `what lies beneath is ${share(below - lungTone)} brighter`, score: ramp(below - lungTone, 0.05, 0.2) },
    { text: `they are narrower above than below by ${ratio(taper(anatomy))}`, score: ramp(taper(anatomy), 0.92, 0.75) },
    {
      text: `the outer borders mirror each other to ${share(mirrorError(anatomy))} of the width`,
      score: ramp(mirrorError(anatomy), 0.12, 0.05),
    },
    { text: `the midline lies at ${share(middle)} of the width`, score: within(middle, [0.25, 0.36, 0.64, 0.75]) },
    { text: `the borders are ${edge < 0.01 ? 'faint' : 'plain'}`, score: ramp(edge, 0.004, 0.012) },
    {
      text: 'the tones are those of a photograph of attenuation, neither few nor all over',
      score: tonality(picture),
    },
    { text: 'the fields are compact', score: ramp(compactness(anatomy), 0.55, 0.75) },
  ];
  const likeness = likenessOf(fields, anatomy);
  const required = [...requiredOf(likeness, textureOf(fields, anatomy)), wholeChest(anatomy)];
  // One missing sign is common in illness; several are another picture. The weakest two weigh as much as the rest.
  const scores = evidence.map(({ score }) => score).sort((a, b) => a - b);
  const mean = scores.reduce((sum, each) => sum + each, 0) / scores.length;
  const weakest = (scores[0]! + scores[1]!) / 2;
  const logit = 18 * (mean - 0.8) + 5 * (weakest - 0.4);
  const isPossible = required.every(({ score }) => score === 1);
  return {
    probability: Math.min(isPossible ? 1 : WITHOUT_REQUIRED, 1 / (1 + Math.exp(-logit))),
    evidence: [...evidence, ...required],
  };
}

function requiredOf({ whole, surroundings, lesserHalf, seen }: Likeness, texture: Texture): readonly Evidence[] {
  const { ribs, mirrored, steepness, variation } = texture;
  const one = (isThere: boolean, text: string): Evidence => ({ text, score: isThere ? 1 : 0, isRequired: true });
  return [
    one(whole >= REQUIRED.whole, `the tones lie as on a usual film with a correlation of ${ratio(whole)}`),
    one(
      surroundings >= REQUIRED.surroundings,
      `those around the fields do with a correlation of ${ratio(surroundings)}`,
    ),
    one(lesserHalf >= REQUIRED.lesserHalf, `those of either half with one of ${ratio(lesserHalf)} or more`),
    one(seen >= REQUIRED.seen, `${share(seen)} of the chest and its surroundings are in the picture`),
    one(
      ribs >= REQUIRED.ribs.minimum && ribs <= REQUIRED.ribs.maximum,
      `the fields are as uneven as ribs make them, ${share(ribs)} of the contrast`,
    ),
    one(mirrored >= REQUIRED.mirrored, `what is uneven in one mirrors the other with ${ratio(mirrored)}`),
    one(
      steepness <= REQUIRED.steepness && variation >= REQUIRED.variation,
      'the borders are those of round organs: soft, and not alike all around',
    ),
  ];
}

/** A lung that the end of the picture cuts off is measured wrongly, and looks whole. */
function wholeChest({ width, height, thorax, top, bottom }: Anatomy): Evidence {
  const side = Math.min(thorax.left, width - thorax.right) / Math.max(1, (thorax.right - thorax.left) / 2);
  const below = (height - 1 - bottom) / Math.max(1, bottom - top);
  return {
    text: 'both walls and the bases lie within the picture',
    score: side >= REQUIRED.margin.side && below >= REQUIRED.margin.below ? 1 : 0,
    isRequired: true,
  };
}

function share(value: number): string {
  return `${Math.round(100 * value)} %`;
}

function ratio(value: number): string {
  return value.toFixed(2);
}

/** Median tone of the pixels at given distances from the midline, in the rows of the upper two thirds. */
function toneOf(
  tone: Raster,
  anatomy: Anatomy,
  range: (side: 'left' | 'right', y: number) => readonly [number, number],
): number {
  const values: number[] = [];
  const to = anatomy.top + 0.7 * (anatomy.bottom - anatomy.top);
  for (let y = Math.ceil(anatomy.top); y < to; y++)
    for (const side of pictureSides) {
      const [from, until] = range(side, y);
      for (let distance = from; distance < until; distance += 1) {
        const x = Math.floor(anatomy.midline(y) + (side === 'left' ? -distance : distance));
        if (x >= 0 && x < tone.width) values.push(tone.data[y * tone.width + x]!);
      }
    }
  return median(values);
}

/** Median over rows of the brightest tone just outside the outer borders. */
function crestTone(tone: Raster, anatomy: Anatomy): number {
  const crests: number[] = [];
  const reach = 0.1 * tone.width;
  for (let y = anatomy.top; y <= anatomy.bottom; y++)
    for (const side of pictureSides) {
      const border = anatomy.sides[side].lateral[y]!;
      if (Number.isNaN(border)) continue;
      let crest = 0;
      for (let distance = border; distance < border + reach; distance += 1) {
        const x = Math.floor(anatomy.midline(y) + (side === 'left' ? -distance : distance));
        if (x >= 0 && x < tone.width) crest = Math.max(crest, tone.data[y * tone.width + x]!);
      }
      crests.push(crest);
    }
  return median(crests);
}

function bandTone(tone: Raster, anatomy: Anatomy, from: number, to: number): number {
  const values: number[] = [];
  const half = 0.35 * (anatomy.thorax.right - anatomy.thorax.left);
  // A film may end right below the lungs: then its last rows have to do.
  const start = Math.min(Math.ceil(from), tone.height - 3);
  for (let y = Math.max(0, start); y < Math.min(tone.height, Math.max(to, start + 2)); y++)
    for (let x = Math.ceil(anatomy.midline(y) - half); x < anatomy.midline(y) + half; x++)
      if (x >= 0 && x < tone.width) values.push(tone.data[y * tone.width + x]!);
  return median(values);
}

/** Width of the chest in the highest eighth over that in the middle. */
function taper({ sides, top, bottom }: Anatomy): number {
  const width = (from: number, to: number): number => {
    const widths: number[] = [];
    for (let y = Math.round(top + from * (bottom - top)); y < top + to * (bottom - top); y++) {
      const total = sides.left.lateral[y]! + sides.right.lateral[y]!;
      if (!Number.isNaN(total)) widths.push(total);
    }
    return median(widths);
  };
  const middle = width(0.45, 0.75);
  return middle === 0 ? 1 : width(0.03, 0.16) / middle;
}

/** Median difference of the outer borders' distances from the midline, over the half width. */
function mirrorError({ sides, thorax }: Anatomy): number {
  const errors: number[] = [];
  for (let y = 0; y < sides.left.lateral.length; y++) {
    const error = Math.abs(sides.left.lateral[y]! - sides.right.lateral[y]!);
    if (!Number.isNaN(error)) errors.push(error);
  }
  return errors.length === 0 ? 1 : median(errors) / ((thorax.right - thorax.left) / 2);
}

/** Few tones are a drawing or a page of text; tones all over, without any that is common, are noise. */
function tonality(picture: Raster): number {
  let minimum = Number.POSITIVE_INFINITY;
  let maximum = Number.NEGATIVE_INFINITY;
  for (const value of picture.data) {
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  const histogram = new Histogram(picture.data, minimum, maximum);
  return Math.min(ramp(histogram.entropy(), 5, 6.5), ramp(histogram.peak(), 0.7, 0.5));
}

/** Area of the fields over the area between their borders row by row. */
function compactness({ sides }: Anatomy): number {
  let area = 0;
  let spanned = 0;
  for (const { air, lateral, medial } of Object.values(sides)) {
    area += areaOf(air);
    for (let y = 0; y < lateral.length; y++) if (!Number.isNaN(lateral[y]!)) spanned += lateral[y]! - medial[y]!;
  }
  return spanned === 0 ? 0 : area / spanned;
}
