import { createRequire } from 'node:module';
import type { ByteArray, ByteArrayParser, ByteStream, DataSet } from 'dicom-parser';

/*
 * Libraries that are bundles of CommonJS: an import cannot see what they export.
 */

const require = createRequire(import.meta.url);

type Parser = typeof import('dicom-parser');

/** What the library has and its types do not tell. */
interface Untold {
  readonly DataSet: new (
    parser: ByteArrayParser,
    bytes: ByteArray,
    elements: Readonly<Record<string, never>>,
  ) => DataSet;
  readonly readPart10Header: (
    bytes: ByteArray,
  ) => DataSet & { /** Where the data set begins. */ readonly position: number };
  readonly parseDicomDataSetImplicit: (
    dataSet: DataSet,
    stream: ByteStream,
    length: number,
    options: { readonly vrCallback: (tag: string) => string | undefined },
  ) => void;
}

/** Parses DICOM files. */
export const dicomParser = require('dicom-parser') as Omit<Parser, keyof Untold> & Untold;

/** Decodes compressed pixels, in WebAssembly. */
export const codecs = require('dcmjs-codecs') as typeof import('dcmjs-codecs');

interface DictionaryEntry {
  readonly vr: string;
  readonly name: string;
}

const { data } = require('dcmjs') as {
  readonly data: {
    readonly DicomMetaDictionary: { readonly dictionary: Readonly<Record<string, DictionaryEntry | undefined>> };
  };
};

/** What the data dictionary of DICOM (PS3.6) says of an attribute. @param tag as `x00100010`. */
export function dictionaryEntry(tag: string): DictionaryEntry | undefined {
  const group = tag.slice(1, 5).toUpperCase();
  return data.DicomMetaDictionary.dictionary[`(${group},${tag.slice(5).toUpperCase()})`];
}

/** The VR of an attribute where the file does not say: of the dictionary, with what depends on others settled. */
export function dictionaryVr(tag: string): string {
  const vr = dictionaryEntry(tag)?.vr;
  switch (vr) {
    case undefined:
    case '':
      return tag.endsWith('0000') ? 'UL' : 'UN';
    case 'ox':
      return 'OW';
    case 'xs':
      return 'US';
    default:
      return /^[A-Z]{2}$/.test(vr) ? vr : 'UN';
  }
}
