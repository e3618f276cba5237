import type { Raster } from './raster.ts';
import { type Box, createSurroundings, doubled, type Gray, grayOfRaster, type Shape, shapesIn } from './text-shapes.ts';

/*
 * Looks for text that is part of the picture: rows of small shapes of one height on one line, with steps for edges, all
 * brighter or all darker than what is around them. How much brighter is measured by what is around, so that white print
 * on a white belly is found as well. It finds print; handwriting and single letters it does not.
 */

/** Larger pictures are looked at smaller. */
const EDGE_MAX = 1_024;
/** Smaller ones are looked at twice as large, too. */
const DOUBLED_EDGE_MAX = 512;
/** Half the side of the squares that letters are compared with: small print, usual, large. */
const RADII = [6, 14, 32] as const;
/** Rows that are kept open; a picture with more is noise. */
const ROWS_MAX = 4_000;
/** Shapes of one pass that are looked at; a picture with more is noise. */
const SHAPES_MAX = 20_000;

/** A line of print: where it is, in pixels of the picture. */
export interface TextLine {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Lines of print that the picture seems to have. */
export function findTextLines(raster: Raster): readonly TextLine[] {
  const step = Math.max(1, Math.ceil(Math.max(raster.width, raster.height) / EDGE_MAX));
  const image = grayOfRaster(raster, step);
  const found = linesOf(image).map((box) => scaled(box, step));
  if (Math.max(raster.width, raster.height) <= DOUBLED_EDGE_MAX)
    found.push(...linesOf(doubled(image)).map((box) => scaled(box, 0.5)));
  return merged(found).map(({ left, top, right, bottom }) => ({
    x: left,
    y: top,
    width: Math.min(raster.width, right + 1) - left,
    height: Math.min(raster.height, bottom + 1) - top,
  }));
}

function scaled({ left, right, top, bottom }: Box, by: number): Box {
  return {
    left: Math.floor(left * by),
    right: Math.ceil((right + 1) * by) - 1,
    top: Math.floor(top * by),
    bottom: Math.ceil((bottom + 1) * by) - 1,
  };
}

function linesOf(image: Gray): readonly Box[] {
  const surroundings = createSurroundings(image);
  return RADII.flatMap((radius) => {
    const around = surroundings(radius);
    return [true, false].flatMap((isBright) => {
      const shapes = shapesIn(image, around, isBright).slice(0, SHAPES_MAX);
      const lines = rowsOf(shapes).map(featuresOf);
      return lines.filter((line) => isPrint(line) && standsAlone(line, image)).map(({ box }) => box);
    });
  });
}

/** Rows of shapes that stand side by side, of like height and contrast, close to each other. */
function rowsOf(shapes: readonly Shape[]): readonly (readonly Shape[])[] {
  const rows: Shape[][] = [];
  for (const shape of [...shapes].sort((a, b) => a.left - b.left)) {
    const row = rows.find((each) => stand(each.at(-1) as Shape, shape));
    if (row) row.push(shape);
    else if (rows.length < ROWS_MAX) rows.push([shape]);
  }
  return rows;
}

function stand(last: Shape, next: Shape): boolean {
  const [tall, nextTall] = [last.bottom - last.top + 1, next.bottom - next.top + 1];
  const larger = Math.max(tall, nextTall);
  const gap = next.left - last.right;
  return (
    gap >= -0.2 * larger &&
    gap <= 1.5 * larger &&
    Math.min(tall, nextTall) >= 0.55 * larger &&
    Math.abs(last.bottom - next.bottom) <= 0.35 * larger &&
    Math.min(last.contrast, next.contrast) >= 0.3 * Math.max(last.contrast, next.contrast)
  );
}

/** What tells a line of print from a row of ribs. */
interface Features {
  readonly box: Box;
  readonly shapes: number;
  readonly characters: number;
  /** Height of the shape in the middle, pixels. */
  readonly height: number;
  /** How far the feet stand from one line, and the heights from one height, in heights. */
  readonly unevenness: number;
  readonly heightsDiffer: number;
  readonly contrast: number;
  readonly sharpness: number;
  readonly unrest: number;
  /** Between the fifths of the tones. */
  readonly tonesDiffer: number;
}

function featuresOf(row: readonly Shape[]): Features {
  const height = middle(row.map(({ top, bottom }) => bottom - top + 1));
  const foot = middle(row.map(({ bottom }) => bottom));
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const tones = row.map(({ tone }) => tone).sort((a, b) => a - b);
  const fifth = Math.floor(tones.length / 5);
  return {
    box: {
      left: Math.min(...row.map(({ left }) => left)),
      right: Math.max(...row.map(({ right }) => right)),
      top: Math.min(...row.map(({ top }) => top)),
      bottom: Math.max(...row.map(({ bottom }) => bottom)),
    },
    shapes: row.length,
    characters: row.reduce((sum, { characters }) => sum + characters, 0),
    height,
    unevenness: mean(row.map(({ bottom }) => Math.min(height, Math.abs(bottom - foot)))) / height,
    heightsDiffer: mean(row.map(({ top, bottom }) => Math.abs(bottom - top + 1 - height))) / height,
    contrast: middle(row.map(({ contrast }) => contrast)),
    sharpness: middle(row.map(({ sharpness }) => sharpness)),
    unrest: middle(row.map(({ unrest }) => unrest)),
    tonesDiffer: (tones[tones.length - 1 - fifth] as number) - (tones[fifth] as number),
  };
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

/** Kinds of evidence, each enough: many shapes, or few that are very regular, or faint ones all of one tone. */
const PROOFS = [
  { contrast: 8, shapes: 9, characters: 9, unevenness: 0.09, heightsDiffer: 0.18, sharpness: 0.62 },
  { contrast: 12, shapes: 5, characters: 6, unevenness: 0.07, heightsDiffer: 0.08, sharpness: 0.72 },
  { contrast: 12, shapes: 5, characters: 8, unevenness: 0.1, heightsDiffer: 0.15, sharpness: 0.7 },
  { contrast: 40, shapes: 4, characters: 5, unevenness: 0.08, heightsDiffer: 0.1, sharpness: 0.72 },
] as const;
/** Fainter than this, a line must be of one tone, and of more than what is between the pixels around it. */
const FAINT = {
  shapes: 7,
  characters: 9,
  unevenness: 0.14,
  heightsDiffer: 0.15,
  sharpness: 0.55,
  tonesDiffer: 5,
  unrests: 1.5,
};
const LINE_HEIGHT_MIN = 6;
/** How busy the calmest row beside a line may be, in that of the line. */
const CALM_PART_MAX = 0.75;

function isPrint(line: Features): boolean {
  if (line.height < LINE_HEIGHT_MIN) return false;
  const isRegular = (proof: { unevenness: number; heightsDiffer: number; sharpness: number }): boolean =>
    line.unevenness <= proof.unevenness &&
    line.heightsDiffer <= proof.heightsDiffer &&
    line.sharpness >= proof.sharpness;
  const isLong = (proof: { shapes: number; characters: number }): boolean =>
    line.shapes >= proof.shapes && line.characters >= proof.characters;
  if (PROOFS.some((proof) => line.contrast >= proof.contrast && isLong(proof) && isRegular(proof))) return true;
  return (
    isLong(FAINT) &&
    isRegular(FAINT) &&
    line.tonesDiffer <= FAINT.tonesDiffer &&
    line.contrast > FAINT.unrests * line.unrest
  );
}

/** Between the lines of print there is less than in them; a pattern all over the picture is as busy everywhere. */
function standsAlone({ box, height }: Features, { width, height: rows, gray }: Gray): boolean {
  const busy = (y: number): number => {
    let sum = 0;
    const last = Math.min(box.right, width - 3);
    for (let x = box.left; x <= last; x += 1)
      sum += Math.abs((gray[y * width + x + 2] as number) - (gray[y * width + x] as number));
    return sum;
  };
  let within = 0;
  for (let y = box.top; y <= box.bottom; y += 1) within += busy(y);
  within /= box.bottom - box.top + 1;
  const reach = Math.ceil(height * 0.4);
  const calmest = (from: number, to: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let y = Math.max(0, from); y <= Math.min(rows - 1, to); y += 1) least = Math.min(least, busy(y));
    // Beyond the border there is nothing.
    return Number.isFinite(least) ? least : 0;
  };
  const above = calmest(box.top - reach, box.top - 1);
  const below = calmest(box.bottom + 1, box.bottom + reach);
  return Math.max(above, below) <= CALM_PART_MAX * within;
}

/** One box for each line, however often it was found. */
function merged(boxes: readonly Box[]): readonly Box[] {
  const lines: Box[] = [];
  for (const box of boxes) {
    const same = lines.findIndex(
      (line) => line.left <= box.right && box.left <= line.right && line.top <= box.bottom && box.top <= line.bottom,
    );
    const line = lines[same];
    if (!line) lines.push(box);
    else
      lines[same] = {
        left: Math.min(line.left, box.left),
        right: Math.max(line.right, box.right),
        top: Math.min(line.top, box.top),
        bottom: Math.max(line.bottom, box.bottom),
      };
  }
  return lines;
}
