import type { Token } from './canon.ts';

/** Words that deny what follows them up to the next turn of the sentence. */
const DENIES_LIST = new Set(['denies', 'denied', 'denying', 'deny', 'without', 'lacks', 'neither', 'free']);
/** Words that deny what follows in the same item of a list. */
const DENIES_ITEM = new Set([
  'no',
  'not',
  'never',
  'nor',
  'none',
  'negative',
  'absent',
  'absence',
  'non',
  'nothing',
  "hasn't",
]);
const CONTRACTED = /n't$/;
/** After these a denial has ended. */
const TURNS = new Set([
  'but',
  'however',
  'except',
  'although',
  'though',
  'yet',
  'because',
  'due',
  'since',
  'who',
  'until',
  'when',
  'while',
  'presents',
  'presented',
  'reports',
  'reported',
  'complains',
  'complaining',
  'developed',
  'develops',
  'started',
  'otherwise',
  'only',
  'now',
  'instead',
  'then',
  'admits',
  'endorses',
  'notes',
  'despite',
  'after',
  'before',
  'as',
]);
const SUBJECTS = new Set(['he', 'she', 'i', 'they', 'it', 'patient', 'there']);
const VERBS = new Set(['has', 'have', 'had', 'is', 'was', 'are', 'feels', 'felt', 'gets', 'does', 'did']);
/** "No relief from ibuprofen" denies the relief and nothing else. */
const ONE_WORD_ONLY = new Set([
  'relief',
  'help',
  'respond',
  'chang',
  'better',
  'affect',
  'longer',
  'onli',
  'sure',
  'increas',
  'disabl',
  'enough',
  'gain',
  'avail',
  'obviou',
  'particular',
  'specif',
  'resolv',
  'worse',
]);
const AFTERWARDS = new Set(['absent', 'denied', 'negative', 'normal', 'unremarkable', 'none', 'unaffected', 'intact']);
const NORMAL = new Set(['normal', 'regular', 'intact', 'healthy', 'unremarkable']);

/** True where the token itself denies. */
export function isDenial(token: Token): boolean {
  return DENIES_LIST.has(token.text) || DENIES_ITEM.has(token.text) || CONTRACTED.test(token.text);
}

/** True where the token says that all is well: "normal power". */
export function isNormal(token: Token): boolean {
  return NORMAL.has(token.text);
}

/**
 * Which tokens of one sentence are denied.
 * "No" reaches to the end of its list item, and over a whole list that ends in "or"; "denies" and "without" reach to
 * the next turn of the sentence ("but", "he has", a semicolon).
 */
export function deniedTokens(sentence: Token[]): boolean[] {
  const denied = sentence.map(() => false);
  for (let at = 0; at < sentence.length; at += 1) {
    const token = sentence[at]!;
    if (token.kind === 'mark') continue;
    if (isDenial(token)) denyFrom(sentence, at, denied);
    else if (NORMAL.has(token.text)) denyNext(sentence, at, denied, 3);
    if (AFTERWARDS.has(token.text) && VERBS.has(sentence[at - 1]?.text ?? '')) denyBack(sentence, at - 1, denied);
  }
  return denied;
}

function denyFrom(sentence: Token[], at: number, denied: boolean[]): void {
  const wholeList = denies(sentence, at);
  const reachesOn = DENIES_LIST.has(sentence[at]!.text);
  // "No cough or cold, irritable, vomited once": what follows the item after the last "or" is stated.
  let hadOr = false;
  let words = 0;
  for (let next = at + 1; next < sentence.length; next += 1) {
    const token = sentence[next]!;
    if (token.kind === 'mark' && token.text !== ',' && token.text !== '(') return;
    if (token.text === ',' && (!wholeList || (hadOr && !listEndsInOr(sentence, next)))) return;
    if (!reachesOn && (token.text === 'or' || token.text === 'nor')) hadOr = true;
    if (endsDenial(sentence, next) && words > 0) return;
    if (token.kind === 'mark') continue;
    denied[next] = true;
    // A denial that reaches at least as far takes over, so that no word is walked over twice.
    if (isDenial(token) && (!wholeList || denies(sentence, next))) return;
    if (token.kind === 'word') {
      words += 1;
      if (words === 1 && ONE_WORD_ONLY.has(token.canon)) return;
    }
  }
}

/** Whether the denial at this place holds for a whole list. */
function denies(sentence: Token[], at: number): boolean {
  return DENIES_LIST.has(sentence[at]!.text) || listEndsInOr(sentence, at);
}

function denyNext(sentence: Token[], at: number, denied: boolean[], words: number): void {
  for (let next = at + 1; next < sentence.length && words > 0; next += 1) {
    const token = sentence[next]!;
    if (token.kind === 'mark' || endsDenial(sentence, next)) return;
    denied[next] = true;
    if (token.kind === 'word') words -= 1;
  }
}

function denyBack(sentence: Token[], at: number, denied: boolean[]): void {
  for (let before = at - 1; before >= 0; before -= 1) {
    if (sentence[before]!.kind === 'mark' || TURNS.has(sentence[before]!.text)) return;
    denied[before] = true;
  }
}

/** True at "but", "he has" or "and has": what follows is stated, not denied. */
function endsDenial(sentence: Token[], at: number): boolean {
  const token = sentence[at]!;
  if (TURNS.has(token.text)) return true;
  const next = sentence[at + 1]?.text ?? '';
  if (SUBJECTS.has(token.text) && !CONTRACTED.test(next)) return VERBS.has(next) || !SUBJECTS.has(next);
  return token.text === 'and' && (VERBS.has(next) || SUBJECTS.has(next) || next === 'with');
}

/** True for "no fever, chills or cough": the "or" shows that the list is one denial. */
function listEndsInOr(sentence: Token[], at: number): boolean {
  for (let next = at + 1; next < sentence.length; next += 1) {
    const token = sentence[next]!;
    if (token.text === 'or' || token.text === 'nor') return true;
    if (token.kind === 'mark' && token.text !== ',') return false;
    if (endsDenial(sentence, next) && next > at + 1) return false;
    if (isDenial(token)) return false;
  }
  return false;
}
