import { ImageFault, imageLimits } from '../image-fault.ts';
import { checkCodestream, colorsOnceDecoded, decodeCompressed } from './codecs.ts';
import { toRgb } from './colors.ts';
import type { DicomFile } from './file.ts';
import { encodedFrame } from './frames.ts';
import type { ImageHeader } from './image-header.ts';
import { decodeRle } from './rle.ts';

/** Stored values of one frame. */
export type StoredFrame =
  | {
      readonly kind: 'values' /** One for each pixel. */;
      readonly values: Int16Array | Uint16Array | Int32Array | Uint32Array;
    }
  | { readonly kind: 'rgb' /** Red, green and blue of each pixel, of 8 bits. */; readonly rgb: Uint8Array };

/** A frame without its compression: samples of the bits that are allocated, little endian. */
export interface PlainFrame {
  readonly bytes: Uint8Array;
  /** Whether samples of a colour lie together, not those of a pixel. */
  readonly isPlanar: boolean;
  /** How samples make a colour: not always as the file says, for some codecs make RGB of what they stored. */
  readonly photometricInterpretation: string;
}

/**
 * Takes the compression off one frame. What a lossless one gives is what was compressed, bit for bit.
 * @param frame from 0.
 * @throws ImageFault
 */
export function plainFrame(file: DicomFile, header: ImageHeader, frame: number): PlainFrame {
  const encoded = encodedFrame(file, header, frame);
  const { rows, columns, samplesPerPixel, bitsAllocated, photometricInterpretation } = header;
  const pixels = rows * columns;
  if (pixels * samplesPerPixel * (bitsAllocated / 8) > imageLimits.frameBytesMax) {
    throw new ImageFault('too_large', 'A frame is larger, once decoded, than this service takes.');
  }
  const { codec } = file.transferSyntax;
  if (codec === 'none') return { bytes: encoded, isPlanar: header.isPlanar, photometricInterpretation };
  if (codec === 'rle') {
    const bytes = decodeRle(encoded, pixels, samplesPerPixel, bitsAllocated / 8);
    return { bytes, isPlanar: false, photometricInterpretation };
  }
  const decoded = decodeCompressed(codec, encoded, header);
  // Codestreams of wavelets that say themselves unsigned leave the sign of the data set's values behind.
  return header.isSigned && header.bitsStored < bitsAllocated && (codec === 'jpeg_2000' || codec === 'htj2k')
    ? { ...decoded, bytes: withSign(decoded.bytes, header, pixels) }
    : decoded;
}

function withSign(bytes: Uint8Array, header: ImageHeader, pixels: number): Uint8Array {
  const values = storedValues(bytes, header, pixels);
  if (header.bitsAllocated === 8) return Uint8Array.from(values);
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** How the samples of frames without their compression make a colour: what `plainFrame` will say of them. */
export function plainColors(file: DicomFile, header: ImageHeader): string {
  const { codec } = file.transferSyntax;
  if (codec === 'none' || codec === 'rle') return header.photometricInterpretation;
  const encoded = encodedFrame(file, header, 0);
  return colorsOnceDecoded(codec, checkCodestream(codec, encoded, header), header);
}

/**
 * Decodes one frame to be shown or measured.
 * @param frame from 0.
 * @throws ImageFault
 */
export function decodeFrame(file: DicomFile, header: ImageHeader, frame: number): StoredFrame {
  const { bytes, isPlanar, photometricInterpretation } = plainFrame(file, header, frame);
  const pixels = header.rows * header.columns;
  if (header.samplesPerPixel === 1) return { kind: 'values', values: storedValues(bytes, header, pixels) };
  return { kind: 'rgb', rgb: toRgb(bytes, { ...header, isPlanar, photometricInterpretation }, pixels) };
}

/** The bits that are stored, out of those that are allocated, with their sign. */
function storedValues(
  bytes: Uint8Array,
  { bitsAllocated, bitsStored, highBit, isSigned }: ImageHeader,
  pixels: number,
): Int16Array | Uint16Array | Int32Array | Uint32Array {
  if (bitsAllocated === 1) {
    return Uint16Array.from({ length: pixels }, (_, at) => ((bytes[at >> 3] as number) >> (at & 7)) & 1);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bitsAllocated / 8;
  // To the top, so that shifting back brings the sign with it.
  const left = 31 - highBit;
  const right = 32 - bitsStored;
  const read = (at: number): number =>
    size === 1 ? view.getUint8(at) : size === 2 ? view.getUint16(at * 2, true) : view.getUint32(at * 4, true);
  if (isSigned) {
    const values = size === 4 ? new Int32Array(pixels) : new Int16Array(pixels);
    for (let at = 0; at < pixels; at += 1) values[at] = (read(at) << left) >> right;
    return values;
  }
  const values = size === 4 ? new Uint32Array(pixels) : new Uint16Array(pixels);
  for (let at = 0; at < pixels; at += 1) values[at] = (read(at) << left) >>> right;
  return values;
}
