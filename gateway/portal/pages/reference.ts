import type { Standing } from '@perennial/schemas/lifecycle.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { documentText, type OpenApiDocument, type OpenApiOperation } from '@perennial/translators/contract/document.ts';
import { openApiOf } from '@perennial/translators/contract/openapi.ts';
import { publishedOf } from '@perennial/translators/contract/published.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { ServiceDate } from '../../version/service-date.ts';
import { codeSamples } from '../code-samples.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import type { Asked, PageRoute } from '../portal.ts';

/** What the reference is made of. */
export interface ReferenceParts {
  readonly serviceDate: ServiceDate;
  readonly translator: Translator;
}

/**
 * Every operation of a version, drawn by Redoc from its document. A version is changed without losing one's place, for
 * operations have the same ids in all of them.
 */
export function referencePages({ serviceDate, translator }: ReferenceParts): readonly PageRoute[] {
  const find = (name: string | undefined): Standing | undefined => {
    const all = serviceDate.standings();
    return name === undefined
      ? (all.find(({ state }) => state === 'current') ?? all[0])
      : all.find(({ release }) => release.id === name);
  };

  const show = ({ parameters }: Asked): Page => {
    const standing = find(parameters['version']);
    if (!standing) throw new Fault('not_found', { message: 'There is no such version.' });
    const { release, state } = standing;
    const { operations } = translator.contract(release.id);
    const prefix = state === 'preview' ? `/preview/${release.id}` : `/v${release.id}`;
    const body = html`
      <div class="wrap wide page-head">
        <div class="head-row"><h1>Reference</h1><span class=${`pill ${state}`}>${state}</span></div>
        <div class="fields">
          <div><label for="version">Version</label><select id="version" data-go>${serviceDate.standings().map((each) => html`<option value=${`/portal/reference/${each.release.id}`} selected=${each.release.id === release.id}>v${each.release.id} (${each.state})</option>`)}</select></div>
          <div class="grow"><label for="jump">Operation</label><select id="jump" data-jump><option value="">Go to…</option>${operations.map(({ id, summary }) => html`<option value=${id}>${id}: ${summary}</option>`)}</select></div>
        </div>
        <details class="card spaced" id="try"><summary>Try it against this gateway</summary>
          <form class="stack" data-try data-prefix=${prefix} autocomplete="off">
            <div class="fields">
              <div><label for="try-method">Method</label><select id="try-method" name="method">${METHODS.map((each) => html`<option>${each}</option>`)}</select></div>
              <div class="grow"><label for="try-path">Path and query below ${prefix}</label><input id="try-path" name="path" class="mono" required value="/patients?limit=2" spellcheck="false" /></div>
              <div><label for="try-key">API key</label><input id="try-key" name="key" type="password" class="mono" autocomplete="off" spellcheck="false" aria-describedby="try-hint" /></div>
            </div>
            <p class="hint" id="try-hint">The key stays in this page’s memory: it is in no address, no cookie and no storage, and is gone when you leave.</p>
            <div><label for="try-body">Body, where the operation takes one</label><textarea id="try-body" name="body" rows="6" spellcheck="false"></textarea></div>
            <p class="actions"><button class="primary">Send</button></p>
            <div data-reply aria-live="polite"></div>
          </form>
        </details>
        <noscript><p class="notice">The reference is drawn by a script. The <a href=${`/openapi/${release.id}.json`}>document</a> has the same in it.</p></noscript>
      </div>
      <div class="viewer" id="viewer" data-document=${`/portal/reference/${release.id}/document.json`}><p class="empty">Loading the reference…</p></div>`;
    return { title: `Reference v${release.id}`, body, scripts: ['redoc.js', 'reference.js'], inlineStyles: true };
  };

  // Standings are the same objects for a whole day, so a document is made once a day and version.
  const documents = new WeakMap<Standing, string>();
  const document = ({ parameters }: Asked): { readonly json: string } => {
    const standing = find(parameters['version']);
    if (!standing) throw new Fault('not_found');
    let text = documents.get(standing);
    if (text === undefined) {
      text = documentText(withSamples(publishedOf(openApiOf(translator, standing.release, standing), '')));
      documents.set(standing, text);
    }
    return { json: text };
  };

  return [
    { method: 'GET', path: '/portal/reference', for: 'anybody', handle: show },
    { method: 'GET', path: '/portal/reference/:version', for: 'anybody', handle: show },
    { method: 'GET', path: '/portal/reference/:version/document.json', for: 'anybody', handle: document },
  ];
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The document with samples of code at each operation, which is how viewers expect them. */
function withSamples(document: OpenApiDocument): OpenApiDocument {
  const base = document.servers[0]?.url ?? '';
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]: [string, OpenApiOperation]) => [
        method,
        { ...operation, 'x-codeSamples': codeSamples(method.toUpperCase(), `${base}${path}`, operation) },
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}
