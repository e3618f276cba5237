import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import type { VNode } from 'preact';
import { html } from './html.ts';

/** One line of code, and whether it differs from what stands beside it. */
export interface CodeLine {
  readonly text: string;
  readonly mark?: 'gone' | 'came' | 'other' | undefined;
}

/** A block of code that can be copied. */
export function codeBlock(title: string, lines: readonly CodeLine[] | string, options: { wrap?: boolean } = {}): VNode {
  const each = typeof lines === 'string' ? lines.split('\n').map((text): CodeLine => ({ text })) : lines;
  return html`<div class=${options.wrap ? 'code wrapped' : 'code'}>
    <header><span>${title}</span><button type="button" class="small" data-copy aria-label=${`Copy: ${title}`} hidden>Copy</button></header>
    <pre tabindex="0" role="group" aria-label=${title}><code>${each.map(
      ({ text, mark }) => html`<span class=${mark ? `line ${mark}` : 'line'}>${text}${'\n'}</span>`,
    )}</code></pre>
  </div>`;
}

/** JSON as lines, without marks. */
export function jsonLines(value: unknown): readonly CodeLine[] {
  return linesOf(value, undefined, 'same', '', '');
}

/** Two values as lines: each line that the other does not have is marked. */
export function differingLines(
  older: unknown,
  newer: unknown,
): { readonly older: readonly CodeLine[]; readonly newer: readonly CodeLine[] } {
  return { older: linesOf(older, newer, 'gone', '', ''), newer: linesOf(newer, older, 'came', '', '') };
}

type Marking = 'gone' | 'came' | 'same';

function linesOf(value: unknown, other: unknown, marking: Marking, indent: string, before: string): CodeLine[] {
  const isSame = isDeepStrictEqual(value, other);
  const mark = isSame || marking === 'same' ? undefined : other === undefined ? marking : 'other';
  const inner: Marking = isSame ? 'same' : marking;
  const deeper = `${indent}  `;
  if (isObject(value) && Object.keys(value).length > 0) {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    const there = isObject(other) ? other : {};
    const open = isObject(other) ? undefined : mark;
    return [
      { text: `${indent}${before}{`, mark: open },
      ...entries.flatMap(([name, each], index) =>
        comma(
          linesOf(
            each,
            Object.hasOwn(there, name) ? there[name] : undefined,
            inner,
            deeper,
            `${JSON.stringify(name)}: `,
          ),
          index < entries.length - 1,
        ),
      ),
      { text: `${indent}}`, mark: open },
    ];
  }
  if (Array.isArray(value) && value.length > 0) {
    const there: readonly unknown[] = Array.isArray(other) ? other : [];
    const open = Array.isArray(other) ? undefined : mark;
    return [
      { text: `${indent}${before}[`, mark: open },
      ...value.flatMap((each, index) =>
        comma(linesOf(each, there[index], inner, deeper, ''), index < value.length - 1),
      ),
      { text: `${indent}]`, mark: open },
    ];
  }
  return [{ text: `${indent}${before}${JSON.stringify(value) ?? 'null'}`, mark }];
}

function comma(lines: CodeLine[], isFollowed: boolean): CodeLine[] {
  const last = lines.at(-1);
  if (!isFollowed || !last) return lines;
  return [...lines.slice(0, -1), { ...last, text: `${last.text},` }];
}
