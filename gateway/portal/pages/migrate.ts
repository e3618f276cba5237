import type { Release } from '@perennial/schemas/history.ts';
import type { ExplainedDifference } from '@perennial/translators/contract/explain.ts';
import { adviceOf } from '@perennial/translators/contract/guide.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { VNode } from 'preact';
import type { Reports, UpgradeReport } from '../../usage/reports.ts';
import type { ServiceDate } from '../../version/service-date.ts';
import { changeExamples } from '../change-examples.ts';
import { namedRelease, releaseSelect } from '../choose.ts';
import { codeBlock } from '../code.ts';
import type { Differences } from '../differences.ts';
import { html, prose } from '../html.ts';
import { type Page, pageHead } from '../layout.ts';
import type { Asked, PageRoute } from '../portal.ts';
import { differenceTable } from './compare.ts';

/** What a migration is planned with. */
export interface MigrateParts {
  readonly serviceDate: ServiceDate;
  readonly translator: Translator;
  readonly reports: Reports;
  /** Counts that this gateway has not written yet are written first. */
  readonly flushUsage: () => Promise<void>;
}

const DAYS = 30;
const LANGUAGES = ['typescript', 'python', 'curl'] as const;
const NAMES = { typescript: 'TypeScript', python: 'Python', curl: 'curl' } as const;
type Language = (typeof LANGUAGES)[number];

/** From, to, language: what moving asks of a client; of an account that has signed in, only what touches its requests. */
export function migratePages(parts: MigrateParts, differences: Differences): readonly PageRoute[] {
  const { serviceDate, translator, reports, flushUsage } = parts;
  const examples = changeExamples(translator);
  const show = async ({ query, signedIn }: Asked): Promise<Page> => {
    const pinned = query.get('from') ?? signedIn?.pinnedRelease ?? null;
    const named = [namedRelease(serviceDate, pinned, 'oldest'), namedRelease(serviceDate, query.get('to'), 'newest')];
    const [from, to] = named.sort((a, b) => ((a?.id ?? '') < (b?.id ?? '') ? -1 : 1)) as [
      Release | undefined,
      Release | undefined,
    ];
    const language = LANGUAGES.find((each) => each === query.get('language')) ?? 'typescript';
    const found = from && to && from.id !== to.id ? await differences(from, to) : [];
    const report =
      signedIn && to
        ? await flushUsage().then(() => reports.upgrade(signedIn.caller.accountId, to.id, DAYS))
        : undefined;
    const names = new Set(report?.changes.map(({ change }) => change));
    const steps = translator.catalogue.steps.filter(
      ({ release }) => from && to && release > from.id && release <= to.id,
    );
    const shown = report && report.uses.length > 0 ? steps.filter(({ name }) => names.has(name)) : steps;
    const body = html`
      ${pageHead('Migrate', 'What moving from one version to another asks of your code, change by change. You move when you like: each version answers until its sunset.')}
      <div class="wrap stack">
        <form class="card fields" method="get" action="/portal/migrate">
          ${releaseSelect(serviceDate, 'from', 'From', from?.id)}
          ${releaseSelect(serviceDate, 'to', 'To', to?.id)}
          <div><label for="language">Your code is</label><select id="language" name="language" data-submit>${LANGUAGES.map((each) => html`<option value=${each} selected=${each === language}>${NAMES[each]}</option>`)}</select></div>
          <div><button class="primary">Show</button></div>
        </form>
        ${report ? traffic(report, steps.length - shown.length) : html`<div class="notice"><p><a href="/portal/sign-in?to=/portal/migrate">Sign in</a> to see only what touches the requests that your account really sends.</p></div>`}
        ${shown.length === 0 ? html`<div class="empty"><p>${from?.id === to?.id ? 'Choose two different versions.' : 'No change touches what you send: change the version and you are done.'}</p></div>` : null}
        ${shown.map((step, index) => {
          const own = found.filter(({ change }) => change?.name === step.name);
          const uses = report?.uses.filter(({ changes }) => changes.includes(step.name)) ?? [];
          return html`<section class="card" aria-labelledby=${step.change.id}>
            <div class="head-row"><h2 id=${step.change.id}>${index + 1}. ${prose(step.change.sentence)}</h2><span class="pill info">v${step.release}</span></div>
            ${uses.length > 0 ? html`<p class="hint">Touches ${uses.map(({ operation, client, count, last_day: day }, at) => html`${at > 0 ? ', ' : ''}<code>${operation}</code> (${count} ${count === 1 ? 'request' : 'requests'}${client === '(none)' ? '' : ` of ${client}`}, last on ${day})`)}.</p>` : null}
            ${toDo(own, language)}
            ${examples(step).map(({ resource, lines }) => html`<details><summary>${resource}, before and after</summary><div class="two">${codeBlock('Before', lines.older)}${codeBlock('After', lines.newer)}</div></details>`)}
            ${own.length > 0 ? html`<details><summary>Every difference (${own.length})</summary>${differenceTable(own, step.change.id)}</details>` : null}
          </section>`;
        })}
        ${to ? html`<section class="card"><h2>Last: name the new version</h2>${codeBlock(NAMES[language], CALLS[language](to.id), { wrap: true })}</section>` : null}
      </div>`;
    return { title: 'Migrate', body };
  };
  return [{ method: 'GET', path: '/portal/migrate', for: 'anybody', handle: show }];
}

function traffic(report: UpgradeReport, left: number): VNode {
  const total = report.uses.reduce((sum, { count }) => sum + count, 0);
  if (total === 0)
    return html`<div class="notice"><p>Your account has sent nothing in an older version for ${DAYS} days, so all changes are shown.</p></div>`;
  return html`<div class="notice good">
    <p>Your account sent ${total} ${total === 1 ? 'request' : 'requests'} in versions before ${report.to} since ${report.since}. ${left === 0 ? 'Every change touches some of them.' : left === 1 ? 'One change touches none of them and is left out.' : `${left} changes touch none of them and are left out.`}</p>
    ${report.keys_refused > 0 ? html`<p><strong>${report.keys_refused} of your keys</strong> have a format that ${report.to} refuses. Ask for new ones first.</p>` : null}
  </div>`;
}

/** Each rename as a line of code, and what else differs for a client in words. */
function toDo(differences: readonly ExplainedDifference[], language: Language): VNode | null {
  const { renames, others } = adviceOf(differences);
  if (renames.length + others.length === 0) return null;
  const lines = [...renames].flatMap(([older, newer]) => [
    { text: `- ${access(inCode(older), language)}`, mark: 'gone' as const },
    { text: `+ ${access(inCode(newer), language)}`, mark: 'came' as const },
  ]);
  return html`<div class="stack">
    ${lines.length > 0 ? codeBlock(`In your code (${NAMES[language]})`, lines) : null}
    ${others.length > 0 ? html`<ul>${others.slice(0, 12).map((text) => html`<li>${prose(text)}</li>`)}</ul>` : null}
  </div>`;
}

/** A place as code has it: the resource as a variable. */
function inCode(place: string): string {
  const [resource = '', ...path] = place.split('.');
  return [variable(resource), ...path].join('.');
}

function variable(resource: string): string {
  const name = resource.replace(/(?:Create|Patch|Update)$/, '');
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function access(path: string, language: Language): string {
  const [name = '', ...members] = path.split('.');
  if (language === 'python')
    return `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}${members.map((each) => `["${each}"]`).join('')}`;
  if (language === 'curl') return `.${members.join('.')}`;
  return path;
}

const CALLS: Readonly<Record<Language, (release: string) => string>> = {
  typescript: (release) =>
    `const response = await fetch(\`\${gateway}/patients/\${id}\`, {\n  headers: { Authorization: \`Bearer \${key}\`, 'Service-Version': '${release}' },\n});`,
  python: (release) =>
    `response = requests.get(\n    f"{gateway}/patients/{id}",\n    headers={"Authorization": f"Bearer {key}", "Service-Version": "${release}"},\n)`,
  curl: (release) => `curl -H "Authorization: Bearer $KEY" -H "Service-Version: ${release}" "$GATEWAY/patients/$ID"`,
};
