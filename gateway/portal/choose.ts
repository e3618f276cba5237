import type { Release } from '@perennial/schemas/history.ts';
import type { VNode } from 'preact';
import type { ServiceDate } from '../version/service-date.ts';
import { html } from './html.ts';

/** The release that a query names, or the one that stands for none. */
export function namedRelease(
  serviceDate: ServiceDate,
  text: string | null,
  otherwise: 'oldest' | 'newest',
): Release | undefined {
  const all = serviceDate.standings();
  const name = text?.replace(/^v/, '');
  const named = all.find(({ release }) => release.id === name);
  const fallback = otherwise === 'newest' ? all[0] : (all.findLast(({ state }) => state !== 'sunset') ?? all.at(-1));
  return (named ?? fallback)?.release;
}

/** A list of the releases to choose from. */
export function releaseSelect(
  serviceDate: ServiceDate,
  name: string,
  label: string,
  chosen: string | undefined,
): VNode {
  return html`<div>
    <label for=${name}>${label}</label>
    <select id=${name} name=${name} data-submit>
      ${serviceDate.standings().map(({ release, state }) => html`<option value=${release.id} selected=${release.id === chosen}>v${release.id} (${state})</option>`)}
    </select>
  </div>`;
}
