import type { DataSet, Element } from 'dicom-parser';
import { ImageFault } from '../image-fault.ts';
import { plainColors } from './decode.ts';
import type { DicomFile } from './file.ts';
import type { ImageHeader } from './image-header.ts';
import { dictionaryVr } from './libraries.ts';
import { TextReader } from './text.ts';

/** One attribute in the DICOM JSON model (PS3.18, annex F). */
export interface JsonAttribute {
  readonly vr: string;
  readonly Value?: readonly unknown[];
  readonly InlineBinary?: string;
  readonly BulkDataURI?: string;
}

/** A data set in the DICOM JSON model: attributes by tag, such as `00100010`. */
export type JsonDataSet = Readonly<Record<string, JsonAttribute>>;

/** Larger values are pointed at. */
const BINARY_BYTES_MAX = 16_384;
const DEPTH_MAX = 16;
const BINARY = new Set(['OB', 'OW', 'OF', 'OD', 'OL', 'OV', 'UN']);

/** Number VRs: how many bytes, and which reader. */
const numbers: Readonly<
  Record<
    string,
    { readonly size: number; readonly read: (set: DataSet, tag: string, at: number) => number | undefined }
  >
> = {
  US: { size: 2, read: (set, tag, at) => set.uint16(tag, at) },
  SS: { size: 2, read: (set, tag, at) => set.int16(tag, at) },
  UL: { size: 4, read: (set, tag, at) => set.uint32(tag, at) },
  SL: { size: 4, read: (set, tag, at) => set.int32(tag, at) },
  FL: { size: 4, read: (set, tag, at) => set.float(tag, at) },
  FD: { size: 8, read: (set, tag, at) => set.double(tag, at) },
};

/** Where what the JSON model leaves out can be had. */
export interface BulkPlaces {
  /** The pixels. */
  readonly pixelDataUri: string;
  /** Any other value, with its path behind it: tags, and the numbers of items from 0, joined by dots. */
  readonly valueUri: string;
}

/**
 * The data set without its pixels. Of these it says what decoded frames are, for it is those that are pointed at.
 * @param header of the pixels, where there are some.
 */
export function toDicomJson(
  { file, header }: { readonly file: DicomFile; readonly header?: ImageHeader },
  places: BulkPlaces,
): JsonDataSet {
  const json = dataSetToJson(file.dataSet, new TextReader(file.dataSet), places, '');
  if (!header || file.transferSyntax.codec === 'none') return json;
  return {
    ...json,
    // Available Transfer Syntax UID: in what the file itself is had.
    '00083002': { vr: 'UI', Value: [file.transferSyntax.uid] },
    ...(header.samplesPerPixel === 1
      ? {}
      : {
          '00280004': { vr: 'CS', Value: [plainColors(file, header)] },
          '00280006': { vr: 'US', Value: [0] },
        }),
  };
}

/**
 * The bytes of one value, little endian.
 * @param path see `BulkPlaces`.
 * @throws ImageFault `no_value`
 */
export function bulkValue({ dataSet, transferSyntax }: DicomFile, path: string): Uint8Array {
  const steps = path.toLowerCase().split('.');
  const tag = `x${steps.pop() ?? ''}`;
  let within: DataSet | undefined = dataSet;
  for (let at = 0; at + 1 < steps.length; at += 2) {
    within = within?.elements[`x${steps[at]}`]?.items?.[Number(steps[at + 1])]?.dataSet;
  }
  const element = within?.elements[tag];
  if (!within || !element || element.items || element.encapsulatedPixelData) {
    throw new ImageFault('no_value', 'There is no value of that path.');
  }
  const bytes = Buffer.from(within.byteArray.subarray(element.dataOffset, element.dataOffset + element.length));
  const word = WORDS[element.vr ?? dictionaryVr(tag)] ?? 1;
  if (!transferSyntax.isBigEndian || bytes.length % word !== 0) return Uint8Array.from(bytes);
  return Uint8Array.from(
    word === 2 ? bytes.swap16() : word === 4 ? bytes.swap32() : word === 8 ? bytes.swap64() : bytes,
  );
}

/** Bytes of the words of VRs that are swapped as wholes. */
const WORDS: Readonly<Record<string, 2 | 4 | 8>> = { OW: 2, OL: 4, OF: 4, OD: 8, OV: 8 };

function dataSetToJson(dataSet: DataSet, texts: TextReader, places: BulkPlaces, path: string): JsonDataSet {
  const out: Record<string, JsonAttribute> = {};
  for (const [tag, element] of Object.entries(dataSet.elements).sort(([a], [b]) => (a < b ? -1 : 1))) {
    // The file's own header and lengths of groups are no part of the data set.
    if (tag.startsWith('x0002') || tag.endsWith('0000') || tag.startsWith('xfffe')) continue;
    out[tag.slice(1).toUpperCase()] = toAttribute(dataSet, tag, element, texts, places, path);
  }
  return out;
}

function toAttribute(
  dataSet: DataSet,
  tag: string,
  element: Element,
  texts: TextReader,
  places: BulkPlaces,
  path: string,
): JsonAttribute {
  const vr = element.vr ?? dictionaryVr(tag);
  const own = path + tag.slice(1).toUpperCase();
  if (own === '7FE00010') return { vr: vr === 'UN' ? 'OW' : vr, BulkDataURI: places.pixelDataUri };
  if (element.items) {
    if (path.split('.').length > 2 * DEPTH_MAX) return { vr: 'SQ' };
    const items = element.items.map((item, at) =>
      item.dataSet ? dataSetToJson(item.dataSet, texts, places, `${own}.${at}.`) : {},
    );
    return items.length === 0 ? { vr: 'SQ' } : { vr: 'SQ', Value: items };
  }
  if (element.length === 0) return { vr };
  if (BINARY.has(vr) || vr === 'SQ') {
    // An icon that is compressed stays in its file.
    if (element.encapsulatedPixelData) return { vr };
    if (element.length > BINARY_BYTES_MAX) {
      return { vr: vr === 'SQ' ? 'UN' : vr, BulkDataURI: places.valueUri + own };
    }
    const bytes = dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
    return { vr: vr === 'SQ' ? 'UN' : vr, InlineBinary: Buffer.from(bytes).toString('base64') };
  }
  const Value = valuesOf(dataSet, tag, element, vr, texts);
  return Value.length === 0 ? { vr } : { vr, Value };
}

function valuesOf(dataSet: DataSet, tag: string, element: Element, vr: string, texts: TextReader): readonly unknown[] {
  const number = numbers[vr];
  if (number) {
    const count = Math.min(Math.floor(element.length / number.size), 65_536);
    return Array.from({ length: count }, (_, at) => finite(number.read(dataSet, tag, at)));
  }
  if (vr === 'AT') {
    const count = Math.floor(element.length / 4);
    return Array.from({ length: count }, (_, at) => {
      const [group, id] = [dataSet.uint16(tag, 2 * at) ?? 0, dataSet.uint16(tag, 2 * at + 1) ?? 0];
      return [group, id].map((each) => each.toString(16).padStart(4, '0').toUpperCase()).join('');
    });
  }
  const values = texts.values(dataSet, element, vr);
  // Nothing between two separators is null (PS3.18, F.2.5).
  const orNull = values.map((each) => (each === '' ? null : each.toWellFormed()));
  switch (vr) {
    case 'PN':
      return orNull.map((each) => each && personName(each));
    case 'DS':
    case 'IS':
      return orNull.map((each) => (each !== null && Number.isFinite(Number(each)) ? Number(each) : each));
    default:
      return orNull.every((each) => each === null) ? [] : orNull;
  }
}

/** JSON has no name for numbers that are none. */
function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/** A name as the JSON model has it: its groups apart. */
export function personName(value: string): Readonly<Record<string, string>> {
  const [Alphabetic, Ideographic, Phonetic] = value.split('=');
  return {
    ...(Alphabetic ? { Alphabetic } : {}),
    ...(Ideographic ? { Ideographic } : {}),
    ...(Phonetic ? { Phonetic } : {}),
  };
}
