import type { Knowledge, VitalSign } from '../../knowledge/types.ts';
import { DISCLAIMER, MODEL_VERSION } from './analyze.ts';
import type { Token } from './canon.ts';
import { type Model, modelOf } from './model.ts';
import { deniedTokens, isDenial } from './negation.ts';
import { readQualifiers, type SentenceQualifier } from './qualifiers.ts';
import { type Mention, type Reading, readTexts, sentencesOf } from './read.ts';
import { type PlacedText, type TextField, textsOf } from './sources.ts';
import { Effort } from './spelling.ts';
import type { PatientData } from './types.ts';
import { readingsWithPlaces } from './vitals.ts';

/** Words of one of the texts; offsets in UTF-16 code units, end exclusive. */
export interface Span {
  field: TextField;
  index: number | null;
  start: number;
  end: number;
  text: string;
}

export type PlacedQualifier = Omit<SentenceQualifier, 'start' | 'end'> & { span: Span };

export interface ParsedFinding {
  finding_id: string;
  name: string;
  aspect: 'complaint' | 'history' | 'habit' | 'family_history';
  present: boolean;
  negation: Span | null;
  span: Span;
  qualifiers: PlacedQualifier[];
}

/** What was read in the texts of an input. */
export interface Parsed {
  findings: ParsedFinding[];
  vital_signs: { sign: VitalSign; value: number; unit: string; span: Span }[];
  qualifiers: PlacedQualifier[];
  duration_hours: number | null;
  age: number | null;
  sex: 'female' | 'male' | null;
  unrecognized: Span[];
  coverage: number;
  model_version: string;
  knowledge_version: string;
  disclaimer: string;
}

/** Something another reader recognised, so that it is not listed as unrecognised: a name of a medicine. */
export interface ElsewhereRecognized {
  text_index: number;
  start: number;
  end: number;
}

/** Findings of the past that are a way of life. */
export const HABITS: ReadonlySet<string> = new Set([
  'smoking',
  'heavy_alcohol',
  'iv_drug_use',
  'recreational_drug_use',
  'sexually_active',
  'unprotected_sex',
  'vegan_diet',
  'low_fluid_fiber',
  'red_meat_seafood',
  'athlete_overuse',
  'sun_outdoor_work',
  'desk_repetitive_work',
  'kneeling_work',
  'overhead_work',
  'healthcare_work',
  'nail_biting',
  'shaving',
  'cotton_bud_use',
  'swimming_ear',
]);

interface ReadSentence {
  start: number;
  end: number;
  tokens: Token[];
  qualifiers: SentenceQualifier[];
}

/**
 * Reads the texts of an input and says all that was understood, with its place, and all that was not.
 * @param elsewhere what other readers recognised in these texts.
 */
export function parse(
  knowledge: Knowledge,
  patientData: PatientData,
  elsewhere: readonly ElsewhereRecognized[] = [],
): Parsed {
  const model = modelOf(knowledge);
  const texts = textsOf(patientData);
  const reading = readTexts(texts, knowledge, model.lexicon);
  const effort = new Effort();
  const sentences = texts.map((text) => readSentences(text, model, effort));
  const mentions = withoutRepeats(reading.mentions);
  const span = (at: number, start: number, end: number): Span => spanOf(texts[at]!, start, end);

  const findings = mentions.map((mention): ParsedFinding => {
    const text = texts[mention.text_index]!;
    return {
      finding_id: mention.finding,
      name: model.findings.get(mention.finding)?.name ?? mention.finding,
      aspect: aspectOf(mention, text, model),
      present: mention.present,
      negation: negationOf(mention, text, sentences[mention.text_index]!),
      span: spanOf(text, mention.start, mention.end),
      qualifiers: [],
    };
  });
  const loose: PlacedQualifier[] = [];
  sentences.forEach((list, at) => {
    list.forEach((sentence, place) => {
      for (const { start, end, ...qualifier } of sentence.qualifiers) {
        const placed: PlacedQualifier = { ...qualifier, span: span(at, sentence.start + start, sentence.start + end) };
        const owners = ownersOf(placed, mentions, at, sentence, list[place - 1]);
        for (const owner of owners) findings[owner]!.qualifiers.push(placed);
        if (owners.length === 0) loose.push(placed);
      }
    });
  });
  const vitals = texts.flatMap((text, at) =>
    text.section === 'family'
      ? []
      : readingsWithPlaces(text.text).map(({ sign, value, start, end }) => ({
          sign,
          value: Math.round(value * 10) / 10,
          unit: knowledge.vitals.units[sign],
          span: span(at, start, end),
        })),
  );
  const known = [
    ...elsewhere,
    ...[...loose, ...findings.flatMap((finding) => finding.qualifiers), ...vitals].map((one) =>
      placeOf(one.span, texts),
    ),
  ];
  return {
    findings,
    vital_signs: vitals,
    qualifiers: loose,
    duration_hours: reading.duration_hours,
    age: reading.stated_age,
    sex: reading.stated_sex,
    unrecognized: unrecognizedOf(reading, known).map((one) => span(one.text_index, one.start, one.end)),
    coverage: Math.round(reading.coverage * 1000) / 1000,
    model_version: MODEL_VERSION,
    knowledge_version: knowledge.version,
    disclaimer: DISCLAIMER,
  };
}

/** The mentions in the order of the texts; of two of one finding at the same place, the wider. */
function withoutRepeats(mentions: Mention[]): Mention[] {
  return mentions
    .filter(
      (one, at) =>
        !mentions.some(
          (other, place) =>
            place !== at &&
            other.finding === one.finding &&
            other.present === one.present &&
            other.text_index === one.text_index &&
            other.start <= one.start &&
            other.end >= one.end &&
            (other.end - other.start > one.end - one.start || place < at),
        ),
    )
    .sort((a, b) => a.text_index - b.text_index || a.start - b.start);
}

/** Whether the words at this place of a text are denied. */
export function isDeniedAt(knowledge: Knowledge, text: string, start: number): boolean {
  const { lexicon } = modelOf(knowledge);
  const sentence = sentencesOf(text).findLast((one) => one.start <= start);
  if (sentence === undefined) return false;
  const tokens = lexicon.canon.tokens(sentence.text);
  return deniedTokens(tokens)[tokens.findIndex((token) => sentence.start + token.end > start)] ?? false;
}

function readSentences({ text }: PlacedText, { lexicon }: Model, effort: Effort): ReadSentence[] {
  return sentencesOf(text).map((sentence) => {
    const tokens = lexicon.canon.tokens(sentence.text);
    return {
      start: sentence.start,
      end: sentence.start + sentence.text.length,
      tokens,
      qualifiers: readQualifiers(sentence.text, tokens, lexicon, effort),
    };
  });
}

function spanOf({ field, index, text }: PlacedText, start: number, end: number): Span {
  return { field, index, start, end, text: text.slice(start, end) };
}

function placeOf(span: Span, texts: PlacedText[]): ElsewhereRecognized {
  const at = texts.findIndex(({ field, index }) => field === span.field && index === span.index);
  return { text_index: at, start: span.start, end: span.end };
}

function aspectOf(mention: Mention, text: PlacedText, model: Model): ParsedFinding['aspect'] {
  const finding = model.findings.get(mention.finding);
  if (mention.section === 'family' || finding?.region === 'family') return 'family_history';
  if (HABITS.has(mention.finding) || text.field === 'socialHistory') return 'habit';
  if (mention.section === 'history' || finding?.category === 'history') return 'history';
  return 'complaint';
}

/** The nearest word that denies a finding: before it, or else after it. */
function negationOf(mention: Mention, text: PlacedText, sentences: ReadSentence[]): Span | null {
  if (mention.present) return null;
  const sentence = sentences.find((one) => mention.start >= one.start && mention.start < one.end);
  const denials = (sentence?.tokens ?? []).filter(isDenial);
  const base = sentence?.start ?? 0;
  const cue =
    denials.findLast((token) => base + token.start <= mention.start) ??
    denials.find((token) => base + token.start > mention.start);
  return cue === undefined ? null : spanOf(text, base + cue.start, base + cue.end);
}

const WHOLE_CLAUSE: ReadonlySet<string> = new Set(['duration', 'onset', 'course']);
/** These may speak of what the sentence before complained of: "It is worse on lying down." */
const REFERS_BACK: ReadonlySet<string> = new Set(['duration', 'onset', 'course', 'severity', 'trigger', 'relief']);
/** What stands behind one of these is another clause. */
const TURNS: ReadonlySet<string> = new Set(['but', 'however', 'although', 'though', 'whereas', ';']);

/** Positions of the findings a qualifier belongs to: all of its clause, or the nearest one. */
function ownersOf(
  { kind, span }: PlacedQualifier,
  mentions: Mention[],
  textIndex: number,
  sentence: ReadSentence,
  before: ReadSentence | undefined,
): number[] {
  const inside = (mention: Mention, { start, end }: ReadSentence): boolean =>
    mention.text_index === textIndex &&
    mention.section === 'complaint' &&
    mention.present &&
    mention.start >= start &&
    mention.end <= end;
  const all = mentions.flatMap((mention, at) => (inside(mention, sentence) ? [at] : []));
  // "Worse on exertion" is a finding of its own and says something about another: it is not its own trigger.
  const others = all.filter((at) => !isQualifier(mentions[at]!, sentence));
  const here = others.length > 0 ? others : all;
  if (here.length > 0) {
    if (WHOLE_CLAUSE.has(kind)) return here.filter((at) => !turnsBetween(mentions[at]!, span, sentence));
    return [here.reduce((best, at) => (distance(mentions[at]!, span) < distance(mentions[best]!, span) ? at : best))];
  }
  if (before === undefined || !REFERS_BACK.has(kind)) return [];
  return mentions.flatMap((mention, at) => (inside(mention, before) ? [at] : []));
}

/** Whether the words of a mention are those of a qualifier. */
function isQualifier(mention: Mention, sentence: ReadSentence): boolean {
  return sentence.qualifiers.some(
    ({ kind, start, end }) =>
      kind !== 'body_site' &&
      kind !== 'laterality' &&
      sentence.start + start <= mention.start &&
      sentence.start + end >= mention.end,
  );
}

function turnsBetween(mention: Mention, span: Span, sentence: ReadSentence): boolean {
  const from = Math.min(mention.end, span.end) - sentence.start;
  const to = Math.max(mention.start, span.start) - sentence.start;
  const between = sentence.tokens.filter((token) => token.start >= from && token.end <= to);
  return between.some((token) => TURNS.has(token.text));
}

function distance(mention: Mention, { start, end }: Span): number {
  if (mention.start < end && start < mention.end) return 0;
  return mention.start >= end ? mention.start - end : start - mention.end;
}

/** What no reader recognised. Words of which only a part was recognised stay as they are. */
function unrecognizedOf(reading: Reading, known: readonly ElsewhereRecognized[]): Reading['unrecognized'] {
  return reading.unrecognized.filter(
    (one) =>
      !known.some((other) => other.text_index === one.text_index && other.start <= one.start && other.end >= one.end),
  );
}
