import type { Knowledge, VitalSign } from '../../knowledge/types.ts';
import type { Token } from './canon.ts';
import { familyTokens } from './family.ts';
import type { Lexicon } from './lexicon.ts';
import { type Match, matchPhrases } from './match.ts';
import { deniedTokens, isDenial, isNormal } from './negation.ts';
import { Effort } from './spelling.ts';
import { type Duration, durationFinding, readDurations } from './time.ts';
import { readingsInText } from './vitals.ts';

export type Section = 'complaint' | 'history' | 'family';

/** A finding stated or denied somewhere in the client's text. */
export interface Mention {
  finding: string;
  present: boolean;
  section: Section;
  /** Which of the texts, and where in it, end exclusive. */
  text_index: number;
  start: number;
  end: number;
  text: string;
}

/** Text that led to no finding. */
export interface Unrecognized {
  text_index: number;
  start: number;
  end: number;
  text: string;
}

export interface Reading {
  mentions: Mention[];
  unrecognized: Unrecognized[];
  /** Duration of the complaint in hours, or null where none is stated. */
  duration_hours: number | null;
  durations: (Duration & { text_index: number })[];
  /** Vital signs written in the text: °C, mmHg, per minute, percent. */
  readings: Partial<Record<VitalSign, number>>;
  /** Age in years and sex where the text states them. */
  stated_age: number | null;
  stated_sex: 'female' | 'male' | null;
  /** Share of content words that led to a finding, 0 to 1. */
  coverage: number;
}

/** What the sentence before spoke of. */
interface Topic {
  sites: Set<string>;
  sensations: Set<string>;
}

export interface Sentence {
  start: number;
  text: string;
}

const REFERS = new Set([
  'it',
  'this',
  'these',
  'they',
  'which',
  'symptoms',
  'symptom',
  'that',
  'attacks',
  'attack',
  'episodes',
  'episode',
  'condition',
  'pain',
  'complaint',
  'sensation',
  'character',
  'nature',
]);
const MODIFIES = new Set(['worse', 'relief', 'radiate', 'sharp', 'dull', 'crushing', 'tearing', 'throbbing', 'burn']);
const BOUNDARY = /[.!?](?=\s|$|[A-Z])|[;\n]+|(?<=[a-z]{3})(?=[A-Z][a-z]{2})/g;
const HEADING =
  /^\s*(?:(family (?:medical )?history|fh|fhx)|((?:past )?(?:medical |surgical |social )*history|pmh|medications?|habits?|social))\s*[:-]\s*/i;
const PREGNANCY =
  /\b(\d{1,2})(?:st|nd|rd|th)?[\s-]*(weeks?|wks?|months?)[\s-]*(?:pregnan\w*|of (?:gestation|pregnancy)|gestation\w*)/i;
const STATED_AGE = /\b(\d{1,3})[\s-]*(?:year|yr)s?[\s-]*old\b/i;
const STATED_INFANT_AGE = /\b(\d{1,2})[\s-]*(month|week|day|mo|wk)s?[\s-]*(?:old|girl|boy|infant|baby)\b/i;
const PER_YEAR: Record<string, number> = { month: 12, mo: 12, week: 52, wk: 52, day: 365 };
/** A complaint that begins with "My 3 year old son" or "Dad": the relative is the patient. */
const PROXY =
  /^\s*(?:(?:my|our)\s+(?:[\w-]+\s+){0,5}?(?:son|daughter|child|baby|boy|girl|toddler|mum|mom|mother|dad|father|gran\w*)\b|(?:mum|mom|dad|grandpa|grandma|granny|grandad)\b)/i;
const INFECTIOUS = new Set([
  'fever',
  'cough',
  'sore_throat',
  'runny_nose',
  'diarrhea',
  'vomiting',
  'rash',
  'red_eye',
  'flu_like_onset',
]);

/** A text together with the part of the record it comes from. */
export interface Source {
  text: string;
  section: Section;
}

/** Reads complaints, history and family history. Nothing is dropped: what is not understood is listed. */
export function readTexts(
  sources: Source[],
  knowledge: Knowledge,
  lexicon: Lexicon,
  effort: Effort = new Effort(),
): Reading {
  const reading: Reading = {
    mentions: [],
    unrecognized: [],
    duration_hours: null,
    durations: [],
    readings: {},
    stated_age: null,
    stated_sex: null,
    coverage: 1,
  };
  const ancestors = new Set(knowledge.findings.filter((finding) => INFECTIOUS.has(finding.id)).map((one) => one.id));
  let topic: Topic = { sites: new Set(), sensations: new Set() };
  const words = { all: 0, covered: 0 };
  sources.forEach((source, index) => {
    const heading = HEADING.exec(source.text);
    let section = source.section;
    if (heading?.[1] !== undefined) section = 'family';
    else if (heading?.[2] !== undefined) section = 'history';
    Object.assign(reading.readings, { ...readingsInText(source.text), ...reading.readings });
    readDemographics(source.text, section, reading);
    const isProxy = section === 'complaint' && PROXY.test(source.text);
    for (const sentence of sentencesOf(source.text, heading?.[0].length ?? 0)) {
      const place = { index, section, isProxy, sentence };
      topic = readSentence(place, topic, lexicon, ancestors, reading, words, effort);
    }
  });
  reading.coverage = words.all === 0 ? 1 : words.covered / words.all;
  addDuration(reading);
  return reading;
}

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

function readDemographics(text: string, section: Section, reading: Reading): void {
  if (section === 'family') return;
  const age = STATED_AGE.exec(text);
  if (age !== null) reading.stated_age ??= Number(age[1]);
  const infant = STATED_INFANT_AGE.exec(text);
  if (infant !== null) reading.stated_age ??= Number(infant[1]) / PER_YEAR[infant[2]!.toLowerCase()]!;
  if (reading.stated_sex === null) {
    if (/\b(?:female|woman|girl|lady)\b/i.test(text)) reading.stated_sex = 'female';
    else if (/\b(?:male|man|boy|gentleman)\b/i.test(text)) reading.stated_sex = 'male';
  }
}

interface Place {
  index: number;
  section: Section;
  /** True where a relative of the patient tells the story. */
  isProxy: boolean;
  sentence: Sentence;
}

function readSentence(
  place: Place,
  topic: Topic,
  lexicon: Lexicon,
  infectious: Set<string>,
  reading: Reading,
  words: { all: number; covered: number },
  effort: Effort,
): Topic {
  const { sentence, section, isProxy, index } = place;
  const tokens = lexicon.canon.tokens(sentence.text, (word) => lexicon.spelling.correct(word, effort));
  const denied = deniedTokens(tokens);
  const family = isProxy ? tokens.map(() => false) : familyTokensOf(tokens, section);
  const borrowed = section === 'complaint' ? lend(tokens, topic, lexicon) : new Set<string>();
  const covered = new Set<number>();
  for (const match of matchPhrases(tokens, lexicon, borrowed)) {
    const finding = understood(match, family, infectious);
    if (finding === null) continue;
    for (const at of match.at) covered.add(at);
    const start = sentence.start + tokens[match.at[0]!]!.start;
    const end = sentence.start + tokens[match.at.at(-1)!]!.end;
    reading.mentions.push({
      finding,
      present: match.phrase.states_presence !== isDenied(match, tokens, denied),
      section,
      text_index: index,
      start,
      end,
      text: sentence.text.slice(start - sentence.start, end - sentence.start),
    });
  }
  for (const duration of readDurations(sentence.text, effort)) {
    tokens.forEach((token, at) => {
      if (token.start >= duration.start && token.end <= duration.end) covered.add(at);
    });
    const smoking = tokens.some((token) => token.canon === 'smoke' || token.canon === 'alcohol');
    if (section !== 'complaint' || smoking) continue;
    reading.durations.push({
      hours: duration.hours,
      start: sentence.start + duration.start,
      end: sentence.start + duration.end,
      text_index: index,
    });
  }
  readPregnancy(place, reading);
  listUnrecognized(place, tokens, covered, reading, words);
  return nextTopic(tokens, denied, topic, lexicon);
}

function familyTokensOf(tokens: Token[], section: Section): boolean[] {
  return section === 'family' ? tokens.map(() => true) : familyTokens(tokens);
}

/** The finding a match stands for, or null where it speaks of somebody else. */
function understood(match: Match, family: boolean[], infectious: Set<string>): string | null {
  const ofRelative = match.at.some((at) => family[at]);
  if (ofRelative === match.phrase.family) return match.phrase.finding;
  if (ofRelative && infectious.has(match.phrase.finding)) return 'sick_contact';
  return null;
}

function isDenied(match: Match, tokens: Token[], denied: boolean[]): boolean {
  const saysNo = match.at.some(
    (at) => isDenial(tokens[at]!) || (!match.phrase.states_presence && isNormal(tokens[at]!)),
  );
  return !saysNo && match.at.some((at) => denied[at]);
}

/** The words of the last topic this sentence may use without repeating them. */
function lend(tokens: Token[], topic: Topic, lexicon: Lexicon): Set<string> {
  const hasSite = tokens.some((token) => lexicon.sites.has(token.canon));
  const hasSensation = tokens.some((token) => lexicon.sensations.has(token.canon));
  const refers = tokens.some((token) => REFERS.has(token.text) || MODIFIES.has(token.canon));
  const lent = new Set<string>();
  if (!hasSite && (refers || hasSensation)) for (const site of topic.sites) lent.add(site);
  if (!hasSensation && refers) for (const sensation of topic.sensations) lent.add(sensation);
  return lent;
}

function nextTopic(tokens: Token[], denied: boolean[], topic: Topic, lexicon: Lexicon): Topic {
  const stated = tokens.filter((_, at) => !denied[at]).map((token) => token.canon);
  const sensations = stated.filter((word) => lexicon.sensations.has(word));
  const sites = stated.filter((word) => lexicon.sites.has(word));
  if (sensations.length === 0) return topic;
  return { sites: sites.length > 0 ? new Set(sites.slice(0, 3)) : topic.sites, sensations: new Set(sensations) };
}

function readPregnancy(place: Place, reading: Reading): void {
  if (place.section === 'family' || !/\d/.test(place.sentence.text)) return;
  const match = PREGNANCY.exec(place.sentence.text);
  if (match === null) return;
  const weeks = Number(match[1]) * (match[2]!.startsWith('m') ? 4.3 : 1);
  const start = place.sentence.start + match.index;
  reading.mentions.push({
    finding: weeks >= 20 ? 'second_half_pregnancy' : 'first_half_pregnancy',
    present: true,
    section: place.section,
    text_index: place.index,
    start,
    end: start + match[0].length,
    text: match[0],
  });
}

/** Lists runs of content words that led to nothing. */
function listUnrecognized(
  place: Place,
  tokens: Token[],
  covered: Set<number>,
  reading: Reading,
  words: { all: number; covered: number },
): void {
  let run: Token[] = [];
  const close = (): void => {
    if (run.length > 0) {
      const start = run[0]!.start;
      const end = run.at(-1)!.end;
      reading.unrecognized.push({
        text_index: place.index,
        start: place.sentence.start + start,
        end: place.sentence.start + end,
        text: place.sentence.text.slice(start, end),
      });
    }
    run = [];
  };
  tokens.forEach((token, at) => {
    if (token.kind === 'filler' || token.kind === 'stop' || (token.kind === 'word' && isDenial(token))) return;
    if (token.kind === 'mark' || covered.has(at)) {
      close();
      if (token.kind === 'mark') return;
    }
    words.all += 1;
    if (covered.has(at)) words.covered += 1;
    else run.push(token);
  });
  close();
}

/** The first duration that belongs to the complaint decides how long it has lasted. */
function addDuration(reading: Reading): void {
  const first = reading.durations[0];
  if (first === undefined) return;
  reading.duration_hours = first.hours;
  reading.mentions.push({
    finding: durationFinding(first.hours),
    present: true,
    section: 'complaint',
    text_index: first.text_index,
    start: first.start,
    end: first.end,
    text: '',
  });
}
