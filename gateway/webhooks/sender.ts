import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { addressOfHost, isPublicAddress } from '@perennial/schemas/platform/public-address.ts';
import type { AttemptOutcome } from '@perennial/schemas/resources/webhook.ts';
import { Agent, request } from 'undici';
import { readRetryAfter } from './schedule.ts';

/** What is posted. */
export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How posting it ended. */
export interface Sent {
  readonly outcome: AttemptOutcome;
  /** Of the receiver; null when there was no answer. */
  readonly status: number | null;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** What the receiver asked for. */
  readonly retryAfterMs: number | undefined;
}

/** Posts messages. A failure of the receiver is an outcome and never throws. */
export interface Sender {
  /** @throws {SenderClosed} when it was closed before there was an outcome. */
  send(message: Message): Promise<Sent>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

/** The attempt was aborted by this process, so it says nothing about the receiver. */
export class SenderClosed extends Error {
  override readonly name = 'SenderClosed';
}

/** Settings of a sender. */
export interface SenderOptions {
  /** From the beginning of the connection to the end of the answer. */
  readonly timeoutMs: number;
  /** Whether addresses inside the network are called (`WEBHOOK_ALLOW_PRIVATE`). */
  readonly allowPrivate: boolean;
  readonly lookup?: Lookup;
}

/** Finds the addresses of a name, as `dns.lookup` with `all` does. */
export type Lookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How much of an answer is read before the connection is closed: only its status matters. */
const ANSWER_BYTES_MAX = 16_384;
const HEADER_BYTES_MAX = 16_384;
const FORBIDDEN = 'ERR_ADDRESS_FORBIDDEN';

const lookupAll: Lookup = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true, verbatim: true }, callback);
};

/**
 * Every attempt has a connection of its own, whose address is looked at after the name has been resolved and before
 * anything is sent: a name that leads elsewhere a moment later leads nowhere (DNS rebinding).
 */
export function createSender({ timeoutMs, allowPrivate, lookup = lookupAll }: SenderOptions): Sender {
  const agent = new Agent({
    // No connection is kept: the next attempt resolves the name again.
    pipelining: 0,
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs, ...(allowPrivate ? {} : { lookup: publicOnly(lookup) }) },
  });

  let closed = false;
  const post = async (message: Message): Promise<Pick<Sent, 'outcome' | 'status' | 'retryAfterMs'>> => {
    // A host that is an address is connected to without being looked up.
    const literal = addressOfHost(new URL(message.url).hostname);
    if (!allowPrivate && literal !== undefined && !isPublicAddress(literal)) return unanswered('address_forbidden');
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await request(message.url, {
        dispatcher: agent,
        method: 'POST',
        headers: message.headers as Record<string, string>,
        body: message.body,
        signal,
      });
      const { statusCode: status, headers } = answer;
      // The status has arrived: a connection that breaks after it is not a failure.
      await answer.body.dump({ limit: ANSWER_BYTES_MAX, signal }).catch(() => undefined);
      const asked = headers['retry-after'];
      const retryAfterMs = readRetryAfter(typeof asked === 'string' ? asked : undefined, Date.now());
      return { outcome: outcomeOf(status), status, retryAfterMs };
    } catch (error) {
      if (closed) throw new SenderClosed();
      return unanswered(failureOf(error));
    }
  };

  return {
    async send(message) {
      const startedAt = new Date();
      const began = performance.now();
      const result = await post(message);
      return { ...result, startedAt, durationMs: Math.round(performance.now() - began) };
    },
    close() {
      closed = true;
      return agent.destroy();
    },
  };
}

function unanswered(outcome: AttemptOutcome): Pick<Sent, 'outcome' | 'status' | 'retryAfterMs'> {
  return { outcome, status: null, retryAfterMs: undefined };
}

function outcomeOf(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return 'delivered';
  return status >= 300 && status < 400 ? 'redirected' : 'refused';
}

/** The same lookup, refusing a name of which any address is not public. */
export function publicOnly(lookup: Lookup) {
  return (
    hostname: string,
    options: LookupOptions,
    callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    lookup(hostname, options, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) {
        callback(error ?? Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' }), []);
      } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
        callback(Object.assign(new Error('the name leads inside a network'), { code: FORBIDDEN }), []);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const timeoutCodes: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

/** The members of an error that are read. */
interface Failure {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause?: Failure | null;
}

function failureOf(error: unknown): AttemptOutcome {
  let cause = error as Failure | null | undefined;
  while (typeof cause === 'object' && cause !== null) {
    const { code, name } = cause;
    if (code === FORBIDDEN) return 'address_forbidden';
    if (name === 'TimeoutError' || (typeof code === 'string' && timeoutCodes.has(code))) return 'timed_out';
    cause = cause.cause;
  }
  return 'unreachable';
}
