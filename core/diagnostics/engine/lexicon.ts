import type { Finding, Knowledge } from '../../knowledge/types.ts';
import { Triggers } from './assertion/triggers.ts';
import { Canon } from './canon.ts';
import type { OtherReader } from './said.ts';
import { Sayings, wordsSaid } from './sayings.ts';
import { Spelling } from './spelling.ts';

/** One wording of a finding as canonical words. */
export interface Phrase {
  finding: string;
  words: string[];
  /** False where the wording states absence: "afebrile". */
  states_presence: boolean;
  /** True for wordings that speak of relatives only. */
  family: boolean;
  /**
   * The very words of the wording, in order, where it has to be met word for word; null where any of their synonyms
   * will do.
   */
  literal: string[] | null;
  /** True where the wording itself denies: "no stool or gas". */
  denies: boolean;
}

/** Everything the reader needs, built once per knowledge base. */
export interface Lexicon {
  canon: Canon;
  triggers: Triggers;
  sayings: Sayings;
  /** Languages beside the usual one, by their tags. */
  others: ReadonlyMap<string, OtherReader>;
  spelling: Spelling;
  /** Phrases by their rarest word, so that a sentence touches few of them. */
  phrases: Map<string, Phrase[]>;
  /** Every canonical word that some phrase uses. */
  known: Set<string>;
  sites: Set<string>;
  sensations: Set<string>;
}

/** Builds the lexicon of a knowledge base. */
export function buildLexicon(knowledge: Knowledge): Lexicon {
  const canon = new Canon(knowledge.words);
  const english = knowledge.languages.find(({ language }) => language === 'en')!;
  const triggers = new Triggers(english.assertion);
  const danger = knowledge.danger.find(({ language }) => language === 'en')!;
  const sayings = new Sayings(danger, triggers, english.endings);
  for (const word of wordsSaid(danger)) canon.learn(word);
  const phrases = knowledge.findings.flatMap((finding) => phrasesOf(finding, canon, triggers));
  tellApart(phrases, canon);
  const frequency = new Map<string, number>();
  for (const phrase of phrases) for (const word of phrase.words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const byRarest = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const rarest = phrase.words.reduce((a, b) => (frequency.get(b)! < frequency.get(a)! ? b : a));
    const sharing = byRarest.get(rarest) ?? [];
    sharing.push(phrase);
    byRarest.set(rarest, sharing);
  }
  return {
    canon,
    triggers,
    sayings,
    others: othersOf(knowledge),
    spelling: new Spelling(canon.vocabulary, english.misspellings),
    phrases: byRarest,
    known: new Set(frequency.keys()),
    sites: new Set(knowledge.words.sites),
    sensations: new Set(knowledge.words.sensations),
  };
}

function othersOf(knowledge: Knowledge): Map<string, OtherReader> {
  const readers = new Map<string, OtherReader>();
  for (const { language, assertion, endings, misspellings, signature } of knowledge.languages) {
    const words = knowledge.danger.find((one) => one.language === language);
    if (language === USUAL || words === undefined) continue;
    const triggers = new Triggers(assertion);
    const misspelt = Object.entries(misspellings).flatMap(([word, all]) => all.map((one) => [one, word] as const));
    readers.set(language, {
      triggers,
      sayings: new Sayings(words, triggers, endings),
      misspelt: new Map(misspelt),
      stops: new Set(signature.filter((word) => word.length <= STOP_CHARS_MAX)),
    });
  }
  return readers;
}

const USUAL = 'en';
const STOP_CHARS_MAX = 3;

function phrasesOf(finding: Finding, canon: Canon, triggers: Triggers): Phrase[] {
  const seen = new Set<string>();
  const phrases: Phrase[] = [];
  const add = (wording: string, statesPresence: boolean): void => {
    canon.learn(wording);
    const words = canon.phrase(wording);
    const key = [...words].sort().join(' ');
    if (words.length === 0 || seen.has(key)) return;
    seen.add(key);
    const literal = canon.surface(wording);
    const denies = statesPresence && canon.tokens(wording).some((token) => triggers.isDenial(token.text));
    phrases.push({
      finding: finding.id,
      words,
      states_presence: statesPresence,
      family: finding.region === 'family',
      literal,
      denies,
    });
  };
  for (const wording of finding.absent_synonyms) add(wording, false);
  for (const wording of finding.synonyms) add(wording, true);
  return phrases;
}

/**
 * Decides which wordings have to be met word for word. "Gasping" is a synonym of breathlessness, yet as a wording of
 * "breathless at rest" it must not make every breathlessness one at rest: where findings share a canonical form, it
 * belongs to those that are worded in its own words, and the others keep to theirs.
 */
function tellApart(phrases: Phrase[], canon: Canon): void {
  const owners = new Map<string, Set<string>>();
  const keyOf = (phrase: Phrase): string => `${phrase.family} ${[...phrase.words].sort().join(' ')}`;
  for (const phrase of phrases) {
    const key = keyOf(phrase);
    owners.set(key, (owners.get(key) ?? new Set()).add(phrase.finding));
  }
  for (const phrase of phrases) {
    const isShared = owners.get(keyOf(phrase))!.size > 1;
    const own = phrase.words.map((word) => canon.surface(word.replaceAll('-', ' ')).join(' '));
    const isOwnWords = phrase.literal!.every((word) => own.includes(word));
    if (!isShared || isOwnWords) phrase.literal = null;
  }
}
