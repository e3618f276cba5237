import type { Database } from '@perennial/prisma/client.ts';
import { details, errorCodes, errors } from '@perennial/schemas/errors.ts';
import { type RequestHandler, Router } from 'express';
import { exchangeOf } from './exchange.ts';
import { envelope, sendJson } from './respond.ts';
import type { ServiceDate } from './version/service-date.ts';

const PAGES = /^\/(?:health|ready|versions|errors)\/?$/i;

/** Pages about the service itself: no version, no key. */
export function servicePages(serviceDate: ServiceDate, database: Database, newestSemver: string): RequestHandler {
  const router = Router();
  router.get('/health', (_request, response) => {
    sendJson(response, 200, envelope(exchangeOf(response), newestSemver, 'data', { status: 'ok' }));
  });
  router.get('/ready', async (_request, response) => {
    const ready = await database.$queryRaw`SELECT 1`.then(
      () => true,
      () => false,
    );
    const data = { status: ready ? 'ready' : 'not_ready' };
    sendJson(response, ready ? 200 : 503, envelope(exchangeOf(response), newestSemver, 'data', data));
  });
  router.get('/versions', (_request, response) => {
    const data = {
      service_date: serviceDate.day(),
      service_date_source: serviceDate.source,
      ...(serviceDate.pinned
        ? {
            warning: 'The service date is pinned: no version retires by itself. Set SERVICE_DATE=system in production.',
          }
        : {}),
      versions: serviceDate.standings().map(({ release, state }) => ({
        version: `v${release.id}`,
        semver: release.semver,
        status: state,
        released: release.released ?? null,
        deprecated: release.deprecated ?? null,
        sunset: release.sunset ?? null,
        path: state === 'preview' ? `/preview/${release.id}` : `/v${release.id}`,
        openapi: `/openapi/${release.id}.json`,
      })),
    };
    sendJson(response, 200, envelope(exchangeOf(response), newestSemver, 'data', data));
  });
  router.get('/errors', (_request, response) => {
    const data = {
      codes: errorCodes.map((code) => ({ code, ...errors[code] })),
      detail_codes: Object.entries(details).map(([code, message]) => ({ code, message })),
    };
    sendJson(response, 200, envelope(exchangeOf(response), newestSemver, 'data', data));
  });
  return (request, response, next) => {
    if (PAGES.test(exchangeOf(response).path)) router(request, response, next);
    else next();
  };
}
