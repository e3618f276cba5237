import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { Request } from 'express';

/*
 * Content codings of answers. Only what is known whole and is worth it is compressed: below the size it costs more
 * time than it saves, and a stream must not wait for a compressor to have enough.
 */

/** Smaller bodies are not compressed: that would cost more time than it saves. */
export const CODED_FROM_BYTES = 8_192;
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;

type Encode = (bytes: Buffer) => Promise<Buffer>;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);
// Node has it from 22.15 on.
const zstd = zstdCompress === undefined ? undefined : promisify(zstdCompress);

/** In the order in which they are offered where the client likes all alike. */
const encoders: Readonly<Record<string, Encode>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  ...(zstd && { zstd: (bytes: Buffer) => zstd(bytes) }),
  gzip: (bytes) => deflate(bytes, { level: GZIP_LEVEL }),
};
const offered = Object.keys(encoders);

/** A body as it is sent. */
export interface Coded {
  readonly body: Buffer;
  /** For `Content-Encoding`; undefined where it goes as it is. */
  readonly coding: string | undefined;
}

/** Whether a body of this length is compressed for this client. Most requests pay for this question and no more. */
export function isCoded(request: Request, length: number): boolean {
  return length >= CODED_FROM_BYTES && codingFor(request) !== undefined;
}

/** The body in the coding that the client likes best. */
export async function inCoding(request: Request, body: Buffer): Promise<Coded> {
  const coding = body.length >= CODED_FROM_BYTES ? codingFor(request) : undefined;
  const encode = coding === undefined ? undefined : encoders[coding];
  return encode ? { body: await encode(body), coding } : { body, coding: undefined };
}

/** Only codings that the client names. Without Accept-Encoding, or with `*` alone, it may be unable to decode any. */
function codingFor(request: Request): string | undefined {
  const header = request.headers['accept-encoding'];
  if (typeof header !== 'string') return undefined;
  const tokens = header.toLowerCase().split(',');
  const named = offered.filter((each) => tokens.some((token) => token.split(';', 1)[0]?.trim() === each));
  if (named.length === 0) return undefined;
  // The order in the header means nothing; only q-values rank codings.
  const best = header.includes(';') ? request.acceptsEncodings(named) : named[0];
  return best === false || best === 'identity' ? undefined : best;
}
