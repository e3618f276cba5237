import type { Context } from 'dcmjs-codecs';
import { ImageFault } from '../image-fault.ts';
import { readJpeg2000Header, readJpegHeader } from './codestream.ts';
import type { ImageHeader } from './image-header.ts';
import { codecs } from './libraries.ts';
import type { Codec } from './transfer-syntaxes.ts';

/** A frame as its codec gives it. */
export interface DecodedFrame {
  /** Samples, little endian, of the bits that the header allocates. */
  readonly bytes: Uint8Array;
  readonly isPlanar: boolean;
  /** Whether the codec has made RGB of the colours it stored. */
  readonly isRgb: boolean;
}

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
): DecodedFrame {
  checkCodestream(codec, encoded, header);
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
    const decoded = decode(codec, context, isColor);
    // What the module gives is a view of its memory, which the next frame overwrites.
    const bytes = Uint8Array.from(decoded.getDecodedBuffer() ?? []);
    const expected = header.rows * header.columns * header.samplesPerPixel * (header.bitsAllocated / 8);
    if (bytes.length !== expected) throw new Error(`${bytes.length} bytes in place of ${expected}`);
    const { photometricInterpretation } = header;
    return {
      bytes,
      isPlanar: isColor && decoded.getPlanarConfiguration() === 1,
      isRgb:
        isColor &&
        (decoded.getPhotometricInterpretation() === 'RGB' || /^YBR_(ICT|RCT)$/.test(photometricInterpretation)),
    };
  } catch (error) {
    throw new CodecFailed('unreadable', 'A compressed frame is damaged: it cannot be decoded.', { cause: error });
  }
}

/** A codec that has failed may have left its memory in any state: it must not be used again. */
export class CodecFailed extends ImageFault {}

function decode(codec: Exclude<Codec, 'none' | 'rle'>, context: Context, isColor: boolean): Context {
  switch (codec) {
    case 'jpeg':
      return codecs.NativeCodecs.decodeJpeg(context, { convertColorspaceToRgb: isColor });
    case 'jpeg_ls':
      return codecs.NativeCodecs.decodeJpegLs(context);
    case 'jpeg_2000':
      return codecs.NativeCodecs.decodeJpeg2000(context);
  }
}

/** @throws ImageFault `unreadable` when the codestream is not of the size that the data set says. */
export function checkCodestream(codec: Exclude<Codec, 'none' | 'rle'>, encoded: Uint8Array, header: ImageHeader): void {
  const claimed = codec === 'jpeg_2000' ? readJpeg2000Header(encoded) : readJpegHeader(encoded);
  const fits =
    claimed.width === header.columns &&
    claimed.height === header.rows &&
    claimed.components === header.samplesPerPixel &&
    claimed.precision <= header.bitsAllocated;
  if (!fits) throw new ImageFault('unreadable', 'A compressed frame is of another size than the header says.');
}
