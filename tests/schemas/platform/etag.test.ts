import { describe, expect, test } from '@jest/globals';
import { formatETag, inRepresentation, parseETags } from '@perennial/schemas/platform/etag.ts';

describe('entity tags', () => {
  test('are read as they were written, alone and in lists', () => {
    const tags = [
      { revision: 1, representation: 'a1B2' },
      { revision: 42, representation: 'x-_9' },
    ];
    expect(parseETags(tags.map(formatETag).join(' , '))).toEqual(tags);
    expect(parseETags(' * ')).toBe('any');
  });

  test('of others are left out', () => {
    expect(parseETags('"abc", W/"1.a b", "7.ok", W/7.ok, W/"-1.ok"')).toEqual([{ revision: 7, representation: 'ok' }]);
  });

  test('keep the revision in another representation', () => {
    expect(inRepresentation('W/"12.head"', 'older')).toBe('"12.older"');
    expect(inRepresentation('"12.head"', 'older')).toBe('"12.older"');
  });

  test.each(['', '*', '"head"', 'W/"12.head", W/"13.head"', 'W/"12.head" '])(
    'a text that is not one of our tags has no other representation: %j',
    (text) => {
      expect(inRepresentation(text, 'older')).toBeUndefined();
    },
  );
});
