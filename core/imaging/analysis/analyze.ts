import type {
  ImagingAnalysis,
  ImagingOrientation,
  ImagingRefusal,
  ImagingSubject,
} from '@perennial/schemas/resources/imaging-analysis.ts';
import type { GrayImage, StudyContext } from '../image.ts';
import type { Analyzer, Prepared } from './analyzer.ts';
import { findContent } from './collimation.ts';
import type { FilmModel } from './film-model/film-model.ts';
import { type FilmQuality, judgeFilm } from './film-quality.ts';
import { Histogram, shrunk } from './raster.ts';
import { analyzers, chooseAnalyzer } from './registry.ts';

/** Version of the analysis as a whole: it changes whenever the same image could get another result. */
export const ANALYSIS_VERSION = 'imaging-2.0.0';

const DISCLAIMER =
  'Observations by automatic image processing, not a diagnosis and not a radiological report. They are no medical device, can be wrong in both directions, and must be checked by a qualified person who looks at the image.';

/** Images with a shorter side than this, in pixels, have too little detail. */
const SIDE_MIN = 96;
const SMALL = 200;
const MEDIUM = 1024;

/**
 * Looks at one image. Deterministic; the time is bounded by working sizes and grows with the image only by a few passes
 * over its pixels.
 * @param image one frame of one channel.
 * @param context what is known beside the pixels; it chooses the analyser.
 * @param model is asked only about images that an analyser fits.
 * @param among the analysers to choose from.
 */
export async function analyzeImage(
  image: GrayImage,
  context: StudyContext,
  model: () => Promise<FilmModel>,
  among: readonly Analyzer[] = analyzers,
): Promise<ImagingAnalysis> {
  if (Math.min(image.width, image.height) < SIDE_MIN)
    return refused(image, undefined, {
      code: 'too_small',
      text: `The image is smaller than ${SIDE_MIN} pixels on one side: there is too little detail.`,
    });
  const prepared = prepare(image);
  if (isBlank(prepared))
    return refused(image, undefined, {
      code: 'blank',
      text: 'The image has one tone, or all but one: it shows nothing.',
    });
  const quality = judgeFilm(prepared);
  const chosen = chooseAnalyzer(context, among);
  if ('refusal' in chosen) return refused(image, withFindings(quality, context), chosen.refusal, fromHeader(context));
  const { analyzer } = chosen;
  const { about, look } = await model();
  const reading = analyzer.analyze(prepared, context, await look(image, context));
  const asked = [analyzer.about, ...about];
  if ('refusal' in reading)
    return { ...refused(image, withFindings(quality, context), reading.refusal, reading.subject), analyzers: asked };
  return {
    outcome: 'analyzed',
    refusal: null,
    subject: reading.subject,
    orientation: reading.orientation,
    width: image.width,
    height: image.height,
    structures: [...reading.structures],
    measures: [...reading.measures, ...quality.measures],
    findings: [...reading.findings, ...quality.findings].sort((a, b) => b.confidence.estimate - a.confidence.estimate),
    checks: [...reading.checks, ...quality.checks],
    analyzers: asked,
    limits: [...reading.limits, ...(image.isLossy ? ['The image was compressed with loss before.'] : [])],
    model_version: ANALYSIS_VERSION,
    disclaimer: DISCLAIMER,
  };
}

/** The working sizes, made once. */
export function prepare(image: GrayImage): Prepared {
  const source = { width: image.width, height: image.height, data: image.pixels };
  const { small: medium } = shrunk(source, MEDIUM);
  const { small } = shrunk(medium, SMALL);
  return {
    image,
    medium,
    small,
    smallScale: { x: image.width / small.width, y: image.height / small.height },
    content: findContent(small, image.minimum, image.maximum),
  };
}

/** Almost all of the exposed part within a hundredth of the range, or no range at all. */
function isBlank({ image, small, content }: Prepared): boolean {
  const range = image.maximum - image.minimum;
  if (!(range > 0)) return true;
  const { x, y, width, height } = content.box;
  if (width < 16 || height < 16) return true;
  const values: number[] = [];
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++) values.push(small.data[row * small.width + column]!);
  const histogram = new Histogram(values, image.minimum, image.maximum);
  return histogram.quantile(0.99) - histogram.quantile(0.01) < 0.01 * range;
}

/** Of a picture that is no film for certain, only numbers are given: faults of films mean nothing there. */
function withFindings(quality: FilmQuality, { source }: StudyContext): FilmQuality {
  return source === 'dicom' ? quality : { ...quality, findings: [], checks: [] };
}

function fromHeader({ modality }: StudyContext): ImagingSubject {
  const isRadiograph = ['CR', 'DX', 'PX', 'RG', 'DR'].includes(modality?.trim().toUpperCase() ?? '');
  return {
    kind: isRadiograph ? 'radiograph' : 'not_recognized',
    basis: 'header',
    confidence: null,
    evidence: [],
  };
}

const unknownOrientation: ImagingOrientation = {
  rotation: 'cannot_judge',
  mirrored: 'cannot_judge',
  patient_right: 'cannot_judge',
  text: 'What the image shows was not recognised, so its orientation cannot be judged. Markers on the film are not read.',
};

function refused(
  image: GrayImage,
  quality: FilmQuality | undefined,
  refusal: ImagingRefusal,
  subject: ImagingSubject = { kind: 'not_recognized', basis: 'pixels', confidence: null, evidence: [] },
): ImagingAnalysis {
  return {
    outcome: 'not_analyzable',
    refusal,
    subject,
    orientation: unknownOrientation,
    width: image.width,
    height: image.height,
    structures: [],
    measures: [...(quality?.measures ?? [])],
    findings: [...(quality?.findings ?? [])],
    checks: [...(quality?.checks ?? [])],
    analyzers: [],
    limits: ['Nothing is said of what the image shows.'],
    model_version: ANALYSIS_VERSION,
    disclaimer: DISCLAIMER,
  };
}
