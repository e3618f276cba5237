import { ImageFault } from '../image-fault.ts';

/** Of a header: the count, and the offsets of up to 15 segments (PS3.5, annex G.5). */
const HEADER_BYTES = 64;
const SEGMENTS_MAX = 15;

/**
 * Decodes an RLE frame (PS3.5, annex G): a PackBits segment for each byte of each sample, the most significant first.
 * @param pixels how many the frame has. @param bytesPerSample 1, 2 or 4.
 * @returns samples interleaved by pixel, little endian.
 * @throws ImageFault `unreadable` unless every segment gives exactly its bytes.
 */
export function decodeRle(
  bytes: Uint8Array,
  pixels: number,
  samplesPerPixel: number,
  bytesPerSample: number,
): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const expected = samplesPerPixel * bytesPerSample;
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== expected || expected > SEGMENTS_MAX) throw damaged();
  const offsets = Array.from({ length: expected }, (_, index) => view.getUint32(4 + 4 * index, true));
  // Two bytes stand for at most 128: a segment that is shorter than that cannot be whole, and costs no memory.
  const lengths = offsets.map((start, index) => (offsets[index + 1] ?? bytes.length) - start);
  if (lengths.some((length) => length * 64 < pixels)) throw damaged();
  const out = new Uint8Array(pixels * expected);
  for (const [index, start] of offsets.entries()) {
    const end = offsets[index + 1] ?? bytes.length;
    if (start < HEADER_BYTES || end < start || end > bytes.length) throw damaged();
    const sample = Math.floor(index / bytesPerSample);
    const byte = bytesPerSample - 1 - (index % bytesPerSample);
    unpack(bytes.subarray(start, end), out, sample * bytesPerSample + byte, expected, pixels);
  }
  return out;
}

/** Writes `count` bytes of a PackBits segment, every `step` bytes from `first`. */
function unpack(segment: Uint8Array, out: Uint8Array, first: number, step: number, count: number): void {
  let at = 0;
  let written = 0;
  while (written < count) {
    const control = segment[at];
    if (control === undefined) throw damaged();
    at += 1;
    // 128 stands for nothing.
    if (control === 128) continue;
    const isRun = control > 128;
    const length = isRun ? 257 - control : control + 1;
    if (at + (isRun ? 1 : length) > segment.length) throw damaged();
    // A run may go on into the padding of the last row, never beyond what the frame holds.
    const taken = Math.min(length, count - written);
    for (let index = 0; index < taken; index += 1) {
      out[first + (written + index) * step] = segment[isRun ? at : at + index] as number;
    }
    written += taken;
    at += isRun ? 1 : length;
  }
}

function damaged(): ImageFault {
  return new ImageFault('unreadable', 'A frame that is run-length encoded is damaged.');
}
