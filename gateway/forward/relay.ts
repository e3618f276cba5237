import type { Readable } from 'node:stream';

/**
 * Answers that no change touches, for versions other than head: only `meta.version` is replaced, in what stands
 * before `data`, and the rest streams through unparsed (design, section 4).
 */

/** How core's envelope begins; the version is the only part that is replaced. */
const PREFIX =
  /^\{"requestId":"[^"\\]{1,80}","timestamp":"[^"\\]{1,40}","meta":\{"processingTimeMs":\d{1,12},"version":"([^"\\]{1,20})"\},"(data|error)":/;
/** No prefix is longer than this. */
const PREFIX_BYTES_MAX = 256;

/** The prefix was not what core writes. */
export class PrefixUnknown extends Error {
  override readonly name = 'PrefixUnknown';
}

/** The first bytes of an answer with the version replaced, or undefined when they are not an envelope of core. */
export function replaceVersion(start: Buffer, semver: string, member: 'data' | 'error'): Buffer | undefined {
  const text = start.subarray(0, PREFIX_BYTES_MAX).toString('latin1');
  const match = PREFIX.exec(text);
  if (match?.[2] !== member) return undefined;
  const version = match[1] as string;
  const end = match[0].length - `"},"${member}":`.length;
  const from = end - version.length;
  return Buffer.concat([start.subarray(0, from), Buffer.from(semver, 'latin1'), start.subarray(end)]);
}

/** An answer whose beginning is known to be right. */
export interface Relayed {
  /** The first bytes, with the version replaced. */
  readonly first: Buffer;
  /** By how many bytes the answer has grown. */
  readonly growth: number;
  /** What follows, or undefined when the first bytes were all. */
  readonly rest: AsyncIterable<Buffer> | undefined;
}

/**
 * Awaits the first bytes of an answer and replaces the version, before anything is sent: a wrong beginning is still
 * an error and not a broken body.
 * @throws {PrefixUnknown} and whatever ends the answer early.
 */
export async function openRelay(answer: Readable, semver: string, member: 'data' | 'error'): Promise<Relayed> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let start: Buffer = Buffer.alloc(0);
  let ended = false;
  while (!ended && start.length < PREFIX_BYTES_MAX) {
    const next = await chunks.next();
    if (next.done) ended = true;
    else start = start.length === 0 ? next.value : Buffer.concat([start, next.value]);
  }
  const first = replaceVersion(start, semver, member);
  if (!first) {
    answer.destroy();
    throw new PrefixUnknown('the answer does not begin with an envelope');
  }
  return {
    first,
    growth: first.length - start.length,
    rest: ended ? undefined : { [Symbol.asyncIterator]: () => chunks },
  };
}
