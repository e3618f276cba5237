import { readBytes } from '@perennial/schemas/platform/http/body.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Request } from 'express';

const FORM_BYTES_MAX = 1_500_000;

/** A form of another site must not be carried out, whether or not somebody has signed in. */
export function requireSameOrigin(request: Request): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  const isSame =
    site === undefined
      ? origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
      : site === 'same-origin';
  if (!isSame) throw new Fault('request_malformed');
}

/** What a form carries. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams((await readBytes(request, FORM_BYTES_MAX)).toString('utf8'));
}
