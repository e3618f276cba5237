/** A sentence and where it begins in its text. */
export interface Sentence {
  start: number;
  text: string;
}

const BOUNDARY = /[.!?](?=\s|$|[A-Z])|[;\n]+|(?<=[a-z]{3})(?=[A-Z][a-z]{2})/g;

/** The sentences of a text from an offset on, each with its place. */
export function sentencesOf(text: string, from = 0): Sentence[] {
  const sentences: Sentence[] = [];
  let start = from;
  for (const boundary of text.matchAll(BOUNDARY)) {
    if (boundary.index < from) continue;
    sentences.push({ start, text: text.slice(start, boundary.index) });
    start = boundary.index + boundary[0].length;
  }
  sentences.push({ start, text: text.slice(start) });
  return sentences.filter((sentence) => sentence.text.trim() !== '');
}
