import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@perennial/schemas/platform/logger.ts';

/** Sends lines to another place, in their order. */
export interface HeadsPost {
  add(line: string): void;
  /** Waits briefly for the request under way. */
  stop(): Promise<void>;
}

/** How soon a line is sent again at first, and how many may wait. */
export interface HeadsPostLimits {
  readonly retryMs: number;
  readonly waitingMax: number;
}

const WAITING_MAX = 1_000;
const CALL_MS_MAX = 5_000;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;
const STOP_MS_MAX = 2_000;

/**
 * Posts each line until it is taken (2xx), waiting longer each time. The place may be away for as long as it likes: no
 * more than a thousand lines wait for it, the oldest give way, and all of them are in the file.
 */
export function createHeadsPost(
  url: string,
  logger: Logger,
  { retryMs, waitingMax }: HeadsPostLimits = { retryMs: RETRY_MS, waitingMax: WAITING_MAX },
): HeadsPost {
  const waiting: string[] = [];
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    let waitMs = retryMs;
    while (waiting.length > 0 && !stopping.signal.aborted) {
      const [line] = waiting as [string];
      try {
        await send(url, line, stopping.signal);
        // Those that gave way meanwhile may have taken it along.
        if (waiting[0] === line) waiting.shift();
        waitMs = retryMs;
      } catch (error) {
        if (stopping.signal.aborted) break;
        logger.warn('the ends of the audit trail could not be sent', {
          waiting: waiting.length,
          error: (error as Error).name,
        });
        await sleep(waitMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
        waitMs = Math.min(waitMs * 2, RETRY_MS_MAX);
      }
    }
    running = undefined;
  };
  return {
    add(line) {
      waiting.push(line);
      if (waiting.length > waitingMax) {
        waiting.shift();
        logger.error('an end of the audit trail was not sent, and is in the file alone');
      }
      running ??= run();
    },
    async stop() {
      await Promise.race([running, sleep(STOP_MS_MAX, undefined, { ref: false })]);
      stopping.abort();
      await running;
    },
  };
}

/** @throws when it is not taken in time: a redirect is no receipt either. */
function send(url: string, line: string, stopping: AbortSignal): Promise<void> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(line) };
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? https : http).request(url, { method: 'POST', headers });
    const giveUp = (): void => void request.destroy(new Error('no answer in time'));
    const bound = setTimeout(giveUp, CALL_MS_MAX);
    stopping.addEventListener('abort', giveUp, { once: true });
    request.on('close', () => {
      clearTimeout(bound);
      stopping.removeEventListener('abort', giveUp);
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode = 0 } = response;
      response.resume();
      if (statusCode >= 200 && statusCode < 300) resolve();
      else reject(new Error(`status ${statusCode}`));
    });
    request.end(line);
  });
}
