import type { Standing } from '@perennial/schemas/lifecycle.ts';
import { addDays, addMonths } from '@perennial/schemas/platform/calendar.ts';
import type { VNode } from 'preact';
import { html } from './html.ts';

const ROW = 46;
const AXIS = 26;
const DAY_MS = 86_400_000;

/** Days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/**
 * The releases over time, today marked. Places are percentages and texts have the page's size, so that it is read on a
 * phone as well; the same is in a table beside it.
 */
export function timeline(standings: readonly Standing[], today: string): VNode {
  const days = standings
    .flatMap(({ release }) => [release.previewFrom, release.released, release.sunset])
    .filter((day) => day !== undefined);
  const start = addMonths(`${[...days, today].sort()[0]?.slice(0, 7)}-01`, -1);
  const end = addMonths(`${[...days, today].sort().at(-1)?.slice(0, 7)}-01`, 2);
  const length = daysBetween(start, end);
  const at = (day: string): number => Math.min(100, Math.max(0, (daysBetween(start, day) / length) * 100));
  const height = AXIS + standings.length * ROW + 6;
  const bar = (row: number, from: string, to: string, kind: string, title: string): VNode =>
    html`<rect class=${`bar-${kind}`} x=${`${at(from)}%`} width=${`${Math.max(0.4, at(to) - at(from))}%`} y=${AXIS + row * ROW + 22} height="14" rx="4"><title>${title}</title></rect>`;
  return html`<svg class="chart" height=${height} role="img" aria-label=${`Timeline of the versions; today is ${today}. The table below says the same.`}>
    ${ticks(start, end).map(
      ({ day, label }) =>
        html`<line class="grid-line" x1=${`${at(day)}%`} x2=${`${at(day)}%`} y1=${AXIS - 6} y2=${height} /><text x=${`${at(day)}%`} y="12" text-anchor=${at(day) > 92 ? 'end' : 'middle'}>${label}</text>`,
    )}
    ${standings.map(({ release, state }, row) => {
      const { previewFrom, released, deprecated, sunset } = release;
      const inForce = released ?? end;
      const noticed = deprecated ?? sunset ?? end;
      const name = `v${release.id}`;
      return html`<g>
        <text class="bar-label" x=${`${Math.min(at(previewFrom ?? inForce), 68)}%`} y=${AXIS + row * ROW + 15}>${name}</text>
        ${previewFrom === undefined ? null : bar(row, previewFrom, released ?? end, 'preview', `${name}: preview`)}
        ${released === undefined ? null : bar(row, released, noticed, state === 'sunset' ? 'sunset' : state === 'current' ? 'current' : 'stable', `${name}: in force`)}
        ${deprecated === undefined ? null : bar(row, deprecated, sunset ?? end, state === 'sunset' ? 'sunset' : 'deprecated', `${name}: deprecated`)}
      </g>`;
    })}
    <line class="today" x1=${`${at(today)}%`} x2=${`${at(today)}%`} y1=${AXIS - 6} y2=${height} />
    <text class="today-label" x=${`${at(today)}%`} dx="5" y=${height - 4} text-anchor=${at(today) > 80 ? 'end' : 'start'}>today</text>
  </svg>`;
}

/** What the colours mean. */
export function timelineLegend(): VNode {
  const entries = [
    ['preview', 'preview'],
    ['current', 'current'],
    ['stable', 'in force'],
    ['deprecated', 'deprecated'],
    ['sunset', 'retired'],
  ] as const;
  return html`<ul class="legend">${entries.map(
    ([kind, name]) =>
      html`<li><svg class="chart" viewBox="0 0 10 10" aria-hidden="true"><rect class=${`bar-${kind}`} width="10" height="10" rx="3" /></svg>${name}</li>`,
  )}</ul>`;
}

/** Half-years between two days: as many labels as a phone has room for. */
function ticks(start: string, end: string): readonly { readonly day: string; readonly label: string }[] {
  const found: { day: string; label: string }[] = [];
  for (let day = `${start.slice(0, 4)}-01-01`; day < end; day = addMonths(day, 6))
    if (addDays(day, -20) > start) found.push({ day, label: day.slice(5, 7) === '01' ? day.slice(0, 4) : 'Jul' });
  return found;
}
