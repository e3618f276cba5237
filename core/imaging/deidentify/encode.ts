/*
 * Writes DICOM files: data elements (PS3.5, 7.1 and 7.5) and the file meta information (PS3.10, 7.1).
 */

/** How elements are written. */
export interface Encoding {
  readonly isImplicit: boolean;
  readonly isBigEndian: boolean;
}

/** What a file is made of. */
export interface FileParts {
  readonly sopClassUid: string;
  readonly sopInstanceUid: string;
  readonly transferSyntaxUid: string;
  /** Elements, encoded, in the order of their tags. */
  readonly dataSet: readonly Uint8Array[];
}

/** Names this program as the writer of a file. */
const IMPLEMENTATION_UID = '2.25.122384907410958233764153907184420853717';
const IMPLEMENTATION_NAME = 'PERENNIAL';
const UNDEFINED_LENGTH = 0xffffffff;
const META: Encoding = { isImplicit: false, isBigEndian: false };
/** VRs with a length of four bytes (PS3.5, table 7.1-1). */
const LONG = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']);
/** VRs that are padded with a zero byte; the others are texts, padded with a space. */
const PADDED_WITH_ZERO = new Set(['UI', 'OB', 'OW', 'OF', 'OD', 'OL', 'OV', 'UN', 'SQ']);

/** One element. @param tag as `x00100010`. @param isUndefinedLength for pixels that bring their own delimiter. */
export function encodeElement(
  { isImplicit, isBigEndian }: Encoding,
  tag: string,
  vr: string,
  value: Uint8Array,
  isUndefinedLength = false,
): Uint8Array {
  const padded =
    value.length % 2 === 0 ? value : Buffer.concat([value, Buffer.from(PADDED_WITH_ZERO.has(vr) ? '\0' : ' ')]);
  const length = isUndefinedLength ? UNDEFINED_LENGTH : padded.length;
  const isLong = isImplicit || LONG.has(vr) || length > 0xffff;
  const header = Buffer.alloc(isImplicit || !isLong ? 8 : 12);
  const put16 = (number: number, at: number): void => {
    if (isBigEndian) header.writeUInt16BE(number, at);
    else header.writeUInt16LE(number, at);
  };
  const put32 = (number: number, at: number): void => {
    if (isBigEndian) header.writeUInt32BE(number, at);
    else header.writeUInt32LE(number, at);
  };
  put16(Number.parseInt(tag.slice(1, 5), 16), 0);
  put16(Number.parseInt(tag.slice(5), 16), 2);
  if (isImplicit) put32(length, 4);
  else {
    // A value too long for the length of its VR is written as unknown (PS3.5, 6.2.2).
    header.write(isLong && !LONG.has(vr) ? 'UN' : vr, 4, 'latin1');
    if (isLong) put32(length, 8);
    else put16(length, 6);
  }
  return Buffer.concat([header, padded]);
}

/** A sequence of items, each of elements. */
export function encodeSequence(encoding: Encoding, tag: string, items: readonly (readonly Uint8Array[])[]): Uint8Array {
  // Items have no VR, whatever the encoding.
  const bare: Encoding = { ...encoding, isImplicit: true };
  const encoded = items.map((elements) => encodeElement(bare, 'xfffee000', '', Buffer.concat(elements)));
  return encodeElement(encoding, tag, 'SQ', Buffer.concat(encoded));
}

/** A file: an empty preamble, the meta information and the data set. */
export function encodeFile({ sopClassUid, sopInstanceUid, transferSyntaxUid, dataSet }: FileParts): Uint8Array {
  const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  const meta = Buffer.concat([
    encodeElement(META, 'x00020001', 'OB', Buffer.from([0, 1])),
    encodeElement(META, 'x00020002', 'UI', ascii(sopClassUid)),
    encodeElement(META, 'x00020003', 'UI', ascii(sopInstanceUid)),
    encodeElement(META, 'x00020010', 'UI', ascii(transferSyntaxUid)),
    encodeElement(META, 'x00020012', 'UI', ascii(IMPLEMENTATION_UID)),
    encodeElement(META, 'x00020013', 'SH', ascii(IMPLEMENTATION_NAME)),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(meta.length);
  return Buffer.concat([
    Buffer.alloc(128),
    ascii('DICM'),
    encodeElement(META, 'x00020000', 'UL', length),
    meta,
    ...dataSet,
  ]);
}
