import { initializeCodecs } from './dicom/codecs.ts';
import { decodeFrame } from './dicom/decode.ts';
import { type DicomFile, isDicom, readDicomFile } from './dicom/file.ts';
import { checkPixelData, hasPixels } from './dicom/frames.ts';
import { type FrameMapping, type ImageHeader, readImageHeader, type Window } from './dicom/image-header.ts';
import type { GrayImage } from './image.ts';
import { ImageFault } from './image-fault.ts';
import { type PlainImage, plainFormatOf, type Raster, readPlainImage } from './raster.ts';
import { brightness, lookUp, windowOfAll } from './window.ts';

/** An image file, opened: whatever it is written in, frames come out of it. */
export type Picture =
  | { readonly source: 'dicom'; readonly file: DicomFile; readonly header: ImageHeader }
  | { readonly source: 'png' | 'jpeg'; readonly image: PlainImage };

/** What is shown other than the file says. */
export interface View {
  readonly window?: Window | undefined;
  readonly isInverted?: boolean | undefined;
}

/** A DICOM file without pixels: a report, a plan, a waveform, a presentation state. It is kept and given back. */
export interface BareObject {
  readonly source: 'object';
  readonly file: DicomFile;
}

/**
 * Opens a file by what its bytes are.
 * @throws ImageFault `unsupported` also for a DICOM file without pixels
 */
export async function openPicture(bytes: Uint8Array): Promise<Picture> {
  const opened = await openFile(bytes);
  if (opened.source === 'object') throw new ImageFault('unsupported', 'The DICOM file holds no pixels.');
  return opened;
}

/**
 * The same, of a file that needs to hold no pixels.
 * @throws ImageFault
 */
export async function openFile(bytes: Uint8Array): Promise<Picture | BareObject> {
  if (isDicom(bytes)) {
    const file = readDicomFile(bytes);
    if (!hasPixels(file)) return { source: 'object', file };
    const header = readImageHeader(file);
    checkPixelData(file, header);
    await initializeCodecs();
    return { source: 'dicom', file, header };
  }
  const format = plainFormatOf(bytes);
  if (!format) throw new ImageFault('not_an_image', 'The file is neither a DICOM file nor a PNG nor a JPEG.');
  return { source: format, image: await readPlainImage(bytes) };
}

/** How many frames there are. */
export function framesOf(picture: Picture): number {
  return picture.source === 'dicom' ? picture.header.frames : 1;
}

/** Width and height in pixels. */
export function sizeOf(picture: Picture): { readonly width: number; readonly height: number } {
  return picture.source === 'dicom'
    ? { width: picture.header.columns, height: picture.header.rows }
    : { width: picture.image.width, height: picture.image.height };
}

/** One frame with one value for each pixel, after rescale; colours become their luminance. @param frame from 0. */
export function grayOf(picture: Picture, frame: number): GrayImage {
  if (picture.source !== 'dicom') {
    needFrame(picture, frame);
    const { width, height, bits, channels, samples } = picture.image;
    const pixels = channels === 1 ? Float32Array.from(samples) : luminance(samples);
    return { width, height, pixels, ...extremes(pixels), bitsStored: bits, isLossy: picture.source === 'jpeg' };
  }
  const { file, header } = picture;
  const { columns: width, rows: height, bitsStored, pixelSpacingMm } = header;
  const stored = decodeFrame(file, header, frame);
  let pixels: Float32Array;
  if (stored.kind === 'rgb') pixels = luminance(stored.rgb);
  else if (header.palette) pixels = luminance(throughPalette(stored.values, header));
  else pixels = modalityValues(stored.values, header, header.mappingOf(frame));
  const { minimum, maximum } = extremes(pixels);
  if (header.isInverted)
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = minimum + maximum - (pixels[at] as number);
  const isLossy = file.transferSyntax.isLossy || file.dataSet.string('x00282110') === '01';
  return {
    width,
    height,
    pixels,
    minimum,
    maximum,
    bitsStored: stored.kind === 'rgb' || header.palette ? 8 : bitsStored,
    isLossy,
    ...(pixelSpacingMm ? { pixelSpacingMm } : {}),
  };
}

/** One frame as it is shown: in the window asked for, else the file's own, else one that shows everything. */
export function renderPicture(picture: Picture, frame: number, view: View = {}): Raster {
  const isColor =
    picture.source === 'dicom' && (picture.header.samplesPerPixel === 3 || picture.header.palette !== undefined);
  if (isColor) return renderColor(picture, frame, view);
  if (picture.source !== 'dicom') return renderPlain(picture, frame, view);
  const { file, header } = picture;
  const { columns: width, rows: height } = header;
  const stored = decodeFrame(file, header, frame);
  if (stored.kind === 'rgb') throw new Error('a frame of one sample a pixel has no colours');
  const mapping = header.mappingOf(frame);
  const values = modalityValues(stored.values, header, mapping);
  const data = new Uint8Array(values.length);
  const { voiTable } = header;
  const window = view.window ?? mapping.window;
  if (!window && voiTable) {
    const most = 2 ** voiTable.bits - 1;
    for (let at = 0; at < data.length; at += 1)
      data[at] = Math.round((lookUp(voiTable, values[at] as number) / most) * 255);
  } else {
    const shown = window ?? windowWithoutPadding(stored.values, values, header.paddingValue);
    for (let at = 0; at < data.length; at += 1) data[at] = Math.round(brightness(values[at] as number, shown));
  }
  if (header.isInverted !== (view.isInverted ?? false)) invert(data);
  return { width, height, channels: 1, data };
}

function renderColor(picture: Picture & { source: 'dicom' }, frame: number, view: View): Raster {
  const { file, header } = picture;
  const stored = decodeFrame(file, header, frame);
  const data = stored.kind === 'rgb' ? stored.rgb : throughPalette(stored.values, header);
  if (view.window) applyWindow(data, view.window);
  if (view.isInverted) invert(data);
  return { width: header.columns, height: header.rows, channels: 3, data };
}

function renderPlain(picture: Picture & { source: 'png' | 'jpeg' }, frame: number, view: View): Raster {
  needFrame(picture, frame);
  const { width, height, bits, channels, samples } = picture.image;
  const data = new Uint8Array(samples.length);
  const { window } = view;
  if (window)
    for (let at = 0; at < data.length; at += 1) data[at] = Math.round(brightness(samples[at] as number, window));
  else if (bits === 16)
    for (let at = 0; at < data.length; at += 1) data[at] = Math.round((samples[at] as number) / 257);
  else data.set(samples);
  if (view.isInverted) invert(data);
  return { width, height, channels, data };
}

function needFrame(picture: Picture, frame: number): void {
  if (frame < 0 || frame >= framesOf(picture)) throw new ImageFault('no_frame', 'There is no frame of that number.');
}

/** Stored values as those of the modality: through its table, or by slope and intercept (PS3.3, C.11.1). */
function modalityValues(
  stored: ArrayLike<number>,
  { modalityTable }: ImageHeader,
  { slope, intercept }: FrameMapping,
): Float32Array {
  const values = new Float32Array(stored.length);
  for (let at = 0; at < values.length; at += 1) {
    const value = stored[at] as number;
    values[at] = modalityTable ? lookUp(modalityTable, value) : value * slope + intercept;
  }
  return values;
}

function throughPalette(stored: ArrayLike<number>, { palette }: ImageHeader): Uint8Array {
  if (!palette) throw new Error('the image has no palette');
  const rgb = new Uint8Array(stored.length * 3);
  const last = palette.red.length - 1;
  for (let at = 0; at < stored.length; at += 1) {
    const entry = Math.max(0, Math.min(last, (stored[at] as number) - palette.firstValue));
    rgb[3 * at] = palette.red[entry] as number;
    rgb[3 * at + 1] = palette.green[entry] as number;
    rgb[3 * at + 2] = palette.blue[entry] as number;
  }
  return rgb;
}

/** Everything that is shown but what only fills the corners (Pixel Padding Value). */
function windowWithoutPadding(stored: ArrayLike<number>, values: Float32Array, padding: number | undefined): Window {
  if (padding === undefined) {
    const { minimum, maximum } = extremes(values);
    return windowOfAll(minimum, maximum);
  }
  const { minimum, maximum } = extremes(values.filter((_, at) => stored[at] !== padding));
  return windowOfAll(minimum, maximum);
}

function extremes(values: Float32Array): { readonly minimum: number; readonly maximum: number } {
  let minimum = Number.POSITIVE_INFINITY;
  let maximum = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  return values.length === 0 ? { minimum: 0, maximum: 0 } : { minimum, maximum };
}

/** Brightness as the eye sees it (ITU-R BT.601). */
function luminance(rgb: ArrayLike<number>): Float32Array {
  const gray = new Float32Array(rgb.length / 3);
  for (let at = 0; at < gray.length; at += 1) {
    gray[at] =
      0.299 * (rgb[3 * at] as number) + 0.587 * (rgb[3 * at + 1] as number) + 0.114 * (rgb[3 * at + 2] as number);
  }
  return gray;
}

function applyWindow(data: Uint8Array, window: Window): void {
  for (let at = 0; at < data.length; at += 1) data[at] = Math.round(brightness(data[at] as number, window));
}

function invert(data: Uint8Array): void {
  for (let at = 0; at < data.length; at += 1) data[at] = 255 - (data[at] as number);
}
