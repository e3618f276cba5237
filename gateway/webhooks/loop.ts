import { setTimeout as sleep } from 'node:timers/promises';

/** Something that is done over and over until it is stopped. */
export interface Loop {
  /** Does not wait any longer for the next turn. */
  wake(): void;
  /** Resolves when the turn under way has ended; there is no other after it. */
  stop(): Promise<void>;
}

/** The longest that a loop whose turns fail waits between them. */
const FAILED_WAIT_MS_MAX = 5_000;

/**
 * Takes turns. @param turn whether there may be more to do at once; otherwise the next turn follows after `waitMs`.
 * @param failed is told of a turn that threw, once for each time that turns begin to fail.
 */
export function startLoop(turn: () => Promise<boolean>, waitMs: number, failed: (error: unknown) => void): Loop {
  let stopped = false;
  let awake = new AbortController();
  let failures = 0;
  const run = async (): Promise<void> => {
    while (!stopped) {
      let hasMore = false;
      try {
        hasMore = await turn();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) failed(error);
      }
      if (hasMore || stopped) continue;
      const pauseMs = failures === 0 ? waitMs : Math.min(waitMs * 2 ** failures, FAILED_WAIT_MS_MAX);
      // What woke the loop while it worked counts for this pause.
      await sleep(pauseMs, undefined, { signal: awake.signal }).catch(() => undefined);
      awake = new AbortController();
    }
  };
  const running = run();
  return {
    wake: () => awake.abort(),
    stop() {
      stopped = true;
      awake.abort();
      return running;
    },
  };
}
