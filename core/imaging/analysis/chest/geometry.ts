import type {
  ImagingCheck,
  ImagingFinding,
  ImagingMeasure,
  ImagingStructure,
} from '@perennial/schemas/resources/imaging-analysis.ts';
import type { StudyContext } from '../../image.ts';
import type { Prepared } from '../analyzer.ts';
import type { FilmLook } from '../film-model/film-look.ts';
import { type Frame, millimetresPerColumn, pixelsPerColumn } from '../frame.ts';
import { cropped, mapped, turned } from '../raster.ts';
import { measureAnatomy } from './anatomy.ts';
import { measureHeart } from './heart.ts';
import { findLungFields, type PictureSide } from './lung-fields.ts';
import { recognizeChest } from './recognize.ts';
import { type Look, unjudged } from './report.ts';
import { anglesPart } from './report-angles.ts';
import { fieldsPart, lungStructures } from './report-fields.ts';
import { heartPart, heartStructure } from './report-heart.ts';
import { mediastinumPart } from './report-mediastinum.ts';

/**
 * How well the outlined lung fields must look like those of a chest for anything to be measured on them. They are found
 * by rules that were made on computed films and miss the fields of most others: then nothing is measured.
 */
const TRUSTED = 0.85;

/** What was measured on a film, or why nothing was. */
export interface Geometry {
  readonly structures: readonly ImagingStructure[];
  readonly measures: readonly ImagingMeasure[];
  readonly findings: readonly ImagingFinding[];
  readonly checks: readonly ImagingCheck[];
  readonly evidence: readonly string[];
}

/** Outlines the lung fields of a film that was recognised, and measures on them what can be trusted. */
export function geometryOf(prepared: Prepared, look: FilmLook, context: StudyContext): Geometry {
  const { image, small, smallScale, content } = prepared;
  const quarterTurns = ((4 - look.position.quarterTurns) % 4) as Frame['quarterTurns'];
  const part = cropped(small, content.box);
  const tones = look.inverted > 0.5 ? mapped(part, (tone) => image.minimum + image.maximum - tone) : part;
  const picture = turned(tones, quarterTurns);
  const fields = findLungFields(picture);
  if (!fields) return nothing('no two dark fields beside each other');
  const anatomy = measureAnatomy(fields);
  const recognition = recognizeChest(picture, fields, anatomy);
  if (recognition.probability < TRUSTED)
    return nothing(recognition.evidence.find(({ score }) => score < 0.5)?.text ?? 'too few signs together');
  const frame: Frame = {
    width: image.width,
    height: image.height,
    scale: smallScale,
    crop: content.box,
    quarterTurns,
  };
  const sideOf = (side: PictureSide): 'right' | 'left' | null =>
    look.position.isMirrored ? null : side === 'left' ? 'right' : 'left';
  const heart = measureHeart(anatomy);
  const all: Look = {
    anatomy,
    heart,
    frame,
    mm: millimetresPerColumn(frame, image.pixelSpacingMm),
    px: pixelsPerColumn(frame),
    context,
    sideOf,
    called: (side) => sideOf(side) ?? `picture's ${side}`,
    doubts: [],
  };
  const parts = [fieldsPart(all), heartPart(all), anglesPart(all), mediastinumPart(all, fields.tone)];
  return {
    structures: [...lungStructures(all, recognition.probability), ...heartStructure(all)],
    measures: parts.flatMap(({ measures = [] }) => measures),
    findings: parts.flatMap(({ findings = [] }) => findings),
    checks: parts.flatMap(({ checks = [] }) => checks),
    evidence: recognition.evidence.map(({ text, score }) => `${score >= 0.5 ? 'for' : 'against'}: ${text}`),
  };
}

function nothing(sign: string): Geometry {
  const reason = `The lung fields were not outlined well enough to measure on them: ${sign}.`;
  const checks = [
    ['lung_symmetry', 'Size of the lung fields against each other'],
    ['heart_size', 'Heart width against chest width'],
    ['costophrenic_angles', 'Costophrenic angles'],
    ['mediastinal_width', 'Width of the upper mediastinum'],
    ['trachea', 'Position of the trachea'],
  ].map(([code, name]) => unjudged(code!, name!, reason));
  return { structures: [], measures: [], findings: [], checks, evidence: [] };
}
