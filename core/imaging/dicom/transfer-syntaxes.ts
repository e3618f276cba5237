/** How the pixels of a file are compressed. */
export type Codec = 'none' | 'rle' | 'jpeg' | 'jpeg_ls' | 'jpeg_2000' | 'htj2k';

/** How a file is written: DICOM PS3.5, annex A, and PS3.6, annex A. */
export interface TransferSyntax {
  readonly uid: string;
  readonly name: string;
  readonly codec: Codec;
  readonly isBigEndian: boolean;
  readonly isImplicit: boolean;
  readonly isDeflated: boolean;
  /** Whether the compression can lose what it compresses. */
  readonly isLossy: boolean;
}

function syntax(uid: string, name: string, codec: Codec, rest: Partial<TransferSyntax> = {}): TransferSyntax {
  return { isBigEndian: false, isImplicit: false, isDeflated: false, isLossy: false, ...rest, uid, name, codec };
}

const all: readonly TransferSyntax[] = [
  syntax('1.2.840.10008.1.2', 'Implicit VR Little Endian', 'none', { isImplicit: true }),
  syntax('1.2.840.10008.1.2.1', 'Explicit VR Little Endian', 'none'),
  syntax('1.2.840.10008.1.2.1.99', 'Deflated Explicit VR Little Endian', 'none', { isDeflated: true }),
  syntax('1.2.840.10008.1.2.2', 'Explicit VR Big Endian', 'none', { isBigEndian: true }),
  syntax('1.2.840.10008.1.2.5', 'RLE Lossless', 'rle'),
  syntax('1.2.840.10008.1.2.4.50', 'JPEG Baseline', 'jpeg', { isLossy: true }),
  syntax('1.2.840.10008.1.2.4.51', 'JPEG Extended', 'jpeg', { isLossy: true }),
  syntax('1.2.840.10008.1.2.4.57', 'JPEG Lossless', 'jpeg'),
  syntax('1.2.840.10008.1.2.4.70', 'JPEG Lossless, first-order prediction', 'jpeg'),
  syntax('1.2.840.10008.1.2.4.80', 'JPEG-LS Lossless', 'jpeg_ls'),
  syntax('1.2.840.10008.1.2.4.81', 'JPEG-LS near-lossless', 'jpeg_ls', { isLossy: true }),
  syntax('1.2.840.10008.1.2.4.90', 'JPEG 2000 Lossless', 'jpeg_2000'),
  syntax('1.2.840.10008.1.2.4.91', 'JPEG 2000', 'jpeg_2000', { isLossy: true }),
  syntax('1.2.840.10008.1.2.4.201', 'High-Throughput JPEG 2000 Lossless', 'htj2k'),
  syntax('1.2.840.10008.1.2.4.202', 'High-Throughput JPEG 2000 Lossless, RPCL', 'htj2k'),
  syntax('1.2.840.10008.1.2.4.203', 'High-Throughput JPEG 2000', 'htj2k', { isLossy: true }),
];

/** The transfer syntaxes that are read, by their UIDs. */
export const transferSyntaxes: ReadonlyMap<string, TransferSyntax> = new Map(all.map((each) => [each.uid, each]));

/** Explicit VR Little Endian: what pixels without a compression are answered in. */
export const EXPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2.1';
