import type { Operation } from '@perennial/schemas/operation.ts';
import { parseJson } from '@perennial/schemas/platform/http/body.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { createExamples, ExampleMissing } from '@perennial/translators/contract/examples.ts';
import { operationAt, pathOf, type Simulation, simulateExchange } from '@perennial/translators/contract/simulation.ts';
import type { Effect } from '@perennial/translators/contract/trace.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { VNode } from 'preact';
import type { ServiceDate } from '../../version/service-date.ts';
import { namedRelease } from '../choose.ts';
import { codeBlock, jsonLines } from '../code.ts';
import { html, prose } from '../html.ts';
import { type Page, pageHead } from '../layout.ts';
import type { Asked, PageRoute, SignedIn } from '../portal.ts';

/** What translations are shown with. */
export interface TranslationParts {
  readonly serviceDate: ServiceDate;
  readonly translator: Translator;
}

/** A request as the form has it. */
interface Typed {
  readonly release: string;
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly answer: string;
}

const BODY_BYTES_MAX = 200_000;
const DEPTH_MAX = 64;
const TARGET_CHARACTERS_MAX = 2_000;
const VALUE_CHARACTERS_MAX = 160;

/**
 * One request and its answer, followed through every change. It is the engine's own trace, the same as
 * `npm run release -- simulate`: nothing is sent, and nothing written, unless the reader asks for it.
 */
export function translationPages({ serviceDate, translator }: TranslationParts): readonly PageRoute[] {
  const exampleOf = (release: string, operation: Operation): Typed => {
    const examples = createExamples(translator.contract(release).resources);
    const parameters = Object.fromEntries(
      operation.parameters
        .filter((each) => each.in === 'path')
        .map(({ name, schema }) => [name, identifierOf(release, name) ?? String(examples.ofSchema(schema, name))]),
    );
    const body = operation.body?.mediaType.endsWith('json')
      ? JSON.stringify(examples.of(operation.body.ref), null, 2)
      : '';
    const query = new URLSearchParams(
      operation.parameters
        .filter((each) => each.in === 'query' && each.required)
        .flatMap(({ name, schema }) => {
          try {
            return [[name, String(examples.ofSchema(schema, name))]];
          } catch (error) {
            // The reader will have one.
            if (error instanceof ExampleMissing) return [];
            throw error;
          }
        }),
    );
    const target = `${pathOf(operation, parameters)}${query.size === 0 ? '' : `?${query}`}`;
    return { release, method: operation.method, target, body, answer: '' };
  };

  /** `patient_id` is the `id` of the example of `Patient`. */
  const identifierOf = (release: string, name: string): string | undefined => {
    const { resources } = translator.contract(release);
    const resource = name.replace(/_id$/, '').replaceAll('_', '');
    const found = [...resources].find(([id]) => id.toLowerCase() === resource);
    const example = found?.[1].properties?.['id']?.examples?.[0];
    return typeof example === 'string' ? example : undefined;
  };

  const choose = ({ query, signedIn }: Asked): Page => {
    const release = namedRelease(serviceDate, query.get('version'), 'oldest')?.id ?? translator.headRelease;
    const { operations } = translator.contract(release);
    const operation =
      operations.find(({ id }) => id === query.get('operation')) ??
      operations.find(({ id }) => id === 'patients.get') ??
      operations[0];
    if (!operation) throw new Fault('not_found');
    return traced(exampleOf(release, operation), signedIn);
  };

  const follow = ({ form, signedIn }: Asked): Page => {
    const release = namedRelease(serviceDate, form.get('version'), 'oldest')?.id ?? translator.headRelease;
    const typed: Typed = {
      release,
      method: (form.get('method') ?? '').toUpperCase().slice(0, 10),
      target: (form.get('target') ?? '').trim().slice(0, TARGET_CHARACTERS_MAX),
      body: form.get('body') ?? '',
      answer: form.get('answer') ?? '',
    };
    return traced(typed, signedIn);
  };

  const traced = (typed: Typed, signedIn: SignedIn | undefined): Page => {
    const { release } = typed;
    const [path = '', search = ''] = typed.target.split('?');
    const found = operationAt(translator, release, typed.method, path);
    if (!found)
      return page(
        typed,
        undefined,
        signedIn,
        problem(`v${release} has no operation ${typed.method} with this path. Choose one from the list.`),
        422,
      );
    try {
      const body = found.operation.body?.mediaType.endsWith('json') ? read(typed.body, 'The body') : undefined;
      const answer = typed.answer.trim() === '' ? undefined : read(typed.answer, 'The answer');
      const result = simulateExchange(
        translator,
        { release, ...found, query: new URLSearchParams(search), body },
        answer,
      );
      if ('faults' in result)
        return page(
          typed,
          found.operation.id,
          signedIn,
          html`<div class="notice warn" role="alert"><h2>v${release} would refuse this with 422</h2><ul>${result.faults.map(({ pointer, parameter, header, message, code }) => html`<li><code>${pointer === '' ? 'the body' : (pointer ?? parameter ?? header)}</code> ${message} <code>${code}</code></li>`)}</ul></div>`,
          422,
        );
      return page(typed, found.operation.id, signedIn, steps(typed, body, result, translator.headRelease));
    } catch (error) {
      if (error instanceof Fault && error.status < 500)
        return page(typed, found.operation.id, signedIn, problem(error.message), 422);
      // An answer that somebody made up may be none that a converter can read.
      if (error instanceof TypeError || error instanceof TranslationFailed)
        return page(
          typed,
          found.operation.id,
          signedIn,
          problem('The answer is not one that the service could have given to this operation.'),
          422,
        );
      throw error;
    }
  };

  const page = (
    typed: Typed,
    operationId: string | undefined,
    signedIn: SignedIn | undefined,
    result: VNode | undefined,
    status = 200,
  ): Page => {
    const { operations } = translator.contract(typed.release);
    const isWritten =
      operations.find(({ id }) => id === operationId)?.body?.mediaType.endsWith('json') ?? typed.body !== '';
    const body = html`
      ${pageHead('See a translation', 'What a client of a version sends, what each change makes of it on the way to the service, and what it makes of the answer on the way back. Nothing is sent.')}
      <div class="wrap stack">
        <form class="card fields" method="get" action="/portal/translation">
          <div><label for="version">A client of</label><select id="version" name="version" data-submit>${serviceDate.standings().map(({ release, state }) => html`<option value=${release.id} selected=${release.id === typed.release}>v${release.id} (${state})</option>`)}</select></div>
          <div class="grow"><label for="operation">calls</label><select id="operation" name="operation" data-submit>${operations.map(({ id, summary }) => html`<option value=${id} selected=${id === operationId}>${id}: ${summary}</option>`)}</select></div>
          <div><button>Take its example</button></div>
        </form>
        <form class="card" method="post" action="/portal/translation" data-translation data-token=${signedIn?.token()} data-release=${typed.release} data-head=${translator.headRelease}>
          <input type="hidden" name="version" value=${typed.release} />
          <div class="fields">
            <div><label for="method">Method</label><select id="method" name="method">${METHODS.map((each) => html`<option selected=${each === typed.method}>${each}</option>`)}</select></div>
            <div class="grow"><label for="target">Path and query, without the version</label><input id="target" name="target" class="mono" required value=${typed.target} maxlength=${TARGET_CHARACTERS_MAX} spellcheck="false" /></div>
          </div>
          <div class="two">
            ${isWritten ? html`<div><label for="body">Body, as this client writes it</label><textarea id="body" name="body" rows="12" spellcheck="false">${typed.body}</textarea></div>` : null}
            <details open=${typed.answer !== ''}><summary>An answer of the service, in place of an example</summary><label for="answer"><code>data</code> of the answer, as v${translator.headRelease} has it</label><textarea id="answer" name="answer" rows="8" spellcheck="false">${typed.answer}</textarea></details>
          </div>
          <p class="actions">
            <button class="primary">Follow it</button>
            ${signedIn ? html`<button type="button" data-send hidden>Send it with my key</button>` : html`<span class="hint"><a href="/portal/sign-in">Sign in</a> to send it as well, and to follow the real answer.</span>`}
          </p>
          <div data-sent aria-live="polite"></div>
        </form>
        ${result}
      </div>`;
    return { title: 'See a translation', body, status, scripts: ['translation.js'] };
  };
  return [
    { method: 'GET', path: '/portal/translation', for: 'anybody', handle: choose },
    { method: 'POST', path: '/portal/translation', for: 'anybody', handle: follow },
  ];
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function problem(text: string): VNode {
  return html`<div class="notice bad" role="alert"><p>${text}</p></div>`;
}

function read(text: string, what: string): unknown {
  const bytes = Buffer.from(text);
  if (bytes.length > BODY_BYTES_MAX)
    throw new Fault('body_too_large', { message: `${what} may have ${BODY_BYTES_MAX / 1_000} kB here.` });
  try {
    return parseJson(bytes, DEPTH_MAX);
  } catch (error) {
    throw error instanceof Fault ? new Fault(error.code, { message: `${what}: ${error.message}` }) : error;
  }
}

function steps(typed: Typed, sent: unknown, simulation: Simulation, headRelease: string): VNode {
  const { toCore, requestChanges, fromCore, toClient, responseChanges } = simulation;
  const query = new URLSearchParams(
    Object.entries(toCore.query).map(([name, value]) => [name, String(value)]),
  ).toString();
  return html`<section aria-labelledby="way">
    <h2 id="way">The way there and back</h2>
    <ol class="steps">
      <li><h3>The client of v${typed.release} sends</h3>
        <p><code>${typed.method} ${typed.target}</code></p>
        ${sent === undefined ? null : codeBlock('Body of the client', jsonLines(sent))}
      </li>
      ${changes(requestChanges, 'No change touches the request.')}
      <li><h3>The service receives, as v${headRelease}</h3>
        ${toCore.readsFirst ? html`<p class="hint">After the stored object was read: a change needs it.</p>` : null}
        <p><code>${toCore.method} ${toCore.path}${query === '' ? '' : `?${query}`}</code></p>
        ${toCore.body === undefined ? null : codeBlock('Body for the service', jsonLines(toCore.body))}
      </li>
      <li><h3>The service answers ${fromCore.status}</h3>
        ${fromCore.data === undefined ? html`<p class="hint">The answer is no JSON, and goes on as it is.</p>` : codeBlock('Answer of the service', jsonLines(fromCore.data))}
      </li>
      ${changes(responseChanges, 'No change touches the answer.')}
      <li><h3>The client of v${typed.release} reads ${toClient.status}</h3>
        ${toClient.data === undefined ? null : codeBlock('Answer that the client reads', jsonLines(toClient.data))}
      </li>
    </ol>
  </section>`;
}

function changes(effects: readonly Effect[], nothing: string): VNode | readonly VNode[] {
  if (effects.length === 0) return html`<li class="change"><p class="hint">${nothing}</p></li>`;
  return effects.map(
    ({ change, sentence, places }) => html`<li class="change">
      <p><a href=${`/portal/changelog#${change.split('/')[1]}`}><code>${change}</code></a> ${prose(sentence)}</p>
      ${places.map(({ pointer, before, after }) => html`<div class="place"><code>${pointer || '(whole)'}</code><span>${value(before)} → ${value(after)}</span></div>`)}
    </li>`,
  );
}

function value(each: unknown): VNode {
  if (each === undefined) return html`<span class="hint">absent</span>`;
  const text = JSON.stringify(each);
  return html`<code>${text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX - 1)}…` : text}</code>`;
}
