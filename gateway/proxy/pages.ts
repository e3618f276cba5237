import type { History } from '@perennial/schemas/history.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { changelogMarkdown, changelogOf } from '@perennial/translators/contract/changelog.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { RequestHandler, Response } from 'express';
import { exchangeOf } from '../exchange.ts';
import { commonHeadersOf } from '../respond.ts';
import type { ServiceDate } from '../version/service-date.ts';
import type { ForeignContract } from './contract-in.ts';
import { documentAt } from './document-at.ts';
import { sendText } from './problem.ts';

/** What the pages are made of. */
export interface ProxyPagesOptions {
  readonly history: History;
  readonly serviceDate: ServiceDate;
  readonly translator: Translator;
  readonly document: JsonObject;
  readonly foreign: ForeignContract;
  /** First segments of the service's own paths: a page that one of them would hide is left to the service. */
  readonly roots: ReadonlySet<string>;
}

const DOCUMENT = /^\/openapi\/v?(\d{4}-\d{2}-\d{2})\.json$/;

/** Which versions there are, what each changed, and the OpenAPI document of each. */
export function proxyPages(options: ProxyPagesOptions): RequestHandler {
  const { serviceDate, translator, roots } = options;
  const documents = new Map<string, string>();
  const documentOf = (release: string): string => {
    let text = documents.get(release);
    if (text === undefined) {
      text = JSON.stringify(documentAt(options.document, options.foreign, translator, release));
      documents.set(release, text);
    }
    return text;
  };
  return (request, response, next) => {
    const { path } = exchangeOf(response);
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !roots.has(path.split('/')[1] as string);
    const release = isPage ? DOCUMENT.exec(path)?.[1] : undefined;
    const known = serviceDate.standings().find((standing) => standing.release.id === release);
    if (isPage && path === '/versions') answer(response, 'application/json', JSON.stringify(versions(serviceDate)));
    else if (isPage && path === '/changelog') answer(response, 'text/markdown; charset=utf-8', changelog(options));
    else if (known) answer(response, 'application/json', documentOf(known.release.id));
    else next();
  };
}

function answer(response: Response, type: string, text: string): void {
  sendText(response, 200, commonHeadersOf(exchangeOf(response)), type, text);
}

function versions(serviceDate: ServiceDate): unknown {
  return {
    service_date: serviceDate.day(),
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
}

function changelog({ serviceDate, translator }: ProxyPagesOptions): string {
  const releases = serviceDate.standings().map(({ release }) => release);
  return changelogMarkdown(changelogOf(translator.catalogue, releases, {}));
}
