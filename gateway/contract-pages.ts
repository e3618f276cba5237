import { createHash } from 'node:crypto';
import { additions } from '@perennial/schemas/additions.ts';
import type { Standing } from '@perennial/schemas/lifecycle.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { changelogMarkdown, changelogOf } from '@perennial/translators/contract/changelog.ts';
import { openApiOf } from '@perennial/translators/contract/openapi.ts';
import { publishedOf } from '@perennial/translators/contract/published.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { LRUCache } from 'lru-cache';
import { type Coded, inCoding } from './codings.ts';
import { exchangeOf } from './exchange.ts';
import { operatorsDocument } from './operators-document.ts';
import { publicBase } from './public-base.ts';
import { commonHeadersOf, envelope, putCommonHeaders, sendJson, sendWhole } from './respond.ts';
import type { ServiceDate } from './version/service-date.ts';

/** Placeholder in a document for the address of the service as the client reaches it. */
const BASE = 'http://service.invalid';
/** A document for each version and name of the service, compressed in each coding that was asked for. */
const PREPARED_MAX = 24;
/** Values of Accept-Encoding remembered for each document. */
const CODINGS_MAX = 6;

/** A document as it was sent. */
interface Prepared {
  readonly plain: Buffer;
  readonly tag: string;
  readonly coded: Map<string, Coded>;
}

const PAGES = /^\/(?:openapi\/[^/]*|changelog)\/?$/i;

/**
 * What each version promises and what each changed: no version, no key. A sunset version's document stays readable,
 * for those who must leave it; a release that does not exist yet is not told of.
 */
export function contractPages(serviceDate: ServiceDate, translator: Translator, newestSemver: string): RequestHandler {
  const router = Router();
  // Standings are the same objects for a whole day, so a document is made once a day and version.
  const documents = new WeakMap<Standing, string>();
  const prepared = new LRUCache<string, Prepared>({ max: PREPARED_MAX });
  const textOf = (standing: Standing): string => {
    let text = documents.get(standing);
    if (text === undefined) {
      text = JSON.stringify(publishedOf(openApiOf(translator, standing.release, standing), BASE));
      documents.set(standing, text);
    }
    return text;
  };
  router.get('/openapi/operators.json', async (request, response) => {
    const base = publicBase(request, exchangeOf(response));
    await sendDocument(request, response, prepared, `operators ${base}`, () => operatorsDocument(base, newestSemver));
  });
  router.get('/openapi/:file', async (request, response) => {
    const release = /^v?(\d{4}-\d{2}-\d{2})\.json$/.exec(request.params.file)?.[1];
    const standing = serviceDate.standings().find((each) => each.release.id === release);
    if (!standing) throw new Fault('not_found');
    const base = publicBase(request, exchangeOf(response));
    await sendDocument(request, response, prepared, `${standing.state} ${release} ${base}`, () =>
      textOf(standing).replaceAll(BASE, base),
    );
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

async function sendDocument(
  request: Request,
  response: Response,
  prepared: LRUCache<string, Prepared>,
  key: string,
  make: () => string,
): Promise<void> {
  let known = prepared.get(key);
  if (!known) {
    const plain = Buffer.from(make());
    known = { plain, tag: createHash('sha256').update(plain).digest('base64url').slice(0, 22), coded: new Map() };
    prepared.set(key, known);
  }
  const asked = String(request.headers['accept-encoding']);
  const coded = known.coded.get(asked) ?? (await inCoding(request, known.plain));
  if (known.coded.size < CODINGS_MAX) known.coded.set(asked, coded);
  const raw = commonHeadersOf(exchangeOf(response));
  const etag = `"${known.tag}${coded.coding === undefined ? '' : `-${coded.coding}`}"`;
  raw.push('etag', etag);
  if (request.headers['if-none-match']?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)) {
    sendWhole(response, 304, raw, undefined);
    return;
  }
  raw.push('content-type', 'application/json; charset=utf-8', 'content-length', String(coded.body.length));
  if (coded.coding !== undefined) raw.push('content-encoding', coded.coding);
  response.writeHead(200, raw);
  response.end(request.method === 'HEAD' ? undefined : coded.body);
}

function sendText(response: Response, type: string, text: string): void {
  putCommonHeaders(response, exchangeOf(response));
  response.setHeader('content-type', type);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.statusCode = 200;
  response.end(text);
}
