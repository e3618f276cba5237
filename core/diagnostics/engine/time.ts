import type { Effort } from './spelling.ts';

/** Duration buckets, upper bound in hours. The ids are findings of the knowledge base. */
const BUCKETS: { finding: string; upToHours: number }[] = [
  { finding: 'duration_hours', upToHours: 23 },
  { finding: 'duration_days', upToHours: 9 * 24 },
  { finding: 'duration_weeks', upToHours: 7 * 7 * 24 },
  { finding: 'duration_months', upToHours: 360 * 24 },
  { finding: 'duration_years', upToHours: Number.POSITIVE_INFINITY },
];

const UNIT_HOURS: Record<string, number> = {
  second: 0.001,
  sec: 0.001,
  minute: 0.02,
  min: 0.02,
  hour: 1,
  hr: 1,
  day: 24,
  night: 24,
  week: 168,
  wk: 168,
  month: 720,
  year: 8760,
  yr: 8760,
};

const NUMBERS: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  couple: 2,
  few: 3,
  several: 4,
  many: 6,
  past: 1,
  last: 1,
  half: 0.5,
};

const NUMBER_WORDS = Object.keys(NUMBERS).join('|');
const UNITS = Object.keys(UNIT_HOURS).join('|');
const SPAN = new RegExp(
  `\\b(?:(\\d+(?:\\.\\d+)?)(?:\\s*(?:-|–|to|or)\\s*(\\d+))?|(${NUMBER_WORDS})(?:\\s+of)?)(?:\\s*(?:or so|consecutive))?[\\s-]*(${UNITS})s?\\b`,
  'gi',
);
/** Most sentences say nothing of time; this finds out with one look instead of ten. */
const SPEAKS_OF_TIME =
  /sec|min|hour|hr|day|night|week|wk|month|year|yr|morning|afternoon|evening|now|since|long|life|suddenly/i;
/** What stands before or after a span and makes it no duration of the complaint. */
const NOT_BEFORE =
  /(?:smok\w*|age of|aged|every|each|twice|once|times|per|weekly|last(?:s|ed|ing)?(?: for)?(?: about| approximately| around| up to)?|within|resolves? (?:in|with|after))\s*(?:in |for |a |the |than |about )*$/i;
const NOT_AFTER =
  /^[\s,-]*(?:old|girl|boy|infant|baby|of age|of gestation|gestation|pregnan|postpartum|per|each|a (?:day|week|month)|apart|later|by|until|after|before|prior|ago,? (?:he|she|they|i)? ?(?:had|was|were|underwent|gave)|of smoking|at a time|each)/i;
const SINCE: { pattern: RegExp; hours: number }[] = [
  {
    pattern:
      /\b(?:since|this|from|early) (?:this |early |the )?(?:morning|afternoon|evening|tonight)\b|\bjust now\b|\btoday\b|\btonight\b|\bsuddenly (?:started|began)\b/i,
    hours: 5,
  },
  {
    pattern: /\b(?:since yesterday|yesterday|last night|overnight|since last night|previous (?:day|night))\b/i,
    hours: 24,
  },
  {
    pattern:
      /\b(?:since childhood|since birth|since infancy|lifelong|all (?:his|her|my) life|for years|several years|many years|long-?standing)\b/i,
    hours: 20000,
  },
  { pattern: /\bfor (?:some |many |several )?months\b/i, hours: 2500 },
  { pattern: /\bfor (?:some |several )?weeks\b/i, hours: 500 },
  { pattern: /\bfor (?:some |several )?days\b/i, hours: 80 },
];

/** A duration read from text. */
export interface Duration {
  hours: number;
  start: number;
  end: number;
}

/** Every duration stated in the text, in order. */
export function readDurations(text: string, effort: Effort): Duration[] {
  const found: Duration[] = [];
  if (!SPEAKS_OF_TIME.test(text)) return found;
  for (const match of text.matchAll(SPAN)) {
    if (effort.durations >= effort.durationsMax) break;
    effort.durations += 1;
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    const end = match.index + match[0].length;
    if (NOT_BEFORE.test(before) || NOT_AFTER.test(text.slice(end, end + 40))) continue;
    const count = Number(match[2] ?? match[1] ?? NUMBERS[match[3]!.toLowerCase()] ?? 1);
    const unit = UNIT_HOURS[match[4]!.toLowerCase()] ?? 24;
    found.push({ hours: count * unit, start: match.index, end });
  }
  for (const { pattern, hours } of SINCE) {
    const match = pattern.exec(text);
    if (match !== null) found.push({ hours, start: match.index, end: match.index + match[0].length });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The finding that stands for a duration. */
export function durationFinding(hours: number): string {
  return BUCKETS.find((bucket) => hours <= bucket.upToHours)!.finding;
}

/** The findings of all duration buckets. */
export const DURATION_FINDINGS: string[] = BUCKETS.map((bucket) => bucket.finding);
