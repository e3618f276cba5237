import { expect, test } from '@jest/globals';
import { scopesOf } from '../../../core/diagnostics/engine/assertion/scopes.ts';
import { modelOf } from '../../../core/diagnostics/engine/model.ts';
import { readTexts, type Source } from '../../../core/diagnostics/engine/read.ts';
import { Effort } from '../../../core/diagnostics/engine/spelling.ts';
import { loadKnowledge } from '../../../core/knowledge/load.ts';

const knowledge = loadKnowledge();
const { lexicon } = modelOf(knowledge);

/** 200 texts of 2,000 characters, the most the contract lets in, of words that `next` makes. */
function longest(next: (index: number) => string): Source[] {
  let index = 0;
  return Array.from({ length: 200 }, () => {
    let text = '';
    while (text.length < 1980) {
      text += `${next(index)} `;
      index += 1;
    }
    return { text: text.slice(0, 2000), section: 'complaint' };
  });
}

/** A word that is in no vocabulary, another for every number. */
function unknownWord(index: number): string {
  return `qz${[...index.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')}xv`;
}

test('a word is compared with the vocabulary once, however often and in however many requests it stands', () => {
  const sources = longest(() => 'swetingg');
  const first = new Effort();
  const reading = readTexts(sources, knowledge, lexicon, first);
  expect(first.spellings).toBeLessThanOrEqual(1);
  expect(reading.mentions[0]?.finding).toBe('sweating');
  const second = new Effort();
  readTexts(sources, knowledge, lexicon, second);
  expect(second.spellings).toBe(0);
});

test('no text makes the reader compare more words than its effort allows, and what it leaves is reported', () => {
  const effort = new Effort();
  const reading = readTexts(longest(unknownWord), knowledge, lexicon, effort);
  expect(effort.spellings).toBe(effort.spellingsMax);
  expect(effort.comparisons).toBeLessThan(effort.spellingsMax * 200);
  expect(reading.unrecognized.length).toBeGreaterThanOrEqual(200);
  expect(reading.coverage).toBe(0);
});

test('no text makes the reader weigh more durations than its effort allows', () => {
  const effort = new Effort();
  const reading = readTexts(
    longest((index) => `${index % 90} days.`),
    knowledge,
    lexicon,
    effort,
  );
  expect(effort.durations).toBe(effort.durationsMax);
  expect(reading.durations.length).toBeLessThanOrEqual(effort.durationsMax);
});

test('a sentence of denials is read in time that grows with its length, not with its square', () => {
  const reachOf = (times: number): number =>
    scopesOf('no pain or '.repeat(times), lexicon.triggers).reduce((sum, { start, end }) => sum + end - start, 0);
  expect(reachOf(2000)).toBeLessThan(reachOf(1000) * 2.1);
});
