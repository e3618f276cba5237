import type { VNode } from 'preact';
import type { Assets } from './assets.ts';
import { html, type Piece } from './html.ts';
import type { SignedIn } from './portal.ts';

/** What every page is drawn with. */
export interface View {
  readonly assets: Assets;
  readonly signedIn: SignedIn | undefined;
  /** As the reader chose it; undefined where the system decides. */
  readonly theme: 'light' | 'dark' | undefined;
  /** Below the host, for `aria-current`. */
  readonly path: string;
}

/** One page. */
export interface Page {
  readonly title: string;
  readonly body: Piece;
  /** Bundles that it needs beside the one of every page. */
  readonly scripts?: readonly string[];
  readonly status?: number;
  /** Inline styles are let through: the viewer of the reference makes them as it runs. */
  readonly inlineStyles?: true;
}

const LINKS = [
  ['/portal/reference', 'Reference'],
  ['/portal/changelog', 'Changelog'],
  ['/portal/compare', 'Compare'],
  ['/portal/migrate', 'Migrate'],
  ['/portal/translation', 'Translation'],
] as const;

/** Made before there were modules. */
const VIEWER = 'redoc.js';

/** The page with everything around it. */
export function documentOf(page: Page, view: View): VNode {
  const { assets, signedIn, theme, path } = view;
  return html`<html lang="en" data-theme=${theme}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${page.title === 'Perennial' ? page.title : `${page.title} · Perennial`}</title>
      <link rel="icon" type="image/svg+xml" href=${assets.url('icon.svg')} />
      <link rel="preload" as="font" type="font/woff2" crossorigin href=${assets.url('inter-latin-wght-normal.woff2')} />
      <link rel="stylesheet" href=${assets.url('style.css')} />
      <script type="module" src=${assets.url('portal.js')}></script>
      ${(page.scripts ?? []).map((name) => (name === VIEWER ? html`<script defer src=${assets.url(name)}></script>` : html`<script type="module" src=${assets.url(name)}></script>`))}
    </head>
    <body>
      <a class="skip" href="#main">Skip to the content</a>
      <header class="bar">
        <div class="wrap">
          <a class="brand" href="/"><img src=${assets.url('icon.svg')} alt="" width="28" height="28" />Perennial</a>
          <nav aria-label="Portal">
            <ul class="links">
              ${LINKS.map(
                ([href, name]) =>
                  html`<li><a href=${href} aria-current=${path === href || path.startsWith(`${href}/`) ? 'page' : undefined}>${name}</a></li>`,
              )}
            </ul>
          </nav>
          <div class="side">
            ${
              signedIn
                ? html`<form method="post" action="/portal/sign-out">
                    <input type="hidden" name="token" value=${signedIn.token()} />
                    <button class="small">Sign out</button>
                  </form>`
                : html`<a class="button small" href="/portal/sign-in">Sign in</a>`
            }
            <button class="icon" type="button" data-theme-switch aria-label="Switch between light and dark" hidden>
              <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="8" fill="none" stroke="currentColor" stroke-width="2" /><path d="M12 4a8 8 0 0 1 0 16Z" fill="currentColor" /></svg>
            </button>
          </div>
        </div>
      </header>
      <main id="main" tabindex="-1">${page.body}</main>
      <footer class="foot">
        <div class="wrap">
          <span>Perennial, a version-translation gateway. Diagnostic results are decision support and no medical advice.</span>
          <span><a href="/versions">versions</a> · <a href="/errors">errors</a> · <a href="/changelog">changelog as text</a> · <a href="/health">health</a></span>
        </div>
      </footer>
    </body>
  </html>`;
}

/** The head of a page below the home page. */
export function pageHead(title: string, lead: Piece): VNode {
  return html`<div class="wrap page-head"><h1>${title}</h1><p class="lead">${lead}</p></div>`;
}
