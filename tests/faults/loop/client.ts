import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { type Answer, type SendOptions, sendTo } from '../../support/gateway.ts';
import type { LoadTarget } from './write-load.ts';

/** How long one request may be tried, whatever happens meanwhile. */
const GIVE_UP_MS = 90_000;
const PAUSE_MS = 50;
/** Answers after which a client sends the same again: nothing was done, or nobody knows. */
const AGAIN: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** A request that was answered for good, and what it took. */
export interface Settled<T> {
  readonly answer: Answer<T>;
  /** How often it was sent. */
  readonly tries: number;
  /** Whether an earlier try had been carried out, though nobody had heard of it. */
  readonly replayed: boolean;
}

/** Sends as a good client does: the same request with the same key, until it is answered for good. */
export async function settle<T = JsonObject>(
  system: Pick<LoadTarget, 'url' | 'account'>,
  method: string,
  path: string,
  options: SendOptions,
): Promise<Settled<T>> {
  const until = Date.now() + GIVE_UP_MS;
  for (let tries = 1; ; tries += 1) {
    const answer = await sendTo<T>(system.url, method, path, { key: system.account.apiKey, ...options }).catch(
      () => undefined,
    );
    if (answer && !AGAIN.has(answer.status) && answer.error?.code !== 'idempotency_in_flight')
      return { answer, tries, replayed: answer.headers['idempotency-replayed'] === 'true' };
    if (Date.now() > until) throw new Error(`${method} ${path.replace(/_[0-9A-Za-z]{8,}/g, '_…')} was never answered`);
    await sleep(PAUSE_MS);
  }
}
