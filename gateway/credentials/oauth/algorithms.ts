import { constants, type KeyObject, verify } from 'node:crypto';

/*
 * Signatures of JSON Web Algorithms (RFC 7518, RFC 8037) by which a token may be signed: those with a public key. A secret that two share
 * (HS256) and none at all are not among them.
 */

interface Algorithm {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  readonly hash: string | null;
  /** PSS, or the plain padding of PKCS #1. */
  readonly isPss?: boolean;
  readonly curve?: string;
}

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  RS256: { keyType: 'rsa', hash: 'sha256' },
  RS384: { keyType: 'rsa', hash: 'sha384' },
  RS512: { keyType: 'rsa', hash: 'sha512' },
  PS256: { keyType: 'rsa', hash: 'sha256', isPss: true },
  PS384: { keyType: 'rsa', hash: 'sha384', isPss: true },
  PS512: { keyType: 'rsa', hash: 'sha512', isPss: true },
  ES256: { keyType: 'ec', hash: 'sha256', curve: 'prime256v1' },
  ES384: { keyType: 'ec', hash: 'sha384', curve: 'secp384r1' },
  ES512: { keyType: 'ec', hash: 'sha512', curve: 'secp521r1' },
  EdDSA: { keyType: 'ed25519', hash: null },
  Ed25519: { keyType: 'ed25519', hash: null },
};

/** RFC 7518, section 3.3. */
const RSA_BITS_MIN = 2_048;

/** Whether the key can have made signatures of the algorithm, so that none is taken for one of another kind. */
export function isAlgorithmOf(name: string, key: KeyObject): boolean {
  const algorithm = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined;
  if (!algorithm || key.asymmetricKeyType !== algorithm.keyType) return false;
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (algorithm.keyType === 'rsa') return modulusLength >= RSA_BITS_MIN;
  return algorithm.curve === undefined || namedCurve === algorithm.curve;
}

/** Whether the signature is the key's, of these bytes. */
export function isSignedBy(name: string, key: KeyObject, signed: string, signature: Buffer): boolean {
  const { hash, isPss } = ALGORITHMS[name] as Algorithm;
  const padding = isPss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  try {
    return verify(hash, Buffer.from(signed, 'ascii'), { key, dsaEncoding: 'ieee-p1363', ...padding }, signature);
  } catch {
    // Of no length that a signature of this key can have.
    return false;
  }
}
