import type { DataSet, Element } from 'dicom-parser';
import { CLEAN_PIXELS } from '../dicom/describe.ts';
import { dictionaryVr } from '../dicom/libraries.ts';
import { EXPLICIT_LITTLE_ENDIAN } from '../dicom/transfer-syntaxes.ts';
import { ImageFault } from '../image-fault.ts';
import type { BareObject, Picture } from '../picture.ts';
import { cleanPixels } from './clean-pixels.ts';
import { cleanedText } from './clean-text.ts';
import { daysEarlier, shifted } from './dates.ts';
import { type Encoding, encodeElement, encodeFile, encodeSequence } from './encode.ts';
import { actionOn, type Retained } from './profile.ts';
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

/** How a file is to be de-identified. */
export interface DeidentifyOptions extends Retained {
  /** Whether lines of print that are found in the picture are blanked (PS3.15, E.3.1). */
  readonly cleanPixels: boolean;
}

/** The profile without any option. */
export const plainProfile: DeidentifyOptions = {
  uids: false,
  dates: 'remove',
  patientCharacteristics: false,
  device: false,
  institution: false,
  descriptions: false,
  cleanPixels: false,
};

interface Work {
  readonly encoding: Encoding;
  readonly replaceUid: UidReplacer;
  readonly options: DeidentifyOptions;
  readonly days: number;
}

/**
 * The same object without what tells who it is of: the Basic Application Level Confidentiality Profile of PS3.15, annex
 * E, with the options that are asked for. It says that the identity was removed only where that is so: not where text in
 * the picture is suspected and was not looked for.
 * @param key see `createUidReplacer`.
 * @throws ImageFault `unreadable`, `too_large`
 */
export function deidentify(
  opened: (Picture & { readonly source: 'dicom' }) | BareObject,
  key: Uint8Array,
  options: DeidentifyOptions,
): Uint8Array {
  const { dataSet, transferSyntax } = opened.file;
  const cleaned = opened.source === 'dicom' ? cleanPixels(opened, options.cleanPixels) : undefined;
  const encoding: Encoding = { isImplicit: transferSyntax.isImplicit, isBigEndian: transferSyntax.isBigEndian };
  const work: Work = {
    encoding,
    replaceUid: options.uids ? (uid) => uid : createUidReplacer(key),
    options,
    days: daysEarlier(key, dataSet.string('x00100020')?.trim() ?? ''),
  };
  const isCompressed = transferSyntax.codec !== 'none';
  const parts = new Map<string, Uint8Array>();
  for (const [tag, element] of Object.entries(dataSet.elements)) {
    if (tag.startsWith('x0002')) continue;
    const part = tag === PIXEL_DATA ? pixelData(dataSet, element, encoding) : process(dataSet, tag, element, work, 0);
    if (part) parts.set(tag, part);
  }
  const text = (tag: string, vr: string, value: string): void => {
    parts.set(tag, encodeElement(encoding, tag, vr, Buffer.from(value, 'latin1')));
  };
  text('x00120062', 'CS', cleaned === undefined || cleaned.isIdentityGone ? 'YES' : 'NO');
  text('x00120063', 'LO', METHOD);
  parts.set('x00120064', methodCodes(encoding, options, cleaned?.isClean === true));
  text('x00280303', 'CS', { remove: 'REMOVED', shift: 'MODIFIED', retain: 'UNMODIFIED' }[options.dates]);
  if (cleaned?.isIdentityGone && cleaned.isClean) text('x00280301', 'CS', 'NO');
  if (cleaned?.pixels) {
    const { value, photometricInterpretation } = cleaned.pixels;
    parts.set(PIXEL_DATA, encodeElement(encoding, PIXEL_DATA, vrOfPixels(dataSet), value));
    text('x00280004', 'CS', photometricInterpretation);
    // What was compressed has the samples of a pixel side by side.
    if (isCompressed && parts.has('x00280006')) {
      parts.set('x00280006', encodeElement(encoding, 'x00280006', 'US', new Uint8Array(2)));
    }
  }
  return encodeFile({
    sopClassUid: dataSet.string('x00080016') ?? '',
    sopInstanceUid: work.replaceUid(dataSet.string('x00080018') ?? ''),
    // What was deflated was inflated to be read, and stays so; what was decoded to be changed, too.
    transferSyntaxUid:
      transferSyntax.isDeflated || (cleaned?.pixels && isCompressed) ? EXPLICIT_LITTLE_ENDIAN : transferSyntax.uid,
    dataSet: [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => bytes),
  });
}

/** The element as it may stay; undefined when it may not. */
function process(dataSet: DataSet, tag: string, element: Element, work: Work, depth: number): Uint8Array | undefined {
  const { encoding } = work;
  const isSequence = element.items !== undefined;
  const vr = isSequence ? 'SQ' : (element.vr ?? dictionaryVr(tag));
  switch (actionOn(tag, vr, work.options)) {
    case 'remove':
      return undefined;
    case 'empty':
      return encodeElement(encoding, tag, vr, new Uint8Array());
    case 'dummy':
      return encodeElement(encoding, tag, vr, dummyOf(dataSet, tag, vr, work));
    case 'shift':
      return encodeElement(encoding, tag, vr, Buffer.from(shifted(dataSet.string(tag) ?? '', work.days), 'latin1'));
    case 'clean':
      return encodeElement(encoding, tag, vr, Buffer.from(cleanedText(dataSet.string(tag) ?? ''), 'latin1'));
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

function vrOfPixels(dataSet: DataSet): string {
  const vr = dataSet.elements[PIXEL_DATA]?.vr;
  // Bytes that were compressed are OB, and words without a compression are not (PS3.5, A.2).
  return dataSet.uint16('x00280100') === 8 && vr !== 'OW' ? 'OB' : 'OW';
}

/** De-identification Method Code Sequence: what was applied, as codes (PS3.16, CID 7050). */
function methodCodes(encoding: Encoding, options: DeidentifyOptions, isClean: boolean): Uint8Array {
  const code = (tag: string, vr: string, value: string): Uint8Array =>
    encodeElement(encoding, tag, vr, Buffer.from(value, 'latin1'));
  const applied = [
    ['113100', 'Basic Application Confidentiality Profile'],
    ...(isClean ? [[CLEAN_PIXELS, 'Clean Pixel Data Option']] : []),
    ...(options.descriptions ? [['113105', 'Clean Descriptors Option']] : []),
    ...(options.dates === 'retain' ? [['113106', 'Retain Longitudinal Temporal Information Full Dates Option']] : []),
    ...(options.dates === 'shift'
      ? [['113107', 'Retain Longitudinal Temporal Information Modified Dates Option']]
      : []),
    ...(options.patientCharacteristics ? [['113108', 'Retain Patient Characteristics Option']] : []),
    ...(options.device ? [['113109', 'Retain Device Identity Option']] : []),
    ...(options.uids ? [['113110', 'Retain UIDs Option']] : []),
    ...(options.institution ? [['113112', 'Retain Institution Identity Option']] : []),
  ] as const;
  return encodeSequence(
    encoding,
    'x00120064',
    applied.map(([value = '', meaning = '']) => [
      code('x00080100', 'SH', value),
      code('x00080102', 'SH', 'DCM'),
      code('x00080104', 'LO', meaning),
    ]),
  );
}
