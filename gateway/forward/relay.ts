import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Answers that no change touches, for versions other than head: only `meta.version` is replaced, in what stands
 * before `data`, and the rest streams through unparsed (design, section 4).
 */

/** How core's envelope begins; the version is the only part that is replaced. */
const PREFIX =
  /^\{"requestId":"[^"\\]{1,80}","timestamp":"[^"\\]{1,40}","meta":\{"processingTimeMs":\d{1,12},"version":"([^"\\]{1,20})"/;
/** No prefix is longer than this. */
const PREFIX_BYTES_MAX = 256;

/** The prefix was not what core writes. */
export class PrefixUnknown extends Error {
  override readonly name = 'PrefixUnknown';
}

/** The first bytes of an answer with the version replaced, or undefined when they are not an envelope of core. */
export function replaceVersion(start: Buffer, semver: string): Buffer | undefined {
  const text = start.subarray(0, PREFIX_BYTES_MAX).toString('latin1');
  const match = PREFIX.exec(text);
  if (!match) return undefined;
  const end = match[0].length - 1;
  const from = end - (match[1] as string).length;
  return Buffer.concat([start.subarray(0, from), Buffer.from(semver, 'latin1'), start.subarray(end)]);
}

/**
 * Passes an answer on with the version replaced. The first bytes are awaited, so that a wrong beginning is still an
 * error and not a broken body.
 * @throws {PrefixUnknown} before anything has been sent.
 */
export async function relayBody(
  answer: Readable,
  length: number | undefined,
  semver: string,
  response: Response,
): Promise<void> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let start: Buffer = Buffer.alloc(0);
  let ended = false;
  while (!ended && start.length < PREFIX_BYTES_MAX) {
    const next = await chunks.next();
    if (next.done) ended = true;
    else start = start.length === 0 ? next.value : Buffer.concat([start, next.value]);
  }
  const replaced = replaceVersion(start, semver);
  if (!replaced) throw new PrefixUnknown('the answer does not begin with an envelope');
  if (length !== undefined) response.setHeader('content-length', length + replaced.length - start.length);
  if (ended) {
    response.end(replaced);
    return;
  }
  response.write(replaced);
  await pipeline({ [Symbol.asyncIterator]: () => chunks }, response);
}
