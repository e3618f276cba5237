import { isSignedBy } from './algorithms.ts';
import type { KeySet } from './jwks.ts';

/** Who may have made a token, and for whom. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  /** How far the issuer's clock may be from ours. */
  readonly skewSeconds: number;
}

/** What a token says, once its signature has been verified. */
export type Claims = Readonly<Record<string, unknown>>;

/** A token that is not taken. Whoever sent it is told no more than whether it has expired. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly isExpired: boolean;
  constructor(why: string, isExpired = false) {
    super(why);
    this.isExpired = isExpired;
  }
}

/** A signed token in its compact form (RFC 7515, section 7.1). */
const COMPACT = /^([\w-]{2,2000})\.([\w-]{2,7000})\.([\w-]{16,2000})$/;
/** RFC 9068 names access tokens; before it they had the general name, or none. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt']);

/** Whether it may be a token and no key of ours. */
export function looksLikeToken(text: string): boolean {
  return COMPACT.test(text);
}

/**
 * Verifies a token (RFC 8725, RFC 9068): its signature by a key of the issuer, its issuer and audience, and its times.
 * @throws {TokenRefused} {KeysUnavailable}
 */
export async function verifyToken(text: string, keys: KeySet, rules: TokenRules, now: number): Promise<Claims> {
  const [, header = '', payload = '', signature = ''] = COMPACT.exec(text) ?? [];
  const { alg, kid, typ, crit } = objectIn(header);
  if (typeof alg !== 'string' || !TYPES.has(typ)) throw new TokenRefused('header');
  // Extensions that must be understood (RFC 7515, section 4.1.11): there are none that are.
  if (crit !== undefined || (kid !== undefined && typeof kid !== 'string')) throw new TokenRefused('header');
  const signed = `${header}.${payload}`;
  const bytes = Buffer.from(signature, 'base64url');
  const candidates = await keys.find(kid as string | undefined, alg);
  if (!candidates.some(({ key }) => isSignedBy(alg, key, signed, bytes))) throw new TokenRefused('signature');
  const claims = objectIn(payload);
  checkClaims(claims, rules, now / 1_000);
  return claims;
}

function checkClaims(claims: Claims, { issuer, audience, skewSeconds }: TokenRules, seconds: number): void {
  const { iss, aud, exp, nbf, iat } = claims;
  if (iss !== issuer) throw new TokenRefused('issuer');
  if (!(Array.isArray(aud) ? aud : [aud]).includes(audience)) throw new TokenRefused('audience');
  if (typeof exp !== 'number') throw new TokenRefused('no expiry');
  if (exp + skewSeconds <= seconds) throw new TokenRefused('expired', true);
  for (const from of [nbf, iat])
    if (from !== undefined && (typeof from !== 'number' || from - skewSeconds > seconds))
      throw new TokenRefused('not yet valid');
}

function objectIn(part: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Claims;
  } catch {
    // Said below.
  }
  throw new TokenRefused('unreadable');
}
