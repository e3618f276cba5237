import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Request, Response } from 'express';
import { exchangeOf } from '../exchange.ts';
import { commonHeadersOf, sendWhole } from '../respond.ts';
import type { Assets } from './assets.ts';
import { render } from './html.ts';
import { documentOf, type Page, type View } from './layout.ts';

/** Leads to another page, with a cookie where one is to be set. */
export interface Redirect {
  readonly location: string;
  readonly cookie?: string;
}

const COMPRESSED_FROM_BYTES = 1_024;
const BROTLI_QUALITY = 4;
const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);
const policy = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';');
const STRICT = policy('');
const WITH_INLINE_STYLES = policy(" 'unsafe-inline'");

/** Leads to another page. */
export function redirect(response: Response, { location, cookie }: Redirect): void {
  const raw = commonHeadersOf(exchangeOf(response));
  raw.push('location', location, 'content-length', '0');
  if (cookie !== undefined) raw.push('set-cookie', cookie);
  sendWhole(response, 303, raw, undefined);
}

/** Answers a page. */
export async function send(request: Request, response: Response, page: Page, view: View): Promise<void> {
  const raw = withPolicy(commonHeadersOf(exchangeOf(response)), page.inlineStyles ? WITH_INLINE_STYLES : STRICT);
  raw.push('content-type', 'text/html; charset=utf-8');
  await sendText(request, response, page.status ?? 200, raw, render(documentOf(page, view)));
}

/** Answers a document that a page reads. */
export async function sendDocument(request: Request, response: Response, json: string): Promise<void> {
  const raw = withPolicy(commonHeadersOf(exchangeOf(response)), STRICT);
  raw.push('content-type', 'application/json; charset=utf-8');
  await sendText(request, response, 200, raw, json);
}

async function sendText(
  request: Request,
  response: Response,
  status: number,
  raw: ReturnType<typeof commonHeadersOf>,
  text: string,
): Promise<void> {
  let bytes: Buffer = Buffer.from(text);
  const coding = bytes.length < COMPRESSED_FROM_BYTES ? false : request.acceptsEncodings(['br', 'gzip']);
  if (coding === 'br') bytes = await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  else if (coding === 'gzip') bytes = await deflate(bytes);
  if (coding) raw.push('content-encoding', coding);
  raw.push('content-length', String(bytes.length));
  response.writeHead(status, raw);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** The policy of a page in place of that of an answer that is no page. */
function withPolicy(raw: ReturnType<typeof commonHeadersOf>, value: string): ReturnType<typeof commonHeadersOf> {
  const at = raw.indexOf('content-security-policy');
  if (at >= 0) raw[at + 1] = value;
  else raw.push('content-security-policy', value);
  const vary = raw.indexOf('vary');
  if (vary >= 0) raw[vary + 1] = 'Accept, Accept-Encoding, Cookie';
  return raw;
}

/** Answers a file that pages refer to. */
export function sendAsset(
  request: Request,
  response: Response,
  assets: Assets,
  name: string,
  next: (error: unknown) => void,
): void {
  const asset = assets.find(name);
  if (!asset) {
    next(new Fault('not_found'));
    return;
  }
  const coding = asset.br && asset.gzip ? request.acceptsEncodings(['br', 'gzip']) : false;
  const bytes = (coding === 'br' ? asset.br : coding === 'gzip' ? asset.gzip : undefined) ?? asset.bytes;
  const raw = commonHeadersOf(exchangeOf(response));
  // Its name changes with its content.
  raw[raw.indexOf('cache-control') + 1] = 'public, max-age=31536000, immutable';
  raw[raw.indexOf('vary') + 1] = 'Accept-Encoding';
  raw.push('content-type', asset.type, 'content-length', String(bytes.length));
  if (coding) raw.push('content-encoding', coding);
  response.writeHead(200, raw);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
