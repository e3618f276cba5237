import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { readOrCreateKeyFile } from '@perennial/schemas/platform/key-file.ts';
import { SECRET_CHARS_MIN, splitSecrets } from '@perennial/schemas/platform/variables.ts';

/** A key of the audit trail. It is kept outside of the database: whoever can write there cannot make an entry that holds. */
export interface AuditKey {
  /** Derived from the key; does not reveal it. */
  readonly id: string;
  /** HMAC-SHA256 in hex. */
  mac(text: string): string;
  /** Ed25519 signature in base64; the public key is enough to verify it. */
  sign(text: string): string;
  /** In base64 (SPKI, DER). */
  readonly publicKey: string;
}

/** The key that entries are made with, and those they were made with before. */
export interface AuditKeys {
  readonly current: AuditKey;
  find(id: string): AuditKey | undefined;
  readonly ids: readonly string[];
}

/** @param text of the environment; without it the keys are those of the file, which is made when it is not there. */
export function readAuditKeys(text: string | undefined, file: string): AuditKeys {
  return auditKeys(splitSecrets(text ?? readOrCreateKeyFile(file)));
}

/** @param secrets the current one first. */
export function auditKeys(secrets: readonly string[]): AuditKeys {
  if (secrets.length === 0 || secrets.some((secret) => secret.length < SECRET_CHARS_MIN))
    throw new Error(`a key of the audit trail has at least ${SECRET_CHARS_MIN} characters`);
  const keys = new Map(secrets.map((secret) => keyOf(secret)).map((key) => [key.id, key]));
  const current = keyOf(secrets[0] as string);
  return { current, find: (id) => keys.get(id), ids: [...keys.keys()] };
}

function keyOf(secret: string): AuditKey {
  const derive = (what: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `perennial audit ${what}`, bytes));
  const chain: KeyObject = createSecretKey(derive('chain', 32));
  const signing = createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8, derive('signature', 32)]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    id: derive('id', 6).toString('hex'),
    mac: (text) => createHmac('sha256', chain).update(text).digest('hex'),
    sign: (text) => sign(null, Buffer.from(text), signing).toString('base64'),
    publicKey: createPublicKey(signing).export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410, section 7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Whether a signature of `AuditKey.sign` holds. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
}

/** SHA-256 in hex. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
