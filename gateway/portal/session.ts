import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Somebody who has signed in with a key. The key itself is nowhere: its hash finds it, as long as it is in force. */
export interface Session {
  readonly keyHash: string;
  /** Of this session alone; its forms are bound to it. */
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** Opens sessions and reads them again. Nothing is kept: every gateway that shares the secret reads what another wrote. */
export interface Sessions {
  open(keyHash: string): { readonly session: Session; readonly cookie: string };
  /** The session of a request; undefined when there is none in force. */
  read(headers: IncomingHttpHeaders): Session | undefined;
  /** What a form of the session must carry. Another text each time, so that compression tells nothing of it. */
  token(session: Session): string;
  /** Whether a form carries what it must. */
  isToken(session: Session, token: string): boolean;
}

export const SESSION_COOKIE = 'perennial_session';
export const SESSION_SECONDS = 8 * 3_600;
const COOKIE_CHARACTERS_MAX = 1_024;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const TOKEN_BYTES = 32;

/** @param secret that all gateways of an installation share. */
export function createSessions(secret: string, now: () => number = Date.now): Sessions {
  const key = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `portal ${purpose}`, 32));
  const sealing = key('session');
  const signing = key('token');

  const tokenOf = (session: Session): Buffer => createHmac('sha256', signing).update(session.nonce).digest();
  return {
    open(keyHash) {
      const session = { keyHash, nonce: randomBytes(16).toString('hex'), endsAt: now() + SESSION_SECONDS * 1_000 };
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(session), 'utf8'), cipher.final()]);
      return { session, cookie: Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url') };
    },
    read(headers) {
      const text = cookieOf(headers, SESSION_COOKIE);
      if (text === undefined || text.length > COOKIE_CHARACTERS_MAX) return undefined;
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
      try {
        const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, IV_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const opened =
          decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
        const session = JSON.parse(opened) as Session;
        return session.endsAt > now() ? session : undefined;
      } catch {
        // Somebody else's, or made before the secret was changed.
        return undefined;
      }
    },
    token(session) {
      const mask = randomBytes(TOKEN_BYTES);
      return Buffer.concat([mask, xor(mask, tokenOf(session))]).toString('base64url');
    },
    isToken(session, token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== 2 * TOKEN_BYTES) return false;
      return timingSafeEqual(xor(bytes.subarray(0, TOKEN_BYTES), bytes.subarray(TOKEN_BYTES)), tokenOf(session));
    },
  };
}

/** A cookie of a request by its name. */
export function cookieOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, index) => byte ^ (b[index] as number)));
}
