import { describe, expect, test } from '@jest/globals';
import { JsonSplitter } from '@perennial/schemas/platform/http/json-splitter.ts';
import fc from 'fast-check';

const ELEMENT_BYTES_MAX = 100_000;

/** Splits bytes that arrive in pieces of the given sizes, again and again. */
function split(bytes: Buffer, sizes: readonly number[]): { elements: unknown[]; members: Record<string, unknown> } {
  const splitter = new JsonSplitter('list', ELEMENT_BYTES_MAX);
  const elements: unknown[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] as number;
    for (const piece of splitter.push(bytes.subarray(at, at + size))) elements.push(JSON.parse(piece.toString('utf8')));
    at += size;
  }
  splitter.finish();
  const members = [...splitter.members].map(([name, piece]) => [name, JSON.parse(piece.toString('utf8')) as unknown]);
  return { elements, members: Object.fromEntries(members) as Record<string, unknown> };
}

const name = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((each) => each !== 'list' && each !== '__proto__');
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

describe('an object with one long list', () => {
  test('is cut into what JSON.parse finds in it, wherever its bytes are torn apart', () => {
    const small = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const document = fc.record({
      before: fc.dictionary(name, small, { maxKeys: 3 }),
      list: fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 12 }),
      indent: fc.constantFrom('', ' ', '\n\t'),
      listLast: fc.boolean(),
    });
    fc.assert(
      fc.property(document, sizes, ({ before, list, indent, listLast }, chunkSizes) => {
        const whole = listLast ? { ...before, list } : { list, ...before };
        const bytes = Buffer.from(JSON.stringify(whole, null, indent), 'utf8');
        const { list: expected, ...members } = JSON.parse(bytes.toString('utf8')) as { list: unknown[] };
        expect(split(bytes, chunkSizes)).toEqual({ elements: expected, members });
      }),
      { numRuns: 300 },
    );
  });

  test('is refused or cut as JSON.parse would, whatever byte of it is changed', () => {
    const bytes = Buffer.from('{"mode": "a", "list": [{"x": "\\"]}"}, [1, 2], "s"]}', 'utf8');
    const change = fc.record({ at: fc.nat(bytes.length - 1), byte: fc.constantFrom(...Buffer.from('{}[]",:\\ a1')) });
    const text = (of: Buffer): { list?: unknown } | undefined => {
      try {
        return JSON.parse(of.toString('utf8')) as { list?: unknown };
      } catch {
        return undefined;
      }
    };
    fc.assert(
      fc.property(change, sizes, ({ at, byte }, chunkSizes) => {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        const expected = text(changed);
        // Another name for the list, or a name twice, is something else than a different list.
        fc.pre(expected === undefined || Array.isArray(expected.list));
        if (expected === undefined) expect(() => split(changed, chunkSizes)).toThrow();
        else expect(split(changed, chunkSizes).elements).toEqual(expected.list);
      }),
      { numRuns: 300 },
    );
  });

  test('holds no more than an element: one that is too large is refused before it has ended', () => {
    const splitter = new JsonSplitter('list', 1_000);
    const push = (text: string): number => [...splitter.push(Buffer.from(text))].length;
    expect(push(`{"list":["${'x'.repeat(900)}"`)).toBe(0);
    expect(push(',"')).toBe(1);
    expect(() => push('x'.repeat(1_100))).toThrow(expect.objectContaining({ code: 'body_too_large' }));
    const named = new JsonSplitter('list', 1_000);
    expect(() => [...named.push(Buffer.from(`{"${'n'.repeat(2_000)}`))]).toThrow();
  });
});
