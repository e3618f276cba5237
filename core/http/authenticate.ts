import { Fault } from '@perennial/schemas/http/fault.ts';
import { type Caller, verifyInternalToken } from '@perennial/schemas/internal-token.ts';
import type { RequestHandler } from 'express';
import { exchangeOf } from './exchange.ts';

/** How many verified tokens are remembered: one per key in use, as each lives a minute. */
const TOKENS_MAX = 2_000;
const TOKEN_CHARS_MAX = 8_192;

interface Verified {
  readonly caller: Caller;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** Turns internal tokens into callers, and remembers those it has verified until they expire. */
export class TokenVerifier {
  readonly #secret: string;
  readonly #verified = new Map<string, Verified>();

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** How many tokens are remembered. */
  get size(): number {
    return this.#verified.size;
  }

  /** The caller, at once when the token is remembered; undefined when it is not valid. */
  verify(token: string): Caller | undefined | Promise<Caller | undefined> {
    const known = this.#verified.get(token);
    if (known && known.expiresAt > Date.now() / 1000) return known.caller;
    this.#verified.delete(token);
    return token.length > TOKEN_CHARS_MAX ? undefined : this.#verifyNew(token);
  }

  async #verifyNew(token: string): Promise<Caller | undefined> {
    const verified = await verifyInternalToken(this.#secret, token);
    if (!verified) return undefined;
    this.#verified.set(token, verified);
    // The oldest goes first: a Map keeps the order of insertion, and tokens all live equally long.
    for (const oldest of this.#verified.keys()) {
      if (this.#verified.size <= TOKENS_MAX) break;
      this.#verified.delete(oldest);
    }
    return verified.caller;
  }
}

/** Core answers the gateway only: whoever has no internal token learns nothing, not even which routes exist. */
export function authenticate(verifier: TokenVerifier): RequestHandler {
  return async (request, response, next) => {
    const header = request.headers.authorization ?? '';
    const token = /^bearer /i.test(header) ? header.slice(7).trim() : '';
    const found = token === '' ? undefined : verifier.verify(token);
    const caller = found instanceof Promise ? await found : found;
    if (!caller) {
      throw new Fault('credential_invalid', {
        message: 'The internal token is missing or not valid.',
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    exchangeOf(response).caller = caller;
    next();
  };
}
