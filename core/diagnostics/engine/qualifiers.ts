import { scopesOf } from './assertion/scopes.ts';
import { deniedAmong } from './assertion/status.ts';
import type { Token } from './canon.ts';
import type { Lexicon } from './lexicon.ts';
import type { Effort } from './spelling.ts';
import { readDurations } from './time.ts';
import { firstFrom, widestOf } from './widest.ts';

export type QualifierKind =
  | 'duration'
  | 'onset'
  | 'severity'
  | 'course'
  | 'laterality'
  | 'body_site'
  | 'trigger'
  | 'relief';

/** What a sentence says beside its findings. Offsets are those of the sentence, end exclusive. */
export interface SentenceQualifier {
  kind: QualifierKind;
  value: string;
  /** Duration in hours, severity from 0 to 10 where told so; null otherwise. */
  number: number | null;
  present: boolean;
  start: number;
  end: number;
}

interface Wording {
  kind: QualifierKind;
  value: string;
  pattern: RegExp;
}

const words = (kind: QualifierKind, value: string, alternatives: string): Wording => ({
  kind,
  value,
  pattern: new RegExp(`\\b(?:${alternatives})\\b`, 'gi'),
});

/** Wordings with one meaning each. Where two match the same place the longer one holds. */
const WORDINGS: Wording[] = [
  words(
    'onset',
    'sudden',
    'sudden(?:ly)?|abrupt(?:ly)?|acute(?:ly)?|out of (?:nowhere|the blue)|all at once|thunderclap',
  ),
  words('onset', 'gradual', 'gradual(?:ly)?|insidious(?:ly)?|slowly (?:came|started|began|developed)|bit by bit'),
  words('severity', 'mild', 'mild(?:ly)?|slight(?:ly)?|minor|faint|a little|a bit'),
  words('severity', 'moderate', 'moderate(?:ly)?|quite bad|fairly bad'),
  words(
    'severity',
    'severe',
    'severe(?:ly)?|excruciating(?:ly)?|unbearabl[ey]|intense(?:ly)?|terribl[ey]|awful|agoni[sz]ing|very bad|extreme(?:ly)?|worst [a-z]{2,20} (?:of|in) (?:my|his|her|their) life|worst [a-z]{2,20} ever',
  ),
  words(
    'course',
    'worsening',
    'worsening|(?:getting|gets|got|become|becoming|becomes|grown|growing) (?:progressively |steadily |gradually )?worse|progressive(?:ly)?(?: worse)?|deteriorat(?:ing|ed)|increasing(?:ly)?',
  ),
  words(
    'course',
    'improving',
    'improving|(?:getting|gets|got|feels?) (?:a bit |slowly )?better|subsid(?:ing|ed)|resolving',
  ),
  words('course', 'constant', 'constant(?:ly)?|continuous(?:ly)?|persistent(?:ly)?|unremitting|all the time|non-?stop'),
  words(
    'course',
    'intermittent',
    'intermittent(?:ly)?|comes? and go(?:es)?|coming and going|on and off|off and on|episodic|in (?:waves|episodes|attacks|bouts)',
  ),
  words(
    'course',
    'recurrent',
    'recurrent(?:ly)?|recurring|keeps? (?:coming back|returning)|again and again|repeated(?:ly)?',
  ),
  words('laterality', 'both', 'bilateral(?:ly)?|both(?: sides)?|on both sides|either side'),
  words('laterality', 'left', 'left(?:-sided| side(?:d)?)?'),
  words('laterality', 'right', 'right(?:-sided| side(?:d)?)?'),
];

/** "8/10", "8 out of 10". A date or a pressure has no ten. */
const SCORE = /\b(10|\d)(?:\.\d)?\s*(?:\/|out of)\s*10\b/gi;
/** What follows a trigger or a relief, up to the next turn of the sentence. */
const CAUSE = String.raw`((?:(?!(?:and|but|or|nor|while|better|worse|relieved|eased|however|also|not|she|he|i|it)\b)[a-z][a-z'-]{0,30}\s*){1,6})`;
const TRIGGER = new RegExp(
  String.raw`\b(?:worse(?:ned|ns)?|aggravated|exacerbated|brought on|triggered|provoked|precipitated|induced|set off|comes on|hurts?|flares?(?: up)?)\s+(?:by|with|on|when|whenever|after|during|at|in|if|from)\s+${CAUSE}`,
  'gi',
);
const SITUATION =
  /\b(?:on|during|with)\s+((?:minimal |mild |moderate |heavy |physical )?(?:exertion|exercise|effort|movement|deep breath(?:s|ing)?|coughing|swallowing|urination|walking))\b/gi;
const RELIEF = new RegExp(
  String.raw`\b(?:better|relieved|eased|eases|alleviated|improve[sd]?|helped|goes away|went away|settles?|resolves?|lessened|relief)\s+(?:by|with|on|when|after|at|if|from)\s+${CAUSE}`,
  'gi',
);
/** A denial of relief or trigger stands right before it: "not relieved by rest", "no better with antacids". */
const DENIED_BEFORE = /\b(?:not|no|never|n't|isn't|wasn't|without|neither|hardly|nothing)\s+(?:\S{1,20}\s+){0,2}$/i;

/** The level of a severity from 0 to 10. */
function levelOf(score: number): string {
  if (score <= 3) return 'mild';
  return score <= 6 ? 'moderate' : 'severe';
}

/**
 * What a sentence says beside its findings, in its order.
 * @param tokens the sentence's own, for the places on the body.
 */
export function readQualifiers(text: string, tokens: Token[], lexicon: Lexicon, effort: Effort): SentenceQualifier[] {
  const found: SentenceQualifier[] = [];
  const denied = deniedAmong(tokens, scopesOf(text, lexicon.triggers));
  const ends = tokens.map((token) => token.end);
  const isDenied = (start: number): boolean => denied[firstFrom(ends, start + 1)] ?? false;
  for (const { kind, value, pattern } of WORDINGS) {
    for (const match of text.matchAll(pattern)) {
      const present = !isDenied(match.index);
      found.push({ kind, value, number: null, present, start: match.index, end: match.index + match[0].length });
    }
  }
  for (const match of text.matchAll(SCORE)) {
    const number = Number(match[1]);
    const place = { start: match.index, end: match.index + match[0].length };
    found.push({ kind: 'severity', value: levelOf(number), number, present: true, ...place });
  }
  for (const pattern of [TRIGGER, SITUATION]) found.push(...causes('trigger', pattern, text));
  found.push(...causes('relief', RELIEF, text));
  for (const { hours, start, end } of readDurations(text, effort)) {
    found.push({ kind: 'duration', value: text.slice(start, end), number: hours, present: true, start, end });
  }
  tokens.forEach((token, at) => {
    if (token.kind !== 'word' || !lexicon.sites.has(token.canon)) return;
    const { canon, start, end } = token;
    found.push({ kind: 'body_site', value: canon, number: null, present: !denied[at], start, end });
  });
  // Of two of the same kind at the same place, the one that says more.
  return widestOf(found, ({ kind }) => kind).sort((a, b) => a.start - b.start || a.end - b.end);
}

function causes(kind: 'trigger' | 'relief', pattern: RegExp, text: string): SentenceQualifier[] {
  return [...text.matchAll(pattern)].map((match) => {
    const value = match[1]!.trim();
    const end = match.index + match[0].trimEnd().length;
    const present = !DENIED_BEFORE.test(text.slice(Math.max(0, match.index - 60), match.index));
    return { kind, value, number: null, present, start: match.index, end };
  });
}
