import { Worker } from 'node:worker_threads';
import type { History, Release } from '@perennial/schemas/history.ts';
import { history as shippedHistory } from '@perennial/schemas/history.ts';
import { differencesBetween, type ExplainedDifference } from '@perennial/translators/contract/explain.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';

/** Everything that differs between two releases, the older one first. Made once for each pair. */
export type Differences = (from: Release, to: Release) => Promise<readonly ExplainedDifference[]>;

/** What the worker is asked. */
export interface PairAsked {
  readonly from: Release;
  readonly to: Release;
}

/** What it found. */
export interface PairFound {
  readonly key: string;
  readonly differences: readonly ExplainedDifference[];
}

const IDLE_MS = 30_000;

/**
 * Compares in a thread of its own, which ends when nobody asks: the documents of two releases are large, and requests
 * must not wait for them. A history that is not the shipped one, as in tests, is compared at once.
 */
export function createDifferences(translator: Translator, history: History): Differences {
  const known = new Map<string, Promise<readonly ExplainedDifference[]>>();
  const compare =
    history === shippedHistory
      ? compareApart()
      : async ({ from, to }: PairAsked) => differencesBetween(translator, from, to);
  return (from, to) => {
    const key = `${from.id} ${to.id}`;
    let found = known.get(key);
    if (!found) {
      found = compare({ from, to });
      known.set(key, found);
      // What failed is tried again by the next who asks.
      found.catch(() => known.delete(key));
    }
    return found;
  };
}

interface Waiting {
  resolve(found: readonly ExplainedDifference[]): void;
  reject(error: unknown): void;
}

function compareApart(): (asked: PairAsked) => Promise<readonly ExplainedDifference[]> {
  const waiting = new Map<string, Waiting>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const start = (): Worker => {
    const started = new Worker(new URL('differences-worker.ts', import.meta.url), { stdout: false, stderr: false });
    // Nobody waits for it at a stop.
    started.unref();
    started.on('message', ({ key, differences }: PairFound) => {
      waiting.get(key)?.resolve(differences);
      waiting.delete(key);
      if (waiting.size > 0) return;
      idle = setTimeout(() => void started.terminate(), IDLE_MS);
      idle.unref();
    });
    started.on('error', (error) => {
      for (const each of waiting.values()) each.reject(error);
      waiting.clear();
    });
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      for (const each of waiting.values()) each.reject(new Error('the comparison ended early'));
      waiting.clear();
    });
    return started;
  };
  return (asked) =>
    new Promise((resolve, reject) => {
      clearTimeout(idle);
      waiting.set(`${asked.from.id} ${asked.to.id}`, { resolve, reject });
      worker ??= start();
      worker.postMessage(asked);
    });
}
