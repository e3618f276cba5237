import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fold, tokensOf, wordsOf } from '../../../core/knowledge/search/fold.ts';
import { highlight } from '../../../core/knowledge/search/highlight.ts';

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 500) };
const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[A-Za-z0-9.' |,-]{0,40}$/));

test('the quick reading of words finds the same as the one with places', () => {
  fc.assert(
    fc.property(text, (each) => {
      expect(tokensOf(each)).toEqual(wordsOf(each).map(({ word }) => word));
    }),
    runs,
  );
});

test('the places of words are where they stand, from left to right, and do not overlap', () => {
  fc.assert(
    fc.property(text, (each) => {
      let end = 0;
      for (const word of wordsOf(each)) {
        expect(word.start).toBeGreaterThanOrEqual(end);
        expect(fold(each.slice(word.start, word.end).replace(/[.'’]/g, ''))).toBe(word.word);
        end = word.end;
      }
    }),
    runs,
  );
});

test.each([
  ['Ménière’s disease', ['menieres', 'disease']],
  ['J45.9', ['j459']],
  ['ŒDÈME', ['oedeme']],
  ["Crohn's disease, J45.9 or 2.5 mg", ['crohns', 'disease', 'j459', 'or', '2', '5', 'mg']],
  ['straße', ['strasse']],
])('"%s" is read as %j', (each, words) => {
  expect(tokensOf(each)).toEqual(words);
});

test('a long text is shortened around the first word, and the places follow', () => {
  const long = `${'before '.repeat(40)}the needle lies here ${'after '.repeat(40)}`;
  const found = highlight('summary', long, new Set(['needle', 'here']))!;
  expect(found.text.length).toBeLessThan(200);
  expect(found.text.startsWith('…') && found.text.endsWith('…')).toBe(true);
  expect(found.spans.map(({ start, end }) => found.text.slice(start, end))).toEqual(['needle', 'here']);
  expect(highlight('summary', long, new Set(['haystack']))).toBeNull();
});
