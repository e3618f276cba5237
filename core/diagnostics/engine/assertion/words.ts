/** A word or a mark of a sentence, for finding triggers and the borders of their scopes. */
export interface Word {
  /** Lower case, with a plain apostrophe. */
  text: string;
  /** Offsets into the text, end exclusive. */
  start: number;
  end: number;
  kind: 'word' | 'comma' | 'border';
}

const PIECE =
  /[+-]ve\b|\band\/or\b|\b\p{L}\/\p{L}\b|[\p{L}\p{N}]+(?:['’.%][\p{L}\p{N}]+|\/\p{N}+)*|[.,;:!?()\n&/]|(?<=\s)[-–—](?=\s)/giu;
const ABBREVIATED = /^(?:dr|mr|mrs|ms|vs|approx|e\.g|i\.e|no)$/;
const NUMBER = /^\d+$/;

/** The words of a text. A full stop is a border where a blank or the end follows; "1)" begins an item of its own. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(PIECE)) {
    const start = match.index;
    const end = start + match[0].length;
    const written = match[0].toLowerCase().replaceAll('’', "'");
    const last = words.at(-1);
    if (written === ')') {
      if (last !== undefined && last.end === start && NUMBER.test(last.text)) {
        words[words.length - 1] = { text: '#)', start: last.start, end, kind: 'border' };
      }
      continue;
    }
    if (written === '(') continue;
    if (written === '.') {
      const isEnd = end === text.length || /\s/.test(text[end]!);
      if (!isEnd || (last !== undefined && (last.text.includes('.') || ABBREVIATED.test(last.text)))) continue;
    }
    words.push({ text: written === '/' ? ',' : written, start, end, kind: kindOf(written) });
  }
  return words;
}

function kindOf(written: string): Word['kind'] {
  if (written === ',' || written === '/') return 'comma';
  return /^[.;:!?\n–—-]$/.test(written) ? 'border' : 'word';
}
