import { additions } from '@perennial/schemas/additions.ts';
import { changelogOf } from '@perennial/translators/contract/changelog.ts';
import type { Step } from '@perennial/translators/engine/step.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { VNode } from 'preact';
import type { ServiceDate } from '../../version/service-date.ts';
import { changeExamples } from '../change-examples.ts';
import { codeBlock } from '../code.ts';
import { html, prose } from '../html.ts';
import { type Page, pageHead } from '../layout.ts';
import type { PageRoute } from '../portal.ts';

/** What the changelog is made of. */
export interface ChangelogParts {
  readonly serviceDate: ServiceDate;
  readonly translator: Translator;
}

/** What each release changed, in the words of its changes, with what that looks like. */
export function changelogPages({ serviceDate, translator }: ChangelogParts): readonly PageRoute[] {
  const examples = changeExamples(translator);
  const show = (): Page => {
    const standings = serviceDate.standings();
    const entries = changelogOf(
      translator.catalogue,
      standings.map(({ release }) => release),
      additions,
    );
    const body = html`
      ${pageHead('Changelog', 'What each version changed for its clients, and why. A change is listed where it came; clients of every version before it never see it.')}
      <div class="wrap">
        ${entries.map((entry) => {
          const state = standings.find(({ release }) => release.id === entry.release)?.state ?? 'stable';
          const steps = translator.catalogue.steps.filter((step) => step.release === entry.release);
          return html`<section class="card" aria-labelledby=${`v${entry.release}`}>
            <div class="head-row">
              <h2 id=${`v${entry.release}`}>v${entry.release} <span class="hint">${entry.semver}</span></h2>
              <span class=${`pill ${state}`}>${state}</span>
            </div>
            ${entry.changes.length === 0 ? null : html`<h3>Changed</h3><ul class="plain">${steps.map((step) => changeItem(step, examples(step)))}</ul>`}
            ${entry.additions.length === 0 ? null : html`<h3>Added</h3><ul>${entry.additions.map((text) => html`<li>${prose(text)}</li>`)}</ul>`}
            ${entry.changes.length + entry.additions.length === 0 ? html`<p>The first version.</p>` : null}
          </section>`;
        })}
      </div>`;
    return { title: 'Changelog', body };
  };
  return [{ method: 'GET', path: '/portal/changelog', for: 'anybody', handle: show }];
}

/** One change with its examples folded away. */
export function changeItem(step: Step, examples: ReturnType<ReturnType<typeof changeExamples>>): VNode {
  const { change } = step;
  return html`<li id=${change.id}>
    <p>${prose(change.sentence)} <code>${change.id}</code></p>
    ${examples.map(
      ({ resource, lines }) => html`<details>
        <summary>${resource}, before and after</summary>
        <div class="two">${codeBlock(`${resource} before`, lines.older)}${codeBlock(`${resource} since v${step.release}`, lines.newer)}</div>
      </details>`,
    )}
  </li>`;
}
