import type { Context } from 'dcmjs-codecs';
import { ImageFault } from '../image-fault.ts';
import { type CodestreamHeader, readJpeg2000Header, readJpegHeader } from './codestream.ts';
import { interleave } from './colors.ts';
import type { PlainFrame } from './decode.ts';
import type { ImageHeader } from './image-header.ts';
import { codecs } from './libraries.ts';
import type { Codec } from './transfer-syntaxes.ts';

let initialized: Promise<void> | undefined;

/** Makes the codecs ready; they are one WebAssembly module. Decoding itself cannot wait. */
export async function initializeCodecs(): Promise<void> {
  initialized ??= codecs.NativeCodecs.initializeAsync({ logCodecsInfo: false, logCodecsTrace: false });
  await initialized;
}

/**
 * Decodes a compressed frame whose codestream claims what the header claims.
 * @throws ImageFault `unreadable`
 */
export function decodeCompressed(
  codec: Exclude<Codec, 'none' | 'rle'>,
  encoded: Uint8Array,
  header: ImageHeader,
): PlainFrame {
  const codestream = checkCodestream(codec, encoded, header);
  const isColor = header.samplesPerPixel === 3;
  const context = new codecs.Context({
    width: header.columns,
    height: header.rows,
    bitsAllocated: header.bitsAllocated,
    bitsStored: header.bitsStored,
    samplesPerPixel: header.samplesPerPixel,
    pixelRepresentation: header.isSigned ? 1 : 0,
    planarConfiguration: header.isPlanar ? 1 : 0,
    photometricInterpretation: header.photometricInterpretation,
    encodedBuffer: encoded,
  });
  try {
    const decoded = decode(codec, context, isColor && isYbr(codestream, header));
    // What the module gives is a view of its memory, which the next frame overwrites.
    const bytes = Uint8Array.from(decoded.getDecodedBuffer() ?? []);
    const expected = header.rows * header.columns * header.samplesPerPixel * (header.bitsAllocated / 8);
    if (bytes.length !== expected) throw new Error(`${bytes.length} bytes in place of ${expected}`);
    const isPlanar = isColor && decoded.getPlanarConfiguration() === 1;
    const samples = isPlanar ? interleave(bytes, header.rows * header.columns, header.bitsAllocated / 8) : bytes;
    return { bytes: samples, isPlanar: false, photometricInterpretation: colorsOnceDecoded(codec, codestream, header) };
  } catch (error) {
    throw new CodecFailed('unreadable', 'A compressed frame is damaged: it cannot be decoded.', { cause: error });
  }
}

/** How the samples that a codec gives make a colour: some make RGB of what they stored. */
export function colorsOnceDecoded(
  codec: Exclude<Codec, 'none' | 'rle'>,
  { adobeTransform, isLossless = false }: CodestreamHeader,
  { photometricInterpretation }: ImageHeader,
): string {
  if (!photometricInterpretation.startsWith('YBR')) return photometricInterpretation;
  switch (codec) {
    case 'jpeg':
      return isLossless && adobeTransform !== 0 ? 'YBR_FULL' : 'RGB';
    case 'jpeg_ls':
      return 'YBR_FULL';
    case 'jpeg_2000':
    case 'htj2k':
      // Their own transforms of colours are part of the codestream.
      return /^YBR_(ICT|RCT)$/.test(photometricInterpretation) ? 'RGB' : 'YBR_FULL';
  }
}

/** A codec that has failed may have left its memory in any state: it must not be used again. */
export class CodecFailed extends ImageFault {}

/**
 * Whether a JPEG codestream holds luminance and chrominance. Its Adobe marker says so (ITU-T T.872, 6.5.3); without one,
 * the data set does: three components by themselves mean nothing to DICOM, whatever other readers take them for.
 */
function isYbr({ adobeTransform, isLossless }: CodestreamHeader, { photometricInterpretation }: ImageHeader): boolean {
  if (isLossless) return false;
  return adobeTransform === undefined ? photometricInterpretation.startsWith('YBR') : adobeTransform !== 0;
}

function decode(codec: Exclude<Codec, 'none' | 'rle'>, context: Context, toRgb: boolean): Context {
  switch (codec) {
    case 'jpeg':
      return codecs.NativeCodecs.decodeJpeg(context, { convertColorspaceToRgb: toRgb });
    case 'htj2k':
      return codecs.NativeCodecs.decodeHtJpeg2000(context);
    case 'jpeg_ls':
      return codecs.NativeCodecs.decodeJpegLs(context);
    case 'jpeg_2000':
      return codecs.NativeCodecs.decodeJpeg2000(context);
  }
}

/** @throws ImageFault `unreadable` when the codestream is not of the size that the data set says. */
export function checkCodestream(
  codec: Exclude<Codec, 'none' | 'rle'>,
  encoded: Uint8Array,
  header: ImageHeader,
): CodestreamHeader {
  const isWavelet = codec === 'jpeg_2000' || codec === 'htj2k';
  const claimed = isWavelet ? readJpeg2000Header(encoded) : readJpegHeader(encoded);
  const fits =
    claimed.width === header.columns &&
    claimed.height === header.rows &&
    claimed.components === header.samplesPerPixel &&
    claimed.precision <= header.bitsAllocated;
  if (!fits) throw new ImageFault('unreadable', 'A compressed frame is of another size than the header says.');
  return claimed;
}
