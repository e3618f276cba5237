import { readFileSync } from 'node:fs';

/** The words that say what was examined and how, one spelling each, lower case. */
const words: ReadonlySet<string> = new Set(
  readFileSync(new URL('./words-of-radiology.txt', import.meta.url), 'utf8')
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** So many bytes fit into every kind of text. */
const BYTES_MAX = 64;

/**
 * Of a description, the words that speak of examinations; names, numbers and everything else are left out, for nobody
 * can list what may tell of a person. A number of one or two digits stays behind such a word: "T2", "phase 3".
 */
export function cleanedText(text: string): string {
  const kept: string[] = [];
  let isBehindWord = false;
  for (const [part] of text.matchAll(/[a-z]+\d?|\d+/gi)) {
    const isKnown = words.has(part.toLowerCase());
    if (isKnown || (isBehindWord && /^\d{1,2}$/.test(part))) kept.push(part);
    isBehindWord = isKnown;
  }
  const cleaned = kept.join(' ');
  return cleaned.length <= BYTES_MAX ? cleaned : cleaned.slice(0, cleaned.lastIndexOf(' ', BYTES_MAX));
}
