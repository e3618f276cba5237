import cluster, { type Worker } from 'node:cluster';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateCounter, RateLeft } from './limits.ts';

/*
 * One count of each key's requests for all workers, kept by the first process, so that a client has its whole rate on
 * whichever worker its connections end. Workers take a few requests of a key at a time and give back what they did not
 * need: of a small rate one at a time, of a large one so many that asking costs next to nothing.
 */

const WANT = 'perennial:rate-wanted';
const GIVEN = 'perennial:rate-given';
const BACK = 'perennial:rate-back';

interface Want {
  readonly type: typeof WANT;
  readonly id: number;
  readonly key: string;
  readonly count: number;
}

interface Given {
  readonly type: typeof GIVEN;
  readonly id: number;
  readonly count: number;
  /** What nobody has been given yet. */
  readonly rest?: number;
  /** Until the key's minute is over. */
  readonly restMs: number;
}

interface Back {
  readonly type: typeof BACK;
  readonly key: string;
  readonly count: number;
}

const MINUTE_SECONDS = 60;

/** In the first process: counts for the workers. @param perMinute requests of a key. */
export function serveClusterRates(perMinute: number): void {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: MINUTE_SECONDS });
  const give = async ({ key, count }: Want): Promise<Omit<Given, 'type' | 'id'>> => {
    const known = await limiter.get(key);
    const given = Math.min(count, known ? known.remainingPoints : perMinute);
    if (given <= 0) return { count: 0, restMs: known?.msBeforeNext ?? 0 };
    try {
      const { msBeforeNext, remainingPoints } = await limiter.consume(key, given);
      return { count: given, rest: remainingPoints, restMs: msBeforeNext };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      // Another worker was given it in the same moment.
      return { count: 0, restMs: refusal.msBeforeNext };
    }
  };
  cluster.on('message', (worker: Worker, message: Want | Back) => {
    if (message.type === BACK) void limiter.reward(message.key, message.count);
    if (message.type !== WANT) return;
    void give(message).then((given) => {
      if (worker.isConnected()) worker.send({ type: GIVEN, id: message.id, ...given } satisfies Given);
    });
  });
}

/** What a worker has of a key's minute. */
interface Share {
  left: number;
  /** What nobody had been given when this worker last asked. */
  rest: number;
  /** `performance.now()` when the minute ends. */
  endsAt: number;
  asking: Promise<void> | undefined;
  /** Until then the key has no requests left, and the first process is not asked. */
  refusedUntil: number;
}

const SHARES_MAX = 10_000;
const COUNT_MAX = 100;
/** A share that is not used up by then goes back, for the other workers. */
const KEEP_MS = 500;
/** Used while the first process does not answer: no request is refused because of that. */
const ANSWER_MS_MAX = 1_000;

/** In a worker: counts requests in the first process. */
export function createSharedRate(perMinute: number): RateCounter {
  const shares = new LRUCache<string, Share>({ max: SHARES_MAX, dispose: (share, key) => giveBack(share, key) });
  const waiting = new Map<number, (given: Given | undefined) => void>();
  const count = Math.min(COUNT_MAX, Math.max(1, Math.floor(perMinute / 1_000)));
  let last = 0;
  process.on('message', (message: Given) => {
    if (message.type !== GIVEN) return;
    waiting.get(message.id)?.(message);
  });

  const giveBack = (share: Share, key: string): void => {
    // A share of a minute that is over is not returned.
    if (share.left > 0 && performance.now() < share.endsAt && process.connected)
      process.send?.({ type: BACK, key, count: share.left } satisfies Back);
    share.left = 0;
  };

  const ask = async (key: string, share: Share): Promise<void> => {
    last += 1;
    const id = last;
    const given = await new Promise<Given | undefined>((resolve) => {
      const timer = setTimeout(resolve, ANSWER_MS_MAX, undefined);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      process.send?.({ type: WANT, id, key, count } satisfies Want);
    });
    waiting.delete(id);
    share.asking = undefined;
    share.left += given?.count ?? count;
    share.rest = given?.rest ?? 0;
    share.endsAt = performance.now() + (given?.restMs ?? ANSWER_MS_MAX);
    if (share.left === 0) share.refusedUntil = Math.min(share.endsAt, performance.now() + KEEP_MS);
    if (count > 1) setTimeout(giveBack, KEEP_MS, share, key).unref();
  };

  const take = async (key: string, share: Share): Promise<RateLeft> => {
    for (;;) {
      if (share.left > 0 && performance.now() >= share.endsAt) share.left = 0;
      if (share.left > 0) {
        share.left -= 1;
        return { remainingPoints: share.left + share.rest, msBeforeNext: share.endsAt - performance.now() };
      }
      if (performance.now() < share.refusedUntil) throw new RateLimiterRes(0, share.endsAt - performance.now());
      share.asking ??= ask(key, share);
      await share.asking;
    }
  };

  return {
    consume(key) {
      let share = shares.get(key);
      if (!share) {
        share = { left: 0, rest: 0, endsAt: 0, asking: undefined, refusedUntil: 0 };
        shares.set(key, share);
      }
      return take(key, share);
    },
  };
}
