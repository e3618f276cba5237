import { readFile } from 'node:fs/promises';
import type { Standing } from '@perennial/schemas/lifecycle.ts';
import { supported } from '@perennial/schemas/lifecycle.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { createExamples } from '@perennial/translators/contract/examples.ts';
import { levelOf, traceDown } from '@perennial/translators/contract/trace.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { Request } from 'express';
import type { VNode } from 'preact';
import { exchangeOf } from '../../exchange.ts';
import type { Readiness } from '../../readiness.ts';
import type { ServiceDate } from '../../version/service-date.ts';
import { codeBlock, differingLines } from '../code.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import type { Asked, PageRoute } from '../portal.ts';
import { daysBetween, timeline, timelineLegend } from '../timeline.ts';

/** What the home page tells of. */
export interface HomeParts {
  readonly serviceDate: ServiceDate;
  readonly translator: Translator;
  readonly readiness: () => Promise<Readiness>;
  /** The demo account's keys of `npm start` on its own database; undefined everywhere else. */
  readonly demoFile: string | undefined;
}

const SHOWN = 'Patient';

export function homePages(parts: HomeParts): readonly PageRoute[] {
  const { serviceDate, translator, readiness, demoFile } = parts;
  const home = async ({ request, response }: Asked): Promise<Page> => {
    const standings = serviceDate.standings();
    const today = serviceDate.day();
    const { status, checks } = await readiness();
    const demo = isLocal(request, exchangeOf(response).address) ? await readDemo(demoFile) : undefined;
    const oldest = supported(standings).at(-1);
    const body = html`
      <div class="hero">
        <div class="wrap">
          <p><span class=${`pill dot ${status === 'ready' ? 'good' : 'bad'}`} data-health>${
            status === 'ready'
              ? 'Gateway, core and database answer'
              : `Not ready: ${
                  Object.entries(checks)
                    .filter(([, check]) => check !== 'ok')
                    .map(([name]) => name)
                    .join(', ') || status
                }`
          }</span></p>
          <h1>Your integration of years ago still works. Every day.</h1>
          <p class="lead">Perennial is a healthcare AI service behind a gateway that translates versions: each client keeps exactly the shapes it was promised, while the service itself speaks only the newest.</p>
          <p class="actions">
            <a class="button primary" href="/portal/translation">See a translation</a>
            <a class="button" href="/portal/reference">Reference</a>
            <a class="button" href="/portal/changelog">What each version changed</a>
          </p>
        </div>
      </div>
      <div class="wrap">
        ${oldest ? sameObject(translator, oldest, standings) : null}
        <section aria-labelledby="versions">
          <div class="card">
            <div class="head-row"><h2 id="versions">Versions</h2><span class="hint">The service’s date is <strong>${today}</strong>${serviceDate.pinned ? ', pinned: no version retires by itself' : ''}.</span></div>
            ${timeline(standings, today)}
            ${timelineLegend()}
            <div class="table bare">${versionTable(standings, today)}</div>
          </div>
        </section>
        ${firstCall(demo, request, oldest)}
        <section aria-labelledby="everything">
          <h2 id="everything">Everything here</h2>
          <div class="grid">${LINKS.map(([href, name, text]) => html`<a class="card" href=${href}><h3>${name}</h3><p>${text}</p></a>`)}</div>
        </section>
      </div>`;
    return { title: 'Perennial', body };
  };
  return [
    { method: 'GET', path: '/', for: 'anybody', handle: home },
    { method: 'GET', path: '/portal', for: 'anybody', handle: home },
  ];
}

const LINKS = [
  [
    '/portal/reference',
    'Reference',
    'Every operation of every version, with code samples, to try against this gateway.',
  ],
  ['/portal/changelog', 'Changelog', 'What each version changed, in a sentence each, and what it added.'],
  ['/portal/compare', 'Compare', 'Any two versions side by side, each difference with the change behind it.'],
  ['/portal/migrate', 'Migrate', 'What moving from one version to another asks of your code.'],
  ['/portal/translation', 'See a translation', 'One request, followed through every change to the service and back.'],
  ['/versions', 'Versions', 'Every version with its state and dates, as JSON.'],
  ['/errors', 'Errors', 'Every code that an answer can have, as JSON.'],
] as const;

/** The same object as the oldest and the newest clients read it, made by the translators. */
function sameObject(translator: Translator, oldest: Standing, standings: readonly Standing[]): VNode | null {
  const { headRelease } = translator;
  if (oldest.release.id === headRelease) return null;
  const levels = { older: levelOf(translator, oldest.release.id), newer: translator.catalogue.steps.length };
  const data = createExamples(translator.contract(headRelease).resources).of(SHOWN) as JsonObject;
  const older = traceDown(translator, levels, SHOWN, data, undefined).data;
  const lines = differingLines(older, data);
  const count = standings.length;
  return html`<section aria-labelledby="same">
    <h2 id="same">One patient, two clients</h2>
    <p class="hint">Made this moment by the translators, out of one record. ${count} versions, one service, no second code path.</p>
    <div class="two">
      ${codeBlock(`A client of v${oldest.release.id} reads`, lines.older)}
      ${codeBlock(`A client of v${headRelease} reads`, lines.newer)}
    </div>
  </section>`;
}

function versionTable(standings: readonly Standing[], today: string): VNode {
  return html`<table class="days">
    <caption class="hidden-text">Versions and their dates</caption>
    <thead><tr><th scope="col">Version</th><th scope="col">State</th><th scope="col">Released</th><th scope="col">Deprecated</th><th scope="col">Sunset</th><th scope="col" class="number">Days to sunset</th></tr></thead>
    <tbody>${standings.map(({ release, state }) => {
      const left = release.sunset === undefined ? undefined : daysBetween(today, release.sunset);
      return html`<tr>
        <th scope="row"><a href=${`/portal/reference/${release.id}`}>v${release.id}</a> <span class="hint">${release.semver}</span></th>
        <td><span class=${`pill ${state}`}>${state}</span></td>
        <td>${release.released ?? '–'}</td><td>${release.deprecated ?? '–'}</td><td>${release.sunset ?? '–'}</td>
        <td class="number">${left === undefined ? '–' : left > 0 ? left : 'retired'}</td>
      </tr>`;
    })}</tbody>
  </table>`;
}

interface Demo {
  readonly apiKey: string;
  readonly legacyApiKey: string;
  readonly patientId: string;
}

function firstCall(demo: Demo | undefined, request: Request, oldest: Standing | undefined): VNode {
  const gateway = `http://${/^[A-Za-z0-9.:[\]-]{1,100}$/.test(request.headers.host ?? '') ? request.headers.host : 'localhost:8080'}`;
  const curl = (key: string, path: string): string =>
    `curl -s -H "Authorization: Bearer ${key}" \\\n  ${gateway}${path}`;
  const patient = demo?.patientId ?? '$PATIENT';
  return html`<section aria-labelledby="first">
    <h2 id="first">The first call</h2>
    <p class="hint">${
      demo
        ? 'With the keys of the demo account, which this page shows because it runs on this machine, on its own database.'
        : html`Put your key in the place of <code>$KEY</code>; whoever runs the service makes it.`
    }</p>
    <div class="two">
      ${oldest ? codeBlock(`As a client of v${oldest.release.id}`, curl(demo?.legacyApiKey ?? '$KEY', `/v${oldest.release.id}/patients/${patient}`), { wrap: true }) : null}
      ${codeBlock('As a client of today', curl(demo?.apiKey ?? '$KEY', `/v2/patients/${patient}`), { wrap: true })}
    </div>
  </section>`;
}

/** Whether the reader sits at this machine, by its address and by the name it was asked for: a name that somebody made to point here is none. */
function isLocal({ headers }: Request, address: string): boolean {
  const isOwn = address === '127.0.0.1' || address === '::1';
  const isNamed = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(headers.host ?? '');
  return isOwn && isNamed && headers.forwarded === undefined && headers['x-forwarded-for'] === undefined;
}

async function readDemo(file: string | undefined): Promise<Demo | undefined> {
  if (file === undefined) return undefined;
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Demo;
  } catch {
    return undefined;
  }
}
