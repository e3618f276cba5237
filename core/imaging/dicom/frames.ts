import type { Element } from 'dicom-parser';
import { ImageFault } from '../image-fault.ts';
import type { DicomFile } from './file.ts';
import type { ImageHeader } from './image-header.ts';
import { dicomParser } from './libraries.ts';

const PIXEL_DATA = 'x7fe00010';

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

/**
 * Compares the pixel data with what the header says they are.
 * @throws ImageFault `unreadable` when bytes are missing, or there are more than there should be.
 */
export function checkPixelData(file: DicomFile, header: ImageHeader): void {
  const element = pixelDataOf(file);
  if (file.transferSyntax.codec === 'none') {
    if (element.encapsulatedPixelData)
      throw damaged('The pixels are encapsulated, and the transfer syntax says they are not.');
    const expected = nativeFrameBytes(header) * header.frames;
    const available = file.dataSet.byteArray.length - element.dataOffset;
    if (element.length < expected || available < expected)
      throw damaged('The pixel data is shorter than the header says.');
    if (element.length > expected + (expected % 2)) throw damaged('The pixel data is longer than the header says.');
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
 * The bytes of one frame as the file has them.
 * @param frame from 0.
 */
export function encodedFrame(file: DicomFile, header: ImageHeader, frame: number): Uint8Array {
  if (frame < 0 || frame >= header.frames) throw new ImageFault('no_frame', 'There is no frame of that number.');
  const { dataSet, transferSyntax } = file;
  const element = pixelDataOf(file);
  if (transferSyntax.codec === 'none') {
    const length = nativeFrameBytes(header);
    const start = element.dataOffset + frame * length;
    return dataSet.byteArray.subarray(start, start + length);
  }
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

function pixelDataOf({ dataSet }: DicomFile): Element {
  const element = dataSet.elements[PIXEL_DATA];
  if (!element) throw new ImageFault('unsupported', 'The DICOM file holds no pixels.');
  return element;
}

function damaged(message: string): ImageFault {
  return new ImageFault('unreadable', message);
}
