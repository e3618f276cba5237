import { findTextLines, type TextLine } from '../burned-in-text.ts';
import { decodeFrame, type PlainFrame, plainFrame } from '../dicom/decode.ts';
import type { ImageHeader } from '../dicom/image-header.ts';
import { ImageFault, imageLimits } from '../image-fault.ts';
import { inspectFile } from '../inspect.ts';
import { type Picture, renderPicture } from '../picture.ts';
import type { Raster } from '../raster.ts';

/** What is known of text in a picture once it was looked for, and the pixels without it. */
export interface CleanedPixels {
  /** Whether nothing in the picture is suspected to tell who it is of. */
  readonly isIdentityGone: boolean;
  /** Whether lines of print were looked for and blanked. */
  readonly isClean: boolean;
  /** All frames without a compression, in the byte order of the file; absent where nothing was changed. */
  readonly pixels?: { readonly value: Uint8Array; readonly photometricInterpretation: string } | undefined;
}

type Dicom = Picture & { readonly source: 'dicom' };

/** Text stands at the same place in all frames; so many of them are looked at. */
const FRAMES_LOOKED_AT = 8;
/** Beneath what is blanked, something may come out that was taken for a part of it. */
const PASSES_MAX = 4;

/**
 * Blanks the lines of print in every frame. What is no print to the finder, such as handwriting, stays: a file that says
 * that there is text, of which none was found, is not called clean.
 * @param isWanted without it, it is only said whether text is suspected.
 */
export function cleanPixels(picture: Dicom, isWanted: boolean): CleanedPixels {
  const { tag, reasons } = inspectFile(picture).burnedIn;
  // Single bits are masks of something, and hold no print.
  if (!isWanted || picture.header.bitsAllocated === 1) return { isIdentityGone: reasons.length === 0, isClean: false };
  const lines = linesOf(picture);
  const isIdentityGone = tag !== 'yes' || lines.length > 0;
  return { isIdentityGone, isClean: true, pixels: lines.length === 0 ? undefined : blanked(picture, lines) };
}

/** Every line of the frames that are looked at, with a margin for what of its letters was not seen. */
function linesOf(picture: Dicom): readonly TextLine[] {
  const { frames } = picture.header;
  const stride = Math.max(1, Math.ceil(frames / FRAMES_LOOKED_AT));
  const all: TextLine[] = [];
  for (let frame = 0; frame < frames; frame += stride) {
    const shown = renderPicture(picture, frame);
    for (let pass = 0; pass < PASSES_MAX; pass += 1) {
      const lines = findTextLines(shown).map((line) => widened(line, shown));
      if (lines.length === 0) break;
      for (const { x, y, width, height } of lines)
        for (let row = y; row < y + height; row += 1) {
          const start = (row * shown.width + x) * shown.channels;
          shown.data.fill(0, start, start + width * shown.channels);
        }
      all.push(...lines);
    }
  }
  return all;
}

function widened({ x, y, width, height }: TextLine, raster: Raster): TextLine {
  const [across, down] = [Math.ceil(height * 4), Math.ceil(height * 0.5)];
  const [left, top] = [Math.max(0, x - across), Math.max(0, y - down)];
  return {
    x: left,
    y: top,
    width: Math.min(raster.width, x + width + across) - left,
    height: Math.min(raster.height, y + height + down) - top,
  };
}

function blanked(picture: Dicom, lines: readonly TextLine[]): CleanedPixels['pixels'] {
  const { file, header } = picture;
  const { isBigEndian, codec } = file.transferSyntax;
  const first = plainFrame(file, header, 0);
  if (first.bytes.length * header.frames > imageLimits.frameBytesMax) {
    throw new ImageFault('too_large', 'The frames are more, without their compression, than can be cleaned at once.');
  }
  const value = Buffer.alloc(first.bytes.length * header.frames);
  for (let frame = 0; frame < header.frames; frame += 1) {
    const plain = plainFrame(file, header, frame);
    const bytes = Uint8Array.from(plain.bytes);
    blank(bytes, plain, picture, frame, lines);
    value.set(bytes, frame * first.bytes.length);
  }
  const even = value.length % 2 === 0 ? value : Buffer.concat([value, Buffer.alloc(1)]);
  const { photometricInterpretation } = first;
  if (!isBigEndian || codec !== 'none') return { value: even, photometricInterpretation };
  const isOfWords = header.bitsAllocated === 16 || file.dataSet.elements['x7fe00010']?.vr === 'OW';
  const swapped = header.bitsAllocated === 32 ? even.swap32() : isOfWords ? even.swap16() : even;
  return { value: swapped, photometricInterpretation };
}

/** Writes over the lines: gray with what is darkest in the frame, colours with black. */
function blank(bytes: Uint8Array, plain: PlainFrame, picture: Dicom, frame: number, lines: readonly TextLine[]): void {
  const { header } = picture;
  const { columns, rows, bitsAllocated } = header;
  const size = bitsAllocated / 8;
  const dark = header.samplesPerPixel === 1 ? darkestCell(bytes, picture, frame) : undefined;
  for (const { x, y, width, height } of lines)
    for (let row = y; row < Math.min(rows, y + height); row += 1)
      for (let column = x; column < Math.min(columns, x + width); column += 1) {
        const pixel = row * columns + column;
        if (dark) bytes.set(dark, pixel * size);
        else blacken(bytes, pixel, plain, header);
      }
}

/** The cell of a pixel that is as dark as any. */
function darkestCell(bytes: Uint8Array, { file, header }: Dicom, frame: number): Uint8Array {
  const stored = decodeFrame(file, header, frame);
  const size = header.bitsAllocated / 8;
  if (stored.kind === 'rgb') return new Uint8Array(size);
  let darkest = 0;
  for (const [at, value] of stored.values.entries()) {
    const best = stored.values[darkest] as number;
    if (header.isInverted ? value > best : value < best) darkest = at;
  }
  return bytes.slice(darkest * size, (darkest + 1) * size);
}

function blacken(bytes: Uint8Array, pixel: number, plain: PlainFrame, header: ImageHeader): void {
  const { bitsAllocated, bitsStored, rows, columns } = header;
  const size = bitsAllocated / 8;
  const { photometricInterpretation: colors, isPlanar } = plain;
  if (colors === 'YBR_FULL_422') {
    const pair = (pixel >> 1) * 4;
    bytes[pair + (pixel & 1)] = 0;
    bytes.fill(128, pair + 2, pair + 4);
    return;
  }
  // Chrominance is nothing in its middle.
  const middle = colors.startsWith('YBR') ? 2 ** (bitsStored - 1) : 0;
  for (let sample = 0; sample < 3; sample += 1) {
    const at = isPlanar ? sample * rows * columns + pixel : pixel * 3 + sample;
    const value = sample === 0 ? 0 : middle;
    for (let byte = 0; byte < size; byte += 1) bytes[at * size + byte] = Math.floor(value / 256 ** byte) % 256;
  }
}
