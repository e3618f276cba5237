import { produce, spend } from '../../compute/work.ts';
import type { Knowledge, VitalSign } from '../../knowledge/types.ts';
import { DISCLAIMER, MODEL_VERSION } from './analyze.ts';
import { type Scope, scopesOf } from './assertion/scopes.ts';
import { statusOf } from './assertion/status.ts';
import type { Mention, Reading, Temporality } from './mention.ts';
import { type Model, modelOf } from './model.ts';
import { Clauses, type ReadSentence } from './owners.ts';
import { readQualifiers, type SentenceQualifier } from './qualifiers.ts';
import { readTexts } from './read.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { type PlacedText, type TextField, textsOf } from './sources.ts';
import { Effort } from './spelling.ts';
import type { PatientData } from './types.ts';
import { readingsWithPlaces } from './vitals.ts';
import { coverOf, widestOf } from './widest.ts';

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
  temporality: Temporality;
  experiencer: Mention['experiencer'];
  negation: Span | null;
  span: Span;
  qualifiers: PlacedQualifier[];
}

/** Work of looking for qualifiers, by the character. */
const QUALIFYING_UNITS = 40;

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
  produce(mentions.length);
  const clauses = sentences.map((list, at) => new Clauses(list, mentions, at));
  const span = (at: number, start: number, end: number): Span => spanOf(texts[at]!, start, end);

  const findings = mentions.map((mention): ParsedFinding => {
    const { text_index: at } = mention;
    const text = texts[at]!;
    return {
      finding_id: mention.finding,
      name: model.findings.get(mention.finding)?.name ?? mention.finding,
      aspect: aspectOf(mention, text, model),
      present: mention.present,
      temporality: mention.temporality,
      experiencer: mention.experiencer,
      negation: negationOf(mention, text),
      span: spanOf(text, mention.start, mention.end),
      qualifiers: [],
    };
  });
  const loose: PlacedQualifier[] = [];
  const known: ElsewhereRecognized[] = [...elsewhere];
  const place = (at: number, start: number, end: number): Span => {
    known.push({ text_index: at, start, end });
    return span(at, start, end);
  };
  sentences.forEach((list, at) => {
    list.forEach((sentence, number) => {
      for (const each of sentence.qualifiers) {
        const { start, end, ...qualifier } = each;
        const placed: PlacedQualifier = { ...qualifier, span: place(at, sentence.start + start, sentence.start + end) };
        const owners = clauses[at]!.ownersOf(number, each);
        produce(Math.max(1, owners.length));
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
          span: place(at, start, end),
        })),
  );
  const unrecognized = unrecognizedOf(reading, known);
  produce(elsewhere.length + unrecognized.length);
  return {
    findings,
    vital_signs: vitals,
    qualifiers: loose,
    duration_hours: reading.duration_hours,
    age: reading.stated_age,
    sex: reading.stated_sex,
    unrecognized: unrecognized.map((one) => span(one.text_index, one.start, one.end)),
    coverage: Math.round(reading.coverage * 1000) / 1000,
    model_version: MODEL_VERSION,
    knowledge_version: knowledge.version,
    disclaimer: DISCLAIMER,
  };
}

/** The mentions in the order of the texts; of two of one finding at the same place, the wider. */
function withoutRepeats(mentions: Mention[]): Mention[] {
  return widestOf(mentions, ({ finding, present, text_index: at }) => `${finding} ${present} ${at}`).sort(
    (a, b) => a.text_index - b.text_index || a.start - b.start,
  );
}

/** Tells whether the words at a place of a text are denied. Each sentence is read once, however many places are asked. */
export function denialsOf(knowledge: Knowledge, text: string): (start: number) => boolean {
  const { lexicon } = modelOf(knowledge);
  let sentences: Sentence[] | undefined;
  const read = new Map<Sentence, readonly Scope[]>();
  return (start) => {
    sentences ??= sentencesOf(text);
    const sentence = sentences.findLast((one) => one.start <= start);
    if (sentence === undefined) return false;
    const scopes = read.get(sentence) ?? scopesOf(sentence.text, lexicon.triggers);
    read.set(sentence, scopes);
    const at = start - sentence.start;
    return statusOf(scopes, [{ start: at, end: at + 1 }]).negated !== null;
  };
}

function readSentences({ text }: PlacedText, { lexicon }: Model, effort: Effort): ReadSentence[] {
  return sentencesOf(text).map((sentence) => {
    spend(sentence.text.length * QUALIFYING_UNITS);
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

function aspectOf(mention: Mention, text: PlacedText, model: Model): ParsedFinding['aspect'] {
  const finding = model.findings.get(mention.finding);
  if (mention.section === 'family' || finding?.region === 'family') return 'family_history';
  if (HABITS.has(mention.finding) || text.field === 'socialHistory') return 'habit';
  if (mention.section === 'history' || finding?.category === 'history') return 'history';
  return 'complaint';
}

/** The words that deny a finding, where there are any beside its own. */
function negationOf(mention: Mention, text: PlacedText): Span | null {
  if (mention.present || mention.cue === null) return null;
  return spanOf(text, mention.cue.start, mention.cue.end);
}

/** What no reader recognised. Words of which only a part was recognised stay as they are. */
function unrecognizedOf(reading: Reading, known: readonly ElsewhereRecognized[]): Reading['unrecognized'] {
  const covers = new Map(
    [...Map.groupBy(known, ({ text_index: at }) => at)].map(([at, list]) => [at, coverOf(list)] as const),
  );
  return reading.unrecognized.filter((one) => !covers.get(one.text_index)?.(one));
}
