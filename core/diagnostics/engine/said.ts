import { type Scope, scopesOf } from './assertion/scopes.ts';
import { type Status, statusOf } from './assertion/status.ts';
import type { Triggers } from './assertion/triggers.ts';
import { wordsOf } from './assertion/words.ts';
import type { Mention, Reading, Section, Temporality } from './mention.ts';
import type { Said, Sayings } from './sayings.ts';
import type { Sentence } from './sentences.ts';
import { coverOf } from './widest.ts';

/** Where a sentence stands. */
export interface SentencePlace {
  index: number;
  section: Section;
  /** True where a relative of the patient tells the story. */
  isProxy: boolean;
  sentence: Sentence;
}

/** A language that is read by sayings alone. */
export interface OtherReader {
  triggers: Triggers;
  sayings: Sayings;
  /** Spellings that are far from the word meant, to that word. */
  misspelt: ReadonlyMap<string, string>;
  /** Words that say nothing of an illness. */
  stops: ReadonlySet<string>;
}

/** What a saying states; one that is denied states an absence. */
export function mentionOfSaying(
  { finding, start, end }: Said,
  scopes: readonly Scope[],
  { sentence, section, index, isProxy }: SentencePlace,
): Mention {
  const status = statusOf(scopes, [{ start, end }]);
  const cue = status.negated ?? status.hypothetical ?? status.past ?? status.other;
  return {
    finding,
    present: status.negated === null,
    temporality: temporalityOf(status, section),
    experiencer: section === 'family' || (status.other !== null && !isProxy) ? 'other' : 'patient',
    resolved: status.resolved !== null,
    cue: cue === null ? null : { start: sentence.start + cue.start, end: sentence.start + cue.end },
    section,
    text_index: index,
    start: sentence.start + start,
    end: sentence.start + end,
    text: sentence.text.slice(start, end),
  };
}

/** A past illness in the part that tells of the past is what that part is for. */
export function temporalityOf({ hypothetical, historical, past }: Status, section: Section): Temporality {
  if (hypothetical !== null) return 'hypothetical';
  if (section !== 'complaint') return 'recent';
  if (past !== null) return 'past';
  return historical === null ? 'recent' : 'historical';
}

/** The same text, of the same length, without accents: sayings are written so. */
export function withoutAccents(text: string): string {
  return text.replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize('NFD').charAt(0));
}

/** Reads a sentence of a language that is read by its sayings. */
export function readSaid(
  place: SentencePlace,
  { triggers, sayings, misspelt, stops }: OtherReader,
  reading: Reading,
  words: { all: number; covered: number },
): void {
  const { sentence, index } = place;
  const plain = withoutAccents(sentence.text);
  const scopes = scopesOf(plain, triggers);
  const found = sayings.in(plain, (word) => misspelt.get(word) ?? word);
  for (const said of found) {
    const mention = mentionOfSaying(said, scopes, place);
    reading.mentions.push({ ...mention, text: sentence.text.slice(said.start, said.end) });
  }
  const isCovered = coverOf(found);
  for (const word of wordsOf(plain)) {
    if (word.kind !== 'word' || stops.has(word.text) || triggers.isDenial(word.text)) continue;
    words.all += 1;
    if (isCovered(word)) words.covered += 1;
    else {
      const start = sentence.start + word.start;
      const text = sentence.text.slice(word.start, word.end);
      reading.unrecognized.push({ text_index: index, start, end: sentence.start + word.end, text });
    }
  }
}
