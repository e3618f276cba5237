import { currentOf, majorOf, type Standing } from '@perennial/schemas/lifecycle.ts';

/** What of a request names a version. */
export interface VersionRequest {
  /** Path without query, as sent. */
  readonly path: string;
  /** `Service-Version`. */
  readonly serviceVersion: string | undefined;
  /** `X-Service-Version`. */
  readonly semverHeader: string | undefined;
  /** First path segments of operations, to tell a misspelt version from a misspelt resource. */
  readonly roots: ReadonlySet<string>;
}

/** What the request named, before the key is known. */
export type Resolution =
  | {
      readonly kind: 'named';
      readonly standing: Standing;
      /** The path below the version segment. */
      readonly path: string;
      /** The version segment as the client wrote it, to be put before addresses that it is given: `/v2`. */
      readonly prefix: string;
    }
  | {
      /** Nothing was named, or only a major: the account's pin decides, then the calendar. */
      readonly kind: 'open';
      readonly major: number | undefined;
      readonly path: string;
      readonly prefix: string;
    }
  | { readonly kind: 'unknown' }
  /** The path cannot be read. */
  | { readonly kind: 'unreadable' };

const DATE_SEGMENT = /^v(\d{4}-\d{2}-\d{2})$/;
const MAJOR_SEGMENT = /^v(\d{1,4})$/;
/** What only a version would look like: `v2.5.0`, `v2023-1-1`, `2023-10-15`, `vlatest` stays a resource name. */
const VERSION_LIKE = /^v?\d/i;
const DATE_HEADER = /^v?(\d{4}-\d{2}-\d{2})$/;
const SEMVER_HEADER = /^v?(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})?$/;

/**
 * Finds the version that a request names: the path beats `Service-Version`, which beats
 * `X-Service-Version`. What is beaten is not looked at. A version is looked for only in the first path segment.
 */
export function resolveVersion(request: VersionRequest, all: readonly Standing[]): Resolution {
  const path = normalisePath(request.path);
  if (path === undefined) return { kind: 'unreadable' };
  const { first, rest } = splitFirst(path);
  // A service may have paths of its own that look like a version.
  if (request.roots.has(first)) return byHeaders(request, all, path, '', undefined);

  const date = DATE_SEGMENT.exec(first);
  if (date) return named(findDate(all, date[1] as string), rest, `/${first}`);
  if (first === 'preview') {
    const { first: day, rest: below } = splitFirst(rest);
    return named(
      all.find(({ release, state }) => release.id === day && state === 'preview'),
      below,
      `/preview/${day}`,
    );
  }
  const major = MAJOR_SEGMENT.exec(first);
  if (major) {
    const number = Number(major[1]);
    const ofMajor = all.filter(({ release, state }) => state !== 'preview' && majorOf(release) === number);
    if (ofMajor.length === 0) return { kind: 'unknown' };
    // Whatever would decide inside it, nothing of this major is left: that needs no key to be told.
    if (ofMajor.every(({ state }) => state === 'sunset')) return named(ofMajor[0], rest, `/${first}`);
    return byHeaders(request, all, rest, `/${first}`, number);
  }
  if (VERSION_LIKE.test(first)) return { kind: 'unknown' };
  // `/banana/patients`: a first segment before a resource can only be a wrong version.
  if (!request.roots.has(first) && request.roots.has(splitFirst(rest).first)) return { kind: 'unknown' };
  return byHeaders(request, all, path, '', undefined);
}

/** The release of a request that named none: the pin, if it exists and has been released, else the newest allowed. */
export function resolveOpen(
  major: number | undefined,
  pinned: string | undefined,
  all: readonly Standing[],
): Standing | undefined {
  const candidates = all.filter(
    ({ release, state }) => state !== 'preview' && (major === undefined || majorOf(release) === major),
  );
  const pin = pinned === undefined ? undefined : candidates.find(({ release }) => release.id === pinned);
  if (pin) return pin;
  if (major !== undefined) return candidates[0];
  const current = currentOf(all);
  return candidates.find(({ release }) => release === current) ?? candidates[0];
}

function byHeaders(
  request: VersionRequest,
  all: readonly Standing[],
  path: string,
  prefix: string,
  major: number | undefined,
): Resolution {
  const open: Resolution = { kind: 'open', major, path, prefix };
  const admit = (standing: Standing | undefined): Resolution | undefined => {
    if (!standing) return { kind: 'unknown' };
    // Inside /v2/ a header that names another major loses.
    return major !== undefined && majorOf(standing.release) !== major ? undefined : named(standing, path, prefix);
  };
  if (request.serviceVersion !== undefined) {
    const match = DATE_HEADER.exec(request.serviceVersion.trim());
    const resolution = admit(match ? findDate(all, match[1] as string) : undefined);
    if (resolution) return resolution;
  }
  if (request.semverHeader !== undefined) {
    const match = SEMVER_HEADER.exec(request.semverHeader.trim());
    const resolution = admit(match ? findSemver(all, Number(match[1]), Number(match[2])) : undefined);
    if (resolution) return resolution;
  }
  return open;
}

function named(standing: Standing | undefined, path: string, prefix: string): Resolution {
  return standing ? { kind: 'named', standing, path, prefix } : { kind: 'unknown' };
}

function findDate(all: readonly Standing[], id: string): Standing | undefined {
  return all.find(({ release, state }) => release.id === id && state !== 'preview');
}

/** The patch number never matters. */
function findSemver(all: readonly Standing[], major: number, minor: number): Standing | undefined {
  return all.find(({ release, state }) => {
    const [ownMajor, ownMinor] = release.semver.split('.').map(Number);
    return state !== 'preview' && ownMajor === major && ownMinor === minor;
  });
}

function splitFirst(path: string): { readonly first: string; readonly rest: string } {
  const slash = path.indexOf('/', 1);
  return slash < 0 ? { first: path.slice(1), rest: '/' } : { first: path.slice(1, slash), rest: path.slice(slash) };
}

/**
 * The path with empty and dot segments resolved and unreserved characters decoded (RFC 3986, section 6.2.2), so that
 * `//v2/./patients` and `/%76%32/patients` are `/v2/patients`. Undefined when it cannot be read.
 */
export function normalisePath(path: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  if (!/%|\/\/|\/\./.test(path)) return path;
  if (/%(?![0-9A-Fa-f]{2})/.test(path)) return undefined;
  const decoded = path.replace(/%([0-9A-Fa-f]{2})/g, (triplet, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : triplet.toUpperCase();
  });
  const segments: string[] = [];
  for (const segment of decoded.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}${decoded.length > 1 && decoded.endsWith('/') && segments.length > 0 ? '/' : ''}`;
}
