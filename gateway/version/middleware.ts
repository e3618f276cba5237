import type { IncomingHttpHeaders } from 'node:http';
import { type Standing, supported } from '@perennial/schemas/lifecycle.ts';
import { Fault, type FaultOptions } from '@perennial/schemas/platform/http/fault.ts';
import type { RequestHandler } from 'express';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { Lifecycle } from '../lifecycle/store.ts';
import { type Headers, versionHeaders } from './headers.ts';
import { resolveOpen, resolveVersion, type VersionRequest } from './resolve.ts';
import type { ServiceDate } from './service-date.ts';

/** A fault about the version itself: its answer names the versions that can be called. */
function versionFault(
  code: 'version_unknown' | 'version_sunset',
  all: readonly Standing[],
  options: FaultOptions = {},
): Fault {
  const supported_versions = supported(all).map(({ release }) => `v${release.id}`);
  return new Fault(code, { ...options, members: { supported_versions } });
}

/** Resolves what the path and the headers name. What they leave open is decided once the account is known. */
export function resolveNamedVersion(
  serviceDate: ServiceDate,
  roots: ReadonlySet<string>,
  headersOf: HeadersOf = headersOfCore,
): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const all = serviceDate.standings();
    const resolution = resolveVersion({ ...versionRequestOf(exchange.path, request.headers), roots }, all);
    if (resolution.kind === 'unreadable')
      throw new Fault('request_malformed', { message: 'The path of the request could not be read.' });
    if (resolution.kind === 'unknown') throw versionFault('version_unknown', all);
    exchange.path = resolution.path;
    exchange.prefix = resolution.prefix;
    if (resolution.kind === 'named') take(exchange, resolution.standing, all, headersOf);
    else exchange.major = resolution.major;
    next();
  };
}

/** Takes the account's pin, or what the calendar says, where the request named no version. */
export function resolvePinnedVersion(serviceDate: ServiceDate, headersOf: HeadersOf = headersOfCore): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    if (exchange.standing === undefined) {
      const all = serviceDate.standings();
      const standing = resolveOpen(exchange.major, exchange.pinnedRelease, all);
      if (!standing) throw versionFault('version_unknown', all, { message: 'No version has been released yet.' });
      take(exchange, standing, all, headersOf);
    }
    next();
  };
}

/**
 * 410 for a version that has reached its sunset, before anything else is asked of the client; unless accounts have it
 * for longer, of which the caller may be one. Asked again when the account is known.
 */
export function refuseSunset(
  serviceDate: ServiceDate,
  lifecycle: Acts = NO_ACTS,
  headersOf: HeadersOf = headersOfCore,
): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { standing, caller } = exchange;
    if (standing?.state === 'sunset') {
      const all = serviceDate.standings();
      const { release } = standing;
      const mayHaveLonger = lifecycle.hasExtension(release.id) && (caller ?? exchange.credential) !== undefined;
      if (!mayHaveLonger) throw versionFault('version_sunset', all);
      if (caller) {
        const until = lifecycle.extensionOf(release.id, caller.accountId);
        if (until === undefined || until <= serviceDate.day()) throw versionFault('version_sunset', all);
        take(exchange, extended(standing, until), all, headersOf);
      }
    } else if (standing?.state === 'deprecated' && caller)
      refuseBrownout(standing, caller.accountId, serviceDate, lifecycle);
    next();
  };
}

/** What operators have decided; see gateway/lifecycle. */
type Acts = Pick<Lifecycle, 'hasExtension' | 'extensionOf' | 'brownoutOf'>;

const NO_ACTS: Acts = { hasExtension: () => false, extensionOf: () => undefined, brownoutOf: () => undefined };

function refuseBrownout(standing: Standing, account: string, serviceDate: ServiceDate, lifecycle: Acts): void {
  const { id, sunset } = standing.release;
  const now = Date.now();
  const until = lifecycle.brownoutOf(id, account, now);
  if (until === undefined || lifecycle.extensionOf(id, account) !== undefined) return;
  const seconds = Math.max(1, Math.ceil((until.getTime() - now) / 1_000));
  throw versionFault('version_sunset', serviceDate.standings(), {
    message: `This version is switched off for some hours, as it will be for good from ${sunset ?? 'its sunset'} on. Please migrate.`,
    headers: { 'retry-after': String(seconds) },
  });
}

/** To whom a version is left for longer, it is what it was before its sunset. */
function extended(standing: Standing, until: string): Standing {
  const known = extensions.get(standing)?.get(until);
  if (known) return known;
  const made: Standing = { release: { ...standing.release, sunset: until }, state: 'deprecated' };
  extensions.set(standing, (extensions.get(standing) ?? new Map<string, Standing>()).set(until, made));
  return made;
}

const extensions = new WeakMap<Standing, Map<string, Standing>>();

function take(exchange: Exchange, standing: Standing, all: readonly Standing[], headersOf: HeadersOf): void {
  exchange.standing = standing;
  exchange.headers = headersOf(standing, all);
}

/** The headers of a version's answers. */
export type HeadersOf = (standing: Standing, all: readonly Standing[]) => Headers;

/** Standings are the same objects for a whole day, and so are their headers. @param common see `versionHeaders`. */
export function createHeadersOf(common?: Headers): HeadersOf {
  const cache = new WeakMap<Standing, Headers>();
  return (standing, all) => {
    let headers = cache.get(standing);
    if (!headers) {
      headers = versionHeaders(standing, all, common);
      cache.set(standing, headers);
    }
    return headers;
  };
}

const headersOfCore = createHeadersOf();

/** The version that a request names which is otherwise unusable, and the headers of its answers. */
export type NameVersion = (
  request: Omit<VersionRequest, 'roots'>,
) => { readonly standing: Standing; readonly headers: Headers } | undefined;

/** Whoever speaks a version reads in it why a request is refused, as far as the version can be made out. */
export function createNameVersion(
  serviceDate: ServiceDate,
  roots: ReadonlySet<string>,
  headersOf: HeadersOf = headersOfCore,
): NameVersion {
  return (request) => {
    const all = serviceDate.standings();
    // What cannot be decoded stands for itself.
    const path = request.path.replace(/%(?![0-9A-Fa-f]{2})/g, '%25');
    const resolution = resolveVersion({ ...request, path, roots }, all);
    if (resolution.kind !== 'named' || resolution.standing.state === 'sunset') return undefined;
    return { standing: resolution.standing, headers: headersOf(resolution.standing, all) };
  };
}

/** What of a request names a version. */
export function versionRequestOf(path: string, headers: IncomingHttpHeaders): Omit<VersionRequest, 'roots'> {
  return {
    path,
    serviceVersion: header(headers['service-version']),
    semverHeader: header(headers['x-service-version']),
  };
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
