import type { Mask } from '../mask.ts';
import { type Raster, turned } from '../raster.ts';
import { type Anatomy, measureAnatomy } from './anatomy.ts';
import { findLungFields, type LungFields } from './lung-fields.ts';
import { type Recognition, recognizeChest } from './recognize.ts';

export type QuarterTurns = 0 | 1 | 2 | 3;

/** A picture turned until it looks most like an upright frontal chest. */
export interface Upright {
  /** Clockwise turns that made it upright. */
  readonly quarterTurns: QuarterTurns;
  readonly picture: Raster;
  readonly fields: LungFields;
  readonly anatomy: Anatomy;
  readonly recognition: Recognition;
  /** How much more this way up looks head up than the opposite one, 0 to 1. */
  readonly margin: number;
}

/** A picture that looks like a chest as it lies is not turned sideways to see whether it looks even more like one. */
const SURE = 0.8;

/** @returns undefined when no pair of lung fields is found in any direction. */
export function findUpright(picture: Raster): Upright | undefined {
  const standing = bothWays(picture, 0);
  if (standing && standing.recognition.probability >= SURE) return standing;
  const lying = bothWays(turned(picture, 1), 1);
  if (!standing || !lying) return standing ?? lying;
  return lying.recognition.probability > standing.recognition.probability ? lying : standing;
}

function bothWays(picture: Raster, turns: 0 | 1): Upright | undefined {
  const fields = findLungFields(picture);
  if (!fields) return undefined;
  const one = look(picture, fields);
  const other = look(turned(picture, 2), {
    left: turnedMask(fields.right),
    right: turnedMask(fields.left),
    edge: { left: fields.edge.right, right: fields.edge.left },
    tone: turned(fields.tone, 2),
  });
  const margin = Math.abs(one.recognition.headUp - other.recognition.headUp);
  const isHead = one.recognition.headUp >= other.recognition.headUp;
  return isHead ? { ...one, quarterTurns: turns, margin } : { ...other, quarterTurns: turns === 0 ? 2 : 3, margin };
}

function look(picture: Raster, fields: LungFields): Omit<Upright, 'quarterTurns' | 'margin'> {
  const anatomy = measureAnatomy(fields);
  return { picture, fields, anatomy, recognition: recognizeChest(picture, fields, anatomy) };
}

function turnedMask(mask: Mask): Mask {
  return { ...mask, data: Uint8Array.from(mask.data).reverse() };
}
