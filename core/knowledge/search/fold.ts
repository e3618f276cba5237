/** Letters that decomposition leaves whole, as people write them without the key. */
const WHOLE: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' };

/** The text without case and accents. Its length can differ from the text's. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþ]/g, (letter) => WHOLE[letter] as string);
}

/** A word of a text, and where it stands. */
export interface Word {
  /** Folded. */
  readonly word: string;
  /** UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** Codes keep their point: "J45.9" is one word, and so is a number with one. */
const WORD = /[A-Za-z]\d{2}\.[0-9A-Za-z]{1,4}(?![\p{L}\p{N}])|[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;

/** Text that folds to itself but for case, which most of the knowledge is. */
const PLAIN = /^[\x20-\x7e]*$/;
const PLAIN_WORD = /[a-z]\d{2}\.[0-9a-z]{1,4}(?![0-9a-z])|[0-9a-z]+(?:'[0-9a-z]+)*/g;

/** The words of a text without their places: the same as those of `wordsOf`, found faster. */
export function tokensOf(text: string): string[] {
  if (!PLAIN.test(text)) return wordsOf(text).map(({ word }) => word);
  const words = text.toLowerCase().match(PLAIN_WORD) ?? [];
  return text.includes('.') || text.includes("'") ? words.map((word) => word.replace(/[.']/g, '')) : words;
}

/** The words of a text, in order. A point inside a code, and an apostrophe, are left out of the word. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const word = fold(match[0].replace(/[.'’]/g, ''));
    if (word !== '') words.push({ word, start: match.index, end: match.index + match[0].length });
  }
  return words;
}
