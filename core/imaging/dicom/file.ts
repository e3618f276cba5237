import { inflateRawSync } from 'node:zlib';
import type { DataSet } from 'dicom-parser';
import { ImageFault, imageLimits } from '../image-fault.ts';
import { dicomParser, dictionaryVr } from './libraries.ts';
import { type TransferSyntax, transferSyntaxes } from './transfer-syntaxes.ts';

/** A DICOM file (PS3.10), parsed. Values are read from the bytes when they are asked for. */
export interface DicomFile {
  readonly dataSet: DataSet;
  readonly transferSyntax: TransferSyntax;
}

const MAGIC_OFFSET = 128;

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
  const dataSet = parse(bytes);
  const uid = dataSet.string('x00020010');
  const transferSyntax = uid === undefined ? undefined : transferSyntaxes.get(uid);
  if (!transferSyntax) throw new ImageFault('unsupported', 'The transfer syntax of the DICOM file is not supported.');
  return { dataSet, transferSyntax };
}

function parse(bytes: Uint8Array): DataSet {
  try {
    // Without a VR in the file, only the dictionary tells a sequence.
    return dicomParser.parseDicom(bytes, { inflater, vrCallback: dictionaryVr });
  } catch (error) {
    if (error instanceof ImageFault) throw error;
    throw new ImageFault('unreadable', 'The DICOM file is damaged: it cannot be read to its end.', { cause: error });
  }
}

/** The whole file with what follows the file meta information inflated. */
function inflater(bytes: Uint8Array, position: number): Uint8Array {
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
