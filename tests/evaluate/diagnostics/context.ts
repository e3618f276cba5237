import { scopesOf } from '@perennial/core/diagnostics/engine/assertion/scopes.ts';
import { type Status, statusOf } from '@perennial/core/diagnostics/engine/assertion/status.ts';
import type { Triggers } from '@perennial/core/diagnostics/engine/assertion/triggers.ts';
import { bootstrapOf, type Estimate, shareOf } from './intervals.ts';

/** A sentence with one concept in it, and what somebody who read it says of the concept. */
export interface MarkedSentence {
  line: string;
  concept: string;
  sentence: string;
  negated: boolean;
  historical: boolean;
  /** Not happened: what to look out for. */
  hypothetical: boolean;
  /** Of somebody else. */
  other: boolean;
}

export const ASPECTS = ['negated', 'historical', 'hypothetical', 'other'] as const;
export type Aspect = (typeof ASPECTS)[number];

export interface AspectScore {
  aspect: Aspect;
  /** How many were marked so, and how many were read so. */
  marked: number;
  read: number;
  precision: Estimate | null;
  recall: Estimate | null;
  f1: Estimate;
}

export interface ContextEvaluation {
  sentences: number;
  scores: AspectScore[];
  /** Sentences read otherwise than marked. */
  misread: { line: string; aspect: Aspect; marked: boolean; cue: string | null }[];
}

/** Raised where a file of sentences cannot be used. */
export class SentencesInvalid extends Error {
  override readonly name = 'SentencesInvalid';
}

/**
 * Reads sentences: tab-separated, with a line of names first, of which `concept`, `sentence` and `negation` are needed.
 * @throws SentencesInvalid where a name is missing.
 */
export function readSentences(text: string): MarkedSentence[] {
  const [names = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const columns = names.split('\t').map((name) => name.trim().toLowerCase());
  const at = (name: string): number => columns.indexOf(name);
  for (const name of ['concept', 'sentence', 'negation']) {
    if (at(name) < 0) throw new SentencesInvalid(`the first line names no column "${name}"`);
  }
  return lines.map((line, index) => {
    const cells = line.split('\t');
    const cell = (name: string): string => cells[at(name)]?.trim() ?? '';
    return {
      line: cell('line') || String(index + 1),
      concept: cell('concept'),
      sentence: cell('sentence'),
      negated: /^negated$/i.test(cell('negation')),
      historical: /^historical$/i.test(cell('temporality')),
      hypothetical: /^(?:not particular|hypothetical)$/i.test(cell('temporality')),
      other: cell('experiencer') !== '' && !/^patient$/i.test(cell('experiencer')),
    };
  });
}

/** Reads every sentence and counts where the reading agrees with the marks. */
export function evaluateContext(sentences: readonly MarkedSentence[], triggers: Triggers): ContextEvaluation {
  const read = sentences.map((one) => ({ marked: one, status: statusIn(one, triggers) }));
  const misread: ContextEvaluation['misread'] = [];
  const scores = ASPECTS.map((aspect): AspectScore => {
    const pairs = read.map(({ marked, status }) => {
      const cue = cueOf(status, aspect);
      if ((cue !== null) !== marked[aspect]) {
        const words = cue === null ? null : flat(marked.sentence).slice(cue.start, cue.end);
        misread.push({ line: marked.line, aspect, marked: marked[aspect], cue: words });
      }
      return { marked: marked[aspect], read: cue !== null };
    });
    const both = pairs.filter((pair) => pair.marked && pair.read).length;
    const isMarked = pairs.filter((pair) => pair.marked).length;
    const isRead = pairs.filter((pair) => pair.read).length;
    return {
      aspect,
      marked: isMarked,
      read: isRead,
      precision: shareOf(both, isRead),
      recall: shareOf(both, isMarked),
      f1: bootstrapOf(pairs, f1),
    };
  });
  return { sentences: sentences.length, scores, misread };
}

function f1(pairs: readonly { marked: boolean; read: boolean }[]): number {
  let both = 0;
  let either = 0;
  for (const { marked, read } of pairs) {
    if (marked && read) both += 1;
    either += (marked ? 1 : 0) + (read ? 1 : 0);
  }
  return either === 0 ? Number.NaN : (2 * both) / either;
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

function statusIn({ concept, sentence }: MarkedSentence, triggers: Triggers): Status {
  const text = flat(sentence);
  const wanted = flat(concept);
  // The concept is printed in capitals; elsewhere in the sentence the same word may mean another mention.
  const capital = text.indexOf(wanted.toUpperCase());
  const start = capital >= 0 ? capital : text.toLowerCase().indexOf(wanted.toLowerCase());
  // A concept that begins in an earlier sentence: what stands here of it is its own, and no cue can deny it.
  if (start < 0) return statusOf([], []);
  return statusOf(scopesOf(text, triggers), [{ start, end: start + wanted.length }]);
}

/** What is gone is not there: the marks call it negated. */
function cueOf(status: Status, aspect: Aspect): Status['negated'] {
  if (aspect === 'negated') return status.negated ?? status.resolved;
  return aspect === 'historical' ? (status.historical ?? status.past) : status[aspect];
}
