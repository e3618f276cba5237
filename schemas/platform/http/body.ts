import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { parse as parseContentType } from 'content-type';
import { faultAt } from '../../validation.ts';
import { Fault, invalid } from './fault.ts';
import { unstorableText } from './text.ts';

/** What a body may be. */
export interface BodyLimits {
  /** Largest body, as sent and again when decompressed. */
  readonly bodyBytesMax: number;
  /** Most objects and arrays inside each other. */
  readonly bodyDepthMax: number;
}

/** How much more than the limit is read and thrown away, so that the caller is still there to read the answer. */
const DRAIN_BYTES_MAX = 16 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 2_000;

/**
 * Reads a JSON body.
 * @param mediaTypes those the operation takes, in small letters.
 * @throws Fault 415, 413, 400 or 422 with what is wrong. A submitted value is never part of it.
 */
export async function readJsonBody(
  request: IncomingMessage,
  mediaTypes: readonly string[],
  limits: BodyLimits,
): Promise<unknown> {
  if (!hasBody(request)) throw new Fault('body_malformed', { message: 'A JSON body is required.' });
  checkMediaType(request.headers['content-type'], mediaTypes);
  const decompress = decompressorOf(request.headers['content-encoding']);
  const sent = await readBytes(request, limits.bodyBytesMax);
  const bytes = decompress ? await decompress(sent, limits.bodyBytesMax) : sent;
  return parseJson(bytes, limits.bodyDepthMax);
}

/** Whether a request says that it has a body. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** The media type of a body, in small letters. @throws Fault 415 when it is none of those taken. */
export function checkMediaType(header: string | undefined, mediaTypes: readonly string[]): string {
  // The common spellings are recognised without parsing.
  if (header !== undefined && mediaTypes.includes(header)) return header;
  try {
    const { type, parameters } = parseContentType(header ?? '');
    const charset = (parameters['charset'] ?? 'utf-8').toLowerCase();
    const known = mediaTypes.includes(type.toLowerCase()) && (charset === 'utf-8' || charset === 'utf8');
    if (known) return type.toLowerCase();
  } catch {
    // Unreadable is unsupported.
  }
  throw new Fault('media_type_unsupported', { headers: { accept: mediaTypes.join(', ') } });
}

type Decompressor = (bytes: Buffer, bytesMax: number) => Promise<Buffer>;
type Inflater = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const gunzipAsync: Inflater = promisify(gunzip);
const brotliAsync: Inflater = promisify(brotliDecompress);
const inflateAsync: Inflater = promisify(inflate);
const inflateRawAsync: Inflater = promisify(inflateRaw);

const inflaters: Readonly<Record<string, Inflater>> = {
  gzip: gunzipAsync,
  'x-gzip': gunzipAsync,
  br: brotliAsync,
  // "deflate" means zlib's format (RFC 9110, section 8.4.1.2), but some clients send the bare stream.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateAsync(bytes, options) : inflateRawAsync(bytes, options),
};

function decompressorOf(header: string | undefined): Decompressor | undefined {
  const coding = (header ?? 'identity').trim().toLowerCase();
  if (coding === 'identity' || coding === '') return undefined;
  const inflater = Object.hasOwn(inflaters, coding) ? inflaters[coding] : undefined;
  if (!inflater) {
    throw new Fault('media_type_unsupported', {
      message: 'The content coding of the body is not one that is accepted.',
      headers: { 'accept-encoding': 'gzip, deflate, br' },
    });
  }
  return async (bytes, bytesMax) => {
    try {
      return await inflater(bytes, { maxOutputLength: bytesMax });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Fault('body_too_large');
      throw new Fault('body_malformed', { message: 'The body could not be decompressed.' });
    }
  };
}

/**
 * Reads a body whole, as it was sent.
 * @throws Fault 413 beyond `bytesMax`, 400 when it breaks off.
 */
export function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let total = 0;
    let timer: NodeJS.Timeout | undefined;
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      finish();
    };
    const refuse = (headers: Readonly<Record<string, string>>): void =>
      settle(() => reject(new Fault('body_too_large', { headers })));
    const onData = (chunk: Buffer): void => {
      total += chunk.length;
      if (total <= bytesMax) {
        chunks.push(chunk);
        return;
      }
      // The rest is read and dropped, within bounds: an answer to a caller that is still sending may never be read.
      chunks.length = 0;
      timer ??= setTimeout(() => refuse({ connection: 'close' }), DRAIN_TIMEOUT_MS);
      if (total > bytesMax + DRAIN_BYTES_MAX) refuse({ connection: 'close' });
    };
    const onEnd = (): void => {
      if (total > bytesMax) refuse({});
      else settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, total)));
    };
    const onGone = (): void => settle(() => reject(new Fault('request_malformed', { message: 'The body broke off.' })));
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
    if (hasLeft(request)) onGone();
  });
}

/**
 * Whether the caller went before the body was read. What is attached to the request from then on is told of no end: whoever
 * has waited for anything since the request came must ask.
 */
export function hasLeft(request: IncomingMessage): boolean {
  return request.destroyed && !request.readableEnded;
}

/** @throws Fault 400 or 422 with what is wrong. A submitted value is never part of it. */
export function parseJson(bytes: Buffer, depthMax: number): unknown {
  if (!isUtf8(bytes)) throw new Fault('body_malformed');
  const shape = shapeOf(bytes, depthMax);
  if (shape === 'deep') {
    throw new Fault('body_malformed', { message: 'The body is nested more deeply than this service accepts.' });
  }
  if (shape === 'wide') throw invalid([faultAt('', 'too_many')]);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    // RFC 8259 lets a reader overlook a byte order mark.
    value = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    throw new Fault('body_malformed');
  }
  // In UTF-8 JSON, NUL and half surrogates can only be written as escapes.
  if (text.includes('\\u')) {
    const faults = unstorableText(value);
    if (faults.length > 0) throw invalid(faults);
  }
  return value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;
/** Members of one object: no resource has a hundredth of it, and reading more of them would hold up everybody. */
const MEMBERS_MAX = 10_000;

/**
 * Whether a body is nested too deeply, or has an object of too many members, before anything is made of it. Counts
 * brackets and commas outside strings; in UTF-8 no other character contains their bytes.
 */
function shapeOf(bytes: Buffer, depthMax: number): 'deep' | 'wide' | 'plain' {
  if (bytes.length <= depthMax) return 'plain';
  // Members left to each of the objects that are open; of an array there may be any number.
  const left: number[] = [];
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (inString) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) inString = false;
      continue;
    }
    switch (byte) {
      case QUOTE:
        inString = true;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (left.length >= depthMax) return 'deep';
        left.push(byte === OPEN_OBJECT ? MEMBERS_MAX - 1 : Number.POSITIVE_INFINITY);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        left.pop();
        break;
      case COMMA: {
        const last = left.length - 1;
        if (last < 0) break;
        left[last] = (left[last] as number) - 1;
        if ((left[last] as number) < 0) return 'wide';
      }
    }
  }
  return 'plain';
}
