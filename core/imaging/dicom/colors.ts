import type { ImageHeader } from './image-header.ts';

/** What samples are, and how they make a colour. */
type ColorHeader = Pick<ImageHeader, 'bitsAllocated' | 'bitsStored' | 'highBit' | 'isPlanar'> & {
  readonly photometricInterpretation: string;
};

/**
 * Colours of three samples as they are shown.
 * @param bytes samples of 8, 16 or 32 bits, little endian.
 * @returns red, green and blue of each pixel, of 8 bits, in memory of its own.
 */
export function toRgb(bytes: Uint8Array, header: ColorHeader, pixels: number): Uint8Array {
  const { photometricInterpretation, isPlanar } = header;
  const samples = eightBits(bytes, header);
  if (photometricInterpretation === 'YBR_FULL_422' && samples.length < pixels * 3) return fromYbr422(samples, pixels);
  const rgb = isPlanar ? interleave(samples, pixels, 1) : Uint8Array.from(samples.subarray(0, pixels * 3));
  if (!photometricInterpretation.startsWith('YBR')) return rgb;
  for (let at = 0; at + 2 < rgb.length; at += 3) {
    putRgb(rgb, at, rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number);
  }
  return rgb;
}

/** The eight highest of the bits that are stored. */
function eightBits(bytes: Uint8Array, { bitsAllocated, bitsStored, highBit }: ColorHeader): Uint8Array {
  if (bitsAllocated === 8) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bitsAllocated / 8;
  const lowest = highBit - bitsStored + 1;
  const most = bitsStored === 32 ? 0xffffffff : 2 ** bitsStored - 1;
  const out = new Uint8Array(Math.floor(bytes.length / size));
  for (let at = 0; at < out.length; at += 1) {
    const cell = size === 2 ? view.getUint16(at * 2, true) : view.getUint32(at * 4, true);
    // Arithmetic, for shifts of 32 bits have a sign.
    const value = Math.floor(cell / 2 ** lowest) % (most + 1);
    out[at] = bitsStored >= 8 ? Math.floor(value / 2 ** (bitsStored - 8)) : Math.round((value / most) * 255);
  }
  return out;
}

/** Samples of a pixel side by side, out of three planes. @param size of a sample in bytes. */
export function interleave(planes: Uint8Array, pixels: number, size: number): Uint8Array {
  const out = new Uint8Array(pixels * 3 * size);
  for (let plane = 0; plane < 3; plane += 1) {
    for (let at = 0; at < pixels * size; at += 1) {
      const pixel = Math.floor(at / size);
      out[(3 * pixel + plane) * size + (at % size)] = planes[plane * pixels * size + at] as number;
    }
  }
  return out;
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
