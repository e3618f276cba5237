import cluster, { type Worker } from 'node:cluster';
import { watchChild } from '@perennial/schemas/platform/child-watch.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { serveClusterMetrics } from './cluster-metrics.ts';
import { serveClusterRates } from './cluster-rates.ts';

/** Several processes that serve one port. */
export interface Workers {
  readonly url: string;
  /** Resolves when every worker has drained and ended. */
  stop(): Promise<void>;
}

/** How many workers, and what holds for all of them together. */
export interface WorkersPlan {
  readonly workers: number;
  readonly ratePerMinute: number;
  /** How long a worker may be unresponsive before it is replaced; 0 for no limit. */
  readonly silentMsMax: number;
}

/** Shortest time between two replacements of a worker, so that one that cannot start does not spin. */
const RESTART_MS = 1_000;

/**
 * Starts `count` workers of this same program. Each is a whole gateway; the operating system's connections are dealt
 * out by node:cluster, and requests are counted for all of them together. A worker that dies by itself, or hangs, is
 * replaced.
 * @throws when the first of them cannot start.
 */
export async function startWorkers(plan: WorkersPlan, logger: Logger): Promise<Workers> {
  const { workers: count, ratePerMinute, silentMsMax } = plan;
  let stopping = false;
  serveClusterMetrics();
  serveClusterRates(ratePerMinute);
  const started = Array.from({ length: count }, () => readiness(cluster.fork()));
  cluster.on('listening', (worker) => {
    watchChild(worker.process, silentMsMax, () => {
      if (stopping) return;
      logger.error('a worker answers nothing and is ended', { worker: worker.id });
      worker.process.kill('SIGKILL');
    });
  });
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return;
    logger.error('a worker ended and is replaced', { worker: worker.id, code, signal });
    setTimeout(() => {
      if (!stopping) cluster.fork();
    }, RESTART_MS);
  });
  const [url] = await Promise.all(started);
  return {
    url: url as string,
    async stop() {
      stopping = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(workers.map(ended));
    },
  };
}

function readiness(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.once('exit', () => reject(new Error('a worker could not start')));
    worker.on('message', (message: { readonly type?: string; readonly url?: string }) => {
      if (message.type === 'ready') resolve(message.url ?? '');
    });
  });
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) {
      resolve();
      return;
    }
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });
}
