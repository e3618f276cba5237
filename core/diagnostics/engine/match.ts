import { spend } from '../../compute/work.ts';
import type { Token } from './canon.ts';
import type { Lexicon, Phrase } from './lexicon.ts';

/** A phrase found in a sentence. */
export interface Match {
  phrase: Phrase;
  /** Indexes of the sentence's tokens that carry the phrase. */
  at: number[];
}

/** Work of looking at a phrase, and at a place where it may stand. */
const PHRASE_UNITS = 4;
const PLACE_UNITS = 40;

const SPEAKERS = new Set(['he', 'she', 'they', 'patient']);
const JOINS = new Set(['and', 'or', 'with', 'plus']);
const PLACES = new Set([
  'of',
  'in',
  'on',
  'over',
  'at',
  'to',
  'around',
  'behind',
  'under',
  'near',
  'from',
  'affecting',
]);
/** Words too general to make a wording specific by themselves. */
const GENERIC = new Set([
  'worse',
  'relief',
  'severe',
  'radiate',
  'both',
  'left',
  'right',
  'sudden',
  'intermittent',
  'night',
  'morning',
  'loss',
  'gain',
  'new',
  'low',
  'high',
]);
/** How many other words may stand among a phrase's words, by the phrase's length. */
const SLACK = [0, 0, 2, 3, 4, 5, 6];

/**
 * Finds phrases whose words stand near each other in a sentence, in any order.
 * @param borrowed canonical words of an earlier sentence that this one refers to ("the pain", "it").
 */
export function matchPhrases(sentence: Token[], lexicon: Lexicon, borrowed: Set<string>): Match[] {
  const places = new Map<string, number[]>();
  const order: number[] = [];
  sentence.forEach((token, index) => {
    order[index] = (order[index - 1] ?? -1) + (token.kind === 'word' ? 1 : 0);
    if (token.kind !== 'word' && token.kind !== 'filler') return;
    const known = places.get(token.canon) ?? [];
    known.push(index);
    places.set(token.canon, known);
  });
  const found: Match[] = [];
  for (const word of new Set([...places.keys(), ...borrowed])) {
    const phrases = lexicon.phrases.get(word) ?? [];
    spend(phrases.length * PHRASE_UNITS);
    for (const phrase of phrases) {
      // Most phrases end here: asked first, and without making anything.
      if (borrowed.size === 0 && !phrase.words.every((one) => places.has(one))) continue;
      const real = borrowed.size === 0 ? phrase.words : phrase.words.filter((one) => places.has(one));
      if (real.length === 0 || (real.length < phrase.words.length && !canBorrow(phrase, real, borrowed, lexicon)))
        continue;
      const anchors = places.get(real[0]!)!;
      spend(anchors.length * real.length * PLACE_UNITS);
      for (const anchor of anchors) {
        const at = real.map((one, place) => (place === 0 ? anchor : nearest(places.get(one)!, anchor)));
        if (at.length > 1) at.sort((a, b) => a - b);
        if (fits(sentence, order, at, phrase, lexicon) && isWordForWord(sentence, at, phrase, lexicon)) {
          found.push({ phrase, at });
        }
      }
    }
  }
  return withoutCovered(unique(found));
}

/** A phrase may borrow its place or its sensation, never the word that makes it specific. */
function canBorrow(phrase: Phrase, real: string[], borrowed: Set<string>, lexicon: Lexicon): boolean {
  const lent = phrase.words.filter((word) => !real.includes(word));
  if (!lent.every((word) => borrowed.has(word) && (lexicon.sites.has(word) || lexicon.sensations.has(word))))
    return false;
  return real.some((word) => !lexicon.sites.has(word) && !GENERIC.has(word));
}

/** The place nearest to the anchor, the earlier of two equally near; the places are in order. */
function nearest(places: number[], anchor: number): number {
  let low = 0;
  let high = places.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < anchor) low = middle + 1;
    else high = middle;
  }
  const after = places[low]!;
  const before = places[low - 1];
  return before !== undefined && anchor - before <= after - anchor ? before : after;
}

/** Whether the words are the wording's own, where synonyms would mean something else. */
function isWordForWord(sentence: Token[], at: number[], phrase: Phrase, lexicon: Lexicon): boolean {
  if (phrase.literal === null) return true;
  return at.every((index) => phrase.literal!.includes(lexicon.canon.surfaceOf(sentence[index]!)));
}

/** What may follow "no" and a noun when it is only the noun's troubles that are denied: "no urinary symptoms". */
const TROUBLES =
  /^(?:symptoms?|problems?|complaints?|issues?|troubles?|related|irregularit\w*|disturbances?|abnormalit\w*)$/;

const PASSED =
  /^(?:pass\w*|com(?:e|es|ing)|came|output|flow\w*|mov\w*|today|tonight|yesterday|overnight|since|for|whatsoever|now|drain\w*)$/;

/** "No urine" says that none comes; "no urinary symptoms" and "no pain on passing urine" do not. */
function deniesItself(sentence: Token[], order: number[], at: number[], phrase: Phrase, lexicon: Lexicon): boolean {
  const isDenial = (token: Token): boolean => lexicon.triggers.isDenial(token.text);
  const first = at[0]!;
  const last = at.at(-1)!;
  if (order[last]! - order[first]! + 1 > at.length + Math.max(0, at.length - 2)) return false;
  const between = sentence.slice(first + 1, last);
  if (between.some((token, offset) => token.kind === 'mark' || (isDenial(token) && !at.includes(first + 1 + offset)))) {
    return false;
  }
  const begins =
    phrase.words[0] === sentence[first]!.canon ||
    (!isDenial(sentence[first]!) && !lexicon.triggers.isDenial(phrase.words[0]!));
  const next = sentence[last + 1];
  // "No urinary frequency" speaks of the frequency: the wording is only the beginning of what is denied.
  const goesOn =
    next !== undefined && next.end - next.start > 2 && next.kind === 'word' && lexicon.known.has(next.canon);
  const isPassed = PASSED.test(next?.text ?? '');
  return begins && !(goesOn && !isPassed) && !TROUBLES.test(next?.text ?? '');
}

/** Whether words at these places, in order, stand near enough and with nothing between them that parts them. */
function fits(sentence: Token[], order: number[], at: number[], phrase: Phrase, lexicon: Lexicon): boolean {
  if (at.length === 1) return true;
  const first = at[0]!;
  const last = at.at(-1)!;
  const span = order[last]! - order[first]! + 1;
  if (span > at.length + (SLACK[at.length] ?? 6)) return false;
  if (phrase.denies) return deniesItself(sentence, order, at, phrase, lexicon);
  const between = sentence.slice(first + 1, last);
  const radiates = between.some((token) => token.canon === 'radiate') || sentence[first]?.canon === 'radiate';
  if (radiates && !phrase.words.includes('radiate')) return false;
  if (between.some((token) => token.kind === 'mark' && token.text !== ',' && token.text !== '(')) return false;
  const foreignSite = between.some((token) => lexicon.sites.has(token.canon) && !phrase.words.includes(token.canon));
  if (foreignSite && at.length < 4 && !onlyBodyList(sentence, first, last, lexicon)) return false;
  const crosses = between.some((token) => token.text === ',' || JOINS.has(token.text));
  if (!crosses) return true;
  if (startsAnew(between)) return false;
  return mayCross(sentence, first, last, at.length, lexicon);
}

/** "Very weak, she reports left chest pain": after the comma somebody begins to say something else. */
function startsAnew(between: Token[]): boolean {
  return between.some(
    (token, index) => (token.text === ',' || token.text === 'and') && SPEAKERS.has(between[index + 1]?.text ?? ''),
  );
}

/** "Pain in the shoulder, neck and hip": a list of places shares the sensation before it. */
function onlyBodyList(sentence: Token[], first: number, last: number, lexicon: Lexicon): boolean {
  if (!lexicon.sensations.has(sentence[first]!.canon)) return false;
  return sentence
    .slice(first + 1, last + 1)
    .every(
      (token) =>
        token.kind !== 'word' || lexicon.sites.has(token.canon) || ['left', 'right', 'both'].includes(token.text),
    );
}

/** Whether a phrase may reach over a comma or "and". */
function mayCross(sentence: Token[], first: number, last: number, words: number, lexicon: Lexicon): boolean {
  const head = sentence[first]!;
  const tail = sentence[last]!;
  if (lexicon.sensations.has(head.canon) && lexicon.sites.has(tail.canon)) {
    // "pain, swelling and redness of the knee", but not "chest pain, knee swelling".
    if (lexicon.sites.has(sentence[first - 1]?.canon ?? '')) return false;
    return sentence.slice(first + 1, last).some((token) => PLACES.has(token.text));
  }
  if (lexicon.sites.has(head.canon) && lexicon.sensations.has(tail.canon)) {
    // "knee pain and swelling", but not "pain in the chest and swelling of the leg".
    const after = sentence.slice(last + 1, last + 4);
    const stop = after.findIndex((token) => token.kind === 'mark' || JOINS.has(token.text));
    const own = after.slice(0, stop < 0 ? 3 : stop);
    return !own.some((token) => lexicon.sites.has(token.canon));
  }
  return words >= 3;
}

function unique(found: Match[]): Match[] {
  const seen = new Set<string>();
  return found.filter((match) => {
    const key = `${match.phrase.finding} ${match.at.join(',')} ${match.phrase.states_presence}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Drops a match whose words all belong to a longer one: "back pain" in "pain at the back of the eye". */
function withoutCovered(found: Match[]): Match[] {
  const longer = new Map<number, Match[]>();
  for (const match of found) {
    if (match.at.length === 1) continue;
    for (const index of match.at) {
      const here = longer.get(index);
      if (here === undefined) longer.set(index, [match]);
      else here.push(match);
    }
  }
  return found.filter(
    (match) =>
      !longer
        .get(match.at[0]!)
        ?.some((other) => other.at.length > match.at.length && match.at.every((index) => other.at.includes(index))),
  );
}
