import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DiskBlobStore } from '@perennial/core/attachments/blob-store.ts';
import { AttachmentService } from '@perennial/core/attachments/service.ts';
import type { Attachment } from '@perennial/schemas/resources/attachment.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

const BYTES_MAX = 2_000_000;

/** A disk on which only so many bytes have room. */
class SmallDisk extends DiskBlobStore {
  room = Number.POSITIVE_INFINITY;

  protected override async append(file: FileHandle, chunk: Buffer): Promise<void> {
    this.room -= chunk.length;
    if (this.room < 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    await super.append(file, chunk);
  }
}

let database: TestDatabase;
let core: TestCore;
let dir: string;
let disk: SmallDisk;
let record: string;

beforeAll(async () => {
  database = await freshDatabase();
  dir = await mkdtemp(join(tmpdir(), 'perennial-test-attachments-'));
  disk = new SmallDisk(dir);
  core = await startCore(database.url, { attachmentBytesMax: BYTES_MAX }, disk);
  record = await makeRecord();
});

afterAll(async () => {
  await core.stop();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

async function makeRecord(): Promise<string> {
  const patient = await core.call<{ id: string }>('POST', '/patients', { body: { name: 'A', dob: '1984-03-07' } });
  const body = { type: 'note', status: 'final', text: 'with a file' };
  const { data } = await core.call<{ id: string }>('POST', `/patients/${patient.data.id}/records`, { body });
  return `/patients/${patient.data.id}/records/${data.id}`;
}

const pdf = (size = 1_000): Buffer => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size)]);
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const dicom = Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), randomBytes(500)]);

const BOUNDARY = 'x-perennial-test';

interface Part {
  readonly name: string;
  readonly fileName?: string;
  readonly type?: string;
  readonly content: Buffer | string;
}

function multipart(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, fileName, type, content }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
        `${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n` +
        `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

const contentType = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

function send(body: Buffer, to = record, headers: Record<string, string> = {}): Promise<Reply<Attachment>> {
  return core.call<Attachment>('POST', `${to}/attachments`, { body, headers: { ...contentType, ...headers } });
}

const upload = (content: Buffer | string, fileName = 'a.pdf', type = 'application/pdf'): Promise<Reply<Attachment>> =>
  send(multipart([{ name: 'file', fileName, type, content }]));

/** What is on the disk and in the tables, of everything that belongs to attachments. */
async function leftovers(): Promise<{ files: number; rows: number; intents: number; partial: number }> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return {
    files: files.filter(({ parentPath }) => !parentPath.endsWith('.partial')).length,
    partial: files.filter(({ parentPath }) => parentPath.endsWith('.partial')).length,
    rows: await database.db.attachment.count(),
    intents: await database.db.blobIntent.count(),
  };
}

interface Download {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Download> {
  const { hostname, port } = new URL(core.url);
  const authorization = `Bearer ${core.token(method, path)}`;
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method, headers: { authorization, ...headers } };
    const request = httpRequest({ ...options, agent: new Agent({ keepAlive: false }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

describe('an upload', () => {
  test('is kept byte for byte, with its size, type and checksum', async () => {
    const content = pdf(300_000);
    const body = multipart([
      { name: 'description', content: 'Letter of Zoë' },
      { name: 'file', fileName: 'Brief für Zoë.pdf', type: 'application/pdf', content },
    ]);
    const { status, data, headers } = await send(body);
    expect(status).toBe(201);
    expect(data).toMatchObject({
      file_name: 'Brief für Zoë.pdf',
      description: 'Letter of Zoë',
      media_type: 'application/pdf',
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      record_id: record.split('/').at(-1),
    });
    expect(headers.location).toBe(`${record}/attachments/${data.id}`);
    const { bytes } = await get(`${headers.location}/content`);
    expect(bytes.equals(content)).toBe(true);
    expect((await core.call('GET', headers.location as string)).data).toEqual(data);
  });

  test.each([
    ['a DICOM image', dicom, 'application/dicom', 'application/dicom'],
    ['a PNG', png, 'image/png', 'image/png'],
    ['a file of no named type', png, 'application/octet-stream', 'image/png'],
    ['text', 'Überweisung\n', 'text/plain; charset=utf-8', 'text/plain'],
    ['a table', 'a,b\n1,2\n', 'text/csv', 'text/csv'],
  ])('of %s is known by its content', async (_name, content, named, found) => {
    const { status, data } = await upload(content, 'x', named);
    expect([status, data.media_type]).toEqual([201, found]);
  });

  test.each([
    ['a program', Buffer.concat([Buffer.from('MZ'), randomBytes(400)]), 'application/pdf', 415],
    ['an archive', Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(400)]), 'application/zip', 415],
    ['a PNG called a PDF', png, 'application/pdf', 422],
    ['text called a PDF', '%PD', 'application/pdf', 422],
    ['a page called text/html', '<script>alert(1)</script>', 'text/html', 422],
    ['text with a NUL in its last bytes', `${'a'.repeat(9_000)}\u0000`, 'text/plain', 415],
    ['nothing', '', 'application/pdf', 422],
  ])('of %s is refused, and leaves nothing', async (_name, content, named, status) => {
    const before = await leftovers();
    expect((await upload(content, 'a', named)).status).toBe(status);
    expect(await leftovers()).toEqual(before);
  });

  test('with other parts, or without its own, is refused by name', async () => {
    const before = await leftovers();
    const file = { name: 'file', fileName: 'a.pdf', type: 'application/pdf', content: pdf() };
    const faults = async (parts: readonly Part[]): Promise<readonly unknown[]> => {
      const { status, error } = await send(multipart(parts));
      return [status, ...error.details.map(({ code, pointer }) => `${code} ${pointer}`)];
    };
    expect(await faults([])).toEqual([422, 'required /file']);
    expect(await faults([file, { name: 'colour', content: 'red' }])).toEqual([422, 'unknown_field /colour']);
    expect(await faults([{ ...file, name: 'files' }])).toEqual([422, 'unknown_field /files']);
    expect(await faults([file, file])).toEqual([422, 'too_many /file']);
    expect(await faults([{ name: 'description', content: 'x'.repeat(1_001) }, file])).toEqual([
      422,
      'too_long /description',
    ]);
    expect(await leftovers()).toEqual(before);
  });

  test('of another media type, or broken within, is refused', async () => {
    const before = await leftovers();
    const json = await core.call('POST', `${record}/attachments`, { body: {} });
    expect([json.status, json.headers.accept]).toEqual([415, 'multipart/form-data']);
    const noBoundary = { 'content-type': 'multipart/form-data' };
    expect((await send(Buffer.from('x'), record, noBoundary)).status).toBe(415);
    expect((await send(Buffer.from('not multipart at all'))).status).toBe(400);
    const whole = multipart([{ name: 'file', fileName: 'a.pdf', type: 'application/pdf', content: pdf() }]);
    expect((await send(whole.subarray(0, whole.length - 60))).status).toBe(400);
    expect(await leftovers()).toEqual(before);
  });

  test('of more bytes than may be is 413, and the caller reads it', async () => {
    const before = await leftovers();
    const reply = await upload(pdf(BYTES_MAX + 1));
    expect([reply.status, reply.error.code]).toEqual([413, 'body_too_large']);
    expect((await upload(pdf(BYTES_MAX - 9))).status).toBe(201);
    expect(await leftovers()).toEqual({ ...before, files: before.files + 1, rows: before.rows + 1 });
  });

  test('that breaks off leaves nothing, however far it came', async () => {
    const before = await leftovers();
    const whole = multipart([{ name: 'file', fileName: 'a.pdf', type: 'application/pdf', content: pdf(1_000_000) }]);
    for (const sent of [0, 40, 200, 70_000, whole.length - 10]) {
      const token = core.token('POST', `${record}/attachments`);
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(core.url).port), '127.0.0.1', () => {
          socket.write(
            `POST ${record}/attachments HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
              `Content-Type: ${contentType['content-type']}\r\nContent-Length: ${whole.length}\r\n\r\n`,
          );
          socket.write(whole.subarray(0, sent), () => setTimeout(() => socket.destroy(), 50));
        });
        socket.on('close', () => resolve());
        socket.on('error', () => undefined);
      });
    }
    for (let wait = 0; wait < 200 && JSON.stringify(await leftovers()) !== JSON.stringify(before); wait += 1)
      await sleep(50);
    expect(await leftovers()).toEqual(before);
    expect((await upload(pdf())).status).toBe(201);
  });

  test('on a full disk is 507, leaves nothing, and works again when there is room', async () => {
    const before = await leftovers();
    disk.room = 200_000;
    const reply = await upload(pdf(1_000_000));
    disk.room = Number.POSITIVE_INFINITY;
    expect([reply.status, reply.error.code]).toEqual([507, 'storage_full']);
    expect(await leftovers()).toEqual(before);
    expect((await upload(pdf(1_000_000))).status).toBe(201);
  });

  test('to a record that goes meanwhile is 404 and leaves nothing', async () => {
    const to = await makeRecord();
    const before = await leftovers();
    const body = multipart([{ name: 'file', fileName: 'a.pdf', type: 'application/pdf', content: pdf(1_000) }]);
    const { hostname, port } = new URL(core.url);
    const authorization = `Bearer ${core.token('POST', `${to}/attachments`)}`;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { ...contentType, authorization, 'content-length': body.length };
      const request = httpRequest(
        { hostname, port, method: 'POST', path: `${to}/attachments`, headers },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      request.on('error', reject);
      request.write(body.subarray(0, 300), () => {
        sleep(100)
          .then(() => core.call('DELETE', to))
          .then(() => request.end(body.subarray(300)), reject);
      });
    });
    expect(status).toBe(404);
    expect(await leftovers()).toEqual(before);
  });

  test('of more files than a record may have is 409, for one of those that come at once', async () => {
    const to = await makeRecord();
    const [, , patientId = '', , recordId = ''] = to.split('/');
    await database.db.attachment.createMany({
      data: Array.from({ length: 49 }, (_, index) => ({
        id: `att_limit${String(index).padStart(6, '0')}`,
        accountId: 'acc_test',
        patientId,
        recordId,
        fileName: 'x',
        mediaType: 'text/plain',
        sizeBytes: 1,
        sha256: '0'.repeat(64),
      })),
    });
    const body = multipart([{ name: 'file', fileName: 'a.pdf', type: 'application/pdf', content: pdf() }]);
    const replies = await Promise.all([send(body, to), send(body, to), send(body, to)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    await database.db.attachment.deleteMany({ where: { id: { startsWith: 'att_limit' } } });
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\\\..\\\\boot.ini', 'boot.ini'],
    ['/etc/cron.d/x', 'x'],
    ['..', 'file'],
    ['', 'file'],
    ['a\u202egpj.exe', 'agpj.exe'],
    ['a\tb', 'ab'],
    [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(251)}.pdf`],
  ])('called %j is called %j', async (given, name) => {
    const { status, data } = await upload(pdf(), given);
    expect([status, data.file_name]).toEqual([201, name]);
    for (const entry of await readdir(dir, { recursive: true })) {
      expect(entry).toMatch(/^(\.partial|[0-9a-z]{2}|[0-9a-z]{2}\/att_[0-9A-Za-z]{20})$/);
    }
  });
});

describe('a download', () => {
  const content = pdf(10_000);
  let path: string;
  let etag: string;

  beforeAll(async () => {
    const { data } = await upload(content, 'naïve "quote"; x=1\u2028.pdf'.replaceAll('"', '%22'));
    path = `${record}/attachments/${data.id}/content`;
    etag = `"${data.sha256}"`;
  });

  test('says what it is, and cannot be taken for a page', async () => {
    const { status, headers, bytes } = await get(path);
    expect([status, bytes.equals(content)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      etag,
      'content-type': 'application/pdf',
      'content-length': String(content.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="na.ve [^\r\n]*"; filename\*=UTF-8''na%C3%AFve/,
    );
  });

  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=9000-', 9_000, 10_008],
    ['bytes=-5', 10_004, 10_008],
    ['bytes=10000-99999999', 10_000, 10_008],
  ])('of %s is those bytes', async (range, start, end) => {
    const { status, headers, bytes } = await get(path, { range });
    expect([status, headers['content-range']]).toEqual([206, `bytes ${start}-${end}/${content.length}`]);
    expect(bytes.equals(content.subarray(start, end + 1))).toBe(true);
  });

  test('of a range outside is 416 with the size; of what is no single range, the whole', async () => {
    const outside = await get(path, { range: `bytes=${content.length}-` });
    expect([outside.status, outside.headers['content-range']]).toEqual([416, `bytes */${content.length}`]);
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=5-1', 'bytes=-', 'nonsense']) {
      expect((await get(path, { range })).bytes.length).toBe(content.length);
    }
  });

  test('that is not needed is 304, and one of what has changed 412 or the whole', async () => {
    expect(await get(path, { 'if-none-match': etag })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
    expect((await get(path, { 'if-match': '"other"' })).status).toBe(412);
    expect((await get(path, { 'if-match': etag, range: 'bytes=0-1' })).status).toBe(206);
    expect((await get(path, { 'if-range': etag, range: 'bytes=0-1' })).status).toBe(206);
    expect((await get(path, { 'if-range': '"other"', range: 'bytes=0-1' })).status).toBe(200);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, String(content.length), 0]);
  });

  test('of bytes that were lost is 500 before anything is sent', async () => {
    const { data } = await upload(pdf());
    await disk.remove(data.id);
    expect((await get(`${record}/attachments/${data.id}/content`)).status).toBe(500);
  });
});

describe('what is known of an attachment', () => {
  test('can be corrected, on condition of what was read', async () => {
    const { data, headers } = await upload(pdf());
    const path = `${record}/attachments/${data.id}`;
    const patch = (body: unknown, tag?: string): Promise<Reply<Attachment>> =>
      core.call('PATCH', path, { body, headers: tag === undefined ? {} : { 'if-match': tag } });
    const changed = await patch({ file_name: 'letter.pdf', description: 'A letter', size: 1 }, headers.etag);
    expect(changed.data).toMatchObject({ file_name: 'letter.pdf', description: 'A letter', size: data.size });
    expect((await patch({ description: null }, headers.etag)).status).toBe(412);
    for (const file_name of ['a/b', '..', 'a\\b', 'x\u202ey', ''])
      expect((await patch({ file_name })).status).toBe(422);
    expect((await patch({ description: null })).data.description).toBeNull();
  });

  test('is listed by cursor, in the order asked for', async () => {
    const to = await makeRecord();
    for (const [index, name] of ['b', 'c', 'a'].entries()) {
      await send(multipart([{ name: 'file', fileName: name, type: 'text/plain', content: 'x'.repeat(9 - index) }]), to);
    }
    for (const [sort, wanted] of [
      ['created_at', 'bca'],
      ['-file_name', 'cba'],
      ['size', 'acb'],
    ] as const) {
      let found = '';
      let cursor = '';
      do {
        const path = `${to}/attachments?limit=2&sort=${sort}${cursor}`;
        const { data } = await core.call<Page<Attachment>>('GET', path);
        found += data.items.map(({ file_name }) => file_name).join('');
        cursor = data.next_cursor === null ? '' : `&cursor=${data.next_cursor}`;
      } while (cursor !== '');
      expect([sort, found]).toEqual([sort, wanted]);
    }
  });

  test('goes with its bytes when it is deleted, and is hidden while its record is', async () => {
    const to = await makeRecord();
    const { data } = await send(
      multipart([{ name: 'file', fileName: 'a', type: 'text/plain', content: 'kept for now' }]),
      to,
    );
    const path = `${to}/attachments/${data.id}`;
    await core.call('DELETE', to);
    for (const each of [path, `${path}/content`, `${to}/attachments`]) expect((await get(each)).status).toBe(404);
    await core.call('POST', `${to}/restore`);
    expect((await get(`${path}/content`)).bytes.toString()).toBe('kept for now');
    const before = await leftovers();
    expect((await core.call('DELETE', path)).status).toBe(204);
    expect((await core.call('DELETE', path)).status).toBe(404);
    expect(await leftovers()).toEqual({ ...before, rows: before.rows - 1, files: before.files - 1 });
  });
});

test('a sweep removes what killed processes left, and nothing else', async () => {
  const service = new AttachmentService(database.db, disk, { bytesMax: BYTES_MAX, perRecordMax: 50 });
  const { data } = await upload(pdf());
  const before = await leftovers();
  const old = new Date(Date.now() - 2 * 3_600_000);
  // Killed after the bytes were moved to their place, but before the attachment was there.
  const orphan = join(dir, 'zz', 'att_orphanOrphanOrphanzz');
  await mkdir(join(dir, 'zz'), { recursive: true });
  await writeFile(orphan, 'bytes');
  await database.db.blobIntent.create({ data: { key: 'att_orphanOrphanOrphanzz', createdAt: old } });
  // Killed in the middle of the bytes, long ago and just now.
  await mkdir(join(dir, '.partial'), { recursive: true });
  const [dead, alive] = [join(dir, '.partial', 'att_dead0000'), join(dir, '.partial', 'att_alive000')];
  await writeFile(dead, 'half');
  await utimes(dead, old, old);
  await writeFile(alive, 'half');
  // Killed after the attachment was there, but with the intent still written: it is kept.
  await database.db.blobIntent.create({ data: { key: data.id, createdAt: old } });

  expect(await service.sweep()).toBe(2);
  expect([existsSync(orphan), existsSync(dead), existsSync(alive)]).toEqual([false, false, true]);
  await rm(alive);
  expect(await leftovers()).toEqual(before);
  expect((await get(`${record}/attachments/${data.id}/content`)).status).toBe(200);
});
