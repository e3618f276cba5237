import type { Knowledge } from '../../knowledge/types.ts';
import { type Scope, scopesOf } from './assertion/scopes.ts';
import { deniedAmong, statusOf } from './assertion/status.ts';
import type { Token } from './canon.ts';
import { agesIn, demographicsOf, pregnancyIn } from './demographics.ts';
import { readAs } from './language.ts';
import type { Lexicon } from './lexicon.ts';
import { type Match, matchPhrases } from './match.ts';
import type { Mention, Reading, Section } from './mention.ts';
import { mentionOfSaying, readSaid, type SentencePlace, temporalityOf, withoutAccents } from './said.ts';
import { sentencesOf } from './sentences.ts';
import { Effort } from './spelling.ts';
import { durationFinding, readDurations } from './time.ts';
import { nextTopic, type Topic, wordsLent } from './topic.ts';
import { readingsInText } from './vitals.ts';
import { ownStory, tellsOfAnother } from './whose.ts';

const HEADING =
  /^\s*(?:(family (?:medical )?history|fh|fhx)|((?:past )?(?:medical |surgical |social )*history|pmh|medications?|habits?|social))\s*[:-]\s*/i;

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
  const categories = new Map(knowledge.findings.map(({ id, category }) => [id, category]));
  let topic: Topic = { sites: new Set(), sensations: new Set() };
  const words = { all: 0, covered: 0 };
  sources.forEach((source, index) => {
    const heading = HEADING.exec(source.text);
    let section = source.section;
    if (heading?.[1] !== undefined) section = 'family';
    else if (heading?.[2] !== undefined) section = 'history';
    Object.assign(reading.readings, { ...readingsInText(source.text), ...reading.readings });
    const stated = demographicsOf(source.text, section);
    reading.stated_age ??= stated.age;
    reading.stated_sex ??= stated.sex;
    const other = lexicon.others.get(readAs(source.text, knowledge));
    const { rules } = (other ?? lexicon).triggers;
    const isProxy = section === 'complaint' && tellsOfAnother(withoutAccents(source.text), rules);
    for (const sentence of sentencesOf(source.text, heading?.[0].length ?? 0)) {
      const place = { index, section, isProxy, sentence };
      if (other !== undefined) readSaid(place, other, reading, words);
      else topic = readSentence(place, topic, lexicon, reading, words, effort);
    }
  });
  reading.mentions = ownStory(reading.mentions, categories);
  reading.coverage = words.all === 0 ? 1 : words.covered / words.all;
  addDuration(reading);
  return reading;
}

function readSentence(
  place: SentencePlace,
  topic: Topic,
  lexicon: Lexicon,
  reading: Reading,
  words: { all: number; covered: number },
  effort: Effort,
): Topic {
  const { sentence, section, index } = place;
  const ages = agesIn(sentence.text);
  const tokens = lexicon.canon
    .tokens(sentence.text, (word) => lexicon.spelling.correct(word, effort))
    .map((token) => (ages.some(({ start, end }) => token.start < end && start < token.end) ? asStop(token) : token));
  const scopes = scopesOf(sentence.text, lexicon.triggers);
  const borrowed = section === 'complaint' ? wordsLent(tokens, topic, lexicon) : new Set<string>();
  const covered = new Set<number>();
  for (const match of matchPhrases(tokens, lexicon, borrowed)) {
    const mention = mentionOf(match, tokens, scopes, place, lexicon);
    if (mention === null) continue;
    for (const at of match.at) covered.add(at);
    reading.mentions.push(mention);
  }
  for (const said of lexicon.sayings.in(sentence.text, (word) => lexicon.spelling.correct(word, effort))) {
    const mention = mentionOfSaying(said, scopes, place);
    // A denial is left to the words of the finding itself.
    if (!mention.present || section === 'family') continue;
    reading.mentions.push(mention);
    tokens.forEach((token, at) => {
      if (token.start >= said.start && token.end <= said.end) covered.add(at);
    });
  }
  readTimes(place, tokens, scopes, covered, reading, effort);
  const pregnancy = section === 'family' ? null : pregnancyIn(sentence.text);
  if (pregnancy !== null) {
    const { finding, start, end } = pregnancy;
    const text = sentence.text.slice(start, end);
    const at = { text_index: index, start: sentence.start + start, end: sentence.start + end, text };
    reading.mentions.push({ finding, present: true, section, ...STATED, ...at });
  }
  listUnrecognized(place, tokens, covered, lexicon, reading, words);
  return nextTopic(tokens, deniedAmong(tokens, scopes), topic, lexicon);
}

const asStop = (token: Token): Token => ({ ...token, kind: 'stop' });
const STATED = { temporality: 'recent', experiencer: 'patient', resolved: false, cue: null } as const;

/** What a match says; null where it speaks of a relative and the wording does not, or the other way round. */
function mentionOf(
  match: Match,
  tokens: readonly Token[],
  scopes: readonly Scope[],
  { sentence, section, index, isProxy }: SentencePlace,
  lexicon: Lexicon,
): Mention | null {
  const { phrase } = match;
  const own = match.at.map((at) => tokens[at]!);
  const status = statusOf(scopes, own);
  const isOther = section === 'family' || (status.other !== null && !isProxy);
  if (phrase.family && !isOther) return null;
  const saysNo = own.some(
    (token) =>
      lexicon.triggers.isDenial(token.text) || (!phrase.states_presence && lexicon.triggers.isNormal(token.text)),
  );
  const denial = saysNo ? null : (status.negated ?? (phrase.states_presence ? status.normal : null));
  const start = own[0]!.start;
  const end = own.at(-1)!.end;
  const temporality = temporalityOf(status, section);
  const cue =
    denial ??
    (temporality === 'recent' ? null : (status.hypothetical ?? status.past ?? status.historical)) ??
    status.other;
  return {
    finding: phrase.finding,
    present: phrase.states_presence !== (denial !== null),
    temporality,
    // A wording of the family's history is the patient's own history.
    experiencer: isOther && !phrase.family ? 'other' : 'patient',
    resolved: status.resolved !== null,
    cue: cue === null ? null : { start: sentence.start + cue.start, end: sentence.start + cue.end },
    section,
    text_index: index,
    start: sentence.start + start,
    end: sentence.start + end,
    text: sentence.text.slice(start, end),
  };
}

function readTimes(
  { sentence, section, index }: SentencePlace,
  tokens: readonly Token[],
  scopes: readonly Scope[],
  covered: Set<number>,
  reading: Reading,
  effort: Effort,
): void {
  for (const duration of readDurations(sentence.text, effort)) {
    tokens.forEach((token, at) => {
      if (token.start >= duration.start && token.end <= duration.end) covered.add(at);
    });
    const smoking = tokens.some((token) => token.canon === 'smoke' || token.canon === 'alcohol');
    if (section !== 'complaint' || smoking) continue;
    const { past, other, hypothetical } = statusOf(scopes, [duration]);
    if (past !== null || other !== null || hypothetical !== null) continue;
    reading.durations.push({
      hours: duration.hours,
      start: sentence.start + duration.start,
      end: sentence.start + duration.end,
      text_index: index,
    });
  }
}

/** Lists runs of content words that led to nothing. */
function listUnrecognized(
  place: SentencePlace,
  tokens: readonly Token[],
  covered: ReadonlySet<number>,
  { triggers }: Lexicon,
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
    if (token.kind === 'filler' || token.kind === 'stop' || triggers.isDenial(token.text)) return;
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
    ...STATED,
    section: 'complaint',
    text_index: first.text_index,
    start: first.start,
    end: first.end,
    text: '',
  });
}
