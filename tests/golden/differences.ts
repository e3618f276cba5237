import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GoldenFile, WrittenFile, WrittenRelease } from './exchange.ts';

/*
 * Golden exchanges are kept as differences to the release before, so that a release that changes little adds little, one
 * that changes nothing adds nothing, and what is recorded for a release is never touched by a later one.
 */

export const goldenDir: string = fileURLToPath(new URL('.', import.meta.url));

export function fileOf(release: string, operation: string): string {
  return join(goldenDir, release, `${operation}.json`);
}

export function releaseFileOf(release: string): string {
  return join(goldenDir, release, 'release.json');
}

/** What is recorded, or undefined. */
export async function readGolden<T>(path: string): Promise<T | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** What is recorded of the calendar of a release, if it was recorded. */
export function readRelease(release: string): Promise<WrittenRelease | undefined> {
  return readGolden<WrittenRelease>(releaseFileOf(release));
}

/** The exchanges of an operation at the last of the releases, which are given oldest first. */
export async function readWhole(releases: readonly string[], operation: string): Promise<GoldenFile | undefined> {
  let whole: GoldenFile | undefined;
  for (const release of releases) whole = lengthened(whole, await readGolden(fileOf(release, operation)));
  return whole;
}

/** What has to be written of a release's exchanges, given those of the release before; undefined for nothing. */
export function shortened(before: GoldenFile | undefined, whole: GoldenFile): WrittenFile | undefined {
  if (same(before, whole)) return undefined;
  const exchanges = whole.exchanges.map((each) =>
    same(
      before?.exchanges.find(({ name }) => name === each.name),
      each,
    )
      ? { name: each.name }
      : each,
  );
  return {
    operation: whole.operation,
    ...(same(before?.headers, whole.headers) ? {} : { headers: whole.headers }),
    exchanges,
  };
}

function lengthened(before: GoldenFile | undefined, written: WrittenFile | undefined): GoldenFile | undefined {
  if (!written) return before;
  const exchanges = written.exchanges.map((each) => {
    if ('request' in each) return each;
    const known = before?.exchanges.find(({ name }) => name === each.name);
    if (!known) throw new Error(`${written.operation}: "${each.name}" is recorded nowhere: npm run golden -- record`);
    return known;
  });
  return { operation: written.operation, headers: written.headers ?? before?.headers ?? {}, exchanges };
}

/** Order of keys included: clients see it. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
