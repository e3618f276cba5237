import { Fault } from '@perennial/schemas/http/fault.ts';
import { type Standing, supported } from '@perennial/schemas/lifecycle.ts';
import type { RequestHandler } from 'express';
import { type Exchange, exchangeOf } from '../exchange.ts';
import { versionHeaders } from './headers.ts';
import { resolveOpen, resolveVersion } from './resolve.ts';
import type { ServiceDate } from './service-date.ts';

/** A fault about the version itself: its answer names the versions that can be called, in the newest error shape. */
export class VersionFault extends Fault {
  readonly supportedVersions: readonly string[];

  constructor(code: 'version_unknown' | 'version_sunset', all: readonly Standing[], message?: string) {
    super(code, message === undefined ? {} : { message });
    this.supportedVersions = supported(all).map(({ release }) => `v${release.id}`);
  }
}

/** Resolves what the path and the headers name. What they leave open is decided once the account is known. */
export function resolveNamedVersion(serviceDate: ServiceDate, roots: ReadonlySet<string>): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const all = serviceDate.standings();
    const resolution = resolveVersion(
      {
        path: exchange.path,
        serviceVersion: header(request.headers['service-version']),
        semverHeader: header(request.headers['x-service-version']),
        roots,
      },
      all,
    );
    if (resolution.kind === 'unreadable')
      throw new Fault('request_malformed', { message: 'The path of the request could not be read.' });
    if (resolution.kind === 'unknown') throw new VersionFault('version_unknown', all);
    exchange.path = resolution.path;
    exchange.prefix = resolution.prefix;
    if (resolution.kind === 'named') take(exchange, resolution.standing, all);
    else exchange.major = resolution.major;
    next();
  };
}

/** Takes the account's pin, or what the calendar says, where the request named no version. */
export function resolvePinnedVersion(serviceDate: ServiceDate): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    if (exchange.standing === undefined) {
      const all = serviceDate.standings();
      const standing = resolveOpen(exchange.major, exchange.pinnedRelease, all);
      if (!standing) throw new VersionFault('version_unknown', all, 'No version has been released yet.');
      take(exchange, standing, all);
    }
    next();
  };
}

/** 410 for a version that has reached its sunset, before anything else is asked of the client. */
export function refuseSunset(serviceDate: ServiceDate): RequestHandler {
  return (_request, response, next) => {
    if (exchangeOf(response).standing?.state === 'sunset')
      throw new VersionFault('version_sunset', serviceDate.standings());
    next();
  };
}

function take(exchange: Exchange, standing: Standing, all: readonly Standing[]): void {
  exchange.standing = standing;
  let headers = cache.get(standing);
  if (!headers) {
    headers = versionHeaders(standing, all);
    cache.set(standing, headers);
  }
  exchange.headers = headers;
}

/** Standings are the same objects for a whole day, and so are their headers. */
const cache = new WeakMap<Standing, ReturnType<typeof versionHeaders>>();

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
