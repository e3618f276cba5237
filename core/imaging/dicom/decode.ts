import { ImageFault, imageLimits } from '../image-fault.ts';
import { decodeCompressed } from './codecs.ts';
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
  | { readonly kind: 'rgb' /** Red, green and blue of each pixel. */; readonly rgb: Uint8Array };

/**
 * Decodes one frame.
 * @param frame from 0.
 * @throws ImageFault
 */
export function decodeFrame(file: DicomFile, header: ImageHeader, frame: number): StoredFrame {
  const encoded = encodedFrame(file, header, frame);
  const { rows, columns, samplesPerPixel, bitsAllocated, photometricInterpretation } = header;
  const pixels = rows * columns;
  if (pixels * samplesPerPixel * (bitsAllocated / 8) > imageLimits.frameBytesMax) {
    throw new ImageFault('too_large', 'A frame is larger, once decoded, than this service takes.');
  }
  const { codec, isBigEndian } = file.transferSyntax;
  if (samplesPerPixel === 1) {
    const bytes =
      codec === 'none'
        ? littleEndian(encoded, bitsAllocated, isBigEndian, pixelVr(file))
        : codec === 'rle'
          ? decodeRle(encoded, pixels, 1, bitsAllocated / 8)
          : decodeCompressed(codec, encoded, header).bytes;
    return { kind: 'values', values: storedValues(bytes, header, pixels) };
  }
  if (codec === 'none') {
    const bytes = littleEndian(encoded, 8, isBigEndian, pixelVr(file));
    if (photometricInterpretation === 'YBR_FULL_422') return { kind: 'rgb', rgb: fromYbr422(bytes, pixels) };
    return { kind: 'rgb', rgb: toRgb(header.isPlanar ? interleave(bytes, pixels) : Uint8Array.from(bytes), header) };
  }
  if (codec === 'rle') return { kind: 'rgb', rgb: toRgb(decodeRle(encoded, pixels, 3, 1), header) };
  const decoded = decodeCompressed(codec, encoded, header);
  const samples = decoded.isPlanar ? interleave(decoded.bytes, pixels) : decoded.bytes;
  return { kind: 'rgb', rgb: decoded.isRgb ? samples : toRgb(samples, header) };
}

function pixelVr({ dataSet }: DicomFile): string | undefined {
  return dataSet.elements['x7fe00010']?.vr;
}

/** Bytes in little endian order. In big endian, words of pixels that take a byte are swapped too (PS3.5, 8.2). */
function littleEndian(
  bytes: Uint8Array,
  bitsAllocated: number,
  isBigEndian: boolean,
  vr: string | undefined,
): Uint8Array {
  const size = bitsAllocated === 8 && vr === 'OW' ? 2 : bitsAllocated / 8;
  if (!isBigEndian || size === 1) return bytes;
  const copy = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % size)));
  return size === 2 ? copy.swap16() : copy.swap32();
}

/** The bits that are stored, out of those that are allocated, with their sign. */
function storedValues(
  bytes: Uint8Array,
  { bitsAllocated, bitsStored, highBit, isSigned }: ImageHeader,
  pixels: number,
): Int16Array | Uint16Array | Int32Array | Uint32Array {
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

function interleave(planes: Uint8Array, pixels: number): Uint8Array {
  const out = new Uint8Array(pixels * 3);
  for (let at = 0; at < pixels; at += 1) {
    out[3 * at] = planes[at] as number;
    out[3 * at + 1] = planes[pixels + at] as number;
    out[3 * at + 2] = planes[2 * pixels + at] as number;
  }
  return out;
}

/** Makes RGB of the samples, in place. */
function toRgb(samples: Uint8Array, { photometricInterpretation }: ImageHeader): Uint8Array {
  if (!photometricInterpretation.startsWith('YBR')) return samples;
  for (let at = 0; at + 2 < samples.length; at += 3) {
    putRgb(samples, at, samples[at] as number, samples[at + 1] as number, samples[at + 2] as number);
  }
  return samples;
}

/** Two luminances, then the colour that they share (PS3.3, C.7.6.3.1.2). */
function fromYbr422(bytes: Uint8Array, pixels: number): Uint8Array {
  const rgb = new Uint8Array(pixels * 3);
  for (let at = 0; at < pixels; at += 1) {
    const pair = (at >> 1) * 4;
    putRgb(rgb, at * 3, bytes[pair + (at & 1)] as number, bytes[pair + 2] as number, bytes[pair + 3] as number);
  }
  return rgb;
}

/** YBR_FULL to RGB: the inverse of the equations of PS3.3, C.7.6.3.1.2. */
function putRgb(out: Uint8Array, at: number, y: number, cb: number, cr: number): void {
  out[at] = clamp(y + 1.402 * (cr - 128));
  out[at + 1] = clamp(y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128));
  out[at + 2] = clamp(y + 1.772 * (cb - 128));
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
