import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { create as contentDisposition } from 'content-disposition';
import type { BytesOutcome } from './handler.ts';

/** What is known of bytes that are kept. */
export interface Download {
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The whole, a part, or that nothing has changed: RFC 9110, sections 13 and 14. */
export function download(
  file: Download,
  headers: IncomingHttpHeaders,
  open: (range?: ByteRange) => Promise<Readable>,
): BytesOutcome {
  // A strong tag, the same in every version: it identifies the bytes.
  const etag = `"${file.sha256}"`;
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-range': ifRange, range: asked } = headers;
  if (match !== undefined && !namesTag(match, etag)) throw new Fault('precondition_failed');
  const common = {
    etag,
    'accept-ranges': 'bytes',
    'repr-digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
  };
  if (noneMatch !== undefined && namesTag(noneMatch, etag)) return { status: 304, headers: common };
  const whole = {
    ...common,
    'content-type': file.mediaType.startsWith('text/') ? `${file.mediaType}; charset=utf-8` : file.mediaType,
    'content-disposition': contentDisposition(file.fileName),
    // Sandboxed: an uploaded HTML file must not run as a page of this service.
    'content-security-policy': "default-src 'none'; sandbox",
  };
  const size = file.sizeBytes;
  const range = ifRange === undefined || ifRange === etag ? readRange(asked, size) : undefined;
  if (range === 'outside') {
    throw new Fault('range_not_satisfiable', { headers: { 'content-range': `bytes */${size}` } });
  }
  if (!range) {
    return { bytes: { status: 200, headers: { ...whole, 'content-length': String(size) }, open: () => open() } };
  }
  const { start, end } = range;
  const part = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': String(end - start + 1) };
  return { bytes: { status: 206, headers: { ...whole, ...part }, open: () => open(range) } };
}

/** Whether a header of conditions names the strong tag. */
export function namesTag(header: string, etag: string): boolean {
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);
}

/** Reads one byte range. An invalid range, or several, is answered with the whole file, as the RFC allows. */
function readRange(header: string | undefined, size: number): ByteRange | 'outside' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count === 0 ? 'outside' : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'outside' : { start, end };
}
