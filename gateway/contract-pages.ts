import { additions } from '@perennial/schemas/additions.ts';
import type { Standing } from '@perennial/schemas/lifecycle.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { changelogMarkdown, changelogOf } from '@perennial/translators/contract/changelog.ts';
import { documentText } from '@perennial/translators/contract/document.ts';
import { openApiOf } from '@perennial/translators/contract/openapi.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { type RequestHandler, type Response, Router } from 'express';
import { exchangeOf } from './exchange.ts';
import { envelope, putCommonHeaders, sendJson } from './respond.ts';
import type { ServiceDate } from './version/service-date.ts';

const PAGES = /^\/(?:openapi\/[^/]*|changelog)\/?$/i;

/**
 * What each version promises and what each changed: no version, no key. A sunset version's document stays readable,
 * for those who must leave it; a release that does not exist yet is not told of.
 */
export function contractPages(serviceDate: ServiceDate, translator: Translator, newestSemver: string): RequestHandler {
  const router = Router();
  // Standings are the same objects for a whole day, so a document is made once a day and version.
  const documents = new WeakMap<Standing, string>();
  router.get('/openapi/:file', (request, response) => {
    const release = /^v?(\d{4}-\d{2}-\d{2})\.json$/.exec(request.params.file)?.[1];
    const standing = serviceDate.standings().find((each) => each.release.id === release);
    if (!standing) throw new Fault('not_found');
    let text = documents.get(standing);
    if (text === undefined) {
      text = documentText(openApiOf(translator, standing.release, standing));
      documents.set(standing, text);
    }
    sendJson(response, 200, text);
  });
  router.get('/changelog', (request, response) => {
    const entries = changelogOf(
      translator.catalogue,
      serviceDate.standings().map(({ release }) => release),
      additions,
    );
    if (request.accepts(['text/markdown', 'application/json']) === 'application/json')
      sendJson(response, 200, envelope(exchangeOf(response), newestSemver, 'data', { releases: entries }));
    else sendText(response, 'text/markdown; charset=utf-8', changelogMarkdown(entries));
  });
  return (request, response, next) => {
    if (PAGES.test(exchangeOf(response).path)) router(request, response, next);
    else next();
  };
}

function sendText(response: Response, type: string, text: string): void {
  putCommonHeaders(response, exchangeOf(response));
  response.setHeader('content-type', type);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.statusCode = 200;
  response.end(text);
}
