import { expect, test } from '@jest/globals';
import { coverOf, widestOf } from '@perennial/core/diagnostics/engine/widest.ts';
import fc from 'fast-check';

const stretches = fc.array(
  fc
    .record({ kind: fc.constantFrom('a', 'b'), start: fc.nat(20), length: fc.nat(6) })
    .map(({ kind, start, length }) => ({
      kind,
      start,
      end: start + length,
    })),
  { maxLength: 40 },
);

test('what lies within another of its kind goes, and of two at the same place the first stays', () => {
  fc.assert(
    fc.property(stretches, (all) => {
      const expected = all.filter(
        (one, at) =>
          !all.some(
            (other, place) =>
              place !== at &&
              other.kind === one.kind &&
              other.start <= one.start &&
              other.end >= one.end &&
              (other.end - other.start > one.end - one.start || place < at),
          ),
      );
      expect(widestOf(all, ({ kind }) => kind)).toEqual(expected);
    }),
  );
});

test('a stretch is covered when one of the others holds it whole', () => {
  fc.assert(
    fc.property(stretches, stretches, (all, asked) => {
      const covers = coverOf(all);
      for (const one of asked)
        expect(covers(one)).toBe(all.some(({ start, end }) => start <= one.start && end >= one.end));
    }),
  );
});

test('a hundred thousand stretches are each looked at a few times, not once for each of the others', () => {
  let looks = 0;
  const all = Array.from({ length: 100_000 }, (_, at) => ({
    get start() {
      looks += 1;
      return at * 6;
    },
    end: at * 6 + 5,
  }));
  expect(widestOf(all, () => '')).toHaveLength(all.length);
  expect(looks).toBeLessThan(all.length * 50);
});
