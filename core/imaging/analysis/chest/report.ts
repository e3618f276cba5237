import type { ImagingCheck, ImagingFinding, ImagingMeasure } from '@perennial/schemas/resources/imaging-analysis.ts';
import type { StudyContext } from '../../image.ts';
import type { Frame } from '../frame.ts';
import { measure } from '../measure.ts';
import type { Anatomy } from './anatomy.ts';
import type { Heart } from './heart.ts';
import type { PictureSide } from './lung-fields.ts';

/**
 * Limits of what is usual. Only 0.5 has a source; every limit without one was chosen on computed films and says nothing
 * of what is usual in people. See README.md in the folder above.
 */
export const USUAL = {
  /**
   * 0.5 for posteroanterior films: C. S. Danzer, American Journal of the Medical Sciences 1919. 0.55 and 0.6 are
   * conventional: anteroposterior films magnify the heart, and that of infants is wider; no source was verified.
   */
  cardiothoracic: { posteroanterior: 0.5, anteroposterior: 0.55, infant: 0.6 },
  /** Mediastinal over thoracic width at the arch. */
  mediastinal: 0.38,
  /** An angle wider than this is blunted; those of healthy computed films have about 45° to 75° by this measure. */
  angleDegrees: 82,
  /** Offset of the trachea over the half width of the thorax. */
  trachea: 0.09,
  /** Smaller over larger lung field. */
  area: 0.6,
} as const;

/** Standard deviations beside those that the pixels give; from computed films, where the truth is known. */
export const ERROR = { cardiothoracic: 0.012, angleDegrees: 7, mediastinal: 0.02, thorax: 0.012 } as const;

/** What every part of the report needs. */
export interface Look {
  readonly anatomy: Anatomy;
  readonly heart: Heart;
  readonly frame: Frame;
  readonly mm: number | undefined;
  readonly px: number;
  readonly context: StudyContext;
  /** Side of the patient; null where left and right may be exchanged. */
  readonly sideOf: (side: PictureSide) => 'right' | 'left' | null;
  readonly called: (side: PictureSide) => string;
  /** Doubts that hold for everything in this picture. */
  readonly doubts: readonly string[];
}

export interface Part {
  readonly measures?: readonly ImagingMeasure[];
  readonly findings?: readonly ImagingFinding[];
  readonly checks?: readonly ImagingCheck[];
}

export function judged(code: string, name: string, isFound: boolean): ImagingCheck {
  return { code, name, outcome: isFound ? 'found' : 'not_found', reason: null };
}

export function unjudged(code: string, name: string, reason: string): ImagingCheck {
  return { code, name, outcome: 'cannot_judge', reason };
}

/** Lengths in pixels of the stored picture and, where the spacing is known, in millimetres. */
export function lengths(
  look: Look,
  from: {
    readonly code: string;
    readonly name: string;
    readonly value: number;
    readonly deviation: number;
    readonly method: string;
  },
  region: ImagingMeasure['region'],
): ImagingMeasure[] {
  const { code, name, value, deviation, method } = from;
  const one = (unit: '[pix]' | 'mm', factor: number): ImagingMeasure =>
    measure({ code, name, value: value * factor, unit, deviation: deviation * factor, method, region });
  return [
    one('[pix]', look.px),
    ...(look.mm === undefined
      ? []
      : [{ ...one('mm', look.mm), method: `${method} At the detector: the body lies before it and is magnified.` }]),
  ];
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A share in words. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
