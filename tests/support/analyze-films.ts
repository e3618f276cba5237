import { parentPort, Worker } from 'node:worker_threads';
import { analyzeImage } from '@perennial/core/imaging/analysis/analyze.ts';
import { loadFilmModel } from '@perennial/core/imaging/analysis/film-model/film-model.ts';
import { readFilmModel } from '@perennial/core/imaging/analysis/film-model/film-model-file.ts';
import type { GrayImage, StudyContext } from '@perennial/core/imaging/image.ts';
import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import { chestPhantom, type Phantom, type PhantomOptions } from './chest-phantom.ts';
import { lookalikes, unseenLookalikes } from './lookalikes.ts';
import { notFilms } from './not-films.ts';

/** A chest film to compute and to look at. */
export interface Film {
  readonly options: PhantomOptions;
  readonly context: StudyContext;
  /** Takes the spacing of pixels away, as in a picture that is no DICOM file. */
  readonly isWithoutSpacing?: boolean;
  /** Black and white are exchanged, and nothing says so. */
  readonly isNegative?: boolean;
  /** What is cut off, in shares of the width or the height. */
  readonly cut?: { readonly left?: number; readonly right?: number; readonly below?: number };
}

/** Pictures that are no chest films, by what they are like. */
const otherPictures = { ...notFilms, ...lookalikes, ...unseenLookalikes };

/** A picture that is no chest film, to compute and to look at. */
export interface OtherPicture {
  readonly name: keyof typeof otherPictures;
  readonly seed: number;
  readonly context: StudyContext;
}

export interface LookedAt {
  readonly phantom: Phantom;
  readonly analysis: ImagingAnalysis;
}

interface Task {
  readonly films: readonly Film[];
  readonly others: readonly OtherPicture[];
}

interface Answer {
  readonly films: readonly LookedAt[];
  readonly others: readonly ImagingAnalysis[];
}

/**
 * Computes pictures and looks at them in a thread of their own, as the service does. The sandbox that tests run in
 * makes arithmetic over pixels many times slower.
 */
export async function analyzeFilms(films: readonly Film[]): Promise<readonly LookedAt[]> {
  return (await inThread({ films, others: [] })).films;
}

/** The same, of pictures that are no films. */
export async function analyzeOthers(others: readonly OtherPicture[]): Promise<readonly ImagingAnalysis[]> {
  return (await inThread({ films: [], others })).others;
}

async function inThread(task: Task): Promise<Answer> {
  const worker = new Worker(new URL(import.meta.url));
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject).postMessage(task);
    });
  } finally {
    await worker.terminate();
  }
}

parentPort?.once('message', (task: Task) => {
  void answer(task).then((each) => parentPort?.postMessage(each));
});

async function answer({ films, others }: Task): Promise<Answer> {
  const model = await loadFilmModel(await readFilmModel());
  const analyze = (image: GrayImage, context: StudyContext): Promise<ImagingAnalysis> =>
    analyzeImage(image, context, async () => model);
  const looked: LookedAt[] = [];
  for (const { options, context, isWithoutSpacing, isNegative, cut } of films) {
    const phantom = chestPhantom(options);
    const shown = cutOff(phantom.image, cut);
    const { pixelSpacingMm, ...bare } = isNegative ? negativeOf(shown) : shown;
    const image: GrayImage = isWithoutSpacing || !pixelSpacingMm ? bare : { ...bare, pixelSpacingMm };
    looked.push({ phantom, analysis: await analyze(image, context) });
  }
  const seen: ImagingAnalysis[] = [];
  for (const { name, seed, context } of others) seen.push(await analyze(otherPictures[name](seed), context));
  return { films: looked, others: seen };
}

function negativeOf(image: GrayImage): GrayImage {
  return { ...image, pixels: image.pixels.map((value) => image.maximum + image.minimum - value) };
}

function cutOff(image: GrayImage, { left = 0, right = 0, below = 0 }: Film['cut'] = {}): GrayImage {
  const from = Math.round(left * image.width);
  const width = Math.round((1 - right) * image.width) - from;
  const height = Math.round((1 - below) * image.height);
  const pixels = Float32Array.from({ length: width * height }, (_, index) => {
    const x = index % width;
    return image.pixels[((index - x) / width) * image.width + from + x]!;
  });
  return { ...image, width, height, pixels };
}
