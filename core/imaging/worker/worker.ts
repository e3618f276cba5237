import { parentPort, workerData } from 'node:worker_threads';
import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import type { FilmModel } from '../analysis/film-model/film-model.ts';
import type { ModelSource } from '../analysis/model/models.ts';
import type { TrainedModel } from '../analysis/model/trained-model.ts';
import { annotationsOf, writeOn } from '../annotate.ts';
import { deidentify } from '../deidentify/deidentify.ts';
import { CodecFailed } from '../dicom/codecs.ts';
import { plainFrame } from '../dicom/decode.ts';
import { describeDicom } from '../dicom/describe.ts';
import { encodedFrame } from '../dicom/frames.ts';
import { bulkValue, toDicomJson } from '../dicom/json.ts';
import type { StudyContext } from '../image.ts';
import { ImageFault } from '../image-fault.ts';
import { inspectFile } from '../inspect.ts';
import { drawOutlines } from '../overlay.ts';
import { type BareObject, grayOf, openFile, openPicture, type Picture, renderPicture } from '../picture.ts';
import { cropRaster, encodeRaster, type Raster, resizeRaster } from '../raster.ts';
import type { AnalyzeInput, FramesInput, FramesOutput, RenderInput, Reply, Request, Tasks } from './tasks.ts';

/*
 * A thread in which bytes from outside are decoded. One task at a time; the other side ends the thread when a task
 * takes too long or too much memory.
 */

parentPort?.on('message', (request: Request) => {
  void perform(request).then(
    (output) => reply({ kind: 'done', output }),
    (error: unknown) => reply(toReply(error)),
  );
});

function reply(message: Reply): void {
  parentPort?.postMessage(message);
}

function toReply(error: unknown): Reply {
  if (error instanceof ImageFault) {
    return { kind: 'fault', fault: error.kind, message: error.message, isSpoilt: error instanceof CodecFailed };
  }
  // Sequences within sequences, deeper than the stack.
  if (error instanceof RangeError) {
    return { kind: 'fault', fault: 'unreadable', message: 'The image is damaged: it cannot be read.', isSpoilt: true };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  // The parser reads values when they are asked for, and says of those that end beyond the file only this.
  // Only the parser throws texts.
  if (typeof error === 'string' || message.startsWith('dicomParser')) {
    return {
      kind: 'fault',
      fault: 'unreadable',
      message: 'The DICOM file is damaged: a value in it is cut short.',
      isSpoilt: false,
    };
  }
  return { kind: 'error', message, stack };
}

async function perform({ name, bytes, input }: Request): Promise<Tasks[keyof Tasks]['output']> {
  if (name === 'models') return (await models()).map(({ about }) => about);
  if (name === 'inspect') return inspectFile(await openFile(bytes));
  if (name === 'metadata') {
    return toDicomJson(await openDicom(bytes), input as Tasks['metadata']['input']);
  }
  if (name === 'bulkdata') return bulkValue((await openDicom(bytes)).file, (input as Tasks['bulkdata']['input']).path);
  if (name === 'deidentify') {
    const { key, options } = input as Tasks['deidentify']['input'];
    return deidentify(await openDicom(bytes), key, options);
  }
  const picture = await openPicture(bytes);
  switch (name) {
    case 'render':
      return render(picture, input as RenderInput);
    case 'frames':
      return frames(picture, input as FramesInput);
    case 'analyze':
      return analyze(picture, input as AnalyzeInput);
  }
}

/** A DICOM file, with pixels or without. */
async function openDicom(bytes: Uint8Array): Promise<(Picture & { source: 'dicom' }) | BareObject> {
  const opened = await openFile(bytes);
  return opened.source === 'object' ? opened : needDicom(opened);
}

function needDicom(picture: Picture): Picture & { source: 'dicom' } {
  if (picture.source !== 'dicom') throw new ImageFault('unsupported', 'This can be done with DICOM files only.');
  return picture;
}

async function render(picture: Picture, input: RenderInput): Promise<Uint8Array> {
  const { frame, window, isInverted, edgeMax, outlines, format, quality, region, annotations = [] } = input;
  const shown = renderPicture(picture, frame, { window, isInverted });
  const drawn = outlines.length > 0 ? drawOutlines(shown, outlines) : shown;
  const part = region ? cropRaster(drawn, region) : drawn;
  const fit = await fitted(part, aspectOf(picture), edgeMax);
  const written = annotations.length > 0 ? writeOn(fit, annotationsOf(picture, annotations)) : fit;
  return encodeRaster(written, format, quality);
}

/** How much higher than wide a pixel is in the world. */
function aspectOf(picture: Picture): number {
  const spacing = picture.source === 'dicom' ? picture.header.pixelSpacingMm : undefined;
  const ratio = spacing ? spacing[0] / spacing[1] : 1;
  // What is nearly square is shown pixel by pixel; what is far from it is no spacing.
  return ratio > 0.99 && ratio < 1.01 ? 1 : Math.min(4, Math.max(0.25, ratio));
}

async function fitted(raster: Raster, aspect: number, edgeMax: number): Promise<Raster> {
  const height = aspect < 1 ? raster.height : raster.height * aspect;
  const width = aspect < 1 ? raster.width / aspect : raster.width;
  const scale = Math.min(1, edgeMax / Math.max(width, height));
  return resizeRaster(raster, Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
}

function frames(picture: Picture, { frames: wanted, isStored }: FramesInput): FramesOutput {
  const { file, header } = needDicom(picture);
  return {
    frames: wanted.map((frame) => {
      if (isStored) return Uint8Array.from(encodedFrame(file, header, frame));
      return Uint8Array.from(plainFrame(file, header, frame).bytes);
    }),
  };
}

async function analyze(picture: Picture, { frame, context }: AnalyzeInput): Promise<ImagingAnalysis> {
  // Loaded when it is first wanted: most workers only show pictures.
  const { analyzeImage } = await import('../analysis/analyze.ts');
  const { applyModels } = await import('../analysis/model/apply-models.ts');
  const image = grayOf(picture, frame);
  const known: StudyContext = { ...contextOf(picture), ...context, source: picture.source };
  return applyModels(await analyzeImage(image, known, filmModel), image, known, await models());
}

let films: Promise<FilmModel> | undefined;

/** The model that ships with the service, loaded once in this thread. */
function filmModel(): Promise<FilmModel> {
  films ??= loadFilms();
  return films;
}

async function loadFilms(): Promise<FilmModel> {
  const { readFilmModel } = await import('../analysis/film-model/film-model-file.ts');
  const { loadFilmModel } = await import('../analysis/film-model/film-model.ts');
  return loadFilmModel(await readFilmModel());
}

let loaded: Promise<readonly TrainedModel[]> | undefined;

/** The models of this thread, loaded once; none where the service has none. */
function models(): Promise<readonly TrainedModel[]> {
  loaded ??= load(workerData as ModelSource | null | undefined);
  return loaded;
}

async function load(source: ModelSource | null | undefined): Promise<readonly TrainedModel[]> {
  if (!source) return [];
  const { loadModels } = await import('../analysis/model/models.ts');
  return loadModels(source);
}

function contextOf(picture: Picture): Omit<StudyContext, 'source'> {
  if (picture.source !== 'dicom') return {};
  const { modality, bodyPart, view, laterality, patientAgeYears } = describeDicom(picture.file);
  return {
    ...(modality === null ? {} : { modality }),
    ...(bodyPart === null ? {} : { bodyPart }),
    ...(view === null ? {} : { view }),
    ...(laterality === null ? {} : { laterality }),
    ...(patientAgeYears === null ? {} : { patientAgeYears }),
  };
}
