import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type Caller, RequestSigner, RequestVerifier } from '@perennial/schemas/platform/internal-token.ts';
import { SequenceWindow } from '@perennial/schemas/platform/sequence-window.ts';

const secret = 's'.repeat(40);
const caller: Caller = { accountId: 'acc_a', keyId: 'key_a', scopes: ['patients:read', 'patients:write'] };
const path = '/patients/pat_8fJ2kQ0aZrT5mWxY7bLc?limit=5';
const HOUR_MS = 3_600_000;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Moves the clock of the whole process. */
function jump(ms: number): void {
  const now = Date.now() + ms;
  jest.spyOn(Date, 'now').mockReturnValue(now);
}

describe('a token', () => {
  test('says who calls, to the core that it was made for', () => {
    const verifier = new RequestVerifier({ current: secret });
    const signer = new RequestSigner(secret);
    for (const core of [undefined, verifier.instance])
      expect(verifier.take(signer.sign(caller, 'GET', path, core), 'GET', path)).toEqual(caller);
    expect(verifier.take(signer.sign(caller, 'GET', path, 'another'), 'GET', path)).toBe('misdirected');
  });

  test('is worth nothing at another core, or at the same one started anew', () => {
    const first = new RequestVerifier({ current: secret });
    const token = new RequestSigner(secret).sign(caller, 'POST', path, first.instance);
    expect(first.take(token, 'POST', path)).toEqual(caller);
    expect(new RequestVerifier({ current: secret }).take(token, 'POST', path)).toBe('misdirected');
  });

  test('that names its core is taken whatever the clocks say', () => {
    const verifier = new RequestVerifier({ current: secret });
    const signer = new RequestSigner(secret);
    for (const ms of [-1000 * HOUR_MS, -HOUR_MS, HOUR_MS, 1000 * HOUR_MS]) {
      jump(ms);
      const token = signer.sign(caller, 'GET', path, verifier.instance);
      jest.restoreAllMocks();
      expect(verifier.take(token, 'GET', path)).toEqual(caller);
    }
  });

  test('that names none is taken for some minutes, and not from before the core was there', () => {
    const signer = new RequestSigner(secret);
    const before = signer.sign(caller, 'GET', path, undefined);
    jump(1_000);
    const verifier = new RequestVerifier({ current: secret });
    expect(verifier.take(before, 'GET', path)).toBe('stale');
    const token = signer.sign(caller, 'GET', path, undefined);
    const late = signer.sign(caller, 'GET', path, undefined);
    jump(240_000);
    expect(verifier.take(token, 'GET', path)).toEqual(caller);
    jump(120_000);
    expect(verifier.take(late, 'GET', path)).toBe('stale');
  });

  test('is never taken again, however many came after it, and from whichever of the processes it came', () => {
    const verifier = new RequestVerifier({ current: secret });
    const signers = Array.from({ length: 5 }, () => new RequestSigner(secret));
    const tokens = signers.map((signer) => signer.sign(caller, 'POST', path, verifier.instance));
    for (const token of tokens) expect(verifier.take(token, 'POST', path)).toEqual(caller);
    for (let count = 0; count < 40_000; count += 1) {
      const [signer] = signers as [RequestSigner];
      verifier.take(signer.sign(caller, 'GET', '/', verifier.instance), 'GET', '/');
    }
    for (const token of tokens) expect(verifier.take(token, 'POST', path)).toBe('repeated');
  });

  test('made with the secret before is taken while that is named, and then no more', () => {
    const old = new RequestSigner('o'.repeat(40));
    const during = new RequestVerifier({ current: secret, previous: 'o'.repeat(40) });
    const after = new RequestVerifier({ current: secret });
    expect(during.take(old.sign(caller, 'GET', path, undefined), 'GET', path)).toEqual(caller);
    expect(during.take(new RequestSigner(secret).sign(caller, 'GET', path, undefined), 'GET', path)).toEqual(caller);
    expect(after.take(old.sign(caller, 'GET', path, undefined), 'GET', path)).toBe('invalid');
  });
});

test('memory is bounded, however many callers and processes there are', () => {
  const verifier = new RequestVerifier({ current: secret });
  for (let index = 0; index < 2_500; index += 1) {
    const each = { ...caller, keyId: `key_${index}` as const };
    const token = new RequestSigner(secret).sign(each, 'GET', path, verifier.instance);
    expect(verifier.take(token, 'GET', path)).toEqual(each);
  }
  expect(verifier.size).toEqual({ callers: 2_000, senders: 1_024 });
});

describe('a window of numbers', () => {
  test('takes each once, in whatever order they come', () => {
    const window = new SequenceWindow();
    const numbers = Array.from({ length: 1_000 }, (_, index) => 1 + ((index * 617) % 1_000));
    expect(numbers.map((number) => window.take(number)).every(Boolean)).toBe(true);
    expect(numbers.some((number) => window.take(number))).toBe(false);
  });

  test('takes none that is far behind, and none that is no number of a sequence', () => {
    const window = new SequenceWindow();
    expect(window.take(100_000)).toBe(true);
    expect(window.take(100_000 - 32_767)).toBe(true);
    for (const number of [100_000 - 32_768, 1, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(window.take(number)).toBe(false);
  });

  test('forgets what has left it, and nothing else, however far the numbers jump', () => {
    const window = new SequenceWindow();
    let number = 1;
    window.take(number);
    for (const step of [1, 31, 32, 33, 1_000, 32_767, 32_768, 32_769, 1_000_000]) {
      number += step;
      expect(window.take(number)).toBe(true);
      expect(window.take(number)).toBe(false);
      expect(window.take(number - 1)).toBe(step > 1);
    }
  });
});
