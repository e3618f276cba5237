import type {
  ImagingAnalysis,
  ImagingAnalyzer,
  ImagingCheck,
  ImagingFinding,
  ImagingMeasure,
  ImagingOrientation,
  ImagingRefusal,
  ImagingStructure,
  ImagingSubject,
} from '@perennial/schemas/resources/imaging-analysis.ts';
import type { GrayImage, StudyContext } from '../image.ts';
import type { Content } from './collimation.ts';
import type { FilmLook } from './film-model/film-look.ts';
import type { Raster } from './raster.ts';

/** An image made ready once for all analysers. */
export interface Prepared {
  readonly image: GrayImage;
  /** At most 1024 pixels long, by the mean over areas. */
  readonly medium: Raster;
  /** At most 200 pixels long, by the mean over areas. */
  readonly small: Raster;
  /** Pixels of the image for one of `small`. */
  readonly smallScale: { readonly x: number; readonly y: number };
  /** What is exposed, in pixels of `small`. */
  readonly content: Content;
}

/** What an analyser says of an image that it looked at. */
export interface Reading {
  readonly subject: ImagingSubject;
  readonly orientation: ImagingOrientation;
  readonly structures: readonly ImagingStructure[];
  readonly measures: readonly ImagingMeasure[];
  readonly findings: readonly ImagingFinding[];
  readonly checks: readonly ImagingCheck[];
  readonly limits: readonly string[];
}

/** Why an analyser says nothing of an image. */
export interface Refusal {
  readonly refusal: ImagingRefusal;
  readonly subject: ImagingSubject;
}

/** Whether an analyser is meant for an image, judged before it looks closely. */
export type Fit = { readonly fits: true } | { readonly fits: false; readonly refusal: ImagingRefusal };

/**
 * A method for images of one kind. Analysers are pure: the same image gives the same result, nothing is read or
 * written, and the time is bounded by the working sizes of `Prepared`.
 */
export interface Analyzer {
  readonly about: ImagingAnalyzer;
  /** By what is known of the study; a method that knows its images by their pixels accepts those nothing is known of. */
  fits(context: StudyContext): Fit;
  /** @param look what the model says of the picture. */
  analyze(prepared: Prepared, context: StudyContext, look: FilmLook): Reading | Refusal;
}

/** The result as callers see it. */
export type Analysis = ImagingAnalysis;
