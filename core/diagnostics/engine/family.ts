import type { Token } from './canon.ts';

const RELATIVES = new Set([
  'mother',
  'father',
  'sibling',
  'aunt',
  'uncle',
  'grandmother',
  'grandfather',
  'cousin',
  'relative',
  'relatives',
  'family',
  'parent',
  'parents',
  'grandparents',
  'grandparent',
  'son',
  'daughter',
  'twin-sibling',
]);
/** A relative who speaks or brings the patient says nothing about the relative's own health. */
const SPEAKS = new Set([
  'brought',
  'brings',
  'says',
  'said',
  'states',
  'stated',
  'reports',
  'reported',
  'noticed',
  'notices',
  'mentions',
  'mentioned',
  'thinks',
  'worried',
  'concerned',
  'complains',
  'complaining',
  'called',
  'found',
  'told',
  'tells',
  'noted',
  'describes',
  'observed',
  'saw',
  'claims',
  'took',
  'presented',
  'presents',
  'accompanied',
  'clinic',
  'denies',
  'doctor',
  'witnessed',
]);
const HOUSEHOLD = new Set(['whole', 'entire', 'all']);
const SUFFERS = new Set([
  'has',
  'had',
  'have',
  'died',
  'diagnosed',
  'suffers',
  'suffered',
  'with',
  'history',
  'developed',
  'is',
  'was',
  'who',
  'whose',
]);

/** Which tokens of a sentence speak of a relative's health. */
export function familyTokens(sentence: Token[]): boolean[] {
  const zone = sentence.map(() => false);
  if (sentence.some((token) => SPEAKS.has(token.text))) return zone;
  for (let at = 0; at < sentence.length; at += 1) {
    const token = sentence[at]!;
    if (!RELATIVES.has(token.canon) && !RELATIVES.has(token.text)) continue;
    // "The whole family has a headache": the patient among them.
    if (HOUSEHOLD.has(sentence[at - 1]?.text ?? '')) continue;
    const before = sentence.slice(Math.max(0, at - 3), at);
    if (before.some((one) => one.text === 'in' || one.text === 'of')) {
      zone.fill(true);
      return zone;
    }
    const after = sentence.slice(at + 1, at + 6);
    if (after.some((one) => SUFFERS.has(one.text))) zone.fill(true, at);
  }
  return zone;
}
