import { inflateRawSync } from 'node:zlib';
import type { DataSet } from 'dicom-parser';
import { ImageFault, imageLimits } from '../image-fault.ts';
import { dicomParser, dictionaryEntry, dictionaryVr } from './libraries.ts';
import { EXPLICIT_LITTLE_ENDIAN, type TransferSyntax, transferSyntaxes } from './transfer-syntaxes.ts';

/** A DICOM file (PS3.10), parsed. Values are read from the bytes when they are asked for. */
export interface DicomFile {
  readonly dataSet: DataSet;
  readonly transferSyntax: TransferSyntax;
}

const MAGIC_OFFSET = 128;
/** PS3.5, table 6.2-1. */
const VRS = new Set(
  'AE AS AT CS DA DS DT FD FL IS LO LT OB OD OF OL OV OW PN SH SL SQ SS ST SV TM UC UI UL UN UR US UT UV'.split(' '),
);

/** Whether the bytes begin as a DICOM file does. */
export function isDicom(bytes: Uint8Array): boolean {
  return (
    bytes.length >= MAGIC_OFFSET + 4 &&
    String.fromCharCode(...bytes.subarray(MAGIC_OFFSET, MAGIC_OFFSET + 4)) === 'DICM'
  );
}

/**
 * Parses a DICOM file. Lengths that the file claims are never allocated, only compared with what is there.
 * @throws ImageFault `unreadable`, `unsupported`, `too_large`
 */
export function readDicomFile(bytes: Uint8Array): DicomFile {
  try {
    const meta = dicomParser.readPart10Header(bytes);
    const uid = meta.string('x00020010');
    // Some writers leave it out; the first element then shows which of the two plain ones it is.
    const named = transferSyntaxes.get(uid ?? EXPLICIT_LITTLE_ENDIAN);
    if (!named) throw new ImageFault('unsupported', 'The transfer syntax of the DICOM file is not supported.');
    const { isDeflated, isBigEndian } = named;
    const whole = isDeflated ? inflate(bytes, meta.position) : bytes;
    const isImplicit = isBigEndian ? false : !hasVr(whole, meta.position);
    const parser = isBigEndian ? dicomParser.bigEndianByteArrayParser : dicomParser.littleEndianByteArrayParser;
    const stream = new dicomParser.ByteStream(parser, whole, meta.position);
    const dataSet = new dicomParser.DataSet(stream.byteArrayParser, stream.byteArray, {});
    // Without a VR in the file, only the dictionary tells a sequence; of what it does not know, the first item does.
    if (isImplicit) dicomParser.parseDicomDataSetImplicit(dataSet, stream, whole.length, { vrCallback: knownVr });
    else dicomParser.parseDicomDataSetExplicit(dataSet, stream, whole.length);
    Object.assign(dataSet.elements, meta.elements);
    return { dataSet, transferSyntax: { ...named, isImplicit } };
  } catch (error) {
    if (error instanceof ImageFault) throw error;
    throw new ImageFault('unreadable', 'The DICOM file is damaged: it cannot be read to its end.', { cause: error });
  }
}

/**
 * Whether elements have their VR with them. Files that say one and are the other are common enough that every reader
 * looks; what the pixels are compressed with is said by the transfer syntax all the same.
 */
function hasVr(bytes: Uint8Array, position: number): boolean {
  const [first = 0, second = 0] = bytes.subarray(position + 4, position + 6);
  return VRS.has(String.fromCharCode(first, second)) || position + 8 > bytes.length;
}

/** The VR of the dictionary, where it has one. */
function knownVr(tag: string): string | undefined {
  return dictionaryEntry(tag) === undefined ? undefined : dictionaryVr(tag);
}

/** The whole file with what follows the file meta information inflated. */
function inflate(bytes: Uint8Array, position: number): Uint8Array {
  try {
    const inflated = inflateRawSync(bytes.subarray(position), { maxOutputLength: imageLimits.inflatedBytesMax });
    const whole = new Uint8Array(position + inflated.length);
    whole.set(bytes.subarray(0, position));
    whole.set(inflated, position);
    return whole;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new ImageFault('too_large', 'The DICOM file is larger, once inflated, than this service takes.');
    }
    throw new ImageFault('unreadable', 'The DICOM file is damaged: it cannot be inflated.', { cause: error });
  }
}
