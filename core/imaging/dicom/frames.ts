import type { Element } from 'dicom-parser';
import { ImageFault } from '../image-fault.ts';
import type { DicomFile } from './file.ts';
import type { ImageHeader } from './image-header.ts';
import { dicomParser } from './libraries.ts';

const PIXEL_DATA = 'x7fe00010';

/** Whether the file has pixels of whole numbers. */
export function hasPixels({ dataSet }: DicomFile): boolean {
  return dataSet.elements[PIXEL_DATA] !== undefined;
}

/** Bytes of one frame without a compression. */
export function nativeFrameBytes({
  rows,
  columns,
  samplesPerPixel,
  bitsAllocated,
  photometricInterpretation,
}: ImageHeader): number {
  // Two pixels share their colour: four samples in place of six.
  if (photometricInterpretation === 'YBR_FULL_422') return rows * columns * 2;
  return rows * columns * samplesPerPixel * (bitsAllocated / 8);
}

/** Bytes of all frames: of one bit a pixel, they are packed without a gap between frames (PS3.5, 8.1.1). */
function nativeBytes(header: ImageHeader): number {
  return Math.ceil(nativeFrameBytes(header) * header.frames);
}

/**
 * Compares the pixel data with what the header says they are.
 * @throws ImageFault `unreadable` when bytes are missing. More than there should be is padding, as other readers take it.
 */
export function checkPixelData(file: DicomFile, header: ImageHeader): void {
  const element = pixelDataOf(file);
  if (file.transferSyntax.codec === 'none') {
    if (element.encapsulatedPixelData)
      throw damaged('The pixels are encapsulated, and the transfer syntax says they are not.');
    const expected = nativeBytes(header);
    const available = file.dataSet.byteArray.length - element.dataOffset;
    if (element.length < expected || available < expected)
      throw damaged('The pixel data is shorter than the header says.');
    return;
  }
  if (!element.encapsulatedPixelData)
    throw damaged('The pixels are not encapsulated, and the transfer syntax says they are.');
  const fragments = element.fragments ?? [];
  const end = element.dataOffset + element.length;
  const isWhole = fragments.every(
    ({ position, length }) => position + length <= Math.min(end, file.dataSet.byteArray.length),
  );
  if (!isWhole || !endsWithDelimiter(file, element)) throw damaged('The pixel data is cut short.');
  if (fragments.length < header.frames) throw damaged('The pixel data holds fewer frames than the header says.');
}

/** A sequence delimitation item after the last fragment (PS3.5, A.4); without it, nobody knows whether more came. */
function endsWithDelimiter({ dataSet }: DicomFile, element: Element): boolean {
  const last = element.fragments?.at(-1);
  if (!last) return false;
  const at = last.position + last.length;
  const { byteArray } = dataSet;
  return [0xfe, 0xff, 0xdd, 0xe0].every((byte, index) => byteArray[at + index] === byte);
}

/**
 * The bytes of one frame as the file has them; without a compression, in little endian order.
 * @param frame from 0.
 */
export function encodedFrame(file: DicomFile, header: ImageHeader, frame: number): Uint8Array {
  if (frame < 0 || frame >= header.frames) throw new ImageFault('no_frame', 'There is no frame of that number.');
  const { dataSet, transferSyntax } = file;
  const element = pixelDataOf(file);
  if (transferSyntax.codec === 'none') return nativeFrame(file, element, header, frame);
  const fragments = element.fragments ?? [];
  try {
    if (header.frames === 1)
      return dicomParser.readEncapsulatedPixelDataFromFragments(dataSet, element, 0, fragments.length);
    if (fragments.length === header.frames)
      return dicomParser.readEncapsulatedPixelDataFromFragments(dataSet, element, frame, 1);
    if (element.basicOffsetTable?.length === header.frames)
      return dicomParser.readEncapsulatedImageFrame(dataSet, element, frame);
    // Without a table, the ends of JPEG codestreams tell where frames end.
    if (transferSyntax.codec === 'jpeg' || transferSyntax.codec === 'jpeg_ls') {
      const table = dicomParser.createJPEGBasicOffsetTable(dataSet, element);
      if (table.length === header.frames) return dicomParser.readEncapsulatedImageFrame(dataSet, element, frame, table);
    }
  } catch (error) {
    throw new ImageFault('unreadable', 'The table of offsets does not fit the pixel data.', { cause: error });
  }
  throw damaged('Which fragments of the pixel data belong to a frame cannot be told.');
}

function nativeFrame(
  { dataSet, transferSyntax }: DicomFile,
  element: Element,
  header: ImageHeader,
  frame: number,
): Uint8Array {
  const { bitsAllocated } = header;
  // Words of pixels that take a byte or a bit are swapped too (PS3.5, 8.2), and a frame can begin within one.
  const word = bitsAllocated > 8 ? bitsAllocated / 8 : element.vr === 'OW' ? 2 : 1;
  const swap = transferSyntax.isBigEndian ? word - 1 : 0;
  const { dataOffset } = element;
  const byteAt = (at: number): number => dataSet.byteArray[dataOffset + (at ^ swap)] ?? 0;
  if (bitsAllocated === 1) return packedFrame(byteAt, header, frame);
  const length = nativeFrameBytes(header);
  const start = frame * length;
  if (swap === 0) return dataSet.byteArray.subarray(dataOffset + start, dataOffset + start + length);
  return Uint8Array.from({ length }, (_, at) => byteAt(start + at));
}

/** Pixels of one bit, the first one in the lowest bit; a frame that begins within a byte is moved to its edge. */
function packedFrame(byteAt: (at: number) => number, header: ImageHeader, frame: number): Uint8Array {
  const pixels = header.rows * header.columns;
  const first = frame * pixels;
  const [start, shift] = [first >> 3, first & 7];
  const out = Uint8Array.from({ length: Math.ceil(pixels / 8) }, (_, at) => {
    return ((byteAt(start + at) | (byteAt(start + at + 1) << 8)) >> shift) & 0xff;
  });
  // What follows belongs to the next frame.
  const used = pixels & 7;
  if (used > 0) out[out.length - 1] = (out[out.length - 1] as number) & ((1 << used) - 1);
  return out;
}

function pixelDataOf({ dataSet }: DicomFile): Element {
  const element = dataSet.elements[PIXEL_DATA];
  if (!element) throw new ImageFault('unsupported', 'The DICOM file holds no pixels.');
  return element;
}

function damaged(message: string): ImageFault {
  return new ImageFault('unreadable', message);
}
