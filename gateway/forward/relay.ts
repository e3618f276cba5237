/**
 * Answers that no change touches, for versions other than head: only `meta.version` is replaced, in what stands
 * before `data`, and the rest stays as it is, unparsed.
 */

/** How core's envelope begins; the version is the only part that is replaced. */
const PREFIX =
  /^\{"requestId":"[^"\\]{1,80}","timestamp":"[^"\\]{1,40}","meta":\{"processingTimeMs":\d{1,12},"version":"([^"\\]{1,20})"\},"data":/;
/** No prefix is longer than this. */
const PREFIX_BYTES_MAX = 256;

/** An answer with the version replaced, or undefined when it is not an envelope of core with `data`. */
export function replaceVersion(answer: Buffer, semver: string): Buffer | undefined {
  const text = answer.subarray(0, PREFIX_BYTES_MAX).toString('latin1');
  const match = PREFIX.exec(text);
  if (!match) return undefined;
  const version = match[1] as string;
  const end = match[0].length - '"},"data":'.length;
  const from = end - version.length;
  return Buffer.concat([answer.subarray(0, from), Buffer.from(semver, 'latin1'), answer.subarray(end)]);
}
