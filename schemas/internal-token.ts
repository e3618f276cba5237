import { jwtVerify, SignJWT } from 'jose';

/**
 * The token by which the gateway tells core who calls: a JWT (RFC 7519, HS256) that lives one minute. Core answers
 * nobody without it.
 */

/** Who calls. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
}

/** How long a token lives, in seconds. */
export const internalTokenSeconds = 60;

const ISSUER = 'perennial-gateway';
const AUDIENCE = 'perennial-core';

/** Issues a token for a caller. @param secret `INTERNAL_SECRET`, at least 32 characters. */
export async function signInternalToken(secret: string, caller: Caller): Promise<string> {
  return new SignJWT({ key: caller.keyId, scopes: [...caller.scopes] })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(caller.accountId)
    .setIssuedAt()
    .setExpirationTime(`${internalTokenSeconds}s`)
    .sign(Buffer.from(secret, 'utf8'));
}

/** The caller a token names and when it ends (epoch seconds), or undefined when it is not valid. */
export async function verifyInternalToken(
  secret: string,
  token: string,
): Promise<{ readonly caller: Caller; readonly expiresAt: number } | undefined> {
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret, 'utf8'), {
      issuer: ISSUER,
      audience: AUDIENCE,
      algorithms: ['HS256'],
    });
    const { sub, exp, key, scopes } = payload;
    if (typeof sub !== 'string' || typeof exp !== 'number' || typeof key !== 'string' || !Array.isArray(scopes))
      return undefined;
    return { caller: { accountId: sub, keyId: key, scopes: scopes.map(String) }, expiresAt: exp };
  } catch {
    return undefined;
  }
}
