import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.ts';

/*
 * API keys. From 2023-10-15: `hai_<live|test>_<30 base62><6 base62>`, the last six being the CRC-32 of all that
 * precedes them, so that a mistyped or cut key is known without asking the database, and scanners of leaked secrets
 * find real keys only. Before: `sk_<opaque>`, which says nothing of itself.
 */

/** What a key may do: change real data, or only data made for trying. */
export type KeyMode = 'live' | 'test';

/** The two formats a key has had. */
export type KeyFormat = 'legacy' | 'current';

/** What the text of a key shows. The mode of a legacy key is known to the database only. */
export type ParsedApiKey = { format: 'current'; mode: KeyMode } | { format: 'legacy'; mode?: undefined };

/** A new key of the current format. It is shown once and stored as `hashApiKey` of it. */
export function mintApiKey(mode: KeyMode): string {
  const body = `hai_${mode}_${randomBase62(30)}`;
  return `${body}${checksum(body)}`;
}

/** A new key of the format from before 2023-10-15, for accounts whose clients still need one. */
export function mintLegacyApiKey(): string {
  return `sk_${randomBase62(30)}`;
}

/** The format a key is written in, or undefined for a text that is no key: malformed, or with a wrong checksum. */
export function parseApiKey(text: string): ParsedApiKey | undefined {
  const current = /^(hai_(live|test)_[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text);
  if (current !== null) {
    const [, body = '', mode, sum] = current;
    return checksum(body) === sum ? { format: 'current', mode: mode as KeyMode } : undefined;
  }
  return /^sk_[0-9A-Za-z_-]{8,128}$/.test(text) ? { format: 'legacy' } : undefined;
}

/** SHA-256 in hex. A key is 30 random base62 characters, 178 bits: a slow hash would protect nothing more. */
export function hashApiKey(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The first characters of a key, to tell keys apart in a list without giving any away. */
export function apiKeyPrefix(text: string): string {
  return text.slice(0, text.startsWith('hai_') ? 13 : 7);
}

function checksum(body: string): string {
  return toBase62(crc32(body), 6);
}
