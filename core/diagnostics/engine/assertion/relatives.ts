import type { Assertions } from '../../../knowledge/types.ts';
import type { Word } from './words.ts';

/** How far from the word for a relative its verb may stand, in words. */
const REACH = 6;

/** A relative whose health a sentence speaks of. */
export interface RelativeCue {
  /** Positions of the relative's words, end exclusive. */
  from: number;
  to: number;
  direction: 'forward' | 'backward';
}

interface Sets {
  words: ReadonlySet<string>;
  pseudo: ReadonlySet<string>;
  speaks: ReadonlySet<string>;
  suffers: ReadonlySet<string>;
  belongs: ReadonlySet<string>;
}

const known = new WeakMap<Assertions, Sets>();

function setsOf(rules: Assertions): Sets {
  const made = known.get(rules);
  if (made !== undefined) return made;
  const { words, pseudo, speaks, suffers, belongs } = rules.relatives;
  const sets = {
    words: new Set(words),
    pseudo: new Set(pseudo),
    speaks: new Set(speaks),
    suffers: new Set(suffers),
    belongs: new Set(belongs),
  };
  known.set(rules, sets);
  return sets;
}

/** "My sister's got a cold": the sister, and not something of hers. */
function withoutVerb(words: readonly Word[], at: number): string {
  const { text } = words[at]!;
  return HAS_AFTER.has(words[at + 1]?.text ?? '') ? text.replace(/['’]s$/, '') : text;
}

const HAS_AFTER = new Set(['got', 'had', 'been']);

/**
 * The relatives whose health is told. One who speaks, brings the patient or is only mentioned ("father of two") says
 * nothing about the relative's own health.
 */
export function relativesOf(words: readonly Word[], rules: Assertions): RelativeCue[] {
  const sets = setsOf(rules);
  const cues: RelativeCue[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!sets.words.has(withoutVerb(words, at)) || isOnlyMentioned(words, at, sets)) continue;
    const owned = words.slice(Math.max(0, at - 3), at);
    // "Brought in by his mother".
    if (words.slice(Math.max(0, at - 5), at).some((word) => sets.speaks.has(word.text))) continue;
    if (owned.some((word) => sets.belongs.has(word.text)) && !verbAfter(words, at, sets)) {
      cues.push({ from: at, to: at + 1, direction: 'backward' });
      continue;
    }
    if (verbAfter(words, at, sets)) cues.push({ from: at, to: at + 1, direction: 'forward' });
  }
  return cues;
}

function isOnlyMentioned(words: readonly Word[], at: number, { pseudo }: Sets): boolean {
  const text = (place: number): string => words[place]?.text ?? '';
  const here = text(at);
  return [
    `${here} ${text(at + 1)}`,
    `${text(at - 1)} ${here}`,
    `${text(at - 2)} ${text(at - 1)}`,
    `${text(at - 3)} ${text(at - 2)}`,
    `${text(at - 3)} ${text(at - 2)} ${text(at - 1)}`,
    `${text(at - 1)} ${here}`,
  ].some((wording) => pseudo.has(wording));
}

/** Whether the first verb after a relative says what the relative suffers, and not what the relative says or does. */
function verbAfter(words: readonly Word[], at: number, { speaks, suffers, words: relatives }: Sets): boolean {
  const last = Math.min(words.length - 1, at + REACH);
  for (let next = at + 1; next <= last && words[next]!.kind === 'word'; next += 1) {
    const { text } = words[next]!;
    if (speaks.has(text) || speaks.has(`${text} ${words[next + 1]?.text ?? ''}`)) return false;
  }
  for (let next = at + 1; next <= last; next += 1) {
    const { text, kind } = words[next]!;
    if (kind === 'border') return false;
    if (suffers.has(text)) return true;
    if (kind === 'comma' && !relatives.has(words[next + 1]?.text ?? '') && next > at + 2) return false;
  }
  return false;
}
