import { ImageFault } from '../image-fault.ts';

/** What a compressed frame says of itself. */
export interface CodestreamHeader {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  /** Bits of a sample. */
  readonly precision: number;
  /** What the Adobe marker of a JPEG says of its colours: 0 for none, 1 for YCbCr; absent without the marker. */
  readonly adobeTransform?: number | undefined;
  /** Whether a JPEG is of the lossless process, which changes no colours. */
  readonly isLossless?: boolean;
}

/*
 * A decoder allocates what the codestream claims, so the claim is read first and compared with that of the data set.
 */

/**
 * Reads the frame header of a JPEG or JPEG-LS codestream (ITU-T T.81, B.2.2), and looks whether its end is there.
 * @throws ImageFault `unreadable`
 */
export function readJpegHeader(bytes: Uint8Array): CodestreamHeader {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw damaged();
  if (!hasEndOfImage(bytes)) throw new ImageFault('unreadable', 'A compressed frame is cut short.');
  let at = 2;
  let adobeTransform: number | undefined;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) throw damaged();
    const marker = bytes[at + 1] as number;
    // Fill bytes, and markers that stand alone.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    if (marker === 0xda || marker === 0xd9) break;
    const length = uint16(bytes, at + 2);
    if (length < 2 || at + 2 + length > bytes.length) throw damaged();
    if (marker === 0xee && length >= 14 && isAdobe(bytes, at + 4)) adobeTransform = bytes[at + 15];
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame || marker === 0xf7) {
      if (length < 8) throw damaged();
      return {
        precision: bytes[at + 4] as number,
        height: uint16(bytes, at + 5),
        width: uint16(bytes, at + 7),
        components: bytes[at + 9] as number,
        adobeTransform,
        isLossless: marker === 0xc3 || marker === 0xf7,
      };
    }
    at += 2 + length;
  }
  throw damaged();
}

/**
 * Reads the size of a JPEG 2000 codestream (ITU-T T.800, A.5.1), within its boxes or without.
 * @throws ImageFault `unreadable`
 */
export function readJpeg2000Header(bytes: Uint8Array): CodestreamHeader {
  // In a file of boxes the codestream begins with SOC and SIZ, which no box before it contains.
  const start = bytes[0] === 0xff ? 0 : indexOf(bytes, [0xff, 0x4f, 0xff, 0x51]);
  if (
    start < 0 ||
    bytes.length < start + 43 ||
    uint16(bytes, start) !== 0xff4f ||
    uint16(bytes, start + 2) !== 0xff51
  ) {
    throw damaged();
  }
  const at = start + 4;
  const [width, height, left, top] = [4, 8, 12, 16].map((offset) => uint32(bytes, at + offset)) as [
    number,
    number,
    number,
    number,
  ];
  const components = uint16(bytes, at + 36);
  // The high bit says that samples are signed.
  return { width: width - left, height: height - top, components, precision: ((bytes[at + 38] as number) & 0x7f) + 1 };
}

function isAdobe(bytes: Uint8Array, at: number): boolean {
  return String.fromCharCode(...bytes.subarray(at, at + 5)) === 'Adobe';
}

/** The end marker is the last thing but for padding. */
function hasEndOfImage(bytes: Uint8Array): boolean {
  for (let at = bytes.length - 1; at >= Math.max(3, bytes.length - 64); at -= 1) {
    if (bytes[at] === 0xd9 && bytes[at - 1] === 0xff) return true;
  }
  return false;
}

function indexOf(bytes: Uint8Array, wanted: readonly number[]): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(Buffer.from(wanted));
}

function uint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
}

function uint32(bytes: Uint8Array, at: number): number {
  return uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);
}

function damaged(): ImageFault {
  return new ImageFault('unreadable', 'A compressed frame is damaged: it is not of the kind that the file names.');
}
