import { details, errorCodes, errors } from '@perennial/schemas/errors.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { type RequestHandler, Router } from 'express';
import { exchangeOf } from './exchange.ts';
import type { Readiness } from './readiness.ts';
import { envelope, sendJson } from './respond.ts';
import type { ServiceDate } from './version/service-date.ts';

const PAGES = /^\/(?:health|ready|versions|errors)\/?$/i;

/** Pages about the service itself: no version, no key. */
export function servicePages(
  serviceDate: ServiceDate,
  readiness: () => Promise<Readiness>,
  newestSemver: string,
  translator: Translator,
): RequestHandler {
  const router = Router();
  router.get('/health', (_request, response) => {
    sendJson(response, 200, envelope(exchangeOf(response), newestSemver, 'data', { status: 'ok' }));
  });
  router.get('/ready', async (_request, response) => {
    const data = await readiness();
    const status = data.status === 'ready' ? 200 : 503;
    sendJson(response, status, envelope(exchangeOf(response), newestSemver, 'data', data));
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
      codes: [...errorCodes.map((code) => ({ code, ...errors[code] })), ...olderCodes(translator)],
      detail_codes: Object.entries(details).map(([code, message]) => ({ code, message })),
    };
    sendJson(response, 200, envelope(exchangeOf(response), newestSemver, 'data', data));
  });
  return (request, response, next) => {
    if (PAGES.test(exchangeOf(response).path)) router(request, response, next);
    else next();
  };
}

/** Error codes that only older versions use: their documentation links lead here as well. */
function olderCodes(translator: Translator): readonly { readonly code: string; readonly renamed_to: string }[] {
  return translator.catalogue.steps.flatMap((step) =>
    step.operationEdits.flatMap((edit) => {
      if (edit.kind !== 'error-code' && edit.kind !== 'operation-error') return [];
      const older =
        edit.kind === 'error-code'
          ? { code: edit.older, status: edit.olderStatus }
          : 'code' in edit.older
            ? edit.older
            : undefined;
      // An operation of its own may have called it by a code that others still answer.
      if (!older || errorCodes.some((code) => code === older.code)) return [];
      const { status, message } = errors[edit.newer];
      return [{ code: older.code, status: older.status ?? status, message, renamed_to: edit.newer }];
    }),
  );
}
