import { describe, expect, test } from '@jest/globals';
import { toBase62 } from '@perennial/schemas/platform/base62.ts';
import {
  apiKeyPrefix,
  hashApiKey,
  mintApiKey,
  mintLegacyApiKey,
  parseApiKey,
} from '@perennial/schemas/platform/credentials.ts';
import fc from 'fast-check';

/** CRC-32 as in RFC 1952, written out, so that the format does not rest on one library's word. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describe('keys of the current format', () => {
  test.each(['live', 'test'] as const)(
    'are hai_%s_, 30 random characters and the checksum of all before it',
    (mode) => {
      const key = mintApiKey(mode);
      expect(key).toMatch(new RegExp(`^hai_${mode}_[0-9A-Za-z]{36}$`));
      expect(key.slice(-6)).toBe(toBase62(crc32(key.slice(0, -6)), 6));
      expect(parseApiKey(key)).toEqual({ format: 'current', mode });
    },
  );

  test('never repeat', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => mintApiKey('test'))).size).toBe(1_000);
  });

  test('with any one character changed, or cut, or lengthened, are no keys', () => {
    const key = mintApiKey('live');
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom(...'0123456789ABCxyz_'), (at, character) => {
        const changed = key.slice(0, at) + character + key.slice(at + 1);
        if (changed !== key) expect(parseApiKey(changed)).toBeUndefined();
      }),
    );
    for (const text of [key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
      expect(parseApiKey(text)).toBeUndefined();
    }
  });

  test('have checksums filled with zeros on the left to six characters', () => {
    expect(toBase62(0, 6)).toBe('000000');
    expect(toBase62(61, 6)).toBe('00000z');
    expect(toBase62(62, 6)).toBe('000010');
    expect(toBase62(0xffffffff, 6)).toBe('4gfFC3');
  });
});

test('keys of the old format are sk_ and an opaque text that says nothing of its mode', () => {
  const key = mintLegacyApiKey();
  expect(key).toMatch(/^sk_[0-9A-Za-z]{30}$/);
  expect(parseApiKey(key)).toEqual({ format: 'legacy' });
});

test('anything else is no key', () => {
  for (const text of ['', 'sk_', 'sk_short', 'hai_live_', 'hai_prod_'.padEnd(45, 'a'), 'Bearer sk_abcdefghij']) {
    expect(parseApiKey(text)).toBeUndefined();
  }
  fc.assert(fc.property(fc.string(), (text) => text.startsWith('sk_') || parseApiKey(text) === undefined));
});

test('a key is stored as its SHA-256 in hex, and shown by a prefix that opens nothing', () => {
  expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  const key = mintApiKey('test');
  expect(key.startsWith(apiKeyPrefix(key))).toBe(true);
  expect(apiKeyPrefix(key)).toHaveLength(13);
});
