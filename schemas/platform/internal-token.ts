import { createHash, createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountId, KeyId } from './ids.ts';
import { SequenceWindow } from './sequence-window.ts';

/*
 * How the gateway tells core who calls, and core knows that it was the gateway: a token for each request, made of the
 * caller, the process that sends it, the request's number in that process, the core it is meant for, and an HMAC
 * (RFC 2104, SHA-256) over these, the method and the target. A token is worth one request: each number is taken once,
 * and a core takes only what is meant for it. No clock is needed where the gateway knows the core, which it learns from
 * the first answer; until then, and behind a balancer of several cores, it names none, and the token is good for some
 * minutes of either clock, once at all cores together (`sharedRequestOf`).
 */

/** Who calls. */
export interface Caller {
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  readonly scopes: readonly string[];
}

/** What gateway and core share. While it is changed, core takes what was made with the one before as well. */
export interface SharedSecret {
  readonly current: string;
  readonly previous?: string | undefined;
}

/** Header of core's answers that names the process. */
export const CORE_INSTANCE_HEADER = 'x-core-instance';

const ANY_CORE = '*';
/** How far the two clocks may be apart where no core is named. */
const SKEW_MAX_MS = 300_000;
const TOKEN_CHARACTERS_MAX = 8_192;
const PARTS = 6;

/** Signs the requests of one process. */
export class RequestSigner {
  readonly #key: KeyObject;
  readonly #sender = randomBytes(12).toString('base64url');
  readonly #facts = new WeakMap<Caller, string>();
  #sent = 0;

  /** @param secret `INTERNAL_SECRET`, at least 32 characters. */
  constructor(secret: string) {
    this.#key = keyOf(secret);
  }

  /**
   * The token of one request.
   * @param target path with query, as it is sent.
   * @param core the process it is meant for; undefined where that is not known.
   */
  sign(caller: Caller, method: string, target: string, core: string | undefined): string {
    let facts = this.#facts.get(caller);
    if (facts === undefined) {
      facts = Buffer.from(JSON.stringify([caller.accountId, caller.keyId, caller.scopes])).toString('base64url');
      this.#facts.set(caller, facts);
    }
    this.#sent += 1;
    const signed = `${facts}.${this.#sender}.${this.#sent.toString(36)}.${Date.now().toString(36)}.${core ?? ANY_CORE}`;
    return `${signed}.${macOf(this.#key, method, target, signed)}`;
  }
}

/** Why a token is not taken. */
export type TokenRefusal = 'invalid' | 'misdirected' | 'stale' | 'repeated';

/** Callers and senders that are remembered. Neither can be made up without the secret. */
const CALLERS_MAX = 2_000;
const SENDERS_MAX = 1_024;

/** Verifies that a request comes from the gateway, and that it is not a repetition. */
export class RequestVerifier {
  /** What this process is called. */
  readonly instance: string;
  readonly #keys: readonly KeyObject[];
  readonly #startedAt = Date.now();
  readonly #callers = new Map<string, Caller>();
  readonly #senders = new Map<string, SequenceWindow>();

  constructor(secret: SharedSecret, instance: string = randomBytes(12).toString('base64url')) {
    this.instance = instance;
    this.#keys = [secret.current, ...(secret.previous === undefined ? [] : [secret.previous])].map(keyOf);
  }

  /** How much is remembered. */
  get size(): { readonly callers: number; readonly senders: number } {
    return { callers: this.#callers.size, senders: this.#senders.size };
  }

  /** Takes the token of a request: the same one is not taken again. @param target path with query, as it came. */
  take(token: string, method: string, target: string): Caller | TokenRefusal {
    if (token.length > TOKEN_CHARACTERS_MAX) return 'invalid';
    const parts = token.split('.');
    if (parts.length !== PARTS) return 'invalid';
    const [facts, sender, number, time, core, mac] = parts as [string, string, string, string, string, string];
    const signed = token.slice(0, -mac.length - 1);
    if (!this.#keys.some((key) => isEqual(mac, macOf(key, method, target, signed)))) return 'invalid';
    if (core !== this.instance) {
      if (core !== ANY_CORE) return 'misdirected';
      const sentAt = Number.parseInt(time, 36);
      // What was sent before this process was there may have been taken by the one before it.
      if (sentAt < this.#startedAt || Math.abs(Date.now() - sentAt) > SKEW_MAX_MS) return 'stale';
    }
    return this.#windowOf(sender).take(Number.parseInt(number, 36)) ? this.#callerOf(facts) : 'repeated';
  }

  #windowOf(sender: string): SequenceWindow {
    let window = this.#senders.get(sender);
    if (!window) {
      window = new SequenceWindow();
      // The one that was silent longest has gone.
      if (this.#senders.size >= SENDERS_MAX) {
        const [oldest] = [...this.#senders].sort(([, a], [, b]) => a.usedAt - b.usedAt);
        if (oldest) this.#senders.delete(oldest[0]);
      }
      this.#senders.set(sender, window);
    }
    return window;
  }

  #callerOf(facts: string): Caller {
    let caller = this.#callers.get(facts);
    if (!caller) {
      const [accountId, keyId, scopes] = JSON.parse(Buffer.from(facts, 'base64url').toString('utf8')) as [
        AccountId,
        KeyId,
        readonly string[],
      ];
      caller = { accountId, keyId, scopes };
      for (const first of this.#callers.keys()) {
        if (this.#callers.size < CALLERS_MAX) break;
        this.#callers.delete(first);
      }
      this.#callers.set(facts, caller);
    }
    return caller;
  }
}

/** A request that names no core: who sent it, and its number there. */
export interface SharedRequest {
  readonly sender: string;
  readonly number: number;
}

/**
 * The request of a token that was taken here and would be taken by any other core as well, so that cores can agree on
 * which of them carries it out; undefined for one that names its core.
 */
export function sharedRequestOf(token: string): SharedRequest | undefined {
  const [, sender = '', number = '', , core] = token.split('.');
  return core === ANY_CORE ? { sender, number: Number.parseInt(number, 36) } : undefined;
}

function keyOf(secret: string): KeyObject {
  return createSecretKey(createHash('sha256').update(`request:${secret}`).digest());
}

function macOf(key: KeyObject, method: string, target: string, signed: string): string {
  return createHmac('sha256', key).update(`${method}\n${target}\n${signed}`).digest('base64url');
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
}
