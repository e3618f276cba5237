import type { DataSet, Element } from 'dicom-parser';
import type { DicomFile } from './file.ts';
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

/** Larger values are left out: they belong to the file, which can be had. */
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

/** The data set without its pixels. @param pixelDataUri where these are. */
export function toDicomJson(file: DicomFile, pixelDataUri: string): JsonDataSet {
  return dataSetToJson(file.dataSet, new TextReader(file.dataSet), pixelDataUri, 0);
}

function dataSetToJson(dataSet: DataSet, texts: TextReader, pixelDataUri: string, depth: number): JsonDataSet {
  const out: Record<string, JsonAttribute> = {};
  for (const [tag, element] of Object.entries(dataSet.elements).sort(([a], [b]) => (a < b ? -1 : 1))) {
    // The file's own header and lengths of groups are no part of the data set.
    if (tag.startsWith('x0002') || tag.endsWith('0000') || tag.startsWith('xfffe')) continue;
    out[tag.slice(1).toUpperCase()] = toAttribute(dataSet, tag, element, texts, pixelDataUri, depth);
  }
  return out;
}

function toAttribute(
  dataSet: DataSet,
  tag: string,
  element: Element,
  texts: TextReader,
  pixelDataUri: string,
  depth: number,
): JsonAttribute {
  const vr = element.vr ?? dictionaryVr(tag);
  if (tag === 'x7fe00010') return { vr: vr === 'UN' ? 'OW' : vr, BulkDataURI: pixelDataUri };
  if (element.items) {
    if (depth >= DEPTH_MAX) return { vr: 'SQ' };
    const items = element.items.map((item) =>
      item.dataSet ? dataSetToJson(item.dataSet, texts, pixelDataUri, depth + 1) : {},
    );
    return items.length === 0 ? { vr: 'SQ' } : { vr: 'SQ', Value: items };
  }
  if (element.length === 0) return { vr };
  if (BINARY.has(vr) || vr === 'SQ') {
    if (element.length > BINARY_BYTES_MAX) return { vr: vr === 'SQ' ? 'UN' : vr };
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

function personName(value: string): Readonly<Record<string, string>> {
  const [Alphabetic, Ideographic, Phonetic] = value.split('=');
  return {
    ...(Alphabetic ? { Alphabetic } : {}),
    ...(Ideographic ? { Ideographic } : {}),
    ...(Phonetic ? { Phonetic } : {}),
  };
}
