import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { receiveUpload } from '@perennial/core/attachments/upload.ts';
import { readParts } from '@perennial/core/imaging/dicomweb/multipart.ts';
import { readBytes } from '@perennial/schemas/platform/http/body.ts';
import { readElements } from '@perennial/schemas/platform/http/elements.ts';

/*
 * A caller that goes while something else is awaited, such as its key: nobody is told of its end any more, and who
 * waited for the body would wait for ever, with all that it holds.
 */

/** A request whose connection broke after a part of its body, before anybody read it. */
async function abandoned(headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, { 'content-length': '1000' }, headers);
  request.on('error', () => undefined);
  request.push(Buffer.from('--b\r\n'));
  request.destroy();
  await new Promise((resolve) => request.once('close', resolve));
  return request;
}

async function all(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of source);
}

const elements = { member: 'operations', ref: 'BulkOperation' } as const;
const limits = { bodyBytesMax: 1_000, bodyDepthMax: 10 };

const readers: readonly [string, Readonly<Record<string, string>>, (request: IncomingMessage) => Promise<unknown>][] = [
  ['a whole body', {}, (request) => readBytes(request, 1_000)],
  [
    'a form with a file',
    { 'content-type': 'multipart/form-data; boundary=b' },
    (request) => receiveUpload(request, (bytes) => all(bytes)),
  ],
  [
    'DICOM files in parts',
    { 'content-type': 'multipart/related; type="application/dicom"; boundary=b' },
    (request) => all(readParts(request)),
  ],
  [
    'compressed elements',
    { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
    (request) => all(readElements(request, elements as never, limits).elements),
  ],
];

test.each(readers)('%s of a caller that has gone already is refused, and not waited for', async (_, headers, read) => {
  const request = await abandoned(headers);
  await expect(read(request)).rejects.toMatchObject({ code: expect.stringMatching(/^(request|body)_malformed$/) });
});
