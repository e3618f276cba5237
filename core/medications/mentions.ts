import { normalise } from './names.ts';
import type { MedicationKnowledge, NameEntry } from './types.ts';

/** A medicine named in running text. Offsets in UTF-16 code units, end exclusive. */
export interface MedicationMention {
  readonly name: string;
  readonly substanceIds: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Longest name in words that is looked for. */
const WORDS_MAX = 4;
/** Shorter names are mostly abbreviations, which mean other things in running text. */
const CHARACTERS_MIN = 4;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;
/** Names of medicines that running text uses for something else: a food, a drink, a substance of the body, a symptom. */
const EVERYDAY: ReadonlySet<string> = new Set([
  'alcohol',
  'beer',
  'caffeine',
  'calcium',
  'cannabis',
  'charcoal',
  'cigarettes',
  'cocaine',
  'coffee',
  'garlic',
  'ginger',
  'glucose',
  'grapefruit',
  'grapefruit juice',
  'iron',
  'licorice',
  'liquor',
  'liquorice',
  'magnesium',
  'marijuana',
  'methamphetamine',
  'nicotine',
  'oxygen',
  'potassium',
  'salt',
  'same',
  'smoking',
  'sodium',
  'sugar',
  'thyroid',
  'tobacco',
  'turmeric',
  'water',
  'wine',
  'zinc',
]);

/** The medicines that a text names in their own words: substances, brands and synonyms, the longest names first. */
export function findMedicationMentions(knowledge: MedicationKnowledge, text: string): readonly MedicationMention[] {
  const words = [...text.matchAll(WORD)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: normalise(match[0]),
  }));
  const found: MedicationMention[] = [];
  for (let at = 0; at < words.length; ) {
    const length = longestNameAt(knowledge, words, at, found);
    at += Math.max(1, length);
  }
  return found;
}

function longestNameAt(
  knowledge: MedicationKnowledge,
  words: readonly { readonly start: number; readonly end: number; readonly text: string }[],
  at: number,
  found: MedicationMention[],
): number {
  for (let length = Math.min(WORDS_MAX, words.length - at); length > 0; length -= 1) {
    const part = words.slice(at, at + length);
    const key = part.map((word) => word.text).join(' ');
    if (key.length < CHARACTERS_MIN || EVERYDAY.has(key)) continue;
    const entry = meaningOf(knowledge.names.byName.get(key));
    if (!entry) continue;
    const [first, last] = [part[0], part.at(-1)];
    if (!first || !last) continue;
    found.push({
      name: entry.substances.map(({ name }) => name).join(' / '),
      substanceIds: entry.substances.map(({ id }) => id),
      start: first.start,
      end: last.end,
    });
    return length;
  }
  return 0;
}

/** The one medicine a name means; undefined where it means several. */
function meaningOf(entries: readonly NameEntry[] | undefined): NameEntry | undefined {
  const [first] = entries ?? [];
  return first && entries?.every(({ target }) => target === first.target) ? first : undefined;
}
