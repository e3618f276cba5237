import type { Release } from '@perennial/schemas/history.ts';
import { OPERATION_ADDED } from '@perennial/translators/contract/differences.ts';
import { createExamples, ExampleMissing } from '@perennial/translators/contract/examples.ts';
import type { ExplainedDifference } from '@perennial/translators/contract/explain.ts';
import { levelOf, traceDown } from '@perennial/translators/contract/trace.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { VNode } from 'preact';
import type { ServiceDate } from '../../version/service-date.ts';
import { namedRelease, releaseSelect } from '../choose.ts';
import { codeBlock, differingLines } from '../code.ts';
import type { Differences } from '../differences.ts';
import { html, prose } from '../html.ts';
import { type Page, pageHead } from '../layout.ts';
import type { Asked, PageRoute } from '../portal.ts';

const OPERATIONS = 'Operations';

/** What versions are compared with. */
export interface CompareParts {
  readonly serviceDate: ServiceDate;
  readonly translator: Translator;
}

/** Two versions side by side, by operation or by resource. */
export function comparePages(parts: CompareParts, differences: Differences): readonly PageRoute[] {
  const { serviceDate, translator } = parts;
  const show = async ({ query }: Asked): Promise<Page> => {
    const named = [
      namedRelease(serviceDate, query.get('from'), 'oldest'),
      namedRelease(serviceDate, query.get('to'), 'newest'),
    ] as const;
    const [from, to] = [...named].sort((a, b) => ((a?.id ?? '') < (b?.id ?? '') ? -1 : 1)) as [
      Release | undefined,
      Release | undefined,
    ];
    const by = query.get('by') === 'operation' ? 'operation' : 'resource';
    const found = from && to && from.id !== to.id ? await differences(from, to) : [];
    const count = (severity: string): number => found.filter((each) => each.severity === severity).length;
    const body = html`
      ${pageHead('Compare two versions', 'Everything that differs for a client that moves from the first to the second, each with the change behind it.')}
      <div class="wrap">
        <form class="card fields" method="get" action="/portal/compare">
          ${releaseSelect(serviceDate, 'from', 'A client of', from?.id)}
          ${releaseSelect(serviceDate, 'to', 'moves to', to?.id)}
          <div>
            <label for="by">Shown by</label>
            <select id="by" name="by" data-submit>
              <option value="resource" selected=${by === 'resource'}>resource</option>
              <option value="operation" selected=${by === 'operation'}>operation</option>
            </select>
          </div>
          <div><button class="primary">Compare</button></div>
        </form>
        ${
          found.length === 0
            ? html`<section class="empty"><p>Nothing differs: choose two different versions.</p></section>`
            : html`<section>
              <dl class="figures">
                <div><dt>break a client</dt><dd>${count('breaking')}</dd></div>
                <div><dt>add something</dt><dd>${count('compatible')}</dd></div>
                <div><dt>changes behind them</dt><dd>${new Set(found.flatMap(({ change }) => change?.name ?? [])).size}</dd></div>
              </dl>
            </section>
            <section><label for="filter">Find</label><input id="filter" type="search" data-filter="differences" placeholder="patient, cursor, confidence…" autocomplete="off" /></section>
            <div id="differences">${by === 'resource' ? byResource(found, translator, from as Release, to as Release) : byOperation(found)}</div>
            <div class="empty" id="differences-empty" hidden><p>No difference has these words.</p></div>`
        }
      </div>`;
    return { title: 'Compare', body };
  };
  return [{ method: 'GET', path: '/portal/compare', for: 'anybody', handle: show }];
}

function byResource(
  found: readonly ExplainedDifference[],
  translator: Translator,
  from: Release,
  to: Release,
): readonly VNode[] {
  const groups = Map.groupBy(found, ({ place, direction }) =>
    direction === 'operation' || /^[a-z]/.test(place)
      ? OPERATIONS
      : (place.split('.')[0]?.replace(/(?:Create|Patch|Update)$/, '') ?? place),
  );
  const ofOperations = groups.get(OPERATIONS) ?? [];
  groups.delete(OPERATIONS);
  const added = ofOperations.filter(({ text }) => text === OPERATION_ADDED);
  const others = ofOperations.filter(({ text }) => text !== OPERATION_ADDED);
  if (others.length > 0) groups.set(OPERATIONS, others);
  const additions =
    added.length === 0
      ? []
      : [
          html`<details class="card" data-item=${`added ${wordsOf(added)}`}>
            <summary>${added.length} operations that only v${to.id} has <span class="pill compatible">compatible</span></summary>
            <ul class="names">${added.map(({ place }) => html`<li><code>${place}</code></li>`)}</ul>
          </details>`,
        ];
  return [...groups]
    .map(([name, differences]) => {
      const lines = name === OPERATIONS ? undefined : sides(translator, name, from, to);
      return html`<section class="card" data-item=${`${name} ${wordsOf(differences)}`}>
      <h2>${name}</h2>
      ${differenceTable(differences, name)}
      ${lines ? html`<details><summary>${name} side by side</summary><div class="two">${codeBlock(`v${from.id}`, lines.older)}${codeBlock(`v${to.id}`, lines.newer)}</div></details>` : null}
    </section>`;
    })
    .concat(additions);
}

function byOperation(found: readonly ExplainedDifference[]): readonly VNode[] {
  const names = [...new Set(found.flatMap(({ operations }) => operations))].sort();
  const everywhere = found.filter(({ operations }) => operations.length === 0);
  const groups: (readonly [string, readonly ExplainedDifference[]])[] = [
    ...(everywhere.length > 0 ? [['Every operation', everywhere] as const] : []),
    ...names.map((name) => [name, found.filter(({ operations }) => operations.includes(name))] as const),
  ];
  return groups.map(
    ([name, differences]) => html`<details class="card" data-item=${`${name} ${wordsOf(differences)}`}>
      <summary><code>${name}</code> <span class="hint">${differences.length === 1 ? '1 difference' : `${differences.length} differences`}</span> ${differences.some(({ severity }) => severity === 'breaking') ? html`<span class="pill breaking">breaking</span>` : null}</summary>
      ${differenceTable(differences, name)}
    </details>`,
  );
}

const DIRECTIONS = { request: 'sent', response: 'received', operation: 'called' } as const;

/** Differences with the change behind each. */
export function differenceTable(differences: readonly ExplainedDifference[], name: string): VNode {
  return html`<div class="table bare"><table>
    <caption class="hidden-text">What differs: ${name}</caption>
    <thead><tr><th scope="col">Place</th><th scope="col">What differs</th><th scope="col">For a client</th><th scope="col">Because</th></tr></thead>
    <tbody>${differences.map(
      ({ severity, place, text, direction, change, release }) => html`<tr>
        <th scope="row"><code>${place}</code><br /><span class="hint">${DIRECTIONS[direction]}</span></th>
        <td>${text}</td>
        <td><span class=${`pill ${severity}`}>${severity}</span></td>
        <td>${change ? html`<a href=${`/portal/changelog#${change.name.split('/')[1]}`}>${prose(change.sentence)}</a>` : `added by v${release}`}</td>
      </tr>`,
    )}</tbody>
  </table></div>`;
}

/** A resource as both versions have it, out of one example; undefined where none can be made. */
function sides(
  translator: Translator,
  resource: string,
  from: Release,
  to: Release,
): ReturnType<typeof differingLines> | undefined {
  const head = translator.catalogue.steps.length;
  const { resources } = translator.contract(translator.headRelease);
  if (!resources.has(resource) || resource === 'Page') return undefined;
  try {
    const data = createExamples(resources).of(resource);
    const at = (release: Release): unknown =>
      traceDown(translator, { older: levelOf(translator, release.id), newer: head }, resource, data, undefined).data;
    return differingLines(at(from), at(to));
  } catch (error) {
    if (error instanceof ExampleMissing) return undefined;
    throw error;
  }
}

function wordsOf(differences: readonly ExplainedDifference[]): string {
  return differences.map(({ place, text, change }) => `${place} ${text} ${change?.sentence ?? ''}`).join(' ');
}
