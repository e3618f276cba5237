import { expect, test } from '@jest/globals';
import { deidentify, plainProfile } from '@perennial/core/imaging/deidentify/deidentify.ts';
import { toDicomJson } from '@perennial/core/imaging/dicom/json.ts';
import { ImageFault } from '@perennial/core/imaging/image-fault.ts';
import { inspectFile } from '@perennial/core/imaging/inspect.ts';
import { openPicture } from '@perennial/core/imaging/picture.ts';
import fc from 'fast-check';
import { grayDicom, publishedDicom } from '../../support/dicom.ts';

const files = [
  grayDicom(4, 4, Array(16).fill(3), {
    '00283010 SQ': { items: [{ '00283002 US': [4, 0, 8], '00283006 US': [1, 2, 3, 4] }] },
    '00081140 SQ': { items: [{ '00081155 UI': '1.2.3' }] },
  }),
  publishedDicom('jpeg-lossless-decoder-js', 'jpeg_lossless_sel2.dcm'),
];

/** Most changes are made where the header is: there they do most. */
const HEADER_BYTES = 2_500;

test('whatever bytes of a file change, it is read, or refused as damaged, and never anything else', async () => {
  const change = fc.record({
    share: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    isHeader: fc.boolean(),
    byte: fc.oneof(fc.constantFrom(0, 1, 127, 128, 255), fc.integer({ min: 0, max: 255 })),
  });
  const damage = fc.record({
    file: fc.constantFrom(...files),
    changes: fc.array(change, { minLength: 1, maxLength: 6 }),
    kept: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
  });
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(damage, async ({ file, changes, kept }) => {
      const bytes = Buffer.from(file);
      for (const { share, isHeader, byte } of changes) {
        bytes[Math.floor(share * (isHeader ? Math.min(HEADER_BYTES, bytes.length) : bytes.length))] = byte;
      }
      try {
        const picture = await openPicture(bytes.subarray(0, Math.ceil(kept * bytes.length)));
        inspectFile(picture);
        if (picture.source === 'dicom') {
          toDicomJson(picture, { pixelDataUri: '', valueUri: '' });
          await openPicture(deidentify(picture, Buffer.from('key'), { ...plainProfile, cleanPixels: true }));
        }
        outcomes.add('read');
      } catch (error) {
        // A stack that is too deep, a view past the end, or what the parser says, is what the worker calls damaged.
        const isParsers = String(error).includes('dicomParser');
        if (!(error instanceof ImageFault) && !(error instanceof RangeError) && !isParsers) throw error;
        outcomes.add('refused');
      }
    }),
    { numRuns: 80, seed: 20_231_015 },
  );
  expect([...outcomes].sort()).toEqual(['read', 'refused']);
});
