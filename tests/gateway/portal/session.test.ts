import { describe, expect, test } from '@jest/globals';
import { createSessions } from '@perennial/gateway/portal/session.ts';

const SECRET = 'a secret that all gateways share, 32+';
const HASH = 'a'.repeat(64);

describe('a session', () => {
  test('is read by every gateway that has the secret, and by no other', () => {
    const { cookie } = createSessions(SECRET).open(HASH);
    const headers = { cookie: `theme=dark; perennial_session=${cookie}` };
    expect(createSessions(SECRET).read(headers)?.keyHash).toBe(HASH);
    expect(createSessions(`${SECRET}!`).read(headers)).toBeUndefined();
    expect(createSessions(SECRET).read({})).toBeUndefined();
  });

  test('ends after eight hours', () => {
    let now = 1_000_000;
    const sessions = createSessions(SECRET, () => now);
    const headers = { cookie: `perennial_session=${sessions.open(HASH).cookie}` };
    now += 8 * 3_600_000 - 1;
    expect(sessions.read(headers)).toBeDefined();
    now += 1;
    expect(sessions.read(headers)).toBeUndefined();
  });

  test('is nothing with one bit changed anywhere', () => {
    const sessions = createSessions(SECRET);
    const bytes = Buffer.from(sessions.open(HASH).cookie, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] as number) ^ 1;
      expect(sessions.read({ cookie: `perennial_session=${changed.toString('base64url')}` })).toBeUndefined();
    }
  });

  test('has tokens that differ each time and fit no other session', () => {
    const sessions = createSessions(SECRET);
    const one = sessions.open(HASH).session;
    const other = sessions.open(HASH).session;
    const token = sessions.token(one);
    expect(sessions.token(one)).not.toBe(token);
    expect(sessions.isToken(one, token)).toBe(true);
    expect(sessions.isToken(other, token)).toBe(false);
    expect(sessions.isToken(one, '')).toBe(false);
    expect(sessions.isToken(one, token.slice(0, -4))).toBe(false);
  });
});
