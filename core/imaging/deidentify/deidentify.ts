import type { DataSet, Element } from 'dicom-parser';
import type { DicomFile } from '../dicom/file.ts';
import { dictionaryVr } from '../dicom/libraries.ts';
import { EXPLICIT_LITTLE_ENDIAN } from '../dicom/transfer-syntaxes.ts';
import { ImageFault } from '../image-fault.ts';
import { type Encoding, encodeElement, encodeFile, encodeSequence } from './encode.ts';
import { actionOn } from './profile.ts';
import { createUidReplacer, type UidReplacer } from './uids.ts';

const PIXEL_DATA = 'x7fe00010';
const DEPTH_MAX = 32;
const METHOD = 'DICOM PS3.15 Basic Application Level Confidentiality Profile';

/** What stands for a value that had to go, where there has to be one. */
const dummies: Readonly<Record<string, string>> = {
  AS: '000Y',
  DA: '19000101',
  DT: '19000101000000',
  TM: '000000',
  DS: '0',
  IS: '0',
  CS: 'REMOVED',
  UR: '',
};
const TEXTS = new Set(['AE', 'LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UT']);

interface Work {
  readonly encoding: Encoding;
  readonly replaceUid: UidReplacer;
}

/**
 * The same image without what tells who it is of: the Basic Application Level Confidentiality Profile of PS3.15,
 * annex E. The pixels are not touched, whatever is written in them.
 * @param key see `createUidReplacer`.
 * @throws ImageFault `unreadable`
 */
export function deidentify({ dataSet, transferSyntax }: DicomFile, key: Uint8Array): Uint8Array {
  const encoding: Encoding = { isImplicit: transferSyntax.isImplicit, isBigEndian: transferSyntax.isBigEndian };
  const work: Work = { encoding, replaceUid: createUidReplacer(key) };
  const parts = new Map<string, Uint8Array>();
  for (const [tag, element] of Object.entries(dataSet.elements)) {
    if (tag.startsWith('x0002')) continue;
    const part = tag === PIXEL_DATA ? pixelData(dataSet, element, encoding) : process(dataSet, tag, element, work, 0);
    if (part) parts.set(tag, part);
  }
  const text = (tag: string, vr: string, value: string): void => {
    parts.set(tag, encodeElement(encoding, tag, vr, Buffer.from(value, 'latin1')));
  };
  text('x00120062', 'CS', 'YES');
  text('x00120063', 'LO', METHOD);
  parts.set('x00120064', methodCode(encoding));
  text('x00280303', 'CS', 'REMOVED');
  return encodeFile({
    sopClassUid: dataSet.string('x00080016') ?? '',
    sopInstanceUid: work.replaceUid(dataSet.string('x00080018') ?? ''),
    // What was deflated was inflated to be read, and stays so.
    transferSyntaxUid: transferSyntax.isDeflated ? EXPLICIT_LITTLE_ENDIAN : transferSyntax.uid,
    dataSet: [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => bytes),
  });
}

/** The element as it may stay; undefined when it may not. */
function process(dataSet: DataSet, tag: string, element: Element, work: Work, depth: number): Uint8Array | undefined {
  const { encoding } = work;
  const isSequence = element.items !== undefined;
  const vr = isSequence ? 'SQ' : (element.vr ?? dictionaryVr(tag));
  switch (actionOn(tag, vr)) {
    case 'remove':
      return undefined;
    case 'empty':
      return encodeElement(encoding, tag, vr, new Uint8Array());
    case 'dummy':
      return encodeElement(encoding, tag, vr, dummyOf(dataSet, tag, vr, work));
    case 'uid':
      return encodeElement(encoding, tag, 'UI', replacedUids(dataSet, tag, work));
    case 'keep':
      if (isSequence) return sequence(tag, element, work, depth);
      // Attributes that no dictionary knows may say anything.
      if (vr === 'UN' && dictionaryVr(tag) === 'UN') return undefined;
      return encodeElement(encoding, tag, vr, bytesOf(dataSet, element));
  }
}

function sequence(tag: string, element: Element, work: Work, depth: number): Uint8Array {
  if (depth >= DEPTH_MAX) throw new ImageFault('unreadable', 'Sequences of the DICOM file are nested too deeply.');
  const items = (element.items ?? []).map(({ dataSet }) => {
    if (!dataSet) return [];
    return Object.entries(dataSet.elements)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([each, inner]) => process(dataSet, each, inner, work, depth + 1) ?? []);
  });
  return encodeSequence(work.encoding, tag, items);
}

function replacedUids(dataSet: DataSet, tag: string, { replaceUid }: Work): Uint8Array {
  const uids = (dataSet.string(tag) ?? '').split('\\').map((uid) => replaceUid(uid.trim()));
  return Buffer.from(uids.join('\\'), 'latin1');
}

function dummyOf(dataSet: DataSet, tag: string, vr: string, work: Work): Uint8Array {
  if (vr === 'UI') return replacedUids(dataSet, tag, work);
  if (TEXTS.has(vr)) return Buffer.from('REMOVED', 'latin1');
  const dummy = dummies[vr];
  if (dummy !== undefined) return Buffer.from(dummy, 'latin1');
  // A sequence without items; a number is zero.
  const size = { US: 2, SS: 2, UL: 4, SL: 4, FL: 4, FD: 8 }[vr] ?? 0;
  return new Uint8Array(size);
}

function bytesOf(dataSet: DataSet, { dataOffset, length }: Element): Uint8Array {
  return dataSet.byteArray.subarray(dataOffset, dataOffset + length);
}

/** The pixels as they are; encapsulated ones with their fragments, up to and with the delimiter. */
function pixelData(dataSet: DataSet, element: Element, encoding: Encoding): Uint8Array {
  const vr = element.vr ?? 'OW';
  const last = element.fragments?.at(-1);
  if (!element.encapsulatedPixelData || !last)
    return encodeElement(encoding, PIXEL_DATA, vr, bytesOf(dataSet, element));
  const bytes = dataSet.byteArray.subarray(element.dataOffset, last.position + last.length + 8);
  return encodeElement(encoding, PIXEL_DATA, vr, bytes, true);
}

/** De-identification Method Code Sequence: which profile was applied, as a code (PS3.16, CID 7050). */
function methodCode(encoding: Encoding): Uint8Array {
  const code = (tag: string, vr: string, value: string): Uint8Array =>
    encodeElement(encoding, tag, vr, Buffer.from(value, 'latin1'));
  return encodeSequence(encoding, 'x00120064', [
    [
      code('x00080100', 'SH', '113100'),
      code('x00080102', 'SH', 'DCM'),
      code('x00080104', 'LO', 'Basic Application Confidentiality Profile'),
    ],
  ]);
}
