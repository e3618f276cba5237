import htm from 'htm';
import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** A piece of a page. Values that are put into a template are text: they are escaped. */
export type Piece = VNode | VNode[] | string | number | null | undefined | false | readonly Piece[];

/** Pages are written as templates that need no compiler: the server runs the files as they are. */
export const html = (htm as unknown as { bind(element: typeof h): Template }).bind(h);

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

/** The text of a page. */
export function render(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}

/** Words in backquotes are code, as in the sentences of changes. */
export function prose(text: string): Piece {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
