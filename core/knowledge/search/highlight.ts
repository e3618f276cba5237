import type { KnowledgeHighlight } from '@perennial/schemas/resources/knowledge.ts';
import { wordsOf } from './fold.ts';

type Span = KnowledgeHighlight['spans'][number];

/** Longest text of a highlight, in UTF-16 code units. */
const TEXT_MAX = 160;
/** What is kept before the first word of a longer text. */
const LEAD = 40;
const CUT = '…';

/**
 * Where words stand in a text.
 * @param found the words, folded.
 * @returns null where there is none.
 */
export function highlight(
  field: KnowledgeHighlight['field'],
  text: string,
  found: ReadonlySet<string>,
): KnowledgeHighlight | null {
  const spans = wordsOf(text)
    .filter(({ word }) => found.has(word))
    .map(({ start, end }) => ({ start, end }));
  const [first] = spans;
  if (!first) return null;
  if (text.length <= TEXT_MAX) return { field, text, spans };
  return { field, ...shorten(text, first, spans) };
}

function shorten(text: string, first: Span, spans: readonly Span[]): { text: string; spans: Span[] } {
  const from = wordBoundary(text, Math.max(0, first.start - LEAD));
  const to = Math.min(text.length, Math.max(from + TEXT_MAX, first.end));
  const lead = from > 0 ? CUT : '';
  const shift = lead.length - from;
  return {
    text: `${lead}${text.slice(from, to)}${to < text.length ? CUT : ''}`,
    spans: spans
      .filter(({ start, end }) => start >= from && end <= to)
      .map(({ start, end }) => ({ start: start + shift, end: end + shift })),
  };
}

/** The position after the next space, so that no word and no pair of surrogates is cut; the start stays as it is. */
function wordBoundary(text: string, position: number): number {
  if (position === 0) return 0;
  const space = text.indexOf(' ', position);
  return space < 0 ? position : space + 1;
}
