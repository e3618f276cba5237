import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeFrame, type PlainFrame, plainFrame } from '@perennial/core/imaging/dicom/decode.ts';
import { toDicomJson } from '@perennial/core/imaging/dicom/json.ts';
import { openFile, openPicture, type Picture, renderPicture } from '@perennial/core/imaging/picture.ts';
import { compressedDicom, dicomFile, type Elements, elements, grayDicom, grayElements } from '../../support/dicom.ts';

/*
 * Kinds of pixels that published files have few of, written here. The full tests hold all lossless ones against two
 * other readers.
 */

type Dicom = Picture & { source: 'dicom' };
const EXPLICIT_BIG = '1.2.840.10008.1.2.2';
const RLE = '1.2.840.10008.1.2.5';
const BASELINE = '1.2.840.10008.1.2.4.50';
const places = { pixelDataUri: '', valueUri: '' };

interface Context {
  getEncodedBuffer(): Uint8Array;
}

const codecs = createRequire(import.meta.url)('dcmjs-codecs') as {
  readonly Context: new (attributes: Readonly<Record<string, unknown>>) => Context;
  readonly NativeCodecs: Readonly<Record<string, (context: Context, parameters: unknown) => Context>>;
};

async function open(bytes: Uint8Array): Promise<Dicom> {
  const picture = await openPicture(new Uint8Array(bytes));
  if (picture.source !== 'dicom') throw new Error('no DICOM file');
  return picture;
}

async function plain(bytes: Uint8Array, frame = 0): Promise<PlainFrame> {
  const { file, header } = await open(bytes);
  return plainFrame(file, header, frame);
}

function color(rows: number, columns: number, bits: number, more: Elements = {}): Elements {
  return grayElements(rows, columns, [], {
    '00280002 US': [3],
    '00280004 CS': 'RGB',
    '00280006 US': [0],
    '00280100 US': [bits],
    '00280101 US': [bits],
    '00280102 US': [bits - 1],
    ...more,
  });
}

/** An RLE frame that packs nothing: a segment for each byte of each sample, the highest first (PS3.5, annex G). */
function rle(samples: Buffer, samplesPerPixel: number, size: number): Buffer {
  const pixels = samples.length / samplesPerPixel / size;
  const segments = Array.from({ length: samplesPerPixel * size }, (_, index) => {
    const [sample, byte] = [Math.floor(index / size), size - 1 - (index % size)];
    const bytes = Array.from(
      { length: pixels },
      (_each, at) => samples[(at * samplesPerPixel + sample) * size + byte] as number,
    );
    const packed = bytes.flatMap((value) => [0, value]);
    return Buffer.from(packed.length % 2 === 0 ? packed : [...packed, 0x80]);
  });
  const head = Buffer.alloc(64);
  head.writeUInt32LE(segments.length, 0);
  let at = 64;
  for (const [index, segment] of segments.entries()) {
    head.writeUInt32LE(at, 4 + 4 * index);
    at += segment.length;
  }
  return Buffer.concat([head, ...segments]);
}

function encode(
  how: string,
  samples: Buffer,
  attributes: Readonly<Record<string, unknown>>,
  parameters: unknown,
): Uint8Array {
  const context = new codecs.Context({
    planarConfiguration: 0,
    pixelRepresentation: 0,
    decodedBuffer: samples,
    ...attributes,
  });
  const run = codecs.NativeCodecs[how];
  if (!run) throw new Error(`no ${how}`);
  return Uint8Array.from(run.call(codecs.NativeCodecs, context, parameters).getEncodedBuffer());
}

beforeAll(async () => {
  // The codecs are loaded once, outside of the tests.
  await open(grayDicom(1, 1, [0]));
});

describe('colours', () => {
  test.each([16, 32])('of %i bits in RLE are given back bit by bit, and shown by their highest ones', async (bits) => {
    const size = bits / 8;
    const samples = Buffer.alloc(2 * 3 * size);
    for (let at = 0; at < 6; at += 1) samples.writeUIntLE((at + 1) * 2 ** (bits - 4) + at, at * size, size);
    const file = compressedDicom(color(1, 2, bits), [rle(samples, 3, size)], RLE);
    expect((await plain(file)).bytes).toEqual(Uint8Array.from(samples));
    expect([...renderPicture(await open(file), 0).data]).toEqual([16, 32, 48, 64, 80, 96]);
  });

  test('of a baseline JPEG without an Adobe marker are what the data set says', async () => {
    const samples = Buffer.alloc(8 * 8 * 3);
    for (let at = 0; at < samples.length; at += 3) samples.set([200, 40, 90], at);
    // Written as three components that stand for themselves.
    const raw = encode(
      'encodeJpeg',
      samples,
      { width: 8, height: 8, bitsAllocated: 8, bitsStored: 8, samplesPerPixel: 3, photometricInterpretation: 'RGB' },
      { lossy: true, quality: 100, sampleFactor: 'SF444' },
    );
    const shown = async (name: string, stream: Uint8Array): Promise<number[]> => {
      const file = compressedDicom(color(8, 8, 8, { '00280004 CS': name }), [stream], BASELINE);
      return [...renderPicture(await open(file), 0).data.subarray(0, 3)];
    };
    const near = (values: readonly number[], wanted: readonly number[]): boolean =>
      values.every((value, at) => Math.abs(value - (wanted[at] as number)) <= 6);
    const bare = withoutMarkers(raw);
    // The encoder wrote luminance and chrominance: read as such they are the colour, read as RGB they are themselves.
    const asYbr = await shown('YBR_FULL', bare);
    const asRgb = await shown('RGB', bare);
    expect([asYbr, near(asYbr, [200, 40, 90])]).toEqual([asYbr, true]);
    expect([asRgb, near(asRgb, [93, 126, 204])]).toEqual([asRgb, true]);
    const marked = Buffer.concat([bare.subarray(0, 2), adobe(1), bare.subarray(2)]);
    expect(near(await shown('RGB', marked), [200, 40, 90])).toBe(true);
  });

  test('that a codec makes RGB of are RGB in the metadata too', async () => {
    const samples = Buffer.alloc(8 * 8 * 3, 77);
    const attributes = {
      width: 8,
      height: 8,
      bitsAllocated: 8,
      bitsStored: 8,
      samplesPerPixel: 3,
      photometricInterpretation: 'RGB',
    };
    const stream = encode('encodeJpeg', samples, attributes, { lossy: true, quality: 90, sampleFactor: 'SF444' });
    const jpeg = await open(
      compressedDicom(color(8, 8, 8, { '00280004 CS': 'YBR_FULL', '00280006 US': [1] }), [stream], BASELINE),
    );
    expect(plainFrame(jpeg.file, jpeg.header, 0).photometricInterpretation).toBe('RGB');
    expect(toDicomJson(jpeg, places)).toMatchObject({
      '00280004': { Value: ['RGB'] },
      '00280006': { Value: [0] },
      '00083002': { Value: [BASELINE] },
    });
    const packed = await open(
      compressedDicom(color(8, 8, 8, { '00280004 CS': 'YBR_FULL' }), [rle(samples, 3, 1)], RLE),
    );
    expect(toDicomJson(packed, places)['00280004']).toEqual({ vr: 'CS', Value: ['YBR_FULL'] });
    expect(plainFrame(packed.file, packed.header, 0).photometricInterpretation).toBe('YBR_FULL');
  });
});

describe('pixels', () => {
  test('of one bit are shown, and a frame that begins within a byte is given from its edge', async () => {
    const bit = { '00280100 US': [1], '00280101 US': [1], '00280102 US': [0], '00280008 IS': '2' };
    // Three by three, twice: 101 010 111, then 110 000 001, the first pixel in the lowest bit.
    const bits = [1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1];
    const packed = Buffer.alloc(4);
    for (const [at, value] of bits.entries()) packed[at >> 3] = (packed[at >> 3] as number) | (value << (at & 7));
    const file = dicomFile(
      Buffer.concat([elements({ ...without(grayElements(3, 3, [], bit)) }), elements({ '7FE00010 OB': packed })]),
    );
    const picture = await open(file);
    for (const frame of [0, 1]) {
      const wanted = bits.slice(9 * frame, 9 * frame + 9);
      const stored = decodeFrame(picture.file, picture.header, frame);
      expect(stored.kind === 'values' && [...stored.values]).toEqual(wanted);
      const { bytes } = plainFrame(picture.file, picture.header, frame);
      expect(wanted.map((_, at) => ((bytes[at >> 3] as number) >> (at & 7)) & 1)).toEqual(wanted);
    }
    expect([...renderPicture(picture, 1).data]).toEqual(bits.slice(9).map((value) => value * 255));
  });

  test('followed by padding are read without it', async () => {
    const padded = grayDicom(2, 2, [1, 2, 3, 4, 0, 0, 0, 0]);
    expect([...(await plain(padded)).bytes]).toEqual([1, 0, 2, 0, 3, 0, 4, 0]);
  });

  test('of 8 bits in big-endian words lose no byte where a frame is odd', async () => {
    const bytes = [10, 20, 30, 40, 50, 60, 70, 80, 90, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const big = { isBigEndian: true };
    const set = {
      ...without(grayElements(3, 3, [])),
      '00280008 IS': '2',
      '00280100 US': [8],
      '00280101 US': [8],
      '00280102 US': [7],
    };
    // Words have their bytes the other way round.
    const swapped = Buffer.from(bytes).swap16();
    const file = dicomFile(
      Buffer.concat([elements(set, big), elements({ '7FE00010 OW': swapped }, big)]),
      EXPLICIT_BIG,
    );
    expect([...(await plain(file, 0)).bytes]).toEqual(bytes.slice(0, 9));
    expect([...(await plain(file, 1)).bytes]).toEqual(bytes.slice(9));
    expect(renderPicture(await open(file), 0).data).toHaveLength(9);
  });

  test.each([
    ['1.2.840.10008.1.2.1', true],
    ['1.2.840.10008.1.2', false],
  ])('of a file that says %s and is not so are read', async (said, isImplicit) => {
    const set = elements(grayElements(2, 2, [5, 6, 7, 8]), { isImplicit });
    expect([...(await plain(dicomFile(set, said))).bytes]).toEqual([5, 0, 6, 0, 7, 0, 8, 0]);
  });

  test.each([
    ['encodeHtJpeg2000', '1.2.840.10008.1.2.4.201', { lossy: false }],
    ['encodeJpeg2000', '1.2.840.10008.1.2.4.90', { lossy: false }],
    ['encodeJpegLs', '1.2.840.10008.1.2.4.80', { lossy: false }],
  ])('by %s come out as they went in', async (how, syntax, parameters) => {
    const samples = Buffer.alloc(16 * 16 * 2);
    for (let at = 0; at < 256; at += 1) samples.writeUInt16LE((at * 37) % 4096, at * 2);
    const attributes = {
      width: 16,
      height: 16,
      bitsAllocated: 16,
      bitsStored: 12,
      samplesPerPixel: 1,
      photometricInterpretation: 'MONOCHROME2',
    };
    const stream = encode(how, samples, attributes, parameters);
    const file = compressedDicom(grayElements(16, 16, []), [stream], syntax);
    expect((await plain(file)).bytes).toEqual(Uint8Array.from(samples));
  });
});

describe('a DICOM file without pixels', () => {
  const report = {
    ...without(grayElements(1, 1, [])),
    '00080016 UI': '1.2.840.10008.5.1.4.1.1.88.11',
    '00080060 CS': 'SR',
  };

  test('is opened as an object, and no picture is made of it', async () => {
    const file = new Uint8Array(dicomFile(elements(report)));
    expect((await openFile(file)).source).toBe('object');
    await expect(openPicture(file)).rejects.toMatchObject({ kind: 'unsupported' });
  });

  test('with private sequences of unknown length is read to its end', async () => {
    const bare = { isImplicit: true };
    const head = (tag: string, length: number): Buffer => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt16LE(Number.parseInt(tag.slice(0, 4), 16), 0);
      bytes.writeUInt16LE(Number.parseInt(tag.slice(4), 16), 2);
      bytes.writeUInt32LE(length, 4);
      return bytes;
    };
    const open = 0xffffffff;
    const nested = (inner: Buffer): Buffer =>
      Buffer.concat([head('FFFEE000', open), inner, head('FFFEE00D', 0), head('FFFEE0DD', 0)]);
    const inner = Buffer.concat([head('00091002', open), nested(elements({ '00080100 SH': 'CODE' }, bare))]);
    const set = Buffer.concat([
      elements({ '00080016 UI': '1.2.3', '00080018 UI': '1.2.4' }, bare),
      head('00091001', open),
      nested(inner),
      elements({ '0020000D UI': '1.2.5', '0020000E UI': '1.2.6' }, bare),
    ]);
    const opened = await openFile(new Uint8Array(dicomFile(set, '1.2.840.10008.1.2')));
    if (opened.source !== 'object') throw new Error('it has no pixels');
    expect(opened.file.dataSet.string('x0020000e')).toBe('1.2.6');
  });
});

function without({ '7FE00010 OW': _, ...rest }: Elements): Elements {
  return rest;
}

function adobe(transform: number): Buffer {
  return Buffer.from([0xff, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform]);
}

/** The codestream without its application markers. */
function withoutMarkers(stream: Uint8Array): Buffer {
  const kept = [Buffer.from(stream.subarray(0, 2))];
  let at = 2;
  while (stream[at] === 0xff && stream[at + 1] !== 0xda) {
    const length = 2 + ((stream[at + 2] as number) << 8) + (stream[at + 3] as number);
    const marker = stream[at + 1] as number;
    if (marker < 0xe0 || marker > 0xef) kept.push(Buffer.from(stream.subarray(at, at + length)));
    at += length;
  }
  return Buffer.concat([...kept, Buffer.from(stream.subarray(at))]);
}
