import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, send, versionOf } from './service.ts';
import { type Login, Misunderstood, NotDone } from './settings.ts';

/** What is asked for on the command line. */
export interface ListenOptions {
  readonly version?: string | undefined;
  /** Where each event is posted to; printed alone where there is none. */
  readonly forwardTo?: string | undefined;
  /** Kinds with commas between; all unless told. */
  readonly kinds?: string | undefined;
  readonly secret?: string | undefined;
  readonly json?: boolean | undefined;
  /** Ends after so many events. */
  readonly count?: number | undefined;
  readonly signal?: AbortSignal;
}

interface ListedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly object_id: string;
}

const POLL_MS = 1_000;
const PAGE = 100;
const SEEN_MAX = 10_000;
const FORWARD_TIMEOUT_MS = 15_000;

/**
 * Reads the account's events as they happen and posts each to an address on this machine, signed as a webhook would
 * be. Nothing has to reach this machine from outside, and no subscription is made.
 */
export async function listen(login: Login, options: ListenOptions, say: (line: string) => void): Promise<void> {
  const { forwardTo, signal } = options;
  if (forwardTo !== undefined && !/^https?:\/\//.test(forwardTo))
    throw new Misunderstood('--forward-to takes an http address');
  const version = await versionOf(login, options.version);
  const kinds = options.kinds?.split(',').map((each) => each.trim());
  const secret = options.secret ?? `whsec_${randomBytes(24).toString('base64')}`;
  const seen = new Set((await newest(login, version)).map(({ id }) => id));
  if (options.json !== true) {
    say(`listening to v${version}${forwardTo === undefined ? '' : `, forwarding to ${forwardTo}`}`);
    if (forwardTo !== undefined) say(`signed with ${secret}`);
  }
  let told = 0;
  while (!signal?.aborted) {
    await sleep(POLL_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
    if (signal?.aborted) return;
    const fresh = (await newest(login, version)).filter(({ id }) => !seen.has(id)).reverse();
    for (const event of fresh) {
      seen.add(event.id);
      if (kinds && !kinds.includes(event.type)) continue;
      const status = forwardTo === undefined ? undefined : await forward(forwardTo, secret, version, event);
      say(
        options.json === true
          ? JSON.stringify({ event, ...(status === undefined ? {} : { status }) })
          : `${event.timestamp}  ${event.type.padEnd(22)}${event.object_id}  ${status ?? ''}`.trimEnd(),
      );
      told += 1;
      if (told === options.count) return;
    }
    for (const id of seen) {
      if (seen.size <= SEEN_MAX) break;
      seen.delete(id);
    }
  }
}

async function newest(login: Login, version: string): Promise<readonly ListedEvent[]> {
  const reply = await send(login, 'GET', `/v${version}/events?limit=${PAGE}&sort=-timestamp`);
  return dataOf<{ items: ListedEvent[] }>(reply).items;
}

/** @returns the receiver's status, or that there was none. */
async function forward(
  url: string,
  secret: string,
  version: string,
  event: ListedEvent,
): Promise<number | 'no answer'> {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) throw new NotDone('the secret is none');
  const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64');
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'service-version': version,
        'webhook-id': event.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
    return status;
  } catch {
    return 'no answer';
  }
}
