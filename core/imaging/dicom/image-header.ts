import type { DataSet, Element } from 'dicom-parser';
import { ImageFault, imageLimits } from '../image-fault.ts';
import type { DicomFile } from './file.ts';

/** How the samples of a pixel make its colour (PS3.3, C.7.6.3.1.2). */
export const photometricInterpretations = [
  'MONOCHROME1',
  'MONOCHROME2',
  'PALETTE COLOR',
  'RGB',
  'YBR_FULL',
  'YBR_FULL_422',
  'YBR_ICT',
  'YBR_RCT',
] as const;
/** How the samples of a pixel make its colour. */
export type PhotometricInterpretation = (typeof photometricInterpretations)[number];

/** The functions by which a window maps values to brightness (PS3.3, C.11.2.1.3). */
export type VoiFunction = 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID';

/** Centre and width of a window, in the values after rescale. */
export interface Window {
  readonly center: number;
  readonly width: number;
  readonly function: VoiFunction;
}

/** A table that maps values to others (PS3.3, C.11.1.1 and C.11.2.1.1). */
export interface LookupTable {
  /** The value that the first entry is for. */
  readonly firstValue: number;
  readonly bits: number;
  readonly entries: Uint16Array;
}

/** A colour table for each of red, green and blue, 8 bits. */
export interface Palette {
  readonly firstValue: number;
  readonly red: Uint8Array;
  readonly green: Uint8Array;
  readonly blue: Uint8Array;
}

/** What makes a stored value one of the modality, and which of those are shown; a frame can have its own. */
export interface FrameMapping {
  readonly slope: number;
  readonly intercept: number;
  readonly window: Window | undefined;
}

/** The Image Pixel module and what belongs to showing the pixels, checked. */
export interface ImageHeader {
  readonly rows: number;
  readonly columns: number;
  readonly samplesPerPixel: 1 | 3;
  readonly bitsAllocated: 1 | 8 | 16 | 32;
  readonly bitsStored: number;
  readonly highBit: number;
  readonly isSigned: boolean;
  readonly isPlanar: boolean;
  readonly photometricInterpretation: PhotometricInterpretation;
  readonly frames: number;
  readonly paddingValue: number | undefined;
  readonly modalityTable: LookupTable | undefined;
  readonly voiTable: LookupTable | undefined;
  readonly palette: Palette | undefined;
  readonly isInverted: boolean;
  /** Distance between rows, then columns, in mm. */
  readonly pixelSpacingMm: readonly [number, number] | undefined;
  mappingOf(frame: number): FrameMapping;
}

const PIXEL_DATA = 'x7fe00010';

/**
 * Reads what the pixels are from the data set.
 * @throws ImageFault when there are no pixels, when the module is not complete, and when they would be too many.
 */
export function readImageHeader({ dataSet, transferSyntax }: DicomFile): ImageHeader {
  const pixelData = dataSet.elements[PIXEL_DATA];
  if (!pixelData) throw new ImageFault('unsupported', 'The DICOM file holds no pixels.');
  const whole = (tag: string, name: string): number => {
    const value = dataSet.uint16(tag);
    if (value === undefined) throw new ImageFault('unreadable', `The DICOM file does not say ${name}.`);
    return value;
  };
  const rows = whole('x00280010', 'how many rows it has');
  const columns = whole('x00280011', 'how many columns it has');
  if (rows === 0 || columns === 0) throw new ImageFault('unreadable', 'The DICOM file has no rows or no columns.');
  const samplesPerPixel = dataSet.uint16('x00280002') ?? 1;
  const bitsAllocated = whole('x00280100', 'how many bits a sample takes');
  const photometricInterpretation = readPhotometric(dataSet);
  if (samplesPerPixel !== 1 && samplesPerPixel !== 3) {
    throw new ImageFault('unsupported', 'Images of one or of three samples a pixel are supported.');
  }
  if (bitsAllocated !== 1 && bitsAllocated !== 8 && bitsAllocated !== 16 && bitsAllocated !== 32) {
    throw new ImageFault('unsupported', 'Images of 1, 8, 16 or 32 bits a sample are supported.');
  }
  if (bitsAllocated === 1 && (samplesPerPixel !== 1 || transferSyntax.codec !== 'none')) {
    throw new ImageFault('unsupported', 'Images of 1 bit are supported in gray and without a compression.');
  }
  const isColor = !/^(MONOCHROME|PALETTE)/.test(photometricInterpretation);
  if (isColor !== (samplesPerPixel === 3)) {
    throw new ImageFault('unreadable', 'The samples of a pixel do not fit its photometric interpretation.');
  }
  if (photometricInterpretation === 'YBR_FULL_422' && transferSyntax.codec === 'none' && bitsAllocated !== 8) {
    throw new ImageFault('unsupported', 'Colours that two pixels share are supported in 8 bits.');
  }
  const bitsStored = dataSet.uint16('x00280101') ?? bitsAllocated;
  const highBit = dataSet.uint16('x00280102') ?? bitsStored - 1;
  if (bitsStored < 1 || bitsStored > bitsAllocated || highBit < bitsStored - 1 || highBit >= bitsAllocated) {
    throw new ImageFault('unreadable', 'The bits that are stored do not fit those that are allocated.');
  }
  if (rows * columns > imageLimits.framePixelsMax) {
    throw new ImageFault('too_large', 'The image has more pixels than this service takes.');
  }
  const isSigned = dataSet.uint16('x00280103') === 1;
  const readValue = (tag: string): number | undefined => (isSigned ? dataSet.int16(tag) : dataSet.uint16(tag));
  return {
    rows,
    columns,
    samplesPerPixel,
    bitsAllocated,
    bitsStored,
    highBit,
    isSigned,
    isPlanar: dataSet.uint16('x00280006') === 1,
    photometricInterpretation,
    frames: readFrames(dataSet, pixelData),
    paddingValue: readValue('x00280120'),
    modalityTable: readTable(dataSet, 'x00283000', isSigned),
    // After a rescale values can be below zero, whatever the stored ones are.
    voiTable: readTable(dataSet, 'x00283010', isSigned || (number(dataSet, 'x00281052') ?? 0) < 0),
    palette: photometricInterpretation === 'PALETTE COLOR' ? readPalette(dataSet, isSigned) : undefined,
    isInverted: (dataSet.string('x20500020') === 'INVERSE') !== (photometricInterpretation === 'MONOCHROME1'),
    pixelSpacingMm: readSpacing(dataSet),
    mappingOf: (frame) => readMapping(dataSet, frame),
  };
}

function readPhotometric(dataSet: DataSet): PhotometricInterpretation {
  const named = dataSet.string('x00280004') ?? 'MONOCHROME2';
  const known = photometricInterpretations.find((each) => each === named);
  if (!known) throw new ImageFault('unsupported', 'The photometric interpretation of the image is not supported.');
  return known;
}

function readFrames(dataSet: DataSet, pixelData: Element): number {
  const claimed = dataSet.intString('x00280008');
  // Some writers leave the number out; their table of offsets still has an entry for each frame.
  const frames = claimed ?? Math.max(1, pixelData.basicOffsetTable?.length ?? 1);
  if (!Number.isInteger(frames) || frames < 1) throw new ImageFault('unreadable', 'The number of frames is not one.');
  if (frames > imageLimits.framesMax) {
    throw new ImageFault('too_large', 'The image has more frames than this service takes.');
  }
  return frames;
}

function number(dataSet: DataSet, tag: string): number | undefined {
  const value = dataSet.elements[tag] ? dataSet.floatString(tag) : undefined;
  return value === undefined || !Number.isFinite(value) ? undefined : value;
}

/** A frame's own functional groups, then those that all share, then the data set itself (PS3.3, C.7.6.16). */
function readMapping(dataSet: DataSet, frame: number): FrameMapping {
  const groups = [
    dataSet.elements['x52009230']?.items?.[frame]?.dataSet,
    dataSet.elements['x52009229']?.items?.[0]?.dataSet,
  ];
  const inGroup = (sequence: string, tag: string): DataSet | undefined => {
    for (const group of groups) {
      const macro = group?.elements[sequence]?.items?.[0]?.dataSet;
      if (macro?.elements[tag]) return macro;
    }
    return dataSet.elements[tag] ? dataSet : undefined;
  };
  const rescale = inGroup('x00289145', 'x00281053');
  const shown = inGroup('x00289132', 'x00281050');
  return {
    slope: (rescale && number(rescale, 'x00281053')) || 1,
    intercept: (rescale && number(rescale, 'x00281052')) ?? 0,
    window: shown && readWindow(shown),
  };
}

function readWindow(dataSet: DataSet): Window | undefined {
  const center = number(dataSet, 'x00281050');
  const width = number(dataSet, 'x00281051');
  const named = dataSet.string('x00281056');
  const named2 = named === 'SIGMOID' || named === 'LINEAR_EXACT' ? named : 'LINEAR';
  const isValid = width !== undefined && (named2 === 'LINEAR' ? width >= 1 : width > 0);
  return center !== undefined && isValid ? { center, width, function: named2 } : undefined;
}

/** Of the detector where the patient's is not known: the object is nearer to the source, so it is a little smaller. */
function readSpacing(dataSet: DataSet): readonly [number, number] | undefined {
  const shared = dataSet.elements['x52009229']?.items?.[0]?.dataSet;
  const measures = shared?.elements['x00289110']?.items?.[0]?.dataSet;
  for (const [from, tag] of [
    [dataSet, 'x00280030'],
    [measures, 'x00280030'],
    [dataSet, 'x00181164'],
  ] as const) {
    const row = from?.floatString(tag, 0);
    const column = from?.floatString(tag, 1);
    if (row && column && row > 0 && column > 0 && Number.isFinite(row) && Number.isFinite(column)) return [row, column];
  }
  return undefined;
}

function readTable(dataSet: DataSet, tag: string, isSigned: boolean): LookupTable | undefined {
  const item = dataSet.elements[tag]?.items?.[0]?.dataSet;
  if (!item?.elements['x00283002'] || !item.elements['x00283006']) return undefined;
  const { count, firstValue, bits } = readDescriptor(item, 'x00283002', isSigned);
  const data = item.elements['x00283006'];
  const entries = readEntries(item, data, count, bits);
  return { firstValue, bits, entries };
}

function readDescriptor(
  dataSet: DataSet,
  tag: string,
  isSigned: boolean,
): { readonly count: number; readonly firstValue: number; readonly bits: number } {
  const count = dataSet.uint16(tag, 0);
  const firstValue = isSigned ? dataSet.int16(tag, 1) : dataSet.uint16(tag, 1);
  const bits = dataSet.uint16(tag, 2);
  if (count === undefined || firstValue === undefined || bits === undefined || bits < 8 || bits > 16) {
    throw new ImageFault('unreadable', 'A lookup table of the image is not well described.');
  }
  // Zero stands for 2^16 (PS3.3, C.11.1.1.1).
  return { count: count === 0 ? 65_536 : count, firstValue, bits };
}

function readEntries(dataSet: DataSet, data: Element, count: number, bits: number): Uint16Array {
  const bytes = dataSet.byteArray.subarray(data.dataOffset, data.dataOffset + data.length);
  const entries = new Uint16Array(count);
  if (bits === 8 && bytes.length < 2 * count && bytes.length >= count) {
    entries.set(bytes.subarray(0, count));
    return entries;
  }
  if (bytes.length < 2 * count) throw new ImageFault('unreadable', 'A lookup table of the image is cut short.');
  for (let at = 0; at < count; at += 1)
    entries[at] = dataSet.byteArrayParser.readUint16(dataSet.byteArray, data.dataOffset + 2 * at);
  return entries;
}

function readPalette(dataSet: DataSet, isSigned: boolean): Palette {
  let firstValue = 0;
  const [red, green, blue] = (['1', '2', '3'] as const).map((which) => {
    const descriptor = `x0028110${which}`;
    const element = dataSet.elements[`x0028120${which}`];
    if (!dataSet.elements[descriptor] || !element) {
      throw new ImageFault('unsupported', 'The image has no plain colour palette.');
    }
    const table = readDescriptor(dataSet, descriptor, isSigned);
    ({ firstValue } = table);
    const entries = readEntries(dataSet, element, table.count, table.bits);
    return Uint8Array.from(entries, table.bits === 8 ? (each) => each : (each) => each >> 8);
  }) as [Uint8Array, Uint8Array, Uint8Array];
  return { firstValue, red, green, blue };
}
