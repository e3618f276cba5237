import { describe, expect, jest, test } from '@jest/globals';
import { TokenVerifier } from '@perennial/core/http/authenticate.ts';
import { signInternalToken } from '@perennial/schemas/internal-token.ts';

const secret = 's'.repeat(40);
const caller = { accountId: 'acc_a', keyId: 'key_a', scopes: ['patients:read'] };

describe('a verified token', () => {
  test('is answered at once the second time', async () => {
    const verifier = new TokenVerifier(secret);
    const token = await signInternalToken(secret, caller);
    expect(await verifier.verify(token)).toEqual(caller);
    expect(verifier.verify(token)).toEqual(caller);
  });

  test('is forgotten when it expires', async () => {
    const verifier = new TokenVerifier(secret);
    const token = await signInternalToken(secret, caller);
    await verifier.verify(token);
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    try {
      expect(verifier.verify(token)).toBeInstanceOf(Promise);
      expect(verifier.size).toBe(0);
    } finally {
      later.mockRestore();
    }
  });

  test('one that is not valid is never remembered', async () => {
    const verifier = new TokenVerifier(secret);
    expect(await verifier.verify(await signInternalToken('t'.repeat(40), caller))).toBeUndefined();
    expect(await verifier.verify('x'.repeat(9_000))).toBeUndefined();
    expect(verifier.size).toBe(0);
  });

  test('however many there are, memory is bounded', async () => {
    const verifier = new TokenVerifier(secret);
    for (let index = 0; index < 2_100; index += 1) {
      await verifier.verify(await signInternalToken(secret, { ...caller, keyId: `key_${index}` }));
    }
    expect(verifier.size).toBe(2_000);
  });
});
